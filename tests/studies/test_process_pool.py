"""Processes that are killed in the middle of a study: nothing is lost, nothing counts twice."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import BrokenExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from demine.studies.errors import StudyError
from demine.studies.ledger import Ledger
from demine.studies.process_pool import KillableProcessPool
from demine.studies.run import play_missing_games
from tests.hand import wait_for
from tests.studies.samples import PAIR, outcome

if TYPE_CHECKING:
    from collections.abc import Iterator


def processes(pool: KillableProcessPool) -> dict[int, subprocess.Popen[bytes]]:
    """The processes of a pool, by their numbers."""
    running = (worker._process for worker in pool._workers)
    return {each.pid: each for each in running if each is not None}


@pytest.fixture
def pool() -> Iterator[KillableProcessPool]:
    pool = KillableProcessPool(2)
    yield pool
    pool.shutdown(cancel_futures=True)


def test_a_study_survives_kill_9(tmp_path: Path, pool: KillableProcessPool) -> None:
    """Two real processes; one is killed as soon as the first games are counted, then the other."""
    plan = replace(PAIR, games=500)
    killed: list[int] = []

    def kill(done: int) -> None:
        due = 1 if done else 0
        due += done > 100
        workers = processes(pool)
        if len(killed) < due and len(workers) == 2 and done < plan.games:
            victim = min(workers)
            if victim not in killed:
                killed.append(victim)
                os.kill(victim, signal.SIGKILL if sys.platform != "win32" else signal.SIGTERM)

    with Ledger.open(tmp_path / "a", plan, rows=True) as ledger:
        assert play_missing_games(ledger, pool, workers=2, rows=True, on_progress=kill)
        assert killed
        assert list(ledger.done) == [(0, plan.games)]
        assert ledger.counts.without_time == outcome(plan)
        games = np.concatenate([ledger.read_rows(part) for part in ledger.stored_rows])
        assert sorted(games["index"][:, 0].tolist()) == list(range(plan.games))


def wait_for_file(path: Path, ready: Path) -> int:
    """Say that a process is here, and wait in it until a file is there."""
    (ready / str(os.getpid())).touch()
    while not path.exists():
        time.sleep(0.01)
    return os.getpid()


def fail(kind: str) -> object:
    """Fail in a process."""
    if kind == "error":
        raise StudyError("there is no {thing}", thing="cheese")
    if kind == "odd":
        raise ValueError(threading.Lock())
    return threading.Lock()


def test_a_killed_process_takes_nothing_else_with_it(
    tmp_path: Path, pool: KillableProcessPool
) -> None:
    ready, go = tmp_path / "ready", tmp_path / "go"
    ready.mkdir()
    futures = [pool.submit(wait_for_file, go, ready) for _ in range(2)]
    wait_for(lambda: len(list(ready.iterdir())) == 2, "two processes")
    first, second = sorted(int(path.name) for path in ready.iterdir())
    os.kill(first, signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)
    wait_for(lambda: any(future.done() for future in futures), "the news of it")
    go.touch()
    found = [future.exception(60) or future.result() for future in futures]
    assert second in found
    assert sum(isinstance(each, BrokenExecutor) for each in found) == 1
    assert {pool.submit(os.getpid).result(60) for _ in range(20)} - {second}


def test_errors_come_back(pool: KillableProcessPool) -> None:
    with pytest.raises(StudyError, match="there is no cheese"):
        pool.submit(fail, "error").result(60)
    with pytest.raises(RuntimeError, match=r"ValueError: .*lock"):
        pool.submit(fail, "odd").result(60)
    with pytest.raises(TypeError):
        pool.submit(fail, "lock").result(60)
    with pytest.raises((AttributeError, pickle.PicklingError)):
        pool.submit(lambda: 1).result(60)
    assert pool.submit(abs, -3).result(60) == 3
    pool.shutdown()
    with pytest.raises(RuntimeError, match="closed"):
        pool.submit(abs, -3)


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks into /proc")
def test_processes_end_with_their_parent(tmp_path: Path) -> None:
    """Even if it is killed while they are at a call."""
    ready = tmp_path / "ready"
    ready.mkdir()
    code = (
        "import sys; from pathlib import Path; from demine.studies.process_pool import *; "
        "from tests.studies.test_process_pool import wait_for_file; "
        "pool = KillableProcessPool(1); "
        "pool.submit(wait_for_file, Path(sys.argv[1]), Path(sys.argv[2])).result()"
    )
    words = [sys.executable, "-c", code, str(tmp_path / "never"), str(ready)]
    with subprocess.Popen(words, cwd=Path(__file__).parents[2]) as parent:
        wait_for(lambda: any(ready.iterdir()), "the call")
        parent.kill()
    worker = int(next(ready.iterdir()).name)
    wait_for(lambda: not is_running(worker), "its end")


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    # Until somebody waits for it, what has ended is still in the table.
    return " Z " not in Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")


def test_what_calls_print_is_no_result(
    pool: KillableProcessPool, capfd: pytest.CaptureFixture[str]
) -> None:
    assert pool.submit(print, "a policy talks").result(60) is None
    pool.shutdown()
    said = capfd.readouterr()
    assert (said.out, said.err) == ("", "a policy talks\n")


def test_nobody_is_left_behind(pool: KillableProcessPool) -> None:
    assert pool.submit(os.getpid).result() != os.getpid()
    workers = processes(pool).values()
    assert workers
    pool.shutdown(cancel_futures=True)
    for worker in workers:
        assert worker.wait(20) is not None
