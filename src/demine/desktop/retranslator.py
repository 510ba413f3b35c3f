"""Sets the texts of widgets and actions again when the language changes.

The menus of the first window need none of the widgets that dialogs are made of.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from demine.scene.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from PySide6.QtWidgets import QFormLayout, QLabel, QPushButton, QTabWidget, QWidget


class Retranslator:
    """Sets the texts of widgets, and sets them again when the language changes.

    Messages are given by their ids, the English texts.
    """

    def __init__(self) -> None:
        self._bound: list[tuple[Callable[[str], object], str, dict[str, object]]] = []

    def bind(self, setter: Callable[[str], object], message: str, **params: object) -> None:
        """Call a setter with a translated message, now and after each change of language."""
        self._bound.append((setter, message, params))
        setter(tr(message, **params))

    def retranslate(self) -> None:
        """Call every setter with its message in the current language."""
        for setter, message, params in self._bound:
            setter(tr(message, **params))

    def make_label(self, message: str, buddy: QWidget) -> QLabel:
        """Return a label whose access key focuses its buddy."""
        from PySide6.QtWidgets import QLabel

        label = QLabel()
        label.setBuddy(buddy)
        self.bind(label.setText, message)
        return label

    def make_button(
        self, message: str, clicked: Callable[[], object], *, auto_default: bool = False
    ) -> QPushButton:
        """Return a button that calls a function; with `auto_default` Enter presses it too."""
        from PySide6.QtWidgets import QPushButton

        button = QPushButton(autoDefault=auto_default)
        self.bind(button.setText, message)
        button.clicked.connect(lambda _checked: clicked())
        return button

    def make_form(self, rows: Iterable[tuple[str, QWidget]]) -> QFormLayout:
        """Return a form layout of rows, (message of the label, field)."""
        from PySide6.QtWidgets import QFormLayout

        form = QFormLayout()
        for message, field in rows:
            form.addRow(self.make_label(message, field), field)
        return form

    def add_tab(self, tabs: QTabWidget, page: QWidget, message: str) -> None:
        """Add a page to tabs, with a message as its title."""
        self.bind(partial(tabs.setTabText, tabs.addTab(page, "")), message)
