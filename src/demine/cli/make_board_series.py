"""The boards that `make` lays, one after the other, each from a seed of its own."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from demine.logic.errors import DemineError
from demine.logic.layout import checked_cell, checked_seed, deal
from demine.solver.deal.guess_free import find_guess_free_layout
from demine.solver.proof.difficulty_levels import Pattern
from demine.solver.proof.rate_and_prove_board import rate
from demine.statistics.board_3bv import three_bv
from demine.statistics.sampling import boards_with_three_bv

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy as np
    from numpy.typing import NDArray

    from demine.cli.cell_and_range_params import NumberRange
    from demine.logic.rules import Rules
    from demine.solver.proof.rate_and_prove_board import Rating

MAX_REJECTED_BOARDS: Final = 2000
"""So many boards are rated one after the other before a search for the wanted ones is given up."""


MAX_DEALT_CELLS: Final = 5_000_000_000
"""Boards of so many cells together are dealt, for each that is found, before that is given up."""


class NoSuchBoard(DemineError):
    """No board of the wanted kind was found within the bounds of the search."""


@dataclass(frozen=True, slots=True)
class BoardRequest:
    """What boards are wanted: `rules`, how many, from which seed on, and for which first cell."""

    rules: Rules
    count: int
    seed: int
    first: tuple[int, int] | None
    rated: bool = False
    easiest: Pattern = Pattern.SATISFIED
    hardest: Pattern = Pattern.CASES
    three_bv: NumberRange | None = None
    limit: int | None = None
    """The steps after which the search for a guess-free board ends; None: it goes on."""

    def validated(self) -> BoardRequest:
        """Return the order with what it leaves open filled in, else raise `DemineError`.

        A guess-free board needs a first cell: without one it is the middle of the board.
        """
        rules, first = self.rules, self.first
        checked_seed(self.seed + self.count - 1)
        if first is not None:
            checked_cell(rules, first)
        elif rules.guess_free:
            first = rules.height // 2, rules.width // 2
        return replace(self, first=first)

    @property
    def is_selective(self) -> bool:
        """Whether not every guess-free board is wanted."""
        rated = (self.easiest, self.hardest) != (Pattern.SATISFIED, Pattern.CASES)
        return rated or self.three_bv is not None

    def accepts(self, made: GeneratedBoard) -> bool:
        """Whether a guess-free board is wanted."""
        span, rating = self.three_bv, made.rating
        if span is not None and not span.low <= made.three_bv <= span.high:
            return False
        return rating is None or self.easiest.level <= rating.hardest.level <= self.hardest.level


@dataclass(frozen=True, slots=True)
class GeneratedBoard:
    """A board, the seed it was laid from, how, and how hard it is if that was asked."""

    seed: int
    mine_map: NDArray[np.bool_]
    method: str
    rating: Rating | None = None

    @property
    def three_bv(self) -> int:
        """The board's 3BV."""
        return three_bv(self.mine_map)


def generate_boards(
    order: BoardRequest, stop: Callable[[], bool], told: Callable[[int], None]
) -> Iterator[GeneratedBoard]:
    """Yield the boards of a checked order; seeds count up, so that each can be laid again.

    Only boards of a wanted 3BV that may need guesses are all searched for from one seed. `stop`
    is asked whether to leave off, and `told` hears how many boards were looked at in vain. Raises
    `NoSuchBoard`, `NoGuessFreeBoard` or `Stopped`.
    """
    if order.three_bv is not None and not order.rules.guess_free:
        yield from _boards_of_3bv(order, order.three_bv, stop, told)
        return
    seed, done, vain = order.seed, 0, 0
    while done < order.count and not stop():
        made = _lay_board(order, seed, stop, told)
        seed += 1
        if order.accepts(made):
            done, vain = done + 1, 0
            yield made
            continue
        vain += 1
        told(vain)
        if vain == MAX_REJECTED_BOARDS:
            raise _no_such_board(order, seed - MAX_REJECTED_BOARDS)


def _no_such_board(order: BoardRequest, seed: int) -> NoSuchBoard:
    if order.three_bv is None:
        return NoSuchBoard(
            "none of the {tries} boards from seed {seed} on is rated from {easiest} to {hardest}",
            tries=MAX_REJECTED_BOARDS,
            seed=seed,
            easiest=order.easiest.value,
            hardest=order.hardest.value,
        )
    return NoSuchBoard(
        "none of the {tries} guess-free boards from seed {seed} on is as wanted, with a 3BV from "
        "{low} to {high}",
        tries=MAX_REJECTED_BOARDS,
        seed=seed,
        low=order.three_bv.low,
        high=order.three_bv.high,
    )


def _boards_of_3bv(
    order: BoardRequest, span: NumberRange, stop: Callable[[], bool], told: Callable[[int], None]
) -> Iterator[GeneratedBoard]:
    """Yield boards of a wanted 3BV out of millions that are dealt from one seed."""
    rules = order.rules
    if span.low > rules.cells - rules.mines:
        raise NoSuchBoard(
            "no board of {rules} has a 3BV of {low} or more: it has {safe} safe cells",
            rules=rules,
            low=span.low,
            safe=rules.cells - rules.mines,
        )
    most = max(MAX_REJECTED_BOARDS, MAX_DEALT_CELLS // rules.cells)
    seen, since = 0, 0

    def hear(tried: int) -> bool:
        nonlocal seen
        seen = tried
        told(tried - since)
        return stop() or tried - since >= most

    found = boards_with_three_bv(
        rules, order.seed, *span, order.first, max_tries=sys.maxsize, should_stop=hear
    )
    for done, (mine_map, _) in enumerate(found, 1):
        yield GeneratedBoard(order.seed, mine_map, "searched")
        since = seen
        if done == order.count or stop():
            return
    if not stop():
        raise NoSuchBoard(
            "none of {tries} boards has a 3BV from {low} to {high}",
            tries=f"{seen - since:,}",
            low=span.low,
            high=span.high,
        )


def _lay_board(
    order: BoardRequest, seed: int, stop: Callable[[], bool], told: Callable[[int], None]
) -> GeneratedBoard:
    if not order.rules.guess_free:
        return GeneratedBoard(seed, deal(order.rules, seed, order.first), "dealt")
    laid = find_guess_free_layout(
        order.rules,
        seed,
        order.first,
        limit=order.limit,
        stop=stop,
        progress=lambda tries, _steps: told(tries),
    )
    if not order.rated or order.first is None:
        return GeneratedBoard(seed, laid.mine_map, laid.method)
    return GeneratedBoard(seed, laid.mine_map, laid.method, rate(laid.mine_map, order.first))
