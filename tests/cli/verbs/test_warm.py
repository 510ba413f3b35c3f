"""`demine warm`: compiles with progress, loads the next time, and says what stands in its way."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Final, TypeAlias

import pytest

import demine
from demine.cli.ctrl_c import catch_ctrl_c, interrupt_between_kernels
from demine.cli.main import run
from demine.kernels import kernel_set
from demine.replay.kernels import RMV_KERNELS
from demine.scene.translation import set_language
from demine.solver.exact.kernels import EXACT_KERNELS
from demine.warm_kernels import every_kernel_set

SECONDS = 500
Start: TypeAlias = Callable[..., "subprocess.Popen[str]"]
SOURCE = Path(demine.__file__).parents[1]


@pytest.fixture(autouse=True)
def english() -> object:
    """Commands set the language of the process."""
    yield
    set_language("en")


@pytest.fixture
def start() -> Iterator[Start]:
    """Begins the verb in a process of its own, with a cache folder."""
    begun: list[subprocess.Popen[str]] = []

    def start(cache: Path, *args: str, **pipes: Any) -> subprocess.Popen[str]:
        own = {"PYTHONPATH": str(SOURCE), "XDG_CACHE_HOME": str(cache)}
        process = subprocess.Popen(
            [sys.executable, "-W", "error", "-m", "demine", "warm", *args],
            env={**os.environ, **own},
            stdout=subprocess.PIPE,
            text=True,
            **{"stderr": subprocess.PIPE, **pipes},
        )
        begun.append(process)
        return process

    yield start
    for process in begun:
        process.kill()
        process.communicate()


def finished(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Exit code, standard output and standard error."""
    out, errors = process.communicate(timeout=SECONDS)
    return process.returncode, out, errors


