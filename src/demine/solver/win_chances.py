"""Win chances of the cells of a position: how often the game is won after opening each.

Where few layouts are left, the best play is searched out on all of them, and the chances are exact.
Elsewhere layouts are drawn from the position, each as likely as any other, and a policy plays every
cell to the end on the same ones. A cell that is clearly not the best is tried no further.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, SupportsIndex

import numpy as np

from demine.solver.errors import SceneError, TooComplex
from demine.solver.exact.parse_board import checked_covered_cell, checked_scene
from demine.solver.exact.probability import mine_probability
from demine.solver.hint import format_percent
from demine.solver.player import advise
from demine.solver.player.choose_cell import (
    EQUAL_WITHIN,
    best_move_given,
    check_policy_guesses,
    least_risky_cell,
)
from demine.solver.player.endgame import EndgameTooLong
from demine.solver.player.kernels import advice_tasks
from demine.solver.player.policy_table import ENDGAME_LAYOUTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import ArrayLike, NDArray

    Cell = tuple[int, int]

DEFAULT_SECONDS: Final = 5.0
"""How long an analysis thinks unless it is told otherwise."""
MAX_CELLS: Final = 8
"""How many cells are tried unless they are named."""
MAX_EXACT_LAYOUTS: Final = ENDGAME_LAYOUTS
"""Up to this many layouts the best play is searched exactly."""
MAX_EXACT_CELLS: Final = 64
"""How many cells are searched exactly, the least risky first."""
MAX_PLAYOUTS: Final = 1_000_000
"""More playouts than this make no difference that is seen."""
_BATCH: Final = 256
_Z: Final = 1.959963984540054
"""How many standard errors to each side hold 95 %."""
_DROP_AFTER_ERRORS: Final = 3.5
"""How many standard errors behind the best a cell is dropped. Cells are compared after each batch,
so that a bound of two would often drop a good one."""


@dataclass(frozen=True, slots=True)
class CellChances:
    """Chances of a cell: its risk, and how likely the game is won when it is opened next.

    `interval` holds the chance in 95 of 100 analyses, and is the chance itself where it is `exact`.
    `playouts` tells on how many layouts the cell was tried.
    """

    row: int
    col: int
    risk: float
    win: float
    interval: tuple[float, float]
    exact: bool
    playouts: int


@dataclass(frozen=True, slots=True)
class Analysis:
    """Chances of the cells of a position, the best first.

    Exact where few layouts are left, for the best play; else for `policy`, which plays on from
    each cell, on `playouts` layouts drawn with `seed`. `layouts` is how many there are, as a
    logarithm. It is `decided` where the first cell is the best one beyond doubt, or by exact count.
    """

    cells: tuple[CellChances, ...]
    policy: str
    seed: int
    playouts: int
    log_layouts: float
    exact: bool
    decided: bool

    @property
    def best(self) -> CellChances | None:
        """The cell to open; None where nothing is left to open, or nothing was tried yet."""
        return self.cells[0] if self.cells else None

    def facts(self) -> dict[str, Any]:
        """Return the analysis as JSON has it."""
        return {
            "exact": self.exact,
            "decided": self.decided,
            "policy": None if self.exact else self.policy,
            "seed": self.seed,
            "playouts": self.playouts,
            "cells": [
                {
                    "cell": (each.row, each.col),
                    "risk": each.risk,
                    "win": each.win,
                    "interval": each.interval,
                    "exact": each.exact,
                    "playouts": each.playouts,
                }
                for each in self.cells
            ],
        }

    def table_rows(self) -> list[tuple[str, str, str, str]]:
        """Return a row of texts for each cell: where it is, its risk, its chance, the interval."""
        return [
            (
                f"({each.row}, {each.col})",
                format_percent(each.risk),
                format_percent(each.win, 2),
                "" if each.exact else " .. ".join(format_percent(end, 2) for end in each.interval),
            )
            for each in self.cells
        ]


def analyse(  # noqa: PLR0913 - by name, and most are seldom given
    scene: ArrayLike,
    mines: SupportsIndex,
    *,
    seconds: float | None = None,
    playouts: int | None = None,
    policy: str = "fast",
    seed: int = 0,
    cells: Iterable[tuple[int, int]] | None = None,
    progress: Callable[[int, int | None], object] | None = None,
    stop: Callable[[], bool] | None = None,
) -> Analysis:
    """Return how likely the game is won when it goes on with each of the promising cells.

    These are the least risky ones and what `best_move` advises, or `cells`. Where at
    most 1000 layouts are left, the chances are exact, for the best play; elsewhere `policy` plays
    on from each of them, on the same layouts. The analysis ends after `playouts` layouts, or after
    `seconds` (5 unless told otherwise), or when one cell is clearly the best, or when `stop()` says
    so, which is asked between batches. For a number of playouts and a seed it is always the same.

    `progress` is called with the layouts played and how many there will be, or None. The player is
    compiled at the first analysis, for up to a minute; without Numba it plays in plain Python, a
    thousand times slower.

    Raises `SceneError`, `InconsistentBoard` and `TooComplex` as `mine_probability` does, and
    `TooComplex` too for boards that are too large for the player; `PolicyError` for a policy that
    does not guess, `ValueError` for a number of playouts or seconds that is none.
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
        raise SceneError("an analysis takes some seconds, not {seconds}", seconds=seconds)


