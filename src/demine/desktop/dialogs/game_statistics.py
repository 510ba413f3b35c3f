"""Every statistic of a game that is over, in words, as a table to read and to copy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
)

from demine.desktop.board.statistics_table import BackgroundStatistics
from demine.desktop.dialogs.base import Dialog, MessageLabel
from demine.scene.translation import mark, tr
from demine.statistics.chosen_counters import Counter
from demine.statistics.definitions import TABLE
from demine.statistics.formula import Formula

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from demine.game import Game

NAMES: Final = tuple(name for name, row in TABLE.items() if not row.slow)
"""What is shown, in the order of the table of statistics."""


class StatisticsDialog(Dialog):
    """A table of names and values; what each is stands in its tool tip."""

    def __init__(self, parent: QWidget | None, game: Game, title: str) -> None:
        super().__init__(parent, mark("Statistics of the game"))
        self._heading, self._news = MessageLabel(), MessageLabel()
        self._heading.tell(title)
        self._counters = [Counter("", Formula(name)) for name in NAMES]
        self._values = ["–"] * len(NAMES)
        self.field, self.table = QLineEdit(), QTableWidget(len(NAMES), 2)
        self._make_table()
        self._lay_out()
        self._tell()
        self.account = BackgroundStatistics(game)
        self.account.ready.connect(self._show_values)
        self._news.tell(tr("Counting…"))
        self.account.begin()
        self.resize_to_lines(34, 40)
        self.table.setFocus()

    def _make_table(self) -> None:
        table = self.table
        table.verticalHeader().hide()
        table.verticalHeader().setDefaultSectionSize(round(self.fontMetrics().height() * 1.6))
        table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        table.setSelectionBehavior(QTableWidget.SelectionBehavior.SelectRows)
        table.setTabKeyNavigation(False)
        table.setShowGrid(False)
        table.setAlternatingRowColors(True)
        table.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        table.horizontalHeader().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        side = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for row in range(len(NAMES)):
            name, value = QTableWidgetItem(), QTableWidgetItem()
            value.setTextAlignment(side)
            table.setItem(row, 0, name)
            table.setItem(row, 1, value)
        table.setCurrentCell(0, 0)

    def _lay_out(self) -> None:
        say = self.texts.say
        label, copy = QLabel(), QPushButton()
        label.setBuddy(self.field)
        say(label.setText, mark("&Find:"))
        say(copy.setText, mark("&Copy as text"))
        copy.setAutoDefault(False)
        copy.clicked.connect(self.copy)
        self.field.setClearButtonEnabled(True)
        self.field.textChanged.connect(self._find)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        buttons.addButton(copy, QDialogButtonBox.ButtonRole.ActionRole)
        layout = QVBoxLayout(self)
        for part in (self._heading, label, self.field):
            layout.addWidget(part)
        layout.addWidget(self.table, 1)
        layout.addWidget(self._news)
        layout.addWidget(buttons)

    def retranslate_ui(self) -> None:
        """Say every text anew."""
        super().retranslate_ui()
        self._tell()

    def _tell(self) -> None:
        self.table.setAccessibleName(tr("Statistics of the game"))
        self.table.setHorizontalHeaderLabels([tr("Statistic"), tr("Value")])
        for row, name in enumerate(NAMES):
            said, what = TABLE[name].title(), TABLE[name].explanation()
            for col, text in enumerate((said, self._shown(row))):
                item = self.table.item(row, col)
                if item is not None:
                    item.setText(text)
                    item.setToolTip(what)
                    item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, what)
        self._find()

    def _shown(self, row: int) -> str:
        unit, value = TABLE[NAMES[row]].unit, self._values[row]
        return f"{value} {unit}" if unit and value != "–" else value

    def _show_values(self) -> None:
        self._values = self.account.values(self._counters, None)
        self._news.tell(" ")
        self._tell()

    def _find(self) -> None:
        """Show the rows that hold what was typed."""
        wanted = self.field.text().strip().lower()
        for row, name in enumerate(NAMES):
            self.table.setRowHidden(row, wanted not in f"{TABLE[name].title()} {name}".lower())

    def text(self) -> str:
        """Return the rows that are shown as lines, `name: value`."""
        lines = [self._heading.text()] + [
            f"{TABLE[name].title()}: {self._shown(row)}"
            for row, name in enumerate(NAMES)
            if not self.table.isRowHidden(row)
        ]
        return "\n".join(lines) + "\n"

    def copy(self) -> None:
        """Put the rows that are shown on the clipboard."""
        QGuiApplication.clipboard().setText(self.text())
        self._news.tell(tr("The statistics are on the clipboard."))

    def done(self, result: int) -> None:
        """Wait for nothing any more."""
        self.account.close()
        super().done(result)
