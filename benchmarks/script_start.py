"""What scripts pay that ask the solver once, a hundred and ten thousand times, and ask for nothing.

    plain     kernels forbidden (`DEMINE_KERNELS=plain`), as where Numba is not installed
    cold      nothing in the cache: another process compiles beside the script, once it is long
    cached    kernels in the cache: loaded in a thread, once the script is long

Each script is a process that asks `demine.mine_probability` for mid-game expert boards, one call a
board. Told is the processor time of the script, from its start to its end, with the processes that
it started and waited for; the longest time of one call; and the first call that the compiled kernel
answered. All must give the same answers to the last bit. The ways take turns; the least counts.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

import demine
from benchmarks.measure import Row, Run
from demine.kernels.kernel_set import numba_available
from demine.logic.rules import EXPERT
from demine.solver.exact.compiled_engine import loaded_probability_kernel
from demine.solver.exact.kernels import EXACT_KERNELS

ROOT = Path(__file__).resolve().parent.parent

CALLS = (1, 100, 10_000)
WAYS = {
    "plain": "kernels forbidden",
    "cold": "nothing cached",
    "cached": "kernels cached",
}
BOARDS = 200
ROUNDS = 2


def rows(run: Run) -> list[Row]:
    """Return the processor seconds of scripts that ask, beside those with kernels forbidden."""
    if not numba_available():
        sys.exit("Numba is not installed: what is to be measured is in the extra `solver`")
    report = measured(ROUNDS * run.often(1), CALLS[:2] if run.quick else CALLS)
    found = []
    for name, script_run in report.items():
        calls, way = name.split()
        if way == "plain":
            continue
        plain = report[f"{calls} plain"]["processor"]
        # Loading and compiling begin later than a short script ends, so it must not pay for them.
        goal = 0.9 if int(calls) <= 100 else None
        what = f"{WAYS[way]}, asked about {int(calls):,}"
        found.append(Row(what, script_run["processor"], "s", "kernels forbidden", plain, goal=goal))
        if not goal:
            longest = 1000 * script_run["longest"]
            found.append(Row(f"{what}: the longest call", longest, "ms"))
            found.append(Row(f"{what}: the first fast call", script_run["fast from"], ""))
    return found


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


def measured(rounds: int, each: Sequence[int]) -> dict[str, dict[str, Any]]:
    """Run every script of some calls in every way."""
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
            for calls in each:
                for way in WAYS:
                    cache = cached if way == "cached" else Path(folder) / f"{turn}-{calls}"
                    found = run(boards, calls, way, cache)
                    best = report.setdefault(f"{calls} {way}", found)
                    if found["processor"] < best["processor"]:
                        report[f"{calls} {way}"] = found
    for calls in each:
        if len({report[f"{calls} {way}"]["answers"] for way in WAYS}) > 1:
            sys.exit("the answers differ")
    return report


def run(boards: Path, calls: int, way: str, cache: Path) -> dict[str, Any]:
    """Run one script."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begin = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.script_start", str(boards), str(calls)],
        cwd=ROOT,
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


if __name__ == "__main__":
    print(json.dumps(script(Path(sys.argv[1]), int(sys.argv[2]))))
