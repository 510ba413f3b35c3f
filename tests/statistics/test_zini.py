"""ZiNi, held to a plain clearing by the definition, and to another program where there is one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from demine.logic.errors import LayoutError
from demine.logic.layout import deal, parse_layout
from demine.logic.neighbours import count_around
from demine.logic.rules import EXPERT, Rules
from demine.statistics.kernels import STATISTICS_KERNELS
from demine.statistics.kernels import zini as twin
from demine.statistics.layout_regions import LayoutRegions
from demine.statistics.zini import GreedyClearing, hzini, hzini_batch, rzini, zini, zini_batch
from tests.logic.boards import around
from tests.statistics.test_layout_regions import BOARDS, slow_label


class Plain:
    """The definition as it is written: every premium anew at every step."""

    def __init__(self, mines: NDArray[np.bool_], human: bool) -> None:
        self.mines, self.regions, self.human = mines, LayoutRegions.of(mines), human
        self.opening = slow_label(self.regions.zero).reshape(mines.shape)
        self.closed, self.flagged = ~mines, np.zeros_like(mines)
        self.cells = [(row, col) for col in range(mines.shape[1]) for row in range(mines.shape[0])]
        self.clicks = 0

    def premium(self, cell: tuple[int, int]) -> int:
        near = around(*cell, *self.mines.shape)
        lone = sum(bool(self.regions.lone[c] and self.closed[c]) for c in [*near, cell])
        openings = {int(self.opening[c]) for c in near if self.closed[c]} - {-1}
        mines = sum(bool(self.mines[c] and not self.flagged[c]) for c in near)
        return lone + len(openings) - mines - bool(self.closed[cell]) - 1

    def click(self, cell: tuple[int, int]) -> None:
        waiting = [cell]
        while waiting:
            here = waiting.pop()
            if self.closed[here]:
                self.closed[here] = False
                if self.regions.zero[here]:
                    waiting += around(*here, *self.mines.shape)

    def step(self) -> None:
        best, chosen = -1, None
        for cell in self.cells:
            if self.mines[cell] or self.regions.zero[cell] or (self.human and self.closed[cell]):
                continue
            if self.premium(cell) > best:
                best, chosen = self.premium(cell), cell
        if chosen is None:
            lone = self.regions.lone | self.regions.zero
            self.click(next(cell for cell in self.cells if self.closed[cell] and lone[cell]))
            self.clicks += 1
            return
        near = around(*chosen, *self.mines.shape)
        flags = [cell for cell in near if self.mines[cell] and not self.flagged[cell]]
        self.clicks += bool(self.closed[chosen]) + len(flags) + 1
        for cell in flags:
            self.flagged[cell] = True
        for cell in [chosen, *near]:
            self.click(cell)

    def clear(self) -> int:
        if self.human:
            for cell in self.cells:
                if self.regions.zero[cell] and self.closed[cell]:
                    self.click(cell)
                    self.clicks += 1
        while self.closed.any():
            self.step()
        return self.clicks


@given(BOARDS)
def test_clears_as_the_definition_says(mines: NDArray[np.bool_]) -> None:
    assert zini(mines) == Plain(mines, human=False).clear()
    assert hzini(mines) == Plain(mines, human=True).clear()


@given(BOARDS)
def test_no_more_than_the_3bv_and_no_less_than_the_luckiest(mines: NDArray[np.bool_]) -> None:
    regions = LayoutRegions.of(mines)
    assert regions.openings <= hzini(mines) <= regions.three_bv
    assert zini(mines) <= regions.three_bv
    assert rzini(mines, 4, seed=1) <= regions.three_bv
    assert rzini(mines, 4, seed=1) == rzini(mines, 4, seed=1)
    assert rzini(mines, 9, seed=1) <= rzini(mines, 4, seed=1)


@pytest.mark.parametrize(
    ("layout", "greedy", "human"),
    [
        ("1x1/0\n.", 1, 1),
        ("3x1/1\n*..", 1, 1),
        # Open one beside the mine, flag it, chord three times; people open a corner first.
        ("3x3/1\n...\n.*.\n...", 5, 6),
        # Four mines to flag cost what the chords save.
        ("4x4/4\n....\n.**.\n.**.\n....", 12, 12),
    ],
)
def test_known_boards(layout: str, greedy: int, human: int) -> None:
    mines = parse_layout(layout)[1]
    assert (zini(mines), hzini(mines)) == (greedy, human)


def test_nothing_but_mines_needs_no_click() -> None:
    assert zini(np.ones((2, 3), np.bool_)) == hzini(np.ones((2, 3), np.bool_)) == 0


def test_refuses_what_is_no_board() -> None:
    for count in (zini, hzini, rzini):
        with pytest.raises(LayoutError, match="rows and columns"):
            count(np.zeros(3, np.bool_))


@pytest.mark.parametrize("rules", [EXPERT, Rules(8, 8, 10), Rules(9, 20, 90), Rules(24, 7, 11)])
def test_equals_ms_toollib(rules: Rules) -> None:
    other = pytest.importorskip("ms_toollib")
    for seed in range(60):
        mines = deal(rules, seed)
        board = np.where(mines, -1, count_around(mines).astype(int)).tolist()
        regions = LayoutRegions.of(mines)
        assert zini(mines) == other.cal_zini(board)
        assert hzini(mines) == other.cal_hzini(board)
        assert regions.three_bv == other.cal_bbbv(board)
        assert (regions.openings, regions.islands) == (other.cal_op(board), other.Board(board).isl)


def interpreted(mines: NDArray[np.bool_], human: bool, starts: NDArray[np.int64]) -> int:
    height, width = mines.shape
    walled = (height + 2) * (width + 2)
    return twin.zini_clicks(
        np.ascontiguousarray(mines.T).view(np.uint8).reshape(-1), height, int(human), starts,
        np.empty((5, walled), np.uint8), np.empty((5, walled), np.int64),
    )  # fmt: skip


@given(BOARDS, st.lists(st.integers(0, 10**6), min_size=1, max_size=9))
def test_the_kernel_is_a_twin(mines: NDArray[np.bool_], numbers: list[int]) -> None:
    regions, starts = LayoutRegions.of(mines), np.array(numbers) % mines.size
    first = np.zeros(1, np.int64)
    assert interpreted(mines, False, first) == GreedyClearing(regions).clear()
    assert interpreted(mines, False, starts) == GreedyClearing(regions).clear(starts.tolist())
    human = GreedyClearing(regions, human=True)
    human.click_openings()
    assert interpreted(mines, True, first) == human.clear()


def test_a_twin_answers_once_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    boards = [deal(EXPERT, seed) for seed in range(3)]
    plain = [(zini(mines), hzini(mines), rzini(mines, 3, seed=7)) for mines in boards]
    asked = []

    def noted(*args: Any) -> int:
        asked.append(args)
        return twin.zini_clicks(*args)

    monkeypatch.setitem(STATISTICS_KERNELS.loaded, "zini_clicks", noted)
    assert [(zini(m), hzini(m), rzini(m, 3, seed=7)) for m in boards] == plain
    assert len(asked) == 3 * 5


@given(st.integers(0, 9999), st.integers(1, 12), st.integers(1, 12))
def test_batches_count_what_single_boards_count(seed: int, height: int, width: int) -> None:
    maps = np.random.default_rng(seed).random((3, height, width)) < 0.2
    for stack in (maps, maps[::-1, :, ::-1], maps.swapaxes(1, 2)):
        assert zini_batch(stack).tolist() == [zini(mines) for mines in stack]
        assert hzini_batch(stack).tolist() == [hzini(mines) for mines in stack]


@pytest.mark.parametrize("wrong", [np.zeros((2, 3), bool), np.zeros((1, 2, 3)), [], [[[]]]])
def test_what_is_no_stack_of_mine_maps(wrong: Any) -> None:
    for batch in (zini_batch, hzini_batch):
        with pytest.raises(LayoutError, match="mine maps are booleans of boards, rows and colu"):
            batch(wrong)
