"""Games made of recordings."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from demine.logic.errors import RulesError
from demine.logic.event import Touch
from demine.logic.game import BaseGame, Origin, Status
from demine.logic.journal import format_journal, parse_journal
from demine.logic.rules import First, Flags, Rules
from demine.statistics.game_from_recording import game_from_recording
from demine.statistics.recording_from_game import recording_from_game
from demine.statistics.recording_type import Recording
from tests.statistics.hands import hand, recording, recordings

PLAIN = "5x2/1\n*....\n....."


def test_touches_keep_the_pixels_of_their_field() -> None:
    game = game_from_recording(BaseGame, hand(PLAIN, "mv 0,4; lc 0,4; lr 0,4; mv 1,1", cell=42))
    touches = [event for event in game.events if isinstance(event, Touch)]
    assert game.cell_px == 42
    assert [(touch.x, touch.y) for touch in touches][::3] == [(189, 21), (63, 63)]
    assert recording_from_game(game).cell == 42
    assert format_journal(game).startswith('{"demine":2,')
    assert format_journal(game_from_recording(BaseGame, hand(PLAIN, "lc 0,4; lr 0,4"))).startswith(
        '{"demine":1,'
    )


@given(recordings())
def test_a_played_game_has_a_journal(given_recording: Recording) -> None:
    game = game_from_recording(BaseGame, given_recording, {"player": "x"}, Origin.AGAIN)
    if game.begun:
        assert parse_journal(BaseGame, format_journal(game)) == game
    assert game.facts["player"] == "x"
    assert not game.ranked


def test_a_game_is_undone_as_if_it_had_been_played() -> None:
    flags = "rc 0,0; rr 0,0; rc 1,1; rr 1,1"
    game = game_from_recording(BaseGame, hand(PLAIN, f"{flags}; lc 0,4; lr 0,4; rc 0,0; rr 0,0"))
    played = parse_journal(BaseGame, format_journal(game))
    assert game.board == played.board
    for flagged in (2, 2, 1, 0):
        game.undo()
        played.undo()
        assert game.board == played.board
        assert game.board.flags == flagged
    assert not game.can_undo
    assert game == played


def test_the_rules_say_what_the_recording_says() -> None:
    game = game_from_recording(BaseGame, hand(PLAIN, "lc 0,4; lr 0,4"))
    assert game.rules == Rules(5, 2, 1, first=First.SAFE, flags=Flags.HOLD)
    assert game.status is Status.RUNNING
    assert (
        game_from_recording(BaseGame, hand(PLAIN, "lc 0,4; lr 0,4", flags_hold=0)).rules.flags
        is Flags.YIELD
    )
    lost = game_from_recording(BaseGame, hand(PLAIN, "lc 0,0; lr 0,0"))
    assert lost.rules.first is First.ANY
    assert lost.status is Status.LOST


def test_a_board_without_a_safe_cell_is_no_game() -> None:
    with pytest.raises(RulesError, match="do not fit"):
        game_from_recording(BaseGame, recording(np.ones((2, 2), np.bool_), []))
