"""The programs of the page on environments that learn to play, each run for a moment."""

from __future__ import annotations

import runpy
import shlex
import sys
from pathlib import Path

import pytest

from tests.docs import pages

PROGRAM = "python -m demine.envs.learning."
COMMANDS = [each for each in pages.every_command() if each.startswith(PROGRAM)]
SMALLER = {
    "imitate_solver": "--rounds 1 --positions 500 --channels 4 --blocks 1 --judged 10",
    "masked_ppo": "--steps 1 --boards 8 --length 2 --channels 4 --blocks 1 --judged 10",
    "maskable_ppo_sb3": "--steps 1 --judged 10",
}
"""What makes each program a matter of seconds."""
NEEDS = {
    "imitate_solver": ("jax", "optax"),
    "masked_ppo": ("jax", "optax"),
    "maskable_ppo_sb3": ("sb3_contrib",),
}


def program(command: str) -> str:
    return command.removeprefix(PROGRAM).split()[0]


def test_every_program_is_shown() -> None:
    assert {program(command) for command in COMMANDS} == set(SMALLER)


@pytest.mark.parametrize("command", COMMANDS)
def test_it_learns_and_compares(
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for library in NEEDS[program(command)]:
        pytest.importorskip(library)
    monkeypatch.chdir(tmp_path)
    _, _, module, *words = shlex.split(command)
    monkeypatch.delitem(sys.modules, module, raising=False)  # another test may have imported it
    monkeypatch.setattr(sys, "argv", [module, *words, *SMALLER[program(command)].split()])
    with pytest.raises(SystemExit) as ended:
        runpy.run_module(module, run_name="__main__")
    assert ended.value.code == 0
    assert {"random", "learned", "fast"} <= set(capsys.readouterr().out.split())
    if "--save" in words:
        assert (tmp_path / words[words.index("--save") + 1]).stat().st_size > 0
