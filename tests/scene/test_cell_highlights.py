"""How faces are dressed: from what is on the glass and from nothing else."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demine.scene.cell_faces import Face
from demine.scene.cell_highlights import Look, cell_looks
from demine.scene.diagram import parse_scene
from tests.logic.boards import around

P, D, C, H = Look.PLAIN, Look.DIM, Look.CROWDED, Look.PRESSED


def dressed(diagram: str, *pressed: tuple[int, int]) -> list[list[int]]:
    faces = parse_scene(diagram)[1]
    dress: list[list[int]] = cell_looks(faces, pressed).tolist()
    return dress


def test_a_number_with_its_flags_dims_and_with_more_is_crowded() -> None:
    assert dressed("4x3/2\nF 1 . .\n1 2 F 1\n# 1 F 2") == [
        [P, C, P, P],
        [D, C, P, C],
        [P, C, P, D],
    ]


def test_finished_numbers_fade_only_if_that_is_wanted() -> None:
    faces = parse_scene("4x2/2\nF 1 . .\n1 2 F 1")[1]
    assert cell_looks(faces, fade_finished=True).tolist() == [[P, C, P, P], [D, D, P, D]]
    assert cell_looks(faces, fade_finished=False).tolist() == [[P, C, P, P], [P, P, P, P]]


def test_only_flags_count() -> None:
    assert dressed("3x3/2\n# ? *\n! 1 X\n1 # .") == [[P, P, P], [P, P, P], [P, P, P]]


def test_an_eight_dims_when_all_is_flagged_around_it() -> None:
    assert dressed("3x3/8\nF F F\nF 8 F\nF F F")[1] == [P, D, P]
    assert dressed("3x3/8\nF F F\nF 8 #\nF F F")[1] == [P, P, P]


def test_a_nought_has_nothing_to_dress() -> None:
    assert dressed("3x1/1\n. F .") == [[P, P, P]]


def test_covered_cells_are_pressed_and_others_are_not() -> None:
    every = [(0, col) for col in range(9)]
    assert dressed("9x1/3\n# ? F 1 . * X ! 8", *every) == [[H, H, P, D, P, P, P, P, P]]


def test_an_empty_hand_presses_nothing() -> None:
    assert dressed("2x1/1\n# #") == [[P, P]]
    assert dressed("2x1/1\n# #", (0, 1)) == [[P, H]]


@given(st.integers(1, 6), st.integers(1, 6), st.data())
def test_looks_beside_a_slow_count(height: int, width: int, data: st.DataObject) -> None:
    size = height * width
    cells = data.draw(st.lists(st.sampled_from(Face), min_size=size, max_size=size))
    faces = np.array(cells, dtype=np.uint8).reshape(height, width)
    before = faces.copy()
    dress = cell_looks(faces)
    assert dress.dtype == np.uint8
    assert np.array_equal(faces, before)
    # A mine that blew was forgiven, unless the board shows that the game was lost by it.
    lost = {Face.MINE, Face.WRONG} & set(cells)
    found = {Face.FLAG} if lost else {Face.FLAG, Face.BLOWN}
    for row, col in np.ndindex(height, width):
        flags = sum(faces[cell] in found for cell in around(row, col, height, width))
        number = int(faces[row, col])
        expected = P
        if Face.ONE <= number <= Face.EIGHT:
            expected = D if flags == number else C if flags > number else P
        assert dress[row, col] == expected


def test_a_look_is_one_of_four() -> None:
    assert sorted(Look) == [0, 1, 2, 3]
    with pytest.raises(ValueError, match="4 is not a valid Look"):
        Look(4)
