"""What the solver refuses, and which cell it names."""

from __future__ import annotations

import cProfile
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from demine.boards import make
from demine.logic.errors import LayoutError
from demine.logic.rules import BEGINNER
from demine.scene.cell_faces import Face
from demine.solver.errors import InconsistentBoard, SceneError, TooComplex
from demine.solver.exact import combine_components, ordered_components, probability, semirings
from demine.solver.exact.deduce import deduce
from demine.solver.exact.parse_board import parse_board
from demine.solver.exact.probability import count_layouts, mine_probability, mine_probability_batch
from demine.solver.hint import hint
from demine.solver.judge import judge
from demine.solver.player.choose_cell import best_move
from demine.solver.proof.cell_levels import levels
from demine.solver.proof.explain import explain
from demine.solver.proof.rating import prove_step_by_step, rate
from tests.solver import oracle
from tests.solver.boards import Faces, played, scattered
from tests.solver.exact.test_probability import faces_of

ASK = [mine_probability, count_layouts, deduce, best_move]


@pytest.mark.parametrize("ask", ASK)
@pytest.mark.parametrize(
    ("scene", "mines", "sentence"),
    [
        ([[9, 9], [9]], 1, "all its rows of the same length"),
        ([9, 9], 1, r"the shape \(height, width\), not \(2,\)"),
        (np.empty((0, 3), np.uint8), 0, r"not \(0, 3\)"),
        ([[9.0, 9.0]], 1, "whole numbers, not float64"),
        ([[True, False]], 1, "whole numbers, not bool"),
        ([["#", "#"]], 1, "whole numbers, not <U1"),
        ([[9, 15]], 1, "row 1, column 2 holds 15, which is not a face"),
        ([[9], [-1]], 1, "row 2, column 1 holds -1, which is not a face"),
        ([[9, 265]], 1, "row 1, column 2 holds 265, which is not a face"),
        ([[9, 12]], 1, "row 1, column 2 shows MINE: this game has ended"),
        ([[9, 14]], 1, "row 1, column 2 shows WRONG: this game has ended"),
        ([[9, 9]], 3, "3 mines cannot lie in 2 cells"),
        ([[9, 9]], -1, "-1 mines cannot lie in 2 cells"),
        ([[9, 9]], True, "True mines cannot lie in 2 cells"),
        ([[9, 9]], 1.0, "1.0 is not a number of mines"),
        ([[9, 9]], "1", "'1' is not a number of mines"),
    ],
)
def test_malformed_input_is_refused(ask: Any, scene: Any, mines: Any, sentence: str) -> None:
    with pytest.raises(SceneError, match=sentence) as caught:
        ask(scene, mines)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize("mines", [np.int64(1), np.uint8(1), np.array(1)])
def test_any_whole_number_counts_mines(mines: Any) -> None:
    assert count_layouts([[9, 9]], mines) == 2


@pytest.mark.parametrize(
    ("scenes", "mines", "sentence"),
    [
        ([[9, 9]], 1, "not \\(1, 2\\)"),
        ([[[9, 9], [9]]], 1, "all its rows of the same length"),
        ([[[9, 9]]], [1, 1], "one for each of the 1"),
        ([[[9, 9]]], 0.5, "one whole number"),
        ([[[9, 9]], [[9, 12]]], 1, "column 2 shows MINE"),
    ],
)
def test_malformed_batches_are_refused(scenes: Any, mines: Any, sentence: str) -> None:
    with pytest.raises(SceneError, match=sentence):
        mine_probability_batch(scenes, mines)


def test_a_batch_says_which_board_is_wrong() -> None:
    with pytest.raises(InconsistentBoard) as caught:
        mine_probability_batch([[[1, 9]], [[2, 9]]], 1)
    assert caught.value.__notes__ == ["board 1"]


@pytest.mark.parametrize(
    ("rows", "mines", "cell", "sentence"),
    [
        (("1",), 0, (0, 0), "the 1 at row 1, column 1 cannot be satisfied"),
        (("2#",), 1, (0, 0), "the 2 at row 1, column 1"),
        (("1#2",), 1, (0, 2), "the 2 at row 1, column 3"),
        (("###", "#1#", "###"), 2, None, "no layout with 2 mines fits .* allow 1"),
        (("#2#",), 1, None, "no layout with one mine fits .* allow 2"),
        (("##1##", "#####"), 9, None, "no layout with 9 mines fits .* allow 1-5"),
        (("#1##1#",), 3, None, "allow 2"),
        (("0#", "0#"), 1, None, "allow 0"),
    ],
)
def test_a_contradiction_is_named(
    rows: tuple[str, ...], mines: int, cell: tuple[int, int] | None, sentence: str
) -> None:
    for ask in ASK:
        with pytest.raises(InconsistentBoard, match=sentence) as caught:
            ask(faces_of(*rows), mines)
        assert caught.value.cell == cell


