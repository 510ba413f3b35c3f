"""Kernels in the background of real processes, which fork, end and are killed."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from demine.kernels import background, cache
from demine.kernels.background import CompileSetting
from demine.kernels.kernel_set import KernelSet

SECONDS = 120
KERNELS = """
def inner(number):
    return 3 * number + 1


def first(number):
    return inner(number) + 1


def second(number):
    return inner(number) + 2
"""
BEGIN = """
import logging, os, signal, sys, threading, time
sys.path.insert(0, {kernels!r})
from demine.kernels import background, kernel_set
from demine.kernels.kernel_set import KernelSet
import kernels_of_test

logging.basicConfig(level=logging.INFO, stream=sys.stdout, format="%(message)s")
background.COMPILE_AFTER_SECONDS = 0.02
kernel_set.LOAD_AFTER_SECONDS = 0.01
KERNELS = KernelSet(["kernels_of_test"], {{"first": "(int64,)", "second": "(int64,)"}})

@KERNELS.stands_in
def plain(number):
    end = time.thread_time() + 0.002
    while time.thread_time() < end:
        pass
    return kernels_of_test.second(number)

def answer(number):
    kernel = KERNELS.compiled_kernel("second")
    return plain(number) if kernel is None else kernel(number)

def use_until(done, first=0):
    number = first
    until = time.monotonic() + {seconds}
    while not done():
        assert answer(number) == 3 * number + 3
        number += 1
        assert time.monotonic() < until, "it takes too long"
        # The compiler has the lowest priority: it starves beside a program that never rests.
        time.sleep(0.005)
"""

pytestmark = [
    pytest.mark.timeout(3 * SECONDS),
    pytest.mark.skipif(os.name != "posix", reason="signals"),
]


class Desk:
    """A folder with kernels, a cache for them, and the programs that use both."""

    def __init__(self, kernels: Path, cache: Path) -> None:
        self.kernels = kernels
        self.cache = cache
        self.programs: list[subprocess.Popen[str]] = []

    def start(self, code: str, switch: str = "auto") -> subprocess.Popen[str]:
        """Start a program."""
        begin = BEGIN.format(kernels=str(self.kernels), seconds=SECONDS)
        program = subprocess.Popen(
            [sys.executable, "-W", "error", "-c", begin + code],
            env={
                **os.environ,
                "XDG_CACHE_HOME": str(self.cache),
                "DEMINE_KERNELS": switch,
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self.programs.append(program)
        return program

    def run(self, code: str, switch: str = "auto") -> str:
        """Run a program to its end and return what it printed."""
        out, errors = (program := self.start(code, switch)).communicate(timeout=SECONDS)
        assert (program.returncode, errors) == (0, "")
        return out

    def kept(self) -> set[str]:
        """The entries that are in the cache."""
        return {path.name.split(".")[1].split("-")[0] for path in self.cache.rglob("*.nbc")}

    def compilers(self) -> list[int]:
        """The process ids of what compiles into this cache."""
        found = []
        for path in Path("/proc").glob("[0-9]*"):
            try:
                command = (path / "cmdline").read_bytes()
                environment = (path / "environ").read_bytes()
            except OSError:
                continue
            if b"compile_for_parent" in command and os.fsencode(self.cache) in environment:
                found.append(int(path.name))
        return found

    def close(self) -> None:
        """End all that still runs."""
        for program in self.programs:
            program.kill()
            program.communicate()
        for compiler in self.compilers():
            os.kill(compiler, signal.SIGKILL)


@pytest.fixture(scope="module")
def kernels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with kernels; Numba finds what it has compiled by the path of their file."""
    pytest.importorskip("numba", exc_type=ImportError)
    folder = tmp_path_factory.mktemp("kernels")
    (folder / "kernels_of_test.py").write_text(KERNELS)
    return folder


@pytest.fixture
def desk(kernels: Path, tmp_path: Path) -> Iterator[Desk]:
    """An empty cache."""
    with closing(Desk(kernels, tmp_path / "cache")) as made:
        yield made


