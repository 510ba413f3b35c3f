"""The command lines that most starts are made of are understood without Click, and as it does."""

from __future__ import annotations

import pytest

from demine.cli.main import run
from demine.cli.scene_selection import parse_simple_args
from demine.cli.verbs import play
from demine.scene.preferences import StartOptions

LINES = [
    "",
    "play",
    "--new",
    "play --new",
    "beginner",
    "expert --new",
    "play intermediate",
    "play --new expert",
    "--new --new",
    "expert --seed 7",
    "play --seed 0",
    "play --new --seed 007 30x16/99",
    "9x9/10 --seed 1 --seed 2",
    "--scene desktop",
    "play --scene classic expert --new",
    "--scene desktop --seed 3 --scene terminal",
]


@pytest.mark.parametrize("line", LINES)
def test_plain_lines_mean_the_same_with_click(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str | None, StartOptions]] = []

    def opened(scene: str | None, wishes: StartOptions) -> int:
        asked.append((scene, wishes))
        return 0

    monkeypatch.setattr(play, "open_scene", opened)
    assert run(line.split()) == 0
    assert asked == [parse_simple_args(line.split())]


@pytest.mark.parametrize(
    "line",
    [
        "expert beginner",
        "expert play",
        "play play",
        "--new play",
        "expert --seed",
        "expert --seed -1",
        "expert --seed 7x",
        "--seed --new",
        "3x3/9",
        "30x16/99/1",
        "9x9/10 30x16/99",
        "1.5OoXYg",
        "7",
        "--scene",
        "--scene cinema",
        "--scene=classic",
    ],
)
def test_other_lines_are_left_to_click(line: str) -> None:
    assert parse_simple_args(line.split()) is None
