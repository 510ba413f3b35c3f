"""Environments for learning: steps a second through the public `VectorEnv.step`, beside peers.

All play legal actions that are chosen before anything is timed, and begin anew by themselves:
random ones, whose games are short, and the oracle's, which open covered cells without mines until
the board is full. What a step must write into memory bounds it, and is measured in the same run.
"""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Iterator, Sequence
from typing import Final

import gymnasium
import numpy as np

from benchmarks.environment_peers import Timed, jumanji_ways, popgym_way
from benchmarks.environment_plays import SEED, recorded_actions
from benchmarks.measure import Row, Run, module_or_none
from demine.envs import MinesweeperEnv, MinesweeperVectorEnv
from demine.logic.rules import Rules

BOARDS: Final = ((Rules(10, 10, 10), 40.0), (Rules(30, 16, 99), 200.0))
"""The boards, and how many times as fast as Jumanji's best way demine means to be."""
BATCHES: Final = (1, 128, 1024, 8192)
LARGE: Final = 1024
"""From so many boards on demine is held to its goal."""
SINGLE_MICROSECONDS: Final = 10.0
"""The most that a step of a single environment may take."""
STEPS: Final = {False: 64, True: 256}
"""How many steps a turn has at least, of random games and of the oracle's."""
BOARD_STEPS: Final = 20_000
TURNS: Final = 5
FAULTS: Final = 1.0
"""The most pages that the system may have to add in a step."""
FRESH_BYTES: Final = 16
"""How much a step may allocate for each board: its reward, and flags."""


def rows(run: Run) -> list[Row]:
    """Return the figures of every board."""
    found: list[Row] = []
    for rules, goal in BOARDS:
        for safe in (False, True):
            found += beside_jumanji(rules, goal, run, safe=safe)
        found += thread_rows(rules, run)
        found += single_rows(rules, run)
        found += memory_rows(rules, run)
    return found


def beside_jumanji(rules: Rules, goal: float, run: Run, *, safe: bool) -> Iterator[Row]:
    """Yield the steps a second of each batch, and of large ones beside Jumanji's best.

    That is told twice: the best of many boards side by side, and the best of all ways.
    """
    game = f"{rules}, " + ("the oracle's moves" if safe else "random actions")
    speeds, theirs = {}, {}
    for batch in BATCHES:
        ours_way = vector_way(rules, batch, run, safe=safe)
        ways = [ours_way, *jumanji_ways(rules, batch, run, safe=safe)]
        ours, *peers = (1 / each for each in least_by_turns(ways, run))
        speeds[batch] = ours
        if peers:
            theirs[batch] = max(peers)
        yield step_row(f"{game}, {boards(batch)}", ours, "Jumanji", theirs.get(batch))
    # A single board is dealt anew only when its game is over; side by side, at every step.
    side_by_side = [batch for batch in theirs if batch > 1]
    bests = {max(some, key=lambda batch: theirs[batch]) for some in (side_by_side, theirs) if some}
    for best in sorted(bests, reverse=True):
        peer = f"Jumanji's best{' side by side' if best > 1 else ''}, {boards(best)}"
        for batch in (batch for batch in BATCHES if batch >= LARGE):
            # The goal is one of random games; few games of peers are played to their end.
            reach = None if safe else goal
            yield step_row(f"{game}, {boards(batch)}", speeds[batch], peer, theirs[best], reach)


def step_row(
    what: str, speed: float, peer: str, theirs: float | None, goal: float | None = None
) -> Row:
    """Return a row of steps a second."""
    return Row(what, speed, "steps/s", peer, theirs, goal, more_is_better=True)


def boards(batch: int) -> str:
    """Return how many boards, in words."""
    return "1 board" if batch == 1 else f"{batch:,} boards"


def least_by_turns(ways: Sequence[Timed], run: Run) -> list[float]:
    """Return the least seconds of each way, a step of a board; they take turns."""
    turns = [[way() for way in ways] for _ in range(1 if run.quick else TURNS * run.repeats)]
    return [min(way) for way in zip(*turns, strict=True)]


