"""Masked PPO on Minesweeper in JAX: it learns from games alone, without the solver.

    python -m demine.envs.learning.masked_ppo --board 6x6/5 --save ppo.npz

plays many boards at once, and prints at the end how often what was learned wins, beside random play
and demine's policy `fast` on the same boards. Ctrl+C ends training early; with the same options the
next run goes on with the file, and comes to exactly the weights of a run without the break.

The method is PPO (J. Schulman et al., "Proximal policy optimization algorithms", 2017) with
generalised advantages (the same, 2016). The policy is a softmax over the cells that may be opened
(S. Huang and S. Ontañón, "A closer look at invalid action masking", 2020). One fully convolutional
network of `demine.envs.learning.network` serves the policy and the critic, which pools its cells.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from dataclasses import dataclass, field, fields
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax
from gymnasium.vector import AutoresetMode

from demine.envs.learning.evaluation import UNSEEN_SEED, rules_of_text, win_rate_table
from demine.envs.learning.network import Network, cell_features, initial_network
from demine.envs.learning.parameter_file import read_tree, write_tree
from demine.envs.vector_env import MinesweeperVectorEnv
from demine.logic.errors import DemineError
from demine.logic.rules import Rules

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from demine.envs.learning.evaluation import ChooseActions

REPORT_SECONDS: Final = 5.0
_FORBIDDEN: Final = -1e9
"""The logit of a cell that may not be opened: its probability is exactly 0."""
_LARGEST_GRADIENT: Final = 0.5
_OPTIMIZER: Final = optax.chain(
    optax.clip_by_global_norm(_LARGEST_GRADIENT), optax.scale_by_adam(eps=1e-5)
)


def _setting(default: float | str, about: str) -> Any:  # noqa: ANN401 - as `field` has it
    return field(default=default, metadata={"help": about})


@dataclass(frozen=True, slots=True)
class Settings:
    """What is learned, and how; each is an option of the command line."""

    board: str = _setting("6x6/5", "the rules of the games, any text of them")
    seed: int = _setting(1, "everything random depends on this number")
    steps: int = _setting(1_000_000, "how many cells are opened in training, about")
    boards: int = _setting(512, "how many boards are played at once")
    length: int = _setting(16, "how many steps on each board lie between two updates")
    epochs: int = _setting(2, "how often an update goes through its steps")
    minibatch: int = _setting(128, "how many steps a gradient is computed from")
    rate: float = _setting(1e-3, "the learning rate at the start; it falls to 0 in a line")
    gamma: float = _setting(0.5, "what a reward one step later is worth")
    trace: float = _setting(0.9, "the lambda of generalised advantages")
    clip: float = _setting(0.2, "how far the probability of an action may change in an update")
    entropy: float = _setting(0.01, "the weight of the entropy bonus")
    reward: str = _setting("win_loss", "the reward of the environment, by its name")
    channels: int = _setting(32, "the width of the network")
    blocks: int = _setting(2, "the residual blocks of the network")

    @property
    def steps_of_update(self) -> int:
        """How many steps are played for one update."""
        return self.boards * self.length

    @property
    def updates(self) -> int:
        """How many updates training has, at least one."""
        return max(1, round(self.steps / self.steps_of_update))


class ActorCritic(NamedTuple):
    """The parameters of the policy and of the critic on the same network."""

    actor: Network
    critic: jax.Array
    """float32 `(2 * channels + 1,)`: weights of the mean and of the maximum over the board, and one
    number more."""


class Training(NamedTuple):
    """Everything that training goes on from."""

    model: ActorCritic
    optimizer: Any
    updates: NDArray[np.int64]
    """How many updates have been made, one number."""


class Steps(NamedTuple):
    """Steps that were played, with a leading axis, or two: those of a board, and boards."""

    faces: NDArray[np.uint8]
    masks: NDArray[np.int8]
    actions: NDArray[np.int64]
    log_chances: NDArray[np.float32]
    """The logarithm of how likely the policy chose the action."""
    advantages: NDArray[np.float32]
    returns: NDArray[np.float32]
    """What the critic should have said."""


class Report(NamedTuple):
    """What an update was made from."""

    games: int
    won: int


def initial_training(settings: Settings) -> Training:
    """Return a model that has learned nothing."""
    actor = initial_network(jax.random.key(settings.seed), settings.channels, settings.blocks)
    model = ActorCritic(actor, jnp.zeros(2 * settings.channels + 1))
    return Training(model, _OPTIMIZER.init(model), np.array(0))


def train(settings: Settings, training: Training) -> Iterator[tuple[Training, Report]]:
    """Yield the training after each update, and what that was made from.

    An update plays boards of its own from their beginning, and depends on the model, the settings
    and its number alone: so training can be broken off and resumed after any of them.
    """
    env = MinesweeperVectorEnv(
        settings.boards,
        settings.board,
        reward=settings.reward,
        autoreset_mode=AutoresetMode.SAME_STEP,
    )
    for update in range(int(training.updates), settings.updates):
        steps, report = play(env, training.model, settings, update)
        training = improve(training, steps, settings)
        yield training, report


def play(
    env: MinesweeperVectorEnv, model: ActorCritic, settings: Settings, update: int
) -> tuple[Steps, Report]:
    """Play the boards of an update by the policy, which tries things; count the games that ended.

    A step that ends a game shows the next game's board: SAME_STEP. So every step is an action of
    the policy, and `ended` says where the future begins anew.
    """
    rows: list[tuple[Any, ...]] = []
    won = 0
    faces, infos = env.reset(seed=_first_seed(settings, update))
    key = jax.random.fold_in(jax.random.key(settings.seed), update)
    for step_key in jax.random.split(key, settings.length):
        masks = infos["action_mask"]
        actions, log_chances, values = map(
            np.asarray, act(model, step_key, faces, masks, env.rules.mines)
        )
        seen = faces
        faces, rewards, ended, _, infos = env.step(actions)
        rows.append((seen, masks, actions, log_chances, values, rewards, ended))
        won += int(infos["final_info"]["is_success"].sum()) if ended.any() else 0
    seen, masks, actions, log_chances, values, rewards, ended = map(
        np.stack, zip(*rows, strict=True)
    )
    last = np.asarray(act(model, key, faces, infos["action_mask"], env.rules.mines)[2])
    gains = advantages(rewards, np.vstack([values, last]), ended, settings.gamma, settings.trace)
    steps = Steps(seen, masks, actions, log_chances, gains, gains + values)
    return steps, Report(int(ended.sum()), won)


def advantages(
    rewards: NDArray[np.float64],
    values: NDArray[np.float32],
    ended: NDArray[np.bool_],
    gamma: float,
    trace: float,
) -> NDArray[np.float32]:
    """Return how much better each action was than the critic thought, float32 `(steps, boards)`.

    `rewards` and `ended` have that shape, `values` a step more: what the critic says before each
    step, and after the last one. What comes after the end of a game counts for nothing.
    """
    gains = np.zeros_like(values)
    for step in reversed(range(len(rewards))):
        goes_on = gamma * ~ended[step]
        surprise = rewards[step] + goes_on * values[step + 1] - values[step]
        gains[step] = surprise + goes_on * trace * gains[step + 1]
    return gains[:-1]


def improve(training: Training, steps: Steps, settings: Settings) -> Training:
    """Return the training after an update by steps that its model has played."""
    update = int(training.updates)
    rate = settings.rate * (1 - update / settings.updates)
    shuffle = np.random.default_rng([settings.seed, update])
    flat = jax.tree.map(lambda each: each.reshape(-1, *each.shape[2:]), steps)
    model, optimizer = training.model, training.optimizer
    mines = Rules.of(settings.board).mines
    for _ in range(settings.epochs):
        order = shuffle.permutation(len(flat.actions))
        for at in range(0, len(order), settings.minibatch):
            chosen = order[at : at + settings.minibatch]
            part = jax.tree.map(lambda each, chosen=chosen: each[chosen], flat)
            model, optimizer = _descend(
                model, optimizer, part, mines, rate, settings.clip, settings.entropy
            )
    return Training(model, optimizer, np.array(update + 1))


@jax.jit
def act(
    model: ActorCritic,
    key: jax.Array,
    faces: NDArray[np.uint8],
    masks: NDArray[np.int8],
    mines: int,
) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Return an action drawn by the policy on each board, its log chance, and the value."""
    log_policy, values = log_policy_and_values(model, faces, masks, mines)
    actions = jax.random.categorical(key, log_policy)
    return actions, _of_actions(log_policy, actions), values


