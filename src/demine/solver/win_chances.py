"""Win chances of the cells of a position: how likely the game is won if each is opened next.

Where few layouts are left, the chances are exact: the best play on all of them is searched.
Elsewhere layouts are drawn at random, all equally likely, and a policy plays on from every cell, on
the same layouts for each. A cell that is clearly not the best is dropped on the way.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, SupportsIndex

import numpy as np

from demine.logic.json_text import ToJson
from demine.scene.cell_names import cell_pair
from demine.scene.translation import tr
from demine.solver.errors import NothingToOpen, SceneError, TooComplex
from demine.solver.exact.parse_board import checked_covered_cell, checked_scene
from demine.solver.exact.probability import mine_probability
from demine.solver.hint import format_percent
from demine.solver.player import advise
from demine.solver.player.choose_cell import (
    EQUAL_WITHIN,
    best_move_by_probability,
    check_policy_guesses,
    least_risky_cell,
)
from demine.solver.player.endgame import EndgameTooLong
from demine.solver.player.kernels import advice_tasks
from demine.solver.player.policy_table import ENDGAME_LAYOUTS
from demine.solver.playout_limits import DEFAULT_SECONDS, MAX_PLAYOUTS
from demine.solver.wilson_interval import wilson_interval

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from demine.scene.seen_position import HasPosition

    Cell = tuple[int, int]

MAX_CELLS: Final = 8
"""How many cells are tried by playouts if none are named."""
MAX_EXACT_LAYOUTS: Final = ENDGAME_LAYOUTS
"""Up to this many layouts the best play is searched."""
MAX_EXACT_CELLS: Final = 64
"""How many cells have their exact chances computed if none are named, the least risky first."""
_BATCH: Final = 256
_DROP_AFTER_ERRORS: Final = 3.5
"""A cell is dropped when it is this many standard errors behind the best. As cells are compared
after every batch, two would often drop a good one."""


@dataclass(frozen=True, slots=True)
class CellChances(ToJson):
    r"""The chances of a cell: its risk, and the probability `win` to win if it is opened next.

    `interval` is the 95 % confidence interval of `win`, or `(win, win)` if that is `exact`.
    `playouts` is on how many layouts the cell was tried.

    >>> import demine
    >>> best = demine.analyse("3x2/1\n1 # #\n1 # #").best
    >>> (best.row, best.col), best.risk, best.win
    ((0, 2), 0.0, 0.5)
    """

    row: int
    col: int
    risk: float
    win: float
    interval: tuple[float, float]
    exact: bool
    playouts: int

    def to_dict(self) -> dict[str, Any]:
        """Return the chances as plain values."""
        return {
            "cell": [self.row, self.col],
            "risk": self.risk,
            "win": self.win,
            "interval": list(self.interval),
            "exact": self.exact,
            "playouts": self.playouts,
        }


@dataclass(frozen=True, slots=True)
class Analysis(ToJson):
    r"""The chances of the cells of a position, the best first.

    They are `exact`, for the best play, where few layouts are left; else they are those of
    `policy`, on `playouts` layouts drawn with `seed`. `log_layouts` is the natural logarithm of the
    number of layouts left. It is `decided` if the first cell is the best one, exactly or clearly.

    >>> import demine
    >>> analysis = demine.analyse("3x2/1\n1 # #\n1 # #")
    >>> print(analysis)
    Row 1, column 3 is the best, by exact count.
    >>> analysis.best.win
    0.5
    """

    cells: tuple[CellChances, ...]
    policy: str
    seed: int
    playouts: int
    log_layouts: float
    exact: bool
    decided: bool

    @property
    def best(self) -> CellChances:
        """The cell to open; raises `NothingToOpen` if every safe cell is open, or none was tried.

        None was tried if the analysis was stopped before its first layout: `cells` is empty then.
        """
        if self.cells:
            return self.cells[0]
        if self.exact:
            raise NothingToOpen("every safe cell is open")
        raise NothingToOpen("the analysis was stopped before it tried a cell")

    def __str__(self) -> str:
        """Return which cell is the best and how sure that is, in the current language."""
        if not self.cells:
            return tr("Every safe cell is open.") if self.exact else tr("Nothing tried yet.")
        where: dict[str, object] = {"row": self.best.row, "col": self.best.col}
        if self.exact:
            return tr("Row {row}, column {col} is the best, by exact count.", **where)
        where["playouts"] = f"{self.playouts:,}"
        if self.decided:
            return tr("Row {row}, column {col} is the best, after {playouts} playouts.", **where)
        return tr(
            "Row {row}, column {col} looks best after {playouts} playouts, but it is not decided.",
            **where,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the analysis as plain values."""
        return {
            "exact": self.exact,
            "decided": self.decided,
            "policy": None if self.exact else self.policy,
            "seed": self.seed,
            "playouts": self.playouts,
            "cells": [each.to_dict() for each in self.cells],
        }

    def table_rows(self) -> list[tuple[str, str, str, str]]:
        """Return texts for each cell: (cell, risk, win chance, interval or nothing if exact)."""
        return [
            (
                cell_pair(each.row, each.col),
                format_percent(each.risk),
                format_percent(each.win, 2),
                "" if each.exact else " .. ".join(format_percent(end, 2) for end in each.interval),
            )
            for each in self.cells
        ]


