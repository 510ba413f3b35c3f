"""Many boards at once, held to one after the other; and boards dealt by the thousand."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from demine.logic.errors import LayoutError, RulesError
from demine.logic.layout import deal, keeps_first_click_promise
from demine.logic.rules import EXPERT, Rules
from demine.statistics import batch_3bv
from demine.statistics.batch_3bv import three_bv_batch
from demine.statistics.board_3bv import three_bv
from demine.statistics.sampling import boards_with_three_bv, sample_three_bv


@given(
    st.integers(0, 9999), st.integers(1, 36), st.integers(1, 36),
    st.sampled_from((0.0, 0.03, 0.08, 0.15, 0.3, 1.0)),
)  # fmt: skip
def test_counts_what_the_plain_one_counts(seed: int, height: int, width: int, share: float) -> None:
    maps = np.random.default_rng(seed).random((5, height, width)) < share
    assert three_bv_batch(maps).tolist() == [three_bv(mines) for mines in maps]


@pytest.mark.parametrize(
    "shape", [(3, 63), (63, 3), (62, 64), (70, 20), (64, 64), (1, 200), (31, 32)]
)
def test_every_width_of_a_row(shape: tuple[int, int]) -> None:
    maps = np.random.default_rng(3).random((6, *shape)) < 0.12
    assert three_bv_batch(maps).tolist() == [three_bv(mines) for mines in maps]


def rings(*sizes: int) -> NDArray[np.bool_]:
    """Walls of mines round one another, with openings between: holes in holes."""
    mines = np.zeros((41, 41), np.bool_)
    for size in sizes:
        low, high = 20 - size, 20 + size
        mines[low, low : high + 1] = mines[high, low : high + 1] = True
        mines[low : high + 1, low] = mines[low : high + 1, high] = True
    return mines


@pytest.mark.parametrize("sizes", [(0,), (0, 6), (0, 6, 14), (3, 9, 15, 20), (20,)])
def test_openings_within_openings(sizes: tuple[int, ...]) -> None:
    mines = rings(*sizes)
    assert three_bv_batch(mines[None]).tolist() == [three_bv(mines)]


def test_a_batch_of_several_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    maps = np.stack([deal(EXPERT, seed) for seed in range(10)])
    whole = three_bv_batch(maps)
    monkeypatch.setattr(batch_3bv, "CHUNK", 3)
    assert np.array_equal(three_bv_batch(maps), whole)


def test_refuses_what_is_no_stack_of_boards() -> None:
    for wrong in (np.zeros((3, 3), np.bool_), np.zeros((2, 3, 3)), np.zeros((0, 3, 3), np.bool_)):
        with pytest.raises(LayoutError, match="mine maps are booleans"):
            three_bv_batch(wrong)


RULES = [
    "9x9/10", "5x4/3 first=zero", "4x3/9 first=safe", "4x3/11 first=safe", "40x63/500",
    "100x20/300", "64x64/500", "1x9/3", "9x1/8 first=safe", "3x3/0", "1x1/0",
]  # fmt: skip


@pytest.mark.parametrize("text", RULES)
def test_dealt_boards_keep_their_rules(text: str) -> None:
    rules = Rules.parse(text)
    found = list(islice(boards_with_three_bv(rules, 5, 0, 10**6, (0, 0)), 6))
    assert len(found) == 6
    for mines, value in found:
        assert mines.shape == rules.shape
        assert np.count_nonzero(mines) == rules.mines
        assert keeps_first_click_promise(rules, mines, (0, 0))
        assert value == three_bv(mines)
    again = list(islice(boards_with_three_bv(rules, 5, 0, 10**6, (0, 0)), 6))
    assert all(np.array_equal(one[0], other[0]) for one, other in zip(found, again, strict=True))


@pytest.mark.parametrize(("mines", "layouts"), [(2, 36), (7, 36), (1, 9)])
def test_every_layout_is_as_likely(mines: int, layouts: int) -> None:
    boards = boards_with_three_bv(Rules(3, 3, mines, first="any"), 7, 0, 99)
    counts = Counter(mine_map.tobytes() for mine_map, _ in islice(boards, layouts * 500))
    assert len(counts) == layouts
    # Six standard deviations.
    assert all(abs(count - 500) < 6 * 500**0.5 for count in counts.values())


def test_the_3bv_of_dealt_boards_is_that_of_others() -> None:
    rules = Rules(30, 16, 99, first="safe")
    many = sample_three_bv(rules, 1, 20000, (8, 15))
    few = np.array([three_bv(deal(rules, seed, (8, 15))) for seed in range(600)])
    assert many.size == 20000
    assert abs(many.mean() - few.mean()) < 5 * few.std() / 600**0.5
    assert abs(many.std() - few.std()) < 4
    assert sample_three_bv(rules, 1, 0).size == 0


def test_rare_boards_are_found() -> None:
    found = list(islice(boards_with_three_bv(EXPERT, 1, 100, 118), 3))
    assert all(100 <= value <= 118 for _, value in found)
    assert [three_bv(mines) for mines, _ in found] == [value for _, value in found]


def test_what_is_not_there_is_not_sought_for_ever() -> None:
    assert list(boards_with_three_bv(EXPERT, 1, 4000, 4001, max_tries=1)) == []


def test_refusals() -> None:
    with pytest.raises(LayoutError, match="no 3BV lies from 5 to 4"):
        next(boards_with_three_bv(EXPERT, 1, 5, 4))
    with pytest.raises(LayoutError, match="outside"):
        sample_three_bv(EXPERT, 1, 5, (16, 0))
    with pytest.raises(LayoutError, match="seed"):
        sample_three_bv(EXPERT, -1, 5)
    with pytest.raises(RulesError, match="need the solver"):
        sample_three_bv(Rules(9, 9, 10, guess_free=True), 1, 5)


@settings(max_examples=20)
@given(st.integers(2, 9), st.integers(2, 9), st.data())
def test_any_density(width: int, height: int, data: st.DataObject) -> None:
    rules = Rules(width, height, data.draw(st.integers(0, width * height - 1)), first="safe")
    mines, value = next(boards_with_three_bv(rules, 3, 0, 999, (height - 1, width - 1)))
    assert np.count_nonzero(mines) == rules.mines
    assert not mines[-1, -1]
    assert value == three_bv(mines)
