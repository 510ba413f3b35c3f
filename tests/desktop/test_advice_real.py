"""The coach in a real window on a real display, asked with real keys."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import numpy as np
import pytest

from demine.game import Game
from demine.logic.event import Verb
from demine.logic.rules import BEGINNER
from demine.picture.board import tile
from demine.scene.cell_faces import Face
from demine.scene.cell_highlights import Look
from demine.scene.overlay import Mark
from tests.desktop.conftest import Sit
from tests.desktop.desk import Desk
from tests.hand import wait_for

MARKED = (Mark.SAFE, Mark.GUESS)


def shown(desk: Desk, cell: tuple[int, int]) -> bytes:
    """The pixels of a cell."""
    corner, side, picture = desk.corner(), desk.cell, desk.hand.look()
    if corner is None:
        return b""
    x, y = corner[0] + cell[1] * side, corner[1] + cell[0] * side
    return picture[y : y + side, x : x + side].tobytes()


def told(desk: Desk, *marks: Mark) -> tuple[int, int] | None:
    """The covered cell that is marked in one of these ways."""
    wanted = {
        tile(desk.look, Face.COVERED, Look.PLAIN, desk.cell, mark).tobytes() for mark in marks
    }
    cells = np.ndindex(*desk.game.rules.shape)
    return next(((row, col) for row, col in cells if shown(desk, (row, col)) in wanted), None)


def solvers(desk: Desk) -> set[int]:
    """The processes that the window has started and that live."""
    tasks = Path(f"/proc/{desk.process.pid}/task").glob("*/children")
    return {int(number) for task in tasks for number in task.read_text().split()}


def alive(process: int) -> bool:
    """Whether a process has not ended."""
    try:
        return "Z" not in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False


def test_hints_from_a_solver_nobody_has_used_before_win_the_game(sit: Sit, tmp_path: Path) -> None:
    desk = sit(XDG_CACHE_HOME=str(tmp_path), NUMBA_CACHE_DIR=str(tmp_path / "numba"))
    desk.open(4, 4)
    for _ in range(3):
        desk.hand.key("h")
        cell = wait_for(lambda: told(desk, *MARKED), "a hint")
        assert not desk.game.board.mine_map[cell]  # this board needs no guess so early
        desk.open(*cell)
    desk.hand.key("h")
    wait_for(lambda: told(desk, *MARKED), "a hint")
    desk.hand.key("escape")
    wait_for(lambda: told(desk, *MARKED) is None, "the end of the hint")
    desk.expect()


def test_risks_are_painted_and_go_away(sit: Sit) -> None:
    desk = sit()
    desk.open(4, 4)
    desk.hand.key("shift+h")
    mines = [(int(row), int(col)) for row, col in np.argwhere(desk.game.board.mine_map)]
    sure = tile(desk.look, Face.COVERED, Look.PLAIN, desk.cell, risk=100).tobytes()
    wait_for(lambda: any(shown(desk, mine) == sure for mine in mines), "a certain mine")
    desk.hand.key("shift+h")
    desk.expect()


def test_a_lost_game_shows_the_mine_that_was_hit(sit: Sit) -> None:
    desk = sit()
    desk.open(4, 4)
    row, col = (int(at) for at in np.argwhere(desk.game.board.mine_map)[0])
    desk.hand.click(*desk.middle(row, col))
    wrong = tile(desk.look, Face.BLOWN, Look.PLAIN, desk.cell).tobytes()
    wait_for(lambda: shown(desk, (row, col)) == wrong, "the mine that was hit")
    desk.hand.key("ctrl+z")
    desk.expect()
    assert shown(desk, (row, col)) != wrong


def test_a_guess_free_game_is_proven_step_by_step(sit: Sit) -> None:
    game = Game(BEGINNER)
    desk = sit("--theme", "light", "--cell", "24", "beginner", "--guess-free", game=game)
    desk.play_a_little()
    desk.hand.key("ctrl+p")
    desk.hand.key("ctrl+p")
    wait_for(lambda: told(desk, Mark.SAFE), "the first step")
    before = int((desk.board()[0] <= Face.EIGHT).sum())
    desk.hand.key("space")
    wait_for(lambda: int((desk.board()[0] <= Face.EIGHT).sum()) > before, "the next step")
    for _ in range(71):
        desk.hand.key("space")
    wait_for(lambda: Face.COVERED not in desk.board()[0], "the end of the proof")


@pytest.mark.skipif(sys.platform != "linux", reason="processes are found by /proc")
def test_the_window_outlives_its_solver_and_takes_it_along(sit: Sit) -> None:
    desk = sit()
    desk.open(4, 4)
    assert not solvers(desk)
    desk.hand.key("h")
    first = wait_for(lambda: solvers(desk), "a solver")
    for number in first:
        os.kill(number, signal.SIGKILL)
    wait_for(lambda: not any(map(alive, first)), "its end")
    desk.hand.key("escape")
    desk.expect()
    desk.hand.key("h")
    cell = wait_for(lambda: told(desk, *MARKED), "a hint from another solver")
    desk.open(*cell)
    left = solvers(desk)
    assert left
    desk.hand.ask_to_close()
    desk.process.wait(20)
    wait_for(lambda: not any(map(alive, left)), "the end of the solver")


def test_undo_and_a_new_game_leave_no_mark(sit: Sit) -> None:
    desk = sit()
    desk.open(4, 4)
    desk.hand.key("h")
    wait_for(lambda: told(desk, *MARKED), "a hint")
    desk.hand.key("ctrl+z")
    desk.follow(Verb.UNDO)
    assert told(desk, *MARKED) is None