def analyse(  # noqa: PLR0913 - by name, and most are seldom given
    scene: ArrayLike | HasPosition,
    mines: SupportsIndex | None = None,
    *,
    seconds: float | None = None,
    playouts: int | None = None,
    policy: str = "fast",
    seed: int = 0,
    cells: Iterable[tuple[int, int]] | None = None,
    progress: Callable[[int, int | None], object] | None = None,
    stop: Callable[[], bool] | None = None,
) -> Analysis:
    r"""Return how likely the game is won if it goes on with each of the promising cells.

    `scene` and `mines` are those of `mine_probability`. The promising cells are `cells`,
    or else the least risky ones and the one that `best_move` advises. Where at most 1000 layouts
    are left, the chances are exact, for the best play. Elsewhere `policy` plays on from each cell,
    on the same layouts for all. This ends after `playouts` layouts, after `seconds` (5 if neither
    is given), when one cell is clearly the best, or when `stop()`, which is
    called between batches, returns True. If only `playouts` is given, the same seed gives the same
    result.

    `progress(played, playouts)` is called with the number of layouts played and with `playouts`,
    which may be None. The first analysis compiles the player, which takes longer than the analysis;
    without Numba it plays in plain Python, very slowly.

    Raises `SceneError`, `InconsistentBoard` and `TooComplex` as `mine_probability` does, and
    `TooComplex` also for boards that are too large for the player; `PolicyError` for a policy that
    does not guess, and `SceneError`, a `ValueError`, for impossible playouts or seconds.

    >>> import demine
    >>> print(demine.analyse("3x2/1\n1 # #\n1 # #"))
    Row 1, column 3 is the best, by exact count.
    """
    _check_arguments(policy, seconds, playouts)
    faces, number = checked_scene(scene, mines)
    chance = mine_probability(faces, number)
    rims = advise.PaddedBoard(*faces.shape)
    if not rims.fits_kernels:
        raise TooComplex("a board of {cells} cells is too large to analyse", cells=faces.size)
    named = None if cells is None else tuple(checked_covered_cell(cell, faces) for cell in cells)
    advise.load_kernels()
    table = _PositionAnalyser(faces, number, chance, policy, seed)
    return table.analyse(named, _AnalysisLimits(seconds, playouts, progress, stop))


def _check_arguments(policy: str, seconds: float | None, playouts: int | None) -> None:
    check_policy_guesses(policy)
    if playouts is not None and not 1 <= playouts <= MAX_PLAYOUTS:
        raise SceneError(
            "an analysis plays 1 to {most} layouts, not {playouts}",
            most=MAX_PLAYOUTS,
            playouts=playouts,
        )
    if seconds is not None and not 0 < seconds < math.inf:
        raise SceneError("an analysis takes more than 0 seconds, not {seconds}", seconds=seconds)


def exact_win_chances(
    faces: NDArray[np.uint8], mines: int, cells: Sequence[Cell]
) -> list[float] | None:
    """Return how likely the best play wins if each of these cells is opened next.

    `faces` is a checked scene board. None if more than `MAX_EXACT_LAYOUTS` layouts are left, or the
    search takes too long.
    """
    layouts = advise.list_layouts_if_few(faces, mines)
    if layouts < 1:
        return None
    ending, listed = advise.endgame_of_listed_layouts(layouts)
    at = {place: turn for turn, place in enumerate(listed)}
    board = advise.PaddedBoard(*faces.shape)
    places = map(board.padded_index, cells)
    try:
        # A cell that is not listed is a mine.
        return [
            ending.wins_if_opened_first(at[place]) / layouts if place in at else 0.0
            for place in places
        ]
    except EndgameTooLong:
        return None


