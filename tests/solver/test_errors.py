"""What the solver refuses, and which cell it names."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from demine.scene.face import Face
from demine.solver.deduce import deduce
from demine.solver.errors import InconsistentBoard, SceneError
from demine.solver.policy import best_move
from demine.solver.probability import count_layouts, mine_probability, mine_probability_batch
from tests.solver import oracle
from tests.solver.boards import scattered
from tests.solver.test_probability import faces_of

ASK = [mine_probability, count_layouts, deduce, best_move]


@pytest.mark.parametrize("ask", ASK)
@pytest.mark.parametrize(
    ("scene", "mines", "sentence"),
    [
        ([9, 9], 1, r"the shape \(height, width\), not \(2,\)"),
        (np.empty((0, 3), np.uint8), 0, r"not \(0, 3\)"),
        ([[9.0, 9.0]], 1, "whole numbers, not float64"),
        ([[True, False]], 1, "whole numbers, not bool"),
        ([["#", "#"]], 1, "whole numbers, not <U1"),
        ([[9, 15]], 1, "row 0, column 1 holds 15, which is no face"),
        ([[9], [-1]], 1, "row 1, column 0 holds -1, which is no face"),
        ([[9, 265]], 1, "row 0, column 1 holds 265, which is no face"),
        ([[9, 12]], 1, "row 0, column 1 shows MINE: this game has ended"),
        ([[13, 9]], 1, "row 0, column 0 shows BLOWN: this game has ended"),
        ([[9, 14]], 1, "row 0, column 1 shows WRONG: this game has ended"),
        ([[9, 9]], 3, "3 mines cannot lie in 2 cells"),
        ([[9, 9]], -1, "-1 mines cannot lie in 2 cells"),
        ([[9, 9]], True, "True mines cannot lie in 2 cells"),
        ([[9, 9]], 1.0, "1.0 is no number of mines"),
        ([[9, 9]], "1", "'1' is no number of mines"),
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
        ([[[9, 9]]], [1, 1], "one for each of the 1"),
        ([[[9, 9]]], 0.5, "one whole number"),
        ([[[9, 9]], [[9, 12]]], 1, "column 1 shows MINE"),
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
        (("1",), 0, (0, 0), "the 1 at row 0, column 0 cannot be satisfied"),
        (("2#",), 1, (0, 0), "the 2 at row 0, column 0"),
        (("1#2",), 1, (0, 2), "the 2 at row 0, column 2"),
        (("###", "#1#", "###"), 2, None, "no layout with 2 mines fits .* allow 1"),
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
