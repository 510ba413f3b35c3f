"""Asks which file to open, and which of its games."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog, QInputDialog

from demine.desktop.widget_builders import documents_folder
from demine.play.opened_files import file_kinds
from demine.scene.translation import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from demine.game import Game


def ask_path(parent: QWidget | None, title: str, *, boards: bool, folder: str = "") -> str:
    """Ask for a file with games, or with `boards` also one with a board; empty if cancelled."""
    kinds = [
        tr("{kind} ({patterns})", kind=kind, patterns=" ".join(patterns))
        for kind, patterns in file_kinds(boards=boards)
    ]
    path, _ = QFileDialog.getOpenFileName(
        parent, title, folder or documents_folder(), ";;".join([*kinds, tr("All files (*)")])
    )
    return path


def choose_game(parent: QWidget | None, games: Sequence[Game]) -> Game | None:
    """Return the only game, or the one that the player chooses; None if cancelled.

    Raises `ReplayError` for a game that cannot be played.
    """
    if len(games) == 1:
        return games[0]
    number, chosen = QInputDialog.getInt(
        parent,
        tr("Watch a game"),
        tr("Choose one of {count} games", count=len(games)),
        1,
        1,
        len(games),
    )
    return games[number - 1] if chosen else None
