"""What is certain by a part of the numbers, where all of them are too much."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from demine.scene.cell_faces import Face
from demine.solver.errors import InconsistentBoard, TooComplex
from demine.solver.exact.deduce import deduce
from demine.solver.exact.probability import mine_probability
from demine.solver.hint import find_hint, hint
from demine.solver.judge import JudgementKind, judge
from demine.solver.player.choose_cell import best_move
from demine.solver.proof.difficulty_levels import Pattern
from demine.solver.proof.explain import explain
from demine.solver.proof.partial_deduction_fallback import deduce_some_cells
from tests.solver.boards import Faces, dealt, seen, small
from tests.solver.exact.test_probability import faces_of
from tests.solver.test_errors import lattice

SIDE = 41
MINES = 500
STATES = 20_000
"""Enough for any corner here, and too few for the lattice; the usual budget only takes longer."""
CORNER = SIDE + 2
"""The column where the corner of `beside_a_lattice` begins."""


def beside_a_lattice(*rows: str) -> Faces:
    """A lattice that is too much, and a corner of the same board that is not."""
    corner = faces_of(*rows)
    faces = np.full((SIDE, CORNER + corner.shape[1]), Face.COVERED, np.uint8)
    faces[:, :SIDE] = lattice(SIDE, 3)
    faces[: corner.shape[0], CORNER:] = corner
    return faces


@pytest.mark.parametrize(
    ("rows", "pattern", "row", "col"),
    [
        pytest.param(("##10", "####"), Pattern.SATISFIED, 1, 2, id="a single number"),
        pytest.param(("##11", "####"), Pattern.INSIDE, 0, 1, id="one number inside another"),
        pytest.param(("####", "#121", "####"), Pattern.CHAIN, 0, 0, id="a chain"),
        pytest.param(("##1#", "#1#2", "####"), Pattern.CASES, 0, 1, id="case analysis"),
    ],
)
def test_a_proven_cell_is_named(
    rows: tuple[str, ...], pattern: Pattern, row: int, col: int
) -> None:
    faces, cell = beside_a_lattice(*rows), (row, CORNER + col)
    for ask in (mine_probability, deduce):
        with pytest.raises(TooComplex):
            ask(faces, MINES, states=STATES)
    found, move = hint(faces, MINES, states=STATES), best_move(faces, MINES, states=STATES)
    assert found is not None
    assert found.reason is not None
    assert (found.row, found.col, found.risk, found.reason.pattern) == (*cell, 0.0, pattern)
    assert found.alike == np.count_nonzero(deduce_some_cells(faces, MINES, states=STATES).safe)
    assert found.covered == np.count_nonzero(faces >= Face.COVERED)
    assert move is not None
    assert move.risk == 0.0
    assert deduce_some_cells(faces, MINES, states=STATES).safe[move.row, move.col]
    assert explain(faces, MINES, states=STATES) == found.reason
    assert explain(faces, MINES, cell, states=STATES) == found.reason
    act = judge(faces, MINES, [cell], states=STATES)
    assert (act.kind, act.risk, act.reason) == (JudgementKind.PROVEN, 0.0, found.reason)
    assert all(number[1] >= CORNER for number in found.reason.because)


def test_a_certain_mine_is_told() -> None:
    faces, cell = beside_a_lattice("##20", "####"), (0, CORNER + 1)
    assert not explain(faces, MINES, cell, states=STATES).safe
    act = judge(faces, MINES, [cell, (0, 0)], states=STATES)
    assert (act.kind, act.risk) == (JudgementKind.CERTAIN_MINE, 1.0)
    assert act.best is not None
    assert act.best.risk == 0.0


def test_what_no_part_proves_is_too_complex() -> None:
    faces = beside_a_lattice("##10", "####")
    with pytest.raises(TooComplex):
        explain(faces, MINES, (0, 0), states=STATES)
    with pytest.raises(TooComplex):
        judge(faces, MINES, [(1, CORNER + 2), (0, 0)], states=STATES)
    faces = beside_a_lattice("#1##", "####")
    for ask in (hint, best_move, explain):
        with pytest.raises(TooComplex):
            ask(faces, MINES, states=STATES)


@pytest.mark.parametrize(
    ("rows", "mines", "sentence", "cell"),
    [
        pytest.param(
            ("####", "#16#", "####"), MINES, "the 6 at row 2, column 46 cannot", (1, 45), id="pair"
        ),
        pytest.param(
            ("###", "#8#", "###"), 7, "no layout with 7 mines fits the numbers", None, id="count"
        ),
    ],
)
@pytest.mark.parametrize("ask", [hint, best_move, explain])
def test_a_contradiction_is_told(
    rows: tuple[str, ...], mines: int, sentence: str, cell: tuple[int, int] | None, ask: Any
) -> None:
    with pytest.raises(InconsistentBoard, match=sentence) as caught:
        ask(beside_a_lattice(*rows), mines, states=STATES)
    assert caught.value.cell == cell


def test_nothing_but_what_is_certain() -> None:
    """Held to all that is certain, with budgets so small that often only a part is left."""
    random, gave, refused, told = np.random.default_rng(7), 0, 0, 0
    for _ in range(1500):
        faces, mines = small(random)
        states = int(random.choice([0, 4, 16, 64]))
        try:
            truth = deduce(faces, mines)
        except InconsistentBoard:
            truth = None
        try:
            known = deduce_some_cells(faces, mines, states)
        except InconsistentBoard:
            assert truth is None
            told += 1
            continue
        if truth is None:
            continue
        assert not (known.safe & ~truth.safe).any()
        assert not (known.mines & ~truth.mines).any()
        try:
            found = find_hint(faces, mines, states=states)
        except TooComplex:
            assert not known.safe.any()
            refused += 1
            continue
        if found is not None and found.safe:
            assert truth.safe[found.row, found.col]
            gave += 1
    assert min(gave // 10, refused, told) > 20


def test_a_whole_board_strewn_with_openings() -> None:
    random = np.random.default_rng(5)
    layout = dealt(random, 200, 200, 8000)
    opened = ~layout & (random.random(layout.shape) < 0.3)
    faces = seen(layout, opened, np.full(layout.shape, Face.COVERED, np.uint8))
    with pytest.raises(TooComplex):
        mine_probability(faces, 8000)
    known = deduce_some_cells(faces, 8000)
    assert not (known.safe & layout).any()
    assert not (known.mines & ~layout).any()
    assert known.safe.sum() > 1000
    found = hint(faces, 8000)
    assert found is not None
    assert found.safe
    assert not layout[found.row, found.col]
