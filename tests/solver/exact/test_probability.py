"""Probabilities and numbers of layouts against every layout there is."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from demine.scene.cell_faces import Face
from demine.solver.errors import InconsistentBoard, TooComplex
from demine.solver.exact import probability, semirings
from demine.solver.exact.combine_components import (
    correctly_rounded_probabilities,
    float_probabilities,
    rounded_ratio,
)
from demine.solver.exact.deduce import deduce
from demine.solver.exact.parse_board import checked_scene
from demine.solver.exact.prepared_position import Position
from demine.solver.exact.probability import (
    count_layouts,
    mine_probability,
    mine_probability_batch,
    plain_probability,
)
from demine.solver.exact.semirings import FloatPolynomials, ScaledNumber, Underflow
from tests.solver import oracle
from tests.solver.boards import dealt, played, scattered, seen, small

SEEDS = 20
EACH = 1050
REACH = 1e-12


def faces_of(*rows: str) -> NDArray[np.uint8]:
    """A scene from rows of `#` covered, `F` flag, `?` question and numbers."""
    letters = "012345678#F?"
    return np.array([[letters.index(letter) for letter in row] for row in rows], np.uint8)


def hold(faces: NDArray[np.uint8], mines: int, truth: oracle.Truth) -> None:
    """Everything the solver says of a position is what the truth says."""
    if not truth.layouts:
        with pytest.raises(InconsistentBoard):
            mine_probability(faces, mines)
        with pytest.raises(InconsistentBoard):
            count_layouts(faces, mines)
        return
    assert count_layouts(faces, mines) == truth.layouts
    found = mine_probability(faces, mines)
    rounded = plain_probability(*checked_scene(faces, mines))
    known = deduce(faces, mines)
    assert np.array_equal(np.isnan(found), faces < Face.COVERED)
    assert int(np.count_nonzero(known.safe | known.mines)) == sum(
        held in {0, truth.layouts} for held in truth.mines.values()
    )
    for cell, held in truth.mines.items():
        right = held / truth.layouts
        # Integers over integers, rounded once: equal, not close.
        assert rounded[cell] == right
        assert abs(found[cell] - right) <= REACH * right
        assert (found[cell] == 0.0, found[cell] == 1.0) == (right == 0.0, right == 1.0)
        assert bool(known.safe[cell]) == (held == 0)
        assert bool(known.mines[cell]) == (held == truth.layouts)


@pytest.mark.parametrize("seed", range(SEEDS))
def test_every_small_position_is_what_the_oracle_says(seed: int) -> None:
    random = np.random.default_rng(seed)
    for _ in range(EACH):
        faces, mines = small(random)
        hold(faces, mines, oracle.count(faces, mines))


def test_the_oracle_is_what_trying_every_layout_says() -> None:
    random = np.random.default_rng(99)
    consistent = 0
    for _ in range(250):
        faces, mines = small(random)
        if np.count_nonzero(faces >= Face.COVERED) <= 11:
            truth = oracle.every_layout(faces, mines)
            assert oracle.count(faces, mines) == truth
            consistent += truth.layouts > 0
    assert consistent > 80


@given(st.data())
def test_any_small_board(data: st.DataObject) -> None:
    """Boards made cell by cell, most of them impossible: the answer or a refusal, as is true."""
    height, width = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 5))
    face = st.sampled_from([*[Face.COVERED] * 6, Face.FLAG, Face.QUESTION, 0, 1, 1, 2, 2, 3, 4])
    cells = data.draw(st.lists(face, min_size=height * width, max_size=height * width))
    faces = np.array(cells, np.uint8).reshape(height, width)
    mines = data.draw(st.integers(0, height * width))
    hold(faces, mines, oracle.count(faces, mines))


@pytest.mark.parametrize(
    ("rows", "mines", "layouts"),
    [
        pytest.param(("###", "###"), 2, 15, id="no opened cell"),
        pytest.param(("1#", "##"), 1, 3, id="all mines on the frontier"),
        pytest.param(("0#", "##"), 0, 1, id="zero mines left, zero shown"),
        pytest.param(("##", "##"), 0, 1, id="zero mines left, nothing open"),
        pytest.param(("1#",), 1, 1, id="one cell left, a mine"),
        pytest.param(("0#",), 0, 1, id="one cell left, safe"),
        pytest.param(("#",), 1, 1, id="one cell, a mine"),
        pytest.param(("#1##1#",), 2, 4, id="two components on one row"),
        pytest.param(("##1#",), 1, 2, id="1 x n"),
        pytest.param(("#", "2", "#", "#", "1"), 3, 1, id="n x 1"),
        pytest.param(("###", "#8#", "###"), 8, 1, id="number 8"),
        pytest.param(("####", "#8##", "####"), 9, 3, id="number 8 and one more"),
        pytest.param(("00", "00"), 0, 1, id="nothing covered"),
    ],
)
def test_edges(rows: tuple[str, ...], mines: int, layouts: int) -> None:
    faces = faces_of(*rows)
    truth = oracle.every_layout(faces, mines)
    assert truth.layouts == layouts
    hold(faces, mines, truth)


def test_far_components_are_coupled_by_the_mine_count_alone() -> None:
    """At each end one mine serves two numbers, or each has its own; the mine count decides."""
    end = faces_of("#1#1##")
    faces = np.hstack([end, np.zeros((1, 200), np.uint8), end[:, ::-1]])
    shared = [mine_probability(faces, mines)[0, 2] for mines in (2, 3, 4)]
    assert shared == [1.0, 0.5, 0.0]


def test_numbers_are_right_beyond_any_float() -> None:
    """Nothing open on 200 x 200: the count is a binomial of some 10,000 digits."""
    faces = np.full((200, 200), Face.COVERED, np.uint8)
    assert count_layouts(faces, 8000) == comb(40_000, 8000)
    assert np.all(mine_probability(faces, 8000) == 0.2)
    assert np.all(mine_probability(faces, 40_000) == 1.0)
    assert np.all(mine_probability(faces, 0) == 0.0)


@pytest.mark.parametrize("seed", range(60))
def test_the_rings_agree(seed: int) -> None:
    random = np.random.default_rng(seed)
    height, width = (int(side) for side in random.integers(3, 40, 2))
    mines = int(height * width * random.uniform(0.05, 0.3))
    agree(played(random, height, width, mines, 30), mines)


def agree(faces: NDArray[np.uint8], mines: int) -> None:
    """Floats are within reach of the integers, and certain where these are."""
    position = Position.from_board(*checked_scene(faces, mines))
    known = position.possible_contents()
    exact = correctly_rounded_probabilities(position.problem)
    floats = float_probabilities(position.problem, known)
    pairs = [(exact.sea, floats.sea)]
    for row, other in zip(exact.boxes, floats.boxes, strict=True):
        pairs += zip(row, other, strict=True)
    for right, near in pairs:
        assert abs(near - right) <= REACH * right
        assert (near == 0.0, near == 1.0) == (right == 0.0, right == 1.0)


@pytest.mark.parametrize("share", [0.15, 0.2, 0.25])
def test_boards_of_200_x_200(share: float) -> None:
    random = np.random.default_rng(7)
    mines = int(40_000 * share)
    faces = played(random, 200, 200, mines, 400)
    found = mine_probability(faces, mines)
    assert abs(np.nansum(found) - mines) < REACH * mines
    agree(faces, mines)


def test_a_chain_of_20_000_cells() -> None:
    """One component from end to end: neither recursion nor floats run out."""
    random = np.random.default_rng(3)
    layout = dealt(random, 2, 5000, 3000)
    opened = np.zeros_like(layout)
    opened[0] = ~layout[0]
    faces = seen(layout, opened, np.full(layout.shape, Face.COVERED, np.uint8))
    found = mine_probability(faces, 3000)
    assert abs(np.nansum(found) - 3000) < REACH * 3000


@pytest.mark.parametrize("seed", range(40))
def test_probabilities_sum_to_the_mines(seed: int) -> None:
    random = np.random.default_rng(seed)
    faces = played(random, 16, 30, 99, 12)
    assert abs(np.nansum(mine_probability(faces, 99)) - 99) < 99 * REACH


@pytest.mark.parametrize("seed", range(15))
def test_marks_and_symmetries_change_nothing(seed: int) -> None:
    random = np.random.default_rng(seed)
    faces = scattered(random, 8, 11, 15)
    plain = np.minimum(faces, Face.COVERED)
    found = mine_probability(faces, 15)
    rounded = plain_probability(*checked_scene(plain, 15))
    assert np.array_equal(found, mine_probability(plain, 15), equal_nan=True)
    for turns in range(4):
        turned = np.rot90(plain, turns)
        answer = np.rot90(rounded, turns)
        for board, right in (
            (turned, answer),
            (turned[:, ::-1], answer[:, ::-1]),
            (turned.T, answer.T),
        ):
            same = plain_probability(*checked_scene(board, 15))
            assert np.array_equal(same, right, equal_nan=True)
            near = mine_probability(board, 15)
            np.testing.assert_allclose(near, right, rtol=REACH, atol=0)


def test_a_batch_is_its_boards() -> None:
    random = np.random.default_rng(4)
    mines = random.integers(5, 20, 12)
    scenes = np.array([played(random, 7, 9, int(number), 3) for number in mines])
    found = mine_probability_batch(scenes, mines)
    for faces, number, answer in zip(scenes, mines, found, strict=True):
        assert np.array_equal(answer, mine_probability(faces, number), equal_nan=True)
    assert mine_probability_batch(np.full((3, 2, 2), 9), 1).tolist() == [[[0.25] * 2] * 2] * 3
    assert mine_probability_batch(np.empty((0, 2, 2), np.uint8), 1).shape == (0, 2, 2)


def test_a_position_beyond_the_budget_is_refused() -> None:
    random = np.random.default_rng(5)
    layout = dealt(random, 200, 200, 8000)
    opened = ~layout & (random.random(layout.shape) < 0.3)
    faces = seen(layout, opened, np.full(layout.shape, Face.COVERED, np.uint8))
    for ask in (mine_probability, count_layouts, deduce):
        with pytest.raises(TooComplex, match="more than 50000 states"):
            ask(faces, 8000, states=50_000)


def test_where_floats_fail_integers_take_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """And where integers would take too long, the answer is a refusal."""
    faces = played(np.random.default_rng(1), 30, 40, 200, 10)
    right = mine_probability(faces, 200)

    def fail(*_: object) -> None:
        raise Underflow

    monkeypatch.setattr(probability, "float_probabilities", fail)
    found = mine_probability(faces, 200)
    assert np.all((np.abs(found - right) <= REACH * right) | np.isnan(right))
    monkeypatch.setattr(probability, "MAX_CELLS_AFTER_UNDERFLOW", 700)
    with pytest.raises(TooComplex, match=r"these \d+ cells are too uneven"):
        mine_probability(faces, 200)


@pytest.mark.parametrize("base", [0.5, 0.7501, 1.0, 1.3, 2.0**-40, 2.0**37 * 1.1])
def test_powers_are_right_to_their_last_digits(base: float) -> None:
    """Also where they are far beyond any float."""
    fractions, scales = semirings._powers_with_scales(base, 3000)
    for power in (0, 1, 2, 511, 512, 513, 1024, 2999):
        right = Fraction(base) ** power
        found = Fraction(float(fractions[power])) * Fraction(2) ** int(scales[power])
        assert abs(found / right - 1) < 1e-14


def test_floats_refuse_what_they_would_lose() -> None:
    ring = FloatPolynomials(0)
    with pytest.raises(Underflow):
        ring.checked_mass(ScaledNumber(1e-200, 0))
    assert ring.checked_mass(ScaledNumber(1e-80, 5)) == ScaledNumber(1e-80, 5)
    with pytest.raises(Underflow):
        ring.carry_weights_back(np.array([1.0, 1e-30, 1e-30]), np.array([0.0, 0.5]))


def test_the_budget_decides() -> None:
    faces = faces_of("####", "##2#", "####")
    assert mine_probability(faces, 3, states=1)[0, 0] < 0.5
    with pytest.raises(TooComplex, match="more than 0 states"):
        mine_probability(faces, 3, states=0)


def test_shares_too_small_for_floats_are_not_taken_for_proven() -> None:
    """A probability that float64 cannot tell from 0 or 1 stays on the right side of it."""
    tiny = 10**400
    assert rounded_ratio(0, tiny) == 0.0
    assert rounded_ratio(tiny, tiny) == 1.0
    assert 0.0 < rounded_ratio(1, tiny) < 1e-300
    assert 1.0 - 1e-15 < rounded_ratio(tiny - 1, tiny) < 1.0
    assert rounded_ratio(1, 3) == float(Fraction(1, 3))
