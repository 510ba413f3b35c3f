"""Where another program would open another cell, and what its choices would win.

    python -m benchmarks.engine_choices "COMMAND" deep --first safe --games 5000 --seed 7

A policy plays. At each guess before the end, which `deep` plays out exactly, an engine
(docs/engine.md) is asked too. Where it would open another cell, both are opened on `--values`
layouts that fit, drawn alike, the same ones for both, and `--by` plays them on. What the engine's
cells win more, summed over a game, is to the first order what the policy would win by choosing like
it. It is told by how far the game is and by which of the two cells is safer.

Intervals are normal ones, at 95 %. The same arguments give the same figures.

D. Hill's solver is asked by `HillEngine.java` beside this file, which is compiled in a checkout of
your own of https://github.com/DavidNHill/Minesweeper, and then is `java -cp classes HillEngine`:

    javac -encoding UTF-8 -d classes HillEngine.java -sourcepath
        Asynchronous/src:MinesweeperGameState/src:MineSweeperSolver/src
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

import demine
from benchmarks.paired_policies import (
    Cell,
    Mean,
    Policy,
    known_safe_cells,
    policy_with_dials,
    share_won_more,
    stage_of,
    start_of,
)
from demine.logic.layout import game_seed
from demine.logic.rules import Rules
from demine.scene.sight import sight
from demine.solver.player import advise
from demine.solver.player.kernels import offsets
from demine.solver.player.policy_table import GUESSING

LATE: Final = 3
"""The stage at which a game is left: the rest is played out exactly."""
STAGES: Final = ("before an opening", "at most 3.2 % open", "up to half open", "more open")
KINDS: Final = ("equally safe", "safer", "riskier")
SAME_RISK: Final = 1e-7


Ask = Callable[[NDArray[np.uint8], Rules], Cell]
"""Returns the cell to open on a scene board."""


class Choice(NamedTuple):
    """What a policy opens in a position, its risk, and the cells that are then known as safe."""

    cell: Cell
    risk: float
    safe: list[Cell]
    stage: int


class Difference(NamedTuple):
    """A guess at which the engine differs: a stage, a kind, and what its cell wins more."""

    stage: int
    kind: int
    share: float


class Player:
    """A policy and an engine that is asked beside it; both are asked once for each position."""

    def __init__(self, policy: Policy, engine: Ask, rules: Rules) -> None:
        self.policy = policy
        self.engine = engine
        self.rules = rules
        self._choices: dict[bytes, Choice | None] = {}
        self._asked: dict[bytes, tuple[Cell, float]] = {}

    def choice(self, faces: NDArray[np.uint8]) -> Choice | None:
        """Return what the policy opens; None at the end of the game that is played out exactly."""
        key = faces.tobytes()
        if key not in self._choices:
            self._choices[key] = self._choose(faces)
        return self._choices[key]

    def asked(self, faces: NDArray[np.uint8]) -> tuple[Cell, float]:
        """Return the engine's cell and its risk."""
        key = faces.tobytes()
        if key not in self._asked:
            advise.policy_choice(faces, self.rules.mines, "safest")
            arrays, _ = advise._thread_arrays()  # noqa: SLF001 - as `known_safe_cells`
            board = advise.PaddedBoard(*faces.shape)
            risks = arrays.values[offsets.RISK :][: board.cells_with_rim].copy()
            cell = self.engine(faces, self.rules)
            self._asked[key] = cell, float(risks[board.padded_index(cell)])
        return self._asked[key]

    def _choose(self, faces: NDArray[np.uint8]) -> Choice | None:
        found = advise.policy_choice_and_risk(faces, self.rules.mines, "safest")
        if found is not None and found[1] == 0.0:
            return Choice(*found, known_safe_cells(faces), 0)
        stage = stage_of(faces, self.rules.mines) if found is not None else LATE
        if stage == LATE:
            return None
        found = advise.policy_choice_and_risk(faces, self.rules.mines, self.policy)
        if found is None:
            return None
        opened = bool((faces == 0).any())
        return Choice(*found, [], 1 + stage if opened or stage else 0)


