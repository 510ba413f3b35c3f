"""Cumulative counts of a played recording, from which statistics at any moment are looked up."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from demine.logic.metadata import FIELD_CELL
from demine.logic.neighbours import neighbour_table
from demine.statistics.play_recording import play_recording, with_modifiers_resolved
from demine.statistics.played_recording import (
    MARKED,
    TAKES_BACK,
    Click,
    PlayedRecording,
    click_kind_mask,
)
from demine.statistics.recording_type import Signal

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demine.statistics.layout_regions import LayoutRegions
    from demine.statistics.recording_type import Recording

_FLAGGED: Final = int(Click.FLAGGED)
_TAKEN_OFF: Final = frozenset({int(Click.UNFLAGGED), int(Click.DOUBTED)})
_OPENING: Final = click_kind_mask(Click.OPENED, Click.LEFT_CHORDED, Click.CHORDED)
_USES: Final = _OPENING | click_kind_mask(Click.FLAGGED, Click.UNFLAGGED, Click.DOUBTED)
_USES[Click.OPENED] = False
_DOUBLES: Final = click_kind_mask(Click.CHORDED, Click.DOUBLE_IDLE)
_MARKED: Final = click_kind_mask(*MARKED)
_ONLY_FLAGGED: Final = click_kind_mask(Click.FLAGGED)


class SolvedParts(NamedTuple):
    """How many parts of a board are solved."""

    openings: int
    islands: int
    lone_numbers: int
    """Open numbers that border on no opening."""


class PointerPath:
    """The events of a path on the board, and its lengths up to each in pixels, at 16 a cell."""

    def __init__(
        self, events: NDArray[np.int64], x: NDArray[np.int32], y: NDArray[np.int32], cell_px: int
    ) -> None:
        """`x` and `y` are the points of the events, at `cell_px` pixels a cell."""
        self.events = events
        self._steps = tuple((points[1:] - points[:-1]).astype(np.float64) for points in (x, y))
        self._scale = FIELD_CELL / cell_px

    @cached_property
    def straight_px(self) -> NDArray[np.float64]:
        """The length in straight lines."""
        dx, dy = self._steps
        return self._summed(np.sqrt(dx * dx + dy * dy))

    @cached_property
    def along_axes_px(self) -> NDArray[np.float64]:
        """The length along rows and columns."""
        dx, dy = self._steps
        return self._summed(np.abs(dx) + np.abs(dy))

    def _summed(self, lengths: NDArray[np.float64]) -> NDArray[np.float64]:
        path = np.zeros(self.events.size)
        lengths.cumsum(out=path[1:])
        path *= self._scale
        return path


class CumulativeCounts:
    """Counts of a played recording, arrays with one entry for each click; computed when needed."""

    def __init__(
        self,
        recording: Recording,
        played: PlayedRecording | None = None,
        regions: LayoutRegions | None = None,
    ) -> None:
        """`played` and `regions` are computed from the recording unless they are given."""
        self.recording = recording
        self.played: PlayedRecording = play_recording(recording) if played is None else played
        self.regions: LayoutRegions = self.played.regions if regions is None else regions

    @cached_property
    def counted_kinds(self) -> NDArray[np.int64]:
        """The `Click` of each click; 0 for those before counting began."""
        kinds = self.played.clicks
        kinds[: self.played.counted] = 0
        return kinds

    @cached_property
    def click_takes_back_right_click(self) -> NDArray[np.bool_]:
        """Whether each click is a double click that takes back the right click it began with."""
        back = (self.played.codes & TAKES_BACK) > 0
        back[: self.played.counted] = False
        return back

    @cached_property
    def is_first_flag_on_mine(self) -> NDArray[np.bool_]:
        """Whether each click flagged a mine for the first time.

        Before the first cell opens, every mine counts again once no flag stands. As in ms_toollib,
        what was counted by then stays counted, unlike all other clicks of that time.
        """
        played = self.played
        found = np.zeros(played.events.size, np.bool_)
        flagged = np.flatnonzero(played.clicks == Click.FLAGGED)
        if flagged.size:
            begun_anew = np.cumsum((played.flags == 0) & (played.ends == 0))[flagged].tolist()
            first: dict[tuple[int, int], int] = {}
            flags = zip(begun_anew, played.cells[flagged].tolist(), flagged.tolist(), strict=True)
            for time, cell, click in flags:
                first.setdefault((time, cell), click)
            clicks = list(first.values())
            found[clicks] = self.regions.mines.reshape(-1)[played.cells[clicks]]
        return found

    @cached_property
    def chord_of_each_used_flag(self) -> NDArray[np.int64]:
        """The index of the first chord that used each flag, for flags that one used; in order."""
        near = neighbour_table(*self.recording.mine_map.shape)
        unused: set[int] = set()
        used: list[int] = []
        wanted = np.flatnonzero(_USES[self.counted_kinds])
        kinds, cells = self.counted_kinds[wanted].tolist(), self.played.cells[wanted].tolist()
        for click, kind, cell in zip(wanted.tolist(), kinds, cells, strict=True):
            if kind == _FLAGGED:
                unused.add(cell)
            elif kind in _TAKEN_OFF:
                unused.discard(cell)
            elif unused:
                now = unused.intersection(near[cell])
                unused -= now
                used += [click] * len(now)
        return np.array(used, np.int64)

    @cached_property
    def is_on_safe_cell(self) -> NDArray[np.bool_]:
        """Whether the cell of each click is on the board and has no mine."""
        cells = self.played.cells
        return (cells >= 0) & ~self.regions.mines.reshape(-1)[cells]

    @cached_property
    def is_half_click(self) -> NDArray[np.bool_]:
        """Whether each click is the first chord that began with a right press that set a flag."""
        chords = np.flatnonzero(self.counted_kinds == Click.CHORDED)
        chords, presses = self._with_last_press(chords, _ONLY_FLAGGED)
        _, first = np.unique(presses, return_index=True)
        found = np.zeros(self.counted_kinds.size, np.bool_)
        found[chords[first]] = True
        return found

    @cached_property
    def is_half_click_rawvf(self) -> NDArray[np.bool_]:
        """Whether each click is a chord by a left release after a right press changed a mark."""
        doubles = _DOUBLES[self.counted_kinds]
        doubles &= self._signals[self.played.events] == Signal.LR
        found = np.zeros(self.counted_kinds.size, np.bool_)
        found[self._with_last_press(np.flatnonzero(doubles), _MARKED)[0]] = True
        return found

    @cached_property
    def _presses(self) -> NDArray[np.int64]:
        """The indices of the events that press the right button, or a button that stands for it."""
        return np.flatnonzero(self._signals == Signal.RC)

    @cached_property
    def _signals(self) -> NDArray[np.uint8]:
        """The signals with modifiers resolved."""
        return with_modifiers_resolved(self.recording.signal)

    def _with_last_press(
        self, clicks: NDArray[np.int64], kinds: NDArray[np.bool_]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the clicks whose last right press was of these kinds, and the presses' events."""
        presses = self._presses
        before = np.searchsorted(presses, self.played.events[clicks]) - 1
        clicks, press = clicks[before >= 0], presses[before[before >= 0]]
        marked = np.zeros(self.recording.t.size, np.bool_)
        marked[self.played.events[kinds[self.counted_kinds]]] = True
        fitting = marked[press]
        return clicks[fitting], press[fitting]

    @cached_property
    def _solved(self) -> tuple[NDArray[np.int64], ...]:
        """How many cells were open when each opening, island and lone number was solved, sorted."""
        regions, opened = self.regions, self.played.opened
        parts = regions.parts[opened]
        where = np.flatnonzero(parts >= 0)
        last = np.zeros(regions.part_sizes.size, np.int64)
        last[parts[where]] = where + 1
        done = np.bincount(parts[where], minlength=last.size) == regions.part_sizes
        openings = np.sort(last[done & regions.is_opening])
        islands = np.sort(last[done & ~regions.is_opening])
        lone = np.flatnonzero(regions.lone.reshape(-1)[opened]) + 1
        return openings, islands, lone

    def solved(self, open_cells: int) -> SolvedParts:
        """Return what is solved when this many cells are open."""
        return SolvedParts(
            *(int(np.searchsorted(part, open_cells, "right")) for part in self._solved)
        )

    @cached_property
    def pointer_path(self) -> PointerPath:
        """The pointer's path on the board from the first opened cell on."""
        recording, start = self.recording, max(0, self.played.start)
        height, width = (cells * recording.cell for cells in recording.mine_map.shape)
        # As unsigned numbers, points left of the board or above it are beyond its end.
        x, y = recording.x[start:], recording.y[start:]
        inside = x.astype(np.uint32) < width
        inside &= y.astype(np.uint32) < height
        events = np.flatnonzero(inside)
        if events.size < inside.size:
            x, y = x[events], y[events]
        events += start
        return PointerPath(events, x, y, recording.cell)

    @cached_property
    def click_path_px(self) -> NDArray[np.float64]:
        """The length up to each click of the straight lines between the points of all clicks."""
        played, recording = self.played, self.recording
        on_board = played.cells >= 0
        x = np.where(on_board, recording.x[played.events], 0).astype(np.float64)
        y = np.where(on_board, recording.y[played.events], 0).astype(np.float64)
        wanted = on_board & (played.events >= max(0, played.start))
        return _lengths_along(x, y, wanted) * (FIELD_CELL / recording.cell)

    @cached_property
    def effective_path_px(self) -> NDArray[np.float64]:
        """The length up to each click of the lines between the cells of effective clicks."""
        played = self.played
        row, col = np.divmod(played.cells, self.recording.mine_map.shape[1])
        wanted = _OPENING[self.counted_kinds] | self.is_first_flag_on_mine
        wanted &= played.events >= max(0, played.start)
        return _lengths_along(col * float(FIELD_CELL), row * float(FIELD_CELL), wanted)


def _lengths_along(
    x: NDArray[np.float64], y: NDArray[np.float64], wanted: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Return the length of the path through the wanted points up to each of all points."""
    at = np.flatnonzero(wanted)
    steps = np.zeros(wanted.size)
    dx, dy = np.diff(x[at]), np.diff(y[at])
    steps[at[1:]] = np.sqrt(dx * dx + dy * dy)  # whose last bit is that of compiled code
    return steps.cumsum()
