"""The kernels that deal lay what `deal` lays, interpreted and compiled, one board or many."""

from __future__ import annotations

from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demine.boards import make_batch
from demine.logic import deal_batch as deal_batch_module
from demine.logic.deal_batch import deal_batch
from demine.logic.errors import LayoutError
from demine.logic.kernels import DEALING_KERNELS
from demine.logic.kernels import deal as dealing
from demine.logic.layout import deal, game_seed, guaranteed_safe_cells
from demine.logic.rules import EXPERT, First, Rules, most_mines

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


@given(tables(), st.integers(0, 2**64 - 1), st.integers(0, 7))
def test_many_boards_are_those_of_a_loop(
    table: tuple[Rules, int, tuple[int, int] | None], seed: int, count: int
) -> None:
    rules, _, first = table
    loop = [deal(rules, game_seed(seed, index), first) for index in range(count)]
    with pytest.MonkeyPatch.context() as patch, np.errstate(over="ignore"):
        patch.setattr(deal_batch_module, "_AT_ONCE", 3 * rules.cells)
        for loaded in ({}, {"deal_many": dealing.deal_many}):
            patch.setattr(DEALING_KERNELS, "loaded", loaded)
            found = deal_batch(rules, seed, count, first)
            assert found.shape == (count, *rules.shape)
            assert found.dtype == np.bool_
            assert np.array_equal(found, np.reshape(loop, found.shape))


def test_many_boards_compiled_and_in_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    DEALING_KERNELS.load()
    monkeypatch.setattr(deal_batch_module, "_AT_ONCE", 64 * EXPERT.cells)
    found = deal_batch(EXPERT, 7, 1000, (8, 15))
    assert (found.sum(axis=(1, 2)) == 99).all()
    assert not found[:, 7:10, 14:17].any()
    for index in (0, 63, 64, 500, 999):
        assert np.array_equal(found[index], deal(EXPERT, game_seed(7, index), (8, 15)))


def test_equal_keys_count_from_the_first_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Rules(6, 1, 3, first="any")
    keys = np.array([5, 2, 9, 5, 5, 5], np.uint64)
    monkeypatch.setattr(DEALING_KERNELS, "loaded", {})
    monkeypatch.setattr(deal_batch_module, "random_keys", lambda _seed, _count: keys)
    assert deal_batch(rules, 1, 2).reshape(2, 6).astype(int).tolist() == [[1, 1, 0, 1, 0, 0]] * 2


@pytest.mark.parametrize(
    ("seed", "count", "words"),
    [
        (2**64, 1, r"a seed of many boards is less than 2\*\*64, not 18446744073709551616"),
        (1, -1, "-1 boards cannot be made"),
        (1, 10**30, "are too many at once: make 8947848 at a time, each time with another seed"),
        (1, 2.5, "2.5 is not a number of boards"),
        (1, "7", "'7' is not a number of boards"),
    ],
)
def test_absurd_batches_are_refused(seed: int, count: Any, words: str) -> None:
    for guess_free in (False, True):
        with pytest.raises(LayoutError, match=words):
            make_batch(EXPERT, seed, count, (8, 15), guess_free)
