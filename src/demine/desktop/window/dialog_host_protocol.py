"""What the pages of a window may ask of it, and the titles of its menus."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QMainWindow

from demine.scene.translation import mark

if TYPE_CHECKING:
    from collections.abc import Mapping

    from demine.desktop.controller import QtController
    from demine.scene.key_bindings import KeyMap
    from demine.scene.preferences import Preferences
    from demine.scene.themes import Theme
    from demine.store.store import Store


MENU_TITLES: Final = (mark("&Game"), mark("&View"), mark("&Settings"), mark("&Help"))


class Host(QMainWindow):
    """A window that pages open from; the main window is the one there is."""

    controller: QtController
    store: Store
    preferences: Preferences
    keys: KeyMap
    theme: Theme

    def choose(self, changes: Mapping[str, object]) -> None:
        """Change preferences by their names, at once and for good."""
        raise NotImplementedError


def window_title(title: str) -> str:
    """Return what stands above the window while this is played."""
    return f"{title} — demine"
