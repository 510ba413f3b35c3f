"""Statistics of boards and games, beside ms_toollib where it is installed.

The fast ways and the plain ones are checked to give the peer's values before anything is timed.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from benchmarks.measure import Row, Run, module_or_none
from benchmarks.replays import sample_replays
from demine.logic.layout import deal
from demine.logic.neighbours import count_around
from demine.logic.rules import BEGINNER, EXPERT, INTERMEDIATE, First, Rules
from demine.play import load_kernels
from demine.replay.load_save import read_replay
from demine.statistics.batch_3bv import three_bv_batch
from demine.statistics.board_3bv import three_bv
from demine.statistics.compute import stats
from demine.statistics.kernels import STATISTICS_KERNELS
from demine.statistics.recording_type import Recording, Signal
from demine.statistics.sampling import sample_three_bv
from demine.statistics.zini import hzini, rzini, zini

BOARDS = 8192
FEW = 300
START = (8, 15)


def best(work: Callable[[], object], times: int = 7) -> float:
    """Return the least processor seconds of some runs; other work on the machine sways it less."""
    spent = []
    for _ in range(times):
        begun = time.process_time()
        work()
        spent.append(time.process_time() - begun)
    return min(spent)


def each(count: Callable[[Any], int], many: list[Any]) -> None:
    for mines in many:
        count(mines)


def every(recording: Recording) -> None:
    dict(stats(recording))


def hand(seed: int) -> Recording:
    """Return a whole expert game: every safe cell is clicked, some 5,000 events with the moves."""
    rng = np.random.default_rng(seed)
    mines = deal(EXPERT, seed)
    rows, cols = np.nonzero(~mines)
    order = rng.permutation(rows.size)
    lines: list[tuple[int, int, int, int]] = []
    t, x, y = 0, 0, 0
    for place in order.tolist():
        to_x, to_y = int(cols[place]) * 16 + 8, int(rows[place]) * 16 + 8
        for step in range(1, 12):
            t += 20
            here = (x + (to_x - x) * step // 11, y + (to_y - y) * step // 11)
            lines.append((t, Signal.MV, *here))
        x, y = to_x, to_y
        lines += [(t, Signal.LC, x, y), (t + 9, Signal.LR, x, y)]
    table = np.array(lines, np.int64)
    return Recording(
        mines, table[:, 0], table[:, 1].astype(np.uint8), table[:, 2].astype(np.int32),
        table[:, 3].astype(np.int32),
    )  # fmt: skip


def rows(run: Run) -> list[Row]:
    """Return the figures of boards and of games, beside the peer's."""
    peer = module_or_none("ms_toollib")
    counted = boards(peer)
    counted += games(peer, [str(file) for file in sample_replays(run)])
    return [
        Row(what, ours, "µs", "" if theirs is None else "ms_toollib", theirs, goal=goal_of(what))
        for what, ours, theirs in counted
    ]


def goal_of(what: str) -> float | None:
    """Return how many times as fast as the peer a figure means to be."""
    if "plain" in what or "one layout" in what:
        return 1.0 if "statistic" in what or "layout" in what else None
    return 20.0 if "3BV of" in what or "dealt" in what else 3.0


def boards(peer: ModuleType | None) -> list[tuple[str, float, float | None]]:
    """Return the figures about boards, in microseconds a board."""
    maps = np.stack([deal(EXPERT, seed) for seed in range(BOARDS)])
    lists = [np.where(m, -1, count_around(m).astype(int)).tolist() for m in maps[:FEW]]
    some = list(maps[:FEW])
    rules = Rules(30, 16, 99, first=First.SAFE)

    def beside(name: str, many: list[Any], *more: int) -> float | None:
        if peer is None:
            return None
        call = getattr(peer, name)
        return best(lambda: [call(item, *more) for item in many]) / len(many) * 1e6

    if peer is not None:
        assert three_bv_batch(maps[:FEW]).tolist() == [peer.cal_bbbv(board) for board in lists]
    found = [
        (
            f"3BV of {BOARDS:,} expert boards at once",
            best(lambda: three_bv_batch(maps)) / BOARDS * 1e6,
            beside("cal_bbbv", lists),
        ),
        (
            "expert boards dealt and their 3BV counted",
            best(lambda: sample_three_bv(rules, 1, 40_000, START)) / 40_000 * 1e6,
            None if peer is None
            else best(lambda: peer.sample_bbbvs_exp(*START, 4000)) / 4000 * 1e6,
        ),
    ]  # fmt: skip
    for level in (BEGINNER, INTERMEDIATE, EXPERT):
        one = [deal(level, seed) for seed in range(FEW)]
        numbers = [np.where(m, -1, count_around(m).astype(int)).tolist() for m in one]
        ours = best(partial(each, three_bv, one)) / FEW * 1e6
        found.append((f"3BV of one layout, {level}", ours, beside("cal_bbbv", numbers)))
    for way in ("plain", "compiled"):
        if way == "plain":
            STATISTICS_KERNELS.loaded.clear()
        elif not load_kernels.load_common_kernels():
            break
        for name, count, more in (
            ("zini", zini, ()),
            ("hzini", hzini, ()),
            ("rzini", rzini, (100,)),
        ):
            many = FEW if name != "rzini" else 3
            if peer is not None and name != "rzini":
                call = getattr(peer, f"cal_{name}")
                assert [count(m) for m in some] == [call(board) for board in lists]
            found.append(
                (
                    f"{name}, {way}",
                    best(partial(each, count, some[:many]), 3) / many * 1e6,
                    beside(f"cal_{name}", lists[:many], *more),
                )
            )
    return found


def games(peer: ModuleType | None, replays: list[str]) -> list[tuple[str, float, float | None]]:
    """Return the figures about games, in microseconds a game, plain and then compiled."""
    found: list[tuple[str, float, float | None]] = []
    for way in ("plain", "compiled"):
        if way == "plain":
            STATISTICS_KERNELS.loaded.clear()
        elif not load_kernels.load_common_kernels():
            break
        recordings: list[tuple[Recording, str | None]] = [(hand(3), None)]
        recordings += [(read_replay(Path(name).read_bytes()).recording, name) for name in replays]
        for recording, name in recordings:
            ours = best(partial(every, recording)) * 1e6
            theirs = None if peer is None or name is None else analysed(peer, name) * 1e6
            kind = "a game" if name is None else Path(name).suffix[1:].upper()
            what = f"every statistic, {kind}, {recording.t.size:,} events, {way}"
            found.append((what, ours, theirs))
    return found


def analysed(peer: ModuleType, name: str) -> float:
    """Return the least seconds of the peer's statistics of a replay."""
    kind = getattr(peer, f"{name.rsplit('.', 1)[1].capitalize()}Video")
    spent = []
    for _ in range(10):
        video = kind(name)
        video.parse()
        begun = time.process_time()
        video.analyse()
        spent.append(time.process_time() - begun)
    return min(spent)
