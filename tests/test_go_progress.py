"""What go.py tells while pip works: whoever waits for a slow network sees what it is about."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from scripts import quiet_command
from tests.test_go import program

pytestmark = pytest.mark.skipif(os.name == "nt", reason="shell scripts stand for other programs")

SAID = """\
Collecting pyside6-essentials==6.11.3
  Downloading PySide6_Essentials-6.11.3-cp310-abi3-manylinux_2_34_x86_64.whl (84.9 MB)
  Downloading https://files.example/packages/numpy-2.4.6-cp311-cp311-linux.whl.metadata (6 kB)
  Using cached click-8.5.1-py3-none-any.whl (113 kB)
  Using cached https://files.example/packages/numpy-2.4.6-cp311-cp311-linux.whl (16.9 MB)
Downloading pyside6-essentials (80.9MiB)
Installing collected packages: everything"""


def test_large_packages_are_named_with_their_size(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pip = program(tmp_path / "pip", *(f"echo '{line}'" for line in SAID.splitlines()), "exit 3")
    assert quiet_command.run_quietly(pip) == (3, f"{SAID}\n")
    assert capsys.readouterr().err.splitlines() == [
        "  PySide6_Essentials 6.11.3 (84.9 MB) ...",
        "  numpy 2.4.6 (16.9 MB) ...",
        "  pyside6-essentials (80.9MiB) ...",
    ]


def test_they_are_named_while_they_come(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program goes on only when its line was told: told at its end would be never."""
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    monkeypatch.setattr(
        quiet_command, "print_line", lambda text: gate.write_text(text, encoding="utf-8")
    )
    line = "echo 'Downloading demine-1.0-py3-none-any.whl (2.5 MB)'"
    pip = program(tmp_path / "pip", line, f"cat '{gate}'")
    assert quiet_command.run_quietly(pip)[1].endswith("  demine 1.0 (2.5 MB) ...")
