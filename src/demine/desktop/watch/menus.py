"""The menus of the replay player: all its commands, with their keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence

from demine.desktop.retranslator import Retranslator
from demine.scene.translation import mark

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

MENUS: Final = (
    (mark("&File"), (
        ("png", mark("Save &frame as PNG…"), ("Ctrl+S",)),
        ("gif", mark("Save game as &GIF…"), ("Ctrl+Shift+S",)),
        ("", "", ()),
        ("close", mark("&Close"), ("Esc", "Ctrl+W")),
    )),
    (mark("&Watch"), (
        ("play", mark("&Play or pause"), ("Space",)),
        ("", "", ()),
        ("back", mark("&Back one move"), ("Left",)),
        ("forth", mark("&Forward one move"), ("Right",)),
        ("second-back", mark("Back one &second"), ("Shift+Left",)),
        ("second-forth", mark("Forward one s&econd"), ("Shift+Right",)),
        ("start", mark("To the s&tart"), ("Home",)),
        ("end", mark("To the e&nd"), ("End",)),
        ("", "", ()),
        ("slower", mark("S&lower"), ("Down", "[")),
        ("faster", mark("F&aster"), ("Up", "]")),
        ("", "", ()),
        ("guess", mark("Next &guess"), ("G",)),
        ("mistake", mark("Next &mistake"), ("M",)),
    )),
    (mark("&View"), (
        ("chances", mark("Show ris&ks"), ("O",)),
        ("analyse", mark("&Analyse this position…"), ("E",)),
        ("path", mark("Change &pointer trail"), ("P",)),
        ("path-off", mark("&No trail"), ()),
        ("path-last", mark("&Recent trail"), ()),
        ("path-whole", mark("&Full trail"), ()),
        ("", "", ()),
        ("counters", mark("&Counters"), ("C",)),
        ("choose", mark("C&hoose counters…"), ("Shift+C",)),
        ("", "", ()),
        ("zoom-in", mark("&Larger cells"), ("+", "=")),
        ("zoom-out", mark("&Smaller cells"), ("-",)),
        ("zoom-fit", mark("Fit the board to the &window"), ("0",)),
        ("fullscreen", mark("F&ull screen"), ("F", "F11")),
    )),
    (mark("&Help"), (
        ("help", mark("&Keys"), ("F1", "?")),
    )),
)  # fmt: skip
_TICKED: Final = ("chances", "counters", "path-off", "path-last", "path-whole")
_PATHS: Final = "path-"


class Menus:
    """The menus of a replay window."""

    def __init__(self, bar: QMenuBar, board: QWidget, do: Callable[[str], object]) -> None:
        self.texts = Retranslator()
        self.actions: dict[str, QAction] = {}
        self._paths = QActionGroup(bar)
        for title, entries in MENUS:
            menu = bar.addMenu("")
            self.texts.bind(menu.setTitle, title)
            for name, text, keys in entries:
                if name:
                    self._add(menu, name, text, keys)
                    self.actions[name].triggered.connect(lambda _on=False, name=name: do(name))
                else:
                    menu.addSeparator()
        board.addAction(self.actions["play"])
        self.actions["play"].setShortcutContext(Qt.ShortcutContext.WidgetShortcut)

    def _add(self, menu: QMenu, name: str, text: str, keys: tuple[str, ...]) -> None:
        action = self.actions[name] = menu.addAction("")
        action.setMenuRole(QAction.MenuRole.NoRole)
        action.setShortcuts([QKeySequence(key) for key in keys])
        action.setCheckable(name in _TICKED)
        if name.startswith(_PATHS):
            self._paths.addAction(action)
        self.texts.bind(action.setText, text)

    def show_view_state(self, path_mode: str, *, chances: bool, counters: bool) -> None:
        """Check the actions of what is shown; `path_mode` is `off`, `last` or `whole`."""
        self.actions["chances"].setChecked(chances)
        self.actions["counters"].setChecked(counters)
        self.actions[f"{_PATHS}{path_mode}"].setChecked(True)
