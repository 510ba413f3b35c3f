"""What cells are worth, held to all layouts of small boards and to known exact values."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from demine.logic.neighbours import count_around, neighbours
from demine.scene.cell_faces import Face
from demine.solver import win_chances as analysis
from demine.solver.errors import InconsistentBoard, NothingToOpen, SceneError, TooComplex
from demine.solver.player import advise
from demine.solver.player.choose_cell import best_move
from demine.solver.player.kernels import advice_tasks
from demine.solver.player.kernels.known_cells import show_number
from demine.solver.player.kernels.policy_numbers import FAST
from demine.solver.player.kernels.sample_layouts import draw_layout
from demine.solver.player.player_arrays import PlayerArrays, set_policy
from demine.solver.player.policy_error import PolicyError
from demine.solver.player.policy_table import policy_by_name
from demine.solver.win_chances import analyse
from tests.solver import loaded
from tests.solver.exact.test_probability import faces_of

Cell = tuple[int, int]
Layout = frozenset[Cell]
CORNER = ("####", "#2##", "####")
TWO = ("##1##", "#####")


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiling takes longer than all of this."""
    loaded.use_player(monkeypatch, None)
    monkeypatch.setattr(advise, "load_kernels", lambda: False)


@pytest.fixture
def sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is counted out."""
    monkeypatch.setattr(analysis, "MAX_EXACT_LAYOUTS", 0)


def all_layouts(faces: NDArray[np.uint8], mines: int) -> list[Layout]:
    """Every layout that fits, tried out."""
    covered = [(int(row), int(col)) for row, col in np.argwhere(faces >= Face.COVERED)]
    found = []
    for chosen in combinations(covered, mines):
        layout = np.zeros(faces.shape, np.bool_)
        for cell in chosen:
            layout[cell] = True
        opened = faces < Face.COVERED
        if np.array_equal(count_around(layout)[opened], faces[opened]):
            found.append(frozenset(chosen))
    return found


def best_wins(faces: NDArray[np.uint8], mines: int) -> dict[Cell, int]:
    """On how many layouts the best play wins that begins with each cell: every way is tried."""
    height, width = faces.shape
    covered = [(int(row), int(col)) for row, col in np.argwhere(faces >= Face.COVERED)]

    @cache
    def after(layouts: frozenset[Layout], opened: frozenset[Cell], cell: Cell) -> int:
        shown: dict[int, set[Layout]] = {}
        for layout in layouts:
            if cell not in layout:
                number = sum(near in layout for near in neighbours(*cell, height, width))
                shown.setdefault(number, set()).add(layout)
        return sum(best(frozenset(those), opened | {cell}) for those in shown.values())

    @cache
    def best(layouts: frozenset[Layout], opened: frozenset[Cell]) -> int:
        left = [cell for cell in covered if cell not in opened]
        if len(left) == mines:
            return len(layouts)
        return max(after(layouts, opened, cell) for cell in left)

    layouts = frozenset(all_layouts(faces, mines))
    return {cell: after(layouts, frozenset(), cell) for cell in covered}


@pytest.mark.parametrize(
    ("rows", "mines"),
    [(CORNER, 3), (TWO, 3), (("###1", "###1"), 2), (("#2#", "###", "###"), 3), (("1##", "###"), 2)],
)
def test_few_layouts_are_counted_out(rows: tuple[str, ...], mines: int) -> None:
    faces = faces_of(*rows)
    layouts = all_layouts(faces, mines)
    found = analyse(faces, mines)
    right = best_wins(faces, mines)
    assert found.exact
    assert found.decided
    assert found.cells
    for each in found.cells:
        assert each.win * len(layouts) == pytest.approx(right[each.row, each.col])
        assert each.interval == (each.win, each.win)
        risk = sum((each.row, each.col) in layout for layout in layouts) / len(layouts)
        assert each.risk == pytest.approx(risk)
    assert found.best is not None
    assert found.best.win * len(layouts) == pytest.approx(max(right.values()))
    assert [each.win for each in found.cells] == sorted(
        (each.win for each in found.cells), reverse=True
    )


def test_known_values() -> None:
    """A position of a beginner's board whose values another program has searched out."""
    board = "01110000001*11110001111*100121111100*3*100000..3321000..3**1000...321000...100000"
    wins = {
        (0, 5): 9, (1, 6): 9, (0, 6): 7, (1, 7): 7, (2, 8): 7, (0, 8): 6, (1, 8): 6, (0, 7): 5,
        (2, 7): 5, (1, 5): 4,
    }  # fmt: skip
    shown = [int(face) if face.isdigit() else Face.COVERED for face in board]
    faces = np.array(shown, np.uint8).reshape(9, 9)
    found = analyse(faces, 10)
    values = {(each.col, each.row): round(each.win * 15) for each in found.cells}
    assert values == wins


