"""What a page says while there is nothing to show: what will be here, and how to get it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStackedWidget, QWidget

from demine.desktop.dialogs.base import MessageLabel
from demine.desktop.widget_builders import hbox, vbox

if TYPE_CHECKING:
    from demine.desktop.retranslator import Retranslator


class PageOrEmptyState(QStackedWidget):
    """A page, or a heading and a sentence in its place while the page would be empty."""

    def __init__(self, page: QWidget, texts: Retranslator, heading: str, text: str) -> None:
        """Both texts are message ids."""
        super().__init__()
        self.heading, self.text = MessageLabel(), MessageLabel()
        self.heading.make_heading(1.3)
        for label, message in ((self.heading, heading), (self.text, text)):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
            texts.bind(label.set_message, message)
        empty = QWidget()
        vbox(None, self.heading, hbox(None, (self.text, 4), None), None, parent=empty)
        self.addWidget(page)
        self.addWidget(empty)

    @property
    def is_empty(self) -> bool:
        """Whether the heading and the sentence are shown."""
        return self.currentIndex() == 1

    def show_page(self, *, filled: bool) -> None:
        """Show the page if it is filled, else what it will hold."""
        self.setCurrentIndex(0 if filled else 1)
