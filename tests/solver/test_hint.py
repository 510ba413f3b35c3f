"""Hints: the easiest safe cell and why, or the best guess, in both languages."""

from __future__ import annotations

import json
import pickle
import re

import numpy as np
import pytest

from demine.scene.cell_faces import Face
from demine.scene.translation import set_language
from demine.solver import hint as module
from demine.solver import judge as judgement
from demine.solver.errors import InconsistentBoard, NothingToOpen, SceneError, TooComplex
from demine.solver.exact.probability import mine_probability
from demine.solver.hint import Hint, find_hint, format_trimmed_percent, hint
from demine.solver.judge import judge
from demine.solver.player import advise
from demine.solver.player.choose_cell import best_move
from demine.solver.proof.cell_levels import levels
from tests.solver import loaded
from tests.solver.boards import played
from tests.solver.exact.test_probability import faces_of


@pytest.fixture(autouse=True)
def english() -> object:
    """Some tests set the language of the process."""
    yield
    set_language("en")


@pytest.mark.parametrize("seed", range(16))
def test_it_is_the_easiest_safe_cell_or_the_best_guess(seed: int) -> None:
    faces = played(np.random.default_rng(seed), 9, 9, 16, 5)
    found, chance = hint(faces, 16), mine_probability(faces, 16)
    assert found is not None
    assert found.risk == chance[found.row, found.col]
    assert found.safe == (found.risk == 0.0) == bool((chance == 0.0).any())
    same = np.isclose(chance, found.risk, rtol=1e-9, atol=0)
    assert found.alike == np.count_nonzero(same)
    assert found.covered == np.count_nonzero(faces >= Face.COVERED)
    if found.safe:
        assert found.reason is not None
        assert found.reason.cell == (found.row, found.col)
        level = levels(faces, 16)
        assert level[found.row, found.col] == level[chance == 0.0].min()
        where = f"Row {found.row + 1}, column {found.col + 1} is safe. "
        assert str(found) == where + str(found.reason)
    else:
        assert found.reason is None
        assert (found.row, found.col, found.risk) == best_move(faces, 16)
        assert str(found).startswith("No cell is certain")


@pytest.mark.parametrize(
    ("rows", "mines", "text"),
    [
        pytest.param(
            ("#1#",),
            1,
            "No cell is certain, and it is a 50/50: row 1, column 1 is as good a guess as any.",
            id="even chance",
        ),
        pytest.param(
            ("###", "###", "###"),
            2,
            "No cell is certain, and all risk the same, 22.2%: "
            "row 1, column 2 is as good a guess as any.",
            id="all alike",
        ),
        pytest.param(
            ("1##", "###", "###"),
            4,
            "No cell is certain; row 2, column 1 is the best guess, with 33.3% risk. "
            "2 others have the same.",
            id="some alike",
        ),
    ],
)
def test_a_guess_in_words(rows: tuple[str, ...], mines: int, text: str) -> None:
    found = hint(faces_of(*rows), mines)
    assert found is not None
    assert str(found) == text


def test_nothing_is_left_of_a_solved_board() -> None:
    for faces, mines in ((faces_of("1F"), 1), (faces_of("00"), 0)):
        assert find_hint(faces, mines) is None
        with pytest.raises(NothingToOpen, match="every safe cell is open"):
            hint(faces, mines)
        with pytest.raises(NothingToOpen, match="every safe cell is open"):
            best_move(faces, mines)


def test_a_flag_is_a_note() -> None:
    found = hint(faces_of("0F"), 0)
    assert found is not None
    assert (found.row, found.col, found.safe) == (0, 1, True)


def test_as_json() -> None:
    found = hint(faces_of("11##", "####", "####"), 2)
    assert found is not None
    assert json.loads(json.dumps(found.to_dict())) == {
        "cell": [0, 2],
        "is_safe": True,
        "pattern": "inside",
        "because": [[0, 0], [0, 1]],
        "uses_mine_count": False,
        "text": str(found),
    }
    guess = hint(faces_of("#1#"), 1)
    assert guess is not None
    assert json.loads(json.dumps(guess.to_dict())) == {
        "cell": [0, 0],
        "is_safe": False,
        "pattern": None,
        "because": [],
        "uses_mine_count": False,
        "text": str(guess),
    }


