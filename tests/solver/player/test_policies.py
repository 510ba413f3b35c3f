"""The player's kernels: risks beside the solver's, and the last layouts beside a plain search."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

import demine
from demine.logic.flood import flood
from demine.logic.neighbours import count_around
from demine.scene.cell_faces import Face
from demine.solver.player import advise
from demine.solver.player.kernels import advice_tasks, offsets
from demine.solver.player.kernels.endgame import search_endgame
from demine.solver.player.kernels.list_layouts import list_layouts
from demine.solver.player.player_arrays import PlayerArrays, set_policy
from demine.solver.player.policy_table import policy_by_name
from tests.solver import loaded

# Compiling takes a minute, more on a busy machine, and whichever test comes first waits for it.
pytestmark = pytest.mark.timeout(400)
MINE = 9
TRUTH = os.environ.get("DEMINE_TRUTH")
"""A folder of late positions with the exact value of every move, where there is one."""


class Position(NamedTuple):
    """A scene board."""

    faces: NDArray[np.uint8]
    mines: int


def positions(
    seed: int, count: int, size: tuple[int, int], mines: int, most: int
) -> Iterator[Position]:
    """Boards of which some cells are open, and to which up to `most` layouts fit."""
    rng = np.random.default_rng(seed)
    height, width = size
    while count:
        mined = np.zeros(height * width, np.bool_)
        mined[rng.permutation(height * width)[:mines]] = True
        numbers = count_around(mined.reshape(size)).ravel()
        opened = bytearray(height * width)
        for cell in rng.permutation(np.flatnonzero(~mined))[: rng.integers(1, height * width)]:
            if numbers[cell] == 0:
                flood(bytes(numbers), opened, width, height, int(cell))
            opened[cell] = 1
            shown = np.frombuffer(opened, np.uint8).astype(np.bool_)
            faces = np.where(shown, numbers, np.uint8(Face.COVERED)).reshape(size)
            layouts = demine.count_layouts(faces, mines)
            if shown.sum() < height * width - mines and 2 <= layouts <= most:
                yield Position(faces, mines)
                count -= 1
                break


@pytest.fixture(params=["plain", "compiled"])
def ask(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The player, interpreted and compiled."""
    kernel = request.getfixturevalue("player") if request.param == "compiled" else None
    loaded.use_player(monkeypatch, kernel)
    return str(request.param)


def test_the_risks_are_the_probabilities(ask: str) -> None:
    many = 60 if ask == "compiled" else 12
    for size, mines in (((5, 6), 7), ((9, 9), 12), ((7, 16), 24)):
        for at, position in enumerate(positions(1, many, size, mines, 10**9)):
            expected = demine.mine_probability(position.faces, mines)
            cell = advise.policy_choice(position.faces, mines, "safest")
            assert cell is not None
            covered = position.faces >= Face.COVERED
            assert expected[cell] == expected[covered].min() or np.isclose(
                expected[cell], expected[covered].min(), rtol=1e-9
            ), at
            if expected[covered].min() > 0:
                np.testing.assert_allclose(
                    risks(size)[covered], settled(expected)[covered], rtol=1e-9, atol=0
                )


def risks(size: tuple[int, int]) -> NDArray[np.float64]:
    """What the player wrote down last; 0 for a cell that is settled."""
    padded = (size[0] + 2) * (size[1] + 2)
    desk, _ = advise._thread_arrays()
    written = desk.values[offsets.RISK : offsets.RISK + padded]
    return written.reshape(size[0] + 2, size[1] + 2)[1:-1, 1:-1].copy()


def settled(chance: NDArray[np.float64]) -> NDArray[np.float64]:
    """Certain mines are settled."""
    return np.where(chance == 1.0, 0.0, chance)


def hint_table(position: Position) -> tuple[list[int], list[tuple[int, ...]]]:
    """The covered cells, and what each shows in each layout: tried out one by one."""
    height, width = position.faces.shape
    flat = position.faces.ravel()
    covered = [int(cell) for cell in np.flatnonzero(flat >= Face.COVERED)]
    found = []
    mined = np.zeros(height * width, np.bool_)

    def lay(at: int, left: int) -> None:
        if left > len(covered) - at:
            return
        if at == len(covered):
            numbers = count_around(mined.reshape(height, width)).ravel()
            if np.array_equal(numbers[flat < Face.COVERED], flat[flat < Face.COVERED]):
                found.append(tuple(MINE if mined[cell] else int(numbers[cell]) for cell in covered))
            return
        for mine in (True, False):
            if left or not mine:
                mined[covered[at]] = mine
                lay(at + 1, left - mine)
        mined[covered[at]] = False

    lay(0, position.mines)
    return covered, found


