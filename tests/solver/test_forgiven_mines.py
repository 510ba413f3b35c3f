"""Mines that blew and were forgiven are known: every answer of the solver counts them."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from demine.logic.neighbours import count_around
from demine.scene.cell_faces import Face
from demine.solver.errors import InconsistentBoard, NothingCertain, SceneError
from demine.solver.exact.deduce import deduce
from demine.solver.exact.parse_board import covered_map
from demine.solver.exact.probability import count_layouts, mine_probability
from demine.solver.hint import find_hint
from demine.solver.judge import JudgementKind, judge
from demine.solver.player.choose_cell import find_best_move
from demine.solver.player.policy_table import GUESSING
from demine.solver.proof.cell_levels import levels
from demine.solver.proof.explain import explain
from demine.solver.win_chances import analyse

Faces = NDArray[np.uint8]


@st.composite
def positions(draw: st.DrawFn) -> tuple[Faces, int]:
    """A small board under way in which mines blew, and its mine count."""
    height, width = draw(st.integers(1, 4)), draw(st.integers(2, 4))
    cells = height * width
    places = draw(st.lists(st.integers(0, cells - 1), min_size=1, max_size=cells - 1, unique=True))
    mine_map = np.zeros(cells, np.bool_)
    mine_map[places] = True
    open_map = np.array(draw(st.lists(st.booleans(), min_size=cells, max_size=cells)))
    blown = places[: draw(st.integers(1, len(places)))]
    hints = count_around(mine_map.reshape(height, width)).reshape(-1)
    faces = np.where(open_map & ~mine_map, hints, np.uint8(Face.COVERED)).astype(np.uint8)
    faces[blown] = Face.BLOWN
    return faces.reshape(height, width), len(places)


def layouts(faces: Faces, mines: int) -> list[NDArray[np.bool_]]:
    """Every layout that fits, tried out one by one."""
    blown, covered, opened = faces == Face.BLOWN, covered_map(faces), faces < Face.COVERED
    cells = np.flatnonzero(covered).tolist()
    found = []
    for chosen in combinations(cells, mines - int(blown.sum())):
        layout = blown.copy()
        layout.reshape(-1)[list(chosen)] = True
        if np.array_equal(count_around(layout)[opened], faces[opened]):
            found.append(layout)
    return found


@given(positions())
def test_chances_are_shares_of_layouts(position: tuple[Faces, int]) -> None:
    faces, mines = position
    every = layouts(faces, mines)
    expected = np.where(covered_map(faces), np.mean(every, axis=0), np.nan)
    np.testing.assert_allclose(mine_probability(faces, mines), expected, rtol=1e-12)
    assert count_layouts(faces, mines) == len(every)
    known = deduce(faces, mines)
    np.testing.assert_array_equal(known.safe, expected == 0.0)
    np.testing.assert_array_equal(known.mines, expected == 1.0)
    np.testing.assert_array_equal(levels(faces, mines) > 0, known.safe | known.mines)


@given(positions())
def test_reasons_are_of_covered_cells_and_numbers_as_they_stand(
    position: tuple[Faces, int],
) -> None:
    faces, mines = position
    chance = mine_probability(faces, mines)
    for row, col in np.argwhere(~np.isnan(chance)).tolist():
        if 0.0 < chance[row, col] < 1.0:
            with pytest.raises(NothingCertain):
                explain(faces, mines, (row, col))
            continue
        reason = explain(faces, mines, (row, col))
        assert reason.safe == (chance[row, col] == 0.0)
        assert all(covered_map(faces)[cell] for cell in reason.cells)
        said = reason.argument
        for clue in (*said.first, *said.second, *said.before):
            assert clue.number == faces[clue.row, clue.col]
        assert str(reason)
        verdict = judge(faces, mines, [(row, col)])
        assert verdict.kind is (JudgementKind.PROVEN if reason.safe else JudgementKind.CERTAIN_MINE)


@given(positions(), st.sampled_from([None, *GUESSING]))
def test_what_is_advised_is_covered(position: tuple[Faces, int], policy: str | None) -> None:
    faces, mines = position
    chance = mine_probability(faces, mines)
    move = find_best_move(faces, mines, policy=policy)
    told = find_hint(faces, mines)
    if np.nanmin(chance, initial=1.0) == 1.0:
        assert (move, told) == (None, None)
        return
    assert move is not None
    assert told is not None
    assert move.risk == chance[move.row, move.col] < 1.0
    assert told.risk == chance[told.row, told.col]
    assert told.safe == (told.risk == 0.0) == (move.risk == 0.0)
    found = analyse(faces, mines)
    assert found.exact
    assert all(not np.isnan(chance[each.row, each.col]) for each in found.cells)


def test_a_number_that_has_its_mine_says_so() -> None:
    faces = np.array([[13, 1, 9], [1, 1, 9]], np.uint8)
    reason = explain(faces, 1, (0, 2))
    assert reason.safe
    assert str(reason) == (
        "The 1 at row 1, column 2 has its mine at row 1, column 1, so its other cells are safe."
    )


def test_a_mine_that_blew_is_not_opened_again() -> None:
    faces = np.array([[13, 9]], np.uint8)
    np.testing.assert_array_equal(mine_probability(faces, 1), [[np.nan, 0.0]])
    for ask in (explain, lambda scene, mines, cell: judge(scene, mines, [cell])):
        with pytest.raises(SceneError, match="row 1, column 1 is open already"):
            ask(faces, 1, (0, 0))


@pytest.mark.parametrize(
    ("rows", "mines", "error"),
    [
        ([[13, 0]], 1, "the 0 at row 1, column 2 cannot be satisfied"),
        ([[13, 3, 9]], 2, "the 3 at row 1, column 2 cannot be satisfied"),
        ([[13, 9]], 0, "no layout with 0 mines fits the numbers, which allow 1-2"),
        ([[13, 13]], 1, "no layout with one mine fits the numbers, which allow 2"),
    ],
)
def test_contradictions(rows: list[list[int]], mines: int, error: str) -> None:
    with pytest.raises(InconsistentBoard, match=error):
        mine_probability(np.array(rows, np.uint8), mines)
