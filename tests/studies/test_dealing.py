"""The dealer of studies lays what `deal` lays, interpreted and compiled."""

from __future__ import annotations

from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demine.logic.layout import deal, guaranteed_safe_cells
from demine.logic.rules import EXPERT, First, Rules, most_mines
from demine.studies.kernels import deal as dealing

if TYPE_CHECKING:
    from numpy.typing import NDArray

SEEDS = st.one_of(
    st.sampled_from([0, 1, 2**32 - 1, 2**32, 2**64 - 1, 2**64, 2**96, 2**128 - 1]),
    st.integers(0, 2**128 - 1),
)


@st.composite
def tables(draw: st.DrawFn) -> tuple[Rules, int, tuple[int, int] | None]:
    """Rules, a seed and a first click."""
    width, height = draw(st.integers(1, 24)), draw(st.integers(1, 24))
    first = draw(st.sampled_from([*First]))
    most = most_mines(width, height, first)
    if most < 0:
        first, most = First.SAFE, 0
    rules = Rules(width, height, draw(st.integers(0, most)), first=first)
    cell = st.tuples(st.integers(0, height - 1), st.integers(0, width - 1))
    return rules, draw(SEEDS), draw(st.none() | cell)


def lay(
    deal_mines: Any, rules: Rules, seed: int, first: tuple[int, int] | None
) -> NDArray[np.uint8]:
    """Call a dealer as the loop does, with arrays full of something else."""
    free = np.zeros(rules.cells, np.uint8)
    free[guaranteed_safe_cells(rules, first)] = 1
    mine_map = np.full(rules.cells, 7, np.uint8)
    keys = np.full(rules.cells, 9, np.uint64)
    counts = np.full(dealing.counts_size(rules.cells), 5, np.int64)
    generator = np.full(dealing.WORDS, 3, np.uint64)
    low, high = np.uint64(seed & (2**64 - 1)), np.uint64(seed >> 64)
    with np.errstate(over="ignore"):
        deal_mines(low, high, rules.mines, free, mine_map, keys, counts, generator)
    return mine_map.reshape(rules.shape)


@pytest.fixture(scope="module")
def compiled() -> Any:
    """The dealer compiled by Numba, from copies."""
    numba = pytest.importorskip("numba")
    world = dict(vars(dealing))
    for name in ("_key_of_rank", "lay_mines", "draw_keys", "seed_generator", "deal_mines_of_seed"):
        world[name] = numba.njit(FunctionType(getattr(dealing, name).__code__, world, name))
    return world["deal_mines_of_seed"]


@given(tables())
def test_it_lays_the_board_of_the_seed(table: tuple[Rules, int, tuple[int, int] | None]) -> None:
    """Interpreted, the board is `deal`'s for every size, density, promise and seed."""
    assert np.array_equal(lay(dealing.deal_mines_of_seed, *table), deal(*table))


@given(table=tables())
def test_it_lays_the_same_compiled(
    compiled: Any, table: tuple[Rules, int, tuple[int, int] | None]
) -> None:
    assert np.array_equal(lay(compiled, *table), deal(*table))


def test_it_lays_a_large_board(compiled: Any) -> None:
    rules = Rules(700, 500, 70_000)
    assert np.array_equal(lay(compiled, rules, 11, (3, 5)), deal(rules, 11, (3, 5)))


def test_many_expert_boards(compiled: Any) -> None:
    for seed in range(2**64 - 500, 2**64 + 500):
        assert np.array_equal(lay(compiled, EXPERT, seed, (8, 15)), deal(EXPERT, seed, (8, 15)))


@given(
    st.lists(st.sampled_from([0, 1, 5, 2**60, 2**63, 2**64 - 1]), min_size=1, max_size=12),
    st.data(),
)
def test_of_equal_keys_the_later_cells_yield(keys: list[int], data: st.DataObject) -> None:
    """Keys that collide are so rare that boards would never show it; `deal` says what holds."""
    free = data.draw(st.lists(st.booleans(), min_size=len(keys), max_size=len(keys)))
    mines = data.draw(st.integers(0, free.count(False)))
    mine_map = np.full(len(keys), 7, np.uint8)
    counts = np.empty(dealing.counts_size(len(keys)), np.int64)
    flags = np.array(free, np.uint8)
    dealing.lay_mines(np.array(keys, np.uint64), mines, flags, mine_map, counts)
    ranked = sorted(key for key, kept in zip(keys, free, strict=True) if not kept)
    under = [
        cell
        for cell, key in enumerate(keys)
        if mines and not free[cell] and key <= ranked[mines - 1]
    ]
    assert np.flatnonzero(mine_map).tolist() == under[:mines]