def test_without_numba(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(kernel_set, "find_spec", {}.get)
    assert run(["warm"]) == 1
    out, errors = capsys.readouterr()
    assert out == ""
    assert errors.startswith("demine warm: Numba is not installed")
    assert 'pip install "demine[solver]"' in errors
    assert errors.count("\n") == 1
    assert run(["warm", "--json"]) == 1
    said = json.loads(capsys.readouterr().out)
    assert said["ready"] is False
    assert "demine[solver]" in said["reason"]


def test_in_chinese(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(kernel_set, "find_spec", {}.get)
    monkeypatch.setenv("DEMINE_LANG", "zh_CN")
    assert run(["warm"]) == 1
    assert "没有安装 Numba" in capsys.readouterr().err


def test_a_numba_that_does_not_load(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As when NumPy is too new for it."""
    monkeypatch.setattr(kernel_set, "numba_available", lambda: True)
    monkeypatch.setattr(kernel_set.KernelSet, "can_write_cache", lambda _: True)
    monkeypatch.setattr(kernel_set.KernelSet, "cache_folder", lambda _: Path("kernels"))
    for name in ("numba", "numba.core"):
        monkeypatch.setitem(sys.modules, name, None)
    assert run(["warm"]) == 1
    assert capsys.readouterr().err.startswith("demine warm: Numba cannot be loaded: ")


def test_where_nothing_can_be_kept(tmp_path: Path, start: Start) -> None:
    """It says so at once instead of compiling for nothing."""
    pytest.importorskip("numba", exc_type=ImportError)
    (tmp_path / "file").write_text("no folder")
    code, out, errors = finished(start(tmp_path / "file"))
    assert (code, out) == (1, "")
    assert errors.startswith("demine warm: ")
    assert str(tmp_path / "file") in errors
    assert errors.count("\n") == 1


def test_every_declared_set_is_warmed() -> None:
    """A user who warms waits for nothing later, not for the first environment either."""
    pytest.importorskip("gymnasium")
    files = [*SOURCE.glob("demine/**/kernels/__init__.py"), *SOURCE.glob("demine/**/kernels_*.py")]
    names = [".".join(file.relative_to(SOURCE).with_suffix("").parts) for file in files]
    modules = [import_module(name.removesuffix(".__init__")) for name in names]
    declared = {
        name: value
        for module in modules
        for name, value in vars(module).items()
        if isinstance(value, kernel_set.KernelSet)
    }
    assert {"ENV_KERNELS", "PLAYER_KERNELS", "STUDY_KERNELS"} <= declared.keys()
    warmed = every_kernel_set()
    assert [name for name, each in declared.items() if each not in warmed] == []


RACED: Final = (EXACT_KERNELS, RMV_KERNELS)
"""What the tests compile into an empty cache: a set that takes seconds, and one of another room."""


def keep_others(cache: Path) -> None:
    """Put all other kernels into a cache: compiling them once is enough for all tests."""
    # In another process: what is loaded here would be used by the tests after this one.
    script = (
        "from tests.cli.verbs.test_warm import RACED\n"
        "from demine.kernels.kernel_set import load_sets\n"
        "from demine.warm_kernels import every_kernel_set\n"
        "assert load_sets([each for each in every_kernel_set() if each not in RACED])"
    )
    subprocess.run([sys.executable, "-c", script], cwd=SOURCE.parent, check=True)
    for each in every_kernel_set():
        if each in RACED:
            continue
        kept = each.cache_folder()
        shutil.copytree(kept, cache / "demine" / "kernels" / kept.name, dirs_exist_ok=True)


@pytest.mark.timeout(2 * SECONDS)
def test_two_at_once_compile_with_progress_and_the_next_loads(tmp_path: Path, start: Start) -> None:
    """Both write into one cache folder, which is whole afterwards.

    A file that stderr goes to holds no progress.
    """
    pytest.importorskip("numba", exc_type=ImportError)
    keep_others(tmp_path)
    number = len(frozenset[str]().union(*(each.kernel_names() for each in every_kernel_set())))
    for process in [start(tmp_path), start(tmp_path)]:
        code, out, errors = finished(process)
        assert (code, errors) == (0, "")
        first, second = out.splitlines()
        assert first.startswith(f"Compiled {number} kernels in ")
        assert second.startswith(f"Kept in {tmp_path}")
    files = list((tmp_path / "demine").rglob("*.nb?"))
    assert {file.suffix for file in files} == {".nbi", ".nbc"}

    code, out, errors = finished(start(tmp_path, "--json"))
    assert (code, errors) == (0, "")
    said = json.loads(out)
    assert said.pop("seconds") > 0
    assert Path(said.pop("cache")).is_dir()
    assert said == {"ready": True, "loaded": True, "kernels": number}


@pytest.mark.skipif(os.name != "posix", reason="needs a terminal")
def test_a_terminal_sees_one_line_and_ctrl_c_ends_it(tmp_path: Path, start: Start) -> None:
    pytest.importorskip("numba", exc_type=ImportError)
    ours, theirs = os.openpty()
    process = start(tmp_path, stderr=theirs)
    os.close(theirs)
    shown = b""
    with os.fdopen(ours, "rb", buffering=0) as terminal:
        while b" kernels" not in shown:
            shown += terminal.read(1000)
        process.send_signal(signal.SIGINT)
        code, out, _ = finished(process)
        try:
            while piece := terminal.read(1000):
                shown += piece
        except OSError:
            pass  # the other end of a terminal is closed like this
    assert (code, out) == (130, "")
    assert re.match(rb"\r\x1b\[K\d+ of \d+ kernels \(\d+%\), ", shown)
    # The line is wiped before Click ends it.
    assert shown.endswith(b"\r\x1b[K\r\n")
    assert shown.count(b"\n") == 1


def test_ctrl_c_that_is_lost_in_a_callback_ends_what_compiles() -> None:
    """What a handler raises in a callback from LLVM is only printed: nothing is raised there."""
    numba = pytest.importorskip("numba", exc_type=ImportError)
    compilable = numba.njit(lambda number: number + 1)
    with catch_ctrl_c() as stop, kernel_set.report_compilations(interrupt_between_kernels(stop)):
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            compilable(1)
