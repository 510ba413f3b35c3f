"""Puzzles have one solution, are as hard as they say, and come again from their seed."""

from __future__ import annotations

from itertools import pairwise
from math import ceil

import numpy as np
import pytest

import demine
from demine.books.puzzles import (
    BookError,
    BookPlan,
    Puzzle,
    PuzzleKind,
    checked_rules,
    find_puzzles,
)
from demine.logic.errors import RulesError
from demine.logic.rules import Rules
from demine.scene.cell_faces import Face
from demine.scene.overlay import Mark
from demine.solver.errors import TOO_MANY_STATES, TooComplex
from demine.solver.proof.cell_levels import levels
from demine.solver.proof.difficulty_levels import Pattern

BEGINNER = Rules(9, 9, 10)


def puzzles(kind: PuzzleKind, pattern: Pattern, seed: int = 1, count: int = 3) -> list[Puzzle]:
    return list(find_puzzles(BookPlan(kind, BEGINNER, pattern, count, seed, "a4")))


@pytest.mark.parametrize("pattern", [Pattern.SATISFIED, Pattern.INSIDE, Pattern.COUNT])
def test_a_board_has_one_solution_of_its_rating_and_no_number_too_many(pattern: Pattern) -> None:
    for puzzle in puzzles(PuzzleKind.BOARDS, pattern):
        covered = puzzle.faces == Face.COVERED
        mine_map = demine.make(BEGINNER, puzzle.seed)
        assert demine.count_layouts(puzzle.faces, puzzle.mines) == 1
        assert ((puzzle.solution.faces == Face.MINE) == mine_map).all()
        assert not (mine_map & ~covered).any()
        grades = levels(puzzle.faces, puzzle.mines)
        assert grades[covered].min() > 0
        assert grades.max() == pattern.level
        assert puzzle.solution.reason.pattern is pattern
        for cell in np.argwhere(~covered).tolist():
            fewer = puzzle.faces.copy()
            fewer[tuple(cell)] = Face.COVERED
            left = levels(fewer, puzzle.mines, highest=pattern.level)
            assert (left[fewer == Face.COVERED] == 0).any(), "this number could be left out"


@pytest.mark.parametrize("pattern", [Pattern.SATISFIED, Pattern.INSIDE])
def test_a_position_needs_the_step_that_its_rating_names(pattern: Pattern) -> None:
    for puzzle in puzzles(PuzzleKind.POSITIONS, pattern):
        reason = puzzle.solution.reason
        mine_map = demine.make(BEGINNER, puzzle.seed, (4, 4), guess_free=True)
        assert reason.safe
        assert not mine_map[reason.cell]
        assert reason.pattern is pattern
        grades = levels(puzzle.faces, puzzle.mines, stop_at_safe=True)
        assert grades[~mine_map & (grades > 0)].min() == pattern.level, "nothing easier helps"
        marks = puzzle.solution.marks.marks
        assert marks[reason.cell] == Mark.SAFE
        assert {tuple(cell) for cell in np.argwhere(marks == Mark.BECAUSE).tolist()} == set(
            reason.because
        )


def test_the_same_seed_makes_the_same_puzzles_and_none_twice() -> None:
    one, two = (puzzles(PuzzleKind.BOARDS, Pattern.INSIDE, 5) for _ in range(2))
    for left, right in zip(one, two, strict=True):
        assert np.array_equal(left.faces, right.faces)
    assert all(left.seed < right.seed for left, right in pairwise(one))


def test_long_searches_are_made_up_for_by_short_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = BookPlan(PuzzleKind.POSITIONS, BEGINNER, Pattern.COUNT, 8, 7, "a4")
    seeds = [puzzle.seed for puzzle in find_puzzles(plan)]
    needed = max((seed - 6) / number for number, seed in enumerate(seeds, 1))
    longest = max(right - left for left, right in pairwise([6, *seeds]))
    assert longest > ceil(needed)  # or this proves nothing
    monkeypatch.setattr("demine.books.puzzles.TRIES", ceil(needed))
    assert [puzzle.seed for puzzle in find_puzzles(plan)] == seeds


def test_what_cannot_be_found_or_printed_is_an_error() -> None:
    plan = BookPlan(PuzzleKind.BOARDS, Rules(3, 1, 1), Pattern.CASES, 1, 1, "a4")
    told: list[int] = []
    with pytest.raises(BookError, match="no puzzle 3x1/1 with the rating cases"):
        list(find_puzzles(plan, told.append))
    assert told[-1] == len(told)
    for text in ("31x9/10", "9x37/10", "9x9/0"):
        with pytest.raises(BookError):
            checked_rules(text)
    with pytest.raises(RulesError):
        checked_rules("9x9/100")
    assert checked_rules("9x9/10 lives=3 first=any") == BEGINNER


def test_a_layout_that_is_too_complex_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise TooComplex(TOO_MANY_STATES, states=1)

    monkeypatch.setattr("demine.books.puzzles.prove_step_by_step", refuse)
    plan = BookPlan(PuzzleKind.POSITIONS, BEGINNER, Pattern.INSIDE, 1, 1, "a4")
    with pytest.raises(BookError, match="no puzzle"):
        list(find_puzzles(plan))
