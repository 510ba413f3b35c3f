"""The desktop as a program: whole games by real hands, its ends, its beginnings."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from demine.game import Game
from demine.logic.event import Act, Verb
from demine.logic.game import Status
from demine.logic.rules import BEGINNER, EXPERT, INTERMEDIATE, Rules
from demine.scene.board_geometry import ZOOM_STEPS
from demine.scene.cell_faces import Face
from demine.scene.cell_highlights import Look
from demine.scene.key_bindings import Command
from demine.scene.keyboard_cursor import moved_cursor
from demine.scene.sight import sight
from demine.scene.themes import theme
from demine.store import Store
from tests.desktop.desk import CELL, SEED, Desk, environment
from tests.hand import wait_for
from tests.languages import TO_CHINESE, TO_ENGLISH

Sit = Callable[..., Desk]


def run(*arguments: str, **changes: str | None) -> subprocess.CompletedProcess[str]:
    """Run the command line to its end."""
    return subprocess.run(
        [sys.executable, "-m", "demine", *arguments],
        env=environment(**changes),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def words(desk: Desk) -> NDArray[np.uint8]:
    """The pixels of the first titles in the menu bar."""
    return desk.hand.look()[:18, :150]


@pytest.mark.usefixtures("lamps")
def test_a_board_is_won_by_mouse(sit: Sit) -> None:
    desk = sit()
    desk.expect()
    assert desk.counts("010")
    assert desk.counts("000")
    desk.open(4, 4)
    mines = desk.game.board.mine_map
    row, col = (int(at) for at in np.argwhere(mines)[0])
    desk.flag(row, col)
    wait_for(lambda: desk.counts("009"), "one mine less")
    desk.win()
    assert desk.game.status is Status.WON
    wait_for(lambda: desk.counts("000"), "no mine left")


def test_a_board_is_lost_by_mouse_and_begun_anew(sit: Sit) -> None:
    desk = sit()
    desk.open(4, 4)
    blown = desk.lose()
    assert desk.board()[0][blown] == Face.BLOWN
    desk.hand.key("f2")
    wait_for(lambda: desk.shows(np.full((9, 9), Face.COVERED, np.uint8)), "a new board")


def test_a_press_is_seen_and_sliding_off_takes_it_back(sit: Sit) -> None:
    desk = sit()
    desk.hand.point(*desk.middle(2, 3))
    desk.hand.press(1)
    wait_for(lambda: desk.board()[1][2, 3] == Look.PRESSED, "a cell held down")
    desk.hand.point(2, 2)
    wait_for(lambda: desk.board()[1][2, 3] == Look.PLAIN, "the cell let go")
    desk.hand.release(1)
    desk.open(4, 4)  # nothing was opened before it, or the board would be another one


def test_quick_presses_are_all_heard(sit: Sit) -> None:
    desk = sit()
    desk.hand.point(*desk.middle(0, 0))
    for _ in range(5):
        desk.hand.press(3)
        desk.hand.release(3)
    desk.follow(Verb.FLAG, 0, 0)


def test_a_board_is_won_by_the_keyboard_alone(sit: Sit) -> None:
    desk = sit()
    cursor: tuple[int, int] | None = None
    desk.hand.key("down")
    cursor = moved_cursor(sight(desk.game), cursor, Command.DOWN)
    while not desk.game.status.over:
        safe = np.argwhere(~(desk.game.board.mine_map | desk.game.board.open_map))
        goal = cursor if not desk.game.begun else tuple(int(at) for at in safe[0])
        for command, steps in (
            (Command.DOWN, goal[0] - cursor[0]),
            (Command.UP, cursor[0] - goal[0]),
            (Command.RIGHT, goal[1] - cursor[1]),
            (Command.LEFT, cursor[1] - goal[1]),
        ):
            for _ in range(max(0, steps)):
                desk.hand.key(command.value)
                cursor = moved_cursor(sight(desk.game), cursor, command)
        desk.hand.key("space")
        desk.game.play(Act(0, Verb.OPEN, *cursor))
        desk.expect(besides=cursor)
    assert desk.game.status is Status.WON


def test_keys_act_at_the_pointer(sit: Sit) -> None:
    desk = sit()
    desk.hand.point(*desk.middle(4, 4))
    desk.hand.key("e")
    desk.follow(Verb.OPEN, 4, 4)
    row, col = (int(at) for at in np.argwhere(desk.game.board.mine_map)[0])
    desk.hand.point(*desk.middle(row, col))
    desk.hand.key("w")
    desk.follow(Verb.FLAG, row, col)


def test_a_pointer_that_stands_still_finds_the_cell_of_another_board(sit: Sit) -> None:
    desk = sit()
    desk.hand.point(*desk.middle(4, 4))
    for key, rules in (("3", EXPERT), ("1", BEGINNER)):
        desk.hand.key(key)
        desk.game = Game(rules)
        desk.expect()
    desk.hand.key("e")
    wait_for(lambda: desk.board()[0][4, 4] < Face.COVERED, "an opening under the pointer")


def test_a_pointer_that_stands_still_finds_the_cell_zoomed_under_it(sit: Sit) -> None:
    desk = sit()
    x, y = desk.middle(4, 4)
    desk.hand.point(x, y)
    desk.hand.key("-")
    desk.cell = max(step for step in ZOOM_STEPS if step < CELL)
    desk.expect()
    left, top = wait_for(desk.corner, "the smaller board")
    cell = (y - top) // desk.cell, (x - left) // desk.cell
    assert cell != (4, 4)
    desk.hand.key("w")
    desk.follow(Verb.FLAG, *cell)


def test_pausing_hides_the_board(sit: Sit) -> None:
    desk = sit()
    desk.open(4, 4)
    desk.hand.key("p")
    # The sign stands over the middle.
    wait_for(lambda: bool((desk.board()[0][[0, -1]] == Face.COVERED).all()), "a hidden board")
    desk.hand.key("p")
    desk.expect()


def test_undo_brings_a_lost_game_back(sit: Sit) -> None:
    desk = sit()
    desk.open(4, 4)
    desk.lose()
    desk.hand.key("ctrl+z")
    desk.follow(Verb.UNDO)


@pytest.mark.usefixtures("lamps")
@pytest.mark.parametrize("slip", ["3", "f2", "shift+f2"])
def test_a_slip_is_taken_back(sit: Sit, data_dir: Path, slip: str) -> None:
    desk = sit()
    desk.open(4, 4)
    row, col = (int(at) for at in np.argwhere(desk.game.board.mine_map)[0])
    desk.flag(row, col)
    game = desk.game
    desk.hand.key(slip)
    desk.game = Game(EXPERT if slip == "3" else BEGINNER)
    desk.game = game.again() if slip == "shift+f2" else desk.game
    wait_for(lambda: desk.counts("099" if slip == "3" else "010"), "the mines of a new board")
    desk.hand.key("ctrl+z")
    desk.game = game
    desk.expect()
    wait_for(lambda: desk.counts("009"), "the mines left of the game that was left")
    desk.win()
    desk.hand.key("ctrl+q")
    assert desk.process.wait(40) == 0
    with Store.open(data_dir / "demine.db") as store:
        assert [row.status for row in store.games()] == ["won"]


@pytest.mark.usefixtures("lamps")
def test_who_quits_after_a_slip_finds_the_game_again(sit: Sit) -> None:
    desk = sit()
    desk.open(4, 4)
    row, col = (int(at) for at in np.argwhere(desk.game.board.mine_map)[0])
    desk.flag(row, col)
    desk.hand.key("3")
    wait_for(lambda: desk.counts("099"), "the mines of a new board")
    desk.hand.key("ctrl+q")
    assert desk.process.wait(40) == 0
    again = sit("--cell", str(CELL), game=desk.game)
    wait_for(lambda: bool((again.board()[0][[0, -1]] == Face.COVERED).all()), "a hidden board")
    again.hand.key("p")
    again.expect()


def test_the_look_changes_at_once(sit: Sit) -> None:
    desk = sit()
    desk.open(4, 4)
    for name in ("dark", "contrast", "meadow", "classic", "light"):
        desk.hand.key("t")
        desk.look = theme(name)
        desk.expect()


def test_the_look_is_kept(sit: Sit) -> None:
    desk = sit()
    desk.hand.key("t")
    desk.look = theme("dark")
    desk.expect()
    desk.stop()
    again = sit("beginner", "--seed", str(SEED), "--cell", str(CELL), look="dark")
    again.expect()


def test_the_language_changes_at_once(sit: Sit) -> None:
    desk = sit()
    english = words(desk)
    for key in TO_CHINESE:
        desk.hand.key(key)
    wait_for(lambda: not np.array_equal(words(desk), english), "other words in the menu bar")
    for key in TO_ENGLISH:
        desk.hand.key(key)
    wait_for(lambda: np.array_equal(words(desk), english), "English in the menu bar")


@pytest.mark.parametrize("scale", [1.25, 1.5, 2.0])
def test_cells_are_sharp_on_dense_screens(sit: Sit, scale: float) -> None:
    desk = sit(scale=scale)
    desk.expect()
    desk.open(4, 4)
    desk.lose()


def test_levels_have_keys(sit: Sit) -> None:
    desk = sit()
    desk.hand.key("2")
    desk.game = Game(INTERMEDIATE)
    desk.expect()


def test_setup_is_filled_in_by_keyboard(sit: Sit) -> None:
    desk = sit()
    main = desk.hand.window
    assert main is not None
    desk.hand.key("4")
    desk.hand.find("demine", besides=(main.id,))
    desk.hand.focus()
    for number in ("12", "10", "20"):
        for digit in number:
            desk.hand.key(digit)
        desk.hand.key("tab")
    desk.hand.key("enter")
    wait_for(desk.hand.gone, "the end of the dialog")
    desk.hand.window = main
    desk.game = Game(Rules(12, 10, 20))
    desk.expect()


def test_records_open_and_close_by_keyboard(sit: Sit) -> None:
    desk = sit()
    desk.open(4, 4)
    desk.lose()
    main = desk.hand.window
    assert main is not None
    desk.hand.key("ctrl+h")
    desk.hand.find("demine", besides=(main.id,))
    desk.hand.focus()
    wait_for(lambda: desk.hand.look().std() > 1, "the records")
    desk.hand.key("escape")
    wait_for(desk.hand.gone, "the end of the dialog")
    desk.hand.window = main
    desk.hand.focus()
    desk.expect()
    desk.hand.key("f2")
    wait_for(lambda: desk.shows(np.full((9, 9), Face.COVERED, np.uint8)), "a new board")


def test_a_killed_desktop_goes_on_where_it_was(sit: Sit) -> None:
    desk = sit("beginner", "--cell", str(CELL), "--theme", "light")
    faces = desk.play_a_little()
    desk.kill()
    again = sit("--cell", str(CELL))
    again.resume()
    again.expect_faces(faces)


def test_ctrl_c_ends_it(sit: Sit) -> None:
    desk = sit()
    assert desk.stop(signal.SIGINT) == (130, "")


def test_a_polite_kill_ends_it(sit: Sit) -> None:
    desk = sit()
    assert desk.stop(signal.SIGTERM) == (0, "")


def test_ctrl_q_ends_it(sit: Sit) -> None:
    desk = sit()
    desk.hand.key("ctrl+q")
    assert desk.process.wait(20) == 0


@pytest.mark.parametrize("display", [None, ":4095"])
def test_no_display_is_said_in_one_line(display: str | None) -> None:
    done = run("play", "--scene", "desktop", DISPLAY=display)
    assert done.returncode == 2
    assert ": cannot open a window: " in done.stderr
    assert done.stderr.count("\n") == 1
    assert (display or "DISPLAY") in done.stderr
