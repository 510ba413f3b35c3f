"""Judgements: held to every layout there is, and said in both languages."""

from __future__ import annotations

import pickle
import re
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from demine.logic.neighbours import count_around, neighbours
from demine.scene.cell_faces import Face
from demine.scene.translation import set_language
from demine.solver.errors import InconsistentBoard, SceneError
from demine.solver.exact.probability import mine_probability
from demine.solver.judge import BLUNDER_MARGIN, Judgement, JudgementKind, judge
from tests.solver.boards import played, scattered
from tests.solver.exact.test_probability import faces_of


@pytest.fixture(autouse=True)
def english() -> object:
    """Some tests set the language of the process."""
    yield
    set_language("en")


def cells_of(chosen: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """The cells of a map."""
    return [(row, col) for row, col in np.argwhere(chosen).tolist()]


def layouts(faces: NDArray[np.uint8], mines: int) -> list[set[tuple[int, int]]]:
    """Every layout that fits, as the set of its mines."""
    covered = cells_of(faces >= Face.COVERED)
    found = []
    for chosen in combinations(covered, mines):
        mine_map = np.zeros(faces.shape, np.bool_)
        for cell in chosen:
            mine_map[cell] = True
        opened = faces < Face.COVERED
        if np.array_equal(count_around(mine_map)[opened], faces[opened]):
            found.append(set(chosen))
    return found


@pytest.mark.parametrize("seed", range(14))
def test_the_risk_is_that_of_all_layouts(seed: int) -> None:
    """One cell, two, and all around a number: the joint probability, not a product."""
    random = np.random.default_rng(seed)
    faces = (scattered, played_small)[seed % 2](random, 4, 4, 4)
    every = layouts(faces, 4)
    covered = cells_of(faces >= Face.COVERED)
    asked = [[cell] for cell in covered]
    asked += [list(map(covered.__getitem__, random.permutation(len(covered))[:2]))]
    asked += [list(map(covered.__getitem__, random.permutation(len(covered))[:4]))]
    for row, col in np.argwhere(faces < Face.COVERED).tolist():
        around = [cell for cell in neighbours(row, col, 4, 4) if cell in covered]
        asked += [around] if around else []
    certain = {cell for cell in covered if not any(cell in layout for layout in every)}
    lowest = min(Fraction(sum(cell in one for one in every), len(every)) for cell in covered)
    for cells in asked:
        bad = sum(not layout.isdisjoint(cells) for layout in every)
        risk = Fraction(bad, len(every))
        found = judge(faces, 4, cells)
        assert found.risk == pytest.approx(float(risk), rel=1e-12)
        assert (found.risk == 0.0, found.risk == 1.0) == (risk == 0, risk == 1)
        assert found.kind == kind_of(risk, lowest)
        if certain:
            assert found.best is not None
            assert found.best[:2] in certain


def played_small(
    random: np.random.Generator, height: int, width: int, mines: int
) -> NDArray[np.uint8]:
    """A board on which three safe cells were clicked."""
    return played(random, height, width, mines, 3)


def kind_of(risk: Fraction, lowest: Fraction) -> JudgementKind:
    """The kind of an act, by its definition."""
    if risk in {0, 1}:
        return JudgementKind.CERTAIN_MINE if risk else JudgementKind.PROVEN
    if lowest == 0:
        return JudgementKind.AVOIDABLE
    return (
        JudgementKind.FORCED
        if float(risk) <= float(lowest) + BLUNDER_MARGIN
        else JudgementKind.BLUNDER
    )


@pytest.mark.parametrize(
    ("rows", "mines", "cells", "kind", "text"),
    [
        pytest.param(
            ("#1#",), 1, [(0, 2)], "forced",
            "A forced guess at 50%: no cell was certain.",
            id="a coin",
        ),
        pytest.param(
            ("1##", "###"), 2, [(0, 2)], "blunder",
            "A needless 50% risk; row 2, column 1 had only 33.3%.",
            id="a bad guess",
        ),
        pytest.param(
            ("11##", "####", "####"), 2, [(0, 3)], "avoidable",
            "A needless 16.7% risk; row 1, column 3 was safe. The 1 at row 1, column 1 needs",
            id="a missed safe cell",
        ),
        pytest.param(
            ("11##", "####", "####"), 2, [(1, 2), (0, 2)], "proven",
            "Those cells were all safe. The 1 at row 1, column 1 needs",
            id="proven",
        ),
        pytest.param(
            ("11##", "####", "####"), 2, [(1, 2)], "proven",
            "That cell was certainly safe. The 1 at row 1, column 1 needs",
            id="proven alone",
        ),
        pytest.param(
            ("1#1",), 1, [(0, 1)], "certain-mine",
            "That was certainly a mine. The 1 at row 1, column 1 has just one covered cell: it "
            "is the mine.",
            id="a certain mine",
        ),
        pytest.param(
            ("1#", "##"), 1, [(0, 1), (1, 0), (1, 1)], "certain-mine",
            "Those cells could not all be safe: opening them was certain to lose. "
            "Row 1, column 2 had only 33.3%.",
            id="a chord beyond hope",
        ),
        pytest.param(
            ("2F##", "##??", "####"), 3, [(0, 1)], "blunder",
            "A needless 66.7% risk; row 1, column 4 had only 12.5%.",
            id="flags are notes",
        ),
    ],
)  # fmt: skip
def test_in_words(
    rows: tuple[str, ...], mines: int, cells: list[tuple[int, int]], kind: str, text: str
) -> None:
    found = judge(faces_of(*rows), mines, cells)
    assert found.kind == kind
    assert str(found).startswith(text)
    assert found.is_guess == (0 < found.risk < 1)
    set_language("zh_CN")
    assert re.search("[一-鿿]", str(found))
    assert not re.search("[a-z]{2}", str(found))


def test_the_reason_is_of_what_was_missed_or_opened() -> None:
    faces = faces_of("11##", "####", "####")
    missed = judge(faces, 2, [(0, 3)])
    assert missed.reason is not None
    assert missed.best == (*missed.reason.cell, 0.0)
    opened = judge(faces, 2, [(1, 2)])
    assert opened.reason is not None
    assert opened.reason.cell == (1, 2)
    mine = judge(faces_of("1#1"), 1, [(0, 1)])
    assert mine.reason is not None
    assert (mine.reason.cell, mine.reason.safe, mine.best) == ((0, 1), False, None)


def test_without_why_it_is_the_same_judgement_without_reasons() -> None:
    faces = faces_of("11##", "####", "####")
    for cell in ((0, 2), (0, 3), (1, 0)):
        full, short = judge(faces, 2, [cell]), judge(faces, 2, [cell], why=False)
        assert short.reason is None
        assert (short.kind, short.risk) == (full.kind, full.risk)
        assert short.best is not None
        assert full.best is not None
        assert short.best.risk == full.best.risk


def test_a_chord_of_an_expert_game_is_judged_at_once() -> None:
    """The whole board as one chord: no layout leaves it safe."""
    faces = played(np.random.default_rng(3), 16, 30, 99, 12)
    covered = cells_of(faces >= Face.COVERED)
    assert judge(faces, 99, covered).kind == JudgementKind.CERTAIN_MINE
    chance = mine_probability(faces, 99)
    likely = cells_of((chance > 0) & (chance < 0.25))[:2]
    risks = [chance[cell] for cell in likely]
    assert max(risks) < judge(faces, 99, likely).risk < sum(risks) + 1e-9


def test_it_travels_to_another_process() -> None:
    found = judge(faces_of("11##", "####"), 2, [(0, 3)])
    assert pickle.loads(pickle.dumps(found)) == found
    assert isinstance(found, Judgement)


@pytest.mark.parametrize(
    ("cells", "reason"),
    [([], "nothing to judge"), ([(0, 0)], "open already"), ([(0, -1)], "outside"),
     ([(0, 1), (2, 0)], "outside")],
)  # fmt: skip
def test_what_was_not_covered_is_refused(cells: list[tuple[int, int]], reason: str) -> None:
    with pytest.raises(SceneError, match=reason):
        judge(faces_of("1#", "##"), 1, cells)


def test_a_board_that_nothing_explains_is_told() -> None:
    with pytest.raises(InconsistentBoard):
        judge(faces_of("8#", "##"), 1, [(0, 1)])
