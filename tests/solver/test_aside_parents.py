"""Windows of other kinds that keep a solver beside them, and leave nothing of it behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

import demine
from demine.kernels.kernel_set import numba_available
from demine.solver.service import solver_process as helper
from tests.solver.processes import SECONDS, gone, until

SOURCE = Path(demine.__file__).parents[1]


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder for the processes of a test."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "demine"


PARENT = """
import os, sys, time
from demine.solver.service.client import SolverClient
aside = SolverClient()
answer = aside.ask("best_move", [[9, 9]], 1).result()
assert answer == (0, 0, 0.5), answer
while "wait" in sys.argv:
    helpers = [aside._answering_thread._solver, aside._answering_thread._compiler]
    if all(helpers) or "alone" in sys.argv:
        print(*(helper._process.pid for helper in helpers if helper), flush=True)
        time.sleep(1000)
    time.sleep(0.01)
"""


def test_a_program_that_just_ends_says_nothing(cache: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "dev", "-W", "error", "-c", PARENT],
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_relative_path_with_spaces_and_chinese(cache: Path, tmp_path: Path) -> None:
    place = tmp_path / "我的 游戏"
    place.mkdir()
    try:
        (place / "demine").symlink_to(SOURCE / "demine")
    except OSError:
        pytest.skip("this system gives no symbolic links")
    inner = PARENT + "print(aside._answering_thread._solver is not None)"
    done = subprocess.run(
        [sys.executable, "-c", inner],
        env={**os.environ, "PYTHONPATH": place.name},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "True\n", "")


@pytest.mark.skipif(os.name != "posix", reason="stops processes by signals")
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc")
@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGTERM])
def test_killing_the_window_leaves_no_orphans(ending: int, cache: Path) -> None:
    """Neither the process that answers nor, where there is one, the one that compiles."""
    alone = [] if numba_available() else ["alone"]
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, "wait", *alone],
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert parent.stdout is not None
    numbers = [int(word) for word in parent.stdout.readline().split()]
    assert len(numbers) == 2 - len(alone)
    assert not any(map(gone, numbers))
    parent.send_signal(ending)
    parent.communicate(timeout=SECONDS)
    until(lambda: all(map(gone, numbers)))


def test_nothing_begins_while_python_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """From 3.12 on it cannot; then there is no process either."""
    begun: list[subprocess.Popen[bytes]] = []

    class Watched(subprocess.Popen[bytes]):
        def __init__(self, *args: Any, **options: Any) -> None:
            super().__init__(*args, **options)
            begun.append(self)

    def refuse(_thread: threading.Thread) -> None:
        raise RuntimeError("can't create new thread at interpreter shutdown")

    monkeypatch.setattr(subprocess, "Popen", Watched)
    monkeypatch.setattr(threading.Thread, "start", refuse)
    with pytest.raises(OSError, match="interpreter shutdown"):
        helper.SolverProcess("answer_questions", (), lambda *_: None)
    assert [process.returncode is not None for process in begun] == [True]
