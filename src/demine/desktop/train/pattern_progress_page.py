"""The page of the progress at drills: a row for each pattern, with a small plot of its times."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF
from PySide6.QtWidgets import (
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from demine.desktop.colour_scheme import to_qcolor
from demine.desktop.dialogs.base import MessageLabel
from demine.desktop.dialogs.empty_state import PageOrEmptyState
from demine.desktop.dialogs.row_table import SpacedDelegate
from demine.desktop.widget_builders import set_up_row_table, vbox
from demine.play.drills.progress import PROGRESS_HEADS, DrillProgress
from demine.scene.translation import explain, mark, tr
from demine.store.daily import today_utc
from demine.store.errors import StoreError

if TYPE_CHECKING:
    from demine.desktop.retranslator import Retranslator
    from demine.play.drills.progress import PatternProgress
    from demine.scene.themes import Theme
    from demine.store import Store

_PATTERN, _SINCE, _TIMES = 0, 5, 6
_SHOWN: Final = 30
"""How many of the last times a small plot shows."""


class PatternProgressPage(QWidget):
    """The player's progress by pattern, read from the store whenever it is shown."""

    def __init__(self, store: Store, theme: Theme, texts: Retranslator) -> None:
        super().__init__()
        self._store = store
        self.headline = MessageLabel()
        self.headline.make_heading(1.2)
        self.table = QTableWidget(0, len(PROGRESS_HEADS))
        set_up_row_table(self.table)
        self.table.setItemDelegateForColumn(_TIMES, SparklineDelegate(theme, self.table))
        self.table.setItemDelegateForColumn(_SINCE, SpacedDelegate(self.table))
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(header.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(_PATTERN, header.ResizeMode.Stretch)
        header.setSectionResizeMode(_TIMES, header.ResizeMode.Fixed)
        header.resizeSection(_TIMES, self.fontMetrics().height() * 9)
        page = QWidget()
        vbox(self.headline, (self.table, 1), parent=page)
        self.content = PageOrEmptyState(
            page,
            texts,
            mark("No answers yet"),
            mark("How fast you find each pattern, and how often, will stand here."),
        )
        vbox(self.content, parent=self).setContentsMargins(0, 0, 0, 0)

    def reload(self) -> None:
        """Read the answers again, and write all in the current language."""
        self.table.setHorizontalHeaderLabels([tr(head) for head in PROGRESS_HEADS])
        self.table.setAccessibleName(tr("Progress by pattern"))
        try:
            progress = DrillProgress.of(self._store.drill_reviews(), today_utc())
        except StoreError as error:
            self.content.text.set_message(explain(error))
            self.content.show_page(filled=False)
            return
        self.content.show_page(filled=bool(progress.patterns))
        self.headline.set_message(progress.headline)
        self.table.setRowCount(len(progress.patterns))
        for row, each in enumerate(progress.patterns):
            self._fill_row(row, each)

    def _fill_row(self, row: int, each: PatternProgress) -> None:
        side = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for col, text in enumerate(each.texts):
            item = QTableWidgetItem("" if col == _TIMES else text)
            if _PATTERN < col < _SINCE:
                item.setTextAlignment(side)
            if col == _TIMES:
                item.setData(Qt.ItemDataRole.UserRole, each.times_ms[-_SHOWN:])
                item.setData(Qt.ItemDataRole.AccessibleTextRole, str(each))
            item.setToolTip(str(each))
            self.table.setItem(row, col, item)


class SparklineDelegate(QStyledItemDelegate):
    """Draws times as a line from 0 to the longest, the newest at the right, with a dot at it."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Draw a cell of the table."""
        super().paint(painter, option, index)
        times = index.data(Qt.ItemDataRole.UserRole)
        if times:
            area = QRectF(option.rect)
            self._paint_line(painter, area.adjusted(6, 4, -6, -4), [float(ms) for ms in times])

    def _paint_line(self, painter: QPainter, area: QRectF, times: list[float]) -> None:
        most, steps = max(*times, 1.0), max(1, len(times) - 1)
        points = [
            QPointF(area.right() - area.width() * (len(times) - 1 - at) / steps,
                    area.bottom() - area.height() * ms / most)
            for at, ms in enumerate(times)
        ]  # fmt: skip
        colour = to_qcolor(self._theme.digit_colour(1))
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(colour, 1.6))
        painter.drawPolyline(QPolygonF(points))
        painter.setBrush(colour)
        painter.drawEllipse(points[-1], 2.5, 2.5)
        painter.restore()
