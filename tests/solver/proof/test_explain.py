"""Why a cell is safe or a mine: proofs are held to lists of layouts, words to a table."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from demine.logic.neighbours import neighbours
from demine.scene.cell_faces import Face
from demine.scene.translation import set_language
from demine.solver.errors import InconsistentBoard, NothingCertain, SceneError, TooComplex
from demine.solver.exact.deduce import deduce
from demine.solver.proof.cell_levels import levels
from demine.solver.proof.difficulty_levels import Pattern
from demine.solver.proof.explain import Reason, explain
from tests.solver.boards import Faces, dealt, played, seen, small
from tests.solver.exact.test_probability import faces_of

Cell = tuple[int, int]


def certain_by(faces: Faces, numbers: Iterable[Cell], cell: Cell, mines: int | None) -> bool:
    """Whether every layout that satisfies just these numbers has the cell alike.

    One number after the other throws out the layouts that break it. `mines` is the mine count, or
    None if it does not count.
    """
    height, width = faces.shape
    place: dict[Cell, int] = {}
    rows = np.zeros(1, np.uint64)
    for row, col in numbers:
        mask = 0
        for near in neighbours(row, col, height, width):
            if faces[near] >= Face.COVERED:
                if near not in place:
                    place[near] = len(place)
                    rows = np.concatenate([rows, rows | np.uint64(1 << place[near])])
                mask |= 1 << place[near]
        rows = rows[np.bitwise_count(rows & np.uint64(mask)) == faces[row, col]]
    sea = int(np.count_nonzero(faces >= Face.COVERED)) - len(place)
    if mines is None:
        left = np.zeros(len(rows), np.int64)
        sea = 2
    else:
        left = mines - np.bitwise_count(rows).astype(np.int64)
    fits = (left >= 0) & (left <= sea)
    assert fits.any()
    if cell in place:
        ones = (rows[fits] & np.uint64(1 << place[cell])) != 0
        return bool(ones.all() or not ones.any())
    if mines is None:
        return False
    return bool((left[fits] == 0).all() or (left[fits] == sea).all())


def opened_cells(faces: Faces) -> list[Cell]:
    return [(row, col) for row, col in np.argwhere(faces <= Face.EIGHT).tolist()]


def assert_smallest_of_its_kind(faces: Faces, mines: int, reason: Reason) -> None:
    """All numbers prove it, and no number and no mine count can be dropped."""
    count = mines if reason.uses_mine_count else None
    because = reason.because
    assert len(set(because)) == len(because)
    assert certain_by(faces, because, reason.cell, count)
    for dropped in because:
        rest = [number for number in because if number != dropped]
        assert not certain_by(faces, rest, reason.cell, count)
    if reason.uses_mine_count:
        everything = opened_cells(faces)
        assert not certain_by(faces, everything, reason.cell, None)


def positions(seed: int, tries: int) -> Iterator[tuple[Faces, int]]:
    """Small boards that are not contradictory and have something certain."""
    random = np.random.default_rng(seed)
    for _ in range(tries):
        faces, mines = small(random)
        try:
            known = deduce(faces, mines)
        except InconsistentBoard:
            continue
        if (known.safe | known.mines).any():
            yield faces, mines


@pytest.mark.parametrize("seed", range(10))
def test_no_number_of_a_proof_can_be_dropped(seed: int) -> None:
    random = np.random.default_rng(seed)
    for faces, mines in positions(seed, 300):
        known = deduce(faces, mines)
        cells = np.argwhere(known.safe | known.mines)
        row, col = map(int, cells[random.integers(len(cells))])
        reason = explain(faces, mines, (row, col))
        assert reason.cell == (row, col)
        assert reason.safe == known.safe[row, col]
        assert_smallest_of_its_kind(faces, mines, reason)
        assert str(reason)


@pytest.mark.parametrize("seed", range(3))
def test_there_is_no_smaller_proof(seed: int) -> None:
    """Against all sets of numbers, smaller ones first."""
    random = np.random.default_rng(seed + 50)
    tried = 0
    while tried < 15:
        faces = played(random, 6, 6, 8, int(random.integers(1, 12)))
        known = deduce(faces, 8)
        opened = opened_cells(faces)
        cells = np.argwhere(known.safe | known.mines).tolist()
        if not cells:
            continue
        row, col = cells[int(random.integers(len(cells)))]
        reason = explain(faces, 8, (row, col))
        if reason.uses_mine_count or len(reason.because) > 4:
            continue
        tried += 1
        near = [cell for cell in opened if max(abs(cell[0] - row), abs(cell[1] - col)) <= 5]
        for size in range(1, len(reason.because)):
            assert not any(
                certain_by(faces, some, (row, col), None) for some in combinations(near, size)
            )


@pytest.mark.parametrize("seed", range(6))
def test_an_expert_board_in_mid_game(seed: int) -> None:
    random = np.random.default_rng(seed)
    faces = played(random, 16, 30, 99, int(random.integers(5, 120)))
    known, found = deduce(faces, 99), levels(faces, 99)
    cells = np.argwhere(known.safe | known.mines)
    for row, col in random.permutation(cells)[:12].tolist():
        reason = explain(faces, 99, (row, col))
        assert reason.safe == known.safe[row, col]
        # Fewer numbers may ask for a harder step, never for an easier one than there is.
        assert reason.pattern.level >= found[row, col]
        if len(reason.because) <= 6:
            assert_smallest_of_its_kind(faces, 99, reason)


@pytest.mark.parametrize(
    ("rows", "mines", "cell", "pattern", "because"),
    [
        pytest.param(("0#",), 0, (0, 1), "satisfied", [(0, 0)], id="a blank"),
        pytest.param(("#2#",), 2, (0, 0), "satisfied", [(0, 1)], id="all are mines"),
        pytest.param(
            ("#1#", "11#"), 1, (0, 2), "satisfied", [(0, 1), (1, 0)], id="it has its mine"
        ),
        pytest.param(("###", "11#", "00#"), 1, (0, 2), "inside", [(1, 0), (1, 1)], id="1-1"),
        pytest.param(("####", "1221"), 2, (0, 2), "inside", [(1, 0), (1, 1)], id="1-2"),
        pytest.param(("#####", "11211"), 2, (0, 2), "inside", [(1, 0), (1, 1)], id="1-2-1"),
        pytest.param(("12##", "###1"), 2, (0, 3), "chain", [(0, 0), (0, 1), (1, 3)], id="chain"),
        pytest.param(
            ("####", "12#2"), 3, (0, 3), "chain", [(1, 0), (1, 1), (1, 3)], id="chain to a mine"
        ),
        pytest.param(
            ("1#1#", "####", "#1##"), 2, (1, 2), "cases", [(0, 0), (0, 2), (2, 1)], id="cases"
        ),
        pytest.param(
            ("#3#", "2##", "##2", "###"),
            5,
            (0, 2),
            "cases",
            [(0, 1), (1, 0), (2, 2)],
            id="cases and the mine count",
        ),
        pytest.param(("###", "###", "##1"), 1, (0, 0), "count", [(2, 2)], id="the mine count"),
        pytest.param(("###",), 0, (0, 1), "count", [], id="no mines"),
        pytest.param(("###",), 3, (0, 1), "count", [], id="only mines"),
    ],
)
def test_patterns_have_their_names(
    rows: tuple[str, ...], mines: int, cell: Cell, pattern: str, because: list[Cell]
) -> None:
    reason = explain(faces_of(*rows), mines, cell)
    assert reason.pattern == pattern
    assert list(reason.because) == because


SENTENCES = json.loads((Path(__file__).parents[1] / "reasons.json").read_text(encoding="utf-8"))


@pytest.fixture
def english() -> Iterator[None]:
    set_language("en")
    yield
    set_language("en")


@pytest.mark.parametrize("said", SENTENCES)
def test_the_reason_in_words(said: dict[str, Any], english: None) -> None:
    row, col = said["cell"]
    reason = explain(faces_of(*said["rows"]), said["mines"], (row, col))
    assert str(reason) == said["en"]
    # The reason is the same one in every language, whenever it is said.
    set_language("zh_CN")
    assert str(reason) == said["zh_CN"]


def test_what_to_look_at() -> None:
    reason = explain(faces_of("###", "11#", "00#"), 1, (0, 2))
    assert reason.cells == ((0, 0), (0, 1), (0, 2), (1, 2), (2, 2))
    assert explain(faces_of("###"), 0, (0, 1)).cells == ((0, 1),)


@pytest.mark.parametrize("seed", range(4))
def test_without_a_cell_it_is_the_easiest(seed: int) -> None:
    for faces, mines in positions(seed + 20, 60):
        known, found = deduce(faces, mines), levels(faces, mines)
        reason = explain(faces, mines)
        assert reason.safe == known.safe.any()
        mine = known.safe if reason.safe else known.mines
        assert mine[reason.cell]
        assert found[reason.cell] == found[mine].min()


def test_nothing_is_certain() -> None:
    faces = faces_of("#1#")
    with pytest.raises(NothingCertain, match="row 1, column 3 may be a mine or safe"):
        explain(faces, 1, (0, 2))
    with pytest.raises(NothingCertain, match="no covered cell is certain"):
        explain(faces, 1)
    with pytest.raises(NothingCertain):
        explain(faces_of("000"), 0)


@pytest.mark.parametrize(
    ("cell", "sentence"),
    [
        ((0, 1), "row 1, column 2 is open already"),
        ((0, 3), "row 1, column 4 is outside the 3x1 board"),
        ((-1, 0), "row 0, column 1 is outside the 3x1 board"),
        (7, "a cell is a row and a column, not 7"),
        ((0, 1, 2), "a cell is a row and a column"),
        (("0", 1), "a cell is a row and a column"),
        ((0.0, 1), "a cell is a row and a column"),
    ],
)
def test_no_covered_cell(cell: Cell, sentence: str) -> None:
    with pytest.raises(SceneError, match=sentence):
        explain(faces_of("#1#"), 1, cell)


def test_hostile_scenes() -> None:
    with pytest.raises(SceneError):
        explain(np.zeros((2, 2)), 1)
    with pytest.raises(InconsistentBoard):
        explain(faces_of("#3", "##"), 1, (0, 0))
    with pytest.raises(InconsistentBoard):
        explain(faces_of("#3"), 1)
    with pytest.raises(TooComplex):
        explain(faces_of("#####", "12#21"), 3, (0, 0), states=1)


def test_a_large_board() -> None:
    random = np.random.default_rng(1)
    faces = played(random, 80, 80, 1280, 700)
    known = deduce(faces, 1280)
    cells = np.argwhere(known.safe)
    for row, col in cells[:: len(cells) // 5].tolist():
        reason = explain(faces, 1280, (row, col))
        assert reason.safe
        assert not reason.uses_mine_count


def walled_in(height: int, width: int, mines: int) -> Faces:
    """All is open but the mines, and one safe cell in the middle of eight of them."""
    layout = dealt(np.random.default_rng(2), height, width, mines)
    row, col = height // 2, width // 2
    layout[row - 1 : row + 2, col - 1 : col + 2] = True
    layout[row, col] = False
    opened = ~layout
    opened[row, col] = False
    return seen(layout, opened, np.full(layout.shape, Face.COVERED, np.uint8))


@pytest.mark.parametrize(("height", "width", "dealt_mines"), [(9, 9, 10), (16, 16, 40)])
def test_the_last_cell_among_mines(height: int, width: int, dealt_mines: int) -> None:
    """Only the mine count tells, and every mine of the board must be accounted for."""
    faces = walled_in(height, width, dealt_mines)
    mines = int(np.count_nonzero(faces == Face.COVERED)) - 1
    reason = explain(faces, mines, (height // 2, width // 2))
    assert reason.pattern is Pattern.COUNT
    assert reason.safe
    assert reason.uses_mine_count
    assert sum(int(faces[number]) for number in reason.because) >= mines


def test_a_proof_of_thousands_of_numbers_is_refused() -> None:
    faces = walled_in(100, 100, 1800)
    mines = int(np.count_nonzero(faces == Face.COVERED)) - 1
    with pytest.raises(TooComplex):
        explain(faces, mines, (50, 50))


def test_a_corridor_as_long_as_the_board() -> None:
    """Each number needs the one before: nothing can be dropped."""
    faces = np.full((1, 200), Face.COVERED, np.uint8)
    faces[0, ::2] = Face.ONE
    reason = explain(faces, 50, (0, 199))
    assert reason.safe
    assert reason.pattern is Pattern.SATISFIED
    assert len(reason.because) == 100
