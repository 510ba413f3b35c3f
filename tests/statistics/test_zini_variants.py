"""The figures of efficiency players: another program's values, and clearings by definition."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from demine.logic.errors import LayoutError
from demine.logic.layout import deal, parse_layout
from demine.logic.rules import Rules
from demine.statistics.compute import stats
from demine.statistics.kernels import STATISTICS_KERNELS, chain_zini, wom
from demine.statistics.layout_regions import LayoutRegions
from demine.statistics.zini import zini
from demine.statistics.zini_priorities import priority_orders, random_fractions
from demine.statistics.zini_variants import MOST_CELLS, hzini_wom, zini_8way, zini_chain, zini_wom
from tests.logic.boards import around
from tests.statistics.test_layout_regions import BOARDS, slow_label, sparse
from tests.statistics.test_zini import Plain

Mines = NDArray[np.bool_]
Cell = tuple[int, int]
NAMES: Final = ("zini_8way", "zini_chain", "hzini_wom", "zini_wom", "zini_wom_exact")

# What LlamaSweeper tells of these layouts: 8-way, 100-chain, WoM H-ZiNi, WoM ZiNi and the improved
# one, for the seeds from 0 on.
TOLD: Final = {
    "30x16/99": [
        (121, 117, 125, 123, 120), (117, 116, 121, 119, 118), (121, 119, 130, 125, 123),
        (119, 117, 123, 121, 118), (121, 118, 137, 122, 123), (121, 120, 130, 122, 119),
        (119, 115, 125, 119, 118), (113, 113, 119, 114, 113),
    ],
    "16x16/40": [
        (50, 49, 50, 50, 50), (50, 50, 51, 51, 50), (49, 48, 49, 48, 48), (49, 49, 52, 50, 49),
        (51, 51, 52, 52, 52), (53, 52, 54, 53, 53), (58, 56, 58, 58, 57), (41, 40, 40, 40, 40),
        (43, 43, 47, 43, 43), (41, 41, 44, 41, 41),
    ],
    "9x9/10": [
        (8, 8, 8, 8, 8), (17, 17, 17, 17, 17), (10, 10, 10, 10, 10), (13, 12, 13, 13, 13),
        (11, 11, 11, 11, 11), (16, 16, 16, 16, 16), (14, 14, 14, 14, 14), (15, 15, 15, 15, 15),
        (15, 15, 16, 15, 15), (14, 14, 14, 14, 14),
    ],
    "8x8/10": [
        (9, 9, 9, 9, 9), (14, 14, 15, 15, 14), (6, 6, 6, 6, 6), (14, 14, 15, 14, 14),
        (13, 13, 13, 13, 13), (13, 13, 15, 13, 13), (15, 15, 15, 15, 15), (10, 10, 11, 10, 10),
        (12, 12, 13, 12, 12), (13, 13, 13, 13, 13),
    ],
    "30x20/130": [
        (158, 155, 168, 161, 159), (158, 156, 163, 162, 158), (166, 162, 175, 168, 163),
        (155, 153, 156, 156, 155), (159, 156, 178, 161, 162), (165, 163, 174, 166, 166),
    ],
}  # fmt: skip


def figures(mines: Mines) -> tuple[int, ...]:
    return (
        zini_8way(mines), zini_chain(mines), hzini_wom(mines), zini_wom(mines),
        zini_wom(mines, exact=True),
    )  # fmt: skip


@pytest.mark.parametrize("rules", TOLD)
def test_equals_llamasweeper(rules: str) -> None:
    for seed, told in enumerate(TOLD[rules]):
        mines = deal(Rules.parse(rules), seed)
        assert figures(mines) == told
        said = stats(mines)
        assert tuple(said[name] for name in NAMES) == told
        fewest = min(told[0], told[1], told[3], told[4])
        assert said.max_efficiency == LayoutRegions.of(mines).three_bv / fewest


def test_the_lots_are_those_of_seedrandom() -> None:
    for seed, numbers in (
        ("hello.", (0.9282578795792454, 0.3752569768646784)),
        ("100\0", (0.025372547212524847, 0.1226165444847759, 0.08260624023743739)),
        ("7\0", (0.501492094922307, 0.9049477817690885)),
    ):
        draw = random_fractions(seed)
        assert tuple(draw() for _ in numbers) == numbers


@pytest.mark.parametrize(("cells", "runs"), [(1, 3), (2, 9), (480, 4)])
def test_every_order_has_every_cell_once(cells: int, runs: int) -> None:
    found = priority_orders(cells, runs)
    assert found.shape == (runs, cells)
    assert (np.sort(found, axis=1) == np.arange(cells)).all()
    assert (priority_orders.__wrapped__(cells, runs) == found).all()
    assert cells < 3 or any((one != other).any() for one, other in pairwise(found))


class Position:
    """A board by its sets, each premium anew at every step."""

    def __init__(self, mines: Mines) -> None:
        self.mines, self.regions = mines, LayoutRegions.of(mines)
        height, width = mines.shape
        self.cells = [(row, col) for col in range(width) for row in range(height)]
        self.near = {cell: around(*cell, height, width) for cell in self.cells}
        opening = slow_label(self.regions.zero).reshape(mines.shape)
        self.borders_on = {
            cell: {int(opening[c]) for c in self.near[cell] if opening[c] >= 0}
            for cell in self.cells
            if not self.regions.zero[cell]
        }
        self.lone = {cell for cell in self.cells if self.regions.lone[cell]}
        self.openings = {
            number: {c for c in self.cells if opening[c] == number}
            for number in range(int(opening.max(initial=-1)) + 1)
        }
        self.numbers = [c for c in self.cells if not mines[c] and not self.regions.zero[c]]
        self.open: set[Cell] = set()
        self.flags: set[Cell] = set()

    def spread(self, cell: Cell) -> None:
        for zeros in self.openings.values():
            if cell in zeros:
                self.open |= zeros | {c for zero in zeros for c in self.near[zero]}
        self.open.add(cell)

    def closed_openings(self, cell: Cell) -> int:
        return sum(not self.openings[number] <= self.open for number in self.borders_on[cell])

    def premium(self, cell: Cell) -> int:
        lone = sum(c in self.lone and c not in self.open for c in [*self.near[cell], cell])
        mines = sum(bool(self.mines[c]) and c not in self.flags for c in self.near[cell])
        return lone + self.closed_openings(cell) - mines - (cell not in self.open) - 1

    def chord(self, cell: Cell) -> int:
        clicks = 1 + (cell not in self.open)
        self.open.add(cell)
        for other in self.near[cell]:
            if not self.mines[other]:
                self.spread(other)
            elif other not in self.flags:
                self.flags.add(other)
                clicks += 1
        return clicks

    @property
    def left(self) -> list[Cell]:
        """One cell for each 3BV that is left."""
        firsts = [min(zeros, key=self.cells.index) for zeros in self.openings.values()]
        return [
            c for c in (*firsts, *sorted(self.lone, key=self.cells.index)) if c not in self.open
        ]


def chains_of(position: Position, chorded: set[Cell]) -> list[set[Cell]]:
    """The linked pieces of what was chorded."""

    def linked(one: Cell, other: Cell) -> bool:
        share = position.borders_on[one] & position.borders_on[other]
        return other in position.near[one] or bool(share)

    rest, found = set(chorded), list[set[Cell]]()
    while rest:
        piece, waiting = set[Cell](), [rest.pop()]
        while waiting:
            cell = waiting.pop()
            piece.add(cell)
            more = {other for other in rest if linked(cell, other)}
            rest -= more
            waiting += more
        found.append(piece)
    return found


def plain_chains(mines: Mines, order: list[int]) -> int:
    """Chain ZiNi as it is defined: clicks are the chords, the flags, the chains and the rest."""
    position, chorded = Position(mines), set[Cell]()

    def premium(cell: Cell) -> int:
        pieces = chains_of(position, chorded | {cell})
        others = len(chains_of(position, chorded)) - len(pieces) + 1
        return position.premium(cell) + max(0, others - 1)

    while position.left:
        best, chosen = -1, None
        for cell in (position.cells[at] for at in order):
            if cell in position.numbers and cell not in chorded and premium(cell) > best:
                best, chosen = premium(cell), cell
        if chosen is None:
            break
        position.chord(chosen)
        chorded.add(chosen)
    chains = chains_of(position, chorded)
    return len(chorded) + len(position.flags) + len(chains) + len(position.left)


def plain_wom(mines: Mines, human: bool, short: bool) -> int:
    """The WoM clearing as it is defined."""
    position, clicks = Position(mines), 0

    def lacking(cell: Cell) -> int:
        return short and bool(position.borders_on[cell])

    def premiums() -> dict[Cell, int]:
        cells = [c for c in position.numbers if not human or c in position.open]
        return {cell: position.premium(cell) - lacking(cell) for cell in cells}

    if human:
        for zeros in position.openings.values():
            position.spread(min(zeros))
            clicks += 1
    while position.left:
        found = premiums()
        best = max(found.values(), default=-1)
        if best < 0:
            position.spread(position.left[0])
            clicks += 1
            continue
        equals = [cell for cell, value in found.items() if value == best]
        chosen, most = equals[0], -1
        for cell in equals if len(equals) > 1 else []:
            kept = set(position.open), set(position.flags)
            position.chord(cell)
            then = list(premiums().values())
            promise = 1000 * max(then) + then.count(max(then))
            if promise > most:
                chosen, most = cell, promise
            position.open, position.flags = kept
        clicks += position.chord(chosen)
    return clicks


SMALL = arrays(np.bool_, st.tuples(st.integers(1, 6), st.integers(1, 6)))


@settings(max_examples=40, deadline=None)
@given(st.one_of(SMALL, BOARDS))
def test_clears_as_the_definitions_say(mines: Mines) -> None:
    turned = [each[::a, ::b] for each in (mines, mines.T) for a in (1, -1) for b in (1, -1)]
    assert zini_8way(mines) == min(Plain(each, human=False).clear() for each in turned)
    assert hzini_wom(mines) == plain_wom(mines, human=True, short=False)
    for exact in (False, True):
        found = plain_wom(mines, human=False, short=not exact)
        assert zini_wom(mines, exact=exact) == min(found, hzini_wom(mines))
    if mines.size <= 64:
        runs = [plain_chains(mines, order.tolist()) for order in priority_orders(mines.size, 3)]
        assert zini_chain(mines, 3) == min(runs)


@given(BOARDS)
def test_what_holds_for_every_board(mines: Mines) -> None:
    regions = LayoutRegions.of(mines)
    found = dict(zip(NAMES, figures(mines), strict=True))
    assert found["zini_8way"] <= zini(mines)
    assert found["zini_wom"] <= found["hzini_wom"]
    assert found["zini_wom_exact"] <= found["hzini_wom"]
    assert max(found["zini_8way"], found["zini_chain"], found["zini_wom"]) <= regions.three_bv
    assert found["zini_8way"] == zini_8way(mines.T) == zini_8way(mines[::-1, ::-1])
    assert regions.openings <= found["hzini_wom"] <= regions.three_bv
    assert (min(found.values()) > 0) == (regions.three_bv > 0)


def fewest_clicks(mines: Mines) -> int:
    """The fewest clicks there are, by trying all: openings, flags and chords of a known board."""
    position = Position(mines)
    whole = frozenset(c for c in position.cells if not mines[c])
    reached = {(frozenset[Cell](), frozenset[Cell]())}
    seen, clicks = set(reached), 0
    while all(opened != whole for opened, _ in reached):
        further = {state for each in reached for state in after(position, *each)} - seen
        seen |= further
        reached, clicks = further, clicks + 1
    return clicks


def after(
    position: Position, opened: frozenset[Cell], flags: frozenset[Cell]
) -> Iterator[tuple[frozenset[Cell], frozenset[Cell]]]:
    """Every state that one click makes of a state."""
    for cell in position.cells:
        if position.mines[cell]:
            yield opened, flags | {cell}
            continue
        near = position.near[cell]
        chorded = cell in opened and all(c in flags for c in near if position.mines[c])
        if cell not in opened or chorded:
            position.open = set(opened)
            for other in [c for c in near if not position.mines[c]] if chorded else [cell]:
                position.spread(other)
            yield frozenset(position.open), flags


@settings(max_examples=40, deadline=None)
@given(arrays(np.bool_, st.tuples(st.integers(1, 3), st.integers(1, 3))))
def test_no_figure_is_below_the_fewest_clicks(mines: Mines) -> None:
    assert min(figures(mines)) >= fewest_clicks(mines)


def test_chains_find_what_greed_does_not() -> None:
    """Two chains that a chord joins need one first click: in hindsight one is saved."""
    saved = [
        zini_8way(mines) - zini_chain(mines)
        for mines in (deal(Rules(12, 12, 30), seed) for seed in range(30))
    ]
    assert max(saved) >= 2


@settings(max_examples=60, deadline=None)
@given(BOARDS)
@example(sparse(290, 10, 13, 0.3))  # a number between two openings decides
def test_the_kernels_are_twins(mines: Mines) -> None:
    def counted() -> tuple[int, ...]:
        ahead = hzini_wom(mines), zini_wom(mines), zini_wom(mines, exact=True)
        return zini_chain(mines, 4), *ahead

    plain = counted()
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(
            STATISTICS_KERNELS.loaded, "chain_fewest_clicks", chain_zini.chain_fewest_clicks
        )
        patch.setitem(STATISTICS_KERNELS.loaded, "wom_clicks", wom.wom_clicks)
        assert counted() == plain


@pytest.mark.parametrize("count", [zini_8way, zini_chain, hzini_wom, zini_wom])
def test_boards_without_clicks_and_without_cells(count: Callable[[Any], int]) -> None:
    assert count(np.ones((2, 3), np.bool_)) == 0
    assert count(np.zeros((1, 1), np.bool_)) == 1
    assert count(parse_layout("3x1/1\n*..")[1]) == 1
    for wrong in (np.zeros((0, 4), np.bool_), np.zeros(3, np.bool_)):
        with pytest.raises(LayoutError, match="rows and columns"):
            count(wrong)


def test_huge_boards_have_none_of_them() -> None:
    side = 1 + int(MOST_CELLS**0.5)
    huge = stats(np.zeros((side, side), np.bool_))
    assert {huge[name] for name in (*NAMES, "max_efficiency")} == {None}
    largest = stats(np.zeros((side - 1, side - 1), np.bool_))
    assert {largest[name] for name in NAMES} == {1}
    assert largest.max_efficiency == 1


def test_nothing_but_mines_has_no_efficiency() -> None:
    assert stats(np.ones((2, 3), np.bool_)).max_efficiency is None


def test_what_takes_long_is_not_counted_unasked() -> None:
    said = stats(deal(Rules(8, 8, 10), 1))
    assert not {*NAMES, "max_efficiency"} & {*said}
