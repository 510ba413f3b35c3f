"""Where the cursor goes, and what the keys do there."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demine.logic.event import Verb
from demine.scene.key_bindings import Command
from demine.scene.keyboard_cursor import MOVES, intended_act, moved_cursor
from demine.scene.mouse_automaton import Cell, Faces

#   # # # 1 0
#   # F ? 2 0
#   # # # # #
BOARD: Faces = np.array(
    [[9, 9, 9, 1, 0], [9, 10, 11, 2, 0], [9, 9, 9, 9, 9]],
    dtype=np.uint8,
)


@pytest.mark.parametrize(
    ("cell", "command", "there"),
    [
        ((1, 1), Command.UP, (0, 1)),
        ((1, 1), Command.DOWN, (2, 1)),
        ((1, 1), Command.LEFT, (1, 0)),
        ((1, 1), Command.RIGHT, (1, 2)),
        ((0, 0), Command.UP, (0, 0)),
        ((0, 0), Command.LEFT, (0, 0)),
        ((2, 4), Command.DOWN, (2, 4)),
        ((2, 4), Command.RIGHT, (2, 4)),
        ((0, 0), Command.JUMP_RIGHT, (0, 3)),
        ((0, 3), Command.JUMP_RIGHT, (0, 4)),
        ((0, 3), Command.JUMP_LEFT, (0, 2)),
        ((2, 0), Command.JUMP_RIGHT, (2, 4)),
        ((2, 1), Command.JUMP_UP, (1, 1)),
        ((0, 4), Command.JUMP_DOWN, (2, 4)),
        ((1, 2), Command.HOME, (1, 0)),
        ((1, 2), Command.END, (1, 4)),
        ((1, 2), Command.TOP, (0, 2)),
        ((1, 2), Command.BOTTOM, (2, 2)),
        ((1, 2), Command.FLAG, (1, 2)),
        (None, Command.UP, (1, 2)),
        ((9, 9), Command.LEFT, (2, 3)),
    ],
)
def test_moves(cell: Cell | None, command: Command, there: Cell) -> None:
    assert moved_cursor(BOARD, cell, command) == there


@given(st.tuples(st.integers(-2, 9), st.integers(-2, 9)), st.sampled_from(Command))
def test_the_cursor_stays_on_the_board(cell: Cell, command: Command) -> None:
    row, col = moved_cursor(BOARD, cell, command)
    assert 0 <= row < 3
    assert 0 <= col < 5


@pytest.mark.parametrize("command", sorted(MOVES))
def test_a_move_asks_for_nothing(command: Command) -> None:
    assert intended_act(BOARD, (0, 0), command) is None


COVERED, FLAG, QUESTION, NUMBER, ZERO = (0, 0), (1, 1), (1, 2), (1, 3), (0, 4)
ASKED: dict[Command, dict[Cell, Verb]] = {
    Command.ACT: {COVERED: Verb.OPEN, QUESTION: Verb.OPEN, NUMBER: Verb.CHORD},
    Command.HOVER_ACT: {COVERED: Verb.OPEN, QUESTION: Verb.OPEN, NUMBER: Verb.CHORD},
    Command.CHORD: {NUMBER: Verb.CHORD},
    Command.FLAG: {COVERED: Verb.FLAG, FLAG: Verb.FLAG, QUESTION: Verb.FLAG},
    Command.HOVER_FLAG: {COVERED: Verb.FLAG, FLAG: Verb.FLAG, QUESTION: Verb.FLAG},
    Command.QUESTION: {COVERED: Verb.QUESTION, FLAG: Verb.QUESTION, QUESTION: Verb.QUESTION},
}


@pytest.mark.parametrize("command", list(Command))
@pytest.mark.parametrize("cell", [COVERED, FLAG, QUESTION, NUMBER, ZERO])
def test_what_a_key_asks_for(command: Command, cell: Cell) -> None:
    verb = ASKED.get(command, {}).get(cell)
    assert intended_act(BOARD, cell, command) == (None if verb is None else (verb, *cell))


@pytest.mark.parametrize("command", list(Command))
@pytest.mark.parametrize("face", [12, 13, 14])
def test_nothing_to_do_on_mines(command: Command, face: int) -> None:
    assert intended_act(np.full((1, 1), face, dtype=np.uint8), (0, 0), command) is None
