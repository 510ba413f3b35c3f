"""The peers of the environments: Jumanji's boards side by side, and POPGym's single board.

Packages of the registry that were tried too, in steps a second by random valid actions at 10x10/10
and at 30x16/99, on a machine where POPGym 1.0.7 made 11,700 and 7,000: gym-minesweeper 0.0.1 makes
5,950 and 3,880. It is for `gym`, which has no maintainer, tells the mines in `info`, and refuses
boards that are wider than high. minesweeper-env-rl 0.12.0, which has an interface of its own and 60
exact requirements, made 2,700 and 360 where gym-minesweeper made 9,300. TextArena 0.7.4 speaks in
sentences, minesweeper 0.1.4 has no such interface, mibexx-gym-minesweeper 0.0.5 has no code.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.measure import Run, module_or_none
from demine.logic.rules import Rules

Timed = Callable[[], float]
"""Does some steps and returns the seconds of one step of one board."""
_BOARD_STEPS: Final = 2_000_000
"""How many steps of boards a turn has, times the cells of a board."""
_SINGLE_STEPS: Final = 3000


def jumanji_ways(rules: Rules, batch: int, run: Run, *, safe: bool) -> list[Timed]:
    """Return the ways to step Jumanji's environment so many times side by side, each compiled.

    One board is stepped as it is: it is dealt anew only when its game is over. Many are stepped by
    `vmap`, begun anew by either of Jumanji's wrappers. Nothing without Jumanji.
    """
    wrappers = module_or_none("jumanji.wrappers")
    if wrappers is None or module_or_none("jax") is None:
        return []
    if batch == 1:
        return [jumanji_way(rules, 1, wrappers.AutoResetWrapper, run, safe=safe)]
    kinds = wrappers.AutoResetWrapper, wrappers.VmapAutoResetWrapper
    return [jumanji_way(rules, batch, kind, run, safe=safe) for kind in kinds]


def jumanji_way(rules: Rules, batch: int, wrapper: Any, run: Run, *, safe: bool) -> Timed:  # noqa: ANN401
    """Return a way to step Jumanji's environment, the loop over the steps compiled too."""
    jax, logic = (
        module_or_none(name) for name in ("jax", "jumanji.environments.logic.minesweeper")
    )
    generator = logic.generator.UniformSamplingGenerator(rules.height, rules.width, rules.mines)
    env = wrapper(logic.env.Minesweeper(generator=generator))
    maps = batch > 1 and wrapper.__name__ == "AutoResetWrapper"
    reset, step = (jax.vmap(env.reset), jax.vmap(env.step)) if maps else (env.reset, env.step)
    keys = jax.random.split(jax.random.PRNGKey(1), batch)
    begun = jax.jit(reset)(keys if batch > 1 else keys[0])
    mines = np.asarray(begun[0].flat_mine_locations).reshape(batch, -1)
    cells = peers_actions(rules, mines, jumanji_steps(rules, batch, run, safe=safe), safe=safe)
    places = np.stack(np.divmod(cells, rules.width), axis=-1).astype(np.int32)
    actions = jax.numpy.asarray(places if batch > 1 else places[:, 0])

    def play(now: Any, action: Any) -> Any:  # noqa: ANN401 - JAX's own
        state, told = step(now[0], action)
        seen = told.observation
        # What nobody reads would not be computed.
        read = seen.board.sum() + seen.action_mask.sum() + told.reward.sum()
        return (state, told), read

    played = jax.jit(lambda now, actions: jax.lax.scan(play, now, actions))
    jax.block_until_ready(played(begun, actions))

    def timed() -> float:
        begin = time.perf_counter()
        jax.block_until_ready(played(begun, actions))
        return (time.perf_counter() - begin) / cells.size

    return timed


def jumanji_steps(rules: Rules, batch: int, run: Run, *, safe: bool) -> int:
    """Return how many steps a turn has; of the oracle's games never more than they last."""
    steps = max(2, run.often(_BOARD_STEPS) // rules.cells // batch)
    return min(steps, rules.safe_cells if safe else _SINGLE_STEPS)


def peers_actions(
    rules: Rules, mines: NDArray[np.int32], steps: int, *, safe: bool
) -> NDArray[np.int64]:
    """Return cells to open, each board's in a random order of its own, int64 `(steps, boards)`.

    Both peers open one cell a step and never more, so no cell is opened twice in a game. With
    `safe` the order has only cells without mines, which are `mines`, `(boards, mines)`.
    """
    random = np.random.default_rng(1)
    boards = len(mines)
    orders = random.permuted(np.tile(np.arange(rules.cells), (boards, 1)), axis=1)
    if safe:
        mined = np.zeros((boards, rules.cells), np.bool_)
        mined[np.arange(boards)[:, None], mines] = True
        orders = orders[~np.take_along_axis(mined, orders, 1)].reshape(boards, -1)
    return np.ascontiguousarray(orders[:, np.arange(steps) % orders.shape[1]].T)


def popgym_way(rules: Rules, run: Run, *, wrapped: bool) -> Timed | None:
    """Return a way to step POPGym's environment on a board of this size; None without POPGym.

    It has three sizes of its own, so it is told another one. It opens one cell a step, the first
    may be a mine, and the observation is the number of that cell instead of a board.
    """
    module = module_or_none("popgym.envs.minesweeper")
    if module is None:
        return None
    import gymnasium

    env = module.MineSweeper("hard")
    env.dims, env.num_mines = rules.shape, rules.mines
    env.max_episode_length = rules.safe_cells
    env.action_space = gymnasium.spaces.MultiDiscrete(np.array(rules.shape))
    env.observation_space = gymnasium.spaces.Discrete(10)
    if wrapped:
        env = gymnasium.wrappers.OrderEnforcing(gymnasium.wrappers.PassiveEnvChecker(env))
    order = peers_actions(rules, np.zeros((1, 0), np.int32), run.often(_SINGLE_STEPS), safe=False)
    places = np.stack(np.divmod(order[:, 0], rules.width), axis=-1)

    def timed() -> float:
        env.reset(seed=1)
        begin = time.perf_counter()
        for place in places:
            _, _, terminated, truncated, _ = env.step(place)
            if terminated or truncated:
                env.reset()
        return (time.perf_counter() - begin) / len(places)

    return timed
