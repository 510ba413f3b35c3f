"""The page of daily boards in Records: the standing of each level, and a calendar."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QGuiApplication,
    QHelpEvent,
    QPainter,
    QPen,
    QStandardItem,
    QStandardItemModel,
)
from PySide6.QtWidgets import (
    QHeaderView,
    QLabel,
    QPushButton,
    QSizePolicy,
    QToolTip,
    QWidget,
)

from demine.desktop.colour_scheme import to_qcolor
from demine.desktop.dialogs.base import MessageLabel
from demine.desktop.dialogs.row_table import RowTable
from demine.desktop.widget_builders import hbox, make_scroll_area, vbox
from demine.logic.daily_board import LEVELS, Daily
from demine.logic.errors import DemineError
from demine.play import daily_page
from demine.play.daily_game import latest_daily_result_line
from demine.play.record_table import format_seconds
from demine.scene.colours import mix
from demine.scene.translation import explain, mark, tr
from demine.store.daily import LEVEL_NAMES, OUTCOME_NAMES, standing_at_level, today_utc

if TYPE_CHECKING:
    from datetime import date

    from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent

    from demine.desktop.retranslator import Retranslator
    from demine.scene.colours import RGB
    from demine.scene.themes import Theme
    from demine.store import Store
    from demine.store.daily import DailyAttempt, DailyStanding

_ONE: Final = timedelta(days=1)
_OUTCOME_SIGNS: Final = {"won": "✓", "lost": "✗", "resigned": "✗", "helped": "~", None: "…"}
"""The sign on a day, by the outcome of its attempt."""
_KEY_STEPS: Final = {
    Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: -7, Qt.Key.Key_Down: 7,
}  # fmt: skip


class MonthCalendar(QWidget):
    """A calendar of one month of daily boards at one level; mouse and keys select a day."""

    day_selected = Signal()
    day_activated = Signal()
    """The selected day was double-clicked, or Enter was pressed."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._standing = standing_at_level((), next(iter(LEVELS)))
        self.day = today_utc()
        """The selected day."""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_standing(self, standing: DailyStanding) -> None:
        """Show the attempts of a level."""
        self._standing = standing
        self._update_day()

    def select_day(self, day: date) -> None:
        """Select a day, but none after today."""
        self.day = min(day, today_utc())
        self._update_day()
        self.day_selected.emit()

    def go_by_months(self, months: int) -> None:
        """Go forward by months, or back if negative, but not beyond today."""
        count = 12 * self.day.year + self.day.month - 1 + months
        first = self.day.replace(year=count // 12, month=count % 12 + 1, day=1)
        last = (first + 31 * _ONE).replace(day=1) - _ONE
        self.select_day(min(first.replace(day=min(self.day.day, last.day)), today_utc()))

    def describe_day(self, day: date) -> str:
        """Return a text with a day, its outcome and its time."""
        attempt = self._standing.days.get(day)
        if attempt is None:
            return tr("{day}: not played", day=day.isoformat())
        outcome = tr(OUTCOME_NAMES[attempt.outcome])
        time = format_seconds(attempt.time_ms)
        return tr("{day}: {outcome}, {time} s", day=day.isoformat(), outcome=outcome, time=time)

    def _update_day(self) -> None:
        self.setAccessibleDescription(self.describe_day(self.day))
        self.update()

    # Geometry

    def sizeHint(self) -> QSize:
        """Return room for seven days by six weeks and a row of names."""
        line = self.fontMetrics().height()
        return QSize(28 * line, 16 * line)

    def minimumSizeHint(self) -> QSize:
        """Return the least size at which the numbers are readable."""
        line = self.fontMetrics().height()
        return QSize(17 * line, 11 * line)

    @property
    def _first_monday(self) -> date:
        """The Monday of the week in which the month begins."""
        first = self.day.replace(day=1)
        return first - first.weekday() * _ONE

    def _header_height(self) -> float:
        return self.fontMetrics().height() * 1.5

    def _day_rect(self, day: date) -> QRectF:
        at = (day - self._first_monday).days
        wide, high = self.width() / 7, (self.height() - self._header_height()) / 6
        return QRectF(at % 7 * wide, self._header_height() + at // 7 * high, wide, high)

    def day_at(self, point: QPointF) -> date | None:
        """Return the day at a point; None outside this month, and for future days."""
        days = (self._first_monday + n * _ONE for n in range(42))
        found = next((day for day in days if self._day_rect(day).contains(point)), None)
        shown = found is not None and found.month == self.day.month and found <= today_utc()
        return found if shown else None

    # Mouse and keyboard

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select the day under the pointer."""
        day = self.day_at(event.position())
        if day is not None:
            self.select_day(day)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Activate the day under the pointer."""
        if self.day_at(event.position()) is not None:
            self.day_activated.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Select by arrows (days) and Page Up and Down (months); Enter activates the day."""
        key = Qt.Key(event.key())
        if key in _KEY_STEPS:
            self.select_day(self.day + _KEY_STEPS[key] * _ONE)
        elif key in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            self.go_by_months(1 if key is Qt.Key.Key_PageDown else -1)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.day_activated.emit()
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Show the day under the pointer in a tool tip."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            day = self.day_at(event.pos().toPointF())
            QToolTip.showText(
                event.globalPos(), "" if day is None else self.describe_day(day), self
            )
            return True
        return super().event(event)

    # Paint

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the names of the weekdays, and the days."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), to_qcolor(self._theme.opened))
        painter.setPen(to_qcolor(self._theme.mine))
        for n, name in enumerate(daily_page.WEEKDAYS):
            place = QRectF(n * self.width() / 7, 0, self.width() / 7, self._header_height())
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, tr(name))
        day = self._first_monday
        while (day.year, day.month) <= (self.day.year, self.day.month):
            if day.month == self.day.month:
                self._paint_day(painter, day)
            day += _ONE
        painter.end()

    def _paint_day(self, painter: QPainter, day: date) -> None:
        theme, place = self._theme, self._day_rect(day).adjusted(1.5, 1.5, -1.5, -1.5)
        attempt: DailyAttempt | None = self._standing.days.get(day)
        painter.setPen(QPen(to_qcolor(theme.grid), 1))
        painter.setBrush(to_qcolor(self._fill_colour(attempt)))
        painter.drawRoundedRect(place, 3, 3)
        if day == today_utc():
            painter.setPen(QPen(to_qcolor(theme.mine), 1.6))
            painter.drawRoundedRect(place.adjusted(1, 1, -1, -1), 3, 3)
        if day == self.day:
            painter.setPen(QPen(to_qcolor(theme.cursor), 2.4))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(place, 3, 3)
        ink = to_qcolor(theme.mine)
        ink.setAlphaF(0.5 if day > today_utc() else 1.0)
        painter.setPen(ink)
        inside = place.adjusted(5, 2, -5, -2)
        painter.drawText(inside, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop,
                         str(day.day))  # fmt: skip
        if attempt is not None:
            self._paint_sign(painter, inside, attempt.outcome)

    def _fill_colour(self, attempt: DailyAttempt | None) -> RGB:
        ink = None if attempt is None else self._outcome_colour(attempt.outcome)
        return self._theme.opened if ink is None else mix(self._theme.opened, ink, 0.16)

    def _outcome_colour(self, outcome: str | None) -> RGB:
        inks = {"won": self._theme.digit_colour(2), "lost": self._theme.digit_colour(3)}
        return inks.get("lost" if outcome == "resigned" else outcome or "", self._theme.mine)

    def _paint_sign(self, painter: QPainter, place: QRectF, outcome: str | None) -> None:
        font = painter.font()
        font.setBold(True)
        font.setPixelSize(max(10, round(min(place.height() * 0.72, self._header_height() * 1.2))))
        painter.setFont(font)
        painter.setPen(to_qcolor(self._outcome_colour(outcome)))
        painter.drawText(place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom,
                         _OUTCOME_SIGNS[outcome])  # fmt: skip
        painter.setFont(self.font())


class DailyPage(QWidget):
    """The standing of each level, and the calendar of the selected one."""

    message = Signal(str)
    """A message to show."""
    play_requested = Signal()
    """The player wants to play the board `requested`."""

    def __init__(self, store: Store, theme: Theme, texts: Retranslator) -> None:
        super().__init__()
        self._store = store
        self._standings: dict[str, DailyStanding] = {}
        self.requested: Daily | None = None
        """The board that the player wants to play, or None."""
        self._model = QStandardItemModel(self)
        self.table = RowTable()
        self.table.setModel(self._model)
        self.table.setSortingEnabled(False)
        texts.bind(self.table.setAccessibleName, mark("Daily boards by level"))
        header = self.table.horizontalHeader()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setMinimumSectionSize(4 * header.fontMetrics().height())
        self.month = MonthCalendar(theme)
        texts.bind(self.month.setAccessibleName, mark("Days of the month"))
        self._date, self._day, self._rule = MessageLabel(), MessageLabel(), MessageLabel()
        texts.bind(self._rule.set_message, daily_page.DAILY_RULES_TEXT)
        self._title = QLabel()
        self.play = QPushButton()
        self.play.clicked.connect(self._request_play)
        self.copy = texts.make_button(mark("Copy &result"), self._copy_result)
        self._previous, self._next = QPushButton("‹"), QPushButton("›")
        texts.bind(self._previous.setAccessibleName, mark("Previous month"))
        texts.bind(self._next.setAccessibleName, mark("Next month"))
        for button, months in ((self._previous, -1), (self._next, 1)):
            button.clicked.connect(lambda _on=False, months=months: self.month.go_by_months(months))
            button.setFixedWidth(button.sizeHint().height() * 3 // 2)
        self._lay_out()
        self.month.day_selected.connect(self._show_day)
        self.month.day_activated.connect(self._request_play)
        self.table.selectionModel().currentRowChanged.connect(self._show_level)
        self.table.row_activated.connect(self._request_play)

    def _lay_out(self) -> None:
        self._title.setAlignment(Qt.AlignmentFlag.AlignCenter)
        rows = self.table.verticalHeader().defaultSectionSize()
        self.table.setFixedHeight(4 * rows + self.table.horizontalHeader().sizeHint().height() // 2)
        content = QWidget()
        vbox(
            self._date,
            self.table,
            hbox(self._previous, (self._title, 1), self._next),
            (self.month, 1),
            hbox((self._day, 1), self.play, self.copy),
            self._rule,
            parent=content,
        )
        # With large fonts on a small screen this scrolls, and the buttons stay visible.
        vbox(make_scroll_area(content), parent=self).setContentsMargins(0, 0, 0, 0)

    @property
    def selected_board(self) -> Daily:
        """The selected board: its level and day."""
        row = max(self.table.currentIndex().row(), 0)
        return Daily(self.month.day, list(LEVELS)[row])

    def reload(self) -> None:
        """Read the attempts again, and set all texts in the current language."""
        try:
            played = self._store.daily_attempts()
        except DemineError as error:
            self.message.emit(explain(error))
            played = ()
        self._standings = {level: standing_at_level(played, level) for level in LEVELS}
        self._date.set_message(
            f"{today_utc().isoformat()} UTC · {daily_page.next_boards_countdown()}"
        )
        row = max(self.table.currentIndex().row(), 0)
        self._model.clear()
        self._model.setHorizontalHeaderLabels(list(daily_page.level_table_headings()))
        for found in self._standings.values():
            self._model.appendRow(
                [_item(text, n) for n, text in enumerate(daily_page.level_table_row(found))]
            )
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.table.setCurrentIndex(self._model.index(row, 0))
        self._show_level()

    def _show_level(self) -> None:
        self.month.show_standing(self._standings[self.selected_board.level])
        self._show_day()

    def _show_day(self) -> None:
        board = self.selected_board
        attempt = self._standings[board.level].days.get(board.day)
        name = tr(LEVEL_NAMES[board.level])
        self._title.setText(f"{name} · {board.day.year}-{board.day.month:02}")
        self._day.set_message(self.month.describe_day(board.day))
        self.copy.setEnabled(attempt is not None and attempt.outcome is not None)
        counts = board.day == today_utc() and (attempt is None or attempt.outcome is None)
        self.play.setText(tr("P&lay this board") if counts else tr("Prac&tise this board"))
        self._next.setEnabled(
            (board.day.year, board.day.month) < (today_utc().year, today_utc().month)
        )

    def _request_play(self) -> None:
        self.requested = self.selected_board
        self.play_requested.emit()

    def _copy_result(self) -> None:
        board = self.selected_board
        try:
            line = latest_daily_result_line(self._store, board.level, board.day)
        except DemineError as error:
            self.message.emit(explain(error))
            return
        QGuiApplication.clipboard().setText(line)
        self.message.emit(tr("Result copied: {line}", line=line))


def _item(text: str, column: int) -> QStandardItem:
    item = QStandardItem(text)
    if column > 1:
        item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    return item