@pytest.mark.parametrize(
    ("rows", "mines"),
    [(("#1#",), 1), (("###",) * 3, 2), (("1##", "###"), 2), (("11##", "####"), 2), (("1F#",), 1)],
)
def test_in_chinese_no_english_is_left(rows: tuple[str, ...], mines: int) -> None:
    found = hint(faces_of(*rows), mines)
    assert found is not None
    set_language("zh_CN")
    assert re.search("第 [0-9] 行", str(found))
    assert not re.search("[a-z]{2}", str(found))


def test_it_travels_to_another_process() -> None:
    for rows in (("11##", "####"), ("#1#",)):
        found = hint(faces_of(*rows), 1 if len(rows) == 1 else 2)
        assert pickle.loads(pickle.dumps(found)) == found


def test_a_proof_too_long_for_words_is_a_hint_still(monkeypatch: pytest.MonkeyPatch) -> None:
    def tired(*_: object, **__: object) -> None:
        raise TooComplex("this position is too complex: it takes more than {work} steps", work=1)

    monkeypatch.setattr(module, "explain", tired)
    found = hint(faces_of("11##", "####", "####"), 2)
    assert found == Hint(0, 2, True, 0.0, None, 2, 10)
    assert str(found) == "Row 1, column 3 is safe in every possible layout."


def test_what_is_wrong_is_told() -> None:
    with pytest.raises(InconsistentBoard):
        hint(faces_of("8#"), 1)
    with pytest.raises(SceneError):
        hint(faces_of("##"), 3)
    with pytest.raises(SceneError):
        hint([[int(Face.MINE), 9]], 1)


@pytest.mark.parametrize(
    ("risk", "text"),
    [(0.0, "0%"), (1.0, "100%"), (0.5, "50%"), (0.182, "18.2%"), (1e-9, "<0.1%"), (0.1, "10%")],
)
def test_risks_in_words(risk: float, text: str) -> None:
    assert format_trimmed_percent(risk) == text


def test_more_risk_for_better_prospects(monkeypatch: pytest.MonkeyPatch) -> None:
    faces = faces_of("####", "####", "1###")
    loaded.use_player(monkeypatch, advise._interpreted)
    found = hint(faces, 4)
    assert found is not None
    assert (found.row, found.col) == (0, 2)
    assert found.lowest == pytest.approx(1 / 3)
    assert str(found) == (
        "No cell is certain; row 1, column 3 is the best guess, with 37.5% risk. "
        "The lowest risk is 33.3%, but this cell has better prospects."
    )
    set_language("zh_CN")
    assert "33.3%" in str(found)
    assert not re.search("[a-z]{2}", str(found))
    # And it is no blunder.
    set_language("en")
    monkeypatch.setattr(judgement, "BLUNDER_MARGIN", 0.01)
    assert str(judge(faces, 4, [(0, 2)])) == ("A forced guess at 37.5%: no cell was certain.")
    assert judge(faces, 4, [(0, 0)]).kind is judgement.JudgementKind.BLUNDER
    # Nor is it before the player is ready.
    loaded.use_player(monkeypatch, None)
    assert judge(faces, 4, [(0, 2)]).kind is judgement.JudgementKind.FORCED


@pytest.mark.parametrize(("near", "cell"), [(None, (3, 0)), ((0, 1), (3, 0)), ((1, 5), (3, 6))])
def test_of_equally_easy_cells_the_nearest_is_shown(
    near: tuple[int, int] | None, cell: tuple[int, int]
) -> None:
    found = hint(faces_of("0000000", "1100011", "#10001#", "#10001#"), 2, near=near)
    assert found is not None
    assert (found.row, found.col) == cell
    assert found.safe


@pytest.mark.parametrize(
    ("rows", "mines"),
    [
        pytest.param(("#1", "#1"), 1, id="the same neighbours"),
        pytest.param(("#10", "#31", "##1", "221"), 3, id="beside certain mines"),
    ],
)
def test_of_guesses_that_could_change_places_it_is_the_nearest(
    rows: tuple[str, ...], mines: int
) -> None:
    faces = faces_of(*rows)
    for near in ((0, 1), (1, 1)):
        found = hint(faces, mines, near=near)
        assert found is not None
        assert (found.row, found.col) == (near[0], 0)


def test_a_guess_that_tells_something_else_is_not_changed_for_a_nearer_one() -> None:
    for seed in range(8):
        faces = played(np.random.default_rng(seed), 9, 9, 16, 5)
        plain, near = hint(faces, 16), hint(faces, 16, near=(8, 8))
        assert plain is not None
        assert near is not None
        assert (near.risk, near.alike) == (plain.risk, plain.alike)
