"""The daily boards in Records: how each level stands, a month of days, and what to do with one."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QPainter, QPen, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QToolTip,
    QVBoxLayout,
    QWidget,
)

from demine.desktop.colour_scheme import to_qcolor
from demine.desktop.dialogs.base import MessageLabel
from demine.desktop.dialogs.records_and_games_tables import RowTable
from demine.logic.daily_board import LEVELS, Daily
from demine.logic.errors import DemineError
from demine.play import daily_page
from demine.play.daily_game import daily_result_line
from demine.scene.palette import mix
from demine.scene.translation import explain, mark, tr
from demine.store.daily import LEVEL_NAMES, OUTCOME_NAMES, standing_at_level, today_utc

if TYPE_CHECKING:
    from datetime import date

    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent

    from demine.desktop.dialogs.base import Retranslator
    from demine.scene.palette import RGB
    from demine.scene.themes import Theme
    from demine.store import Store
    from demine.store.daily import DailyAttempt, DailyStanding

_ONE: Final = timedelta(days=1)
_SIGNS: Final = {"won": "✓", "lost": "✗", "resigned": "✗", "helped": "~", None: "…"}
"""What stands in a day, by how its attempt came out."""
_MOVES: Final = {
    Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: -7, Qt.Key.Key_Down: 7,
}  # fmt: skip


class MonthCalendar(QWidget):
    """A calendar of one month of daily boards at one level; mouse or arrow keys choose a day."""

    moved = Signal()
    """Another day is chosen."""
    entered = Signal()
    """The day that is chosen was asked for: a double click, or Enter."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._found = standing_at_level((), next(iter(LEVELS)))
        self.day = today_utc()
        """The day that is chosen."""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_days(self, found: DailyStanding) -> None:
        """Show the days of a level."""
        self._found = found
        self._tell()

    def choose(self, day: date) -> None:
        """Choose a day; there is none after today."""
        self.day = min(day, today_utc())
        self._tell()
        self.moved.emit()

    def turn(self, months: int) -> None:
        """Show another month."""
        count = 12 * self.day.year + self.day.month - 1 + months
        first = self.day.replace(year=count // 12, month=count % 12 + 1, day=1)
        last = (first + 31 * _ONE).replace(day=1) - _ONE
        self.choose(min(first.replace(day=min(self.day.day, last.day)), today_utc()))

    def said(self, day: date) -> str:
        """Return a day and what came of it, in words."""
        attempt = self._found.days.get(day)
        if attempt is None:
            return tr("{day}: not played", day=day.isoformat())
        outcome = tr(OUTCOME_NAMES[attempt.outcome])
        time = daily_page.seconds(attempt.time_ms)
        return tr("{day}: {outcome}, {time} s", day=day.isoformat(), outcome=outcome, time=time)

    def _tell(self) -> None:
        self.setAccessibleDescription(self.said(self.day))
        self.update()

    # Places

    def sizeHint(self) -> QSize:
        """Seven days wide, and a row of names and six weeks high."""
        line = self.fontMetrics().height()
        return QSize(28 * line, 16 * line)

    def minimumSizeHint(self) -> QSize:
        """As small as the numbers can be read."""
        line = self.fontMetrics().height()
        return QSize(17 * line, 11 * line)

    @property
    def _first(self) -> date:
        """The Monday that the month's first week begins with."""
        first = self.day.replace(day=1)
        return first - first.weekday() * _ONE

    def _head(self) -> float:
        return self.fontMetrics().height() * 1.5

    def _place(self, day: date) -> QRectF:
        at = (day - self._first).days
        wide, high = self.width() / 7, (self.height() - self._head()) / 6
        return QRectF(at % 7 * wide, self._head() + at // 7 * high, wide, high)

    def day_at(self, point: QPointF) -> date | None:
        """Return the day at a place; None beside this month, and for days to come."""
        days = (self._first + n * _ONE for n in range(42))
        found = next((day for day in days if self._place(day).contains(point)), None)
        shown = found is not None and found.month == self.day.month and found <= today_utc()
        return found if shown else None

    # The hand

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the day under the pointer."""
        day = self.day_at(event.position())
        if day is not None:
            self.choose(day)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Ask for the day under the pointer."""
        if self.day_at(event.position()) is not None:
            self.entered.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows choose another day, Page up and down another month; Enter asks for it."""
        key = Qt.Key(event.key())
        if key in _MOVES:
            self.choose(self.day + _MOVES[key] * _ONE)
        elif key in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            self.turn(1 if key is Qt.Key.Key_PageDown else -1)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered.emit()
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Say what came of the day under the pointer."""
        if event.type() == event.Type.ToolTip:
            day = self.day_at(QPointF(self.mapFromGlobal(event.globalPos())))  # type: ignore[attr-defined]
            QToolTip.showText(event.globalPos(), "" if day is None else self.said(day), self)  # type: ignore[attr-defined]
            return True
        return super().event(event)

    # Paint

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the names of the weekdays and the days."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), to_qcolor(self._theme.opened))
        painter.setPen(to_qcolor(self._theme.mine))
        for n, name in enumerate(daily_page.DAYS):
            place = QRectF(n * self.width() / 7, 0, self.width() / 7, self._head())
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, tr(name))
        day = self._first
        while (day.year, day.month) <= (self.day.year, self.day.month):
            if day.month == self.day.month:
                self._paint_day(painter, day)
            day += _ONE
        painter.end()

    def _paint_day(self, painter: QPainter, day: date) -> None:
        theme, place = self._theme, self._place(day).adjusted(1.5, 1.5, -1.5, -1.5)
        attempt: DailyAttempt | None = self._found.days.get(day)
        painter.setPen(QPen(to_qcolor(theme.grid), 1))
        painter.setBrush(to_qcolor(self._ground(attempt)))
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

    def _ground(self, attempt: DailyAttempt | None) -> RGB:
        ink = None if attempt is None else self._ink(attempt.outcome)
        return self._theme.opened if ink is None else mix(self._theme.opened, ink, 0.16)

    def _ink(self, outcome: str | None) -> RGB:
        inks = {"won": self._theme.digit_colour(2), "lost": self._theme.digit_colour(3)}
        return inks.get("lost" if outcome == "resigned" else outcome or "", self._theme.mine)

    def _paint_sign(self, painter: QPainter, place: QRectF, outcome: str | None) -> None:
        font = painter.font()
        font.setBold(True)
        font.setPixelSize(max(10, round(min(place.height() * 0.72, self._head() * 1.2))))
        painter.setFont(font)
        painter.setPen(to_qcolor(self._ink(outcome)))
        painter.drawText(place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom,
                         _SIGNS[outcome])  # fmt: skip
        painter.setFont(self.font())


class DailyPage(QWidget):
    """How each level stands, and the days of the one that is chosen."""

    told = Signal(str)
    """What there is to say about what was asked."""
    chosen = Signal()
    """The player wants to play the board in `asked`."""

    def __init__(self, store: Store, theme: Theme, texts: Retranslator) -> None:
        super().__init__()
        self._store = store
        self._found: dict[str, DailyStanding] = {}
        self.asked: Daily | None = None
        """The board that the player wants to play; None while there is none."""
        self._model = QStandardItemModel(self)
        self.table = RowTable()
        self.table.setModel(self._model)
        self.table.setSortingEnabled(False)
        texts.say(self.table.setAccessibleName, mark("Daily boards by level"))
        header = self.table.horizontalHeader()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setMinimumSectionSize(4 * header.fontMetrics().height())
        self.month = MonthCalendar(theme)
        texts.say(self.month.setAccessibleName, mark("Days of the month"))
        self._when, self._name, self._day, self._rule = (
            MessageLabel(),
            QLabel(),
            MessageLabel(),
            MessageLabel(),
        )
        self.play, self.copy, self._back, self._on = (QPushButton() for _ in range(4))
        self._back.setText("‹")
        self._on.setText("›")
        for button, message in (
            (self.copy.setText, mark("Copy &result")),
            (self._back.setAccessibleName, mark("Month before")),
            (self._on.setAccessibleName, mark("Month after")),
            (self._rule.tell, daily_page.RULE),
        ):
            texts.say(button, message)
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        head, foot = QHBoxLayout(), QHBoxLayout()
        for button in (self._back, self._on):
            button.setFixedWidth(button.sizeHint().height() * 3 // 2)
        head.addWidget(self._back)
        head.addWidget(self._name, 1, Qt.AlignmentFlag.AlignCenter)
        head.addWidget(self._on)
        foot.addWidget(self._day, 1)
        foot.addWidget(self.play)
        foot.addWidget(self.copy)
        inside, area, whole = QWidget(), QScrollArea(), QVBoxLayout(self)
        # Large letters on a small screen: the dialog's buttons stay in it, and this scrolls.
        area.setWidget(inside)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        for part in (area.viewport(), inside):
            part.setAutoFillBackground(False)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(area)
        layout = QVBoxLayout(inside)
        layout.addWidget(self._when)
        rows = self.table.verticalHeader().defaultSectionSize()
        self.table.setFixedHeight(4 * rows + self.table.horizontalHeader().sizeHint().height() // 2)
        layout.addWidget(self.table)
        layout.addLayout(head)
        layout.addWidget(self.month, 1)
        layout.addLayout(foot)
        layout.addWidget(self._rule)

    def _connect(self) -> None:
        self.month.moved.connect(self._show_day)
        self.month.entered.connect(self._play)
        self._back.clicked.connect(lambda: self.month.turn(-1))
        self._on.clicked.connect(lambda: self.month.turn(1))
        self.play.clicked.connect(self._play)
        self.copy.clicked.connect(self._copy)
        self.table.selectionModel().currentRowChanged.connect(self._show_level)
        self.table.opened.connect(self._play)

    @property
    def board(self) -> Daily:
        """The board that is chosen: a level and a day."""
        row = max(self.table.currentIndex().row(), 0)
        return Daily(self.month.day, list(LEVELS)[row])

    def reload(self) -> None:
        """Read the attempts anew and say everything in the language set."""
        try:
            played = self._store.daily_attempts()
        except DemineError as error:
            self.told.emit(explain(error))
            played = ()
        self._found = {level: standing_at_level(played, level) for level in LEVELS}
        self._when.tell(f"{today_utc().isoformat()} UTC · {daily_page.until_next()}")
        row = max(self.table.currentIndex().row(), 0)
        self._model.clear()
        self._model.setHorizontalHeaderLabels(list(daily_page.heads()))
        for found in self._found.values():
            self._model.appendRow([_item(text, n) for n, text in enumerate(daily_page.row(found))])
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.table.setCurrentIndex(self._model.index(row, 0))
        self._show_level()

    def _show_level(self) -> None:
        self.month.show_days(self._found[self.board.level])
        self._show_day()

    def _show_day(self) -> None:
        board = self.board
        attempt = self._found[board.level].days.get(board.day)
        name = tr(LEVEL_NAMES[board.level])
        self._name.setText(f"{name} · {board.day.year}-{board.day.month:02}")
        self._day.tell(self.month.said(board.day))
        self.copy.setEnabled(attempt is not None and attempt.outcome is not None)
        counts = board.day == today_utc() and (attempt is None or attempt.outcome is None)
        self.play.setText(tr("P&lay this board") if counts else tr("Prac&tise this board"))
        self._on.setEnabled(
            (board.day.year, board.day.month) < (today_utc().year, today_utc().month)
        )

    def _play(self) -> None:
        self.asked = self.board
        self.chosen.emit()

    def _copy(self) -> None:
        board = self.board
        try:
            line = daily_result_line(self._store, board.level, board.day)
        except DemineError as error:
            self.told.emit(explain(error))
            return
        QGuiApplication.clipboard().setText(line)
        self.told.emit(tr("Result copied: {line}", line=line))


def _item(text: str, column: int) -> QStandardItem:
    item = QStandardItem(text)
    item.setEditable(False)
    if column > 1:
        item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    return item