def differences_of_game(
    player: Player, start: Cell, seed: int, by: str, playouts: int
) -> Iterator[Difference]:
    """Play a board up to its end; yield where the engine differs, and what its cells win more."""
    game, random = demine.Game(player.rules, seed), np.random.default_rng(seed)
    mines = player.rules.mines
    game.open(*start)
    while not game.status.over:
        faces = sight(game)
        choice = player.choice(faces)
        if choice is None:
            return
        if choice.risk > 0.0:
            cell, risk = player.asked(faces)
            if cell != choice.cell:
                cells = (cell, choice.cell)
                share = share_won_more(faces, mines, cells, by, random, playouts)
                yield Difference(choice.stage, kind_of(risk, choice.risk), share)
        for opened in {choice.cell, *choice.safe}:
            # An opening may have opened it.
            if not game.board.open_map[opened]:
                game.open(*opened)


def kind_of(risk: float, other: float) -> int:
    """Return how a risk compares with another, an index into `KINDS`."""
    if abs(risk - other) < SAME_RISK:
        return 0
    return 1 if risk < other else 2


def main() -> None:
    """Play, and print where an engine chooses otherwise."""
    parser = argparse.ArgumentParser(description="What another program's choices would win.")
    parser.add_argument("engine", help="its command, which speaks the protocol of docs/engine.md")
    parser.add_argument("policy", type=policy_with_dials, metavar="POLICY[:DIAL=VALUE,...]")
    parser.add_argument("--rules", default="30x16/99")
    parser.add_argument("--first", choices=("safe", "zero"), default="safe")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--values", type=int, default=20, metavar="PLAYOUTS")
    parser.add_argument("--by", choices=GUESSING, default="strong", help="who plays on")
    parser.add_argument("--every", type=int, default=1000, help="print after so many games")
    arguments = parser.parse_args()
    rules = Rules.parse(f"{arguments.rules} first={arguments.first}")
    start = start_of(rules, [arguments.policy])
    advise.load_kernels()
    found: dict[tuple[int, int], list[tuple[int, float]]] = defaultdict(list)
    begun = time.process_time()
    with demine.Engine(arguments.engine) as engine:
        player = Player(arguments.policy, engine, rules)
        for index in range(arguments.games):
            seed = game_seed(arguments.seed, index)
            for each in differences_of_game(player, start, seed, arguments.by, arguments.values):
                found[each.stage, each.kind].append((index, each.share))
            if (index + 1) % arguments.every == 0 or index + 1 == arguments.games:
                seconds = time.process_time() - begun
                print(f"{index + 1} games, {seconds / (index + 1) * 1000:.1f} CPU ms each")
                print_table(found, index + 1)


def print_table(found: dict[tuple[int, int], list[tuple[int, float]]], games: int) -> None:
    """Print what the engine's cells win more, by stage and kind."""
    for stage, stage_name in enumerate(STAGES):
        for kind, kind_name in enumerate(KINDS):
            differing = found.get((stage, kind), [])
            each = Mean.of(np.array([share for _, share in differing])) if differing else "-"
            print(
                f"{stage_name}, its cell {kind_name}: {len(differing) / games:.3f} a game,"
                f" each {each}, a game {of_games(differing, games)}"
            )
        of_stage = [each for kind in range(len(KINDS)) for each in found.get((stage, kind), [])]
        print(f"{stage_name}: a game {of_games(of_stage, games)}")
    print("in all: a game", of_games([each for part in found.values() for each in part], games))
    print(flush=True)


def of_games(differing: list[tuple[int, float]], games: int) -> Mean:
    """Return what is won more in a game."""
    sums = np.zeros(games)
    for index, share in differing:
        sums[index] += share
    return Mean.of(sums)


if __name__ == "__main__":
    main()
