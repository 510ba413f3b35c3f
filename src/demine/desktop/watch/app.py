"""Runs the replay player in a window of its own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from demine.desktop.accessible_factory import install_accessible_factory
from demine.desktop.board.qt_board_painting import application_icon
from demine.desktop.display_check import find_display_error
from demine.desktop.exit_signals import ExitSignals
from demine.desktop.install_translations import TranslationInstaller
from demine.desktop.qt_application import application
from demine.desktop.watch.choose_game import ask_path, choose_game
from demine.desktop.watch.replay_window import ReplayWindow
from demine.play.unsaved_games_at_exit import opened_store
from demine.replay.load_save import load_all
from demine.scene.preferences import Preferences, StartOptions, language_at_start
from demine.scene.translation import tr

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from demine.game import Game

INTERRUPTED = 130
DONE = 0


def run(
    games: Sequence[Game] | None,
    name: str,
    settings: Mapping[str, object],
    *,
    at_ms: float | None = None,
    speed: float = 1.0,
    fullscreen: bool = False,
) -> int:
    """Play back a game until the window is closed, and return the exit code.

    Of several games the user chooses one, without any a file; `at_ms` is where to pause, None to
    play from the start.
    Raises `DisplayError` when no window can be shown here, `ReplayError` for a chosen file that
    cannot be read.
    """
    lost = find_display_error()
    if lost is not None:
        raise lost
    app, translations = application(), TranslationInstaller()
    with opened_store() as (store, _troubles):
        # Not saved: settings are changed for good only while playing.
        preferences = Preferences.from_settings({**store.settings.all(), **settings})
        translations.install_language(
            language_at_start(preferences, StartOptions(settings=settings))
        )
        if games is None:
            path = ask_path(None, tr("Watch a game"), boards=False)
            if not path:
                return DONE
            games, name = load_all(path), Path(path).name
        game = choose_game(None, games)
        if game is None:
            return DONE
        install_accessible_factory()
        window = ReplayWindow(game, preferences, name=name, store=store)
        window.playback.speed = speed
        if at_ms is not None:
            window.playback.seek(at_ms)
        with ExitSignals() as signals, signals.close_on_signal(window):
            window.open(fullscreen=fullscreen)
            window.setWindowIcon(application_icon())
            if at_ms is None:
                window.toggle_playing()
            else:
                window.refresh()
            code = app.exec()
        window.close()
    return INTERRUPTED if signals.ctrl_c_received else code
