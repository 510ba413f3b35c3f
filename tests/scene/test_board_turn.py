"""Turned boards: the eight symmetries, and where the cells go."""

from __future__ import annotations

import numpy as np
import pytest

from demine.scene.board_turn import turned, turned_cell, turns_of

SHAPE = 3, 5


@pytest.mark.parametrize("turn", range(8))
def test_a_cell_lies_where_the_array_has_it(turn: int) -> None:
    board = np.arange(15, dtype=np.uint8).reshape(SHAPE)
    shown = turned(board, turn)
    for row, col in np.ndindex(SHAPE):
        assert shown[turned_cell((row, col), SHAPE, turn)] == board[row, col]


def test_the_turns_of_a_square_are_its_eight_symmetries() -> None:
    board = np.arange(9, dtype=np.uint8).reshape(3, 3)
    assert len({turned(board, turn).tobytes() for turn in turns_of((3, 3))}) == 8
    middle = {turned_cell((1, 1), (3, 3), turn) for turn in turns_of((3, 3))}
    assert middle == {(1, 1)}


def test_other_boards_keep_their_sides() -> None:
    board = np.arange(15, dtype=np.uint8).reshape(SHAPE)
    assert {turned(board, turn).shape for turn in turns_of(SHAPE)} == {SHAPE}
    assert len({turned(board, turn).tobytes() for turn in turns_of(SHAPE)}) == 4
