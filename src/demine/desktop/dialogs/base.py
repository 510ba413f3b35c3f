"""The base of all dialogs: texts that follow the language, their labels, buttons and messages."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QPushButton,
    QTabWidget,
)

from demine.scene.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from PySide6.QtGui import QShowEvent
    from PySide6.QtWidgets import QWidget

StandardButton = QDialogButtonBox.StandardButton


class Retranslator:
    """Sets the texts of widgets in the language set, and sets them anew when it changes.

    Messages are their English ids.
    """

    def __init__(self) -> None:
        self._bound: list[tuple[Callable[[str], object], str]] = []

    def bind(self, setter: Callable[[str], object], message: str) -> None:
        """Call a setter with a message in the language set, now and after each change of it."""
        self._bound.append((setter, message))
        setter(tr(message))

    def retranslate(self) -> None:
        """Call every setter with its message in the language set now."""
        for setter, message in self._bound:
            setter(tr(message))

    def make_label(self, message: str, buddy: QWidget) -> QLabel:
        """Return a label whose access key leads to the widget it names."""
        label = QLabel()
        label.setBuddy(buddy)
        self.bind(label.setText, message)
        return label

    def make_button(
        self, message: str, clicked: Callable[[], object], *, auto_default: bool = False
    ) -> QPushButton:
        """Return a button that calls a function, and at Enter too if it is `auto_default`."""
        button = QPushButton(autoDefault=auto_default)
        self.bind(button.setText, message)
        button.clicked.connect(lambda _checked: clicked())
        return button

    def make_form(self, rows: Iterable[tuple[str, QWidget]]) -> QFormLayout:
        """Return fields below each other, each beside its label."""
        form = QFormLayout()
        for message, field in rows:
            form.addRow(self.make_label(message, field), field)
        return form

    def add_tab(self, tabs: QTabWidget, page: QWidget, message: str) -> None:
        """Add a page to some tabs, under a title."""
        self.bind(partial(tabs.setTabText, tabs.addTab(page, "")), message)


class Dialog(QDialog):
    """A dialog whose texts follow the language at once; Esc closes it."""

    def __init__(self, parent: QWidget | None, title: str) -> None:
        super().__init__(parent)
        self.texts = Retranslator()
        self.texts.bind(self.setWindowTitle, title)

    def make_button_box(
        self,
        standard: StandardButton = StandardButton.Close,
        actions: Iterable[QPushButton] = (),
    ) -> QDialogButtonBox:
        """Return the buttons that accept or reject the dialog, and others beside them."""
        box = QDialogButtonBox(standard)
        box.accepted.connect(self.accept)
        box.rejected.connect(self.reject)
        for button in actions:
            box.addButton(button, QDialogButtonBox.ButtonRole.ActionRole)
        return box

    def disable_auto_default(self) -> None:
        """Leave Enter to the widget that has the focus: it presses none of the buttons."""
        for button in self.findChildren(QPushButton):
            button.setAutoDefault(False)

    def resize_to_line_heights(self, width: float, height: float) -> None:
        """Take the size of so many lines of text, wide and high, as far as the screen has room."""
        line = self.fontMetrics().height()
        room = self.screen().availableSize() * 0.94
        wanted = QSize(round(width * line), round(height * line))
        self.resize(wanted.expandedTo(self.minimumSizeHint()).boundedTo(room))

    def showEvent(self, event: QShowEvent) -> None:
        """Take the icons off the buttons where they cannot be told from what lies behind."""
        remove_button_icons(self)
        super().showEvent(event)

    def exec(self) -> int:
        """Wait for the answer; delete the widgets when the caller has read it.

        The parent would keep them for good, and they would hear of every later language.
        """
        try:
            return super().exec()
        finally:
            self.deleteLater()

    def update_composed_texts(self) -> None:
        """Write the texts that are composed, in the language set now."""

    def changeEvent(self, event: QEvent) -> None:
        """Write every text anew when Qt says that the language has changed."""
        if event.type() == QEvent.Type.LanguageChange:
            self.texts.retranslate()
            self.update_composed_texts()
        super().changeEvent(event)


def remove_button_icons(dialog: QDialog) -> None:
    """Leave buttons to their words where the desktop has no icons.

    Those that Qt draws in their stead are dark, whatever lies behind them.
    """
    if QIcon.hasThemeIcon("window-close"):
        return
    for box in dialog.findChildren(QDialogButtonBox):
        for button in box.buttons():
            button.setIcon(QIcon())


class MessageLabel(QLabel):
    """A label of wrapped, selectable plain text that tells screen readers of its changes."""

    def __init__(self) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)

    def set_message(self, text: str) -> None:
        """Show a text and name it for screen readers."""
        self.setText(text)
        self.setAccessibleName(text)

    def make_heading(self, font_scale: float) -> None:
        """Write in bold letters, so many times as large."""
        font = self.font()
        font.setPointSizeF(font.pointSizeF() * font_scale)
        font.setBold(True)
        self.setFont(font)
