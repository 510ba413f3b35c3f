"""Diagrams as people paste them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demine.logic.errors import RulesError, TextError
from demine.logic.game import BaseGame
from demine.logic.rules import EXPERT, Rules
from demine.scene.cell_faces import Face
from demine.scene.diagram import MineCountMissing, format_scene
from demine.scene.pasted_diagram import parse_pasted
from demine.scene.seen_position import SeenPosition
from demine.scene.sight import sight
from tests.logic.boards import games, refusal_of

CORNER = "3x3/1\n# 1 .\n1 1 .\n. . .\n"


def shown(text: str, mines: int | None = None) -> str:
    """The diagram that demine writes of what was read."""
    return format_scene(*parse_pasted(text, mines))


@pytest.mark.parametrize(
    "text",
    [
        "3x3/1\n#1.\n11.\n...\n",
        "3x3x1\nH10\n110\n000\n",
        "```\n3x3/1\n#10\n110\n000\n```\n",
        "1 mines\n# 1 .\n\n1 1 .\n\n. . .\n\n",
        "💣: 1\n🟦1️⃣0️⃣\n1️⃣1️⃣0️⃣\n0️⃣0️⃣0️⃣\n",
        ":bomb: 1\n:blue_square::one::zero:\n:one::one::zero:\n:zero::zero::zero:\n",
        "mines: 1\n＃１．\n１１．\n．．．\n",
        "3 × 3, 1 mine: 1 layout fits\n\n  1  2  3\n1 100% 1 .\n2 1 1 .\n3 . . .\n\nSafe:\n",
        "Something about it.\n3x3/1\n    1   2   3\n1 [#] (1)  .\n2 (1 1) .\n3  .   .   .\n",
        "3x3/1\n  1 2 3\n1 * 1 .\n2 1 1 .\n3 . . .\n",
        "3x3/1\n┌───────┐\n│ ▪ 1   │\n│ 1 1   │\n│       │\n└───────┘",
        "3x3/1\n▄▄▄▄▄▄▄▄\n█# 1   █\n█1 1   █\n█      █\n▀▀▀▀▀▀▀▀",
        "3x3/1\n+---+---+\n| # | 1 |   |\n+---+---+\n| 1 | 1 |   |\n|   |   |   |\n+---+---+",
        "3x3/1\n|#|1| |\n|1|1| |\n| | | |",
        "3x3/1\n-10\n110\n000",
    ],
)
def test_forms_of_one_board(text: str) -> None:
    assert shown(text) == CORNER


def test_the_count_is_told_by_the_text_or_by_hand() -> None:
    assert shown("#1.\n11.\n...", 1) == CORNER
    assert shown("3x3/2\n#1.\n11.\n...", 1) == CORNER
    assert parse_pasted("Expert: 7 layouts fit\n\n" + ruled(EXPERT))[0] == EXPERT
    with pytest.raises(MineCountMissing, match="such as 30x16/99"):
        parse_pasted("\n".join(["#" * 30] * 16))


def ruled(rules: Rules) -> str:
    """A covered board below a ruler."""
    head = " ".join(map(str, range(1, rules.width + 1)))
    rows = [f"{row + 1} " + "22% " * rules.width for row in range(rules.height)]
    return "\n".join([head, *rows])


def test_points_are_covered_where_nothing_else_is() -> None:
    assert shown("..1\n..1\n111", 1) == "3x3/1\n# # 1\n# # 1\n1 1 1\n"


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("🟦1️⃣\n1️⃣1️⃣", "# 1\n1 1"),
        # Beside a covered cell that is certain, the square is open where the numbers allow it.
        ("🟦1️⃣🚩\n🟦1️⃣🟩", ". 1 F\n. 1 #"),
        ("⬜1️⃣🟦\n⬜2️⃣🟦\n⬜2️⃣🟦\n1️⃣3️⃣🟦\n🟦🟦🟦", ". 1 #\n. 2 #\n. 2 #\n1 3 #\n# # #"),
        ("🟦1️⃣⬜\n🟦2️⃣⬜\n🟦2️⃣⬜\n1️⃣3️⃣⬜\n⬜⬜⬜", ". 1 #\n. 2 #\n. 2 #\n1 3 #\n# # #"),
    ],
)
def test_which_squares_are_covered_is_told_by_the_numbers(text: str, rows: str) -> None:
    assert shown(text, 2).partition("\n")[2] == f"{rows}\n"


def test_squares_that_may_both_be_covered_are_refused() -> None:
    with pytest.raises(TextError, match="cannot be told: write # and"):
        parse_pasted("⬜1️⃣🟦\n⬜1️⃣🟦", 1)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("3x2/1\n#1#\n#Z#", "row 2, column 2: 'Z' is not a face"),
        ("3x2/1\n# 1 #\n# 1 9", "row 2, column 3: '9' is not a face"),
        ("3x2/1\n#1#\n#\x1b#", "row 2, column 2: '\\x1b' is not a face"),
        ("3x2/1\n#1#\n##", "row 2 has 2 cells instead of 3"),
        ("3x2/1\n1 2 3\n1 # # #\n2 # #", "row 2 has 2 cells instead of 3"),
        ("3x2/1\n#1#", "the diagram has 1 rows of 3 cells, the rules 3x2/1"),
        ("3x2x1\n##\n##", "the diagram has 2 rows of 2 cells, the rules 3x2/1"),
        ("\n \n", "it is empty"),
        ("10 mines\n", "it has no rows"),
        ("1\n" * 20_000, "a diagram has at most 16384 lines of 65536 characters"),
        ("1" * 70_000, "a diagram has at most 16384 lines of 65536 characters"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(text: str, sentence: str) -> None:
    with pytest.raises(TextError) as caught:
        parse_pasted(text)
    assert str(caught.value) == sentence


@pytest.mark.parametrize("text", ["9x9/99\n#", "2x1x9\nHH", "9x9/10 nonsense\n#", "0x9/1\n#"])
def test_impossible_rules_say_why(text: str) -> None:
    with pytest.raises(RulesError):
        parse_pasted(text)


@settings(max_examples=30)
@given(games())
def test_what_demine_writes_is_read_back(game: BaseGame) -> None:
    if game.status.over:
        return
    rules, faces = parse_pasted(format_scene(game.rules, sight(game)))
    assert rules == game.rules
    assert np.array_equal(faces, sight(game))


@settings(max_examples=30)
@given(games())
def test_a_board_survives_borders_and_emoji(game: BaseGame) -> None:
    faces = sight(game)
    if game.status.over or not (faces > Face.EIGHT).any():
        return
    rows = [[f"{face}\ufe0f\u20e3" if face < 9 else "🟦🚩❓✗💥"[face - 9] for face in row]
            for row in faces.tolist()]  # fmt: skip
    text = "\n".join("".join(row) for row in rows)
    assert np.array_equal(parse_pasted(text, game.rules.mines)[1], faces)
    barred = "\n".join("|" + "|".join(row) + "|" for row in signs(faces))
    assert np.array_equal(parse_pasted(barred, game.rules.mines)[1], faces)


def signs(faces: np.ndarray) -> Iterable[list[str]]:
    return ([" 12345678#F?*X"[face] for face in row] for row in faces.tolist())


@given(
    st.text(max_size=80)
    | st.from_regex(r"[1-4]x[1-4]/[0-3]\n([#F.0-9?*X! |+🟦⬜-]{0,6}\n){0,5}", fullmatch=True)
    | st.from_regex(r"1 2 3\n(1|2|3) ([#F.%9 ()-]{0,6}\n){0,5}", fullmatch=True)
)
def test_any_text_is_a_diagram_or_a_refusal(text: str) -> None:
    if not refusal_of(lambda pasted: parse_pasted(pasted, 1), text):
        rules, faces = parse_pasted(text, 1)
        assert faces.shape == rules.shape


def test_a_position_is_its_text() -> None:
    position = SeenPosition.parse(CORNER)
    assert (position.mines, position.start) == (1, None)
    assert f"{position}\n" == CORNER
    assert position.seen_position() is position
