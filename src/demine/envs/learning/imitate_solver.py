"""A network learns the exact probability of a mine in each cell, and plays by the least one.

    python -m demine.envs.learning.imitate_solver --board beginner --minutes 60 --save beginner.npz

Round by round games are played, half of them by the network, the exact solver says how likely a
mine is in each cell of every position, and the network learns that from each position once.
Minutes are those of the processor spent on it. Ctrl+C ends early; with the same `--save` the next
run goes on where the last one ended, exactly as if it had not. At the end it is told how many
boards the network wins beside random play and beside demine's policy `fast`, which plays by the
same probabilities.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, cast

import jax
import jax.numpy as jnp
import numpy as np
import optax

from demine.envs.learning.evaluation import (
    UNSEEN_SEED,
    rules_of_text,
    win_rate,
    win_rate_table,
)
from demine.envs.learning.labelled_positions import (
    LabelledPositions,
    least_risky_player,
    play_and_label,
    symmetry_count,
)
from demine.envs.learning.network import BLOCKS, CHANNELS, Network, cell_values, initial_network
from demine.envs.learning.parameter_file import read_tree, write_tree
from demine.logic.errors import DemineError
from demine.logic.rules import Rules

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from demine.envs.learning.evaluation import ChooseActions

BATCH: Final = 128
"""How many positions a step learns from."""
AVERAGED_STEPS: Final = 1000
"""The network that plays is the average of the last ones, over about so many steps."""
HELD_OUT: Final = 2000
"""How many positions its error is measured on."""
_OPTIMIZER: Final = optax.chain(
    optax.clip_by_global_norm(1.0),
    optax.adam(
        optax.join_schedules(
            [
                optax.linear_schedule(0.0, 2e-3, 300),
                lambda step: 2e-3 / jnp.sqrt(1 + step / 5000),
            ],
            [300],
        )
    ),
)


class Training(NamedTuple):
    """All that a round of training changes: what is saved, and gone on from."""

    network: Network
    average: Network
    """The average of the last networks, which plays better than any one of them."""
    optimizer: optax.OptState
    steps: NDArray[np.int64]
    rounds: NDArray[np.int64]
    positions: NDArray[np.int64]
    """How many positions it has learned from."""
    minutes: NDArray[np.float64]
    """How many minutes of the processor that took."""

    @classmethod
    def begun(cls, seed: int, channels: int, blocks: int) -> Training:
        """Return training that has not begun: random parameters."""
        network, optimizer = _initial(jax.random.key(seed), channels, blocks)
        zero = np.zeros((), np.int64)
        return cls(network, network, optimizer, zero, zero, zero, np.zeros(()))


@partial(jax.jit, static_argnums=(1, 2))  # compiled in one piece: that takes a third of the time
def _initial(key: jax.Array, channels: int, blocks: int) -> tuple[Network, optax.OptState]:
    network = initial_network(key, channels, blocks)
    return network, _OPTIMIZER.init(network)


class Score(NamedTuple):
    """How well a network does, its fields the columns of the learning curve."""

    minutes: float
    positions: int
    error: float
    """The mean absolute error of its probabilities on held-out positions."""
    won: int
    boards: int


# ----- Learning


def train_one_round(
    training: Training, rules: Rules, *, positions: int, seed: int
) -> tuple[Training, float]:
    """Return the training after another round of it, and its mean loss (see `imitation_loss`).

    About so many positions are played, by boards that depend on the seed and on the round.
    """
    started = time.process_time()
    boards = max(2, positions // max(1, rules.safe_cells))
    random = np.random.default_rng((seed, int(training.rounds)))
    student = least_value_player(training.average, rules)
    played = play_and_label(rules, student, boards=boards, seed=int(random.integers(1 << 31)))
    order = random.permutation(len(played.faces))
    # JAX compiles for one size, so the rest that fills no batch is left out.
    ends = range(0, max(1, len(order) - BATCH + 1), BATCH)
    parts = [order[at : at + BATCH] for at in ends]
    losses = []
    network, average, optimizer, steps, *_ = training
    for part in parts:
        batch = played.part(part).transformed(int(random.integers(symmetry_count(rules))))
        network, average, optimizer, loss = _learn(
            network, average, optimizer, steps, *batch, rules.mines
        )
        steps = steps + 1
        losses.append(loss)
    mean = float(np.mean(losses))
    minutes = training.minutes + (time.process_time() - started) / 60
    rounds, learned = training.rounds + 1, training.positions + sum(map(len, parts))
    return Training(network, average, optimizer, steps, rounds, learned, minutes), mean


def imitation_loss(
    network: Network, faces: jax.Array, probability: jax.Array, mines: int
) -> jax.Array:
    """Return how far the network's probabilities are from exact ones: 0 if they are the same.

    It is the Kullback-Leibler divergence in nats, the mean over the covered cells of a position,
    and then over the positions.
    """
    covered = ~jnp.isnan(probability)
    exact = jnp.where(covered, probability, 0.0)
    values = cell_values(network, faces, mines)
    cross = optax.sigmoid_binary_cross_entropy(values, exact)
    entropy = -(
        jax.scipy.special.xlogy(exact, exact) + jax.scipy.special.xlogy(1 - exact, 1 - exact)
    )
    each = jnp.where(covered, cross - entropy, 0.0).sum((1, 2)) / covered.sum((1, 2))
    return each.mean()


@jax.jit
def _learn(
    network: Network,
    average: Network,
    optimizer: optax.OptState,
    steps: jax.Array,
    faces: jax.Array,
    probability: jax.Array,
    mines: int,
) -> tuple[Network, Network, optax.OptState, jax.Array]:
    """Return network, average and optimizer after a step on a batch, and the loss before it."""
    loss, slope = jax.value_and_grad(imitation_loss)(network, faces, probability, mines)
    updates, optimizer = _OPTIMIZER.update(slope, optimizer, network)
    network = cast("Network", optax.apply_updates(network, updates))
    # The first networks are forgotten sooner, since they know nothing.
    share = jnp.maximum(1 / AVERAGED_STEPS, 10 / (10 + steps))
    average = optax.incremental_update(network, average, share)
    return network, average, optimizer, loss


# ----- Playing


_cell_values = jax.jit(cell_values)


def least_value_player(network: Network, rules: Rules) -> ChooseActions:
    """Return the way to play that opens the cell for which a network has the least value."""

    def choose(faces: NDArray[np.uint8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        actions = np.zeros(len(faces), np.int64)
        playing = np.flatnonzero(masks.any(axis=1))
        values = network_values(network, faces[playing], rules).reshape(-1, rules.cells)
        actions[playing] = np.where(masks[playing] != 0, values, np.inf).argmin(axis=1)
        return actions

    return choose


def network_values(network: Network, faces: NDArray[np.uint8], rules: Rules) -> NDArray[np.float32]:
    """Return what a network says of any number of positions, in batches of few sizes.

    JAX compiles once for each size that it meets.
    """
    size = min(BATCH, max(16, 1 << (len(faces) - 1).bit_length()))
    padded = np.zeros((-(-len(faces) // size) * size, *rules.shape), np.uint8)
    padded[: len(faces)] = faces
    parts = [
        _cell_values(network, padded[at : at + size], rules.mines)
        for at in range(0, len(padded), size)
    ]
    values = np.concatenate([np.zeros((0, *rules.shape), np.float32), *parts])
    return values[: len(faces)]


def mean_absolute_error(network: Network, positions: LabelledPositions, rules: Rules) -> float:
    """Return the mean error of a network's probabilities on the covered cells of positions."""
    guessed = np.asarray(jax.nn.sigmoid(network_values(network, positions.faces, rules)))
    return float(np.nanmean(np.abs(guessed - positions.probability)))