def vector_way(
    rules: Rules, batch: int, run: Run, *, safe: bool, copy: bool = False, threads: int = 1
) -> Timed:
    """Return a way to step many boards."""
    envs = MinesweeperVectorEnv(batch, rules, copy=copy, threads=threads)
    steps = max(run.often(STEPS[safe]), run.often(BOARD_STEPS) // batch)
    actions = recorded_actions(rules, batch, steps, safe=safe)

    def timed() -> float:
        envs.reset(seed=SEED)
        begin = time.perf_counter()
        for action in actions:
            envs.step(action)
        return (time.perf_counter() - begin) / actions.size

    return timed


def thread_rows(rules: Rules, run: Run) -> Iterator[Row]:
    """Yield the steps a second of two threads, beside those of one."""
    for batch in (batch for batch in BATCHES if batch >= LARGE):
        ways = [vector_way(rules, batch, run, safe=True, threads=count) for count in (2, 1)]
        two, one = (1 / each for each in least_by_turns(ways, run))
        what = f"{rules}, the oracle's moves, {boards(batch)}, 2 threads"
        yield step_row(what, two, "1 thread", one)


def single_rows(rules: Rules, run: Run) -> Iterator[Row]:
    """Yield the time of a step of one board, resets included: as it is, and as `make` gives it."""
    made = gymnasium.make("demine.envs:demine/Custom-v0", rules=str(rules))
    for env, name in ((MinesweeperEnv(rules), "unwrapped"), (made, "by `gymnasium.make`")):
        wrapped = env is made
        peer = popgym_way(rules, run, wrapped=wrapped)
        ways = [single_way(env, rules, run), *([peer] if peer else [])]
        ours, *theirs = (each * 1e6 for each in least_by_turns(ways, run))
        yield Row(
            f"{rules}, one environment, {name}: a step", ours, "µs", "POPGym" if peer else "",
            theirs[0] if theirs else None, limit=None if wrapped else SINGLE_MICROSECONDS,
        )  # fmt: skip


def single_way(env: gymnasium.Env[np.ndarray, int], rules: Rules, run: Run) -> Timed:
    """Return a way to step one board by random legal actions."""
    actions = recorded_actions(rules, 1, run.often(BOARD_STEPS), safe=False)[:, 0].tolist()

    def timed() -> float:
        env.reset(seed=SEED)
        over = False
        begin = time.perf_counter()
        for action in actions:
            if over:
                env.reset()
                over = False
            else:
                over = env.step(action)[2]
        return (time.perf_counter() - begin) / len(actions)

    return timed


def memory_rows(rules: Rules, run: Run) -> Iterator[Row]:
    """Yield how near steps come to what memory allows, and what they ask of it."""
    written = 2 * rules.cells  # an observation and a mask, a byte for each cell
    for batch in (batch for batch in BATCHES if batch >= LARGE):
        works = [
            vector_way(rules, batch, run, safe=True),
            writing_way(batch, written),
            vector_way(rules, batch, run, safe=True, copy=True),
        ]
        ours, bound, fresh = (1 / each for each in least_by_turns(works, run))
        peer = f"writing {written} bytes a step, {bound * written / 1e9:.3g} GB/s"
        what = f"{rules}, the oracle's moves, {boards(batch)}"
        yield step_row(f"{what}, beside memory", ours, peer, bound)
        yield step_row(f"{what}, beside memory, `copy=True`", fresh, peer, bound)
    yield from allocation_rows(rules, BATCHES[-1], run)


def writing_way(batch: int, written: int) -> Timed:
    """Return a way to write as many bytes as steps of so many boards must, by two buffers."""
    buffers = [np.zeros(batch * written, np.uint8) for _ in range(2)]
    times = max(2, 20_000_000 // (batch * written))

    def timed() -> float:
        begin = time.perf_counter()
        for turn in range(times):
            buffers[turn % 2].fill(turn % 256)
        return (time.perf_counter() - begin) / (times * batch)

    return timed


def allocation_rows(rules: Rules, batch: int, run: Run) -> Iterator[Row]:
    """Yield what steady steps allocate."""
    steps = run.often(STEPS[False])
    actions = recorded_actions(rules, batch, 2 * steps, safe=False)
    for copy in (False, True):
        envs = MinesweeperVectorEnv(batch, rules, copy=copy)
        last = envs.reset(seed=SEED)[0]
        for action in actions[:steps]:
            last = envs.step(action)[0]  # a learner keeps it for a step
        before = page_faults()
        for action in actions[steps:-1]:
            last = envs.step(action)[0]
        pages = (page_faults() - before) / (steps - 1)
        tracemalloc.start()
        last = envs.step(actions[-1])[0]
        kilobytes = tracemalloc.get_traced_memory()[1] / 1e3
        tracemalloc.stop()
        del last
        what = f"{rules}, {boards(batch)}, a step" + ", `copy=True`" * copy
        yield Row(f"{what}: pages added", pages, "pages", limit=FAULTS)
        yield Row(f"{what}: allocated", kilobytes, "kB", limit=batch * FRESH_BYTES / 1e3)


def page_faults() -> int:
    """Return how many pages the system has added to this process so far; 0 where it cannot tell."""
    resource = module_or_none("resource")
    return 0 if resource is None else int(resource.getrusage(resource.RUSAGE_SELF).ru_minflt)
