"""A board of 16 million cells: bounded memory, no recursion, and the largest opening at once."""

from __future__ import annotations

import inspect
import sys
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest

from demine.logic.event import Act, Verb
from demine.logic.game import BaseGame, Status
from demine.logic.rules import Rules
from demine.scene.sight import sight

SIDE = 4000
MOST_BYTES_A_CELL = 16


@contextmanager
def shallow(frames: int = 60) -> Iterator[None]:
    """Run with room for a few calls only: whatever calls itself for each cell fails."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack()) + frames)
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


# The first cells were found with scipy.ndimage.label: they lie in the board's largest opening.
@pytest.mark.parametrize(
    ("percent", "first", "opened"),
    [(5, (1999, 2777), 14_774_262), (10, (3730, 1790), 162_486)],
    ids=["5%", "10%"],
)
def test_sixteen_million_cells(percent: int, first: tuple[int, int], opened: int) -> None:
    rules = Rules(SIDE, SIDE, SIDE * SIDE * percent // 100)
    tracemalloc.start()
    try:
        with shallow():
            game = BaseGame(rules, 1)
            status = game.play(Act(0, Verb.OPEN, *first))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak <= MOST_BYTES_A_CELL * rules.cells
    assert status is Status.RUNNING
    assert game.board.opened == opened
    board = game.board
    assert opened == np.count_nonzero(board.open_map)
    assert not (board.open_map & board.mine_map).any()
    assert np.array_equal(sight(game) <= 8, board.open_map)
