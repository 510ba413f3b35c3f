"""Every test decides itself whether compiled code answers."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from demine.kernels import cache, kernel_set
from demine.play.load_kernels import all_kernel_sets
from demine.solver.exact.compiled_engine import ProbabilityKernel, loaded_probability_kernel
from demine.solver.player import advise
from demine.solver.player.kernels import PLAYER_KERNELS
from tests.solver import loaded


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """The plain engine answers, unless a test asks for `fast`."""
    loaded.use_solver(monkeypatch, None)


@pytest.fixture(scope="session")
def cache_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A user's cache folder that the tests of a session share.

    Kernels that lie in the real one are taken from there, as a second run would find them.
    """
    folder = tmp_path_factory.mktemp("cache")
    if kernel_set.numba_available() and kernel_set.are_cached(all_kernel_sets()):
        for each in all_kernel_sets():
            kernels = each.cache_folder()
            # Sets of the same modules share a folder.
            shutil.copytree(kernels, folder / "kernels" / kernels.name, dirs_exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def built(cache_home: Path) -> ProbabilityKernel:
    """The compiled engine, made once."""
    pytest.importorskip("numba", exc_type=ImportError)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cache, "user_cache_folder", lambda: cache_home)
        loaded.use_all(patch, None)
        assert kernel_set.load_sets(all_kernel_sets())
        loaded.COMPILED.update({each: each.loaded for each in all_kernel_sets()})
        found = loaded_probability_kernel()
    assert found is not None
    return found


@pytest.fixture
def fast(
    built: ProbabilityKernel, plain: None, monkeypatch: pytest.MonkeyPatch
) -> ProbabilityKernel:
    """Compiled code answers what it can."""
    loaded.use_solver(monkeypatch, built)
    return built


@pytest.fixture(scope="session")
def player() -> Callable[..., float]:
    """The compiled player."""
    pytest.importorskip("numba", exc_type=ImportError)
    with pytest.MonkeyPatch.context() as patch:
        loaded.use_player(patch, None)
        assert advise.load_kernels()
        kernel = PLAYER_KERNELS.compiled_kernel("run_advice_task")
    assert kernel is not None
    return kernel
