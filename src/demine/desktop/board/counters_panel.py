"""The panel of counters beside a board: chosen statistics, and formulas."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import (
    QSizePolicy,
    QTableWidget,
    QTableWidgetItem,
    QToolButton,
    QWidget,
)

from demine.desktop.plain_text_tool_tips import plain_tool_tip
from demine.desktop.widget_builders import set_up_name_value_table, vbox
from demine.logic.errors import DemineError
from demine.scene.translation import tr
from demine.statistics.chosen_counters import counter_title, format_value

if TYPE_CHECKING:
    from demine.game import Game
    from demine.statistics.chosen_counters import Counter
    from demine.statistics.compute import Timeline


class BackgroundStatistics(QObject):
    """The statistics of a game at any moment, computed in a thread."""

    ready = Signal()
    _computed = Signal()

    def __init__(self, game: Game) -> None:
        super().__init__()
        self._game = game
        self._timeline: Timeline | None = None
        self._closed = False
        self._computed.connect(self.ready, Qt.ConnectionType.QueuedConnection)
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Start the thread, unless it was started before."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._compute, name="statistics", daemon=True)
            self._thread.start()

    def _compute(self) -> None:
        from demine.statistics.compute import Timeline

        try:
            timeline = Timeline(self._game)
            # The first moment computes what all moments share.
            dict(timeline.at(None))
        except DemineError:
            return
        self._timeline = timeline
        if not self._closed:
            self._computed.emit()

    def ignore_result(self) -> None:
        """Emit no more signals; the thread ends by itself."""
        self._closed = True

    def counter_values(self, counters: list[Counter], at_ms: int | None) -> list[str]:
        """Return counter values as text, at a time or (None) at the end; dashes until `ready`."""
        if self._timeline is None:
            return ["–"] * len(counters)
        now = self._timeline.at(at_ms)
        return [format_value(each.formula.value(now)) for each in counters]


class CountersPanel(QWidget):
    """A table of counters with their values, and a button to choose counters."""

    choose_requested = Signal()

    def __init__(self, counters: list[Counter]) -> None:
        super().__init__()
        self.table = QTableWidget(0, 2)
        set_up_name_value_table(self.table)
        # The board determines the height of the window.
        self.table.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.button = QToolButton()
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.button.clicked.connect(self.choose_requested)
        column = vbox((self.table, 1), self.button, parent=self)
        column.setContentsMargins(0, 6, 6, 6)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.set_counters(counters)

    def set_counters(self, counters: list[Counter]) -> None:
        """Replace the counters; their values are empty until they are set."""
        self.counters = counters
        self.table.setRowCount(len(counters))
        self._names = [QTableWidgetItem() for _ in counters]
        self._values = [QTableWidgetItem() for _ in counters]
        side = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for row, (name, value) in enumerate(zip(self._names, self._values, strict=True)):
            value.setTextAlignment(side)
            self.table.setItem(row, 0, name)
            self.table.setItem(row, 1, value)
            self.table.setRowHeight(row, self.fontMetrics().height() + 7)
        self.retranslate_ui()

    def retranslate_ui(self) -> None:
        """Set all names in the current language, and the width that they need."""
        self.table.setAccessibleName(tr("Counters"))
        self.table.setHorizontalHeaderLabels([tr("Counter"), tr("Value")])
        self.button.setText(tr("Choose counters…"))
        for item, counter in zip(self._names, self.counters, strict=True):
            item.setText(counter_title(counter))
            item.setToolTip(plain_tool_tip(counter.formula.text))
        metrics = self.fontMetrics()
        widest = max(
            (metrics.horizontalAdvance(counter_title(each)) for each in self.counters), default=0
        )
        self.setFixedWidth(min(max(widest, 90), 220) + metrics.horizontalAdvance("0000.000") + 56)

    def show_values(self, values: list[str]) -> None:
        """Show values in the order of the counters."""
        for item, value in zip(self._values, values, strict=True):
            if item.text() != value:
                item.setText(value)
