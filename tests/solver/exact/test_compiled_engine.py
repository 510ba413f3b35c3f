"""The compiled engine: loaded when asked for, from whole caches, and never in the way."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from demine.kernels import build, cache, kernel_set
from demine.kernels.kernel_set import KernelSet
from demine.solver.exact import probability
from demine.solver.exact.compiled_engine import ProbabilityKernel, loaded_probability_kernel
from demine.solver.exact.kernels import EXACT_KERNELS, solve_boards
from demine.solver.exact.probability import mine_probability, mine_probability_batch

CHILD = Path(__file__).with_name("child.py")
SECONDS = 110
GOOD = {"warmed": True, "steps": [0, 1, 0, 1], "answer": [[0.25, 0.25], [0.25, 0.25]]}


def test_nothing_is_compiled_unasked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a question nor a small batch loads Numba."""
    monkeypatch.setattr(KernelSet, "load", lambda _: pytest.fail("compiled in the way"))
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
    asked: list[KernelSet] = []

    def load(each: KernelSet) -> bool:
        asked.append(each)
        return False

    monkeypatch.setattr(KernelSet, "load", load)
    monkeypatch.setattr(probability, "COMPILE_FROM_BOARDS", 3)
    mine_probability_batch(np.full((3, 1, 2), 9, np.uint8), 1)
    assert asked == [EXACT_KERNELS]


def test_without_numba_nothing_can_be_warmed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_set, "find_spec", {}.get)
    assert not EXACT_KERNELS.load()
    assert loaded_probability_kernel() is None
    assert mine_probability([[9, 9]], 1).tolist() == [[0.5, 0.5]]


def test_a_kernel_answers_once_it_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def noted(*arguments: Any) -> None:
        asked.append(1)
        solve_boards.solve_boards(*arguments)

    monkeypatch.setitem(EXACT_KERNELS.loaded, "solve_boards", noted)
    assert mine_probability(np.full((1, 4), 9, np.uint8), 1).tolist() == [[0.25] * 4]
    assert asked


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
    cache_home: Path, built: ProbabilityKernel, tmp_path: Path
) -> None:
    """A set of kernels is compiled anew where its cache is cut, the others are loaded."""
    shutil.copytree(cache_home, tmp_path / "cache")
    assert report(start(tmp_path / "cache")) == GOOD | {"loaded": 2}
    victim = next((tmp_path / "cache").rglob("*.solve_boards-*.nbi"))
    victim.write_bytes(victim.read_bytes()[:100])
    assert report(start(tmp_path / "cache")) == GOOD | {"loaded": 1, "steps": [0, 0, 1, 0, 1]}
    assert report(start(tmp_path / "cache")) == GOOD | {"loaded": 2}


@pytest.mark.parametrize("suffix", ["nbi", "nbc"])
def test_every_cut_of_a_cache_is_noticed(
    suffix: str, cache_home: Path, built: ProbabilityKernel, tmp_path: Path
) -> None:
    """What Numba raises when its files are short is what makes a new cache."""
    folder = cache_home / "kernels" / EXACT_KERNELS.cache_folder().name
    for part in (0.0, 0.001, 0.3, 0.9, 0.9999):
        copy = tmp_path / str(part)
        shutil.copytree(folder, copy)
        victim = next(copy.rglob(f"*.{suffix}"))
        whole_file = victim.read_bytes()
        victim.write_bytes(whole_file[: int(part * len(whole_file))])
        with pytest.raises(cache.LOAD_ERRORS):
            build.compile_or_load(
                EXACT_KERNELS.import_modules(), EXACT_KERNELS.entries, copy, lambda *_: None
            )


def test_arrays_nobody_may_write_to_are_read_all_the_same(fast: ProbabilityKernel) -> None:
    scenes = np.full((3, 2, 2), 9, np.uint8)
    scenes.flags.writeable = False
    mines = np.broadcast_to(np.int64(1), (3,))
    chance = np.empty((3, 2, 2))
    assert fast.write_probabilities(scenes, mines, chance).all()
    assert (chance == 0.25).all()
    assert not scenes.flags.writeable
