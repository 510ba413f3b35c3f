"""The flood fill beside a breadth-first search, and the rows of bits beside the flood fill."""

from __future__ import annotations

import inspect
import sys

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from demine.logic import flood_by_rows
from demine.logic.flood import flood
from demine.logic.neighbours import count_around
from tests.logic.boards import Cell, Hints, Mines, mine_maps, slow_opening


def plain(hints: Hints, start: Cell, opened: bytearray | None = None) -> tuple[Mines, int]:
    height, width = hints.shape
    cells = bytearray(hints.size) if opened is None else opened
    count = len(flood(hints.tobytes(), cells, width, height, start[0] * width + start[1]))
    assert set(cells) <= {0, 1}
    return np.frombuffer(cells, dtype=np.bool_).reshape(hints.shape), count


def zeros_of(hints: Hints) -> list[Cell]:
    return [(row, col) for row, col in np.argwhere(hints == 0).tolist()]


def hold_to_the_oracle(hints: Hints, start: Cell) -> None:
    expected = slow_opening(hints, start)
    opened, count = plain(hints, start)
    assert np.array_equal(opened, expected)
    assert count == np.count_nonzero(expected)
    wide = flood_by_rows.opening_map(hints, *start)
    assert wide is not None
    assert np.array_equal(wide, expected)


@given(mine_maps(12), st.data())
@example(np.zeros((1, 1), dtype=np.bool_), None)
@example(np.zeros((1, 12), dtype=np.bool_), None)
@example(np.zeros((12, 1), dtype=np.bool_), None)
def test_an_opening_beside_the_oracle(mines: Mines, data: st.DataObject | None) -> None:
    hints = count_around(mines)
    zeros = zeros_of(hints)
    if zeros:
        hold_to_the_oracle(hints, zeros[0] if data is None else data.draw(st.sampled_from(zeros)))


@given(
    st.integers(0, 2**32),
    st.sampled_from([(1, 90), (90, 1), (2, 70), (40, 33), (17, 64), (8, 129)]),
)
def test_any_numbers_open_alike(seed: int, shape: tuple[int, int]) -> None:
    # Not only numbers that mines can make: zeros alone decide what is joined.
    rng = np.random.default_rng(seed)
    hints = (rng.random(shape) > rng.uniform(0.3, 0.95)).astype(np.uint8)
    zeros = zeros_of(hints)
    if zeros:
        hold_to_the_oracle(hints, zeros[seed % len(zeros)])


@given(mine_maps(8))
def test_openings_opened_one_after_the_other(mines: Mines) -> None:
    hints = count_around(mines)
    opened = bytearray(hints.size)
    expected = np.zeros(hints.shape, dtype=np.bool_)
    total = 0
    for start in zeros_of(hints):
        if opened[start[0] * hints.shape[1] + start[1]]:
            continue
        found, count = plain(hints, start, opened)
        expected |= slow_opening(hints, start)
        total += count
        assert np.array_equal(found, expected)
        assert total == np.count_nonzero(expected)


@given(mine_maps(8), st.data())
def test_numbers_that_are_open_already_are_not_counted_twice(
    mines: Mines, data: st.DataObject
) -> None:
    hints = count_around(mines)
    zeros = zeros_of(hints)
    if not zeros:
        return
    start = data.draw(st.sampled_from(zeros))
    numbers = np.argwhere(hints > 0).tolist()
    before = bytearray(hints.size)
    for row, col in data.draw(st.lists(st.sampled_from(numbers), max_size=5)) if numbers else []:
        before[row * hints.shape[1] + col] = 1
    opened, count = plain(hints, start, bytearray(before))
    assert count == np.count_nonzero(opened) - sum(before)
    assert np.array_equal(
        opened,
        slow_opening(hints, start) | (np.frombuffer(before, np.uint8) == 1).reshape(hints.shape),
    )


def serpentine(height: int, width: int) -> Hints:
    """One corridor of zeros, a row each way, through walls two cells thick."""
    hints = np.ones((height, width), dtype=np.uint8)
    hints[::3] = 0
    for turn, row in enumerate(range(0, height - 3, 3)):
        hints[row : row + 4, -1 if turn % 2 == 0 else 0] = 0
    return hints


def spiral(size: int) -> Hints:
    """One corridor of zeros that winds from a corner to the middle, turning right at every wall."""
    hints = np.pad(np.ones((size, size), dtype=np.uint8), 2, constant_values=2)
    row, col, down, right = 2, 2, 0, 1
    while True:
        hints[row, col] = 0
        for _ in range(2):
            if hints[row + down, col + right] == 1 and hints[row + 2 * down, col + 2 * right]:
                break
            down, right = right, -down
        else:
            return hints[2:-2, 2:-2].copy()
        row, col = row + down, col + right


def comb(height: int, width: int) -> Hints:
    """Teeth one cell wide, joined at one end: every row reaches every other the long way."""
    hints = np.ones((height, width), dtype=np.uint8)
    hints[:, ::2] = 0
    for gap, col in enumerate(range(1, width, 2)):
        hints[0 if gap % 2 else -1, col] = 0
    return hints


@pytest.mark.parametrize(
    "hints",
    [serpentine(61, 40), serpentine(40, 7), spiral(41), comb(30, 31), comb(3, 200)],
    ids=["serpentine", "narrow", "spiral", "comb", "low-comb"],
)
def test_mazes(hints: Hints) -> None:
    expected = slow_opening(hints, (0, 0))
    assert np.array_equal(plain(hints, (0, 0))[0], expected)
    wide = flood_by_rows.opening_map(hints, 0, 0)
    assert wide is None or np.array_equal(wide, expected)


def test_a_spiral_is_one_long_corridor() -> None:
    hints = spiral(41)
    assert np.count_nonzero(hints == 0) > 800
    assert hints[20, 20] == 0


def test_a_maze_is_handed_back_rather_than_crawled_through() -> None:
    hints = comb(300, 301)
    assert flood_by_rows.opening_map(hints, 0, 0) is None
    opened, count = plain(hints, (0, 0))
    assert opened.all()
    assert count == hints.size


def test_no_recursion() -> None:
    hints = serpentine(400, 400)
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack()) + 40)
    try:
        opened, _ = plain(hints, (0, 0))
    finally:
        sys.setrecursionlimit(limit)
    assert opened[-1].any()


@pytest.mark.parametrize("width", [2, 7, 8, 9, 63, 64, 65, 128])
def test_the_last_columns_of_a_row_of_bits(width: int) -> None:
    hints = np.zeros((3, width), dtype=np.uint8)
    hints[1, -1] = 1
    wide = flood_by_rows.opening_map(hints, 0, 0)
    assert wide is not None
    assert wide.all()
    assert wide.dtype == np.bool_