def test_allowed_counts_may_have_gaps() -> None:
    """One mine may serve three numbers, or each has its own."""
    faces = faces_of("2##", "3#3", "##2", "1##")
    free = [mines for mines in range(13) if oracle.count(faces, mines).layouts]
    assert len(free) == 2
    assert free[1] - free[0] == 2
    with pytest.raises(InconsistentBoard, match=f"which allow {free[0]}, {free[1]}"):
        count_layouts(faces, free[0] + 1)


@pytest.mark.parametrize("seed", range(40))
def test_the_named_number_disagrees_with_others_that_agree(seed: int) -> None:
    """There are numbers that can be satisfied together, but not with the one that is named."""
    random = np.random.default_rng(seed)
    for _ in range(8):
        faces = forged(random)
        masks = oracle.agreeing(faces)
        opened = np.argwhere(faces < Face.COVERED).tolist()
        if masks[-1] == (1 << len(opened)) - 1:
            continue
        with pytest.raises(InconsistentBoard) as caught:
            mine_probability(faces, 3)
        assert caught.value.cell is not None
        named = 1 << opened.index(list(caught.value.cell))
        assert any(all(mask | named | other != other for other in masks) for mask in masks)


def forged(random: np.random.Generator) -> NDArray[np.uint8]:
    """A board on which two numbers may be wrong, with few covered cells."""
    while True:
        faces = scattered(random, int(random.integers(2, 5)), int(random.integers(2, 6)), 3)
        opened = np.argwhere(faces < Face.COVERED)
        if 1 <= np.count_nonzero(faces >= Face.COVERED) <= 8 and opened.size:
            for row, col in random.choice(opened, 2):
                faces[row, col] = random.integers(0, 5)
            return faces


@pytest.mark.parametrize("cell", [5, (0.0, 2.0), ("a", "b"), (0, 2, 1), (float("nan"), 0), ()])
def test_what_is_no_cell_is_refused(cell: Any) -> None:
    scene = faces_of("####", "11##", "####")
    cells: Any
    for cells in ([cell], cell or None):
        with pytest.raises(SceneError, match="a cell is a row and a column"):
            judge(scene, 2, cells)
    with pytest.raises(SceneError, match="a cell is a row and a column"):
        explain(scene, 2, cell)
    for ask in (rate, prove_step_by_step):
        with pytest.raises(LayoutError, match="a cell is a row and a column"):
            ask([[False, True]], cell)
    with pytest.raises(LayoutError, match="a cell is a row and a column"):
        make(BEGINNER, 1, cell)


def lattice(side: int, number: int) -> Faces:
    """Numbers in every second row and column: all cells hang together."""
    faces = np.full((side, side), Face.COVERED, np.uint8)
    faces[1::2, 1::2] = number
    return faces


@pytest.mark.parametrize("ask", [*ASK, levels, hint])
def test_a_lattice_over_a_whole_board_is_refused(ask: Any) -> None:
    with pytest.raises(TooComplex, match="more than 200000 states"):
        ask(lattice(101, 3), 2500)


def test_the_order_of_a_wide_frontier_takes_a_look_at_each_neighbour() -> None:
    """Four times the boxes are about four times the work, however wide the frontier is."""

    def calls(side: int) -> int:
        boxes = parse_board(lattice(side, 3), 1000).boxes
        beside = ordered_components._boxes_beside_numbers(boxes)
        profile = cProfile.Profile(builtins=True)
        profile.runcall(ordered_components._greedy_order, boxes, beside, 0)
        return sum(entry.callcount for entry in profile.getstats())

    assert calls(81) < 5 * calls(41)


def test_equal_components_are_solved_once_and_counted_each() -> None:
    """20,000 strips, each with one mine in either of two cells."""
    faces = np.tile(np.array([9, 1, 9], np.uint8), 20_000)[None]
    assert count_layouts(faces, 20_000) == 2**20_000
    assert np.all(mine_probability(faces, 20_000)[faces == 9] == 0.5)
    with pytest.raises(InconsistentBoard, match="which allow 20000"):
        mine_probability(faces, 20_001)


def test_counts_of_too_many_digits_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything long is multiplied; the probabilities are there all the same."""
    faces, mines = played(np.random.default_rng(3), 30, 30, 200, 5), 200
    assert count_layouts(faces, mines) > 10**20
    for limit in ("MAX_PRODUCT_BITS", "MAX_INTEGER_BITS"):
        with monkeypatch.context() as patch:
            patch.setattr(combine_components, limit, 0)
            with pytest.raises(TooComplex, match="too many digits"):
                count_layouts(faces, mines)
    monkeypatch.setattr(probability, "MAX_CELLS_FOR_INTEGERS", 0)
    monkeypatch.setattr(combine_components, "MAX_PRODUCT_BITS", 0)
    assert abs(np.nansum(mine_probability(faces, mines)) - mines) < 1e-9


def test_long_products_are_the_same_by_decimals() -> None:
    random = Random(1)
    left = [random.getrandbits(900) for _ in range(40)]
    right = [random.getrandbits(3000) * (n % 3 > 0) for n in range(31)]
    width = 4000
    assert semirings._decimal_product(left, right, width) == semirings.IntegerPolynomials.convolve(
        left, right
    )
