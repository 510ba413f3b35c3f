"""Guess-free boards: drawn until one is proven to need no guess, repaired where that is hopeless.

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

from demine.kernels.kernel_set import are_cached, load_sets, numba_available
from demine.logic.errors import LayoutError, RulesError
from demine.logic.layout import checked_cell, checked_seed
from demine.logic.neighbours import neighbours
from demine.logic.rules import First, Rules
from demine.scene.translation import mark
from demine.solver.deal.enumerate_guess_free import enumerate_guess_free
from demine.solver.deal.grow_from_solved import grow_guess_free
from demine.solver.deal.layout_stream import LayoutStream
from demine.solver.deal.repair import repair_layouts
from demine.solver.deal.step_limits import DEFAULT_STEP_LIMIT, first_round_steps
from demine.solver.errors import NoGuessFreeBoard, Stopped
from demine.solver.proof.kernels import PROOF_KERNELS, SOLVER_KERNELS
from demine.solver.proof.play_by_proofs import ProofPlayer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy as np
    from numpy.typing import NDArray

MAX_CELLS: Final = 1 << 16
"""Larger boards are not searched: playing a single layout takes too long."""
FEW_LAYOUTS: Final = 5000
"""Rules with at most this many layouts have all of them tried after a failed search."""
MIN_KNOWN_SHARE: Final = 50
"""Where no layout opened one in this many of its cells, repairing is hopeless too."""
SCENE_STEPS: Final = 100
"""Steps counted for one scene board of an enumeration, besides the board's cells."""
BATCH: Final = 64
_BATCH_CELLS: Final = 1 << 16
PROGRESS_SECONDS: Final = 0.25
"""Seconds between two calls of `progress`; no board depends on it."""
NOTHING_FOLLOWS: Final = mark(
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
class GuessFreeLayout:
    """A guess-free layout, how it was found, and how many layouts were played to find it."""

    mine_map: NDArray[np.bool_]
    method: Method
    """`rejection`, `census`: all guess-free layouts were equally likely; the others: not so."""
    tries: int
    steps: int = 0
    """The work of the search, in steps."""


def find_guess_free_layout(
    rules: Rules,
    seed: int,
    first: tuple[int, int] | None,
    *,
    effort: int | None = None,
    limit: int | None = DEFAULT_STEP_LIMIT,
    stop: Callable[[], bool] | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> GuessFreeLayout:
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
    and of the steps. Raises `NoGuessFreeBoard` if it is proven that there is none (`proven`)
    or the search ended in vain, `Stopped` if `stop` said so, `LayoutError` for a first cell that is
    missing or outside the board, and `RulesError` for `first=any`. What `deduce` cannot prove
    within its budget of states counts as a guess.
    """
    cell = _checked_first_cell(rules, first)
    search = GuessFreeSearch(rules, checked_seed(seed), cell)
    if _nothing_follows_from_first(rules, cell):
        raise search.proven_error(NOTHING_FOLLOWS)
    tell = _throttled_progress(progress)
    for found in search.rounds(effort):
        search.tries += found.tries
        if found.mine_map is not None:
            return GuessFreeLayout(found.mine_map, found.method, search.tries, search.steps)
        tell(search.looked_at, search.steps)
        if stop is not None and stop():
            raise Stopped("the search for a guess-free board was stopped")
        if found.there_is_none or search.proven_by_trying_all():
            raise search.proven_error(ALL_NEED_A_GUESS)
        if limit is not None and search.steps >= limit:
            break
    raise search.failed_error()


def _throttled_progress(
    progress: Callable[[int, int], object] | None,
) -> Callable[[int, int], None]:
    """Return what calls `progress`, but not more often than every `PROGRESS_SECONDS`."""
    due = time.monotonic() + PROGRESS_SECONDS

    def tell(tries: int, steps: int) -> None:
        nonlocal due
        if progress is not None and time.monotonic() >= due:
            progress(tries, steps)
            due = time.monotonic() + PROGRESS_SECONDS

    return tell


class GuessFreeSearch:
    """A search for a guess-free layout, round after round."""

    def __init__(self, rules: Rules, seed: int, cell: tuple[int, int]) -> None:
        self.rules = rules
        self.cell = cell
        self.tries = 0
        self._stream = LayoutStream(rules, seed, cell)
        self._player = ProofPlayer(rules, cell)
        self._scenes = 0
        self._other_steps = 0
        """The steps that the prover has not counted."""
        self._effort = 0
        self._all_tried = self._stream.layout_count > FEW_LAYOUTS

    @property
    def steps(self) -> int:
        """The work done so far, in steps."""
        return self._other_steps + self._player.steps_spent

    @property
    def looked_at(self) -> int:
        """How many layouts were played and scene boards gone through."""
        return self.tries + self._scenes

    def rounds(self, effort: int | None) -> Iterator[_Attempt]:
        """Yield attempts of all methods: one round of an effort, or ever larger ones without."""
        self._effort = first_round_steps(self.rules) if effort is None else effort
        yield from chain(
            _draw_until_guess_free(self._player, self._stream, self._effort // 2),
            _repair_until_guess_free(self._player, self._stream, self._effort),
            self._enumeration(),
        )
        while effort is None:
            yield from chain(self._growth(from_full=False), self._growth(from_full=True))
            self._effort *= 2
            yield from self._enumeration()
            _load_cached_kernels()
            self._other_steps += self._player.steps_spent
            self._player = ProofPlayer(self.rules, self.cell)

    def _growth(self, *, from_full: bool) -> Iterator[_Attempt]:
        """Grow a layout until it is guess-free with all its mines or the effort is spent."""
        effort = self._effort // 2
        for mine_map in grow_guess_free(self._player, self._stream, effort, from_full=from_full):
            yield _Attempt(mine_map, 1, "growth")

    def _enumeration(self) -> Iterator[_Attempt]:
        """Draw one of all guess-free layouts, if the effort is enough to enumerate them."""
        each = SCENE_STEPS + self.rules.cells
        for found in _draw_from_enumeration(self._stream, self.cell, self._effort // each):
            self._other_steps += each
            self._scenes += 1
            yield found

    def proven_by_trying_all(self) -> bool:
        """Try all layouts, once, if they are few; return whether none is proven guess-free."""
        if self._all_tried or self.tries < self._stream.layout_count:
            return False
        self._all_tried = True
        layouts = self._stream.all_layouts()
        most = self._effort + FEW_LAYOUTS * self.rules.cells
        return (
            self._player.find_guess_free(layouts, most) == (len(layouts), False)
            and self._player.never_too_complex
        )

    def proven_error(self, why: str) -> NoGuessFreeBoard:
        """Return the error that says why there is no such board."""
        return self._error(why, proven=True)

    def failed_error(self) -> NoGuessFreeBoard:
        """Return the error that says how much was tried."""
        return self._error(IN_VAIN)

    def _error(self, template: str, *, proven: bool = False) -> NoGuessFreeBoard:
        row, col = self.cell
        rules = replace(self.rules, guess_free=False)  # the sentence says so
        done = {"tries": self.tries, "steps": self.steps, "proven": proven}
        return NoGuessFreeBoard(template, rules=rules, row=row, col=col, **done)


def _load_cached_kernels() -> None:
    """Load the kernels for the rest of a long search, if they are in the cache."""
    if not PROOF_KERNELS.is_loaded and numba_available() and are_cached(SOLVER_KERNELS):
        # A Numba that cannot be loaded is no reason to stop: the boards are the same.
        with suppress(ImportError):
            load_sets(SOLVER_KERNELS)


def _nothing_follows_from_first(rules: Rules, cell: tuple[int, int]) -> bool:
    """Whether the first cell must show a number, and whatever it is, nothing follows from it.

    Of its neighbours not all are mines, or mines are left for the rest of the board, and there too
    a mine and a safe cell can change places.
    """
    near = sum(1 for _ in neighbours(*cell, *rules.shape))
    return max(near, rules.cells - 1 - near) < rules.mines < rules.cells - 1


def _checked_first_cell(rules: Rules, first: tuple[int, int] | None) -> tuple[int, int]:
    """Return the first cell, else raise an error that says why there can be no such board."""
    if rules.first is First.ANY:
        raise RulesError("a guess-free board needs a safe first cell: first=any is a guess")
    if first is None:
        raise LayoutError("a guess-free board needs to know its first cell")
    check_board_size(rules)
    return checked_cell(rules, first)


def check_board_size(rules: Rules) -> None:
    """Raise `NoGuessFreeBoard` for boards that are too large to be laid guess-free."""
    if rules.cells > MAX_CELLS:
        raise NoGuessFreeBoard(
            "a guess-free board has {most} cells at most, not {cells}",
            most=MAX_CELLS,
            cells=rules.cells,
        )


class _Attempt(NamedTuple):
    """Result of some tries."""

    mine_map: NDArray[np.bool_] | None
    tries: int
    method: Method = "rejection"
    there_is_none: bool = False


def _draw_until_guess_free(
    player: ProofPlayer, stream: LayoutStream, effort: int
) -> Iterator[_Attempt]:
    """Draw layouts, in growing batches, until one is guess-free or the effort is spent."""
    most = max(1, min(BATCH, _BATCH_CELLS // stream.rules.cells))
    size = min(2, most)
    while player.steps_spent < effort and not _is_hopeless(player, effort):
        layouts = stream.draw_layouts(size)
        found = player.find_guess_free(layouts, effort)
        yield _Attempt(
            layouts[found.layout].copy() if found.solved else None, found.layout + found.solved
        )
        size = min(2 * size, most)


def _is_hopeless(player: ProofPlayer, effort: int) -> bool:
    """Whether half of the effort is spent and no layout came near its end."""
    return 2 * player.steps_spent > effort and 4 * player.most_known < 3 * player.rules.cells


def _repair_until_guess_free(
    player: ProofPlayer, stream: LayoutStream, effort: int
) -> Iterator[_Attempt]:
    """Repair layouts until one is guess-free or the effort is spent."""
    if player.most_known * MIN_KNOWN_SHARE < player.rules.cells:
        return
    for mine_map in repair_layouts(player, stream, effort):
        yield _Attempt(mine_map, 1, "repair")


def _draw_from_enumeration(
    stream: LayoutStream, cell: tuple[int, int], scenes: int
) -> Iterator[_Attempt]:
    """Draw one of all guess-free layouts, if so many scene boards are enough to enumerate them."""
    for every in enumerate_guess_free(stream.rules, cell, scenes):
        mine_map = stream.draw_layout_from(every) if every else None
        yield _Attempt(mine_map, 0, "census", there_is_none=every == [])