class _AnalysisLimits:
    """When an analysis ends: limits of time and playouts, and the caller's `stop`."""

    def __init__(
        self,
        seconds: float | None,
        playouts: int | None,
        progress: Callable[[int, int | None], object] | None,
        stop: Callable[[], bool] | None,
    ) -> None:
        if seconds is None and playouts is None:
            seconds = DEFAULT_SECONDS
        self._begun = time.monotonic()
        self._until = math.inf if seconds is None else self._begun + seconds
        self._max_playouts = MAX_PLAYOUTS if playouts is None else playouts
        self._named_playouts = playouts
        self._progress = progress
        self._stop = stop

    def report_progress(self, played: int) -> None:
        """Tell the caller how many layouts were played."""
        if self._progress is not None:
            self._progress(played, self._named_playouts)

    def next_batch_size(self, played: int) -> int:
        """Return how many layouts to play next, 0 if the analysis is over; batches grow."""
        now = time.monotonic()
        if now >= self._until or (self._stop is not None and self._stop()):
            return 0
        batch = min(_BATCH, max(1, played), self._max_playouts - played)
        if self._until == math.inf or not played:
            return batch
        # No batch that would go on beyond the limit, as long as the earlier ones took.
        return min(batch, int(played * (self._until - now) / max(now - self._begun, 1e-9)))


class _PositionAnalyser:
    """Analyses one position."""

    def __init__(
        self,
        faces: NDArray[np.uint8],
        mines: int,
        probability: NDArray[np.float64],
        policy: str,
        seed: int,
    ) -> None:
        self._faces = faces
        self._mines = mines
        self._probability = probability
        self._policy = policy
        self._seed = seed
        self._rims = advise.PaddedBoard(*faces.shape)
        self._log_layouts = 0.0
        self._advised: Cell | None = None

    def analyse(self, named: Sequence[Cell] | None, limits: _AnalysisLimits) -> Analysis:
        """Return the chances of the named cells, or of the promising ones if none are named."""
        if least_risky_cell(self._probability) is None:
            return Analysis((), self._policy, self._seed, 0, 0.0, exact=True, decided=True)
        asked = advise.run_task(
            advice_tasks.LOG_LAYOUTS, self._faces, self._mines, advise.ADVISING_POLICY
        )
        self._log_layouts = self._checked_answer(asked)
        if self._log_layouts < math.log(MAX_EXACT_LAYOUTS + 0.5):
            tried = self._promising_cells(MAX_EXACT_CELLS) if named is None else named
            if (found := self._exact_analysis(tried)) is not None:
                return found
        tried = self._promising_cells(MAX_CELLS) if named is None else named
        return self._simulated_analysis(tried, limits)

    def _checked_answer(self, answer: float) -> float:
        """Return an answer of the kernel; raises `TooComplex` if it is an error code."""
        if answer < 0 and answer == int(answer):
            raise TooComplex("this position is too complex to analyse")
        return answer

    def _promising_cells(self, limit: int) -> list[Cell]:
        """Return the cells to try: the advised one, then the least risky ones.

        A certainly safe cell is returned alone: all such cells are equal, and will be opened.
        """
        move = best_move_by_probability(self._faces, self._mines, self._probability)
        self._advised = None if move is None else (move.row, move.col)
        found = [] if self._advised is None else [self._advised]
        left = self._probability.copy()
        if move is not None and move.risk == 0.0:
            return found
        for row, col in found:
            left[row, col] = np.nan
        while (
            len(found) < limit
            and (least := _least_risky_among(left, self._probability)) is not None
        ):
            found.append(least)
            left[least] = np.nan
        return found

    def _exact_analysis(self, cells: Sequence[Cell]) -> Analysis | None:
        """Return the exact chances of the cells, or None if that takes too long."""
        wins = exact_win_chances(self._faces, self._mines, cells)
        if wins is None:
            return None
        rows = [
            CellChances(*cell, float(self._probability[cell]), win, (win, win), True, 0)
            for cell, win in zip(cells, wins, strict=True)
        ]
        return self._make_analysis(rows, 0, exact=True, decided=True)

    def _simulated_analysis(self, cells: Sequence[Cell], limits: _AnalysisLimits) -> Analysis:
        """Return the chances of the cells as estimated by playouts."""
        random = np.random.Generator(np.random.PCG64(self._seed))
        race = _CellComparison(len(cells))
        done = 0
        while not (race.decided and len(cells) > 1):
            limits.report_progress(done)
            batch = limits.next_batch_size(done)
            if not batch:
                break
            alive = race.remaining
            won = np.zeros((batch, len(alive)), np.int64)
            # The policy needs at most three random numbers for each cell, and one more.
            dice = random.random((batch, 3 * self._faces.size + 1))
            places = advise.padded_indices([cells[at] for at in alive], self._rims)
            self._checked_answer(
                advise.run_task(
                    advice_tasks.PLAYOUTS,
                    self._faces,
                    self._mines,
                    self._policy,
                    places,
                    won,
                    dice,
                )
            )
            done += batch
            race.add_batch(won)
        rows = (
            [self._estimated_chances(cell, race, at) for at, cell in enumerate(cells)]
            if done
            else []
        )
        return self._make_analysis(rows, done, exact=False, decided=race.decided)

    def _estimated_chances(self, cell: Cell, race: _CellComparison, at: int) -> CellChances:
        """Return the chances of the cell with index `at`, from its playouts."""
        risk = float(self._probability[cell])
        games, won = int(race.games[at]), int(race.won[at])
        low, high = wilson_interval(won, games)
        return CellChances(*cell, risk, won / games, (low, min(high, 1 - risk)), False, games)

    def _make_analysis(
        self, rows: list[CellChances], playouts: int, *, exact: bool, decided: bool
    ) -> Analysis:
        rows.sort(key=self._sort_key)
        return Analysis(
            tuple(rows), self._policy, self._seed, playouts, self._log_layouts, exact, decided
        )

    def _sort_key(self, each: CellChances) -> tuple[float, ...]:
        """Return a sort key that puts the best cell first; among equals the advised one."""
        other = (each.row, each.col) != self._advised
        return (-each.win, other, each.risk, each.row, each.col)