class Search:
    """The best play, found by trying every cell: no bounds, no order, no short cuts."""

    def __init__(self, layouts: list[tuple[int, ...]]) -> None:
        self._layouts = layouts
        self.value = cache(self._value)

    def _value(self, group: frozenset[int], opened: frozenset[int]) -> int:
        cells = len(self._layouts[0])
        alive = [at for at in range(cells) if at not in opened]
        free = [at for at in alive if all(self._layouts[one][at] != MINE for one in group)]
        if len(group) == 1 or not alive:
            return 1
        # Opening what is safe in all layouts never hurts.
        return max(self.of(group, opened, at) for at in free[:1] or alive)

    def of(self, group: frozenset[int], opened: frozenset[int], at: int) -> int:
        """Return how many layouts are won by opening a cell first."""
        parts: dict[int, set[int]] = {}
        for one in group:
            parts.setdefault(self._layouts[one][at], set()).add(one)
        parts.pop(MINE, None)
        return sum(self.value(frozenset(part), opened | {at}) for part in parts.values())


def searched(position: Position, desk: PlayerArrays) -> int:
    """Return how many layouts the kernels say are won."""
    height, width = position.faces.shape
    flat = position.faces.ravel().astype(np.int64)
    advice_tasks.evaluate_scene(height, width, position.mines, flat, desk.work, desk.values)  # type: ignore[arg-type]
    hints = advise.as_memoryview(desk.hints)
    assert list_layouts(desk.work, hints) > 0
    return search_endgame(desk.work, hints) >> 8


@pytest.mark.parametrize(
    ("size", "mines", "most"), [((4, 4), 5, 24), ((3, 6), 5, 24), ((5, 5), 6, 40), ((4, 5), 6, 90)]
)
def test_the_last_layouts_are_played_out_best(
    ask: str, size: tuple[int, int], mines: int, most: int
) -> None:
    desk = PlayerArrays()
    set_policy(desk, policy_by_name("strong"))
    for position in positions(7, 6, size, mines, most):
        covered, layouts = hint_table(position)
        search = Search(layouts)
        every = frozenset(range(len(layouts)))
        values = [search.of(every, frozenset(), at) for at in range(len(covered))]
        chosen = advise.policy_choice(position.faces, mines, "best")
        assert chosen is not None
        assert values[covered.index(chosen[0] * size[1] + chosen[1])] == max(values)
        if ask == "plain":
            assert searched(position, desk) == max(values)


def test_the_best_policy_looks_for_an_opening_first(
    player: Callable[..., float], monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded.use_player(monkeypatch, player)
    faces = np.full((16, 30), Face.COVERED, np.uint8)
    faces[0, 0] = 1
    corners = {(0, 29), (15, 0), (15, 29)}
    # Two acts ahead the cell two away from the corner is worth more; an opening is likelier there.
    assert advise.policy_choice(faces, 99, "strong") not in corners
    assert advise.policy_choice(faces, 99, "best") in corners


def test_more_layouts_than_a_block_holds_are_played_out_best(
    player: Callable[..., float], monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded.use_player(monkeypatch, player)
    spent = np.zeros(1, np.int64)
    covered = np.full((4, 4), Face.COVERED, np.uint8)
    for cell, expected in (((0, 0), 949), ((0, 1), 961), ((1, 1), 914)):
        wanted = np.array([advise.PaddedBoard(4, 4).padded_index(cell), 8, 10**9], np.int64)
        assert (
            advise.run_task(advice_tasks.COUNT_FIRST_CELL_WINS, covered, 4, "best", wanted, spent)
            == expected
        )


@pytest.mark.skipif(TRUTH is None, reason="DEMINE_TRUTH names no folder of exact values")
@pytest.mark.parametrize(("name", "size", "mines"), [("int", 16, 40), ("beg", 9, 10)])
def test_late_positions_are_played_out_best(
    player: Callable[..., float], monkeypatch: pytest.MonkeyPatch, name: str, size: int, mines: int
) -> None:
    loaded.use_player(monkeypatch, player)
    lines = (Path(str(TRUTH)) / f"endgame_truth_{name}.txt").read_text().splitlines()
    for line in lines:
        board, _, _, best, *rest = line.split()
        shown = [int(char) if char.isdigit() else int(Face.COVERED) for char in board]
        faces = np.array(shown, np.uint8).reshape(size, size)
        cell = advise.policy_choice(faces, mines, "best")
        assert cell is not None
        value = dict(word.split(":") for word in rest if ":" in word)[f"{cell[1]},{cell[0]}"]
        assert value.split("/")[0] == best, line
    assert lines
