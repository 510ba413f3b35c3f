"""Lives: mines that are hit and forgiven, on the board and wherever a game is read again."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demine.logic.board_state import board_after_events
from demine.logic.errors import LayoutError
from demine.logic.event import Act, Lay, Verb
from demine.logic.game import BaseGame, Status
from demine.logic.journal import format_journal, parse_journal
from demine.logic.rules import Goal, Rules
from demine.scene.cell_faces import Face
from demine.scene.panel import panel_of
from demine.scene.sight import sight
from demine.statistics.recording_from_game import recording_from_game
from tests.logic.boards import games

MINES = np.array([[1, 0, 0, 1], [0, 0, 0, 0], [1, 0, 0, 1]], np.bool_)


def begun(options: str) -> BaseGame:
    """A game on a board with a mine in each corner, the cell at row 2, column 2 open."""
    game = BaseGame(Rules.parse(f"4x3/4 first=any {options}"), 0)
    game.lay(Lay(0, MINES))
    game.play(Act(0, Verb.OPEN, 1, 1))
    return game


def play(game: BaseGame, words: str) -> Status:
    for act in words.split("; "):
        verb, row, col = act.split()
        game.play(Act(1, Verb(verb), int(row), int(col)))
    return game.status


def test_the_last_life_loses() -> None:
    game = begun("lives=3")
    assert play(game, "open 0 0; open 0 3") is Status.RUNNING
    assert play(game, "open 2 0") is Status.LOST
    assert len(game.board.blown) == 3


def test_a_forgiven_mine_is_shown_and_known() -> None:
    game = begun("lives=2")
    play(game, "open 0 0; flag 2 0")
    assert sight(game)[0, 0] == Face.BLOWN
    assert panel_of(game, 0).mines_left == 2
    for verb in ("open", "flag", "question"):
        assert not game.can(Act(1, Verb(verb), 0, 0))
    # One blown mine and one flag are the two that the number asks for.
    assert play(game, "chord 1 1") is Status.RUNNING
    assert game.board.opened == 7
    assert game.board.blown == ((0, 0),)


def test_a_game_with_a_hit_is_won() -> None:
    game = begun("lives=2")
    cells = [(row, col) for row, col in np.argwhere(~MINES).tolist() if (row, col) != (1, 1)]
    play(game, "open 2 3; " + "; ".join(f"open {row} {col}" for row, col in cells))
    assert game.status is Status.WON
    faces = sight(game)
    assert faces[2, 3] == Face.BLOWN
    assert (faces == Face.FLAG).sum() == 3


def test_flags_win_on_the_mines_that_are_left() -> None:
    game = begun("goal=flag lives=2")
    assert game.rules.goal is Goal.FLAG
    assert play(game, "open 0 0; flag 0 3; flag 2 0") is Status.RUNNING
    assert play(game, "flag 2 3") is Status.WON


def test_a_chord_costs_a_life_for_each_mine() -> None:
    game = begun("lives=2")
    assert play(game, "flag 0 1; flag 0 2; chord 1 1") is Status.LOST
    assert set(game.board.blown) == {(0, 0), (2, 0)}


def test_undo_gives_a_life_back() -> None:
    game = begun("lives=2")
    play(game, "open 0 0; open 0 3")
    game.play(Act(1, Verb.UNDO, -1, -1))
    assert game.status is Status.RUNNING
    assert game.board.blown == ((0, 0),)


def test_one_life_is_the_rule_of_always() -> None:
    game = begun("lives=1")
    assert str(game.rules) == "4x3/4 first=any"
    assert play(game, "open 0 0") is Status.LOST


def test_what_cannot_hold_a_hit_says_so() -> None:
    game = begun("lives=3")
    assert recording_from_game(game).mine_map.sum() == 4
    play(game, "open 0 0")
    with pytest.raises(LayoutError, match="a game of 3 lives that hit a mine"):
        recording_from_game(game)


@given(games(), st.booleans())
def test_games_are_read_again(game: BaseGame, trusted: bool) -> None:
    assert parse_journal(BaseGame, format_journal(game), trusted=trusted) == game
    assert board_after_events(game.rules, game.events) == game.board
    assert game.board.lost == (len(game.board.blown) >= game.rules.lives)
