"""What one policy wins more than another, on the same boards: two measures.

    python -m benchmarks.paired_policies deep best --first safe --games 20000 --seed 11
    python -m benchmarks.paired_policies deep best --first safe --games 20000 --seed 11 --values 20
    python -m benchmarks.paired_policies deep deep:late=0.5 --games 5000 --values 40 --by strong

Without `--values` both policies play every board. Luck is taken out of the difference: each guess
brings its risk, less 1 if it hits a mine. That is 0 on average, whatever the policy, so that a
multiple of the sum may be subtracted from a win without changing its mean; the multiple is the one
that leaves the least scatter.

With `--values N` only the first policy plays. Where the second would open another cell, both cells
are opened on N layouts that fit, drawn alike, the same ones for both, and the second policy plays
them on to the end. Summed over a game, what the first policy's cells win more than the second's is
on average exactly what the first policy wins more: each sum replaces the second policy by the first
for one act more. It scatters far less than whole games. `--by POLICY` has another one play on,
which is quicker and right to the first order only.

A policy may have dials changed: `deep:late=0.5`, or several, as in `strong:choices=40,share=0`. The
dials are the `DIAL_` settings of `demine.solver.player.kernels.offsets`, in lower case.

Intervals are normal ones, at 95 %. The same arguments give the same figures.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

import demine
from demine.logic.kernels.deal import WORDS, counts_size
from demine.logic.layout import game_seed, guaranteed_safe_cells
from demine.logic.rules import Rules
from demine.scene.sight import sight
from demine.solver.player import advise
from demine.solver.player.kernels import advice_tasks, offsets
from demine.solver.player.player_arrays import PlayerArrays, set_policy
from demine.solver.player.policy_table import (
    DEEP_LAYOUTS,
    GUESSING,
    BuiltInPolicy,
    policy_by_name,
)
from demine.solver.wilson_interval import Z_95
from demine.studies.kernels import STUDY_KERNELS, simulated_games
from demine.studies.play_games import shared_first_cell

Cell = tuple[int, int]
Policy = str | BuiltInPolicy
"""A policy of the table, by its name, or a changed copy."""

DIAL_OF: Final = {
    name.removeprefix("DIAL_").lower().replace("_", "-"): value
    for name, value in vars(offsets).items()
    if name.startswith("DIAL_")
}
"""The dial that each name means."""
LOW_64_BITS: Final = (1 << 64) - 1
EARLY, MIDDLE = 0.032, 0.5
"""The shares of the board that are open at the end of a stage."""
STAGES: Final = (
    "at most 3.2 % open",
    "up to half open",
    f"more, over {DEEP_LAYOUTS} layouts",
    f"at most {DEEP_LAYOUTS} layouts",
)
"""When two policies differ; the last stage goes before the others."""


def policy_with_dials(text: str) -> BuiltInPolicy:
    """Return the policy of `NAME`, or of `NAME:DIAL=VALUE,DIAL=VALUE` with these dials changed.

    Its name is `text`. Raises `argparse.ArgumentTypeError` if no policy that guesses or no dial is
    so named, or a value is no number.
    """
    name, colon, changes = text.partition(":")
    if name not in GUESSING:
        msg = f"no policy {name!r}; choose from {', '.join(GUESSING)}"
        raise argparse.ArgumentTypeError(msg)
    policy = policy_by_name(name)
    changed = dict(map(dial_and_value, changes.split(","))) if colon else {}
    dials = {**dict(policy.dials), **changed}
    return replace(policy, name=text, dials=tuple(dials.items()))


def dial_and_value(text: str) -> tuple[int, float]:
    """Return the dial and the value of `DIAL=VALUE`."""
    name, _, value = text.partition("=")
    if (dial := DIAL_OF.get(name.replace("_", "-"))) is None:
        msg = f"no dial {name!r}; choose from {', '.join(sorted(DIAL_OF))}"
        raise argparse.ArgumentTypeError(msg)
    try:
        return dial, float(value)
    except ValueError:
        msg = f"the dial {name} needs a number, not {value!r}"
        raise argparse.ArgumentTypeError(msg) from None


def start_of(rules: Rules, policies: Sequence[BuiltInPolicy]) -> Cell:
    """Return the cell with which all these policies begin, those with changed dials as without."""
    return shared_first_cell(rules, [policy.name.partition(":")[0] for policy in policies])


class Mean(NamedTuple):
    """A mean and half the width of its interval."""

    mean: float
    half: float

    @classmethod
    def of(cls, values: NDArray[np.float64]) -> Mean:
        """Return the mean of independent values."""
        scatter = float(values.std(ddof=1)) if len(values) > 1 else math.inf
        return cls(float(values.mean()), Z_95 * scatter / math.sqrt(len(values)))

    def __str__(self) -> str:
        return f"{100 * self.mean:+.3f} ± {100 * self.half:.3f} points"


class PlayedGames(NamedTuple):
    """The games of one policy: won or not, the luck of the guesses, the chance to survive them."""

    won: NDArray[np.float64]
    luck: NDArray[np.float64]
    survival: NDArray[np.float64]
    seconds: float


def play(rules: Rules, policy: Policy, start: Cell, seed: int, games: int) -> PlayedGames:
    """Play the boards of a study, by the kernel of studies, which is compiled if it is loaded."""
    player = policy_by_name(policy) if isinstance(policy, str) else policy
    arrays = PlayerArrays()
    set_policy(arrays, player)
    kernel: Any = STUDY_KERNELS.compiled_kernel("survival_of_seed") or (
        simulated_games.survival_of_seed
    )
    free = np.zeros(rules.cells, np.uint8)
    free[guaranteed_safe_cells(rules, start)] = 1
    dealt = np.zeros(rules.cells, np.uint8)
    padded = np.zeros((rules.height + 2) * (rules.width + 2), np.uint8)
    room = (np.zeros(rules.cells, np.uint64), np.zeros(counts_size(rules.cells), np.int64))
    generator, result = np.zeros(WORDS, np.uint64), np.zeros(simulated_games.RESULTS, np.int64)
    place = advise.PaddedBoard(rules.height, rules.width).padded_index(start)
    found = np.zeros((3, games))
    begun = time.process_time()
    for index in range(games):
        number = game_seed(seed, index)
        with np.errstate(over="ignore"):
            survival = kernel(
                np.uint64(number & LOW_64_BITS), np.uint64(number >> 64), rules.height,
                rules.width, rules.mines, place, player.number, free, dealt, padded, *room,
                generator, result, arrays.work, arrays.values, arrays.hints,
            )  # fmt: skip
        # A board beyond the kernels counts as lost by both; none has been seen.
        found[:, index] = result[simulated_games.WON], arrays.values[offsets.LUCK], survival
    return PlayedGames(found[0], found[1], found[2], time.process_time() - begun)


def difference_less_luck(one: PlayedGames, other: PlayedGames) -> Mean:
    """Return by how much the first policy wins more, with the luck of the guesses taken out."""
    wins, luck = one.won - other.won, one.luck - other.luck
    scatter = float(luck @ luck)
    return Mean.of(wins - (float(wins @ luck) / scatter if scatter else 0.0) * luck)


class Gain(NamedTuple):
    """What one choice gained over the other policy's, and the stage of the game."""

    stage: int
    share: float