# ----- The program


def main(words: Sequence[str] | None = None) -> int:
    """Train as the arguments say, and print how well the network plays; returns the exit code."""
    args = _parser().parse_args(words)
    try:
        rules = rules_of_text(args.board)
        training = Training.begun(args.seed, args.channels, args.blocks)
        if args.save is not None and args.save.exists():
            training = read_tree(args.save, training)
        training = _train(training, rules, args)
        _print_scores(training, rules, args)
    except (DemineError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m demine.envs.learning.imitate_solver",
        description="Train a network on the exact solver's probabilities, and see how it plays.",
    )
    add = parser.add_argument
    add("--board", default="beginner", help="beginner, intermediate, expert or rules: 6x6/6")
    add("--minutes", type=float, default=10.0, help="minutes of the processor in all")
    add("--rounds", type=_count, default=sys.maxsize, help="rounds of play and learning in all")
    add("--positions", type=_count, default=20_000, help="about how many a round has")
    add("--seed", type=_count, default=1, help="of the network and the boards it learns on")
    add("--save", type=Path, help="a file (.npz) for all that training changes; gone on from")
    add("--curve", type=Path, help="a file (.csv) that gets a line whenever the network is tried")
    add("--judged", type=_count, default=5000, help="how many boards the ways to play are tried on")
    add("--channels", type=_count, default=CHANNELS, help="of the network")
    add("--blocks", type=_count, default=BLOCKS, help="of the network, of two convolutions each")
    return parser


