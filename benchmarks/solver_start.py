"""How long a player waits for the solver: on a fresh machine, and on one that knows it.

    cold, compile    nothing in the cache: processor seconds of `demine warm`, which compiles all
    warm, load       everything in the cache: ms to load Numba and the kernels
    first answer     ms from making a `SolverClient` to its first answer, its process included
    meanwhile        ms of a question while another process compiles
    ready            ms of a question when the kernels are loaded
    ask itself       ms that asking takes from the window's thread

Every run has a cache folder of its own. Questions are hints for mid-game expert boards, each asked
for the first time. Python's own compiled files are there, as after any installation.

"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.measure import Row, Run
from benchmarks.probability import position
from demine.kernels.kernel_set import numba_available
from demine.logic.rules import EXPERT
from demine.play import load_kernels
from demine.solver.service.client import SolverClient

FRESH = 3
LIMITS = {"cold, compile, processor time, s": 25.0}
"""Half of what it was."""


def rows(run: Run) -> list[Row]:
    """Return how long the solver lets a player wait."""
    if not numba_available():
        sys.exit("Numba is not installed: what is to be measured is in the extra `solver`")
    return [
        Row(
            name.replace(", ms", "").replace(", s", ""),
            value,
            "ms" if ", ms" in name else "s",
            limit=LIMITS.get(name),
        )
        for name, value in measured(run.often(40)).items()
    ]


def measured(questions: int) -> dict[str, float]:
    """Return every figure by its name."""
    report: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        warming(folder)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        report["cold, compile, processor time, s"] = spent
        loads = [warming(folder) for _ in range(FRESH)]
        report["warm, load, ms, median"] = 1000 * float(np.median(loads))
        os.environ["XDG_CACHE_HOME"] = folder
        load_kernels.load_common_kernels()  # for making the positions
        boards = iter([position(seed) for seed in range(2 * questions + FRESH + 1)])
        report |= ready(boards, questions, max(loads))
    report |= fresh(boards, questions)
    return report


def warming(folder: str) -> float:
    """Return the seconds that `demine warm` reports."""
    done = subprocess.run(
        [sys.executable, "-m", "demine", "warm", "--json"],
        env={**os.environ, "XDG_CACHE_HOME": folder},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    return float(json.loads(done.stdout)["seconds"])


def fresh(boards: Iterator[np.ndarray], questions: int) -> dict[str, float]:
    """Measure first answers with nothing in the cache, then answers while kernels are compiled."""
    firsts: list[float] = []
    times: tuple[list[float], list[float]] = ([], [])
    for last in range(FRESH - 1, -1, -1):
        with tempfile.TemporaryDirectory() as folder:
            os.environ["XDG_CACHE_HOME"] = folder
            begin = time.perf_counter()
            with SolverClient() as aside:
                aside.ask("hint", next(boards), EXPERT.mines).result()
                firsts.append(time.perf_counter() - begin)
                if not last:
                    times = asked(aside, boards, questions)
                    # Otherwise something else was measured.
                    assert not list(Path(folder).rglob("*.nbc"))
    return {
        "first answer, ms, median": 1000 * float(np.median(firsts)),
        "first answer, ms, worst": 1000 * max(firsts),
        "meanwhile, ms, median": 1000 * float(np.median(times[0])),
        "meanwhile, ms, p95": 1000 * float(np.quantile(times[0], 0.95)),
        "ask itself, ms, median": 1000 * float(np.median(times[1])),
        "ask itself, ms, worst": 1000 * max(times[1]),
    }


def ready(boards: Iterator[np.ndarray], questions: int, load: float) -> dict[str, float]:
    """Measure answers when the kernels are loaded."""
    with SolverClient() as aside:
        aside.ask("hint", next(boards), EXPERT.mines).result()
        time.sleep(1 + 3 * load)  # it loads beside its first answers
        times = asked(aside, boards, questions)[0]
    return {
        "ready, ms, median": 1000 * float(np.median(times)),
        "ready, ms, p95": 1000 * float(np.quantile(times, 0.95)),
    }


def asked(
    aside: SolverClient, boards: Iterator[np.ndarray], questions: int
) -> tuple[list[float], list[float]]:
    """Ask for hints one after the other; return seconds to the answer, and of asking alone."""
    answers, asks = [], []
    for _ in range(questions):
        board = next(boards)
        begin = time.perf_counter()
        future = aside.ask("hint", board, EXPERT.mines)
        asks.append(time.perf_counter() - begin)
        future.result()
        answers.append(time.perf_counter() - begin)
    return answers, asks
