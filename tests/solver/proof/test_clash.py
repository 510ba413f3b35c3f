"""Why a draft cannot be true: held to all layouts of small boards, and to its sentences."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import TypeVar

import numpy as np
import pytest

import demine
from demine.scene.cell_faces import Face
from demine.scene.draft import Assumption, Draft
from demine.solver.errors import InconsistentBoard, SceneError
from demine.solver.proof.clash import find_clash
from tests.solver.boards import Faces, played

Cell = tuple[int, int]
T = TypeVar("T")
MINES = 5


def possible(
    faces: Faces, assumed: Iterable[Assumption], numbers: Iterable[Cell], *, counted: bool = True
) -> bool:
    """Whether any layout satisfies assumptions and these numbers, found by trying all."""
    covered = [tuple(cell) for cell in np.argwhere(faces >= Face.COVERED).tolist()]
    wanted, checked = dict(assumed), list(numbers)
    for size in [MINES] if counted else range(len(covered) + 1):
        for cells in combinations(covered, size):
            laid = np.zeros(faces.shape, np.int64)
            for cell in cells:
                laid[cell] = 1
            if all(laid[cell] == mine for cell, mine in wanted.items()) and all(
                laid[max(row - 1, 0) : row + 2, max(col - 1, 0) : col + 2].sum() == faces[row, col]
                for row, col in checked
            ):
                return True
    return False


def numbers_of(faces: Faces) -> list[Cell]:
    return [(row, col) for row, col in np.argwhere(faces <= Face.EIGHT).tolist()]


def positions() -> Iterable[tuple[Faces, list[Assumption]]]:
    """Small positions with at most eleven covered cells, and one to four assumptions on each."""
    rng, dealer = random.Random(4), np.random.default_rng(4)
    for _ in range(800):
        faces = played(dealer, 4, 5, MINES, 4)
        covered = [(row, col) for row, col in np.argwhere(faces >= Face.COVERED).tolist()]
        if 2 <= len(covered) <= 11:
            chosen = rng.sample(covered, min(rng.randint(1, 4), len(covered)))
            yield faces, [Assumption(cell, rng.random() < 0.5) for cell in chosen]


def test_a_clash_is_real_and_nothing_of_it_can_be_left_out() -> None:
    found = counted = joint = 0
    for faces, assumed in positions():
        clash = find_clash(faces, MINES, assumed)
        assert (clash is None) == possible(faces, assumed, numbers_of(faces))
        if clash is None:
            assert not Draft(tuple(assumed)).broken_counts(faces, MINES)
            continue
        numbers = [(clue.row, clue.col) for clue in clash.numbers]
        count = clash.uses_mine_count
        found, counted, joint = found + 1, counted + count, joint + (len(clash.assumptions) > 1)
        assert not possible(faces, clash.assumptions, numbers, counted=count)
        assert not count or possible(faces, clash.assumptions, numbers, counted=False)
        for fewer in all_but_one(clash.assumptions):
            assert possible(faces, fewer, numbers, counted=count)
        for fewer_numbers in all_but_one(numbers):
            assert possible(faces, clash.assumptions, fewer_numbers, counted=count)
    assert found > 80, "positions with clashes"
    assert counted > 3, "clashes that need the mine count"
    assert joint > 10, "clashes of more than one assumption"


def all_but_one(things: Sequence[T]) -> list[list[T]]:
    """The things without each of them in turn."""
    return [[*things[:at], *things[at + 1 :]] for at in range(len(things))]


def test_a_clash_is_a_sentence() -> None:
    row = "4x1/2\n1 # # #"
    clash = find_clash(row, None, [((0, 1), False)])
    assert str(clash) == "If row 1, column 2 is safe, the 1 at row 1, column 1 cannot hold."
    clash = find_clash(row, None, [((0, 2), True), ((0, 3), True)])
    assert str(clash) == (
        "If row 1, column 3 is a mine and row 1, column 4 is a mine, the 1 at row 1, column 1 and "
        "the mine count cannot all hold."
    )
    assert find_clash(row, None, [((0, 1), True), ((0, 3), False)]) is None


def test_too_many_mines_need_no_number() -> None:
    clash = find_clash("3x1/1\n# # #", None, [((0, 0), True), ((0, 2), True)])
    assert clash is not None
    assert (clash.numbers, clash.uses_mine_count) == ((), True)
    assert "the mine count cannot hold" in str(clash)


def test_what_cannot_be_asked_is_an_error() -> None:
    with pytest.raises(SceneError, match="is open already"):
        find_clash("4x1/2\n1 # # #", None, [((0, 0), True)])
    with pytest.raises(SceneError, match="outside"):
        find_clash("4x1/2\n1 # # #", None, [((0, 9), True)])
    with pytest.raises(InconsistentBoard):
        find_clash("3x1/1\n2 # #", None, [((0, 1), True)])


def test_a_forgiven_mine_is_known() -> None:
    game = demine.Game("5x1/2 lives=3 first=any")
    game.lay(demine.Lay(0, np.array([[True, False, True, False, False]])))
    for cell in ((0, 0), (0, 1)):
        game.open(*cell)
    clash = find_clash(demine.sight(game), 2, [((0, 2), False)])
    assert str(clash) == "If row 1, column 3 is safe, the 2 at row 1, column 2 cannot hold."
