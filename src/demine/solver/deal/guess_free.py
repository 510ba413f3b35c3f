"""Boards that never need a guess: drawn until one is proven, and repaired where that is hopeless.

A layout is guess-free from a first cell if exact logic, which counts the mines too, opens every
safe cell without one guess. Both goals ask for the same: once all safe cells are open, all that is
covered is known to be a mine.
"""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

from demine.kernels.kernel_set import available, cached, load
from demine.logic.errors import LayoutError, RulesError
from demine.logic.layout import checked_cell, checked_seed
from demine.logic.neighbours import neighbours
from demine.logic.rules import First, Rules
from demine.scene.translation import mark
from demine.solver.deal.effort import LIMIT, usual_effort
from demine.solver.deal.enumerate_guess_free import census
from demine.solver.deal.grow_from_solved import grown
from demine.solver.deal.random_stream import Draws
from demine.solver.deal.repair import repairs
from demine.solver.errors import NoGuessFreeBoard, Stopped
from demine.solver.proof.kernels import PROOF_KERNELS, SOLVER_KERNELS
from demine.solver.proof.play_by_proofs import Prover

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
PAUSE: Final = 0.25
"""Seconds between two words about how far a search is; no board depends on it."""
SHUT_IN: Final = mark(
    "no board of {rules} is guess-free from row {row}, column {col}: nothing follows from the "
    "number there"
)
IN_VAIN: Final = mark(
    "no guess-free board of {rules} was found from row {row}, column {col}, in {tries} tries and "
    "{steps} steps"
)
ALL_NEED_A_GUESS: Final = mark(
    "no board of {rules} is guess-free from row {row}, column {col}: every layout needs a guess"
)

Method: TypeAlias = Literal["rejection", "repair", "census", "growth"]


@dataclass(frozen=True, slots=True)
class Laid:
    """A guess-free layout, how it was found, and how many layouts were played to find it."""

    mine_map: NDArray[np.bool_]
    method: Method
    """`rejection`, `census`: all guess-free layouts were equally likely; the others: not so."""
    tries: int
    steps: int = 0
    """How much the search did."""


