"""A table whose rows are selected whole, and activated by a double click or Enter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionHeaderV2,
    QStyleOptionViewItem,
    QTableView,
)

from demine.desktop.dialogs.history_table_model import LAST_COLUMN_SPACE
from demine.desktop.widget_builders import set_up_row_table

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QResizeEvent

    from demine.desktop.dialogs.history_table_model import Index


class SortedHeader(QHeaderView):
    """A header that leaves room for the sort arrow only in the column that is sorted.

    Qt leaves it in every column, and a table of ten columns is then wider than its window.
    """

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setSectionsClickable(True)

    def sectionSizeFromContents(self, section: int) -> QSize:
        """Return the size (logical pixels) that a heading needs as it is drawn now."""
        option = QStyleOptionHeaderV2()
        self.initStyleOption(option)
        self.initStyleOptionForIndex(option, section)
        kind = QStyle.ContentsType.CT_HeaderSection
        return self.style().sizeFromContents(kind, option, QSize(), self)


class RowTable(QTableView):
    """A table in which whole rows are selected; a double click or Enter activates one."""

    row_activated = Signal(int)
    """The number of the row."""
    resized = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setHorizontalHeader(SortedHeader())
        set_up_row_table(self)
        self.setWordWrap(False)
        self.setSortingEnabled(True)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().setResizeContentsPrecision(50)
        self.horizontalHeader().setStretchLastSection(True)
        self.doubleClicked.connect(self._activate)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Emit `resized`."""
        super().resizeEvent(event)
        self.resized.emit()

    def needed_width(self, column: int) -> int:
        """Return the width (logical pixels) of a column's heading and texts."""
        return max(self.sizeHintForColumn(column), self.horizontalHeader().sectionSizeHint(column))

    def _activate(self, index: QModelIndex) -> None:
        if index.isValid():
            self.row_activated.emit(index.row())

    def activate_current_row(self) -> None:
        """Emit `row_activated` for the current row, if there is one."""
        self._activate(self.currentIndex())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Activate the current row with Enter, instead of pressing a button of the dialog."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.activate_current_row()
        else:
            super().keyPressEvent(event)


class SpacedDelegate(QStyledItemDelegate):
    """A delegate that leaves a gap before a text column that follows right-aligned numbers."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        """Indent the text that is drawn, but not that of the model."""
        super().initStyleOption(option, index)
        option.text = f"{LAST_COLUMN_SPACE}{option.text}"
