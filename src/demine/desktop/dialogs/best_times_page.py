"""The page of best times in Records: one row for the games under each rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QHeaderView, QWidget

from demine.desktop.dialogs import formatting
from demine.desktop.dialogs.base import MessageLabel
from demine.desktop.dialogs.empty_state import PageOrEmptyState
from demine.desktop.dialogs.row_table import RowTable
from demine.desktop.plain_text_tool_tips import plain_tool_tip
from demine.desktop.widget_builders import hbox, vbox
from demine.play.record_table import record_heads, record_row
from demine.scene.board_title import board_title
from demine.scene.translation import mark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from demine.desktop.retranslator import Retranslator
    from demine.store import Record

_SORT_VALUE: Final = Qt.ItemDataRole.UserRole
_RULES: Final = _SORT_VALUE + 1
_BEST_GAME: Final = _SORT_VALUE + 2
_LEAST_RULES: Final = 16
"""So many characters of rules stay in sight however narrow the table is."""
_GAMES: Final = 2
"""The column of how many games were played, by which rows are sorted at first."""


class BestTimesPage(QWidget):
    """A table with a row for the games under each rules."""

    show_requested = Signal(str)
    """The id of the game to show: the best one of a row."""

    def __init__(self, texts: Retranslator) -> None:
        super().__init__()
        self._model = QStandardItemModel(self)
        self._model.setSortRole(_SORT_VALUE)
        self.table = RowTable()
        self.table.setModel(self._model)
        self.table.sortByColumn(_GAMES, Qt.SortOrder.DescendingOrder)
        header = self.table.horizontalHeader()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        texts.bind(self.table.setAccessibleName, mark("Best times and averages, in seconds"))
        self._note = MessageLabel()
        self._button = texts.make_button(
            mark("Show the best ga&me"), self.table.activate_current_row
        )
        texts.bind(
            self._note.set_message,
            mark("Times in seconds. Only games on fresh boards, without undo or hints, count."),
        )
        page = QWidget()
        vbox((self.table, 1), self._note, hbox(self._button, None), parent=page)
        self.content = PageOrEmptyState(
            page,
            texts,
            mark("No ranked games yet"),
            mark(
                "Your best times, averages and streaks will be here. Finish a game on a fresh "
                "board, without undo or hints, and it counts."
            ),
        )
        vbox(self.content, parent=self).setContentsMargins(0, 0, 0, 0)
        self.table.resized.connect(self._fit_first_column)
        header.sortIndicatorChanged.connect(self._fit_first_column)
        self.table.row_activated.connect(self._request_best_game)
        self.table.selectionModel().currentRowChanged.connect(self._update_button)

    @property
    def chosen_rules(self) -> str | None:
        """The rules of the current row as text; None without a row."""
        found: str | None = self._model.index(self.table.currentIndex().row(), 0).data(_RULES)
        return found

    def show_records(self, records: Sequence[Record], chosen_rules: str) -> None:
        """Show records in the current order, and select the row of some rules."""
        self._model.clear()
        self._model.setHorizontalHeaderLabels(record_heads())
        for record in records:
            self._model.appendRow(_make_row(record))
        header = self.table.horizontalHeader()
        self._model.sort(header.sortIndicatorSection(), header.sortIndicatorOrder())
        self._fit_first_column()
        first = self._model.index(0, 0)
        found = self._model.match(first, _RULES, chosen_rules, 1, Qt.MatchFlag.MatchExactly)
        self.table.setCurrentIndex(found[0] if found else first)
        self.content.show_page(filled=bool(records))
        self._update_button()

    def _fit_first_column(self) -> None:
        """Stretch the first column, and cut long rules short where the rest has no room else."""
        table, header = self.table, self.table.horizontalHeader()
        if not self._model.columnCount():
            return
        # Their sections may still have the widths they had before the last sort.
        others = sum(table.needed_width(column) for column in range(1, header.count()))
        room = table.viewport().width() - others
        least = min(table.needed_width(0), _LEAST_RULES * table.fontMetrics().averageCharWidth())
        stretches = room >= max(least, header.sectionSizeHint(0))
        mode = QHeaderView.ResizeMode
        header.setSectionResizeMode(0, mode.Stretch if stretches else mode.Fixed)
        if not stretches:
            header.resizeSection(0, max(least, header.sectionSizeHint(0)))

    def _best_game(self, row: int) -> str:
        found: str | None = self._model.index(row, 0).data(_BEST_GAME)
        return found or ""

    def _update_button(self) -> None:
        self._button.setEnabled(bool(self._best_game(self.table.currentIndex().row())))

    def _request_best_game(self, row: int) -> None:
        if self._best_game(row):
            self.show_requested.emit(self._best_game(row))


def _make_row(record: Record) -> list[QStandardItem]:
    """Return the items of a row, with their texts and the values to sort by."""
    never = float("inf")
    values = (
        board_title(record.rules),
        never if record.best_ms is None else record.best_ms,
        record.games,
        record.wins,
        record.win_rate or 0.0,
        record.streak,
        record.best_streak,
        record.average_10 or never,
        record.average_100 or never,
    )
    items = []
    for column, (text, value) in enumerate(zip(record_row(record), values, strict=True)):
        item = QStandardItem(text)
        item.setData(value, _SORT_VALUE)
        if column:
            item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        items.append(item)
    items[0].setToolTip(plain_tool_tip(f"{items[0].text()}\n{record.rules}"))
    items[0].setData(record.rules, _RULES)
    items[0].setData(record.best_id or "", _BEST_GAME)
    if record.best_at:
        items[1].setToolTip(formatting.format_local_time(record.best_at))
    return items
