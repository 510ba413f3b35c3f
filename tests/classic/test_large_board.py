"""Boards that do not fit the window: where they scroll, and how large their cells are."""

from __future__ import annotations

from concurrent.futures import Future

from demine.classic.scene import Scene
from demine.classic.window import Window, screen_size
from demine.logic.rules import Rules
from demine.play.game_session import GameSession
from demine.scene.key_bindings import Command
from demine.scene.preferences import Preferences, StartOptions
from demine.store import Store


def nobody(*_: object, **__: object) -> Future[object]:
    """Answers nothing."""
    return Future()


def test_a_cursor_out_of_sight_comes_to_the_middle(window: Window) -> None:
    wishes = StartOptions(rules=Rules.parse("200x150/20000"), settings={"cell": 20})
    preferences = Preferences.from_settings(wishes.settings)
    with Store.memory() as store:
        session = GameSession.begin(store, wishes, preferences)
        scene = Scene(window, session, preferences, screen_size(), nobody)
        scene.handle_command(Command.ACT)
        shown = scene.board_frame()
        rows, cols = shown.layout.view.visible_rows_and_cols()
        assert shown.cells[75, 100].sign == "cursor"
        assert abs(rows.start + rows.stop - 151) <= 2
        assert abs(cols.start + cols.stop - 201) <= 2
        scene.handle_command(Command.RIGHT)
        assert scene.board_frame().layout.view == shown.layout.view
        session.close()


def test_a_large_board_makes_no_other_board_tiny(window: Window) -> None:
    wishes = StartOptions(rules=Rules.parse("500x500/50000"))
    with Store.memory() as store:
        session = GameSession.begin(store, wishes, Preferences())
        scene = Scene(window, session, Preferences(), screen_size(), nobody)
        assert not scene.board_frame().layout.view.shows_whole_board
        scene.handle_command(Command.BEGINNER)
        assert scene.board_frame().layout.view.cell >= 16
        session.close()