def gains_of_game(
    rules: Rules, policies: Sequence[Policy], by: Policy, start: Cell, seed: int, playouts: int
) -> Iterator[Gain]:
    """Play a board by the first policy; yield what its choices gain over those of the second."""
    one, other = policies
    random = np.random.default_rng(seed)
    for faces, cell in guesses_of_game(rules, one, start, seed):
        asked = advise.policy_choice(faces, rules.mines, other)
        if asked is not None and asked != cell:
            share = share_won_more(faces, rules.mines, (cell, asked), by, random, playouts)
            yield Gain(stage_of(faces, rules.mines), share)


def guesses_of_game(
    rules: Rules, policy: Policy, start: Cell, seed: int
) -> Iterator[tuple[NDArray[np.uint8], Cell]]:
    """Play a board by a policy; yield what it sees before each guess, and the cell it opens."""
    game = demine.Game(rules, seed)
    game.open(*start)
    while not game.status.over:
        faces = sight(game)
        choice = advise.policy_choice_and_risk(faces, rules.mines, policy)
        if choice is None:
            return
        cell, risk = choice
        if risk > 0.0:
            yield faces, cell
            game.open(*cell)
            continue
        for safe in {cell, *known_safe_cells(faces)}:
            # An opening may have opened it.
            if not game.board.open_map[safe]:
                game.open(*safe)


