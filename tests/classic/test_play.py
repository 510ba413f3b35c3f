"""Whole games in the real window, by mouse and by keyboard."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from demine.game import Game
from demine.logic.event import Act, Verb
from demine.logic.game import Status
from demine.logic.rules import BEGINNER, EXPERT, INTERMEDIATE, Rules
from demine.scene.cell_faces import Face
from demine.scene.face_mood import FaceMood
from demine.scene.key_bindings import Command
from demine.scene.keyboard_cursor import moved_cursor
from demine.scene.sight import sight
from tests.classic.desk import (
    BEGINNER_7,
    CELL,
    Kind,
    Table,
    chordable,
    mines_around,
    remaining,
)
from tests.hand import wait_for
from tests.table import NOTHING, environment

Sit = Callable[..., Table]


def records() -> dict[str, Any]:
    """What `demine records --json` says."""
    done = subprocess.run(
        [sys.executable, "-m", "demine", "records", "--json"],
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def covered() -> NDArray[np.uint8]:
    """A beginner's board with nothing open."""
    return np.full(BEGINNER.shape, Face.COVERED, np.uint8)


def places(cells: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """The cells that are true, row by row."""
    return ((int(row), int(col)) for row, col in np.argwhere(cells))


def win(table: Table) -> None:
    """Open and chord until the game is won; it chords once with flags it set before."""
    row, col = chordable(table.game)
    for mine in mines_around(table.game, row, col):
        table.flag(*mine)
    table.chord(row, col)
    while not table.game.status.over:
        table.open(*remaining(table.game)[0])


def test_a_board_is_won_by_mouse(sit: Sit) -> None:
    table = sit()
    table.expect()
    table.counts("010")
    table.feels(FaceMood.IDLE)
    table.open(4, 4)
    win(table)
    assert table.game.status is Status.WON
    table.feels(FaceMood.WON)
    table.counts("000")
    faces, _ = table.board()
    np.testing.assert_array_equal(faces == Face.FLAG, table.game.board.mine_map)
    (game,) = records()["games"]
    assert (game["rules"], game["status"], game["unranked"]) == (str(BEGINNER), "won", "seed")
    table.hand.click(*table.middle(0, 0))
    table.hand.click(*table.middle(0, 0), 3)
    table.expect()


def test_a_fresh_win_enters_the_best_times(sit: Sit) -> None:
    # Without a mine every game is won by its first click, whatever its random seed.
    table = sit("5x4/0", "--cell", str(CELL), game=Game(Rules(5, 4, 0)))
    table.open(2, 2)
    table.feels(FaceMood.WON)
    (record,) = records()["records"]
    assert (record["rules"], record["won"], record["best_ms"]) == (str(Rules(5, 4, 0)), 1, 0)


def test_a_mine_ends_the_game_and_nothing_covers_it(sit: Sit) -> None:
    table = sit()
    table.open(4, 4)
    right = tuple(int(at) for at in np.argwhere(table.game.board.mine_map)[-1])
    table.flag(right[0], right[1])
    wrong = remaining(table.game)[0]
    table.flag(*wrong)
    title = table.words().copy()
    row, col = table.lose()
    table.feels(FaceMood.LOST)
    faces, _ = table.board()
    assert faces[row, col] == Face.BLOWN
    assert faces[right] == Face.FLAG
    assert faces[wrong] == Face.WRONG
    mines = table.game.board.mine_map.copy()
    mines[row, col] = mines[right] = False
    assert (faces[mines] == Face.MINE).all()
    assert (table.words() != title).any()
    table.hand.click(*table.middle(*remaining(table.game)[1]))
    table.expect()
    (game,) = records()["games"]
    assert game["status"] == "lost"


def walk(table: Table, cell: tuple[int, int], goal: tuple[int, int]) -> None:
    """Move the cursor with the arrows."""
    down, right = goal[0] - cell[0], goal[1] - cell[1]
    for _ in range(abs(down)):
        table.hand.key("down" if down > 0 else "up")
    for _ in range(abs(right)):
        table.hand.key("right" if right > 0 else "left")


def test_a_whole_game_by_keyboard(sit: Sit) -> None:
    table = sit()
    table.hand.key("space")  # shows the cursor; nobody opens what they do not see
    table.expect((4, 4))
    cursor = (4, 4)
    table.hand.key("space")
    table.game.play(Act(0, Verb.OPEN, *cursor))
    row, col = chordable(table.game)
    for mine in mines_around(table.game, row, col):
        walk(table, cursor, mine)
        table.hand.key("f")
        table.game.play(Act(0, Verb.FLAG, *mine))
        cursor = mine
    walk(table, cursor, (row, col))
    cursor = row, col
    table.hand.key("c")
    table.game.play(Act(0, Verb.CHORD, *cursor))
    table.expect(cursor)
    while not table.game.status.over:
        goal = remaining(table.game)[0]
        walk(table, cursor, goal)
        table.hand.key("enter")
        table.game.play(Act(0, Verb.OPEN, *goal))
        cursor = goal
    table.expect(cursor)
    table.feels(FaceMood.WON)


def test_jumps_and_ends_move_the_cursor(sit: Sit) -> None:
    table = sit()
    table.open(4, 4)
    cell = (4, 4)
    moves = {
        "right": Command.RIGHT,
        "ctrl+up": Command.JUMP_UP,
        "home": Command.HOME,
        "ctrl+end": Command.BOTTOM,
        "end": Command.END,
    }
    for key, command in moves.items():
        cell = moved_cursor(sight(table.game), cell, command)
        table.hand.key(key)
        table.expect(cell)


def test_the_mouse_points_and_keys_act(sit: Sit) -> None:
    table = sit()
    table.hand.point(*table.middle(4, 4))
    table.hand.key("e")
    table.follow(Verb.OPEN, 4, 4)
    row, col = chordable(table.game)
    for mine in mines_around(table.game, row, col):
        table.hand.point(*table.middle(*mine))
        table.hand.key("w")
        table.follow(Verb.FLAG, *mine)
    table.hand.point(*table.middle(row, col))
    table.hand.key("e")
    table.follow(Verb.CHORD, row, col)


def test_undo_after_a_loss_goes_on_as_practice(sit: Sit) -> None:
    table = sit("beginner", "--cell", str(CELL), game=Game(BEGINNER))
    # The layout of a fresh game is unknown here: it is read from the screen once it is lost.
    table.hand.click(*table.middle(4, 4))
    running = table.after(covered())
    lost = running
    while not (lost == Face.BLOWN).any():
        running = lost
        table.hand.click(*table.middle(*next(places(running == Face.COVERED))))
        lost = table.after(running)
    table.feels(FaceMood.LOST)
    table.hand.key("ctrl+z")
    wait_for(lambda: table.shows(running), "the board before the mine")
    mines = np.isin(lost, (Face.MINE, Face.BLOWN))
    while (table.board()[0] == Face.COVERED)[~mines].any():
        running = table.board()[0]
        table.hand.click(*table.middle(*next(places((running == Face.COVERED) & ~mines))))
        table.after(running)
    wait_for(lambda: table.mood() is FaceMood.WON, "the win")
    found = records()
    assert [game["unranked"] for game in found["games"]] == ["undo"]
    assert all(each["best_ms"] is None for each in found["records"])


def is_under_sign(table: Table) -> bool:
    """Whether nothing is open, and a sign covers the middle of the board."""
    faces = table.board()[0]
    return bool((faces[[0, -1]] == Face.COVERED).all()) and faces[4, 4] == NOTHING


def test_a_pause_hides_the_board_and_stops_the_clock(sit: Sit) -> None:
    table = sit()
    table.open(4, 4)
    table.flag(*remaining(table.game)[0])
    table.hand.key("p")
    wait_for(lambda: is_under_sign(table), "a hidden board")
    still = table.picture()
    table.hand.click(*table.middle(0, 0), 3)  # a click goes on and does nothing else
    table.expect()
    table.hand.key("p")
    wait_for(lambda: is_under_sign(table), "a hidden board again")
    table.kill()
    again = sit("--cell", str(CELL), game=table.game)
    wait_for(lambda: is_under_sign(again), "a hidden board after a kill")
    np.testing.assert_array_equal(
        again.picture()[: again.layout.counters.bottom], still[: again.layout.counters.bottom]
    )
    again.hand.key("p")
    again.expect()


def test_keys_begin_games(sit: Sit) -> None:
    table = sit()
    table.open(4, 4)
    first_click = sight(table.game)
    table.hand.key("shift+f2")
    wait_for(lambda: (table.board()[0] == Face.COVERED).sum() >= 80, "the board anew")
    table.hand.click(*table.middle(4, 4))
    wait_for(lambda: table.shows(first_click), "the same opening")
    table.hand.key("f2")
    wait_for(lambda: table.shows(covered()), "a new game")
    for key, rules in (("3", EXPERT), ("2", INTERMEDIATE), ("1", BEGINNER)):
        table.hand.key(key)
        table.game = Game(rules)
        table.expect()
        table.counts(f"{rules.mines:03d}")


def test_the_face_restarts_and_can_be_let_go(sit: Sit) -> None:
    table = sit()
    table.open(4, 4)
    spot = table.layout.face
    x, y = spot.x + 5, spot.y + 5
    table.hand.point(x, y)
    table.hand.press(1)
    wait_for(lambda: table.mood() is FaceMood.PRESSED, "the pressed face")
    table.hand.point(3, 3)
    wait_for(lambda: table.mood() is FaceMood.IDLE, "the face let go")
    table.hand.release(1)
    table.expect()
    table.hand.click(x, y)
    wait_for(lambda: table.shows(covered()), "a new game")


def test_flags_win_where_flags_are_the_goal(sit: Sit) -> None:
    kind = Kind("6x5/4 goal=flag", 3)
    table = sit("6x5/4", "--goal", "flag", "--seed", "3", "--cell", str(CELL), game=kind.game())
    table.open(2, 2)
    for row, col in np.argwhere(table.game.board.mine_map):
        table.flag(int(row), int(col))
    assert table.game.status is Status.WON
    table.feels(FaceMood.WON)


def test_a_share_code_opens_the_same_board(sit: Sit) -> None:
    played = BEGINNER_7.game()
    played.play(Act(0, Verb.OPEN, 2, 6))
    code = played.share()
    table = sit(code, "--cell", str(CELL), game=Game.from_share(code))
    marked = table.picture()
    spot = table.view.cell_rect(2, 6)
    plain = table.view.cell_rect(3, 6)
    at = marked[spot.y : spot.bottom, spot.x : spot.right]
    assert (at != marked[plain.y : plain.bottom, plain.x : plain.right]).any()
    words = table.words().copy()
    table.hand.click(*table.middle(0, 0))
    wait_for(lambda: not np.array_equal(table.words(), words), "where the board begins")
    table.open(2, 6)
    assert (table.board()[0] == sight(played)).all()


def test_question_marks_and_left_chords_are_options(sit: Sit) -> None:
    table = sit(*BEGINNER_7.options, "--questions", "--left-chord")
    table.flag(0, 0)
    table.hand.click(*table.middle(0, 0), 3)
    table.follow(Verb.QUESTION, 0, 0)
    assert table.board()[0][0, 0] == Face.QUESTION
    table.hand.click(*table.middle(0, 0), 3)
    table.follow(Verb.QUESTION, 0, 0)
    table.open(4, 4)
    row, col = chordable(table.game)
    for mine in mines_around(table.game, row, col):
        table.flag(*mine)
    table.hand.click(*table.middle(row, col))
    table.follow(Verb.CHORD, row, col)


@pytest.mark.parametrize("size", ["1x9/3", "12x1/4"])
def test_boards_of_one_row_or_column(sit: Sit, size: str) -> None:
    table = sit(size, "--seed", "5", "--cell", str(CELL), game=Kind(size, 5).game())
    table.expect()
    table.open(0, 0)
    while not table.game.status.over:
        table.open(*remaining(table.game)[0])
    table.feels(FaceMood.WON)


def test_a_seed_lays_the_same_board_each_time(sit: Sit) -> None:
    boards = []
    for _ in range(2):
        table = sit()
        table.open(1, 7)
        boards.append(table.board()[0])
        assert table.stop() == 0
    np.testing.assert_array_equal(boards[0], boards[1])
