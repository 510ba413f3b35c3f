"""How hard each certain cell is to find."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from demine.scene.cell_faces import Face
from demine.solver.errors import InconsistentBoard, SceneError
from demine.solver.exact.deduce import deduce
from demine.solver.exact.parse_board import covered_neighbours_of_numbers
from demine.solver.proof.cell_levels import levels
from demine.solver.proof.polytope import EmptyPolytope, Polytope
from tests.solver.boards import Faces, dealt, played, seen, small
from tests.solver.exact.test_probability import faces_of


def turned(scene: Faces, turn: int) -> Faces:
    """One of the eight ways to lay a board down."""
    scene = np.rot90(scene, turn % 4)
    return np.ascontiguousarray(scene.T if turn >= 4 else scene)


@pytest.mark.parametrize(
    ("rows", "mines", "found"),
    [
        pytest.param(("#1", "11"), 1, ("10", "00"), id="one number"),
        pytest.param(("#1#",), 1, ("000",), id="nothing is certain"),
        pytest.param(("###", "11#", "00#"), 1, ("002", "001", "001"), id="1-1"),
        pytest.param(("####", "1221", "0000"), 2, ("2222", "0000", "0000"), id="1-2-2-1"),
        pytest.param(("#####", "11211"), 2, ("22222", "00000"), id="1-2-1"),
        pytest.param(("###", "###", "##1"), 1, ("444", "400", "400"), id="the mine count"),
        pytest.param(("###",), 0, ("444",), id="no mines"),
        pytest.param(("###",), 3, ("444",), id="all mines"),
        pytest.param(("000",), 0, ("000",), id="all open"),
    ],
)
def test_known_boards(rows: tuple[str, ...], mines: int, found: tuple[str, ...]) -> None:
    expected = np.array([[int(letter) for letter in row] for row in found])
    assert levels(faces_of(*rows), mines).tolist() == expected.tolist()


@pytest.mark.parametrize("seed", range(8))
def test_what_has_a_level_is_what_is_certain(seed: int) -> None:
    random = np.random.default_rng(seed)
    for _ in range(150):
        faces, mines = small(random)
        try:
            known = deduce(faces, mines)
        except InconsistentBoard:
            with pytest.raises(InconsistentBoard):
                levels(faces, mines)
            continue
        found = levels(faces, mines)
        assert found.dtype == np.uint8
        assert np.array_equal(found > 0, known.safe | known.mines)
        for most in range(1, 5):
            assert np.array_equal(
                levels(faces, mines, highest=most), np.where(found > most, 0, found)
            )
        turn = int(random.integers(8))
        assert np.array_equal(levels(turned(faces, turn), mines), turned(found, turn))


@pytest.mark.parametrize("seed", range(6))
def test_levels_of_played_boards(seed: int) -> None:
    random = np.random.default_rng(seed)
    faces = played(random, 16, 30, 99, int(random.integers(5, 120)))
    known, found = deduce(faces, 99), levels(faces, 99)
    assert np.array_equal(found > 0, known.safe | known.mines)
    assert np.array_equal(levels(turned(faces, seed), 99), turned(found, seed))
    easiest = found[known.safe].min(initial=6)
    # What is enough for a safe cell is not gone beyond.
    assert np.array_equal(levels(faces, 99, stop_at_safe=True), np.where(found > easiest, 0, found))


@pytest.mark.parametrize("seed", range(4))
def test_the_second_level_is_what_two_numbers_and_known_cells_say(seed: int) -> None:
    """By trying all layouts of every one and every two numbers, until nothing more is known."""
    random = np.random.default_rng(seed)
    tried = 0
    while tried < 15:
        faces = played(random, 5, 6, 7, int(random.integers(1, 8)))
        rooms = covered_neighbours_of_numbers(faces, faces >= Face.COVERED)
        tried += 1
        for size in (1, 2):
            expected = closed(faces, rooms, size)
            found = np.flatnonzero(levels(faces, 7, highest=size))
            assert set(found.tolist()) == expected


def closed(faces: Faces, rooms: dict[int, list[int]], size: int) -> set[int]:
    """The cells that so many numbers at a time, and what is known so far, make certain."""
    known: dict[int, bool] = {}
    groups = [numbers for numbers in product(rooms, repeat=size) if len(set(numbers)) == size]
    before = -1
    while before != len(known):
        before = len(known)
        for numbers in groups:
            cells = sorted({cell for number in numbers for cell in rooms[number]} - known.keys())
            if not cells:
                continue
            layouts = np.array(list(product((0, 1), repeat=len(cells))), np.uint8)
            good = np.ones(len(layouts), np.bool_)
            for number in numbers:
                fixed = sum(known.get(cell, False) for cell in rooms[number])
                columns = [index for index, cell in enumerate(cells) if cell in rooms[number]]
                good &= layouts[:, columns].sum(axis=1) + fixed == faces.flat[number]
            for cell, column in zip(cells, layouts[good].T, strict=True):
                if column.min() == column.max():
                    known[cell] = bool(column[0])
    return set(known)


def test_a_chain_of_three_numbers() -> None:
    """No two numbers say it, all together do."""
    found = levels(*first_with(3))
    assert (found == 3).any()


def test_both_cases_must_be_tried() -> None:
    assert (levels(*first_with(5)) == 5).any()


def first_with(level: int) -> tuple[Faces, int]:
    """The first of some boards with a cell of this level."""
    random = np.random.default_rng(11)
    while True:
        faces = played(random, 8, 8, 14, int(random.integers(1, 30)))
        if (levels(faces, 14) == level).any():
            return faces, 14


def test_what_adding_and_subtracting_proves() -> None:
    """Against the corners of the polytope, found by trying every halving of every cell.

    The boxes of these boards are single cells, and their numbers few: all corners are halves.
    """
    random = np.random.default_rng(3)
    for _ in range(150):
        cells, rows = int(random.integers(2, 7)), int(random.integers(1, 4))
        table = (random.random((rows, cells)) < 0.6).astype(int)
        needs = table @ (random.random(cells) < 0.5)
        halves = np.array(list(product((0, 1, 2), repeat=cells)))
        good = halves[((halves @ table.T) == 2 * needs).all(axis=1)]
        equations = [
            (np.flatnonzero(row).tolist(), int(need))
            for row, need in zip(table, needs, strict=True)
        ]
        polytope = Polytope([1] * cells, equations)
        for value in (0, 1):
            forced = polytope.forced_variables(dict.fromkeys(range(cells), bool(value)))
            assert forced == set(np.flatnonzero((good == 2 * value).all(axis=0)).tolist())
        costs = random.integers(-2, 3, cells)
        least = polytope.minimise({column: int(cost) for column, cost in enumerate(costs)})
        assert least * 2 == (good @ costs).min()


def test_equations_without_a_solution() -> None:
    with pytest.raises(EmptyPolytope):
        Polytope([1, 1], [((0, 1), 1), ((0,), 1), ((1,), 1)])
    with pytest.raises(EmptyPolytope):
        Polytope([1], [((0,), -1)])
    with pytest.raises(EmptyPolytope):
        Polytope([2], [((0,), 3)])


def test_a_large_board_in_mid_game() -> None:
    random = np.random.default_rng(2)
    faces = played(random, 60, 60, 720, 300)
    known, found = deduce(faces, 720), levels(faces, 720)
    assert np.array_equal(found > 0, known.safe | known.mines)


def test_hostile_scenes() -> None:
    with pytest.raises(SceneError):
        levels(np.zeros((2, 2)), 1)
    with pytest.raises(SceneError):
        levels(np.full((2, 2), Face.MINE, np.uint8), 1)
    with pytest.raises(InconsistentBoard):
        levels(faces_of("1#", "#3"), 1)
    with pytest.raises(InconsistentBoard):
        levels(faces_of("##1##", "#2#2#"), 9)


def test_flags_are_notes() -> None:
    random = np.random.default_rng(4)
    layout = dealt(random, 6, 6, 6)
    opened = ~layout & (random.random((6, 6)) < 0.5)
    bare = seen(layout, opened, np.full((6, 6), Face.COVERED, np.uint8))
    marked = seen(layout, opened, np.full((6, 6), Face.FLAG, np.uint8))
    assert np.array_equal(levels(bare, 6), levels(marked, 6))
