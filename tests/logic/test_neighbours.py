"""The 3x3 neighbourhood beside a search of the whole board."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from demine.logic.neighbours import block_around, count_around, neighbours
from tests.logic.boards import Mines, around, mine_maps, slow_hints

SIZES = st.integers(1, 7)


@given(SIZES, SIZES, st.data())
def test_neighbours_are_the_cells_one_step_away(
    height: int, width: int, data: st.DataObject
) -> None:
    row = data.draw(st.integers(0, height - 1))
    col = data.draw(st.integers(0, width - 1))
    expected = around(row, col, height, width)
    assert list(neighbours(row, col, height, width)) == expected
    cut = np.zeros((height, width), dtype=np.int64)
    cut[block_around(row, col, height, width)] = 1
    assert sorted(map(tuple, np.argwhere(cut).tolist())) == sorted([*expected, (row, col)])


@given(mine_maps())
def test_counts_beside_a_slow_count(mines: Mines) -> None:
    counted = count_around(mines)
    assert counted.dtype == np.uint8
    assert np.array_equal(counted, slow_hints(mines))


@given(mine_maps(), st.booleans())
def test_counts_of_views(mines: Mines, turned: bool) -> None:
    view = mines.T if turned else mines[::-1, ::-1]
    before = view.copy()
    assert np.array_equal(count_around(view), slow_hints(view.copy()))
    assert np.array_equal(view, before)
