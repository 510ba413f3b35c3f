"""The base of all dialogs, and the label for messages in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QPushButton,
)

from demine.desktop.retranslator import Retranslator

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtGui import QShowEvent
    from PySide6.QtWidgets import QWidget

StandardButton = QDialogButtonBox.StandardButton


class Dialog(QDialog):
    """A dialog that is translated at once when the language changes; Esc closes it."""

    def __init__(self, parent: QWidget | None, title: str) -> None:
        super().__init__(parent)
        self.texts = Retranslator()
        self.texts.bind(self.setWindowTitle, title)

    def make_button_box(
        self,
        standard: StandardButton = StandardButton.Close,
        actions: Iterable[QPushButton] = (),
    ) -> QDialogButtonBox:
        """Return a box of buttons that accept or reject the dialog, with action buttons beside."""
        box = QDialogButtonBox(standard)
        box.accepted.connect(self.accept)
        box.rejected.connect(self.reject)
        for button in actions:
            box.addButton(button, QDialogButtonBox.ButtonRole.ActionRole)
        return box

    def disable_auto_default(self) -> None:
        """Make Enter press none of the buttons, so that the focused widget gets it."""
        for button in self.findChildren(QPushButton):
            button.setAutoDefault(False)

    def resize_to_line_heights(self, lines_wide: float, lines_high: float) -> None:
        """Resize to multiples of the line height, in both directions, within the screen."""
        line = self.fontMetrics().height()
        room = self.screen().availableSize() * 0.94
        wanted = QSize(round(lines_wide * line), round(lines_high * line))
        self.resize(wanted.expandedTo(self.minimumSizeHint()).boundedTo(room))

    def showEvent(self, event: QShowEvent) -> None:
        """Remove the icons of buttons where they would be unreadable."""
        remove_button_icons(self)
        super().showEvent(event)

    def exec(self) -> int:
        """Run the dialog and return its result; its widgets are deleted later.

        Its parent would keep them, and translate them at every change of language.
        """
        try:
            return super().exec()
        finally:
            self.deleteLater()

    def update_composed_texts(self) -> None:
        """Set the texts that `texts` does not hold, in the current language."""

    def changeEvent(self, event: QEvent) -> None:
        """Set all texts again after a language change."""
        if event.type() == QEvent.Type.LanguageChange:
            self.texts.retranslate()
            self.update_composed_texts()
        super().changeEvent(event)


def remove_button_icons(dialog: QDialog) -> None:
    """Remove the icons of a dialog's standard buttons if the desktop has no icon theme.

    Qt's own icons are dark on any background.
    """
    if QIcon.hasThemeIcon("window-close"):
        return
    for box in dialog.findChildren(QDialogButtonBox):
        for button in box.buttons():
            button.setIcon(QIcon())


class MessageLabel(QLabel):
    """A label of wrapped, selectable plain text, which screen readers read."""

    def __init__(self) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)

    def set_message(self, text: str) -> None:
        """Show a text, and set it as the accessible name."""
        self.setText(text)
        self.setAccessibleName(text)

    def make_heading(self, font_scale: float) -> None:
        """Use a bold font, scaled by a factor."""
        font = self.font()
        font.setPointSizeF(font.pointSizeF() * font_scale)
        font.setBold(True)
        self.setFont(font)
