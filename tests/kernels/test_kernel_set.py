"""Sets of kernels: from a cache, a bad one or none, and in use as soon as they are ready."""

from __future__ import annotations

import ast
import os
import pickle
import shutil
import threading
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from demine.kernels import build, cache, kernel_set
from demine.kernels.compile_notice import load_and_tell, log_compiling
from demine.kernels.kernel_set import KernelSet, accept_read_only_arrays, kernel_set_by_name
from demine.play.load_kernels import all_kernel_sets
from demine.solver.exact.kernels import EXACT_KERNELS

SECONDS = 110
Ready = Callable[[str, Any], object]


@pytest.fixture
def two() -> KernelSet:
    """A set of two entries."""
    return KernelSet((), {"first": "()", "second": "()"})


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of a machine that has Numba, as far as one can tell."""
    monkeypatch.setattr(kernel_set, "numba_available", lambda: True)
    monkeypatch.setattr(cache, "user_cache_folder", lambda: tmp_path)
    monkeypatch.setattr(build, "cache_folder_name", lambda _modules: "name")
    return tmp_path / "kernels" / "name"


def give(entries: dict[str, str], ready: Ready) -> None:
    """Say that every entry is ready."""
    for name in entries:
        ready(name, name.upper())


def test_without_numba_nothing_is_loaded(two: KernelSet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_set, "find_spec", {}.get)
    assert not two.load()
    assert not kernel_set.load_sets([two])
    assert two.compiled_kernel("first") is None


def test_loading_twice_builds_once(
    two: KernelSet, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built: list[Path | None] = []

    def fake(
        _modules: Any, entries: dict[str, str], cache: Path | None, ready: Ready, _shared: Any
    ) -> None:
        built.append(cache)
        give(entries, ready)

    monkeypatch.setattr(build, "compile_or_load", fake)
    steps: list[tuple[int, int]] = []
    for _ in range(2):
        assert two.load(lambda done, of: steps.append((done, of)))
    assert built == [folder]
    assert steps == [(0, 2), (1, 2), (2, 2), (2, 2)]
    assert two.is_loaded
    assert dict[str, Any](two.loaded) == {"first": "FIRST", "second": "SECOND"}


@pytest.mark.parametrize(
    "damage",
    [EOFError("cut"), pickle.UnpicklingError("bad"), OSError(28, "disk full"), KeyError(1)],
)
@pytest.mark.parametrize("times", [1, 2])
def test_a_bad_cache_is_thrown_away(
    damage: Exception, times: int, two: KernelSet, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once, then a new one is made; if that is bad too, the kernels do without."""
    folder.mkdir(parents=True)
    (folder / "old").write_text("")
    seen: list[tuple[Path | None, bool]] = []

    def fake(
        _modules: Any, entries: dict[str, str], cache: Path | None, ready: Ready, _shared: Any
    ) -> None:
        seen.append((cache, (folder / "old").exists()))
        if len(seen) <= times:
            raise damage
        give(entries, ready)

    monkeypatch.setattr(build, "compile_or_load", fake)
    assert two.load()
    assert seen == [(folder, True), (folder, False), (None, False)][: times + 1]


