"""Books as their readers' programs see them: pages, text and drawings."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pypdfium2
import pytest
from numpy.typing import NDArray

from demine.books.pdf import write_book
from demine.books.puzzles import BookPlan, Puzzle, PuzzleKind, find_puzzles
from demine.logic.rules import Rules
from demine.scene.translation import set_language
from demine.solver.proof.difficulty_levels import Pattern

POINTS = {"a4": (595, 842), "letter": (612, 792)}


def book(rules: str = "9x9/10", count: int = 7, paper: str = "a4") -> tuple[BookPlan, list[Puzzle]]:
    plan = BookPlan(PuzzleKind.BOARDS, Rules.parse(rules), Pattern.SATISFIED, count, 1, paper)
    return plan, list(find_puzzles(plan))


def demine_command(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "demine", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def text_of(document: pypdfium2.PdfDocument) -> list[str]:
    return [page.get_textpage().get_text_range() for page in document]


def picture_of(document: pypdfium2.PdfDocument, page: int) -> NDArray[np.uint8]:
    picture: NDArray[np.uint8] = document[page].render(scale=1).to_numpy()
    return picture[:, :, :3]


@pytest.mark.parametrize("paper", POINTS)
def test_a_book_has_a_cover_puzzles_and_solutions(paper: str) -> None:
    plan, found = book(paper=paper)
    document = pypdfium2.PdfDocument(write_book(plan, found))
    assert tuple(map(round, document[0].get_size())) == POINTS[paper]
    cover, first, second, solved = text_of(document)
    assert "7 puzzles · 9x9 · 10 mines" in cover
    assert plan.command in cover
    assert [first.count("10 mines"), second.count("10 mines")] == [6, 1]
    assert "Solution 7" in solved
    for puzzle in found:
        reason = str(puzzle.solution.reason).split()
        assert " ".join(reason) in " ".join(solved.split())
    for page in (1, 3):
        inked = (picture_of(document, page) < 250).any(axis=2).mean()
        assert 0.05 < inked < 0.9, "boards are drawn"


def test_boards_stay_on_the_paper_at_every_size() -> None:
    for rules in ("9x9/10", "30x16/60", "8x36/40", "2x2/1"):
        plan, found = book(rules, 2)
        document = pypdfium2.PdfDocument(write_book(plan, found))
        for page in range(1, len(document)):
            picture = picture_of(document, page)
            rim = np.concatenate([picture[:20].ravel(), picture[:, :20].ravel()])
            assert (rim > 250).all()
            assert (picture[:, -20:] > 250).all()


def test_the_same_plan_is_the_same_file() -> None:
    plan, found = book(count=2)
    assert write_book(plan, found) == write_book(plan, found)


def test_a_book_speaks_chinese() -> None:
    plan, found = book(count=2)
    set_language("zh_CN")
    try:
        document = pypdfium2.PdfDocument(write_book(plan, found))
    finally:
        set_language("en")
    cover, _, solved = text_of(document)
    assert "扫雷题集" in cover
    assert "答案 1" in solved


def test_the_verb_writes_a_book_or_says_why_not(tmp_path: Path) -> None:
    target = tmp_path / "book.pdf"
    words = ["book", "5x5/4", "-n", "2", "--rating", "satisfied", "--seed", "1", "-o", str(target)]
    done = demine_command(*words)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(pypdfium2.PdfDocument(target)) == 3
    before = target.read_bytes()
    done = demine_command("book", "3x1/1", "--rating", "cases", "--seed", "1", "-o", str(target))
    assert done.returncode == 1
    assert "no puzzle 3x1/1" in done.stderr
    assert target.read_bytes() == before, "an old book outlives a failed search"
    assert demine_command("book", "5x5/4").returncode == 2
