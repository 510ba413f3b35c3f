"""What scripts pay that ask the solver once, a hundred and ten thousand times, and ask for nothing.

    plain     kernels forbidden (`DEMINE_KERNELS=plain`), as where Numba is not installed
    cold      nothing in the cache: another process compiles beside the script, once it is long
    cached    kernels in the cache: loaded in a thread, once the script is long

Each script is a process that asks `demine.mine_probability` for mid-game expert boards, one call a
board. `processor` is the processor time of the script itself, from its start to its end, `children`
that of the processes it started and waited for; `wall` depends on what else runs. The longest call
is the longest time between the begin and the end of one; `fast from` is the first call that the
compiled kernel answered. All must give the same answers to the last bit. The least of `--rounds`
counts, in which the ways take turns.

    python benchmarks/script_start.py [--json] [--rounds N]
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

import demine
from demine.logic.rules import EXPERT
from demine.solver.exact.compiled_engine import loaded_probability_kernel
from demine.solver.exact.kernels import EXACT_KERNELS

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

CALLS = (1, 100, 10_000)
WAYS = ("plain", "cold", "cached")
BOARDS = 200


def main() -> None:
    """Print a table, or JSON."""
    parser = argparse.ArgumentParser(description="Scripts that use the solver, from begin to end.")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--script", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.script:
        print(json.dumps(script(Path(arguments.script[0]), int(arguments.script[1]))))
        return
    report = measured(arguments.rounds)
    if arguments.json:
        print(json.dumps(report))
    else:
        show(report)


def script(boards: Path, calls: int) -> dict[str, Any]:
    """Ask so many questions; return what that took and a digest of the answers."""
    scenes = np.load(boards)
    digest, longest, fast_from = sha256(), 0.0, -1
    for call in range(calls):
        if fast_from < 0 and loaded_probability_kernel() is not None:
            fast_from = call
        begin = time.perf_counter()
        answer = demine.mine_probability(scenes[call % len(scenes)], EXPERT.mines)
        longest = max(longest, time.perf_counter() - begin)
        digest.update(answer.tobytes())
    return {"longest": longest, "fast from": fast_from, "answers": digest.hexdigest()}


def measured(rounds: int) -> dict[str, dict[str, Any]]:
    """Run every script in every way."""
    from benchmarks.probability import position

    EXACT_KERNELS.load()  # for making the positions
    report: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as folder:
        boards = Path(folder) / "boards.npy"
        np.save(boards, np.array([position(seed) for seed in range(BOARDS)]))
        cached = Path(folder) / "cached"
        subprocess.run(
            [
                sys.executable,
                "-c",
                "from demine.solver.exact.kernels import *; EXACT_KERNELS.load()",
            ],
            env={**os.environ, "XDG_CACHE_HOME": str(cached)},
            check=True,
        )
        for turn in range(rounds):
            for calls in CALLS:
                for way in WAYS:
                    cache = cached if way == "cached" else Path(folder) / f"{turn}-{calls}"
                    found = run(boards, calls, way, cache)
                    best = report.setdefault(f"{calls} {way}", found)
                    if found["processor"] < best["processor"]:
                        report[f"{calls} {way}"] = found
    for calls in CALLS:
        if len({report[f"{calls} {way}"]["answers"] for way in WAYS}) > 1:
            sys.exit("the answers differ")
    return report


def run(boards: Path, calls: int, way: str, cache: Path) -> dict[str, Any]:
    """Run one script."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begin = time.perf_counter()
    done = subprocess.run(
        [sys.executable, __file__, "--script", str(boards), str(calls)],
        env={
            **os.environ,
            "XDG_CACHE_HOME": str(cache),
            "DEMINE_KERNELS": "plain" if way == "plain" else "auto",
        },
        stdout=subprocess.PIPE,
        check=True,
    )
    wall = time.perf_counter() - begin
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"processor": processor, "wall": wall, **json.loads(done.stdout)}


def show(report: dict[str, dict[str, Any]]) -> None:
    """Print the table."""
    print(" calls way      processor s   wall s  longest ms  fast from")
    for name, found in report.items():
        calls, way = name.split()
        fast = found["fast from"] if found["fast from"] >= 0 else "-"
        print(
            f"{calls:>6} {way:<8}{found['processor']:12.2f}{found['wall']:9.2f}"
            f"{1000 * found['longest']:12.1f}{fast:>11}"
        )


if __name__ == "__main__":
    main()
