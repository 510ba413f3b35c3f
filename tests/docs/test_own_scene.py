"""The scene that docs/howto/own-scene.md builds is played, as its blocks stand there."""

from __future__ import annotations

import ast
import runpy
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from demine.game import Game
from demine.logic.event import Act, Verb
from demine.logic.game import Status
from demine.logic.rules import BEGINNER
from demine.scene.key_bindings import Command
from demine.scene.preferences import StartOptions
from demine.store import Store
from tests.docs import pages
from tests.table import environment

PAGE = pages.DOCS / "howto" / "own-scene.md"
SEED = 7


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """The blocks of the page as one file."""
    file = tmp_path / "own_scene.py"
    file.write_text("\n\n".join(pages.fences(PAGE, "python")), "utf-8")
    return file


def safe_lines() -> Iterator[str]:
    """What a player says who knows where the mines are."""
    game = Game(BEGINNER, SEED)
    yield "5 5"
    game.play(Act(0, Verb.OPEN, 4, 4))
    while not game.status.over:
        row, col = np.argwhere(~(game.board.mine_map | game.board.open_map))[0]
        yield f"{row + 1} {col + 1}"
        game.play(Act(0, Verb.OPEN, int(row), int(col)))


def test_the_scene_is_small_and_knows_public_rooms_only(program: Path) -> None:
    text = program.read_text("utf-8")
    assert len(text.splitlines()) <= 150
    imported = {
        node.module
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("demine")
    }
    rooms = {(module or "").split(".")[1] for module in imported}
    assert rooms <= {"scene", "play", "picture"}


def test_a_game_is_won_and_kept(program: Path, data_dir: Path) -> None:
    shown: list[str] = []
    scene = runpy.run_path(str(program))
    scene["play"](safe_lines(), StartOptions(rules=BEGINNER, seed=SEED), shown.append)
    assert shown[-1].startswith("Win")
    assert sum(line.count(" F") for line in shown[-10:-1]) == BEGINNER.mines
    with Store.open() as store:
        assert [row.status for row in store.games()] == [Status.WON]


def test_everything_it_says_does_something(program: Path, data_dir: Path) -> None:
    shown: list[str] = []
    scene = runpy.run_path(str(program))
    lines = ["f 1 1", "help", "5 5", "hint", "pause", "pause", "undo", "99 99", "o", "intermediate"]
    scene["play"]([*lines, "quit", "5 5"], StartOptions(rules=BEGINNER, seed=SEED), shown.append)
    text = "\n".join(shown)
    for word in ("009  idle", " F #", "quit: Quit", "Paused", "practice", "Intermediate"):
        assert word in text
    assert scene["ABSENT"] | {*scene["AT_CELL"].values(), *scene["WORDS"].values()} == set(Command)


def test_it_goes_on_where_it_was_left(program: Path, data_dir: Path) -> None:
    def play(said: str) -> str:
        done = subprocess.run(
            [sys.executable, str(program)],
            input=said,
            env=environment(),
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stderr == ""
        return done.stdout

    left, covered, uncovered = play("5 5\nquit\n"), play("quit\n"), play("pause\nquit\n")
    assert "." in left
    assert "Paused" in covered
    assert "." not in covered
    shown_first, shown_then = uncovered.split("Paused")
    assert "." not in shown_first
    assert "." in shown_then
    with Store.open() as store:
        assert [row.status for row in store.games(status="running")] == [Status.RUNNING]
