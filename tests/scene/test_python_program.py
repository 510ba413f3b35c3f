"""Which program runs Python code in another process."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from demine.scene.python_program import python_program


def test_an_interpreter_is_its_own() -> None:
    assert python_program() == sys.executable


@pytest.mark.parametrize("ending", ["", ".exe"])
def test_a_bundle_has_one_beside_its_program(
    ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / f"demine{ending}"))
    with pytest.raises(FileNotFoundError, match="no Python interpreter"):
        python_program()
    beside = tmp_path / f"demine-python{ending}"
    beside.touch()
    assert python_program() == str(beside)


@pytest.mark.parametrize("frozen", [False, True])
def test_a_program_with_python_inside_may_have_none(
    frozen: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "frozen", frozen, raising=False)
    monkeypatch.setattr(sys, "executable", "")
    with pytest.raises(FileNotFoundError):
        python_program()
