"""Boards that never need a guess: drawn until one is proven, and repaired where that is hopeless.

A layout is guess-free from a first cell if exact logic, which counts the mines too, opens every
safe cell without one guess. Both goals ask for the same: once all safe cells are open, all that is
covered is known to be a mine.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

from demine.logic.errors import LayoutError, RulesError
from demine.logic.layout import checked_cell, checked_seed
from demine.logic.neighbours import neighbours
from demine.logic.rules import First, Rules
from demine.solver.census import census
from demine.solver.draws import Draws
from demine.solver.errors import NoGuessFreeBoard, Stopped
from demine.solver.prover import Prover
from demine.solver.repair import repairs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy as np
    from numpy.typing import NDArray

MOST_CELLS: Final = 1 << 16
"""Larger boards are not laid guess-free: each look at one takes too long."""
FEW_LAYOUTS: Final = 5000
"""Where there are no more than so many, all are tried before a search in vain goes on."""
LOST: Final = 50
"""A board of which no layout opened one in so many cells is not repaired either."""
SCENE: Final = 100
"""What it costs, besides the board's cells, to look at one scene board of a census."""
BATCH: Final = 64
_BATCH_CELLS: Final = 1 << 16


Method: TypeAlias = Literal["rejection", "repair", "census"]


@dataclass(frozen=True, slots=True)
class Laid:
    """A guess-free layout, how it was found, and how many layouts were played to find it."""

    mine_map: NDArray[np.bool_]
    method: Method
    """`rejection`, `census`: all guess-free layouts were equally likely; `repair`: not so."""
    tries: int


def usual_effort(rules: Rules) -> int:
    """Return how much is done before a search gives up: about six seconds of plain Python."""
    return 500_000 + 100 * rules.cells


def lay(
    rules: Rules,
    seed: int,
    first: tuple[int, int] | None,
    *,
    effort: int | None = None,
    stop: Callable[[], bool] | None = None,
) -> Laid:
    """Return a layout that exact logic solves from `first`, `(row, col)`, without one guess.

    Layouts are drawn as `demine.logic.layout.deal` draws them, and the first that is guess-free is
    the answer: all guess-free layouts of these rules and that first cell are equally likely. The
    very first one drawn is the board that `deal` lays for this seed. Where hardly any layout is
    guess-free, one is repaired instead, and the answer says so. If that is in vain too, all
    guess-free layouts are looked for, and if few enough boards are seen on the way, one of them is
    drawn, or it is certain that there is none.

    The same arguments give the same board, compiled or not. `effort` bounds the work, in cells made
    known and states tried; half of it is for drawing, and the census comes on top. `stop` is asked
    now and then whether to leave off. Raises `NoGuessFreeBoard` if the effort was in vain,
    `Stopped` if `stop` said so, `LayoutError` for a first cell that is missing or outside the
    board, and `RulesError` for `first=any`. What `deduce` cannot prove within its budget of states
    counts as a guess.
    """
    cell = _checked(rules, first)
    draws = Draws(rules, checked_seed(seed), cell)
    prover = Prover(rules, cell)
    effort = usual_effort(rules) if effort is None else effort
    tries, asked = 0, draws.layouts_there_are > FEW_LAYOUTS
    if _shut_in(rules, cell):
        raise _none(rules, cell, tries)
    for found in chain(
        _rejection(prover, draws, effort // 2),
        _repair(prover, draws, effort),
        _census(draws, cell, effort // (SCENE + rules.cells)),
    ):
        tries += found.tries
        if found.mine_map is not None:
            return Laid(found.mine_map, found.method, tries)
        if stop is not None and stop():
            raise Stopped("the search for a guess-free board was stopped")
        if not asked and tries >= draws.layouts_there_are:
            asked = True
            if not prover.seek(draws.every_layout(), effort + FEW_LAYOUTS * rules.cells).solved:
                break
    raise _none(rules, cell, tries)


def _none(rules: Rules, cell: tuple[int, int], tries: int) -> NoGuessFreeBoard:
    return NoGuessFreeBoard(
        "no guess-free board of {rules} was found from row {row}, column {col}, in {tries} tries",
        rules=rules,
        row=cell[0],
        col=cell[1],
        tries=tries,
    )


def _shut_in(rules: Rules, cell: tuple[int, int]) -> bool:
    """Whether the first cell must show a number, and whatever it is, nothing follows from it.

    Of its neighbours not all are mines, or mines are left for the rest of the board, and there too
    a mine and a safe cell can change places.
    """
    near = sum(1 for _ in neighbours(*cell, *rules.shape))
    return max(near, rules.cells - 1 - near) < rules.mines < rules.cells - 1


def _checked(rules: Rules, first: tuple[int, int] | None) -> tuple[int, int]:
    """Return the first cell, else raise an error that says why there can be no such board."""
    if rules.first is First.ANY:
        raise RulesError("a guess-free board needs a safe first cell: first=any is a guess")
    if first is None:
        raise LayoutError("a guess-free board needs to know its first cell")
    check_size(rules)
    return checked_cell(rules, first)


def check_size(rules: Rules) -> None:
    """Raise `NoGuessFreeBoard` for boards that are too large to be laid guess-free."""
    if rules.cells > MOST_CELLS:
        raise NoGuessFreeBoard(
            "a guess-free board has {most} cells at most, not {cells}",
            most=MOST_CELLS,
            cells=rules.cells,
        )


class _Found(NamedTuple):
    """What came of some tries."""

    mine_map: NDArray[np.bool_] | None
    tries: int
    method: Method = "rejection"


def _rejection(prover: Prover, draws: Draws, effort: int) -> Iterator[_Found]:
    """Draw layouts, in growing batches, until one is guess-free or the effort is spent."""
    most = max(1, min(BATCH, _BATCH_CELLS // draws.rules.cells))
    size = min(2, most)
    while prover.spent < effort and not _hopeless(prover, effort):
        layouts = draws.layouts(size)
        found = prover.seek(layouts, effort)
        yield _Found(layouts[found.at].copy() if found.solved else None, found.at + found.solved)
        size = min(2 * size, most)


def _hopeless(prover: Prover, effort: int) -> bool:
    """Whether half of the effort is spent and no layout came near its end."""
    return 2 * prover.spent > effort and 4 * prover.best < 3 * prover.rules.cells


def _repair(prover: Prover, draws: Draws, effort: int) -> Iterator[_Found]:
    """Repair layouts until one is guess-free or the effort is spent."""
    if prover.best * LOST < prover.rules.cells:
        return
    for mine_map in repairs(prover, draws, effort):
        yield _Found(mine_map, 1, "repair")


def _census(draws: Draws, cell: tuple[int, int], scenes: int) -> Iterator[_Found]:
    """Draw from a list of all guess-free layouts, if so many scene boards are enough to make it."""
    for every in census(draws.rules, cell, scenes):
        yield _Found(draws.one_of(every) if every else None, 0, "census")
