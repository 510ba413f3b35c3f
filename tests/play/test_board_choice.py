"""What of a chosen board does not fit is said in words; the nearest that fits is played."""

from __future__ import annotations

from itertools import product

import pytest

from demine.logic.rules import BEGINNER, First, Goal, Rules
from demine.play.board_choice import BoardChoice
from demine.scene.preferences import MOST_SIDE


def choice(width: int, height: int, mines: int, **options: object) -> BoardChoice:
    return BoardChoice(BEGINNER, width, height, mines, options)


@pytest.mark.parametrize(
    ("chosen", "field", "words"),
    [
        (choice(0, 9, 1), "width", "A board is 1 to 1000 cells wide."),
        (choice(9, 1001, 1), "height", "A board is 1 to 1000 cells high."),
        (
            choice(9, 9, 81),
            "mines",
            "At most 80 mines fit 9 × 9. Make the board larger or use fewer mines.",
        ),
        (choice(2, 1, 5), "mines", "At most 1 mine fits 2 × 1."),
        (choice(9, 9, 73), "mines", "To start with an opening, 9 × 9 has room for 72 mines"),
        (choice(9, 9, 0, goal=Goal.FLAG), "mines", "Winning by flags takes a mine to flag."),
        (choice(300, 300, 9, guess_free=True), "guess_free", "at most 65536 cells"),
        (
            choice(9, 9, 9, guess_free=True, first=First.ANY),
            "guess_free",
            "need a safe first click",
        ),
    ],
)
def test_says_what_fits(chosen: BoardChoice, field: str, words: str) -> None:
    assert chosen.misfit is not None
    assert chosen.misfit.field == field
    assert words in chosen.misfit.text


def test_what_fits_is_taken_as_it_is_and_the_rest_becomes_a_board_that_can_be_played() -> None:
    numbers = (0, 1, 2, 3, 9, MOST_SIDE + 1)
    for width, height, mines in product(numbers, numbers, (0, 1, 8, 72, 80, 99_999_999)):
        for first, goal, free in product(First, Goal, (False, True)):
            chosen = choice(width, height, mines, first=first, goal=goal, guess_free=free)
            nearest = chosen.nearest
            if chosen.misfit is None:
                assert nearest == Rules(width, height, mines, first, goal, guess_free=free)
            else:
                again = choice(
                    nearest.width, nearest.height, nearest.mines,
                    first=nearest.first, goal=nearest.goal, guess_free=nearest.guess_free,
                )  # fmt: skip
                assert again.misfit is None


def test_a_side_that_was_longer_before_may_stay() -> None:
    long = Rules(3000, 2, 5)
    assert BoardChoice(long, 3000, 2, 5, {}).misfit is None
    assert BoardChoice(long, 3001, 2, 5, {}).misfit is not None
