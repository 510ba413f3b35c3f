"""Guess-free expert boards, beside two peers, in one run.

    ours         `demine.make` with kernels compiled (see `warm`), zero first click at the centre
    ms_toollib   `laymine_solvable` (Rust), the same board and first cell
    sgt-mines    Simon Tatham's Mines, `sgt-mines --generate N 30x16n99` (C): a random first cell

Ours are uniform over all guess-free boards. The peers take turns with us on one core, and
the medians of the rounds are compared.

`python -m benchmarks.guess_free --verify 10000` lays so many expert boards and opens each by cells
that `demine.deduce` proves, and by nothing else; it ends with an error at the first board that
needs a guess.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.measure import Row, Run
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


def rows(run: Run) -> list[Row]:
    """Return boards a second; all take turns, and the medians of their rounds are compared."""
    plain = plain_seconds(run.often(PLAIN_BOARDS))
    if not load_common_kernels():
        sys.exit("Numba is not installed: what is to be measured is in the extra `solver`")
    single: list[float] = []
    ways: dict[str, Callable[[float, int], float]] = {
        "demine": lambda span, turn: ours(span, turn, single)
    }
    if find_spec("ms_toollib") is not None:
        ways["ms_toollib"] = lambda span, _: toollib(span)
    if SGT.exists():
        ways["sgt-mines"] = lambda span, _: sgt(span)
    speeds: dict[str, list[float]] = {name: [] for name in ways}
    for turn in range(run.often(7)):
        for name, way in ways.items():
            speeds[name].append(way(run.seconds(1.5), turn))
    middle = {name: statistics.median(found) for name, found in speeds.items()}
    names = [name for name in middle if name != "demine"]
    return [
        *(
            Row(
                "boards a second", middle["demine"], "boards", name, middle[name],
                goal=10 if name == "ms_toollib" else 1, more_is_better=True,
            )
            for name in names
        ),
        Row("a board, median", 1e3 * float(np.median(single)), "ms"),
        Row("a board, 99th percentile", 1e3 * float(np.quantile(single, 0.99)), "ms"),
        Row("a board without Numba, median", 1e3 * float(np.median(plain)), "ms"),
    ]  # fmt: skip


def plain_seconds(boards: int) -> list[float]:
    """Time single boards before anything is compiled."""
    seconds = []
    for seed in range(boards):
        begin = time.perf_counter()
        make(EXPERT, seed, CENTRE, guess_free=True)
        seconds.append(time.perf_counter() - begin)
    return seconds


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
    parser = argparse.ArgumentParser(
        description="Lay guess-free boards and open each by proof alone."
    )
    parser.add_argument("--verify", type=int, metavar="BOARDS", required=True)
    verify(parser.parse_args().verify)
