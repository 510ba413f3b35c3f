"""Getting the kernels ready: from a cache, from a bad one, from none, and never in the way."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from demine.solver import compiled
from demine.solver._kernels import build, whole
from demine.solver.compiled import Engine
from demine.solver.exact import probability
from demine.solver.exact.probability import mine_probability, mine_probability_batch

CHILD = Path(__file__).with_name("child.py")
SECONDS = 110
KERNELS: Mapping[str, Any] = {"solve_many": whole.solve_many}
STEPS = list(range(1, len(build.ENTRIES) + 1))
GOOD = {"warmed": True, "steps": [0, *STEPS], "answer": [[0.25, 0.25], [0.25, 0.25]]}


def give(ready: Callable[[str, Any], object]) -> None:
    """Say that every kernel is ready."""
    for name, kernel in KERNELS.items():
        ready(name, kernel)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of a machine that has Numba, as far as one can tell."""
    monkeypatch.setattr(compiled, "available", lambda: True)
    monkeypatch.setattr(compiled, "user_cache", lambda: tmp_path)
    monkeypatch.setattr(build, "fingerprint", lambda: "name")
    monkeypatch.setattr(build, "ENTRIES", ("solve_many",))
    return tmp_path / "kernels" / "name"


def test_nothing_is_compiled_unasked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a question nor a small batch loads Numba."""
    monkeypatch.setattr(compiled, "warm", lambda: pytest.fail("compiled in the way"))
    scene = np.full((2, 2), 9, np.uint8)
    assert mine_probability(scene, 1).tolist() == [[0.25] * 2] * 2
    assert mine_probability_batch([scene] * 20, 1).shape == (20, 2, 2)
    code = "import sys; from demine.solver.exact.probability import mine_probability as p\n"
    code += "p([[9]], 1); print('numba' in sys.modules)"
    printed = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=SECONDS
    )
    assert printed.stdout == "False\n"


def test_a_large_batch_gets_ready_first(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, ...]] = []

    def warm(*, entries: tuple[str, ...]) -> None:
        asked.append(entries)

    monkeypatch.setattr(compiled, "warm", warm)
    monkeypatch.setattr(probability, "MANY", 3)
    mine_probability_batch(np.full((3, 1, 2), 9, np.uint8), 1)
    assert asked == [("solve_many",)]


def test_without_numba_nothing_can_be_warmed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "find_spec", {}.get)
    assert not compiled.warm()
    assert compiled.engine() is None
    assert mine_probability([[9, 9]], 1).tolist() == [[0.5, 0.5]]


def test_warming_twice_builds_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[Path | None] = []

    def fake(cache: Path | None, ready: Any, entries: Any) -> None:
        built.append(cache)
        give(ready)

    monkeypatch.setattr(build, "build", fake)
    steps: list[tuple[int, int]] = []
    for _ in range(2):
        assert compiled.warm(lambda done, of: steps.append((done, of)))
    assert built == [folder]
    assert steps == [(0, 1), (1, 1), (1, 1)]
    assert mine_probability(np.full((1, 4), 9, np.uint8), 1).tolist() == [[0.25] * 4]


@pytest.mark.parametrize(
    "damage",
    [EOFError("cut"), pickle.UnpicklingError("bad"), OSError(28, "disk full"), KeyError(1)],
)
@pytest.mark.parametrize("times", [1, 2])
def test_a_bad_cache_is_thrown_away(
    damage: Exception, times: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once, then a new one is made; if that is bad too, the kernels do without."""
    folder.mkdir(parents=True)
    (folder / "old").write_text("")
    seen: list[tuple[Path | None, bool]] = []

    def fake(cache: Path | None, ready: Any, entries: Any) -> None:
        seen.append((cache, (folder / "old").exists()))
        if len(seen) <= times:
            raise damage
        give(ready)

    monkeypatch.setattr(build, "build", fake)
    assert compiled.warm()
    assert seen == [(folder, True), (folder, False), (None, False)][: times + 1]


