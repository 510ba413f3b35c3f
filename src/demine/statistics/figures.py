"""One moment of a game, counted: what the table of statistics is made from."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from demine.statistics import zini, zini_variants
from demine.statistics.played_recording import CLICKS, MARKED, Click, is_kind_table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from demine.statistics.cumulative_counts import CumulativeCounts, SolvedParts
    from demine.statistics.layout_regions import LayoutRegions

_LEFT: Final = (
    Click.OPENED, Click.BLEW, Click.LEFT_CHORDED, Click.LEFT_IDLE, Click.LEFT_OUTSIDE,
)  # fmt: skip
_RIGHT: Final = (*MARKED, Click.RIGHT_IDLE, Click.RIGHT_OUTSIDE)
_LEVELS: Final = {(8, 8, 10): 1, (16, 16, 40): 2, (16, 30, 99): 3}
"""The levels of competitions by height, width and mines; the same constants name them."""


class LayoutFigures:
    """A layout's own figures, each worked out when it is first asked for."""

    def __init__(self, ground: LayoutRegions) -> None:
        self.ground = ground

    @cached_property
    def zini(self) -> int:
        """G-ZiNi."""
        return zini.zini_of_regions(self.ground)

    @cached_property
    def hzini(self) -> int:
        """H-ZiNi."""
        return zini.zini_of_regions(self.ground, human=True)

    @cached_property
    def rzini(self) -> int:
        """R-ZiNi."""
        return zini.rzini(self.ground.mines)

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
        """WoM ZiNi with every premium in full."""
        return self._bounded(partial(zini_variants.zini_wom, exact=True))

    @property
    def max_efficiency(self) -> float | None:
        """3BV for each click of the shortest clearing that is known."""
        ways = self.zini_8way, self.zini_chain, self.zini_wom, self.zini_wom_exact
        found = [clicks for clicks in ways if clicks is not None]
        return quotient(self.bv, min(found)) if found else None

    def _bounded(self, count: Callable[[NDArray[np.bool_]], int]) -> int | None:
        """Return what the ground allows to be counted in seconds, else None."""
        mines = self.ground.mines
        return count(mines) if mines.size <= zini_variants.MOST_CELLS else None

    @property
    def bv(self) -> int:
        """3BV."""
        return self.ground.three_bv

    @property
    def sum_of_numbers(self) -> int:
        """The numbers of all safe cells added up."""
        return sum(number * count for number, count in enumerate(self.ground.cells_by_number))

    @property
    def level(self) -> int:
        """1, 2, 3 for beginner, intermediate, expert as competitions have them, 0 for others."""
        mines = self.ground.mines
        return _LEVELS.get((*mines.shape, mines.size - self.ground.safe), 0)


class PathLength(NamedTuple):
    """How far the pointer went, in pixels at 16 a cell."""

    straight: float
    along_axes: float


