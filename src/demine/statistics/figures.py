"""The figures of a layout and of a game at one moment, from which all statistics are made."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING, Final

import numpy as np

from demine.statistics import zini, zini_variants
from demine.statistics.played_recording import CLICKS, MARKED, Click, click_kind_mask

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from demine.statistics.cumulative_counts import CumulativeCounts, PointerPath, SolvedParts
    from demine.statistics.layout_regions import LayoutRegions

_LEFT: Final = (
    Click.OPENED, Click.BLEW, Click.LEFT_CHORDED, Click.LEFT_IDLE, Click.LEFT_OUTSIDE,
)  # fmt: skip
_RIGHT: Final = (*MARKED, Click.RIGHT_IDLE, Click.RIGHT_OUTSIDE)
_LEVELS: Final = {(8, 8, 10): 1, (16, 16, 40): 2, (16, 30, 99): 3}
"""The levels of competitions by height, width and mines."""


class LayoutFigures:
    """The figures of a layout alone, each computed when it is first asked for."""

    def __init__(self, regions: LayoutRegions) -> None:
        self.regions = regions

    @cached_property
    def zini(self) -> int:
        """G-ZiNi."""
        return zini.zini_of_regions(self.regions)

    @cached_property
    def hzini(self) -> int:
        """H-ZiNi."""
        return zini.zini_of_regions(self.regions, human=True)

    @cached_property
    def rzini(self) -> int:
        """R-ZiNi."""
        return zini.rzini(self.regions.mines)

    @cached_property
    def zini_8way(self) -> int | None:
        """8-way ZiNi."""
        return self._bounded(zini_variants.zini_8way)

    @cached_property
    def zini_chain(self) -> int | None:
        """100-chain ZiNi."""
        return self._bounded(zini_variants.zini_chain)

    @cached_property
    def hzini_wom(self) -> int | None:
        """WoM H-ZiNi."""
        return self._bounded(zini_variants.hzini_wom)

    @cached_property
    def zini_wom(self) -> int | None:
        """WoM ZiNi."""
        return self._bounded(zini_variants.zini_wom)

    @cached_property
    def zini_wom_exact(self) -> int | None:
        """WoM ZiNi with full premiums."""
        return self._bounded(partial(zini_variants.zini_wom, exact=True))

    @property
    def max_efficiency(self) -> float | None:
        """3BV divided by the clicks of the shortest clearing known; None on boards too large."""
        ways = self.zini_8way, self.zini_chain, self.zini_wom, self.zini_wom_exact
        found = [clicks for clicks in ways if clicks is not None]
        return quotient(self.bv, min(found)) if found else None

    def _bounded(self, count: Callable[[NDArray[np.bool_]], int]) -> int | None:
        """Return the count, or None for boards that are too large for it."""
        mines = self.regions.mines
        return count(mines) if mines.size <= zini_variants.MOST_CELLS else None

    @property
    def bv(self) -> int:
        """3BV."""
        return self.regions.three_bv

    @property
    def sum_of_numbers(self) -> int:
        """The numbers of all safe cells added up."""
        return sum(number * count for number, count in enumerate(self.regions.cells_by_number))

    @cached_property
    def level(self) -> int:
        """1, 2, 3 for the beginner, intermediate, expert boards of competitions, 0 for others."""
        mines = self.regions.mines
        return _LEVELS.get((*mines.shape, mines.size - self.regions.safe), 0)


class MomentFigures:
    """The figures of a game `ms` milliseconds after its first opened cell; None is its end."""

    ms: int
    click_count: int
    event: int
    """The index of the last event."""

    def __init__(
        self, cumulative: CumulativeCounts, layout: LayoutFigures, ms: int | None = None
    ) -> None:
        self.cumulative = cumulative
        self.layout = layout
        played, recording = cumulative.played, cumulative.recording
        if ms is None or played.start < 0 or ms >= played.time_ms:
            # Events after the end are not part of the game.
            self.ms, self.click_count = played.time_ms, played.events.size
            self.event = played.end if played.end >= 0 else recording.t.size - 1
        else:
            self.ms = max(0, ms)
            last = np.searchsorted(recording.t, played.start_ms + ms, "right")
            self.event = int(last) - 1
            self.click_count = int(np.searchsorted(played.events, self.event, "right"))

    @property
    def time_s(self) -> float:
        """Seconds since the first opened cell."""
        return self.ms / 1000

    @cached_property
    def counts(self) -> list[int]:
        """How many clicks of each kind there were so far, indexed by `Click`."""
        counts: list[int] = np.bincount(
            self.cumulative.counted_kinds[: self.click_count], minlength=CLICKS
        ).tolist()
        return counts

    def count_kinds(self, kinds: Sequence[Click]) -> int:
        """Return how many clicks of these kinds there were so far."""
        counts = self.counts
        return sum([counts[kind] for kind in kinds])

    def count_where(self, mask: NDArray[np.bool_]) -> int:
        """Return for how many of the clicks so far a mask of all clicks is True."""
        return int(np.count_nonzero(mask[: self.click_count]))

    @cached_property
    def left_clicks(self) -> int:
        """Left clicks, those outside the board included."""
        return self.count_kinds(_LEFT)

    @cached_property
    def right_clicks(self) -> int:
        """Right clicks, without those that only began a chord."""
        return self.count_kinds(_RIGHT) - self.right_clicks_taken_back

    @cached_property
    def right_clicks_taken_back(self) -> int:
        """Right clicks that a double click took back, since they only began it."""
        return self.count_where(self.cumulative.click_takes_back_right_click)

    @cached_property
    def double_clicks(self) -> int:
        """Double clicks (chords) on the board, with or without effect."""
        return self.counts[Click.CHORDED] + self.counts[Click.DOUBLE_IDLE]

    @property
    def effective_left_clicks(self) -> int:
        """Left clicks that opened a cell."""
        return self.counts[Click.OPENED] + self.counts[Click.LEFT_CHORDED]

    @property
    def effective_double_clicks(self) -> int:
        """Double clicks that opened a cell."""
        return self.counts[Click.CHORDED]

    @cached_property
    def changing_right_clicks(self) -> int:
        """Right clicks that changed the board."""
        return self.count_kinds(MARKED)

    @cached_property
    def first_flags_on_mines(self) -> int:
        """Right clicks that flagged a mine for the first time."""
        return self.count_where(self.cumulative.is_first_flag_on_mine)

    @property
    def open_cells(self) -> int:
        """How many safe cells are open."""
        return int(self.cumulative.played.ends[self.click_count - 1]) if self.click_count else 0

    @cached_property
    def solved(self) -> SolvedParts:
        """How many openings, islands and lone numbers are solved."""
        return self.cumulative.solved(self.open_cells)

    @property
    def bv_solved(self) -> int:
        """How many clicks of the 3BV are done."""
        return self.solved.openings + self.solved.lone_numbers

    @property
    def completion_share(self) -> float | None:
        """The share of the 3BV that is done, 0.0 to 1.0; None for a 3BV of 0."""
        return quotient(self.bv_solved, self.layout.bv)

    @property
    def standing_flags(self) -> int:
        """How many flags stand."""
        return int(self.cumulative.played.flags[self.click_count - 1]) if self.click_count else 0

    @property
    def flags_set(self) -> int:
        """How many flags were set so far."""
        return self.counts[Click.FLAGGED]

    @property
    def flags_wasted(self) -> int:
        """How many of the flags set were never used by a chord that opened a cell."""
        return self.flags_set - self.flags_used

    @cached_property
    def flags_used(self) -> int:
        """How many of the flags set were used by a chord that opened a cell."""
        used = self.cumulative.chord_of_each_used_flag
        return int(np.searchsorted(used, self.click_count, "left"))

    @property
    def flags_removed(self) -> int:
        """How many flags the player removed so far."""
        return self.counts[Click.UNFLAGGED] + self.counts[Click.DOUBTED]

    @cached_property
    def flags_set_on_safe_cells(self) -> int:
        """How many flags were set on cells without a mine so far."""
        return self._count_on_safe_cells(Click.FLAGGED)

    @cached_property
    def flags_removed_from_safe_cells(self) -> int:
        """How many flags the player removed from cells without a mine so far."""
        return self._count_on_safe_cells(Click.UNFLAGGED, Click.DOUBTED)

    def _count_on_safe_cells(self, *kinds: Click) -> int:
        is_counted = click_kind_mask(*kinds)[self.cumulative.counted_kinds]
        return self.count_where(is_counted & self.cumulative.is_on_safe_cell)

    @cached_property
    def half_clicks(self) -> int:
        """Chords so far that began with the right press that set a flag, each press once."""
        return self.count_where(self.cumulative.is_half_click)

    @cached_property
    def half_clicks_rawvf(self) -> int:
        """Chords by a left release so far after a right press that changed a mark."""
        return self.count_where(self.cumulative.is_half_click_rawvf)

    @cached_property
    def straight_path_px(self) -> float:
        """How far the pointer went so far, in pixels at 16 pixels a cell."""
        return self._pointer_path_px(lambda path: path.straight_px)

    @cached_property
    def path_along_axes_px(self) -> float:
        """The same along rows and columns."""
        return self._pointer_path_px(lambda path: path.along_axes_px)

    def _pointer_path_px(self, lengths: Callable[[PointerPath], NDArray[np.float64]]) -> float:
        """Return one of the path's lengths up to the last event."""
        if self.cumulative.played.start < 0:
            return 0.0
        path = self.cumulative.pointer_path
        last = int(np.searchsorted(path.events, self.event, "right")) - 1
        return 0.0 if last < 0 else float(lengths(path)[last])

    @cached_property
    def click_path_px(self) -> float:
        """The straight lines between the points of the clicks so far, at 16 pixels a cell."""
        return self._path_px_so_far(self.cumulative.click_path_px)

    @cached_property
    def effective_path_px(self) -> float:
        """The straight lines between the cells of the effective clicks so far."""
        return self._path_px_so_far(self.cumulative.effective_path_px)

    def _path_px_so_far(self, lengths: NDArray[np.float64]) -> float:
        """Return the length up to the last click, given the lengths up to each click."""
        begun = self.cumulative.played.start >= 0 and self.click_count
        return float(lengths[self.click_count - 1]) if begun else 0.0


def quotient(dividend: float | None, divisor: float | None) -> float | None:
    """Return the quotient; None if either is None or the divisor is 0."""
    if dividend is None or divisor is None or divisor == 0:
        return None
    return dividend / divisor


def product(one: float | None, other: float | None) -> float | None:
    """Return the product; None if either is None."""
    return None if one is None or other is None else one * other
