"""Search for a guess-free layout: by drawing, repairing, enumerating and growing layouts.

A layout is guess-free from a first cell if exact logic, which also uses the mine count, opens every
safe cell without a guess. This holds for both goals of the rules: once all safe cells are open,
every covered cell is known to be a mine.
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
from demine.solver.deal.change_mine_count import grow_guess_free
from demine.solver.deal.enumerate_guess_free import enumerate_guess_free
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
"""Boards of more cells are refused: playing a single layout of them takes too long."""
FEW_LAYOUTS: Final = 5000
"""If the rules have at most this many layouts, all of them are tried after a failed search."""
MIN_KNOWN_SHARE: Final = 50
"""Layouts are repaired only if one of those drawn had at least one known cell in this many."""
SCENE_STEPS: Final = 100
"""Steps counted for each scene board of an enumeration, in addition to one for each cell."""
BATCH: Final = 64
_BATCH_CELLS: Final = 1 << 16
PROGRESS_SECONDS: Final = 0.25
"""Minimum seconds between two calls of `progress`; no result depends on it."""
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
    """With `rejection` and `census` all guess-free layouts were equally likely, else not."""
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
    should_stop: Callable[[], bool] | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> GuessFreeLayout:
    """Return a layout that exact logic solves from `first`, `(row, col)`, without a guess.

    Layouts are drawn as `demine.logic.layout.deal` draws them, and the first guess-free one is
    returned, so all guess-free layouts for these rules and this first cell are equally likely. The
    first one drawn is the board that `deal` lays for this seed. Where hardly any layout is
    guess-free, one is repaired instead, and `method` says so. If that fails too, all guess-free
    layouts are enumerated; where that takes few enough steps, one of them is drawn, or it is proven
    that there is none. That is the first round. Each further round takes twice as many steps: it
    grows layouts from a solved one, and enumerates again.

    The same arguments give the same board, compiled or not. Work is counted in steps: cells made
    known and states tried. `limit` ends the search after this many steps, None never; it does not
    influence which board is found. With `effort` there is one round of this many steps, half of
    them for drawing. `should_stop()` is called between attempts and ends the search if it returns
    True; `progress(boards, steps)` is called now and then with the numbers of boards examined and
    of steps. What `deduce` cannot prove within its budget of states counts as a guess.

    Raises `NoGuessFreeBoard` if there is none (then its `proven` is True) or none was found,
    `Stopped` after `should_stop`, `LayoutError` for a first cell that is missing or outside the
    board, and `RulesError` for `first=any`.
    """
    cell = _checked_first_cell(rules, first)
    search = GuessFreeLayoutSearch(rules, checked_seed(seed), cell)
    if _nothing_follows_from_first(rules, cell):
        raise search.proven_impossible_error(NOTHING_FOLLOWS)
    report = _throttled_progress(progress)
    for found in search.attempts(effort):
        search.tries += found.tries
        if found.mine_map is not None:
            return GuessFreeLayout(found.mine_map, found.method, search.tries, search.steps)
        report(search.boards_examined, search.steps)
        if should_stop is not None and should_stop():
            raise Stopped("the search for a guess-free board was stopped")
        if found.there_is_none or search.proven_by_trying_all():
            raise search.proven_impossible_error(ALL_NEED_A_GUESS)
        if limit is not None and search.steps >= limit:
            break
    raise search.not_found_error()


def _throttled_progress(
    progress: Callable[[int, int], object] | None,
) -> Callable[[int, int], None]:
    """Return a function that calls `progress`, but at most once in `PROGRESS_SECONDS`."""
    due = time.monotonic() + PROGRESS_SECONDS

    def report(boards: int, steps: int) -> None:
        nonlocal due
        if progress is not None and time.monotonic() >= due:
            progress(boards, steps)
            due = time.monotonic() + PROGRESS_SECONDS

    return report


class GuessFreeLayoutSearch:
    """A search for a guess-free layout, round after round."""

    def __init__(self, rules: Rules, seed: int, cell: tuple[int, int]) -> None:
        self.rules = rules
        self.cell = cell
        self.tries = 0
        self._stream = LayoutStream(rules, seed, cell)
        self._player = ProofPlayer(rules, cell)
        self._scenes = 0
        self._other_steps = 0
        """Steps that `_player` has not counted: those of enumerations and of earlier players."""
        self._round_steps = 0
        self._all_tried = self._stream.layout_count > FEW_LAYOUTS

    @property
    def steps(self) -> int:
        """How many steps were taken so far."""
        return self._other_steps + self._player.steps_spent

    @property
    def boards_examined(self) -> int:
        """How many layouts were played and scene boards searched so far."""
        return self.tries + self._scenes

    def attempts(self, single_round_steps: int | None) -> Iterator[_Attempt]:
        """Yield attempts of all methods: one round of so many steps, or, with None, endless rounds.

        Endless rounds begin with `first_round_steps`, and each takes twice as many as the last.
        """
        self._round_steps = (
            first_round_steps(self.rules) if single_round_steps is None else single_round_steps
        )
        yield from chain(
            _draw_until_guess_free(self._player, self._stream, self._round_steps // 2),
            _repair_until_guess_free(self._player, self._stream, self._round_steps),
            self._enumeration(),
        )
        while single_round_steps is None:
            yield from chain(self._growth(from_full=False), self._growth(from_full=True))
            self._round_steps *= 2
            yield from self._enumeration()
            _load_cached_kernels()
            self._other_steps += self._player.steps_spent
            self._player = ProofPlayer(self.rules, self.cell)

    def _growth(self, *, from_full: bool) -> Iterator[_Attempt]:
        """Grow a guess-free layout with half of the round's steps."""
        steps = self._round_steps // 2
        for mine_map in grow_guess_free(self._player, self._stream, steps, from_full=from_full):
            yield _Attempt(mine_map, 1, "growth")

    def _enumeration(self) -> Iterator[_Attempt]:
        """Draw one of all guess-free layouts, if the round has steps enough to enumerate them."""
        each = SCENE_STEPS + self.rules.cells
        for found in _draw_from_enumeration(self._stream, self.cell, self._round_steps // each):
            self._other_steps += each
            self._scenes += 1
            yield found

    def proven_by_trying_all(self) -> bool:
        """Return whether trying all layouts proves that none is guess-free.

        They are tried once, if they are few and as many were drawn in vain; else it is False.
        """
        if self._all_tried or self.tries < self._stream.layout_count:
            return False
        self._all_tried = True
        layouts = self._stream.all_layouts()
        most = self._round_steps + FEW_LAYOUTS * self.rules.cells
        return (
            self._player.find_guess_free(layouts, most) == (len(layouts), False)
            and self._player.never_too_complex
        )

    def proven_impossible_error(self, template: str) -> NoGuessFreeBoard:
        """Return the error for a proof that there is no such board, with this message."""
        return self._error(template, proven=True)

    def not_found_error(self) -> NoGuessFreeBoard:
        """Return the error for a search that found nothing; it says how much was tried."""
        return self._error(IN_VAIN)

    def _error(self, template: str, *, proven: bool = False) -> NoGuessFreeBoard:
        row, col = self.cell
        rules = replace(self.rules, guess_free=False)  # the sentence says it already
        done = {"tries": self.tries, "steps": self.steps, "proven": proven}
        return NoGuessFreeBoard(template, rules=rules, row=row, col=col, **done)


def _load_cached_kernels() -> None:
    """Load the compiled kernels, if they are cached, for the rest of a long search."""
    if not PROOF_KERNELS.is_loaded and numba_available() and are_cached(SOLVER_KERNELS):
        # Without Numba the search goes on and finds the same boards.
        with suppress(ImportError):
            load_sets(SOLVER_KERNELS)


def _nothing_follows_from_first(rules: Rules, cell: tuple[int, int]) -> bool:
    """Whether the first cell must show a number, from which nothing can follow.

    There are too many mines for its neighbours, and too many for the rest of the board, so both
    parts hold some. Any safe cell can then change places with a mine of its part.
    """
    near = sum(1 for _ in neighbours(*cell, *rules.shape))
    return max(near, rules.cells - 1 - near) < rules.mines < rules.cells - 1


def _checked_first_cell(rules: Rules, first: tuple[int, int] | None) -> tuple[int, int]:
    """Return the first cell, or raise an error that says why no board can be searched for."""
    if rules.first is First.ANY:
        raise RulesError("a guess-free board needs a safe first cell: first=any is a guess")
    if first is None:
        raise LayoutError("a guess-free board needs its first cell: first=(row, col)")
    check_board_size(rules)
    return checked_cell(rules, first)


def check_board_size(rules: Rules) -> None:
    """Raise `NoGuessFreeBoard` for rules whose board is too large for a guess-free search."""
    if rules.cells > MAX_CELLS:
        raise NoGuessFreeBoard(
            "a guess-free board has {most} cells at most, not {cells}",
            most=MAX_CELLS,
            cells=rules.cells,
        )


class _Attempt(NamedTuple):
    """The result of trying some layouts; `mine_map` is None if none of them was guess-free."""

    mine_map: NDArray[np.bool_] | None
    tries: int
    method: Method = "rejection"
    there_is_none: bool = False


def _draw_until_guess_free(
    player: ProofPlayer, stream: LayoutStream, step_limit: int
) -> Iterator[_Attempt]:
    """Draw layouts, in growing batches, until one is guess-free or `player` reaches the limit."""
    most = max(1, min(BATCH, _BATCH_CELLS // stream.rules.cells))
    size = min(2, most)
    while player.steps_spent < step_limit and not _is_hopeless(player, step_limit):
        layouts = stream.draw_layouts(size)
        found = player.find_guess_free(layouts, step_limit)
        yield _Attempt(
            layouts[found.layout].copy() if found.solved else None, found.layout + found.solved
        )
        size = min(2 * size, most)


def _is_hopeless(player: ProofPlayer, step_limit: int) -> bool:
    """Whether half of the steps are taken and no layout had three quarters of its cells known."""
    return (
        2 * player.steps_spent > step_limit and 4 * player.most_known_cells < 3 * player.rules.cells
    )


def _repair_until_guess_free(
    player: ProofPlayer, stream: LayoutStream, step_limit: int
) -> Iterator[_Attempt]:
    """Repair layouts until one is guess-free or `player` reaches the limit."""
    if player.most_known_cells * MIN_KNOWN_SHARE < player.rules.cells:
        return
    for mine_map in repair_layouts(player, stream, step_limit):
        yield _Attempt(mine_map, 1, "repair")


def _draw_from_enumeration(
    stream: LayoutStream, cell: tuple[int, int], max_scenes: int
) -> Iterator[_Attempt]:
    """Draw one of all guess-free layouts, if there are at most `max_scenes` scene boards."""
    for every in enumerate_guess_free(stream.rules, cell, max_scenes):
        mine_map = stream.draw_layout_from(every) if every else None
        yield _Attempt(mine_map, 0, "census", there_is_none=every == [])