class MomentFigures:
    """The state of a game some time after its first open. Times in seconds, ways in pixels."""

    def __init__(
        self, account: CumulativeCounts, layout: LayoutFigures, ms: int | None = None
    ) -> None:
        self.account = account
        self.layout = layout
        course, recording = account.course, account.recording
        if ms is None or course.start < 0 or ms >= course.time_ms:
            # What the hand did after the act that ended the game is no part of it.
            self.ms, self.click_count = course.time_ms, course.events.size
            self.event = course.end if course.end >= 0 else recording.t.size - 1
        else:
            self.ms = max(0, ms)
            last = np.searchsorted(recording.t, course.start_ms + ms, "right")
            self.event = int(last) - 1
            self.click_count = int(np.searchsorted(course.events, self.event, "right"))

    @property
    def time(self) -> float:
        """Seconds since the first open."""
        return self.ms / 1000

    @cached_property
    def counts(self) -> list[int]:
        """How many clicks of each kind."""
        counts: list[int] = np.bincount(
            self.account.kinds[: self.click_count], minlength=CLICKS
        ).tolist()
        return counts

    def count_kinds(self, kinds: Sequence[Click]) -> int:
        """How many clicks of some kinds."""
        counts = self.counts
        return sum(counts[kind] for kind in kinds)

    def count_marked(self, marks: NDArray[np.bool_]) -> int:
        """How many clicks are marked."""
        return int(np.count_nonzero(marks[: self.click_count]))

    @cached_property
    def left_clicks(self) -> int:
        """Left clicks."""
        return self.count_kinds(_LEFT)

    @cached_property
    def right_clicks(self) -> int:
        """Right clicks, less those that turned out to begin a chord."""
        return self.count_kinds(_RIGHT) - self.count_marked(
            self.account.click_takes_back_right_click
        )

    @cached_property
    def double_clicks(self) -> int:
        """Double clicks on the board."""
        return self.counts[Click.CHORDED] + self.counts[Click.DOUBLE_IDLE]

    @property
    def all_clicks(self) -> int:
        """All clicks."""
        return self.left_clicks + self.right_clicks + self.double_clicks

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
        return self.count_marked(self.account.is_first_flag_on_mine)

    @cached_property
    def effective_arbiter(self) -> int:
        """Clicks that changed the board."""
        opening = self.effective_left_clicks + self.effective_double_clicks
        return opening + self.changing_right_clicks

    @cached_property
    def effective_strict(self) -> int:
        """Clicks that opened cells or flagged a mine for the first time."""
        opening = self.effective_left_clicks + self.effective_double_clicks
        return opening + self.first_flags_on_mines

    @property
    def open_cells(self) -> int:
        """Open cells."""
        return int(self.account.course.ends[self.click_count - 1]) if self.click_count else 0

    @cached_property
    def solved(self) -> SolvedParts:
        """What of the board is solved."""
        return self.account.solved(self.open_cells)

    @property
    def bv_solved(self) -> int:
        """The part of the 3BV that is done."""
        return self.solved.openings + self.solved.lone_numbers

    @property
    def completion(self) -> float | None:
        """The done share of the 3BV."""
        return quotient(self.bv_solved, self.layout.bv)

    @property
    def standing_flags(self) -> int:
        """Standing flags."""
        return int(self.account.course.flags[self.click_count - 1]) if self.click_count else 0

    @property
    def flags_set(self) -> int:
        """Flags that were set."""
        return self.counts[Click.FLAGGED]

    @property
    def flags_wasted(self) -> int:
        """Flags that no chord used."""
        used = np.searchsorted(self.account.chords_using_a_flag, self.click_count, "left")
        return self.flags_set - int(used)

    @property
    def flags_taken_off(self) -> int:
        """Flags that were taken off."""
        return self.counts[Click.UNFLAGGED] + self.counts[Click.DOUBTED]

    def count_on_safe_cells(self, *kinds: Click) -> int:
        """How many clicks of some kinds were on cells without a mine."""
        account = self.account
        return self.count_marked(is_kind_table(*kinds)[account.kinds] & account.is_on_safe_cell)

    @cached_property
    def path(self) -> PathLength:
        """How far the pointer went."""
        if self.account.course.start < 0:
            return PathLength(0.0, 0.0)
        events, straight, along_axes = self.account.pointer_path
        last = int(np.searchsorted(events, self.event, "right")) - 1
        if last < 0:
            return PathLength(0.0, 0.0)
        return PathLength(float(straight[last]), float(along_axes[last]))

    def length_so_far(self, lengths: NDArray[np.float64]) -> float:
        """How long a path is until the last click, of its length until each."""
        begun = self.account.course.start >= 0 and self.click_count
        return float(lengths[self.click_count - 1]) if begun else 0.0

    def done_share(self, whole: float | None) -> float | None:
        """The done share of a figure of the whole board."""
        share = self.completion
        return None if share is None or whole is None else whole * share


def quotient(one: float | None, other: float | None) -> float | None:
    """Return a quotient; None where there is nothing to divide by."""
    if one is None or other is None or other == 0:
        return None
    return one / other
