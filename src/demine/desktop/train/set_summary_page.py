"""The page at the end of a set: what was right, when it comes again, and what got better."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QTableWidget, QTableWidgetItem, QWidget

from demine.desktop.dialogs.base import MessageLabel
from demine.desktop.dialogs.row_table import SpacedDelegate
from demine.desktop.widget_builders import hbox, set_up_row_table, vbox
from demine.play.drills.set_summary import SetSummary
from demine.scene.translation import mark, tr
from demine.store.errors import StoreError

if TYPE_CHECKING:
    from demine.desktop.retranslator import Retranslator
    from demine.play.drills.session import DrillSession
    from demine.store import Store

_HEADS: Final = (
    mark("Answer"), mark("Pattern"), mark("Question"), mark("Time"), mark("Comes again"),
)  # fmt: skip
_PATTERN, _TIME, _AGAIN = 1, 3, 4


class SetSummaryPage(QWidget):
    """Sums a session up; `another_wanted` asks for the next set."""

    another_wanted = Signal()

    def __init__(self, store: Store, texts: Retranslator) -> None:
        super().__init__()
        self._store = store
        self._session: DrillSession | None = None
        self.heading, self.words = MessageLabel(), MessageLabel()
        self.heading.make_heading(1.5)
        self.table = QTableWidget(0, len(_HEADS))
        set_up_row_table(self.table)
        self.table.setItemDelegateForColumn(_AGAIN, SpacedDelegate(self.table))
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(header.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(_PATTERN, header.ResizeMode.Stretch)
        self.another = texts.make_button(mark("&Another set"), self.another_wanted.emit)
        vbox(
            self.heading, self.words, (self.table, 1), hbox(None, self.another), parent=self
        ).setSpacing(10)

    def show_session(self, session: DrillSession) -> None:
        """Sum up a session that is at its end."""
        self._session = session
        self.update_texts()
        self.another.setFocus()

    def update_texts(self) -> None:
        """Write all texts in the current language."""
        self.table.setHorizontalHeaderLabels([tr(head) for head in _HEADS])
        self.table.setAccessibleName(tr("Answers of this set"))
        session = self._session
        if session is None:
            return
        self.heading.set_message(session.summary())
        try:
            reviews = self._store.drill_reviews()
        except StoreError:  # said where answers are saved
            reviews = ()
        summary = SetSummary.of(session.reviews, reviews, datetime.now(UTC))
        lines = (summary.progress.headline, summary.best_improvement)
        self.words.set_message("\n".join(filter(None, lines)))
        self._fill(summary)

    def _fill(self, summary: SetSummary) -> None:
        self.table.setRowCount(len(summary.lines))
        side = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for row, line in enumerate(summary.lines):
            for col, text in enumerate((line.verdict, *line[1:])):
                item = QTableWidgetItem(text)
                if col == _TIME:
                    item.setTextAlignment(side)
                self.table.setItem(row, col, item)
