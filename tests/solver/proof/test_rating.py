"""Ratings and proofs of guess-free boards."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demine.logic.errors import LayoutError, TextError
from demine.logic.layout import parse_layout
from demine.logic.neighbours import count_around
from demine.logic.rules import BEGINNER, INTERMEDIATE
from demine.scene.cell_faces import Face
from demine.solver.deal.guess_free import find_guess_free_layout
from demine.solver.errors import NeedsGuess
from demine.solver.exact.deduce import deduce
from demine.solver.proof.cell_levels import levels
from demine.solver.proof.difficulty_levels import Pattern
from demine.solver.proof.rating import Rating, prove_step_by_step, rate


def mines(text: str) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """The mine map of a layout text."""
    return parse_layout(text)[1]


@given(st.dictionaries(st.sampled_from(Pattern), st.integers(0, 10**9 - 1)))
def test_a_rating_is_its_text(times: dict[Pattern, int]) -> None:
    rating = Rating(times)
    assert Rating.parse(str(rating)) == rating
    assert eval(repr(rating)) == rating
    assert pickle.loads(pickle.dumps(rating)) == rating
    assert hash(Rating.parse(str(rating))) == hash(rating)
    assert rating.times == {pattern: count for pattern, count in times.items() if count}
    assert all(pattern.level <= rating.hardest.level for pattern in rating.times)


@pytest.mark.parametrize(
    "text",
    ["", "satisfied", "satisfied 1, satisfied 2", "luck 3", "inside -1", "chain 1;", "x" * 999],
)
def test_what_is_no_rating_is_refused(text: str) -> None:
    with pytest.raises(TextError, match="not part of a rating"):
        Rating.parse(text)


@pytest.mark.parametrize(
    ("text", "first", "said"),
    [
        ("3x3/0\n...\n...\n...", (1, 1), "satisfied 0"),
        ("5x1/1 first=safe\n.*...", (0, 4), "count 1"),
        ("4x3/2 first=safe\n...*\n...*\n....", (0, 0), "satisfied 1"),
        ("4x3/2 first=safe\n..*.\n....\n.*..", (0, 0), "satisfied 1, chain 1, count 1"),
        ("2x2/1 first=safe\n*.\n..", (1, 1), None),
        ("4x1/2 first=safe\n.*.*", (0, 0), None),
        ("4x1/1 first=safe\n*...", (0, 3), "satisfied 0"),
        ("3x1/1 first=safe\n*..", (0, 1), None),
        ("7x1/1 first=safe\n....*..", (0, 0), "count 1"),
    ],
)
def test_small_boards_are_rated(text: str, first: tuple[int, int], said: str | None) -> None:
    layout = mines(text)
    if said is None:
        with pytest.raises(NeedsGuess, match="needs a guess when"):
            rate(layout, first)
        with pytest.raises(NeedsGuess):
            prove_step_by_step(layout, first)
    else:
        assert str(rate(layout, first)) == said


def test_rounds_are_counted_where_nothing_easier_helps() -> None:
    """Held to a plain telling of the rule, from all levels of every position."""
    for seed in range(12):
        mine_map = find_guess_free_layout(INTERMEDIATE, seed, (8, 8)).mine_map
        rating = rate(mine_map, (8, 8))
        times = dict.fromkeys(Pattern, 0)
        opened = flooded(mine_map, {(8, 8)})
        while not (opened | mine_map).all():
            faces = np.where(opened, count_around(mine_map), Face.COVERED).astype(np.uint8)
            grades = np.where(mine_map, 0, levels(faces, INTERMEDIATE.mines))
            easiest = int(grades[grades > 0].min())
            times[Pattern.of(easiest)] += 1
            fresh = {(int(row), int(col)) for row, col in np.argwhere(grades == easiest)}
            opened |= flooded(mine_map, fresh)
        assert rating == Rating(times)


def flooded(
    mine_map: np.ndarray[tuple[int, ...], np.dtype[np.bool_]], cells: set[tuple[int, int]]
) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Which cells open when these do."""
    hints = count_around(mine_map)
    opened = np.zeros(mine_map.shape, np.bool_)
    waiting = list(cells)
    while waiting:
        row, col = waiting.pop()
        if not opened[row, col]:
            opened[row, col] = True
            if hints[row, col] == 0:
                block = slice(max(row - 1, 0), row + 2), slice(max(col - 1, 0), col + 2)
                near = np.argwhere(~opened[block])
                waiting += [(int(r) + block[0].start, int(c) + block[1].start) for r, c in near]
    return opened


def test_a_proof_opens_every_safe_cell_and_each_step_holds() -> None:
    for seed in range(6):
        mine_map = find_guess_free_layout(BEGINNER, seed, (4, 4)).mine_map
        steps = prove_step_by_step(mine_map, (4, 4))
        assert steps[0].reason is None
        assert (4, 4) in steps[0].opened
        opened = np.zeros(mine_map.shape, np.bool_)
        for step in steps:
            if step.reason is not None:
                faces = np.where(opened, count_around(mine_map), Face.COVERED).astype(np.uint8)
                assert step.reason.safe
                assert deduce(faces, BEGINNER.mines).safe[step.reason.cell]
                assert all(opened[number] for number in step.reason.because)
                assert step.reason.cell in step.opened
            for cell in step.opened:
                assert not opened[cell]
                assert not mine_map[cell]
                opened[cell] = True
        assert (opened | mine_map).all()


@pytest.mark.parametrize(
    ("layout", "first", "why"),
    [
        ([[True, False]], (0, 0), "row 1, column 1 is a mine"),
        ([[True, False]], (1, 0), "row 2, column 1 is outside the 2x1 board"),
        ([True, False], (0, 0), "has the shape"),
        (np.zeros((0, 3), np.bool_), (0, 0), "has the shape"),
    ],
)
def test_what_is_no_board_is_refused(layout: object, first: tuple[int, int], why: str) -> None:
    with pytest.raises(LayoutError, match=why):
        rate(layout, first)  # type: ignore[arg-type]
