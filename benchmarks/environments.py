"""Environments for learning: steps a second through the public `VectorEnv.step`, beside Jumanji.

Both play random legal actions and begin anew by themselves; choosing actions is left out. Jumanji
(JAX, compiled for the processor) opens one cell a step where a game would open an opening.
"""

from __future__ import annotations

import time
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.measure import Row, Run, module_or_none
from demine.envs import MinesweeperEnv, MinesweeperVectorEnv
from demine.logic.rules import Rules

BOARDS: Final = ((Rules(10, 10, 10), 40.0), (Rules(30, 16, 99), 200.0))
"""The boards, and how many times as fast as Jumanji's best batch demine means to be."""
BATCHES: Final = (1, 128, 1024, 8192)
PEER_BATCHES: Final = (128, 1024)
PEER_STEPS: Final = 30
SINGLE_STEPS: Final = 20_000


def rows(run: Run) -> list[Row]:
    """Return the steps a second of every board and batch."""
    found = []
    for rules, goal in BOARDS:
        theirs = max((jumanji_speed(rules, batch, run) for batch in PEER_BATCHES), default=0.0)
        peer = {"peer": "Jumanji's best batch", "theirs": theirs, "goal": goal} if theirs else {}
        for batch in BATCHES:
            ours = vector_speed(rules, batch, run)
            what = f"{rules.width}x{rules.height}/{rules.mines}, {batch:,} boards"
            told = peer if batch >= 1024 else {**peer, "goal": None}
            found.append(Row(what, ours, "steps/s", more_is_better=True, **told))  # type: ignore[arg-type]
        found.append(single_row(rules, run))
    return found


def vector_speed(rules: Rules, batch: int, run: Run) -> float:
    """Return the steps a second of many boards, those of the quickest turn."""
    envs = MinesweeperVectorEnv(batch, rules)
    random = np.random.default_rng(1)
    _, infos = envs.reset(seed=1)
    steps = max(5, run.often(200_000) // batch)
    best = 0.0
    for _ in range(5):
        seconds = 0.0
        for _ in range(steps):
            actions = legal_actions(infos["action_mask"], random)
            begin = time.perf_counter()
            _, _, _, _, infos = envs.step(actions)
            seconds += time.perf_counter() - begin
        best = max(best, steps * batch / seconds)
    return best


def single_row(rules: Rules, run: Run) -> Row:
    """Return the steps a second of one board, without wrappers, resets included."""
    env = MinesweeperEnv(rules)
    random = np.random.default_rng(1)
    actions = random.integers(rules.cells, size=run.often(SINGLE_STEPS)).tolist()
    best = 0.0
    for _ in range(5):
        env.reset(seed=1)
        begin = time.perf_counter()
        for action in actions:
            if env.step(action)[2]:
                env.reset()
        best = max(best, len(actions) / (time.perf_counter() - begin))
    what = f"{rules.width}x{rules.height}/{rules.mines}, `MinesweeperEnv`, any actions"
    return Row(what, best, "steps/s", more_is_better=True)


def legal_actions(masks: NDArray[np.int8], random: np.random.Generator) -> NDArray[np.int64]:
    """Return a random legal action of each board; any where none is legal."""
    count, size = masks.shape
    chosen: NDArray[np.int64] = random.integers(size, size=(count,))
    wrong = np.flatnonzero(masks[np.arange(count), chosen] == 0)
    wrong = wrong[masks[wrong].any(axis=1)]
    while wrong.size:
        chosen[wrong] = random.integers(size, size=(wrong.size,))
        wrong = wrong[masks[wrong, chosen[wrong]] == 0]
    return chosen


def jumanji_speed(rules: Rules, batch: int, run: Run) -> float:
    """Return the steps a second of Jumanji's environment, what draws actions subtracted."""
    jax, wrappers = module_or_none("jax"), module_or_none("jumanji.wrappers")
    if jax is None or wrappers is None:
        return 0.0
    from jumanji.environments.logic.minesweeper.env import Minesweeper
    from jumanji.environments.logic.minesweeper.generator import UniformSamplingGenerator

    generator = UniformSamplingGenerator(rules.height, rules.width, rules.mines)
    env = wrappers.AutoResetWrapper(Minesweeper(generator=generator))
    keys = jax.random.split(jax.random.PRNGKey(1), batch)
    state = jax.jit(jax.vmap(env.reset))(keys)

    def draw(key: Any, step: Any) -> Any:  # noqa: ANN401 - JAX's own
        mask = step.observation.action_mask.reshape(batch, -1)
        cell = jax.random.categorical(key, jax.numpy.where(mask, 0.0, -jax.numpy.inf))
        return jax.numpy.stack([cell // rules.width, cell % rules.width], axis=-1)

    def play(carry: Any, key: Any) -> Any:  # noqa: ANN401
        return jax.vmap(env.step)(carry[0], draw(key, carry[1])), 0

    def only_draw(carry: Any, key: Any) -> Any:  # noqa: ANN401
        return carry, draw(key, carry[1]).sum()

    played, drawn = (
        least_seconds(jax.jit(lambda c, k, f=f: jax.lax.scan(f, c, k)), state, jax, run)
        for f in (play, only_draw)
    )
    return PEER_STEPS * batch / max(played - drawn, 1e-9)


def least_seconds(work: Any, state: Any, jax: Any, run: Run) -> float:  # noqa: ANN401
    """Return the least seconds of `PEER_STEPS` steps, compiled before."""
    keys = jax.random.split(jax.random.PRNGKey(2), PEER_STEPS)
    jax.block_until_ready(work(state, keys))
    least = float("inf")
    for _ in range(max(3, run.often(8))):
        begin = time.perf_counter()
        jax.block_until_ready(work(state, keys))
        least = min(least, time.perf_counter() - begin)
    return least
