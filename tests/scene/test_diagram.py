"""Diagrams: a scene as text and back."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demine.logic.errors import RulesError, TextError
from demine.logic.game import BaseGame
from demine.logic.rules import Rules
from demine.scene.cell_faces import Face
from demine.scene.diagram import FACE_LETTERS, MineCountMissing, format_scene, parse_scene
from demine.scene.sight import sight
from tests.logic.boards import all_rules, games, refusal_of

DIAGRAM = """\
5x3/4
. 1 2 # F
? * X ! 8
3 4 5 6 7
"""
FACES = [[0, 1, 2, 9, 10], [11, 12, 13, 14, 8], [3, 4, 5, 6, 7]]


def test_every_face_has_a_letter() -> None:
    rules, faces = parse_scene(DIAGRAM)
    assert rules == Rules(5, 3, 4)
    assert faces.dtype == np.uint8
    assert faces.tolist() == FACES
    assert format_scene(rules, faces) == DIAGRAM
    assert len(FACE_LETTERS) == len(Face) == len(set(FACE_LETTERS))
    assert sorted(faces.ravel().tolist()) == sorted(Face)


def test_a_zero_is_a_dot_or_a_nought_and_spaces_do_not_count() -> None:
    assert parse_scene("\n 3X2/1 \r\n0.#\r\n F\t ?8 \n\n")[1].tolist() == [[0, 0, 9], [10, 11, 8]]


@given(all_rules(12), st.data())
def test_diagrams_parse_back(rules: Rules, data: st.DataObject) -> None:
    cells = data.draw(st.lists(st.sampled_from(Face), min_size=rules.cells, max_size=rules.cells))
    faces = np.array(cells, dtype=np.uint8).reshape(rules.shape)
    text = format_scene(rules, faces)
    found_rules, found = parse_scene(text)
    assert found_rules == rules
    assert np.array_equal(found, faces)
    head, _, rows = text.partition("\n")
    assert np.array_equal(parse_scene(f"{head}\n{rows.replace(' ', '')}")[1], faces)
    assert format_scene(rules, faces.tolist()) == text


@given(games())
def test_games_as_diagrams(game: BaseGame) -> None:
    rules, faces = parse_scene(format_scene(game.rules, sight(game)))
    assert rules == game.rules
    assert np.array_equal(faces, sight(game))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("2x2/1\n##", "the diagram has 1 rows, the rules 2x2/1"),
        ("2x2/1\n##\n##\n##", "the diagram has 3 rows, the rules 2x2/1"),
        ("2x2/1\n##\n###", "line 3 has 3 cells, the rules 2x2/1"),
        ("2x2/1\n##\n#9", "line 3: '9' is not a face"),
        ("2x2/1\n#f\n##", "line 2: 'f' is not a face"),
        ("2x2/1\n#٣\n##", "line 2: '٣' is not a face"),
        ("2x2/1\n#\x00\n##", "line 2: '\\x00' is not a face"),
        ("8192x8192/1\n#", "the diagram has 1 rows, the rules 8192x8192/1"),
    ],
)
def test_diagrams_that_are_none(text: str, sentence: str) -> None:
    with pytest.raises(TextError) as caught:
        parse_scene(text)
    assert str(caught.value) == sentence


@pytest.mark.parametrize("text", ["", "\n", "2x2\n##\n##", "bgeinner\n##"])
def test_a_diagram_begins_with_its_rules(text: str) -> None:
    with pytest.raises(RulesError):
        parse_scene(text)


def test_rows_alone_take_their_mine_count_as_everywhere() -> None:
    rows = "1 # #\n1 # #"
    rules, faces = parse_scene(rows, 1)
    assert rules == Rules(3, 2, 1)
    assert faces.tolist() == [[1, 9, 9], [1, 9, 9]]
    assert parse_scene(f"3x2/2 goal=flag\n{rows}", mines=1)[0] == Rules(3, 2, 1, goal="flag")
    with pytest.raises(MineCountMissing, match=r"how many mines there are: .* such as 3x2/1"):
        parse_scene(rows)
    with pytest.raises(TextError, match="line 2: 'Z' is not a face"):
        parse_scene("1 #\n1 Z", 1)
    with pytest.raises(RulesError):
        parse_scene(rows, 7)


@given(
    st.text(max_size=60)
    | st.from_regex(r"[1-3]x[1-3]/[0-2]\n([#F.0-9?*X! ]{0,4}\n){0,4}", fullmatch=True)
)
def test_any_text_is_a_diagram_or_a_refusal(text: str) -> None:
    if not refusal_of(parse_scene, text):
        rules, faces = parse_scene(text)
        assert np.array_equal(parse_scene(format_scene(rules, faces))[1], faces)


@pytest.mark.parametrize(
    ("scene", "sentence"),
    [
        (np.zeros((5, 3), np.uint8), "the scene has shape (5, 3), but the rules 5x3/4 need (3, 5)"),
        (np.zeros(15, np.uint8), "the scene has shape (15,), but the rules 5x3/4 need (3, 5)"),
        (np.full((3, 5), 15), "a scene holds faces from 0 to 14"),
        (np.full((3, 5), -1), "a scene holds faces from 0 to 14"),
        (np.zeros((3, 5)), "a scene holds faces from 0 to 14"),
        (np.zeros((3, 5), np.bool_), "a scene holds faces from 0 to 14"),
    ],
    ids=str,
)
def test_scenes_that_are_none(scene: np.ndarray, sentence: str) -> None:
    with pytest.raises(TextError) as caught:
        format_scene(Rules(5, 3, 4), scene)
    assert str(caught.value) == sentence
