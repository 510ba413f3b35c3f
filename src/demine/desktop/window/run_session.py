"""Runs a session in the window, with the store open all the time."""

from __future__ import annotations

import sys
import traceback
from contextlib import contextmanager
from typing import TYPE_CHECKING

from demine.desktop.controller import QtController
from demine.desktop.install_translations import TranslationInstaller
from demine.play.game_session import GameSession
from demine.play.garbage_collection import start_collecting
from demine.play.unsaved_games_at_exit import opened_store
from demine.scene.preferences import Preferences, language_at_start
from demine.scene.translation import tr

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

    from PySide6.QtWidgets import QApplication

    from demine.desktop.exit_signals import ExitSignals
    from demine.desktop.window.main_window import MainWindow
    from demine.desktop.window.startup_window import StartupWindow
    from demine.scene.preferences import StartOptions
    from demine.store.store import Store

INTERRUPTED = 130


def play(
    app: QApplication,
    window: MainWindow,
    options: StartOptions,
    startup: StartupWindow,
    signals: ExitSignals,
) -> int:
    """Set the window up, run it until it is closed, and return the exit code."""
    with opened_store() as (store, troubles):
        preferences = Preferences.from_settings(
            {**store.settings.all(), **options.settings_to_save}
        )
        translations = TranslationInstaller()
        translations.install_language(language_at_start(preferences, options))
        session = GameSession.begin(store, options, preferences)
        session.troubles[:0] = troubles
        session.save_settings(options.settings_to_save)
        window.setup_ui(QtController(session, preferences), store, preferences, translations)
        window.open(fullscreen=options.fullscreen, ignore_saved_size="cell" in options.settings)
        window.controller.tick()
        window.closing.connect(window.controller.reset_for_exit)
        window.closing.connect(
            lambda: (
                startup.grab_picture()
                if _will_resume(store, session) and _is_shown(window, session)
                else None
            )
        )
        with signals.close_on_signal(window), _reporting_errors(window):
            start_collecting()
            code = app.exec()
            window.controller.stop_solver()
    # Only now the store is as the next start will find it.
    startup.save_picture()
    return INTERRUPTED if signals.ctrl_c_received else code


def _will_resume(store: Store, session: GameSession) -> bool:
    """Whether the next start resumes this game; after one that is over it shows a new board."""
    kept = store.path is not None and not store.retry_queue
    return kept and not (session.is_unbegun_daily_game or session.game.status.over)


def _is_shown(window: MainWindow, session: GameSession) -> bool:
    """Whether the window has the size of this game: closing may bring one of another size back."""
    view = window.board.view
    return (view.rows, view.cols) == session.game.rules.shape


@contextmanager
def _reporting_errors(window: MainWindow) -> Iterator[None]:
    """Report unexpected errors in the window, and go on: every act so far is saved."""
    before = sys.excepthook

    def report(
        kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        traceback.print_exception(kind, error, trace)
        window.controller.show_news(
            tr("Something went wrong, but your game is safe. {error}", error=error)
        )

    sys.excepthook = report
    try:
        yield
    finally:
        sys.excepthook = before
