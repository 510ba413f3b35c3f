"""The dialogs of the real window on a real display, reached and answered by real keys."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from demine.game import Game
from demine.logic.rules import BEGINNER, Rules
from demine.play.game_session import GameSession
from demine.scene.key_bindings import Command
from demine.scene.preferences import Preferences, StartOptions
from demine.store import Store
from tests.desktop.desk import Desk
from tests.hand import wait_for

Sit = Callable[..., Desk]


@contextmanager
def dialog(desk: Desk, key: str) -> Iterator[None]:
    """Open a dialog by a key, give it the keyboard meanwhile, and wait until it is gone."""
    hand, before = desk.hand, desk.hand.window
    assert before is not None
    hand.key(key)
    hand.find("demine", besides={before.id, *_OPEN})
    hand.focus()
    _OPEN.append(before.id)
    wait_for(lambda: len(np.unique(hand.look())) > 8, "a painted dialog")
    yield
    wait_for(hand.gone, "the end of the dialog")
    _OPEN.pop()
    hand.window = before
    hand.focus()


_OPEN: list[int] = []


def typed(desk: Desk, *keys: str) -> None:
    """Type keys; a button reached by its letter stays down for a moment before it acts."""
    for key in keys:
        desk.hand.key(key)
        if key.startswith("alt+"):
            time.sleep(0.4)


def preferences() -> Preferences:
    with Store.open() as store:
        return Preferences.from_settings(store.settings.all())


def test_setup_begins_the_board_that_was_typed(sit: Sit) -> None:
    desk = sit()
    with dialog(desk, "4"):
        typed(desk, "1", "2", "alt+h", "8", "alt+m", "1", "5", "enter")
    desk.game = Game(Rules(12, 8, 15))
    desk.expect()
    assert desk.stop()[0] == 130
    assert preferences().rules == "12x8/15"


def test_a_setup_left_by_escape_changes_nothing_but_keeps_the_own_board(sit: Sit) -> None:
    desk = sit()
    with dialog(desk, "4"):
        typed(desk, "1", "2", "alt+k", "escape")
    desk.expect()
    desk.stop()
    assert preferences().presets == ("12x9/10",)
    assert preferences().rules == str(BEGINNER)


def test_records_open_a_game_of_the_history(sit: Sit) -> None:
    desk = sit()
    desk.open(4, 4)
    desk.lose()
    with dialog(desk, "ctrl+h"):
        typed(desk, "alt+a", "alt+g")
        with dialog(desk, "space"):
            typed(desk, "escape")
        typed(desk, "escape")
    desk.expect()


def test_settings_speak_another_language_and_bind_a_key_at_once(sit: Sit) -> None:
    desk = sit()
    with dialog(desk, "ctrl+comma"):
        english = desk.hand.look()
        typed(desk, "alt+e", "alt+a", "end", "alt+g")
        wait_for(lambda: not same(english, desk.hand.look()), "another language")
        typed(desk, "alt+k", "alt+c", "x", "escape")
    desk.stop()
    assert preferences().language == "zh_CN"
    assert preferences().key_map().keys(Command.NEW) == ("x",)


def same(one: Any, other: Any) -> bool:
    return one.shape == other.shape and bool((one == other).all())


def test_help_opens_and_closes_over_a_running_game(sit: Sit) -> None:
    desk = sit()
    desk.open(4, 4)
    with dialog(desk, "f1"):
        typed(desk, "alt+h", "escape")
    desk.resume()
    desk.expect()


def test_a_game_is_taken_to_the_analysis_board_and_counts_as_helped(sit: Sit) -> None:
    desk = sit()
    desk.open(4, 4)
    with dialog(desk, "ctrl+e"):
        empty = desk.hand.look()
        typed(desk, "alt+g")
        wait_for(lambda: not same(empty, desk.hand.look()), "the position of the game")
        typed(desk, "escape")
    desk.resume()
    desk.expect()
    desk.stop()
    with Store.open() as store:
        session = GameSession.begin(store, StartOptions(), Preferences())
        assert session.game.board.opened == desk.game.board.opened
        assert session.game.hinted
