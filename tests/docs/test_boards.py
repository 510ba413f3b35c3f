"""The boards of the lessons: what each claims is what the solver says, and what is so."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from demine.scene.cell_faces import Face
from demine.scene.overlay import Mark
from demine.scene.themes import THEMES
from demine.scene.translation import set_language
from demine.solver.proof.difficulty_levels import Pattern
from scripts.handbook.boards import GUESS, PICTURE, ClaimError, LessonBoard
from tests.docs.pages import DOCS, name
from tests.solver import oracle

FENCE = re.compile(r"^```\{board\} (\w+)\n((?::[^\n]*\n)*)(.*?)^```$", re.DOTALL | re.MULTILINE)


def boards(page: Path) -> list[LessonBoard]:
    """The boards of a page."""
    found = []
    for kind, options, text in FENCE.findall(page.read_text("utf-8")):
        why = re.search(r"^:why: (.*)$", options, re.MULTILINE)
        found.append(LessonBoard.parse(text, kind, why[1] if why else "", risk=":risk:" in options))
    return found


LESSONS = [page for page in sorted(DOCS.rglob("*.md")) if boards(page)]
EVERY = [
    pytest.param(board, id=f"{name(page)}-{number}")
    for page in LESSONS
    for number, board in enumerate(boards(page))
]


def test_there_is_a_lesson_for_every_pattern() -> None:
    kinds = {board.kind for page in LESSONS for board in boards(page)}
    assert kinds == {*(pattern.value for pattern in Pattern), GUESS, PICTURE}


@pytest.mark.parametrize("board", EVERY)
def test_the_solver_says_what_a_board_claims(board: LessonBoard) -> None:
    board.check_claims()


@pytest.mark.parametrize("board", EVERY)
def test_counting_every_layout_finds_the_same(board: LessonBoard) -> None:
    """By the program of the solver's own tests, which shares nothing with the solver."""
    covered = np.argwhere(board.scene >= Face.COVERED)
    if board.kind == PICTURE or len(covered) > 60:
        return
    truth = oracle.count(board.scene, board.rules.mines)
    known = board.mines | (board.scene == Face.FLAG)
    for row, col in covered:
        share = truth.share((int(row), int(col)))
        assert (share == 0) == board.safe[row, col]
        assert (share == 1) == known[row, col]


@pytest.mark.parametrize("page", [p for p in LESSONS if p.parent.name == "tutorial"], ids=name)
def test_a_reason_shows_the_step_of_its_lesson(page: Path) -> None:
    for board in boards(page):
        reason = board.reason()
        if board.kind not in {GUESS, PICTURE}:
            assert reason is not None
            assert reason.pattern == board.kind


def test_lessons_go_from_easy_to_hard() -> None:
    order = ("numbers", "patterns", "chains", "counting")
    levels = [
        Pattern(board.kind).level
        for lesson in order
        for board in boards(DOCS / "tutorial" / f"{lesson}.md")
        if board.kind not in {GUESS, PICTURE}
    ]
    assert levels == sorted(levels)


def test_both_languages_show_the_same_boards() -> None:
    for page in LESSONS:
        if not page.is_relative_to(DOCS / "zh"):
            twin = DOCS / "zh" / page.relative_to(DOCS)
            assert FENCE.findall(page.read_text("utf-8")) == FENCE.findall(twin.read_text("utf-8"))


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("inside", "5x3/2\n# # # # #\n1 1 1 1 1\n. . . . ."),  # the third cell is certain
        ("satisfied", "5x3/2\nm s s s m\n1 1 1 1 1\n. . . . ."),  # not by single numbers
        ("inside", "5x3/2\ns m s s m\n1 1 1 1 1\n. . . . ."),  # wrong
        ("guess", "5x3/2\n# # # # #\n1 1 1 1 1\n. . . . ."),  # no guess is needed
        ("picture", "5x3/2\n# # s # #\n1 1 1 1 1\n. . . . ."),  # a picture claims nothing
        ("picture", "5x3/2\n. # # # #\n1 1 1 1 1\n. . . . ."),  # an opening would have gone on
        ("insight", "5x3/2\n# # # # #\n1 1 1 1 1\n. . . . ."),  # no such kind
        ("inside", "5x3/2\n##s##\n11111\n....."),  # not spaced
    ],
)
def test_a_board_that_claims_too_much_or_too_little_is_refused(kind: str, text: str) -> None:
    with pytest.raises(ClaimError):
        LessonBoard.parse(text, kind).check_claims()


def test_marks_and_sentences_are_those_of_the_game() -> None:
    text = "8x4/8\n# # # # # # # #\n# # s # # s # #\n1 1 1 1 1 1 1 1\n. . . . . . . ."
    board = LessonBoard.parse(text, "inside", "1,2")
    board.check_claims()
    marks = board.overlay().marks
    assert (marks[1, 2], marks[1, 5]) == (Mark.SAFE, Mark.SAFE)
    assert [tuple(cell) for cell in np.argwhere(marks == Mark.BECAUSE)] == [(2, 0), (2, 1)]
    reason = board.reason()
    assert reason is not None
    set_language("zh_CN")
    chinese = str(reason)
    set_language("en")
    assert chinese != str(reason)
    drawing = board.svg_text(THEMES["light"])
    assert drawing.count("<text") == 8 + 4
    assert drawing != board.svg_text(THEMES["dark"])
