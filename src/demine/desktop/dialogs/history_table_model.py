"""The history as a Qt table model, which reads only the rows that are shown."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal

from demine.desktop.dialogs import formatting
from demine.play import record_table
from demine.play.history_table import HEADS
from demine.scene.board_title import board_title
from demine.scene.translation import explain, tr
from demine.store import StoreError
from demine.store.history import COLUMNS, STATISTIC_COLUMNS, HistoryFilter

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

    from demine.store import GameRow, Store
    from demine.store.history import History

Index = QModelIndex | QPersistentModelIndex

LAST_COLUMN_SPACE: Final = "\N{EN SPACE}"
"""The gap between the text of the last column and the numbers before it."""
PAGE: Final = 100
_PAGES: Final = 40
"""Pages that stay in memory, for what a view shows and scrolls back to."""

_NUMBERS: Final = frozenset(
    COLUMNS.index(name) for name in ("time", "bv", "bv_s", "ioe", "clicks", "acts")
)
_ROOT: Final = QModelIndex()


class HistoryModel(QAbstractTableModel):
    """The history, sorted and filtered; it reads one page of games at a time."""

    error_occurred = Signal(str)
    """An error of the store, as a message to show."""

    def __init__(self, store: Store, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._filter = HistoryFilter()
        self._column, self._descending = COLUMNS[0], True
        self._history: History | None = None
        self._pages: OrderedDict[int, tuple[GameRow | None, ...]] = OrderedDict()

    # For the page

    def set_filter(self, new_filter: HistoryFilter) -> None:
        """Filter the games, and read them again."""
        self._filter = new_filter
        self.reload()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column, and read the games again."""
        self._column, self._descending = COLUMNS[column], order == Qt.SortOrder.DescendingOrder
        self.reload()

    def reload(self) -> None:
        """Read again which games there are, and reset the model."""
        self.beginResetModel()
        self._pages.clear()
        try:
            self._history = self._store.history(
                self._filter, self._column, descending=self._descending
            )
        except StoreError as error:
            self._history = None
            self.error_occurred.emit(explain(error))
        self.endResetModel()

    def refresh(self) -> None:
        """Read the shown rows again, since statistics may have been added."""
        self._pages.clear()
        if self.rowCount():
            last = self.index(self.rowCount() - 1, len(COLUMNS) - 1)
            self.dataChanged.emit(self.index(0, 0), last)

    @property
    def sorted_by_statistics(self) -> bool:
        """Whether the sort column holds statistics, which may be added later."""
        return self._column in STATISTIC_COLUMNS

    def game_ids(self) -> tuple[str, ...]:
        """Return the ids of all games in the list, in order; raises `StoreError`."""
        return () if self._history is None else self._history.game_ids()

    def game_row(self, row: int) -> GameRow | None:
        """Return the game in a row; None if there is none or it cannot be read."""
        if self._history is None or not 0 <= row < len(self._history):
            return None
        number = row // PAGE
        if number not in self._pages:
            try:
                self._pages[number] = self._history.page(number * PAGE, PAGE)
            except StoreError as error:
                self.error_occurred.emit(explain(error))
                return None
            if len(self._pages) > _PAGES:
                self._pages.popitem(last=False)
        self._pages.move_to_end(number)
        return self._pages[number][row % PAGE]

    # For the view

    def rowCount(self, parent: Index = _ROOT) -> int:
        """Return the number of games."""
        return 0 if parent.isValid() or self._history is None else len(self._history)

    def columnCount(self, parent: Index = _ROOT) -> int:
        """Return the number of columns."""
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> str | int | None:
        """Return the title or the alignment of a column, or the number of a row."""
        if orientation == Qt.Orientation.Horizontal:
            if role == Qt.ItemDataRole.DisplayRole:
                space = LAST_COLUMN_SPACE if section == len(COLUMNS) - 1 else ""
                return space + tr(HEADS[COLUMNS[section]])
            if role == Qt.ItemDataRole.TextAlignmentRole:
                return _alignment(section)
        elif role == Qt.ItemDataRole.DisplayRole:
            return section + 1
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> str | int | None:
        """Return the text, tool tip or alignment of a cell."""
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(index.column())
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        row = self.game_row(index.row())
        if row is None:
            return "…" if role == Qt.ItemDataRole.DisplayRole else None
        if role == Qt.ItemDataRole.ToolTipRole:
            return row.rules
        return _cell_texts(row)[index.column()]

    def retranslate_ui(self) -> None:
        """Make the views read all texts again."""
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(COLUMNS) - 1)
        self.refresh()


def _cell_texts(row: GameRow) -> tuple[str, ...]:
    return (
        formatting.format_local_time(row.finished_at or row.seen_at),
        board_title(row.rules),
        formatting.game_result_text(row.status),
        record_table.format_seconds(row.time_ms),
        formatting.format_decimal(row.bv),
        formatting.format_decimal(row.bv_s, 2),
        formatting.format_decimal(row.ioe, 2),
        formatting.format_decimal(row.clicks),
        str(row.acts),
        formatting.unranked_reason_text(row.unranked),
    )


def _alignment(column: int) -> int:
    side = Qt.AlignmentFlag.AlignRight if column in _NUMBERS else Qt.AlignmentFlag.AlignLeft
    return int((side | Qt.AlignmentFlag.AlignVCenter).value)
