"""The 3BV of layouts, held to clicking by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from demine.logic.errors import LayoutError
from demine.logic.layout import deal, parse_layout
from demine.logic.neighbours import neighbours
from demine.logic.rules import EXPERT
from demine.statistics.board_3bv import three_bv
from demine.statistics.layout_regions import LayoutRegions

BOARDS = arrays(np.bool_, st.tuples(st.integers(1, 7), st.integers(1, 7)))


def clicks(mines: NDArray[np.bool_]) -> int:
    """Click every zero that is still covered, then every number that is: counted by hand."""
    height, width = mines.shape
    cells = [(row, col) for row in range(height) for col in range(width) if not mines[row, col]]
    number = {
        cell: sum(bool(mines[near]) for near in neighbours(*cell, height, width)) for cell in cells
    }
    seen: set[tuple[int, int]] = set()
    count = 0
    for start in sorted(cells, key=lambda cell: number[cell] > 0):
        if start in seen:
            continue
        count += 1
        waiting = [start]
        while waiting:
            cell = waiting.pop()
            if cell not in seen:
                seen.add(cell)
                if not number[cell]:
                    waiting += neighbours(*cell, height, width)
    return count


@given(BOARDS)
def test_counts_what_clicking_by_hand_counts(mines: NDArray[np.bool_]) -> None:
    assert three_bv(mines) == clicks(mines)


@given(
    st.integers(0, 9999), st.integers(1, 40), st.integers(1, 40),
    st.sampled_from((0.0, 0.02, 0.06, 0.12, 0.2, 0.5)),
)  # fmt: skip
def test_bits_and_arrays_count_the_same(seed: int, height: int, width: int, share: float) -> None:
    mines = np.random.default_rng(seed).random((height, width)) < share
    assert three_bv(mines) == LayoutRegions.of(mines).three_bv


def test_larger_boards_are_counted_too() -> None:
    mines = np.random.default_rng(5).random((60, 200)) < 0.15
    assert three_bv(mines) == clicks(mines)


@given(BOARDS)
def test_turned_and_mirrored_boards_have_the_same(mines: NDArray[np.bool_]) -> None:
    assert three_bv(mines) == three_bv(mines.T) == three_bv(mines[::-1])


@pytest.mark.parametrize(
    ("rows", "wanted"),
    [
        ("3x1/0\n...", 1),
        ("3x1/1\n*..", 1),
        ("3x1/1\n.*.", 2),
        ("2x2/3\n**\n*.", 1),
        ("5x5/1\n.....\n.....\n..*..\n.....\n.....", 1),
        ("5x3/5\n..*..\n..*..\n*.*.*", 4),
    ],
)
def test_known_boards(rows: str, wanted: int) -> None:
    assert three_bv(parse_layout(rows)[1]) == wanted


def test_nothing_but_mines_needs_no_click() -> None:
    assert three_bv(np.ones((1, 4), np.bool_)) == 0


def test_expert_boards_have_the_mean_the_field_knows() -> None:
    # Boards laid without a promise have a mean of 173.1 and a standard deviation of 19.5.
    values = [three_bv(deal(EXPERT, seed)) for seed in range(400)]
    assert abs(np.mean(values) - 173.1) < 4
    assert abs(np.std(values) - 19.5) < 3


@pytest.mark.parametrize("shape", [(4,), (2, 2, 2)])
def test_refuses_what_has_no_rows_and_columns(shape: tuple[int, ...]) -> None:
    with pytest.raises(LayoutError, match="rows and columns"):
        three_bv(np.zeros(shape, np.bool_))
