"""Moments of a game: as text, and the position that was seen then."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import demine
from demine.replay.model import Replay
from demine.scene.cell_faces import Face
from demine.scene.moment import Moment, MomentError
from tests import samples


def lost_game() -> demine.Game:
    """A game of three moves: an opening, a flag, and at 12.5 s a mine."""
    game = demine.Game(demine.Rules.parse("6x4/5"), seed=7)
    game.open(1, 1)
    mine = tuple(np.argwhere(game.board.mine_map)[0].tolist())
    game.play(demine.Act(4000, "flag", 3, 3))
    game.play(demine.Act(12_500, "open", *mine))
    assert game.status is demine.Status.LOST
    return game


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("12.5", "seconds", 12.5),
        (" 12s ", "seconds", 12),
        ("1:02.5", "seconds", 62.5),
        ("-0.5", "seconds", -0.5),
        ("50%", "share", 0.5),
        ("#17", "move", 17),
        ("act 17", "move", 17),
        ("Move17", "move", 17),
        ("start", "move", 1),
        ("END", "share", 1),
        ("last", "last", 0),
    ],
)
def test_texts(text: str, unit: Any, value: float) -> None:
    moment = Moment.parse(text)
    assert moment == Moment(unit, value)
    assert Moment.parse(str(moment)) == moment


@pytest.mark.parametrize("text", ["", "x", "12,5", "101%", "#", "1:2", "1e3", "#-1", "nan", "٣"])
def test_texts_that_are_none(text: str) -> None:
    with pytest.raises(MomentError, match="is no moment"):
        Moment.parse(text)


@pytest.mark.parametrize(
    ("moment", "flags", "opened"),
    [
        ("start", 0, False),
        (-1, 0, False),
        (0, 0, True),
        (3.999, 0, True),
        (4, 1, True),
        ("#3", 1, True),
        ("#2", 0, True),
        ("90%", 1, True),
        (None, 1, True),
        ("last", 1, True),
    ],
)
def test_what_was_seen(moment: float | str | None, flags: int, opened: bool) -> None:
    game = lost_game()
    for seen in (game.at(moment), Replay.of(game).at(moment)):
        assert np.count_nonzero(seen.scene == Face.FLAG) == flags
        assert bool((seen.scene <= Face.EIGHT).any()) is opened
        assert seen.mines == 5


@pytest.mark.parametrize(
    ("moment", "sentence"),
    [
        ("end", "the game is over then: its last move is #3, at 12.500 s"),
        (12.5, "the game is over then: its last move is #3, at 12.500 s"),
        ("100%", "the game is over then: its last move is #3, at 12.500 s"),
        (125, "the game has only 12.500 s"),
        ("#5", "there is no move 5: it has 3"),
        ("#0", "there is no move 0: it has 3"),
        (float("nan"), "nan is no moment of a game"),
    ],
)
def test_moments_without_a_position(moment: float | str, sentence: str) -> None:
    with pytest.raises(MomentError) as caught:
        lost_game().at(moment)
    assert str(caught.value).startswith(sentence)


def test_a_game_under_way_has_its_end_and_its_pauses() -> None:
    game = demine.Game(demine.BEGINNER, seed=7)
    game.open(4, 4)
    assert np.array_equal(game.at().scene, game.seen_position().scene)
    game.play(demine.Act(5000, "pause"))
    game.play(demine.Act(5001, "resume"))
    assert np.array_equal(game.at("end").scene, game.seen_position().scene)
    with pytest.raises(MomentError, match="paused"):
        game.at("#3")


def test_a_board_that_nobody_played_has_one_position() -> None:
    game = demine.Game(demine.BEGINNER, seed=7)
    assert (game.at().scene == Face.COVERED).all()
    assert (game.at("start").scene == Face.COVERED).all()


@samples.needed
@pytest.mark.parametrize("name", samples.names("avf/*.avf", "evf/*.evf", "mvf/*", "rmv/exp*"))
def test_real_games_before_their_last_move(name: str) -> None:
    game = demine.load(samples.path(name))
    position = game.at()
    if game.rules.cells < 1000:
        assert str(demine.hint(position))
    assert demine.SeenPosition.parse(str(position)).mines == position.mines
