"""Figures of how games were played tell programs from hands, and say on what they rest."""

from __future__ import annotations

import numpy as np
import pytest

import demine
from demine.logic.event import Act, Touch
from demine.reviews.play_figures import (
    LEAST_OTHERS,
    PLAY_FIGURES,
    ComparedFigure,
    PlayCounts,
    compare_play,
    play_counts,
    play_figures,
)
from demine.solver.exact.probability import mine_probability
from tests import samples

CELL = 16
BOT_MS = 40


def bots_game(rules: str, seed: int, every_ms: int = BOT_MS) -> demine.Game:
    """A game of a program that opens what is safest, at an even pace, with a pointer that jumps."""
    game = demine.Game(rules, seed)
    row, col, t = game.rules.height // 2, game.rules.width // 2, 0
    while not game.status.over:
        x, y = col * CELL + 8, row * CELL + 8
        game.touch(Touch(t, "", "move", x - 6 * CELL, y))
        game.touch(Touch(t, "left", "press", x, y))
        game.play(Act(t, "open", row, col))
        if not game.status.over:
            risk = mine_probability(demine.sight(game), game.rules.mines)
            row, col = map(int, np.unravel_index(np.nanargmin(risk), risk.shape))
        t += every_ms
    return game


@pytest.fixture(scope="module")
def people() -> list[PlayCounts]:
    """What the games in the samples say that have enough acts to say something."""
    counts = [play_counts(demine.load(samples.path(each))) for each in samples.names("avf/vs/*")]
    return [each for each in counts if play_figures(each)["straight"] is not None]


@samples.needed
def test_a_program_and_people_are_told_apart(people: list[PlayCounts]) -> None:
    assert len(people) >= 20
    known = [play_figures(each) for each in people]
    bot = play_figures(play_counts(bots_game("intermediate", 2)))
    for name, is_lower in (
        ("reaction", True), ("spread", True), ("quick", False), ("speed", False), ("jumps", False),
    ):  # fmt: skip
        value, others = bot[name], [each[name] for each in known]
        assert value is not None
        assert all(each is not None and (value < each) == is_lower for each in others), name
    # People do this, too, but not always.
    assert (bot["certain"], bot["mistakes"]) == (1.0, 0.0)
    assert sum(each["certain"] != 1.0 for each in known) > len(known) / 2


@samples.needed
def test_people_are_not_called_unusual_among_themselves(people: list[PlayCounts]) -> None:
    found = [
        each.unusual
        for place, own in enumerate(people)
        for each in compare_play(own, people[:place] + people[place + 1 :])
    ]
    # At most 5% at either end, and what many share is not at an end.
    assert 0 < sum(found) <= 0.12 * len(found)


def test_a_reaction_is_from_what_was_shown_to_the_act_beside_it() -> None:
    game = demine.Game("9x9/10", seed=7)
    game.play(Act(0, "open", 4, 4))
    shown = game.board.open_map.copy()
    near = next(
        (int(row), int(col))
        for row, col in np.argwhere(~shown & ~game.board.mine_map)
        if shown[max(row - 1, 0) : row + 2, max(col - 1, 0) : col + 2].any()
    )
    game.play(Act(250, "open", *near))
    far = next(
        (int(row), int(col))
        for row, col in np.argwhere(~game.board.open_map & ~game.board.mine_map)
        if max(abs(row - near[0]), abs(col - near[1])) > 2
    )
    game.play(Act(900, "open", *far))
    game.play(Act(1000, "resign", -1, -1))
    counts = play_counts(game)
    assert counts.reactions_ms == [250]
    assert counts.pauses_ms == [250, 650]


def test_ways_of_the_pointer() -> None:
    game = demine.Game("9x9/10", seed=7)
    points = [
        ("press", 8, 8, 0),
        ("move", 8, 40, 10),
        ("move", 56, 40, 100),
        ("press", 56, 40, 110),
    ]
    points += [("press", 120, 120, 300)]  # without a move: nothing is known of the way
    for action, x, y, t in points:
        game.touch(Touch(t, "left" if action == "press" else "", action, x, y))  # type: ignore[arg-type]
    (way,) = play_counts(game).ways
    assert way.straight == pytest.approx((3**2 + 2**2) ** 0.5 / 5)
    assert way.speed == pytest.approx(5 / 0.1)
    assert not way.jumps


def test_streaks_add_up_over_games() -> None:
    total = PlayCounts()
    for is_won in (False, True, True, True, False, True):
        total.add(PlayCounts(games=1, streak=int(is_won), longest_streak=int(is_won)))
    assert (total.longest_streak, total.streak, total.games) == (3, 1, 6)


@pytest.mark.parametrize(
    ("value", "count", "unusual"),
    [(0.0, LEAST_OTHERS, True), (0.0, LEAST_OTHERS - 1, False), (99.0, LEAST_OTHERS, True),
     (LEAST_OTHERS / 2, LEAST_OTHERS, False), (0.0, 0, False)],
)  # fmt: skip
def test_nothing_is_unusual_beside_few_others(value: float, count: int, unusual: bool) -> None:
    others = tuple(float(each) for each in range(1, count + 1))
    assert ComparedFigure("reaction", value, 30, others).unusual == unusual


def test_what_all_share_is_not_unusual() -> None:
    assert not ComparedFigure("jumps", 0.0, 30, (0.0,) * 50).unusual


def test_an_empty_game_says_nothing() -> None:
    counts = play_counts(demine.Game("9x9/10", seed=7))
    assert counts.games == 1
    assert all(
        value is None
        for name, value in play_figures(counts).items()
        if name not in ("mistakes", "streak")
    )
    assert play_figures(PlayCounts()) == dict.fromkeys(PLAY_FIGURES)