def _least_risky_among(
    candidates: NDArray[np.float64], probability: NDArray[np.float64]
) -> Cell | None:
    """Return the least risky candidate, the tie broken by `probability`; None if all are mines."""
    least = float(np.nanmin(candidates)) if not np.isnan(candidates).all() else 1.0
    if least == 1.0:
        return None
    # Ties depend on what is known around a cell, also around cells that are no candidates.
    among = np.where(
        candidates <= least * (1 + EQUAL_WITHIN),
        probability,
        np.where(np.isnan(probability), np.nan, 1.0),
    )
    move = least_risky_cell(among)
    return None if move is None else (move.row, move.col)


class _CellComparison:
    """A comparison of cells on the same layouts, until one of them is clearly the best."""

    def __init__(self, cells: int) -> None:
        self.games = np.zeros(cells, np.int64)
        self.won = np.zeros(cells, np.int64)
        self._won_only_by = np.zeros((cells, cells), np.int64)
        """`[i, j]` is on how many layouts cell `i` won and cell `j` lost."""
        self._remaining = list(range(cells))

    @property
    def remaining(self) -> list[int]:
        """The indices of the cells that may still be the best."""
        return list(self._remaining)

    @property
    def decided(self) -> bool:
        """Whether only one cell remains."""
        return len(self._remaining) == 1

    def add_batch(self, won: NDArray[np.int64]) -> None:
        """Add the results of a batch, 0 or 1, and drop cells that are clearly behind the best.

        `won` has the shape (layouts, remaining cells).
        """
        alive = np.array(self._remaining)
        self.games[alive] += len(won)
        self.won[alive] += won.sum(axis=0)
        self._won_only_by[np.ix_(alive, alive)] += won.T @ (1 - won)
        best = int(alive[np.argmax(self.won[alive])])
        self._remaining = [
            at for at in self._remaining if at == best or not self._is_clearly_behind(at, best)
        ]

    def _is_clearly_behind(self, at: int, best: int) -> bool:
        """Whether a cell wins clearly less often than the best, by the sign test."""
        more, less = int(self._won_only_by[best, at]), int(self._won_only_by[at, best])
        # Layouts that both won, or both lost, say nothing about the two.
        return more - less > _DROP_AFTER_ERRORS * math.sqrt(more + less) + 1
