"""Counters beside a board: chosen statistics and formulas of them, at the moment that is shown."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import (
    QHeaderView,
    QSizePolicy,
    QTableWidget,
    QTableWidgetItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from demine.desktop.plain_text_tool_tips import plain_tool_tip
from demine.logic.errors import DemineError
from demine.scene.translation import tr
from demine.statistics.chosen_counters import called, written

if TYPE_CHECKING:
    from demine.game import Game
    from demine.scene.themes import Theme
    from demine.statistics.chosen_counters import Counter
    from demine.statistics.compute import Timeline


class BackgroundStatistics(QObject):
    """The statistics of a game at any moment, made ready in a thread."""

    ready = Signal()
    _made = Signal()

    def __init__(self, game: Game) -> None:
        super().__init__()
        self._game = game
        self._timeline: Timeline | None = None
        self._closed = False
        self._made.connect(self.ready, Qt.ConnectionType.QueuedConnection)
        self._thread: threading.Thread | None = None

    def begin(self) -> None:
        """Make them ready, unless that was done before."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="statistics", daemon=True)
            self._thread.start()

    def _work(self) -> None:
        from demine.statistics.compute import Timeline

        try:
            made = Timeline(self._game)
            # What all moments have in common is worked out with the first.
            dict(made.at(None))
        except DemineError:
            return
        self._timeline = made
        if not self._closed:
            self._made.emit()

    def close(self) -> None:
        """Nobody waits for it any more."""
        self._closed = True

    def values(self, counters: list[Counter], ms: int | None) -> list[str]:
        """Return what the counters say at a moment; dashes while nothing is known."""
        if self._timeline is None:
            return ["–"] * len(counters)
        now = self._timeline.at(ms)
        return [written(each.formula.value(now)) for each in counters]


class CountersPanel(QWidget):
    """A table of names and values, and a button to choose what is counted."""

    wanted = Signal()
    """Somebody wants to choose the counters."""

    def __init__(self, counters: list[Counter]) -> None:
        super().__init__()
        self.counters = counters
        self.table = QTableWidget(0, 2)
        self.table.verticalHeader().hide()
        self.table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.table.setSelectionMode(QTableWidget.SelectionMode.SingleSelection)
        self.table.setSelectionBehavior(QTableWidget.SelectionBehavior.SelectRows)
        self.table.setTabKeyNavigation(False)
        self.table.setShowGrid(False)
        self.table.setAlternatingRowColors(True)
        self.table.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.table.horizontalHeader().setSectionResizeMode(
            1, QHeaderView.ResizeMode.ResizeToContents
        )
        # The board decides how high the window is.
        self.table.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.button = QToolButton()
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.button.clicked.connect(self.wanted)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 6, 6, 6)
        column.addWidget(self.table, 1)
        column.addWidget(self.button)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.count(counters)

    def count(self, counters: list[Counter]) -> None:
        """Count other things."""
        self.counters = counters
        self.table.setRowCount(len(counters))
        line = self.fontMetrics().height()
        for row in range(len(counters)):
            for col in (0, 1):
                self.table.setItem(row, col, QTableWidgetItem())
            self.table.setRowHeight(row, line + 7)
            side = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            self._item(row, 1).setTextAlignment(side)
        self.retranslate_ui()

    def retranslate_ui(self) -> None:
        """Say every name in the language set."""
        self.table.setAccessibleName(tr("Counters"))
        self.table.setHorizontalHeaderLabels([tr("Counter"), tr("Value")])
        self.button.setText(tr("Choose counters…"))
        for row, counter in enumerate(self.counters):
            item = self._item(row, 0)
            item.setText(called(counter))
            item.setToolTip(plain_tool_tip(counter.formula.text))
        metrics = self.fontMetrics()
        widest = max((metrics.horizontalAdvance(called(each)) for each in self.counters), default=0)
        self.setFixedWidth(min(max(widest, 90), 220) + metrics.horizontalAdvance("0000.000") + 56)

    def apply_theme(self, theme: Theme) -> None:
        """The table has the colours of the other controls: nothing of it is the board's."""
        del theme

    def show_values(self, values: list[str]) -> None:
        """Write the values, in the order of the counters."""
        for row, value in enumerate(values):
            item = self._item(row, 1)
            if item.text() != value:
                item.setText(value)

    def _item(self, row: int, col: int) -> QTableWidgetItem:
        item = self.table.item(row, col)
        if item is None:
            item = QTableWidgetItem()
            self.table.setItem(row, col, item)
        return item