class _AnalysisLimits:
    """Limits of time and playouts that end an analysis."""

    def __init__(
        self,
        seconds: float | None,
        playouts: int | None,
        progress: Callable[[int, int | None], object] | None,
        stop: Callable[[], bool] | None,
    ) -> None:
        if seconds is None and playouts is None:
            seconds = DEFAULT_SECONDS
        self._until = math.inf if seconds is None else time.monotonic() + seconds
        self._most = MAX_PLAYOUTS if playouts is None else playouts
        self._of = playouts
        self._progress = progress
        self._stop = stop

    def next_batch_size(self, done: int) -> int:
        """Return how many layouts to play next, 0 for no more; small ones first."""
        if self._progress is not None:
            self._progress(done, self._of)
        if self.is_over():
            return 0
        return min(_BATCH, max(1, done), self._most - done)

    def is_over(self) -> bool:
        """Whether time is up."""
        return time.monotonic() >= self._until or (self._stop is not None and self._stop())


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
        """Return the chances of the cells: exact where few layouts are left, else from playouts."""
        if least_risky_cell(self._probability) is None:
            return Analysis((), self._policy, self._seed, 0, 0.0, exact=True, decided=True)
        asked = advise.ask_kernel(
            advice_tasks.LAYOUTS_LEFT, self._faces, self._mines, advise.ADVISING_POLICY
        )
        self._log_layouts = self._checked_answer(asked)
        if self._log_layouts < math.log(MAX_EXACT_LAYOUTS + 0.5):
            tried = self._promising_cells(MAX_EXACT_CELLS) if named is None else named
            if (found := self._exact_analysis(tried)) is not None:
                return found
        tried = self._promising_cells(MAX_CELLS) if named is None else named
        return self._simulated_analysis(tried, limits)

    def _checked_answer(self, answer: float) -> float:
        """Return an answer of the kernel; raises `TooComplex` where it had none."""
        if answer < 0 and answer == int(answer):
            raise TooComplex("this position is too complex to analyse")
        return answer

    def _promising_cells(self, limit: int) -> list[Cell]:
        """Return the cells to try: the advised one, then the least risky ones.

        Cells that are all safe for certain are alike: all of them will be opened.
        """
        move = best_move_given(self._faces, self._mines, self._probability)
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
        """Return the exact chances of the cells; None where that takes too long."""
        layouts = advise.list_last_layouts(self._faces, self._mines)
        if layouts < 1:
            return None
        ending, listed = advise.listed_endgame(layouts)
        at = {place: turn for turn, place in enumerate(listed)}
        rows = []
        for cell, place in zip(cells, map(self._rims.padded_index, cells), strict=True):
            try:
                # What is not listed is a mine.
                win = ending.wins_with(at[place]) / layouts if place in at else 0.0
            except EndgameTooLong:
                return None
            rows.append(
                CellChances(*cell, float(self._probability[cell]), win, (win, win), True, 0)
            )
        return self._make_analysis(rows, 0, exact=True, decided=True)

    def _simulated_analysis(self, cells: Sequence[Cell], limits: _AnalysisLimits) -> Analysis:
        """Return the chances of the cells as estimated by playouts."""
        random = np.random.Generator(np.random.PCG64(self._seed))
        race = _CellComparison(len(cells))
        done = 0
        while not (race.decided and len(cells) > 1) and (batch := limits.next_batch_size(done)):
            alive = race.remaining
            won = np.zeros((batch, len(alive)), np.int64)
            # At most three dice are thrown for a cell, and one for all.
            dice = random.random((batch, 3 * self._faces.size + 1))
            places = advise.padded_indices([cells[at] for at in alive], self._rims)
            self._checked_answer(
                advise.ask_kernel(
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
        """Return the chances of a cell as its playouts tell."""
        risk = float(self._probability[cell])
        games, won = int(race.games[at]), int(race.won[at])
        low, high = _wilson_interval(won, games)
        return CellChances(*cell, risk, won / games, (low, min(high, 1 - risk)), False, games)

    def _make_analysis(
        self, rows: list[CellChances], playouts: int, *, exact: bool, decided: bool
    ) -> Analysis:
        rows.sort(key=self._sort_key)
        return Analysis(
            tuple(rows), self._policy, self._seed, playouts, self._log_layouts, exact, decided
        )

    def _sort_key(self, each: CellChances) -> tuple[float, ...]:
        """Return a key that puts the best cell first, of equal ones the one that is advised."""
        other = (each.row, each.col) != self._advised
        return (-each.win, other, each.risk, each.row, each.col)


def _least_risky_among(
    candidates: NDArray[np.float64], probability: NDArray[np.float64]
) -> Cell | None:
    """Return the least risky cell of those that are left, by what is known around it."""
    least = float(np.nanmin(candidates)) if not np.isnan(candidates).all() else 1.0
    if least == 1.0:
        return None
    # What is known around a cell does not change because others were taken out.
    among = np.where(
        candidates <= least * (1 + EQUAL_WITHIN),
        probability,
        np.where(np.isnan(probability), np.nan, 1.0),
    )
    move = least_risky_cell(among)
    return None if move is None else (move.row, move.col)


class _CellComparison:
    """Cells that are tried on the same layouts, until one of them is clearly the best."""

    def __init__(self, cells: int) -> None:
        self.games = np.zeros(cells, np.int64)
        self.won = np.zeros(cells, np.int64)
        self._won_only_by = np.zeros((cells, cells), np.int64)
        """How many layouts one cell won and another, tried as often, did not."""
        self._remaining = list(range(cells))

    @property
    def remaining(self) -> list[int]:
        """The cells that may still be the best."""
        return list(self._remaining)

    @property
    def decided(self) -> bool:
        """Whether only one cell remains."""
        return len(self._remaining) == 1

    def add_batch(self, won: NDArray[np.int64]) -> None:
        """Add a batch, (layouts, remaining cells); drop cells that are clearly behind the best."""
        alive = np.array(self._remaining)
        self.games[alive] += len(won)
        self.won[alive] += won.sum(axis=0)
        self._won_only_by[np.ix_(alive, alive)] += won.T @ (1 - won)
        best = int(alive[np.argmax(self.won[alive])])
        self._remaining = [
            at for at in self._remaining if at == best or not self._is_clearly_behind(at, best)
        ]

    def _is_clearly_behind(self, at: int, best: int) -> bool:
        """Whether a cell wins clearly less often than the best on the same layouts."""
        more, less = int(self._won_only_by[best, at]), int(self._won_only_by[at, best])
        # By the sign test: where both won, or both lost, nothing is said about the two.
        return more - less > _DROP_AFTER_ERRORS * math.sqrt(more + less) + 1


def _wilson_interval(won: int, games: int) -> tuple[float, float]:
    """Return the 95 % interval of a share by Wilson's score (E. Wilson, 1927)."""
    share = won / games
    scale = 1 + _Z * _Z / games
    middle = (share + _Z * _Z / (2 * games)) / scale
    half = _Z * math.sqrt(share * (1 - share) / games + _Z * _Z / (4 * games * games)) / scale
    low = 0.0 if won == 0 else max(0.0, middle - half)
    high = 1.0 if won == games else min(1.0, middle + half)
    return low, high
