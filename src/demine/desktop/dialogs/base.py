"""What all dialogs share: texts that follow the language, and pictures sharp on any screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QIcon, QImage
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel

from demine.scene.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray
    from PySide6.QtGui import QShowEvent
    from PySide6.QtWidgets import QWidget


class Retranslator:
    """Sets the texts of widgets in the language set, and sets them anew when it changes."""

    def __init__(self) -> None:
        self._said: list[tuple[Callable[[str], object], str]] = []

    def say(self, setter: Callable[[str], object], message: str) -> None:
        """Hand a message (its English id) to a setter in the language set, now and later."""
        self._said.append((setter, message))
        setter(tr(message))

    def again(self) -> None:
        """Say everything in the language set now."""
        for setter, message in self._said:
            setter(tr(message))


class Dialog(QDialog):
    """A dialog whose texts follow the language at once; Esc closes it."""

    def __init__(self, parent: QWidget | None, title: str) -> None:
        super().__init__(parent)
        self.texts = Retranslator()
        self.texts.say(self.setWindowTitle, title)

    def resize_to_lines(self, wide: float, high: float) -> None:
        """Open in so many lines of text, wide and high, as far as the screen has room."""
        line = self.fontMetrics().height()
        room = self.screen().availableSize() * 0.94
        wanted = QSize(round(wide * line), round(high * line))
        self.resize(wanted.expandedTo(self.minimumSizeHint()).boundedTo(room))

    def showEvent(self, event: QShowEvent) -> None:
        """Show buttons that can be read in every look."""
        remove_button_icons(self)
        super().showEvent(event)

    def exec(self) -> int:
        """Ask, and let go of the widgets when the caller has read what was answered.

        The parent would keep them for good, and they would hear of every later language.
        """
        try:
            return super().exec()
        finally:
            self.deleteLater()

    def retranslate_ui(self) -> None:
        """Say every text in the language set now; dialogs add what they compose themselves."""
        self.texts.again()

    def changeEvent(self, event: QEvent) -> None:
        """Follow Qt's own announcement of another language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate_ui()
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

    def tell(self, text: str) -> None:
        """Show a text and name it for screen readers."""
        self.setText(text)
        self.setAccessibleName(text)


def image(picture: NDArray[np.uint8], ratio: float = 1.0) -> QImage:
    """Return a picture, uint8 (height, width, 3 or 4), as an image of its own memory.

    `ratio` is the number of its pixels for one of the screen's logical pixels.
    """
    high, wide, channels = picture.shape
    kind = QImage.Format.Format_RGB888 if channels == 3 else QImage.Format.Format_RGBA8888
    made = QImage(picture.tobytes(), wide, high, wide * channels, kind).copy()
    made.setDevicePixelRatio(ratio)
    return made