def known_safe_cells(faces: NDArray[np.uint8]) -> list[Cell]:
    """Return the cells that the player asked last knows to be safe."""
    height, width = faces.shape
    arrays, _ = advise._thread_arrays()  # noqa: SLF001 - asked cell by cell, all this takes longer
    kinds = arrays.work[offsets.KIND : offsets.KIND + (height + 2) * (width + 2)]
    inner = kinds.reshape(height + 2, width + 2)[1:-1, 1:-1]
    return [(int(row), int(col)) for row, col in np.argwhere(inner == offsets.SAFE)]


def share_won_more(
    faces: NDArray[np.uint8],
    mines: int,
    cells: Sequence[Cell],
    by: Policy,
    random: np.random.Generator,
    playouts: int,
) -> float:
    """Return how many more of the layouts drawn the first cell wins, as a share."""
    rows = random.random((playouts, 3 * faces.size + 1))
    won = np.zeros((playouts, len(cells)), np.int64)
    places = advise.padded_indices(cells, advise.PaddedBoard(*faces.shape))
    advise.run_task(advice_tasks.PLAYOUTS, faces, mines, by, places, won, rows)
    return float((won[:, 0] - won[:, 1]).mean())


def stage_of(faces: NDArray[np.uint8], mines: int) -> int:
    """Return the stage of a position, an index into `STAGES`."""
    logs = advise.run_task(advice_tasks.LOG_LAYOUTS, faces, mines, "fast")
    if logs <= math.log(DEEP_LAYOUTS + 0.5):
        return 3
    opened = float((faces <= advice_tasks.LAST_NUMBER).mean())
    return int(opened > EARLY) + int(opened > MIDDLE)


def main() -> None:
    """Play, and print what one policy wins more."""
    parser = argparse.ArgumentParser(description="What one policy wins more than another.")
    parser.add_argument(
        "policies", nargs=2, type=policy_with_dials, metavar="POLICY[:DIAL=VALUE,...]"
    )
    parser.add_argument("--rules", default="30x16/99")
    parser.add_argument("--first", choices=("safe", "zero"), default="safe")
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--values", type=int, default=0, metavar="PLAYOUTS")
    parser.add_argument(
        "--by", type=policy_with_dials, help="who plays on; the second policy by default"
    )
    arguments = parser.parse_args()
    rules = Rules.parse(f"{arguments.rules} first={arguments.first}")
    start = start_of(rules, arguments.policies)
    if arguments.values:
        print_values(rules, start, arguments)
    else:
        print_games(rules, start, arguments)


def print_games(rules: Rules, start: Cell, arguments: argparse.Namespace) -> None:
    """Have both policies play all boards."""
    STUDY_KERNELS.load()
    played = [
        play(rules, policy, start, arguments.seed, arguments.games) for policy in arguments.policies
    ]
    for policy, games in zip(arguments.policies, played, strict=True):
        print(
            f"{policy.name}: won {games.won.sum():.0f} of {len(games.won)},"
            f" {len(games.won) / games.seconds:.0f} games per CPU second"
        )
    one, other = played
    unlike = np.flatnonzero((one.survival != other.survival) | (one.luck != other.luck))
    print(f"risks unlike in {100 * len(unlike) / arguments.games:.1f} % of the games")
    print("more wins:", Mean.of(one.won - other.won))
    print("less luck:", difference_less_luck(one, other))


def print_values(rules: Rules, start: Cell, arguments: argparse.Namespace) -> None:
    """Have the first policy play, and value where the second would choose otherwise."""
    advise.load_kernels()
    by = arguments.by or arguments.policies[1]
    by_stage = np.zeros((arguments.games, len(STAGES)))
    times = np.zeros(len(STAGES), np.int64)
    begun = time.process_time()
    for index in range(arguments.games):
        seed = game_seed(arguments.seed, index)
        for gain in gains_of_game(rules, arguments.policies, by, start, seed, arguments.values):
            by_stage[index, gain.stage] += gain.share
            times[gain.stage] += 1
    for stage, name in enumerate(STAGES):
        print(f"{name}: {times[stage]} choices differ, {Mean.of(by_stage[:, stage])}")
    print("in all:", Mean.of(by_stage.sum(axis=1)))
    print(f"{(time.process_time() - begun) / arguments.games * 1000:.1f} CPU ms a game")


if __name__ == "__main__":
    main()
