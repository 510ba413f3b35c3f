"""What a layout holds, counted cell by cell beside."""

from __future__ import annotations

from collections import deque

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from demine.logic.errors import LayoutError
from demine.statistics.board_3bv import three_bv
from demine.statistics.kernels import STATISTICS_KERNELS, components
from demine.statistics.layout_regions import (
    LayoutRegions,
    label_components,
    label_components_by_runs,
)
from tests.logic.boards import around, slow_hints


def sparse(seed: int, height: int, width: int, share: float) -> NDArray[np.bool_]:
    return np.random.default_rng(seed).random((height, width)) < share


BOARDS = st.one_of(
    arrays(np.bool_, st.tuples(st.integers(1, 7), st.integers(1, 7))),
    st.builds(
        sparse,
        st.integers(0, 999),
        st.integers(1, 14),
        st.integers(1, 14),
        st.sampled_from((0.05, 0.15, 0.3)),
    ),
)


def slow_label(mask: NDArray[np.bool_]) -> NDArray[np.int64]:
    found = np.full(mask.shape, -1, np.int64)
    pieces = 0
    for start in zip(*np.nonzero(mask), strict=True):
        if found[start] >= 0:
            continue
        waiting = deque([(int(start[0]), int(start[1]))])
        while waiting:
            cell = waiting.popleft()
            if mask[cell] and found[cell] < 0:
                found[cell] = pieces
                waiting.extend(around(*cell, *mask.shape))
        pieces += 1
    return found.reshape(-1)


@given(BOARDS)
def test_pieces_are_what_a_walk_finds(mask: NDArray[np.bool_]) -> None:
    assert np.array_equal(label_components(mask), slow_label(mask))
    assert np.array_equal(label_components_by_runs(mask), slow_label(mask))
    assert label_components(mask).dtype == np.int64


@given(BOARDS)
def test_the_kernel_is_a_twin(mines: NDArray[np.bool_]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(STATISTICS_KERNELS.loaded, "label_layout", components.label_layout)
        assert_layout_regions(mines)
        assert_layout_regions(mines[::-1, ::-1])


@given(BOARDS)
def test_layout_regions(mines: NDArray[np.bool_]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.delitem(STATISTICS_KERNELS.loaded, "label_layout", raising=False)
        assert_layout_regions(mines)


def assert_layout_regions(mines: NDArray[np.bool_]) -> None:
    regions, hints = LayoutRegions.of(mines), slow_hints(mines)
    zero = (hints == 0) & ~mines
    border = np.zeros_like(zero)
    for cell in zip(*np.nonzero(zero), strict=True):
        for near in around(int(cell[0]), int(cell[1]), *mines.shape):
            border[near] = True
    lone = ~(mines | zero | border)
    assert np.array_equal(regions.zero, zero)
    assert np.array_equal(regions.lone, lone)
    assert regions.openings == slow_label(zero).max() + 1
    assert regions.islands == slow_label(lone).max() + 1
    assert regions.three_bv == three_bv(mines)
    assert sum(regions.cells_by_number) == regions.safe == np.count_nonzero(~mines)
    assert np.array_equal(regions.parts, slow_label(zero | lone))
    assert regions.parts.dtype == np.int64
    assert regions.part_sizes.sum() == np.count_nonzero(zero | lone)


@pytest.mark.parametrize("shape", [(4,), (0, 3), (2, 2, 2)])
def test_refuses_what_has_no_rows_and_columns(shape: tuple[int, ...]) -> None:
    with pytest.raises(LayoutError, match="rows and columns"):
        LayoutRegions.of(np.zeros(shape, np.bool_))


def spiral(size: int) -> NDArray[np.bool_]:
    """One line that winds to the middle: the hardest piece to follow."""
    mask = np.zeros((size, size), np.bool_)
    for ring in range(0, size // 2, 4):
        mask[ring, ring : size - ring] = True
        mask[ring : size - ring, size - ring - 1] = True
        mask[size - ring - 1, ring : size - ring] = True
        mask[ring + 2 : size - ring, ring] = True
        mask[ring + 2, ring : ring + 3] = True
        mask[ring + 2 : ring + 5, ring + 2] = True
    return mask


def test_winding_pieces() -> None:
    for size in (16, 33):
        mask = spiral(size)
        for label in (label_components, label_components_by_runs):
            assert np.array_equal(label(mask), slow_label(mask))
            assert np.array_equal(label(mask.T), slow_label(mask.T))