@pytest.mark.parametrize(("rows", "mines"), [(CORNER, 3), (TWO, 3), (("11#1", "####", "####"), 3)])
def test_every_layout_is_drawn_equally_often(rows: tuple[str, ...], mines: int) -> None:
    faces = faces_of(*rows)
    height, width = faces.shape
    desk = PlayerArrays()
    weighed = advice_tasks.evaluate_scene(
        height, width, mines, faces.ravel(), desk.work, desk.values
    )
    assert weighed == 0
    rims = advise.PaddedBoard(height, width)
    random = np.random.default_rng(1)
    drawn: Counter[Layout] = Counter()
    layouts = all_layouts(faces, mines)
    for _ in range(30 * len(layouts)):
        padded_mines = np.zeros(rims.cells_with_rim, np.uint8)
        dice = random.random(3 * faces.size + 1)
        draw_layout(0, dice, padded_mines, desk.work, desk.values)
        drawn[frozenset(rims.cell_at(int(at)) for at in np.flatnonzero(padded_mines))] += 1
    assert set(drawn) == set(layouts)
    chi = sum((drawn[layout] - 30) ** 2 / 30 for layout in layouts)
    # So far off is one generator in a million.
    free = len(layouts) - 1
    assert chi < free + 5 * (2 * free) ** 0.5 + 12