@jax.jit
def best_cells(
    model: ActorCritic, faces: NDArray[np.uint8], masks: NDArray[np.int8], mines: int
) -> jax.Array:
    """Return the action that the policy thinks most of, on each board."""
    return log_policy_and_values(model, faces, masks, mines)[0].argmax(1)


def log_policy_and_values(
    model: ActorCritic, faces: NDArray[np.uint8], masks: NDArray[np.int8], mines: int
) -> tuple[jax.Array, jax.Array]:
    """Return the log chances of all actions, `(boards, actions)`, and the values, `(boards,)`."""
    features = cell_features(model.actor, faces, mines)
    logits = (features @ model.actor.head + model.actor.bias).reshape(masks.shape)
    log_policy = jax.nn.log_softmax(jnp.where(masks != 0, logits, _FORBIDDEN))
    pooled = jnp.concatenate([features.mean((1, 2)), features.max((1, 2))], -1)
    return log_policy, pooled @ model.critic[:-1] + model.critic[-1]


def loss(
    model: ActorCritic, steps: Steps, mines: int, clip: float, entropy_weight: float
) -> jax.Array:
    """Return what PPO makes small: the clipped objective, the critic's error, less entropy."""
    log_policy, values = log_policy_and_values(model, steps.faces, steps.masks, mines)
    ratio = jnp.exp(_of_actions(log_policy, steps.actions) - steps.log_chances)
    gains = (steps.advantages - steps.advantages.mean()) / (steps.advantages.std() + 1e-8)
    objective = jnp.minimum(ratio * gains, jnp.clip(ratio, 1 - clip, 1 + clip) * gains).mean()
    error = jnp.square(values - steps.returns).mean() / 2
    entropy = -(jnp.exp(log_policy) * log_policy).sum(1).mean()
    return error - objective - entropy_weight * entropy