def test_other_errors_are_not_hidden(
    two: KernelSet, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(build, "compile_or_load", broken)
    with pytest.raises(ZeroDivisionError):
        two.load()
    assert not two.loaded


def test_an_entry_is_in_use_while_the_rest_is_compiled(
    two: KernelSet, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def slow(_modules: Any, _entries: Any, _cache: Any, ready: Ready, _shared: Any) -> None:
        ready("first", "FIRST")
        begun.set()
        assert go_on.wait(SECONDS)
        ready("second", "SECOND")

    monkeypatch.setattr(build, "compile_or_load", slow)
    thread = threading.Thread(target=two.load)
    thread.start()
    try:
        assert begun.wait(SECONDS)
        assert dict[str, Any](two.loaded) == {"first": "FIRST"}
        assert two.compiled_kernel("second") is None
        assert not two.is_loaded
    finally:
        go_on.set()
        thread.join(SECONDS)
    assert two.is_loaded


def test_what_failed_is_tried_again_and_what_was_ready_stays(
    two: KernelSet, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[int] = []

    def half(_modules: Any, _entries: Any, _cache: Any, ready: Ready, _shared: Any) -> None:
        ready("first", "FIRST")
        tries.append(1)
        if len(tries) == 1:
            raise ZeroDivisionError
        ready("second", "SECOND")

    monkeypatch.setattr(build, "compile_or_load", half)
    with pytest.raises(ZeroDivisionError):
        two.load()
    assert dict[str, Any](two.loaded) == {"first": "FIRST"}
    assert two.load()
    assert len(tries) == 2


def test_the_name_of_a_cache_is_that_of_its_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another version of anything, or another source, is another cache."""
    modules = EXACT_KERNELS.import_modules()
    versions = {"numba": "1", "llvmlite": "2", "numpy": "3"}
    monkeypatch.setattr(build, "version", versions.__getitem__)
    names = {build.cache_folder_name(modules)}
    for part in versions:
        monkeypatch.setitem(versions, part, "upgraded")
        names.add(build.cache_folder_name(modules))
    read = Path.read_bytes
    # Constants that kernels read are theirs too, although no kernel is among them.
    for changed in ("component_states.py", "offsets.py", "build.py"):

        def edited(path: Path, changed: str = changed) -> bytes:
            return read(path) + b"\n" * (path.name == changed)

        monkeypatch.setattr(Path, "read_bytes", edited)
        names.add(build.cache_folder_name(modules))
    assert len(names) == 7


def test_every_copy_of_demine_has_a_cache_of_its_own(tmp_path: Path) -> None:
    """Numba finds what it kept only for a file of the same path and time."""
    pytest.importorskip("numba", exc_type=ImportError)
    modules = EXACT_KERNELS.import_modules()
    own = build.cache_folder_name(modules)
    copy = shutil.copytree(Path(modules[0].__file__ or "").parent, tmp_path / "kernels")
    copied = ModuleType("copied")
    copied.__file__ = str(copy / "solve_boards.py")
    elsewhere = build.cache_folder_name([copied])
    os.utime(copy / "solve_boards.py", (1, 1))
    assert len({own, elsewhere, build.cache_folder_name([copied])}) == 3


def test_old_caches_go_when_a_new_one_is_whole(tmp_path: Path) -> None:
    """Never one used lately, and nothing that is no cache."""
    shelf = tmp_path / "kernels"
    names = {"own": "a" * 24, "lately": "b" * 24, "old": "c" * 24, "other": "notes"}
    for name in names.values():
        (shelf / name).mkdir(parents=True)
        (shelf / name / "file").write_text("")
    for name in ("own", "old", "other"):
        os.utime(shelf / names[name], (0, 0))
    own = shelf / names["own"]
    cache.mark_used_and_remove_old(own, 2)
    assert {path.name for path in shelf.iterdir()} == set(names.values())
    for entry in ("first", "second"):
        (own / f"{entry}.nbc").write_text("")
    cache.mark_used_and_remove_old(own, 2)
    assert {path.name for path in shelf.iterdir()} == set(names.values()) - {names["old"]}
    assert own.stat().st_mtime > 0


def test_arrays_nobody_may_write_to_are_copied() -> None:
    frozen = np.zeros(2)
    frozen.flags.writeable = False
    assert accept_read_only_arrays(lambda array: array.flags.writeable)(frozen)
    assert not frozen.flags.writeable


def test_sets_are_found_by_their_names() -> None:
    assert kernel_set_by_name("demine.solver.exact.kernels:EXACT_KERNELS") is EXACT_KERNELS


@pytest.mark.parametrize("each", all_kernel_sets(), ids=lambda each: next(iter(each.entries)))
def test_a_set_names_the_arguments_of_each_entry(each: KernelSet) -> None:
    pytest.importorskip("numba", exc_type=ImportError)
    sigutils = import_module("numba.core.sigutils")
    kernels = build.plain_kernels(each.import_modules())
    for name, signature in each.entries.items():
        arguments, _ = sigutils.normalize_signature(signature)
        assert len(arguments) == kernels[name].__code__.co_argcount, name


@pytest.mark.parametrize("each", all_kernel_sets(), ids=lambda each: next(iter(each.entries)))
def test_no_kernel_counts_from_the_end_of_an_array(each: KernelSet) -> None:
    """Compiled, it would read what lies before the array."""
    for module in each.import_modules():
        for node in ast.walk(ast.parse(Path(str(module.__file__)).read_text("utf-8"))):
            if isinstance(node, ast.Subscript):
                assert not isinstance(node.slice, ast.UnaryOp), f"{module.__name__}:{node.lineno}"


def test_several_sets_tell_each_step_once(
    two: KernelSet, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fake(_modules: Any, entries: dict[str, str], _to: Any, ready: Ready, _shared: Any) -> None:
        give(entries, ready)

    monkeypatch.setattr(build, "compile_or_load", fake)
    other = KernelSet(two.modules, two.entries)
    told: list[tuple[int, int]] = []
    assert kernel_set.load_sets([two, other], lambda done, of: told.append((done, of)))
    assert told == [(done, 4) for done in range(5)]
    assert folder.exists()


@pytest.mark.parametrize("writable", [True, False])
def test_only_what_can_be_kept_is_advised_in_advance(
    two: KernelSet,
    writable: bool,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(cache, "ensure_writable", lambda _folder: writable)
    log_compiling(two)
    end = "`demine warm` does that in advance" if writable else f"{folder.parent} is not writable"
    assert caplog.messages[0].startswith("demine compiles its player first")
    assert caplog.messages[0].endswith(end)


def test_whoever_waits_for_a_compiler_is_told_once(
    two: KernelSet, folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fake(_modules: Any, entries: dict[str, str], _to: Any, ready: Ready, _shared: Any) -> None:
        give(entries, ready)

    monkeypatch.setattr(build, "compile_or_load", fake)
    assert load_and_tell(two)
    assert load_and_tell(two)
    assert len(caplog.messages) == 1
    assert folder.exists()
