"""Play many games side by side and take some of their positions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from demine.logic.deal_batch import deal_batch
from demine.logic.layout import game_seed
from demine.logic.neighbours import count_around
from demine.logic.splitmix import mix_bits
from demine.logic.undoable_openings import WorkLimit, open_opening
from demine.scene.cell_faces import Face
from demine.solver.exact.probability import mine_probability_batch
from demine.solver.player.custom_policy import CustomPolicy
from demine.solver.player.kernels_for_simulation import least_risky_cell, policy_choice
from demine.studies.play_custom_policy import choose_cells

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demine.solver.player.custom_policy import Cell
    from demine.studies.datasets.columns import Table
    from demine.studies.datasets.plan import DatasetPlan

MAX_GAMES_AT_ONCE: Final = 1024
_NEVER: Final = np.iinfo(np.int16).max
"""Stands for the click that opened a cell which is covered to the end."""

# What a random number of a game is drawn for.
_WHETHER_RANDOM: Final = 0
_WHICH_CELL: Final = 1
_WHICH_POSITIONS: Final = 2
_PURPOSES: Final = 3


def sample_positions(plan: DatasetPlan, first: int, count: int) -> Table:
    """Play `count` games from index `first` on, and return the positions taken, in order.

    They depend on the plan and the index of their game alone. A position is what the player sees
    after one click at least, before the next one; `move` says after how many. The table has the
    columns `board`, `game`, `move`, `won` and, if wanted, `mines`.
    """
    games = _Games(plan, first, count)
    games.play()
    return games.taken_positions()


class _Games:
    """Games that are played side by side, a click each at a time.

    Cells are `row * width + col`. `_clicked` has the click, from 0, that opened each cell.
    """

    def __init__(self, plan: DatasetPlan, first: int, count: int) -> None:
        rules = plan.rules
        self._plan = plan
        self._rules = rules
        self._player = plan.player
        self._indices = np.arange(first, first + count)
        start = plan.study.start
        mine_maps = deal_batch(rules, plan.study.seed, count, start, index=first)
        self._hints = count_around(mine_maps).reshape(count, -1)
        self._mines = mine_maps.reshape(count, -1)
        self._clicked = np.full((count, rules.cells), _NEVER, np.int16)
        self._proven = np.zeros((count, rules.cells), np.bool_)
        """Whether a cell was shown to be safe, and is still covered."""
        self._opened = np.zeros(count, np.int64)
        self._clicks = np.zeros(count, np.int64)
        self._last = np.zeros(count, np.int64)
        """After how many clicks the last position came that the player was asked about."""
        self._start = start[0] * rules.width + start[1]

    def play(self) -> None:
        """Play all games to their ends."""
        live = np.arange(self._indices.size)
        cells = np.full(live.size, self._start)
        while live.size:
            live = self._click(live, cells)
            self._last[live] = self._clicks[live]
            cells = self._choose(live)
            live, cells = live[cells >= 0], cells[cells >= 0]

    def taken_positions(self) -> Table:
        """Return some positions of each game, drawn evenly from those it went through."""
        games, moves = self._draw_positions()
        is_open = self._clicked[games] < moves[:, np.newaxis]
        shape = (games.size, *self._rules.shape)
        boards = np.where(is_open, self._hints[games], np.uint8(Face.COVERED))
        table: Table = {
            "board": boards.reshape(shape),
            "game": self._indices[games],
            "move": moves.astype(np.int32),
            "won": self._opened[games] == self._rules.safe_cells,
        }
        if self._plan.mines:
            table["mines"] = self._mines[games].reshape(shape).view(np.uint8)
        return table

    def _draw_positions(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return which positions are taken: the number of each one's game here, and its clicks."""
        most = self._plan.per_game
        games = np.repeat(np.arange(self._last.size), self._last)
        ends = np.cumsum(self._last)
        moves = np.arange(games.size) - np.repeat(ends - self._last, self._last) + 1
        order = np.lexsort((self._random_words(games, moves, _WHICH_POSITIONS), games))
        rank = np.empty_like(games)
        rank[order] = moves - 1
        taken = rank < most
        return games[taken], moves[taken]

    def _click(self, live: NDArray[np.int64], cells: NDArray[np.int64]) -> NDArray[np.int64]:
        """Open a cell of each game, and return the games that go on."""
        blown = self._mines[live, cells]
        games, opened = live[~blown], cells[~blown]
        zero = self._hints[games, opened] == 0
        self._open_cells(games[~zero], opened[~zero])
        for game, cell in zip(games[zero].tolist(), opened[zero].tolist(), strict=True):
            self._open_opening(game, cell)
        self._clicks[live] += 1
        return games[self._opened[games] < self._rules.safe_cells]

    def _open_cells(self, games: NDArray[np.int64], cells: NDArray[np.int64]) -> None:
        self._clicked[games, cells] = self._clicks[games]
        self._proven[games, cells] = False
        self._opened[games] += 1

    def _open_opening(self, game: int, cell: int) -> None:
        clicked = self._clicked[game]
        opened = bytearray((clicked != _NEVER).tobytes())
        hint = bytearray(self._hints[game].tobytes())
        open_opening(hint, opened, self._rules.shape, cell, WorkLimit(), mixed=False)
        is_open = np.frombuffer(opened, np.bool_)
        clicked[is_open & (clicked == _NEVER)] = self._clicks[game]
        self._proven[game][is_open] = False
        self._opened[game] = np.count_nonzero(is_open)

    def _choose(self, live: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the cell that is opened next in each game, -1 where the policy gives up."""
        cells = np.full(live.size, -1)
        is_random = self._uniform(live, _WHETHER_RANDOM) < self._plan.random
        covered = self._clicked[live[is_random]] == _NEVER
        cells[is_random] = self._any_of(covered, live[is_random])
        asked = live[~is_random]
        custom = isinstance(self._player, CustomPolicy)
        cells[~is_random] = self._ask(asked) if custom else self._prove_or_guess(asked)
        return cells

    def _ask(self, games: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the cells that a policy of one's own opens, -1 where it gives up."""
        if not games.size or not isinstance(self._player, CustomPolicy):
            return np.empty(0, np.int64)
        seed = self._plan.study.seed
        asked = [
            _AskedGame(int(index), game_seed(seed, int(index)), scene)
            for index, scene in zip(self._indices[games], self._scenes(games), strict=True)
        ]
        found = choose_cells(self._rules, self._player, asked)
        return np.array([self._flat(cell) for cell in found], np.int64)

    def _prove_or_guess(self, games: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return any proven cell of each game, else the policy's guess; -1 where it gives up."""
        cells = np.full(games.size, -1)
        stuck = np.flatnonzero(~self._proven[games].any(axis=1))
        if stuck.size:
            scenes = self._scenes(games[stuck])
            chances = mine_probability_batch(scenes, self._rules.mines)
            self._proven[games[stuck]] = chances.reshape(stuck.size, -1) == 0.0
            for at in np.flatnonzero((chances != 0.0).all(axis=(1, 2))).tolist():
                cells[stuck[at]] = self._guess(scenes[at], chances[at])
        proven = self._proven[games]
        has_proven = proven.any(axis=1)
        cells[has_proven] = self._any_of(proven[has_proven], games[has_proven])
        return cells

    def _guess(self, scene: NDArray[np.uint8], chance: NDArray[np.float64]) -> int:
        """Return the cell that a policy of demine opens where none is certain; -1 for giving up."""
        if isinstance(self._player, CustomPolicy) or not self._player.guesses:
            return -1
        cell = policy_choice(scene, self._rules.mines, self._player.name)
        return self._flat(cell or least_risky_cell(chance))

    def _flat(self, cell: Cell | tuple[int, int, float] | None) -> int:
        return -1 if cell is None else cell[0] * self._rules.width + cell[1]

    def _scenes(self, games: NDArray[np.int64]) -> NDArray[np.uint8]:
        """Return what the player sees of some games, `(games, height, width)`."""
        covered = self._clicked[games] == _NEVER
        scenes = np.where(covered, np.uint8(Face.COVERED), self._hints[games])
        return scenes.reshape(-1, *self._rules.shape)

    def _any_of(self, candidates: NDArray[np.bool_], games: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return one of the candidates of each game, drawn evenly; there has to be one."""
        counts = np.count_nonzero(candidates, axis=1)
        before = np.cumsum(counts) - counts
        drawn = np.floor(self._uniform(games, _WHICH_CELL) * counts).astype(np.int64)
        found: NDArray[np.int64] = candidates.nonzero()[1][before + drawn]
        return found

    def _uniform(self, games: NDArray[np.int64], purpose: int) -> NDArray[np.float64]:
        """Return a random number of each game for its next click, 0 <= number < 1."""
        words = self._random_words(games, self._clicks[games], purpose)
        return (words >> np.uint64(11)).astype(np.float64) * 2.0**-53

    def _random_words(
        self, games: NDArray[np.int64], moves: NDArray[np.int64], purpose: int
    ) -> NDArray[np.uint64]:
        """Return random numbers of 64 bits that depend on seed, game, move and purpose alone."""
        seed = mix_bits(np.array([self._plan.study.seed], np.uint64))
        of_game = mix_bits(seed ^ self._indices[games].astype(np.uint64))
        return mix_bits(of_game + (moves * _PURPOSES + purpose).astype(np.uint64))


@dataclass(frozen=True, slots=True)
class _AskedGame:
    """A game that a policy is asked about: its index, its board's seed, and what is seen of it."""

    index: int
    seed: int
    scene: NDArray[np.uint8]