@jax.jit
def _descend(
    model: ActorCritic,
    optimizer: Any,  # noqa: ANN401 - the state of Optax
    steps: Steps,
    mines: int,
    rate: float,
    clip: float,
    entropy_weight: float,
) -> tuple[ActorCritic, Any]:
    slopes = jax.grad(loss)(model, steps, mines, clip, entropy_weight)
    changes, optimizer = _OPTIMIZER.update(slopes, optimizer)
    return jax.tree.map(lambda old, change: old - rate * change, model, changes), optimizer


def _of_actions(log_policy: jax.Array, actions: jax.Array | NDArray[np.int64]) -> jax.Array:
    return jnp.take_along_axis(log_policy, actions[:, None], 1)[:, 0]


def _first_seed(settings: Settings, update: int) -> int:
    """Return the seed of the first board of an update; no other update has a board of it."""
    return 2 * UNSEEN_SEED * (1 + settings.seed) + update * settings.boards


def greedy(model: ActorCritic, rules: Rules) -> ChooseActions:
    """Return the way to play of a model: the action that its policy thinks most of."""

    def choose(faces: NDArray[np.uint8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        return np.asarray(best_cells(model, faces, masks, rules.mines), np.int64)

    return choose


class Progress:
    """Prints how training goes, every few seconds; `games` and `won` are since the last line."""

    def __init__(self, settings: Settings, done: int) -> None:
        self._settings = settings
        self._begun_at = done
        self._begun = self._told = time.monotonic()
        self._games = self._won = 0

    def update(self, done: int, report: Report) -> bool:
        """Count an update, `done` is how many there are now; return whether a line was printed."""
        self._games += report.games
        self._won += report.won
        now = time.monotonic()
        if now - self._told < REPORT_SECONDS and done < self._settings.updates:
            return False
        per_update = (now - self._begun) / (done - self._begun_at)
        size, left = self._settings.steps_of_update, self._settings.updates - done
        print(
            f"{done * size:>12,} steps {size / per_update:>8,.0f} a second"
            f"   won {self._won / max(1, self._games):6.1%} of {self._games:,} games"
            f"   {timedelta(seconds=round(left * per_update))} left",
            flush=True,
        )
        self._told, self._games, self._won = now, 0, 0
        return True


def run(settings: Settings, save: Path | None, judged: int) -> None:
    """Train, print the progress, save, and print win rates on `judged` boards."""
    rules = rules_of_text(settings.board)
    training = initial_training(settings)
    if save is not None:
        training = _training_of_file(save, training)
    size = settings.steps_of_update
    print(f"masked PPO on {rules}, seed {settings.seed}: {settings.updates * size:,} steps")
    progress = Progress(settings, int(training.updates))
    try:
        for trained, report in train(settings, training):
            training = trained
            if progress.update(int(training.updates), report) and save is not None:
                write_tree(save, training)
    except KeyboardInterrupt:
        print("ended early")
    minutes = time.process_time() / 60
    print(f"{int(training.updates) * size:,} steps; this run took {minutes:.1f} processor minutes")
    if save is not None:
        write_tree(save, training)
        print(f"saved in {save}")
    for line in win_rate_table(rules, {"learned": greedy(training.model, rules)}, boards=judged):
        print(line, flush=True)


def _training_of_file(path: Path, initial: Training) -> Training:
    """Return the training of a file, or begin the file; raises `OSError` and `DemineError`."""
    if path.exists():
        return read_tree(path, initial)
    # What cannot be written is better known before training than after it.
    write_tree(path, initial)
    return initial


def main(arguments: Sequence[str] | None = None) -> int:
    """Train as the command line says; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m demine.envs.learning.masked_ppo",
        description="Learn Minesweeper by masked PPO, and compare with random play and `fast`.",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    for each in fields(Settings):
        kind = type(each.default)
        number = {int: _positive_integer, float: _finite_number}.get(kind, kind)
        parser.add_argument(
            f"--{each.name}", type=number, default=each.default, help=each.metadata["help"]
        )
    parser.add_argument("--save", type=Path, metavar="FILE.npz", help="keep the training there")
    parser.add_argument(
        "--judged", type=_positive_integer, default=4096, help="how many boards are judged"
    )
    given = vars(parser.parse_args(arguments))
    save, judged = given.pop("save"), given.pop("judged")
    try:
        run(Settings(**given), save, judged)
    except (DemineError, OSError) as error:
        print(f"masked_ppo: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


def _positive_integer(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


def _finite_number(text: str) -> float:
    number = float(text)
    if not math.isfinite(number) or number < 0:
        raise ValueError(text)
    return number


if __name__ == "__main__":
    sys.exit(main())