def lay(
    rules: Rules,
    seed: int,
    first: tuple[int, int] | None,
    *,
    effort: int | None = None,
    limit: int | None = LIMIT,
    stop: Callable[[], bool] | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Laid:
    """Return a layout that exact logic solves from `first`, `(row, col)`, without one guess.

    Layouts are drawn as `demine.logic.layout.deal` draws them, and the first that is guess-free is
    the answer: all guess-free layouts of these rules and that first cell are equally likely. The
    very first one drawn is the board that `deal` lays for this seed. Where hardly any layout is
    guess-free, one is repaired instead, and the answer says so. If that is in vain too, all
    guess-free layouts are looked for, and if few enough boards are seen on the way, one of them is
    drawn, or it is certain that there is none. That is the first round; each further one does twice
    as much: it grows layouts from one that is solved, and looks for all of them again.

    The same arguments give the same board, compiled or not. Work is counted in steps: cells made
    known and states tried. `limit` ends the search after so many, None never does; it changes no
    board. `effort` is for one round of another size alone, half of it for drawing. `stop` is asked
    now and then whether to leave off; `progress` hears now and then how many boards were looked at,
    and of the steps. Raises `NoGuessFreeBoard` if it is proven that there is none (`proven`) or the
    search ended in vain, `Stopped` if `stop` said so, `LayoutError` for a first cell that is
    missing or outside the board, and `RulesError` for `first=any`. What `deduce` cannot prove
    within its budget of states counts as a guess.
    """
    cell = _checked(rules, first)
    search = Search(rules, checked_seed(seed), cell)
    if _shut_in(rules, cell):
        raise search.proven(SHUT_IN)
    tell = _told(progress)
    for found in search.rounds(effort):
        search.tries += found.tries
        if found.mine_map is not None:
            return Laid(found.mine_map, found.method, search.tries, search.steps)
        tell(search.looked_at, search.steps)
        if stop is not None and stop():
            raise Stopped("the search for a guess-free board was stopped")
        if found.there_is_none or search.none_of_few():
            raise search.proven(ALL_NEED_A_GUESS)
        if limit is not None and search.steps >= limit:
            break
    raise search.in_vain()


def _told(progress: Callable[[int, int], object] | None) -> Callable[[int, int], None]:
    """Return what tells how far the search is, but not all the time."""
    due = time.monotonic() + PAUSE

    def tell(tries: int, steps: int) -> None:
        nonlocal due
        if progress is not None and time.monotonic() >= due:
            progress(tries, steps)
            due = time.monotonic() + PAUSE

    return tell


class Search:
    """A search for a guess-free layout, round after round."""

    def __init__(self, rules: Rules, seed: int, cell: tuple[int, int]) -> None:
        self.rules = rules
        self.cell = cell
        self.tries = 0
        self._draws = Draws(rules, seed, cell)
        self._prover = Prover(rules, cell)
        self._scenes = 0
        self._before = 0
        """The steps that the prover has not counted."""
        self._effort = 0
        self._asked = self._draws.layouts_there_are > FEW_LAYOUTS

    @property
    def steps(self) -> int:
        """How much was done."""
        return self._before + self._prover.spent

    @property
    def looked_at(self) -> int:
        """How many layouts were played, and scene boards seen."""
        return self.tries + self._scenes

    def rounds(self, effort: int | None) -> Iterator[_Found]:
        """Try in all ways, for an effort once; without one again and again, each time for more."""
        self._effort = usual_effort(self.rules) if effort is None else effort
        yield from chain(
            _rejection(self._prover, self._draws, self._effort // 2),
            _repair(self._prover, self._draws, self._effort),
            self._census(),
        )
        while effort is None:
            yield from chain(self._growth(full=False), self._growth(full=True))
            self._effort *= 2
            yield from self._census()
            _load_kernels()
            self._before += self._prover.spent
            self._prover = Prover(self.rules, self.cell)

    def _growth(self, *, full: bool) -> Iterator[_Found]:
        """Grow a layout until it is guess-free with all its mines or the effort is spent."""
        for mine_map in grown(self._prover, self._draws, self._effort // 2, full=full):
            yield _Found(mine_map, 1, "growth")

    def _census(self) -> Iterator[_Found]:
        """Draw from a list of all guess-free layouts, if the effort is enough to make it."""
        each = SCENE + self.rules.cells
        for found in _census(self._draws, self.cell, self._effort // each):
            self._before += each
            self._scenes += 1
            yield found

    def none_of_few(self) -> bool:
        """Whether there are few layouts, a search was in vain for long, and none is guess-free."""
        if self._asked or self.tries < self._draws.layouts_there_are:
            return False
        self._asked = True
        layouts = self._draws.every_layout()
        most = self._effort + FEW_LAYOUTS * self.rules.cells
        return self._prover.seek(layouts, most) == (len(layouts), False) and self._prover.sure

    def proven(self, why: str) -> NoGuessFreeBoard:
        """Return the error that says why there is no such board."""
        return self._error(why, proven=True)

    def in_vain(self) -> NoGuessFreeBoard:
        """Return the error that says how much was tried."""
        return self._error(IN_VAIN)

    def _error(self, template: str, *, proven: bool = False) -> NoGuessFreeBoard:
        row, col = self.cell
        rules = replace(self.rules, guess_free=False)  # the sentence says so
        done = {"tries": self.tries, "steps": self.steps, "proven": proven}
        return NoGuessFreeBoard(template, rules=rules, row=row, col=col, **done)


def _load_kernels() -> None:
    """Have the rest of a long search compiled, where that was done before and is in the cache."""
    if not PROOF_KERNELS.ready and available() and cached(SOLVER_KERNELS):
        # A Numba that cannot be loaded is no reason to stop: the boards are the same.
        with suppress(ImportError):
            load(SOLVER_KERNELS)


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
    there_is_none: bool = False


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
        mine_map = draws.one_of(every) if every else None
        yield _Found(mine_map, 0, "census", there_is_none=every == [])
