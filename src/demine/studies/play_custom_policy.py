"""Play games of a study by a policy of one's own, one after another or many at once."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from demine.kernels.kernel_set import numba_available
from demine.logic.layout import deal, game_seed
from demine.logic.neighbours import count_around
from demine.logic.undoable_openings import WorkLimit, open_opening
from demine.scene.cell_faces import Face
from demine.solver.exact.probability import mine_probability, mine_probability_batch
from demine.solver.player.kernels_for_simulation import PROBABILITY_KERNELS
from demine.solver.player.policy_error import PolicyError
from demine.statistics.board_3bv import three_bv

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from demine.logic.rules import Rules
    from demine.solver.player.custom_policy import Cell, CustomPolicy

BATCH_GAMES: Final = 1024
"""So many games advance together at most."""


def play_by_custom_policy(
    rules: Rules, policy: CustomPolicy, seed: int, start: Cell, games: NDArray[np.void]
) -> None:
    """Play the games whose indices are in `games`, and write the rest of their rows.

    A policy that is asked in batches plays up to `BATCH_GAMES` at once; when one ends, the next one
    takes its place. Every other policy plays one game after the other. Raises `PolicyError`.
    """
    # Risks are worked out at every guess, in plain Python rather than waiting for a compiler.
    if numba_available() and PROBABILITY_KERNELS.is_cached():
        PROBABILITY_KERNELS.load()
    at_once = BATCH_GAMES if policy.in_batches else 1
    waiting = iter(games)
    running: list[_CustomGame] = []
    while True:
        begun = time.thread_time_ns()
        while len(running) < at_once and (row := next(waiting, None)) is not None:
            game = _CustomGame(rules, seed, start, row)
            if not game.is_over:
                running.append(game)
        if not running:
            return
        _open_chosen_cells(rules, policy, running)
        share, rest = divmod(time.thread_time_ns() - begun, len(running))
        for game in running:
            game.row["ns"] += share
        running[0].row["ns"] += rest
        running = [game for game in running if not game.is_over]


class _CustomGame:
    """A game under way: the board, what is open, and the row that its outcome is written to."""

    def __init__(self, rules: Rules, seed: int, start: Cell, row: np.void) -> None:
        self.row = row
        self.index = int(row["index"])
        self.seed = game_seed(seed, self.index)
        self.scene: NDArray[np.uint8] = np.full(rules.shape, Face.COVERED, np.uint8)
        self.is_over = False
        self._rules = rules
        self._mine_map = deal(rules, self.seed, start)
        self._hint_map = count_around(self._mine_map)
        self._hint = bytearray(self._hint_map.ravel())
        self._opened = bytearray(rules.cells)
        self._proven = np.zeros(rules.shape, np.bool_)
        row["survival"] = 1.0
        row["bv"] = three_bv(self._mine_map)
        self.open(start)

    def is_proven_safe(self, cell: Cell) -> bool:
        """Whether a position solved before has shown that this cell is safe."""
        return bool(self._proven[cell])

    def note_risks(self, chance: NDArray[np.float64], cell: Cell) -> None:
        """Keep what the exact probabilities say: which cells are safe, and how risky this one is.

        What is safe once stays safe.
        """
        self._proven = chance == 0.0
        risk = float(chance[cell])
        if risk > 0.0:
            self.row["guesses"] += 1
            self.row["survival"] *= 1.0 - risk

    def open(self, cell: Cell) -> None:
        """Open a covered cell."""
        self.row["moves"] += 1
        if self._mine_map[cell]:
            self.is_over = True
            return
        self.row["opened"] += self._open_with_opening(cell)
        shown = np.frombuffer(self._opened, np.bool_).reshape(self._rules.shape)
        self.scene = np.where(shown, self._hint_map, np.uint8(Face.COVERED))
        if self.row["opened"] == self._rules.safe_cells:
            self.row["won"] = self.is_over = True

    def _open_with_opening(self, cell: Cell) -> int:
        """Open a safe cell and its opening; return how many cells opened."""
        at = cell[0] * self._rules.width + cell[1]
        if self._hint[at] == 0:
            shape = self._rules.shape
            return open_opening(self._hint, self._opened, shape, at, WorkLimit(), mixed=False).size
        self._opened[at] = 1
        return 1


def _open_chosen_cells(rules: Rules, policy: CustomPolicy, games: Sequence[_CustomGame]) -> None:
    """Ask the policy once about all games, and open what it chooses."""
    chosen: list[tuple[_CustomGame, Cell]] = []
    for game, cell in zip(games, choose_cells(rules, policy, games), strict=True):
        if cell is None:
            game.is_over = True
        else:
            chosen.append((game, cell))
    _note_risks(rules, [(game, cell) for game, cell in chosen if not game.is_proven_safe(cell)])
    for game, cell in chosen:
        game.open(cell)


class AskedGame(Protocol):
    """A game that a policy is asked about."""

    @property
    def index(self) -> int:
        """Its index in the study."""
        ...

    @property
    def seed(self) -> int:
        """The seed of its board."""
        ...

    @property
    def scene(self) -> NDArray[np.uint8]:
        """What the player sees of it."""
        ...


def choose_cells(
    rules: Rules, policy: CustomPolicy, games: Sequence[AskedGame]
) -> list[Cell | None]:
    """Return the policy's cell in each game; its errors say in which game."""
    if len(games) > 1 and not policy.in_batches:
        return [choose_cells(rules, policy, [game])[0] for game in games]
    try:
        if not policy.in_batches:
            return [policy.choose(game.scene, rules) for game in games]
        return policy.choose_batch(np.stack([game.scene for game in games]), rules)
    except PolicyError as error:
        board = error.params.get("board")
        game = games[board if isinstance(board, int) else 0]
        boards = len(games) if board is None else 1
        raise error.in_game(game.index, game.seed, boards) from error.__cause__


def _note_risks(rules: Rules, chosen: Sequence[tuple[_CustomGame, Cell]]) -> None:
    """Work out the risk of each chosen cell, exactly, as in every study."""
    if len(chosen) == 1:
        ((game, cell),) = chosen
        game.note_risks(mine_probability(game.scene, rules.mines), cell)
    elif chosen:
        scenes = np.stack([game.scene for game, _ in chosen])
        for (game, cell), chance in zip(
            chosen, mine_probability_batch(scenes, rules.mines), strict=True
        ):
            game.note_risks(chance, cell)