@pytest.mark.parametrize(("rows", "mines"), [(CORNER, 3), (TWO, 3)])
def test_playouts_come_near_to_all_games(
    rows: tuple[str, ...], mines: int, sampled: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The policy plays every cell on every layout: that is what the chances are of."""
    monkeypatch.setattr(analysis, "_DROP_AFTER_ERRORS", 1e9)
    faces = faces_of(*rows)
    layouts = all_layouts(faces, mines)
    found = analyse(faces, mines, playouts=300)
    assert not found.exact
    assert found.playouts == 300
    for each in found.cells:
        right = sum(won((each.row, each.col), faces, mines, layout) for layout in layouts)
        share = right / len(layouts)
        error = (share * (1 - share) / 300) ** 0.5
        assert abs(each.win - share) < 5 * error + 1e-9
        assert each.interval[0] <= each.win <= each.interval[1] <= 1 - each.risk


def won(cell: Cell, faces: NDArray[np.uint8], mines: int, layout: Layout) -> bool:
    """Whether the policy `fast` wins a layout that it goes on with at a cell."""
    if cell in layout:
        return False
    height, width = faces.shape
    desk, rims = PlayerArrays(), advise.PaddedBoard(height, width)
    set_policy(desk, policy_by_name("fast"))
    padded_mines = np.zeros(rims.cells_with_rim, np.uint8)
    padded_mines[[rims.padded_index(mine) for mine in layout]] = 1
    advice_tasks.begin_from_faces(height, width, mines, faces.ravel(), desk.work)
    place = rims.padded_index(cell)
    return (
        advice_tasks.is_won_if_played_on(
            place, FAST, padded_mines, desk.work, desk.values, desk.hints
        )
        == 1
    )


def test_the_same_seed_gives_the_same(sampled: None) -> None:
    first = analyse(faces_of(*CORNER), 3, playouts=40, seed=5)
    assert analyse(faces_of(*CORNER), 3, playouts=40, seed=5) == first
    assert analyse(faces_of(*CORNER), 3, playouts=40, seed=6) != first


def test_what_is_clearly_worse_is_dropped_and_the_rest_decided(sampled: None) -> None:
    """One cell is nearly safe and the other nearly a mine."""
    found = analyse(faces_of("#####", "1####"), 2, playouts=2000, cells=[(0, 0), (0, 4)])
    assert found.decided
    assert found.playouts < 2000
    assert found.best is not None
    assert (found.best.row, found.best.col) == (0, 4)


def test_it_stops_and_tells_how_far_it_is(sampled: None) -> None:
    told: list[tuple[int, int | None]] = []
    found = analyse(
        faces_of(*CORNER),
        3,
        playouts=500,
        progress=lambda done, of: told.append((done, of)),
        stop=lambda: told[-1][0] >= 4,
    )
    assert told == [(0, 500), (1, 500), (2, 500), (4, 500)]
    assert found.playouts == 4
    nothing = analyse(faces_of(*CORNER), 3, playouts=500, stop=lambda: True)
    assert nothing.cells == ()
    assert not nothing.decided
    assert str(nothing) == "Nothing tried yet."
    with pytest.raises(NothingToOpen, match="stopped before it tried a cell"):
        _ = nothing.best


def test_time_is_up(sampled: None) -> None:
    found = analyse(faces_of(*CORNER), 3, seconds=1e-9)
    assert found.playouts == 0


def test_a_safe_cell_is_worth_the_whole_position() -> None:
    found = analyse(faces_of("11##", "####", "####"), 3)
    assert len(found.cells) == 1
    assert found.best.risk == 0.0


def test_nothing_is_left() -> None:
    found = analyse(faces_of("1#"), 1)
    assert (found.cells, found.decided) == ((), True)
    assert str(found) == "Every safe cell is open."
    with pytest.raises(NothingToOpen, match="every safe cell is open"):
        _ = found.best


def test_the_advised_cell_is_among_those_tried(sampled: None) -> None:
    faces = faces_of("####", "####", "1###")
    found = analyse(faces, 4, playouts=1)
    assert (0, 2) in {(each.row, each.col) for each in found.cells}
    move = best_move(faces, 4, policy="strong")
    assert move is not None
    assert (move.row, move.col) == (0, 2)


def test_as_json() -> None:
    found = analyse(faces_of("#1#"), 1)
    assert json.loads(json.dumps(found.to_dict())) == {
        "exact": True,
        "decided": True,
        "policy": None,
        "seed": 0,
        "playouts": 0,
        "cells": [
            {
                "cell": [0, col],
                "risk": 0.5,
                "win": 0.5,
                "interval": [0.5, 0.5],
                "exact": True,
                "playouts": 0,
            }
            for col in (0, 2)
        ],
    }


def test_what_is_refused() -> None:
    with pytest.raises(PolicyError):
        analyse(faces_of("#1#"), 1, policy="logic")
    with pytest.raises(InconsistentBoard):
        analyse(faces_of("8#"), 1)
    with pytest.raises(SceneError):
        analyse(faces_of("#1#"), 1, playouts=0)
    with pytest.raises(SceneError):
        analyse(faces_of("#1#"), 1, seconds=float("nan"))
    with pytest.raises(SceneError):
        analyse(faces_of("#1#"), 1, cells=[(0, 1)])
    with pytest.raises(TooComplex):
        analyse(np.full((80, 80), Face.COVERED, np.uint8), 99)


def test_what_cannot_be_weighed_is_gone_through(sampled: None) -> None:
    """A playout never fails, whatever it comes to: here nothing can be weighed."""
    desk = PlayerArrays()
    faces = faces_of(*TWO)
    advice_tasks.begin_from_faces(2, 5, 3, faces.ravel(), desk.work)
    rims = advise.PaddedBoard(2, 5)
    # Nothing touches the number's neighbours' neighbours.
    assert rims.cell_at(advice_tasks.cell_away_from_numbers(desk.work)) == (0, 0)
    show_number(rims.padded_index((0, 0)), 0, desk.work)
    assert rims.cell_at(advice_tasks.cell_away_from_numbers(desk.work)) == (0, 4)