def _count(text: str) -> int:
    if (count := int(text)) < 1:
        raise argparse.ArgumentTypeError(f"{count} is less than 1")
    return count


def _train(training: Training, rules: Rules, args: argparse.Namespace) -> Training:
    """Return the training after all rounds that the arguments want, or those before Ctrl+C."""
    started, before = time.monotonic(), float(training.minutes)
    next_try = _next_try(before)
    # What cannot be written is told before the work, not after it.
    _save(training, args.save)
    if args.curve is not None and not args.curve.exists():
        _note_score(training, rules, args)
    try:
        while training.minutes < args.minutes and training.rounds < args.rounds:
            training, loss = train_one_round(
                training, rules, positions=args.positions, seed=args.seed
            )
            _save(training, args.save)
            _show_progress(training, loss, args.minutes, time.monotonic() - started, before)
            if training.minutes >= next_try:
                next_try = _next_try(float(training.minutes))
                _note_score(training, rules, args)
    except KeyboardInterrupt:
        print("\nended early", file=sys.stderr)
        _save(training, args.save)  # the interrupt may have come before the round was saved
    _note_score(training, rules, args)
    return training


def _next_try(minutes: float) -> float:
    """Return after how many minutes the network is tried next: more and more seldom."""
    return max(minutes + 2, minutes * 1.4)


def _save(training: Training, path: Path | None) -> None:
    if path is not None:
        write_tree(path, training)


def _show_progress(
    training: Training, loss: float, minutes: float, seconds: float, before: float
) -> None:
    """Show where training is on a line that the next one replaces."""
    done = float(training.minutes)
    left = (minutes - done) * seconds / (done - before) / 60
    line = (
        f"{done:.1f} of {minutes:g} min: {training.positions} positions, loss {loss:.5f}, "
        f"{max(0.0, left):.0f} min left"
    )
    print(f"\r{line:<75}", end="", file=sys.stderr, flush=True)


def _note_score(training: Training, rules: Rules, args: argparse.Namespace) -> None:
    """Add the score of the network to the learning curve."""
    if args.curve is None:
        return
    score = score_network(training, rules, args.judged)
    begins = not args.curve.exists()
    with args.curve.open("a", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        if begins:
            writer.writerow(Score._fields)
        writer.writerow([f"{score.minutes:.2f}", score.positions, f"{score.error:.5f}", *score[3:]])


def score_network(training: Training, rules: Rules, boards: int) -> Score:
    """Return how well the averaged network does on boards that it has never learned from."""
    error = mean_absolute_error(training.average, _held_out(rules), rules)
    player = least_value_player(training.average, rules)
    rate = win_rate(rules, player, boards=boards, seed=UNSEEN_SEED)
    return Score(float(training.minutes), int(training.positions), error, rate.won, rate.boards)


def _held_out(rules: Rules) -> LabelledPositions:
    """Return positions of the exact solver's play that no network learns from."""
    boards = -(-2 * HELD_OUT // rules.safe_cells)
    played = play_and_label(rules, None, boards=boards, seed=UNSEEN_SEED)
    which = np.random.default_rng(0).permutation(len(played.faces))[:HELD_OUT]
    return played.part(which)


def _print_scores(training: Training, rules: Rules, args: argparse.Namespace) -> None:
    """Print the network's error, and the share of boards it wins beside other ways to play."""
    error = mean_absolute_error(training.average, _held_out(rules), rules)
    print(f"\nmean absolute error of the probabilities: {error:.4f}")
    players = {
        "learned": least_value_player(training.average, rules),
        "exact": least_risky_player(rules, UNSEEN_SEED),
    }
    for line in win_rate_table(rules, players, boards=args.judged, seed=UNSEEN_SEED):
        print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