def test_other_errors_are_not_hidden(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(build, "build", broken)
    with pytest.raises(ZeroDivisionError):
        compiled.warm()
    assert compiled.engine() is None


def test_the_name_of_a_cache_is_that_of_its_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another version of anything, or another source, is another cache."""
    versions = {"numba": "1", "llvmlite": "2", "numpy": "3"}
    monkeypatch.setattr(build, "version", versions.__getitem__)
    names = {build.fingerprint()}
    for part in versions:
        monkeypatch.setitem(versions, part, "upgraded")
        names.add(build.fingerprint())
    read = Path.read_bytes

    def edited(path: Path) -> bytes:
        return read(path) + b"\n" * (path.name == "count.py")

    monkeypatch.setattr(Path, "read_bytes", edited)
    names.add(build.fingerprint())
    assert len(names) == 5


def test_every_copy_of_demine_has_a_cache_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Numba finds what it kept only for a file of the same path and time."""
    pytest.importorskip("numba", exc_type=ImportError)
    own = build.fingerprint()
    twin = shutil.copytree(Path(build.__file__).parent, tmp_path / "_kernels")
    monkeypatch.setattr(build, "__file__", str(twin / "build.py"))
    elsewhere = build.fingerprint()
    os.utime(twin / "whole.py", (1, 1))
    assert len({own, elsewhere, build.fingerprint()}) == 3


def start(folder: Path, **environment: str) -> subprocess.Popen[str]:
    """A process that gets ready from a cache folder."""
    return subprocess.Popen(
        [sys.executable, "-W", "error", str(CHILD), str(folder)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    )


def report(process: subprocess.Popen[str]) -> dict[str, Any]:
    """What it says."""
    printed, _ = process.communicate(timeout=SECONDS)
    assert process.returncode == 0
    said: dict[str, Any] = json.loads(printed)
    return said


def test_the_next_process_loads_and_a_cut_cache_heals(
    cache_home: Path, built: Engine, tmp_path: Path
) -> None:
    shutil.copytree(cache_home, tmp_path / "cache")
    assert report(start(tmp_path / "cache")) == GOOD | {"loaded": len(STEPS)}
    victim = next((tmp_path / "cache").rglob("*.solve_many-*.nbi"))
    victim.write_bytes(victim.read_bytes()[:100])
    assert report(start(tmp_path / "cache")) == GOOD | {"loaded": 0, "steps": [0, 0, *STEPS]}
    assert report(start(tmp_path / "cache")) == GOOD | {"loaded": len(STEPS)}


@pytest.mark.parametrize("suffix", ["nbi", "nbc"])
def test_every_cut_of_a_cache_is_noticed(
    suffix: str, cache_home: Path, built: Engine, tmp_path: Path
) -> None:
    """What Numba raises when its files are short is what makes a new cache."""
    folder = cache_home / "kernels" / build.fingerprint()
    for part in (0.0, 0.001, 0.3, 0.9, 0.9999):
        copy = tmp_path / str(part)
        shutil.copytree(folder, copy)
        victim = next(copy.rglob(f"*.{suffix}"))
        whole_file = victim.read_bytes()
        victim.write_bytes(whole_file[: int(part * len(whole_file))])
        with pytest.raises(compiled._DAMAGE):
            build.build(copy, lambda *_: None)


def test_single_questions_do_not_wait_for_the_rest(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first entry answers while the others are still compiled, also for who waits for it."""
    begun, go_on = threading.Event(), threading.Event()

    def slow(cache: Path | None, ready: Any, entries: Any) -> None:
        give(ready)
        begun.set()
        assert go_on.wait(SECONDS)
        ready("seek", "the kernel")

    monkeypatch.setattr(build, "ENTRIES", ("solve_many", "seek"))
    monkeypatch.setattr(build, "build", slow)
    thread = threading.Thread(target=compiled.warm)
    thread.start()
    try:
        assert begun.wait(SECONDS)
        engine = compiled.engine()
        assert engine is not None
        assert engine.seek is None
        assert compiled.warm(entries=compiled.FIRST)
        assert mine_probability(np.full((1, 4), 9, np.uint8), 1).tolist() == [[0.25] * 4]
    finally:
        go_on.set()
        thread.join(SECONDS)
    assert engine.seek == "the kernel"


def test_what_failed_is_tried_again_and_what_was_ready_stays(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[int] = []

    def half(cache: Path | None, ready: Any, entries: Any) -> None:
        give(ready)
        tries.append(1)
        if len(tries) == 1:
            raise ZeroDivisionError
        ready("seek", "the kernel")

    monkeypatch.setattr(build, "ENTRIES", ("solve_many", "seek"))
    monkeypatch.setattr(build, "build", half)
    with pytest.raises(ZeroDivisionError):
        compiled.warm()
    assert compiled.engine() is not None
    assert compiled.warm()
    assert len(tries) == 2


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
    compiled.tidy(own)
    assert {path.name for path in shelf.iterdir()} == set(names.values())
    for entry in build.ENTRIES:
        (own / f"{entry}.nbi").write_text("")
    compiled.tidy(own)
    assert {path.name for path in shelf.iterdir()} == set(names.values()) - {names["old"]}
    assert own.stat().st_mtime > 0


def test_arrays_nobody_may_write_to_are_read_all_the_same(fast: Engine) -> None:
    scenes = np.full((3, 2, 2), 9, np.uint8)
    scenes.flags.writeable = False
    mines = np.broadcast_to(np.int64(1), (3,))
    chance = np.empty((3, 2, 2))
    assert not fast.many(scenes, mines, chance).any()
    assert (chance == 0.25).all()
    twin = compiled._forgiving(lambda array: array.flags.writeable)
    assert twin(scenes)
    assert not scenes.flags.writeable
