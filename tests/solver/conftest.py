"""Every test decides itself whether compiled code answers."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from demine.solver import compiled
from demine.solver.compiled import Engine
from demine.solver.player import advise


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """The plain engine answers, unless a test asks for `fast`."""
    monkeypatch.setattr(compiled._Shop, "engine", None)


@pytest.fixture(scope="session")
def cache_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A user's cache folder that the tests of a session share.

    Kernels that lie in the real one are taken from there, as a second run would find them.
    """
    folder = tmp_path_factory.mktemp("cache")
    if compiled.available() and compiled.cached():
        kernels = compiled.home()
        shutil.copytree(kernels, folder / "kernels" / kernels.name)
    return folder


@pytest.fixture(scope="session")
def built(cache_home: Path) -> Engine:
    """The compiled engine, made once."""
    pytest.importorskip("numba", exc_type=ImportError)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiled, "user_cache", lambda: cache_home)
        patch.setattr(compiled._Shop, "engine", None)
        assert compiled.warm()
        engine = compiled.engine()
    assert engine is not None
    return engine


@pytest.fixture
def fast(built: Engine, plain: None, monkeypatch: pytest.MonkeyPatch) -> Engine:
    """Compiled code answers what it can."""
    monkeypatch.setattr(compiled._Shop, "engine", built)
    return built


@pytest.fixture(scope="session")
def player() -> Callable[..., float]:
    """The compiled player."""
    pytest.importorskip("numba", exc_type=ImportError)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(advise._Shop, "kernel", None)
        assert advise.warm()
        kernel = advise._Shop.kernel
    assert kernel is not None
    return kernel
