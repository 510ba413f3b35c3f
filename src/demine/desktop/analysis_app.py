"""Runs the analysis board in a window of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.desktop.accessible_factory import install_accessible_factory
from demine.desktop.board.qt_board_painting import application_icon
from demine.desktop.colour_scheme import apply_colour_scheme
from demine.desktop.dialogs.analysis_board import AnalysisDialog
from demine.desktop.display_check import find_display_error
from demine.desktop.exit_signals import ExitSignals
from demine.desktop.install_translations import TranslationInstaller
from demine.desktop.qt_application import application
from demine.play.unsaved_games_at_exit import opened_store
from demine.scene.preferences import Preferences, StartOptions, language_at_start

if TYPE_CHECKING:
    from collections.abc import Mapping

    from demine.scene.seen_position import SeenPosition

INTERRUPTED = 130
DONE = 0


def run(position: SeenPosition | None, settings: Mapping[str, object]) -> int:
    """Show a position, or an empty board with None, until the window is closed.

    Returns the exit code. Raises `DisplayError` when no window can be shown here.
    """
    lost = find_display_error()
    if lost is not None:
        raise lost
    application()
    translations = TranslationInstaller()
    with opened_store() as (store, _troubles):
        preferences = Preferences.from_settings({**store.settings.all(), **settings})
    translations.install_language(language_at_start(preferences, StartOptions(settings=settings)))
    install_accessible_factory()
    page = AnalysisDialog(None, apply_colour_scheme(preferences))
    if position is not None:
        page.begin_with(position.scene, position.mines)
    page.setWindowIcon(application_icon())
    with ExitSignals() as signals, signals.close_on_signal(page):
        page.exec()
    return INTERRUPTED if signals.ctrl_c_received else DONE
