"""A course, counted: every figure of a game at any moment, looked up and not played again."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from demine.logic.metadata import FIELD_CELL
from demine.statistics.layout_regions import LayoutRegions
from demine.statistics.play_recording import (
    has_no_modifiers,
    neighbour_table,
    play_recording,
    signals_without_modifiers,
)
from demine.statistics.played_recording import (
    MARKED,
    TAKES_BACK,
    Click,
    PlayedRecording,
    is_kind_table,
)
from demine.statistics.recording_type import Signal

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demine.statistics.recording_type import Recording

_FLAGGED: Final = int(Click.FLAGGED)
_TAKEN_OFF: Final = frozenset({int(Click.UNFLAGGED), int(Click.DOUBTED)})


_OPENING: Final = is_kind_table(Click.OPENED, Click.LEFT_CHORDED, Click.CHORDED)
_USES: Final = _OPENING | is_kind_table(Click.FLAGGED, Click.UNFLAGGED, Click.DOUBTED)
_USES[Click.OPENED] = False
_DOUBLES: Final = is_kind_table(Click.CHORDED, Click.DOUBLE_IDLE)
_MARKED: Final = is_kind_table(*MARKED)
_ONLY_FLAGGED: Final = is_kind_table(Click.FLAGGED)


class SolvedParts(NamedTuple):
    """How much of a board is solved."""

    openings: int
    islands: int
    lone_numbers: int
    """Open numbers that border on no opening."""


class CumulativeCounts:
    """Cumulative counts over a course, one place for each click; made when they are asked for."""

    def __init__(
        self,
        recording: Recording,
        course: PlayedRecording | None = None,
        ground: LayoutRegions | None = None,
    ) -> None:
        """`course` and `ground`, where they are known already, are not made again."""
        self.recording = recording
        self.course: PlayedRecording = play_recording(recording) if course is None else course
        self.ground = LayoutRegions.of(recording.mine_map) if ground is None else ground

    @cached_property
    def kinds(self) -> NDArray[np.int64]:
        """The clicks that count, by `Click`; 0 for those before counting began."""
        kinds = self.course.clicks
        kinds[: self.course.counted] = 0
        return kinds

    @cached_property
    def click_takes_back_right_click(self) -> NDArray[np.bool_]:
        """Where a double click took the right click that began it back."""
        back = (self.course.codes & TAKES_BACK) > 0
        back[: self.course.counted] = False
        return back

    @cached_property
    def is_first_flag_on_mine(self) -> NDArray[np.bool_]:
        """Where a mine was flagged for the first time.

        Before the first cell opens, every mine counts anew once no flag stands. As in ms_toollib,
        what was counted by then stays counted, though no other click of that time does.
        """
        course = self.course
        flagged = np.flatnonzero(course.clicks == Click.FLAGGED)
        begun_anew = np.cumsum((course.flags == 0) & (course.ends == 0))
        times = np.stack((begun_anew[flagged], course.cells[flagged]))
        _, first = np.unique(times, axis=1, return_index=True)
        found = np.zeros(course.events.size, np.bool_)
        right = flagged[first]
        found[right] = self.ground.mines.reshape(-1)[course.cells[right]]
        return found

    @cached_property
    def chords_using_a_flag(self) -> NDArray[np.int64]:
        """The clicks at which a flag was first used by a chord, one for each flag that was."""
        near = neighbour_table(*self.recording.mine_map.shape)
        unused: set[int] = set()
        used: list[int] = []
        wanted = np.flatnonzero(_USES[self.kinds])
        kinds, cells = self.kinds[wanted].tolist(), self.course.cells[wanted].tolist()
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
        cells = self.course.cells
        return (cells >= 0) & ~self.ground.mines.reshape(-1)[cells]

    @cached_property
    def half_clicks(self) -> NDArray[np.bool_]:
        """Where a chord was the first to use the right press that had set a flag."""
        chords = np.flatnonzero(self.kinds == Click.CHORDED)
        chords, presses = self._with_last_press(chords, _ONLY_FLAGGED)
        _, first = np.unique(presses, return_index=True)
        found = np.zeros(self.kinds.size, np.bool_)
        found[chords[first]] = True
        return found

    @cached_property
    def half_clicks_rawvf(self) -> NDArray[np.bool_]:
        """Where the left button went up to chord after the right one had changed a mark."""
        doubles = _DOUBLES[self.kinds]
        doubles &= self._signals[self.course.events] == Signal.LR
        found = np.zeros(self.kinds.size, np.bool_)
        found[self._with_last_press(np.flatnonzero(doubles), _MARKED)[0]] = True
        return found

    @cached_property
    def _presses(self) -> NDArray[np.int64]:
        """The events in which the right button came down, or what stands for it."""
        return np.flatnonzero(self._signals == Signal.RC)

    @cached_property
    def _signals(self) -> NDArray[np.uint8]:
        """The signals, each button as what it stands for."""
        signals = self.recording.signal
        return (
            signals
            if has_no_modifiers(signals)
            else np.array(signals_without_modifiers(signals.tolist()), np.uint8)
        )

    def _with_last_press(
        self, clicks: NDArray[np.int64], kinds: NDArray[np.bool_]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return those clicks whose last right press was of some kind, and the presses' events."""
        presses = self._presses
        before = np.searchsorted(presses, self.course.events[clicks]) - 1
        clicks, press = clicks[before >= 0], presses[before[before >= 0]]
        marked = np.zeros(self.recording.t.size, np.bool_)
        marked[self.course.events[kinds[self.kinds]]] = True
        fitting = marked[press]
        return clicks[fitting], press[fitting]

    @cached_property
    def _solved(self) -> tuple[NDArray[np.int64], ...]:
        """After how many opened cells each opening and each island was solved, and lone numbers."""
        ground, opened = self.ground, self.course.opened
        parts = ground.parts[opened]
        where = np.flatnonzero(parts >= 0)
        last = np.zeros(ground.part_sizes.size, np.int64)
        last[parts[where]] = where + 1
        done = np.bincount(parts[where], minlength=last.size) == ground.part_sizes
        openings = np.sort(last[done & ground.is_opening])
        islands = np.sort(last[done & ~ground.is_opening])
        lone = np.flatnonzero(ground.lone.reshape(-1)[opened]) + 1
        return openings, islands, lone

    def solved(self, open_cells: int) -> SolvedParts:
        """Return what is solved when so many cells are open."""
        return SolvedParts(
            *(int(np.searchsorted(part, open_cells, "right")) for part in self._solved)
        )

    @cached_property
    def pointer_path(self) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
        """The events on the board from the first open on, and the way until each, two ways.

        In units of 16 pixels a cell times 1: Euclid's distance, and along the axes.
        """
        recording, start = self.recording, max(0, self.course.start)
        height, width = recording.mine_map.shape
        cell = recording.cell
        # Points left of the board and above it are beyond it as unsigned numbers.
        x, y = recording.x[start:], recording.y[start:]
        inside = x.astype(np.uint32) < width * cell
        inside &= y.astype(np.uint32) < height * cell
        events = np.flatnonzero(inside)
        if events.size < inside.size:
            x, y = x[events], y[events]
        events += start
        straight, along = np.zeros(events.size), np.zeros(events.size)
        if events.size:
            dx, dy = (points[1:] - points[:-1] for points in (x, y))
            np.cumsum(np.abs(dx) + np.abs(dy), out=along[1:])
            dx, dy = dx.astype(np.float64), dy.astype(np.float64)
            np.cumsum(np.sqrt(dx * dx + dy * dy), out=straight[1:])
        scale = FIELD_CELL / cell
        return events, straight * scale, along * scale

    @cached_property
    def click_path(self) -> NDArray[np.float64]:
        """The way along straight lines between the points of the clicks, until each of them."""
        course, recording = self.course, self.recording
        on_board = course.cells >= 0
        x = np.where(on_board, recording.x[course.events], 0).astype(np.float64)
        y = np.where(on_board, recording.y[course.events], 0).astype(np.float64)
        wanted = on_board & (course.events >= max(0, course.start))
        return _lengths_along(x, y, wanted) * (FIELD_CELL / recording.cell)

    @cached_property
    def effective_path(self) -> NDArray[np.float64]:
        """The way between the centres of the cells clicked effectively, until each click."""
        course = self.course
        row, col = np.divmod(course.cells, self.recording.mine_map.shape[1])
        wanted = _OPENING[self.kinds] | self.is_first_flag_on_mine
        wanted &= course.events >= max(0, course.start)
        return _lengths_along(col * float(FIELD_CELL), row * float(FIELD_CELL), wanted)


def _lengths_along(
    x: NDArray[np.float64], y: NDArray[np.float64], wanted: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Return the way along the wanted points until each of all points."""
    at = np.flatnonzero(wanted)
    steps = np.zeros(wanted.size)
    steps[at[1:]] = np.hypot(np.diff(x[at]), np.diff(y[at]))
    return steps.cumsum()