@pytest.fixture(scope="module")
def compiled(kernels: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache with both kernels; for copies."""
    with closing(Desk(kernels, tmp_path_factory.mktemp("compiled"))) as made:
        made.run(LOADED)
        return made.cache


@pytest.fixture
def filled_desk(desk: Desk, compiled: Path) -> Desk:
    """A cache with both kernels."""
    shutil.copytree(compiled, desk.cache)
    return desk


def wait_until(done: Callable[[], object]) -> None:
    until = time.monotonic() + SECONDS
    while not done():
        assert time.monotonic() < until
        time.sleep(0.01)


LOADED = "use_until(lambda: KERNELS.is_loaded and not background._STEPS.served)\n"


def test_use_compiles_and_the_next_process_loads(desk: Desk) -> None:
    """What a program asks for goes on all the time, and is told to the log."""
    told = desk.run(LOADED).splitlines()
    assert told == [
        "compiling in another process of low priority: first, second",
        "loaded from the cache: first, second",
    ]
    assert desk.kept() == {"first", "second"}
    code = "background._start_compiler = None\n" + LOADED
    assert desk.run(code, "cached").splitlines() == told[1:]


def test_little_use_costs_nothing(desk: Desk) -> None:
    code = "answer(1)\nassert threading.active_count() == 1\n"
    assert desk.run(code + "assert 'numba' not in sys.modules") == ""
    assert not desk.kept()


@pytest.mark.parametrize("switch", ["plain", "cached", "off"])
def test_the_switch_is_heeded(switch: str, desk: Desk) -> None:
    code = "use_until(lambda: KERNELS.plain_seconds > 0.1 and not background._STEPS.served)\n"
    told = desk.run(code + "assert not KERNELS.loaded", switch)
    assert told == (
        ""
        if switch != "off"
        else "DEMINE_KERNELS is 'off', which is none of auto, foreground, cached, plain, "
        "so nothing is compiled\n"
    )
    assert not desk.kept()


@pytest.mark.parametrize("switch", ["plain", "cached", "plian"])
def test_a_study_heeds_the_switch(switch: str, desk: Desk) -> None:
    """It plays as plain Python, and only a mistyped value is told, once."""
    code = (
        "import demine\n"
        "assert demine.study('6x6/7', games=20, seed=1).won == 20\n"
        "assert demine.study('6x6/7', games=2, seed=2).is_complete"
    )
    told = (
        "DEMINE_KERNELS is 'plian', which is none of auto, foreground, cached, plain "
        "(did you mean plain?), so nothing is compiled\n"
    )
    assert desk.run(code, switch) == (told if switch == "plian" else "")
    assert not desk.kept()


def test_a_set_is_compiled_anyway_or_in_the_foreground_only(desk: Desk) -> None:
    assert desk.run("assert KERNELS.load() is False", "cached") == ""
    idle = "use_until(lambda: KERNELS.plain_seconds > 0.1 and not background._STEPS.served)\n"
    assert desk.run(idle + "assert not KERNELS.loaded", "foreground") == ""
    assert not desk.kept()
    assert desk.run("assert KERNELS.load(anyway=True)", "plain") == ""
    assert desk.kept() == {"first", "second"}
    assert desk.run("assert KERNELS.load() and not KERNELS.would_compile()", "cached") == ""


def test_what_is_killed_leaves_no_lock_and_keeps_its_parts(desk: Desk) -> None:
    for count in (0, 1):  # before and after the first kernel is kept
        program = desk.start("use_until(lambda: False)")
        wait_until(lambda: desk.compilers() and len(desk.kept()) >= count)  # noqa: B023
        for compiler in desk.compilers():
            os.kill(compiler, signal.SIGKILL)
        program.kill()
    desk.run(LOADED)
    assert desk.kept() == {"first", "second"}


@pytest.mark.parametrize("end", ["sys.exit()", "os.kill(os.getpid(), signal.SIGKILL)"])
def test_the_compiler_ends_after_its_parent_and_keeps_what_it_was_at(end: str, desk: Desk) -> None:
    program = desk.start(f"use_until(lambda: False) if 0 else None\n{BEGUN}{end}")
    _, errors = program.communicate(timeout=SECONDS)
    assert errors == ""
    wait_until(lambda: not desk.compilers())
    assert desk.kept() <= {"first", "second"}
    desk.run(LOADED)


BEGUN = """
begun = threading.Event()
start = background._start_compiler
def noted(kernels):
    process = start(kernels)
    begun.set()
    return process
background._start_compiler = noted
use_until(begun.is_set)
"""


def test_two_programs_compile_one_after_the_other(desk: Desk) -> None:
    programs = [desk.start(LOADED) for _ in range(3)]
    for program in programs:
        out, errors = program.communicate(timeout=SECONDS)
        assert (program.returncode, errors) == (0, "")
        assert out.endswith("loaded from the cache: first, second\n")
    assert desk.kept() == {"first", "second"}


def test_many_threads_switch_in_the_middle_of_a_loop(desk: Desk) -> None:
    desk.run("""
failed = []
def use(first):
    try:
        use_until(lambda: KERNELS.is_loaded, first)
    except BaseException as error:
        failed.append(error)
threads = [threading.Thread(target=use, args=(1000 * at,)) for at in range(4)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
assert not failed, failed
""")


def test_forks_while_kernels_are_loaded(filled_desk: Desk) -> None:
    """Each child answers, loads for itself, and never compiles."""
    filled_desk.run("""
children = []
def fork():
    if len(children) < 6:
        time.sleep(0.05)
        if not (child := os.fork()):
            assert not KERNELS.is_declared_here
            signal.alarm(60)
            use_until(lambda: KERNELS.is_loaded)
            os._exit(0)
        children.append(child)
    return KERNELS.is_loaded
import warnings
warnings.simplefilter("ignore")  # from 3.12 on every fork with threads warns
use_until(fork)
assert children
assert {os.waitpid(child, 0)[1] for child in children} == {0}
""")


def test_no_worker_process_compiles(desk: Desk) -> None:
    desk.run("""
import multiprocessing
assert background.may_compile()
for kind in ("spawn", "forkserver", "fork"):
    with multiprocessing.get_context(kind).Pool(1) as pool:
        assert not pool.apply(background.may_compile)
sys.frozen = True
assert not background.may_compile()
""")


def test_what_ends_later_forks_without_waiting(filled_desk: Desk) -> None:
    """Of the functions that run at the end, those registered first run last."""
    filled_desk.run(f"""
import atexit
def fork_at_the_end():
    child = os.fork() or os._exit(0)
    assert not os.waitpid(child, 0)[1] and background._STEPS._has_waited
atexit.register(fork_at_the_end)
import warnings
warnings.simplefilter("ignore")
background.WAIT_SECONDS = 1
{LOADED}""")


def test_a_fork_does_not_keep_the_lock(desk: Desk) -> None:
    """A worker that was forked while its parent waited or compiled lives on."""
    desk.run("""
from demine.kernels import cache
cache.kernel_cache_folder().mkdir(parents=True)
reader, writer = os.pipe()
with cache.compile_lock():
    if not (child := os.fork()):
        os.close(writer)
        os.read(reader, 1)
        os._exit(0)
signal.alarm(60)
with cache.compile_lock():
    os.close(writer)
    os.waitpid(child, 0)
""")


@pytest.mark.parametrize("moment", [0.0, 0.1, 0.3])
def test_python_ends_while_kernels_are_loaded(moment: float, filled_desk: Desk) -> None:
    out = filled_desk.run(
        f"end = time.monotonic() + {moment}\nuse_until(lambda: background._STEPS.served)\n"
        "use_until(lambda: time.monotonic() > end)"
    )
    assert out in {"", "loaded from the cache: first, second\n"}


def test_ctrl_c_while_kernels_are_loaded(filled_desk: Desk) -> None:
    filled_desk.run("""
try:
    use_until(lambda: background._STEPS.served)
    signal.raise_signal(signal.SIGINT)
except KeyboardInterrupt:
    pass
use_until(lambda: KERNELS.is_loaded)
""")


def test_a_cache_that_cannot_be_written(desk: Desk) -> None:
    desk.cache.write_text("no folder")
    code = "use_until(lambda: KERNELS.plain_seconds > 0.1 and not background._STEPS.served)\n"
    assert desk.run(code + "assert not KERNELS.loaded").startswith("not compiled: ")


def test_no_folder_where_there_is_no_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert not cache.ensure_writable(Path("~/.cache/demine"))
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize("damage", [b"", b"\x80\x04.", None])
def test_a_damaged_cache_is_made_anew(damage: bytes | None, filled_desk: Desk) -> None:
    for path in filled_desk.cache.rglob("*.second-*.nbi" if damage is None else "*.nbc"):
        path.write_bytes(damage or b"cut")
    assert "compiling" in filled_desk.run(LOADED)


def test_unknown_words_allow_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for word, meaning in (
        ("", CompileSetting.AUTO),
        (" Cached ", CompileSetting.CACHED),
        ("no", CompileSetting.PLAIN),
    ):
        monkeypatch.setenv(background.SWITCH_VARIABLE, word)
        assert background.compile_setting() is meaning


def test_long_work_loads_what_is_cached_and_is_done_whatever_happens(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("numba")
    asked: list[object] = []

    def fail(kernels: object) -> bool:
        asked.append(kernels)
        raise OSError("the disk is gone")

    monkeypatch.setattr(background, "_load_cached", fail)
    # A window of another test may have said otherwise.
    monkeypatch.setattr(KernelSet, "loads_in_background", True)
    kernels = KernelSet(["kernels_of_test"], {"first": "(int64,)"})
    for word, is_asked in (("", True), ("cached", True), ("foreground", True), ("plain", False)):
        monkeypatch.setenv(background.SWITCH_VARIABLE, word)
        asked.clear()
        kernels.load_before_long_work()
        assert bool(asked) == is_asked
    monkeypatch.setenv(background.SWITCH_VARIABLE, "")
    monkeypatch.setattr(KernelSet, "loads_in_background", False)
    asked.clear()
    kernels.load_before_long_work()
    assert not asked
