"""The dialog with all statistics of a finished game: a table to search and copy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLineEdit, QTableWidget, QTableWidgetItem

from demine.desktop.board.counters_panel import BackgroundStatistics
from demine.desktop.dialogs.base import Dialog, MessageLabel
from demine.desktop.widget_builders import set_up_name_value_table, vbox
from demine.scene.translation import mark, tr
from demine.statistics.chosen_counters import Counter
from demine.statistics.definitions import OF_ONE_GAME, TABLE
from demine.statistics.formula import Formula

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from demine.game import Game


class StatisticsDialog(Dialog):
    """A table of names and values, with explanations as tool tips."""

    def __init__(self, parent: QWidget | None, game: Game, title: str) -> None:
        super().__init__(parent, mark("Statistics of the game"))
        self._heading, self._message = MessageLabel(), MessageLabel()
        self._heading.set_message(title)
        self._counters = [Counter("", Formula(name)) for name in OF_ONE_GAME]
        self._values = ["–"] * len(OF_ONE_GAME)
        self.field, self.table = QLineEdit(), QTableWidget(len(OF_ONE_GAME), 2)
        self._set_up_table()
        self.field.setClearButtonEnabled(True)
        self.field.textChanged.connect(self._filter_rows)
        label = self.texts.make_label(mark("&Find:"), self.field)
        copy = self.texts.make_button(mark("&Copy as text"), self.copy_visible_rows)
        buttons, table = self.make_button_box(actions=[copy]), (self.table, 1)
        vbox(self._heading, label, self.field, table, self._message, buttons, parent=self)
        self.update_composed_texts()
        self.statistics = BackgroundStatistics(game)
        self.statistics.ready.connect(self._show_values)
        self._message.set_message(tr("Counting…"))
        self.statistics.start()
        self.resize_to_line_heights(34, 40)
        self.table.setFocus()

    def _set_up_table(self) -> None:
        set_up_name_value_table(self.table)
        self.table.setSelectionMode(QTableWidget.SelectionMode.ExtendedSelection)
        side = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for row in range(len(OF_ONE_GAME)):
            name, value = QTableWidgetItem(), QTableWidgetItem()
            value.setTextAlignment(side)
            self.table.setItem(row, 0, name)
            self.table.setItem(row, 1, value)
        self.table.setCurrentCell(0, 0)

    def update_composed_texts(self) -> None:
        """Fill in names, values and explanations."""
        self.table.setAccessibleName(tr("Statistics of the game"))
        self.table.setHorizontalHeaderLabels([tr("Statistic"), tr("Value")])
        for row, name in enumerate(OF_ONE_GAME):
            explanation = TABLE[name].explanation()
            for col, text in enumerate((TABLE[name].title(), self._value_with_unit(row))):
                item = self.table.item(row, col)
                if item is not None:
                    item.setText(text)
                    item.setToolTip(explanation)
                    item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, explanation)
        self._filter_rows()

    def _value_with_unit(self, row: int) -> str:
        unit, value = TABLE[OF_ONE_GAME[row]].unit, self._values[row]
        return f"{value} {unit}" if unit and value != "–" else value

    def _show_values(self) -> None:
        self._values = self.statistics.counter_values(self._counters, None)
        self._message.set_message(" ")
        self.update_composed_texts()

    def _filter_rows(self) -> None:
        """Hide the rows that do not contain the typed text."""
        wanted = self.field.text().strip().lower()
        for row, name in enumerate(OF_ONE_GAME):
            self.table.setRowHidden(row, wanted not in f"{TABLE[name].title()} {name}".lower())

    def visible_rows_text(self) -> str:
        """Return the heading and the visible rows as lines, `name: value`."""
        lines = [self._heading.text()] + [
            f"{TABLE[name].title()}: {self._value_with_unit(row)}"
            for row, name in enumerate(OF_ONE_GAME)
            if not self.table.isRowHidden(row)
        ]
        return "\n".join(lines) + "\n"

    def copy_visible_rows(self) -> None:
        """Copy the heading and the visible rows to the clipboard."""
        QGuiApplication.clipboard().setText(self.visible_rows_text())
        self._message.set_message(tr("Statistics copied."))

    def done(self, result: int) -> None:
        """Ignore statistics that come later, and close."""
        self.statistics.ignore_result()
        super().done(result)
