"""What the cells of a position are worth: how often the game is won that goes on with each.

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
from demine.solver.exact.parse import read_cell, read_scene
from demine.solver.exact.probability import mine_probability
from demine.solver.hint import percent
from demine.solver.player import advise
from demine.solver.player.choose_cell import ALIKE, PolicyError, least_risky, move_of
from demine.solver.player.endgame import EndingError
from demine.solver.player.kernels import advise_kernel
from demine.solver.player.policy_table import GUESSING, LAST

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import ArrayLike, NDArray

    Cell = tuple[int, int]

SECONDS: Final = 5.0
"""So long an analysis thinks unless it is told otherwise."""
MOST_CELLS: Final = 8
"""So many cells are tried unless they are named."""
FEW: Final = LAST
"""Up to so many layouts the best play is searched out."""
MOST_EXACT: Final = 64
"""So many cells are searched out, the least risky first."""
MOST_PLAYOUTS: Final = 1_000_000
"""More of them say no more."""
_BATCH: Final = 256
_Z: Final = 1.959963984540054
"""So many standard errors to each side are 95 %."""
_CLEARLY: Final = 3.5
"""So many standard errors behind, a cell is tried no further. It is looked at again and again, so
that two would often throw a good one out."""


@dataclass(frozen=True, slots=True)
class Prospect:
    """What a cell is worth: its risk, and the chance to win the game when it is opened next.

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
    """What the cells of a position are worth, the best first.

    Exact where few layouts are left, for the best play; else for `policy`, which plays on from
    each cell, on `playouts` layouts drawn with `seed`. `layouts` is how many there are, as a
    logarithm. It is `decided` where the first cell is the best one beyond doubt, or by exact count.
    """

    cells: tuple[Prospect, ...]
    policy: str
    seed: int
    playouts: int
    log_layouts: float
    exact: bool
    decided: bool

    @property
    def best(self) -> Prospect | None:
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

    def rows(self) -> list[tuple[str, str, str, str]]:
        """Return a line of words for each cell: where, its risk, its chance, the interval."""
        return [
            (
                f"({each.row}, {each.col})",
                percent(each.risk),
                percent(each.win, 2),
                "" if each.exact else " .. ".join(percent(end, 2) for end in each.interval),
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
    _check(policy, seconds, playouts)
    faces, number = read_scene(scene, mines)
    chance = mine_probability(faces, number)
    rims = advise.Rims(*faces.shape)
    if not rims.fits:
        raise TooComplex("a board of {cells} cells is too large to analyse", cells=faces.size)
    named = None if cells is None else tuple(read_cell(cell, faces) for cell in cells)
    advise.warm()
    table = _Table(faces, number, chance, policy, seed)
    return table.analyse(named, _Limits(seconds, playouts, progress, stop))


def _check(policy: str, seconds: float | None, playouts: int | None) -> None:
    if policy not in GUESSING:
        raise PolicyError(
            "there is no policy {policy!r} that guesses; there are {known}",
            policy=policy,
            known=", ".join(GUESSING),
        )
    if playouts is not None and not 1 <= playouts <= MOST_PLAYOUTS:
        raise SceneError(
            "an analysis plays 1 to {most} layouts, not {playouts}",
            most=MOST_PLAYOUTS,
            playouts=playouts,
        )
    if seconds is not None and not 0 < seconds < math.inf:
        raise SceneError("an analysis takes some seconds, not {seconds}", seconds=seconds)


class _Limits:
    """When an analysis is to end."""

    def __init__(
        self,
        seconds: float | None,
        playouts: int | None,
        progress: Callable[[int, int | None], object] | None,
        stop: Callable[[], bool] | None,
    ) -> None:
        if seconds is None and playouts is None:
            seconds = SECONDS
        self._until = math.inf if seconds is None else time.monotonic() + seconds
        self._most = MOST_PLAYOUTS if playouts is None else playouts
        self._of = playouts
        self._progress = progress
        self._stop = stop

    def batch(self, done: int) -> int:
        """Return how many layouts to play next, 0 for no more; small ones first."""
        if self._progress is not None:
            self._progress(done, self._of)
        if self.over():
            return 0
        return min(_BATCH, max(1, done), self._most - done)

    def over(self) -> bool:
        """Whether time is up."""
        return time.monotonic() >= self._until or (self._stop is not None and self._stop())


class _Table:
    """A position to be analysed."""

    def __init__(
        self,
        faces: NDArray[np.uint8],
        mines: int,
        chance: NDArray[np.float64],
        policy: str,
        seed: int,
    ) -> None:
        self._faces = faces
        self._mines = mines
        self._chance = chance
        self._policy = policy
        self._seed = seed
        self._rims = advise.Rims(*faces.shape)
        self._logs = 0.0
        self._advised: Cell | None = None

    def analyse(self, named: Sequence[Cell] | None, limits: _Limits) -> Analysis:
        """Return what the cells are worth."""
        if least_risky(self._chance) is None:
            return Analysis((), self._policy, self._seed, 0, 0.0, exact=True, decided=True)
        asked = advise.ask(advise_kernel.LAYOUTS_LEFT, self._faces, self._mines, advise.ADVISER)
        self._logs = self._asked(asked)
        if self._logs < math.log(FEW + 0.5):
            tried = self._promising(MOST_EXACT) if named is None else named
            if (found := self._search(tried)) is not None:
                return found
        tried = self._promising(MOST_CELLS) if named is None else named
        return self._play(tried, limits)

    def _asked(self, said: float) -> float:
        """Return what the kernel said, unless it was too much for it."""
        if said < 0 and said == int(said):
            raise TooComplex("this position is too complex to analyse")
        return said

    def _promising(self, most: int) -> list[Cell]:
        """Return the cells to try: what is advised, then the least risky ones.

        Cells that are all safe for certain are alike: all of them will be opened.
        """
        move = move_of(self._faces, self._mines, self._chance)
        self._advised = None if move is None else (move.row, move.col)
        found = [] if self._advised is None else [self._advised]
        left = self._chance.copy()
        if move is not None and move.risk == 0.0:
            return found
        for row, col in found:
            left[row, col] = np.nan
        while len(found) < most and (least := least_risky_left(left, self._chance)) is not None:
            found.append(least)
            left[least] = np.nan
        return found

    def _search(self, cells: Sequence[Cell]) -> Analysis | None:
        """Return the exact worth of the cells; None where that takes too long."""
        layouts = advise.listed(self._faces, self._mines)
        if layouts < 1:
            return None
        ending, listed = advise.ending(layouts)
        at = {place: turn for turn, place in enumerate(listed)}
        rows = []
        for cell, place in zip(cells, map(self._rims.place, cells), strict=True):
            try:
                # What is not listed is a mine.
                win = ending.wins(at[place]) / layouts if place in at else 0.0
            except EndingError:
                return None
            rows.append(Prospect(*cell, float(self._chance[cell]), win, (win, win), True, 0))
        return self._told(rows, 0, exact=True, decided=True)

    def _play(self, cells: Sequence[Cell], limits: _Limits) -> Analysis:
        """Return what the cells seem to be worth after so many games."""
        random = np.random.Generator(np.random.PCG64(self._seed))
        race = _Race(len(cells))
        done = 0
        while not (race.decided and len(cells) > 1) and (batch := limits.batch(done)):
            alive = race.alive
            won = np.zeros((batch, len(alive)), np.int64)
            # At most three dice are thrown for a cell, and one for all.
            dice = random.random((batch, 3 * self._faces.size + 1))
            places = advise.places_of([cells[at] for at in alive], self._rims)
            self._asked(
                advise.ask(
                    advise_kernel.PLAYOUTS,
                    self._faces,
                    self._mines,
                    self._policy,
                    places,
                    won,
                    dice,
                )
            )
            done += batch
            race.note(won)
        rows = [self._prospect(cell, race, at) for at, cell in enumerate(cells)] if done else []
        return self._told(rows, done, exact=False, decided=race.decided)

    def _prospect(self, cell: Cell, race: _Race, at: int) -> Prospect:
        """Return what a cell seems to be worth."""
        risk = float(self._chance[cell])
        games, won = int(race.games[at]), int(race.won[at])
        low, high = _wilson(won, games)
        return Prospect(*cell, risk, won / games, (low, min(high, 1 - risk)), False, games)

    def _told(self, rows: list[Prospect], playouts: int, *, exact: bool, decided: bool) -> Analysis:
        rows.sort(key=self._rank)
        return Analysis(tuple(rows), self._policy, self._seed, playouts, self._logs, exact, decided)

    def _rank(self, each: Prospect) -> tuple[float, ...]:
        """Return a key that puts the best cell first, of equal ones the one that is advised."""
        other = (each.row, each.col) != self._advised
        return (-each.win, other, each.risk, each.row, each.col)


def least_risky_left(left: NDArray[np.float64], chance: NDArray[np.float64]) -> Cell | None:
    """Return the least risky cell of those that are left, by what is known around it."""
    least = float(np.nanmin(left)) if not np.isnan(left).all() else 1.0
    if least == 1.0:
        return None
    # What is known around a cell does not change because others were taken out.
    among = np.where(left <= least * (1 + ALIKE), chance, np.where(np.isnan(chance), np.nan, 1.0))
    move = least_risky(among)
    return None if move is None else (move.row, move.col)


class _Race:
    """Cells that are tried on the same layouts, until one of them is clearly the best."""

    def __init__(self, cells: int) -> None:
        self.games = np.zeros(cells, np.int64)
        self.won = np.zeros(cells, np.int64)
        self._only = np.zeros((cells, cells), np.int64)
        """How many layouts one cell won and another, tried as often, did not."""
        self._alive = list(range(cells))

    @property
    def alive(self) -> list[int]:
        """The cells that may still be the best."""
        return list(self._alive)

    @property
    def decided(self) -> bool:
        """Whether but one is left."""
        return len(self._alive) == 1

    def note(self, won: NDArray[np.int64]) -> None:
        """Note which layouts were won with each cell alive; drop those clearly behind the best."""
        alive = np.array(self._alive)
        self.games[alive] += len(won)
        self.won[alive] += won.sum(axis=0)
        self._only[np.ix_(alive, alive)] += won.T @ (1 - won)
        best = int(alive[np.argmax(self.won[alive])])
        self._alive = [at for at in self._alive if at == best or not self._behind(at, best)]

    def _behind(self, at: int, best: int) -> bool:
        """Whether a cell wins clearly less often than the best on the same layouts."""
        more, less = int(self._only[best, at]), int(self._only[at, best])
        # By the sign test: where both won, or both lost, nothing is said about the two.
        return more - less > _CLEARLY * math.sqrt(more + less) + 1


def _wilson(won: int, games: int) -> tuple[float, float]:
    """Return the interval of a share by Wilson's score (E. Wilson, 1927)."""
    share = won / games
    scale = 1 + _Z * _Z / games
    middle = (share + _Z * _Z / (2 * games)) / scale
    half = _Z * math.sqrt(share * (1 - share) / games + _Z * _Z / (4 * games * games)) / scale
    low = 0.0 if won == 0 else max(0.0, middle - half)
    high = 1.0 if won == games else min(1.0, middle + half)
    return low, high
