"""Statistics of boards and games, beside ms_toollib where it is installed.

The fast ways and the plain ones are checked to give the peer's values before anything is timed.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

import numpy as np

from demine.logic.layout import deal
from demine.logic.neighbours import count_around
from demine.logic.rules import EXPERT, First, Rules
from demine.play import load_kernels
from demine.statistics.batch_3bv import three_bv_batch
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("replays", nargs="*", help="AVF, RMV, MVF or EVF files to count as well")
    options = parser.parse_args()
    peer = import_module("ms_toollib") if find_spec("ms_toollib") else None
    rows = [*boards(peer), *games(peer, options.replays)]
    if options.json:
        print(json.dumps(rows))
        return
    print("| what | here, µs | ms_toollib, µs | times its speed |\n|---|---|---|---|")
    for what, ours, theirs in rows:
        beside = "| – | – |" if theirs is None else f"| {theirs:.1f} | {theirs / ours:.1f} |"
        print(f"| {what} | {ours:.2f} {beside}")


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
    """Return the figures about games, in microseconds a game."""
    made = hand(3)
    found: list[tuple[str, float, float | None]] = [
        (
            f"every statistic of a game of {made.t.size:,} events",
            best(partial(every, made), 30) * 1e6,
            None,
        )
    ]
    if peer is None:
        return found
    from demine.replay.load_save import read_replay

    for name in replays:
        with open(name, "rb") as file:  # noqa: PTH123 - a name of the command line
            recording = read_replay(file.read()).recording
        kind = getattr(peer, f"{name.rsplit('.', 1)[1].capitalize()}Video")
        spent = []
        for _ in range(30):
            video = kind(name)
            video.parse()
            begun = time.process_time()
            video.analyse()
            spent.append(time.process_time() - begun)
        ours = best(partial(every, recording), 30) * 1e6
        found.append(
            (f"every statistic of a replay of {recording.t.size:,} events", ours, min(spent) * 1e6)
        )
    return found


if __name__ == "__main__":
    main()
