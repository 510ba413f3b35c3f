"""Guess-free expert boards, beside two peers, in one run.

    ours         `demine.make` with kernels compiled (see `warm`), zero first click at the centre
    ms_toollib   `laymine_solvable` (Rust), the same board and first cell
    sgt-mines    Simon Tatham's Mines, `sgt-mines --generate N 30x16n99` (C): a random first cell

Ours are uniform over all guess-free boards. The peers take turns with us, `--rounds` times, each
for about `--seconds`, on one core, and the medians of the rounds are compared.

    python benchmarks/guess_free.py [--json] [--rounds N] [--seconds S]
    python benchmarks/guess_free.py --verify 10000

`--verify` lays so many expert boards and opens each by cells that `demine.deduce` proves, and by
nothing else; it ends with an error at the first board that needs a guess.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from demine.boards import make
from demine.logic.flood import flood
from demine.logic.layout import keeps_first_click_promise
from demine.logic.neighbours import count_around
from demine.logic.rules import EXPERT
from demine.play.load_kernels import load_common_kernels
from demine.scene.cell_faces import Face
from demine.solver.deal.guess_free import find_guess_free_layout
from demine.solver.exact.deduce import deduce

CENTRE = (8, 15)
SGT = Path("/usr/games/sgt-mines")
PLAIN_BOARDS = 40


def main() -> None:
    """Print boards a second and ratios, or verify boards."""
    parser = argparse.ArgumentParser(description="Guess-free boards beside two peers, in one run.")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=1.5)
    parser.add_argument("--verify", type=int, metavar="BOARDS")
    arguments = parser.parse_args()
    plain = [] if arguments.verify else plain_seconds()
    begin = time.perf_counter()
    if not load_common_kernels():
        sys.exit("Numba is not installed: what is to be measured is in the extra `solver`")
    warming = time.perf_counter() - begin
    if arguments.verify:
        verify(arguments.verify)
        return
    report = measured(arguments.rounds, arguments.seconds)
    report |= {"warm_seconds": warming, "plain_seconds": quantiles(plain)}
    print(json.dumps(report) if arguments.json else shown(report))


def plain_seconds() -> list[float]:
    """Time single boards before anything is compiled."""
    seconds = []
    for seed in range(PLAIN_BOARDS):
        begin = time.perf_counter()
        make(EXPERT, seed, CENTRE, guess_free=True)
        seconds.append(time.perf_counter() - begin)
    return seconds


def measured(rounds: int, seconds: float) -> dict[str, Any]:
    """Let all take turns, and compare the medians of their rounds."""
    single: list[float] = []
    ways: dict[str, Callable[[float, int], float]] = {
        "demine": lambda span, turn: ours(span, turn, single)
    }
    if find_spec("ms_toollib") is not None:
        ways["ms_toollib"] = lambda span, _: toollib(span)
    if SGT.exists():
        ways["sgt-mines"] = lambda span, _: sgt(span)
    speeds: dict[str, list[float]] = {name: [] for name in ways}
    for turn in range(rounds):
        for name, way in ways.items():
            speeds[name].append(way(seconds, turn))
    middle = {name: statistics.median(found) for name, found in speeds.items()}
    ratios = {
        name: [us / them for us, them in zip(speeds["demine"], speeds[name], strict=True)]
        for name in speeds
        if name != "demine"
    }
    return {
        "boards_per_second": middle,
        "ratio": {name: statistics.median(found) for name, found in ratios.items()},
        "least_ratio": {name: min(found) for name, found in ratios.items()},
        "single_board_seconds": quantiles(single),
    }


def ours(span: float, turn: int, single: list[float]) -> float:
    """Lay boards one call a board; return how many a second."""
    begin = now = time.perf_counter()
    seed = turn << 32
    while now - begin < span:
        make(EXPERT, seed, CENTRE, guess_free=True)
        seed += 1
        last, now = now, time.perf_counter()
        single.append(now - last)
    return (seed - (turn << 32)) / (now - begin)


def toollib(span: float) -> float:
    """Let ms_toollib lay boards; return how many a second."""
    import ms_toollib

    begin, count = time.perf_counter(), 0
    while time.perf_counter() - begin < span:
        _, solvable, *_ = ms_toollib.laymine_solvable(
            EXPERT.height, EXPERT.width, EXPERT.mines, *CENTRE
        )
        count += bool(solvable)
    return count / (time.perf_counter() - begin)


def sgt(span: float) -> float:
    """Let sgt-mines lay about as many boards as take so long; return how many a second."""
    count = max(20, int(100 * span))
    begin = time.perf_counter()
    done = subprocess.run(
        [str(SGT), "--generate", str(count), "30x16n99"],
        check=True,
        capture_output=True,
        text=True,
    )
    seconds = time.perf_counter() - begin
    return len(done.stdout.splitlines()) / seconds


def quantiles(seconds: list[float]) -> dict[str, float]:
    """Return the median, the 99th percentile and the most."""
    return {
        "median": float(np.median(seconds)),
        "p99": float(np.quantile(seconds, 0.99)),
        "most": max(seconds),
    }


def shown(report: dict[str, Any]) -> str:
    """Return the report as text."""
    lines = [
        f"{name:>12} {speed:10,.0f} boards a second"
        for name, speed in report["boards_per_second"].items()
    ]
    lines += [
        f"{ratio:6.1f} times {name} (median of the rounds; the least {least:.1f})"
        for (name, ratio), least in zip(
            report["ratio"].items(), report["least_ratio"].values(), strict=True
        )
    ]
    for title, key in (("compiled", "single_board_seconds"), ("plain", "plain_seconds")):
        figures = "  ".join(f"{name} {1e3 * s:.2f}" for name, s in report[key].items())
        lines.append(f"{title} single boards, ms: {figures}")
    lines.append(f"warming took {report['warm_seconds']:.2f} s")
    return "\n".join(lines)


def verify(boards: int) -> None:
    """Lay boards and open each by proven cells alone."""
    begin = time.perf_counter()
    tries = 0
    for seed in range(boards):
        laid = find_guess_free_layout(EXPERT, seed, CENTRE)
        tries += laid.tries
        fits = laid.mine_map.sum() == EXPERT.mines and keeps_first_click_promise(
            EXPERT, laid.mine_map, CENTRE
        )
        if laid.method != "rejection" or not fits or not opens_all(laid.mine_map):
            sys.exit(f"seed {seed}: not what was promised")
        if sys.stderr.isatty():
            print(f"\r{seed + 1}", end="", file=sys.stderr)
    print(
        f"{boards} expert boards open by proven cells alone; one layout in "
        f"{tries / boards:.2f} was taken; {time.perf_counter() - begin:.0f} s"
    )


def opens_all(mine_map: NDArray[np.bool_]) -> bool:
    """Open a board by cells that are proven; nothing here is shared with what laid it."""
    height, width = mine_map.shape
    hints = count_around(mine_map)
    numbers, opened = hints.tobytes(), bytearray(mine_map.size)
    waiting = [CENTRE[0] * width + CENTRE[1]]
    while waiting:
        for cell in waiting:
            if mine_map.flat[cell]:
                return False
            if numbers[cell] == 0 and not opened[cell]:
                flood(numbers, opened, width, height, cell)
            opened[cell] = 1
        shown_map = np.frombuffer(bytes(opened), np.bool_).reshape(mine_map.shape)
        if (shown_map | mine_map).all():
            return True
        faces = np.where(shown_map, hints, Face.COVERED).astype(np.uint8)
        waiting = np.flatnonzero(deduce(faces, EXPERT.mines).safe).tolist()
    return False


if __name__ == "__main__":
    main()
