"""Getting the kernels ready: from a cache, from a bad one, from none, and never in the way."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from demine.solver import compiled, probability
from demine.solver._kernels import build, whole
from demine.solver.compiled import Engine
from demine.solver.probability import mine_probability, mine_probability_batch

CHILD = Path(__file__).with_name("child.py")
SECONDS = 110
KERNELS: Mapping[str, Any] = {"solve_many": whole.solve_many}
GOOD = {"warmed": True, "steps": [0, 1], "answer": [[0.25, 0.25], [0.25, 0.25]]}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of a machine that has Numba, as far as one can tell."""
    monkeypatch.setattr(compiled, "available", lambda: True)
    monkeypatch.setattr(compiled, "user_cache", lambda: tmp_path)
    monkeypatch.setattr(build, "fingerprint", lambda: "name")
    return tmp_path / "kernels" / "name"


def test_nothing_is_compiled_unasked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a question nor a small batch loads Numba."""
    monkeypatch.setattr(compiled, "warm", lambda: pytest.fail("compiled in the way"))
    scene = np.full((2, 2), 9, np.uint8)
    assert mine_probability(scene, 1).tolist() == [[0.25] * 2] * 2
    assert mine_probability_batch([scene] * 20, 1).shape == (20, 2, 2)
    code = "import sys; from demine.solver.probability import mine_probability as p\n"
    code += "p([[9]], 1); print('numba' in sys.modules)"
    printed = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=SECONDS
    )
    assert printed.stdout == "False\n"


def test_a_large_batch_gets_ready_first(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []
    monkeypatch.setattr(compiled, "warm", lambda: asked.append(True))
    monkeypatch.setattr(probability, "MANY", 3)
    mine_probability_batch(np.full((3, 1, 2), 9, np.uint8), 1)
    assert asked == [True]


def test_without_numba_nothing_can_be_warmed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "find_spec", {}.get)
    assert not compiled.warm()
    assert compiled.engine() is None
    assert mine_probability([[9, 9]], 1).tolist() == [[0.5, 0.5]]


def test_warming_twice_builds_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[Path | None] = []

    def fake(cache: Path | None, progress: Any) -> Mapping[str, Any]:
        built.append(cache)
        progress(1, 1)
        return KERNELS

    monkeypatch.setattr(build, "build", fake)
    steps: list[tuple[int, int]] = []
    for _ in range(2):
        assert compiled.warm(lambda done, of: steps.append((done, of)))
    assert built == [folder]
    assert steps == [(1, 1), (1, 1)]
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

    def fake(cache: Path | None, progress: Any) -> Mapping[str, Any]:
        seen.append((cache, (folder / "old").exists()))
        if len(seen) <= times:
            raise damage
        return KERNELS

    monkeypatch.setattr(build, "build", fake)
    assert compiled.warm()
    assert seen == [(folder, True), (folder, False), (None, False)][: times + 1]


def test_other_errors_are_not_hidden(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(cache: Path | None, progress: Any) -> Mapping[str, Any]:
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
    assert report(start(tmp_path / "cache")) == GOOD | {"loaded": 1}
    victim = next((tmp_path / "cache").rglob("*.nbi"))
    victim.write_bytes(victim.read_bytes()[:100])
    assert report(start(tmp_path / "cache")) == GOOD | {"loaded": 0, "steps": [0, 0, 1]}
    assert report(start(tmp_path / "cache")) == GOOD | {"loaded": 1}


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


def test_two_processes_at_once_with_and_without_a_place_to_write(tmp_path: Path) -> None:
    """Two share an empty cache; a third, of a player without a folder to write to, has none."""
    pytest.importorskip("numba", exc_type=ImportError)
    (tmp_path / "file").write_text("no folder")
    processes = [start(tmp_path / "cache"), start(tmp_path / "cache"), start(tmp_path / "file")]
    for process in processes:
        said = report(process)
        # Whether one of the two was quick enough to load what the other made is a matter of luck.
        del said["loaded"]
        assert said == GOOD
    assert report(start(tmp_path / "cache")) == GOOD | {"loaded": 1}
