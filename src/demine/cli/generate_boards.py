"""Generates the boards of `make`, each from a seed of its own."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from demine.logic.errors import DemineError
from demine.logic.layout import checked_cell, checked_seed, deal
from demine.solver.deal.guess_free import find_guess_free_layout
from demine.solver.proof.difficulty_levels import Pattern
from demine.solver.proof.rating import rate
from demine.statistics.board_3bv import three_bv
from demine.statistics.sampling import boards_with_three_bv

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy as np
    from numpy.typing import NDArray

    from demine.cli.param_types import NumberRange
    from demine.logic.rules import Rules
    from demine.solver.proof.rating import Rating

MAX_REJECTED_BOARDS: Final = 2000
"""After rejecting this many boards in a row, the search is given up."""
MAX_DEALT_CELLS: Final = 5_000_000_000
"""After dealing boards of this many cells in all without a match, the search is given up."""


class NoSuchBoard(DemineError):
    """No board of the requested kind was found within the bounds of the search."""


@dataclass(frozen=True, slots=True)
class BoardRequest:
    """Which boards to generate: `count` of them, with seeds from `seed` on.

    `first` is the cell that is opened first, (row, col).
    """

    rules: Rules
    count: int
    seed: int
    first: tuple[int, int] | None
    rated: bool = False
    easiest: Pattern = Pattern.SATISFIED
    hardest: Pattern = Pattern.CASES
    three_bv: NumberRange | None = None
    limit: int | None = None
    """The number of steps after which the search for a guess-free board ends; None for no limit."""

    def validated(self) -> BoardRequest:
        """Return the request with a first cell if one is needed; raise `DemineError` if invalid.

        A guess-free board needs a first cell, by default the middle of the board.
        """
        rules, first = self.rules, self.first
        checked_seed(self.seed + self.count - 1)
        if first is not None:
            checked_cell(rules, first)
        elif rules.guess_free:
            first = rules.height // 2, rules.width // 2
        return replace(self, first=first)

    @property
    def has_filter(self) -> bool:
        """Whether `accepts` rejects some guess-free boards, by rating or 3BV."""
        rated = (self.easiest, self.hardest) != (Pattern.SATISFIED, Pattern.CASES)
        return rated or self.three_bv is not None

    def accepts(self, board: GeneratedBoard) -> bool:
        """Return whether a guess-free board has the requested rating and 3BV."""
        span, rating = self.three_bv, board.rating
        if span is not None and not span.low <= board.three_bv <= span.high:
            return False
        return rating is None or self.easiest.level <= rating.hardest.level <= self.hardest.level


@dataclass(frozen=True, slots=True)
class GeneratedBoard:
    """A board, its seed, how it was made, and its rating if the request wants one."""

    seed: int
    mine_map: NDArray[np.bool_]
    method: str
    rating: Rating | None = None

    @property
    def three_bv(self) -> int:
        """The board's 3BV."""
        return three_bv(self.mine_map)


def generate_boards(
    request: BoardRequest, should_stop: Callable[[], bool], report_tries: Callable[[int], None]
) -> Iterator[GeneratedBoard]:
    """Yield the boards of a validated request, each from the seed after the one before.

    Boards chosen by 3BV that may need guesses are the exception: they all come from one seed.
    `report_tries` is called with the number of boards rejected since the last one. Raises
    `NoSuchBoard`, `NoGuessFreeBoard` or `Stopped`.
    """
    if request.three_bv is not None and not request.rules.guess_free:
        yield from _boards_of_3bv(request, request.three_bv, should_stop, report_tries)
        return
    seed, done, rejected = request.seed, 0, 0
    while done < request.count and not should_stop():
        made = _lay_board(request, seed, should_stop, report_tries)
        seed += 1
        if request.accepts(made):
            done, rejected = done + 1, 0
            yield made
            continue
        rejected += 1
        report_tries(rejected)
        if rejected == MAX_REJECTED_BOARDS:
            raise _no_such_board(request, seed - MAX_REJECTED_BOARDS)


def _no_such_board(request: BoardRequest, seed: int) -> NoSuchBoard:
    if request.three_bv is None:
        return NoSuchBoard(
            "none of the {tries} boards from seed {seed} onwards is rated from {easiest} to "
            "{hardest}",
            tries=MAX_REJECTED_BOARDS,
            seed=seed,
            easiest=request.easiest.value,
            hardest=request.hardest.value,
        )
    return NoSuchBoard(
        "none of the {tries} guess-free boards from seed {seed} onwards matches, with a 3BV from "
        "{low} to {high}",
        tries=MAX_REJECTED_BOARDS,
        seed=seed,
        low=request.three_bv.low,
        high=request.three_bv.high,
    )


def _boards_of_3bv(
    request: BoardRequest,
    span: NumberRange,
    should_stop: Callable[[], bool],
    report_tries: Callable[[int], None],
) -> Iterator[GeneratedBoard]:
    """Yield boards with a 3BV within `span` out of millions dealt from one seed."""
    rules = request.rules
    if span.low > rules.cells - rules.mines:
        raise NoSuchBoard(
            "no board of {rules} has a 3BV of {low} or more: it has {safe} safe cells",
            rules=rules,
            low=span.low,
            safe=rules.cells - rules.mines,
        )
    most = max(MAX_REJECTED_BOARDS, MAX_DEALT_CELLS // rules.cells)
    dealt, dealt_before = 0, 0

    def on_dealt(count: int) -> bool:
        nonlocal dealt
        dealt = count
        report_tries(count - dealt_before)
        return should_stop() or count - dealt_before >= most

    found = boards_with_three_bv(
        rules, request.seed, *span, request.first, max_tries=sys.maxsize, should_stop=on_dealt
    )
    for done, (mine_map, _) in enumerate(found, 1):
        yield GeneratedBoard(request.seed, mine_map, "searched")
        dealt_before = dealt
        if done == request.count or should_stop():
            return
    if not should_stop():
        raise NoSuchBoard(
            "none of {tries} boards has a 3BV from {low} to {high}",
            tries=f"{dealt - dealt_before:,}",
            low=span.low,
            high=span.high,
        )


def _lay_board(
    request: BoardRequest,
    seed: int,
    should_stop: Callable[[], bool],
    report_tries: Callable[[int], None],
) -> GeneratedBoard:
    if not request.rules.guess_free:
        return GeneratedBoard(seed, deal(request.rules, seed, request.first), "dealt")
    laid = find_guess_free_layout(
        request.rules,
        seed,
        request.first,
        limit=request.limit,
        stop=should_stop,
        progress=lambda tries, _steps: report_tries(tries),
    )
    if not request.rated or request.first is None:
        return GeneratedBoard(seed, laid.mine_map, laid.method)
    return GeneratedBoard(seed, laid.mine_map, laid.method, rate(laid.mine_map, request.first))
