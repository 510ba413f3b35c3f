"""The two tables of the records: what was reached under each rules, and the games themselves."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QModelIndex, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QGridLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from demine.desktop.dialogs import formatting
from demine.desktop.dialogs.base import MessageLabel
from demine.desktop.dialogs.history_model import SPACE, HistoryModel, search_term
from demine.desktop.plain_text_tool_tips import plain_tool_tip
from demine.scene.translation import mark, ntr, tr
from demine.store.history import HistoryFilter
from demine.store.paths import utc_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import SignalInstance
    from PySide6.QtGui import QKeyEvent, QResizeEvent

    from demine.desktop.dialogs.base import Retranslator
    from demine.desktop.dialogs.history_model import Index
    from demine.store import Record, Store

_PATIENCE_MS: Final = 150
_VALUE: Final = Qt.ItemDataRole.UserRole
_RULES: Final = _VALUE + 1
_BEST: Final = _VALUE + 2
COUNTING: Final = {
    "ranked": mark("may enter best times"),
    "practice": mark("practice"),
    "helped": mark("helped or undone"),
    "known": mark("known boards"),
    "imported": mark("imported"),
}
"""Which games to show by how they count, as a choice."""
_REASONS: Final = {
    "helped": ("hint", "undo"),
    "known": ("seed", "share", "again"),
    "imported": ("imported",),
}
WHEN: Final = {
    "today": mark("today"),
    "week": mark("the last 7 days"),
    "month": mark("the last 30 days"),
    "year": mark("the last 365 days"),
}
"""When the games to show ended, as a choice."""
_DAYS: Final = {"today": 0, "week": 6, "month": 29, "year": 364}
_BEST_HEADS: Final = (
    mark("Rules"), mark("Best"), mark("Last 10"), mark("Last 100"), mark("Games"), mark("Won"),
    mark("Rate"), mark("Streak"), mark("Longest"),
)  # fmt: skip


class RowTable(QTableView):
    """A table in which whole rows are selected; a double click or Enter opens one."""

    opened = Signal(int)
    """A row that the player wants to see more of."""
    resized = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setAlternatingRowColors(True)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setSortingEnabled(True)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(round(self.fontMetrics().height() * 1.6))
        self.horizontalHeader().setResizeContentsPrecision(50)
        self.horizontalHeader().setStretchLastSection(True)
        self.doubleClicked.connect(self._open)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Say so."""
        super().resizeEvent(event)
        self.resized.emit()

    def _open(self, index: QModelIndex) -> None:
        if index.isValid():
            self.opened.emit(index.row())

    def open_current(self) -> None:
        """Open the row the player stands at."""
        self._open(self.currentIndex())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter opens a row instead of pressing the dialog's button."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.open_current()
        else:
            super().keyPressEvent(event)


class SpacedDelegate(QStyledItemDelegate):
    """A delegate that leaves a gap before a text column that follows right-aligned numbers."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        """Set the words in; what the table tells others stays as it is."""
        super().initStyleOption(option, index)
        option.text = f"{SPACE}{option.text}"


class BestTimesPage(QWidget):
    """One row for each rules that were played."""

    wanted = Signal(str)
    """The id of a game to be shown: the best one of a row."""

    def __init__(self, texts: Retranslator) -> None:
        super().__init__()
        self._records: tuple[Record, ...] = ()
        self._model = QStandardItemModel(self)
        self._model.setSortRole(_VALUE)
        self.table = RowTable()
        self.table.setModel(self._model)
        self.table.sortByColumn(4, Qt.SortOrder.DescendingOrder)
        header = self.table.horizontalHeader()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.table.resized.connect(self._give_room)
        texts.say(self.table.setAccessibleName, mark("Best times and averages, in seconds"))
        self._note, self._button = MessageLabel(), QPushButton()
        texts.say(self._button.setText, mark("Show the best ga&me"))
        layout = QVBoxLayout(self)
        layout.addWidget(self.table, 1)
        layout.addWidget(self._note)
        layout.addWidget(self._button, 0, Qt.AlignmentFlag.AlignLeft)
        self._button.clicked.connect(self.table.open_current)
        self.table.opened.connect(self._open)
        self.table.selectionModel().currentRowChanged.connect(self._offer)

    @property
    def chosen(self) -> str | None:
        """The rules of the row the player stands at, as text; None without one."""
        found: str | None = self._model.index(self.table.currentIndex().row(), 0).data(_RULES)
        return found

    def show_records(self, records: Sequence[Record], chosen: str) -> None:
        """Show these records, the order staying, and stand at the rules chosen."""
        self._records = tuple(records)
        self._model.clear()
        self._model.setHorizontalHeaderLabels([tr(head) for head in _BEST_HEADS])
        for record in self._records:
            self._model.appendRow(_items(record))
        header = self.table.horizontalHeader()
        self._model.sort(header.sortIndicatorSection(), header.sortIndicatorOrder())
        self._give_room()
        first = self._model.index(0, 0)
        found = self._model.match(first, _RULES, chosen, 1, Qt.MatchFlag.MatchExactly)
        self.table.setCurrentIndex(found[0] if found else first)
        self._note.tell(
            tr("Times in seconds. Only games on fresh boards, played without undo or hints, count.")
            if self._records
            else tr("No game that counts has ended yet.")
        )
        self._offer()

    def _give_room(self) -> None:
        """Let the rules have what the numbers leave; never less than they need to be read."""
        header, mode = self.table.horizontalHeader(), QHeaderView.ResizeMode
        if not self._model.columnCount():
            return
        needed = max(self.table.sizeHintForColumn(0), header.sectionSizeHint(0))
        taken = sum(header.sectionSize(column) for column in range(1, header.count()))
        fits = taken + needed <= self.table.viewport().width()
        header.setSectionResizeMode(0, mode.Stretch if fits else mode.ResizeToContents)

    def _best(self, row: int) -> str:
        found: str | None = self._model.index(row, 0).data(_BEST)
        return found or ""

    def _offer(self) -> None:
        """Offer to show the best game where there is one."""
        self._button.setEnabled(bool(self._best(self.table.currentIndex().row())))

    def _open(self, row: int) -> None:
        if self._best(row):
            self.wanted.emit(self._best(row))


def _items(record: Record) -> list[QStandardItem]:
    """Return the cells of a row: what they say, and what they are sorted by."""
    never = float("inf")
    cells: list[tuple[str, float | str]] = [
        (formatting.title(record.rules), formatting.title(record.rules)),
        (formatting.seconds(record.best_ms), never if record.best_ms is None else record.best_ms),
        (formatting.seconds(record.average_10), record.average_10 or never),
        (formatting.seconds(record.average_100), record.average_100 or never),
        (str(record.games), record.games),
        (str(record.wins), record.wins),
        (formatting.percent(record.win_rate), record.win_rate or 0.0),
        (str(record.streak), record.streak),
        (str(record.best_streak), record.best_streak),
    ]
    items = []
    for column, (said, value) in enumerate(cells):
        item = QStandardItem(said)
        item.setEditable(False)
        item.setData(value, _VALUE)
        if column:
            item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        items.append(item)
    items[0].setToolTip(plain_tool_tip(record.rules))
    items[0].setData(record.rules, _RULES)
    items[0].setData(record.best_id or "", _BEST)
    if record.best_at:
        items[1].setToolTip(formatting.moment(record.best_at))
    return items


def _since(when: str | None) -> str | None:
    """Return the moment (ISO text, UTC) at which a span of days began, midnight by the wall."""
    if when not in _DAYS:
        return None
    today = datetime.now().astimezone().replace(hour=0, minute=0, second=0, microsecond=0)
    return utc_text((today - timedelta(days=_DAYS[when])).astimezone(UTC))


class GamesPage(QWidget):
    """The whole history, sorted and filtered."""

    wanted = Signal(str)
    """The id of a game to be shown."""
    watched = Signal(str)
    """The id of a game to be watched in the player."""

    def __init__(self, store: Store, texts: Retranslator) -> None:
        super().__init__()
        self.model = HistoryModel(store, self)
        self.table = RowTable()
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self._rules, self._result, self._ranked = QComboBox(), QComboBox(), QComboBox()
        self._when = QComboBox()
        self.field = QLineEdit()
        self.field.setClearButtonEnabled(True)
        self._count, self._button, self.watch = MessageLabel(), QPushButton(), QPushButton()
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(_PATIENCE_MS)
        self._patience.timeout.connect(self.refilter)
        self._lay_out(texts)
        # The table asks for its order once; what is wanted is known by then.
        self.table.setModel(self.model)
        self.table.setItemDelegateForColumn(
            self.model.columnCount() - 1, SpacedDelegate(self.table)
        )
        self.table.sortByColumn(0, Qt.SortOrder.DescendingOrder)
        for box in (self._rules, self._result, self._ranked, self._when):
            box.currentIndexChanged.connect(self.refilter)
        self.field.textChanged.connect(self._wait)
        self.table.opened.connect(self._open)
        self.model.modelReset.connect(self._counted)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self, self.field.setFocus)

    def _lay_out(self, texts: Retranslator) -> None:
        grid = QGridLayout()
        for place, (message, field) in enumerate(
            (
                (mark("&Rules:"), self._rules),
                (mark("R&esult:"), self._result),
                (mark("&When:"), self._when),
                (mark("&Counting:"), self._ranked),
                (mark("&Find:"), self.field),
            )
        ):
            label = QLabel()
            label.setBuddy(field)
            texts.say(label.setText, message)
            row, column = divmod(place, 3) if place < 4 else (1, 1)
            wide = 3 if field is self.field else 1
            grid.addWidget(label, row, 2 * column)
            grid.addWidget(field, row, 2 * column + 1, 1, wide)
        for column in (1, 3, 5):
            grid.setColumnStretch(column, 1)
        texts.say(self.field.setPlaceholderText, mark("date, rules, result, note"))
        texts.say(self.table.setAccessibleName, mark("Games"))
        texts.say(self._button.setText, mark("Show the &game"))
        self._button.clicked.connect(self.table.open_current)
        below = QGridLayout()
        texts.say(self.watch.setText, mark("Wa&tch…"))
        self.watch.clicked.connect(
            lambda: self._send(self.watched, self.table.currentIndex().row())
        )
        below.addWidget(self._button, 0, 0)
        below.addWidget(self.watch, 0, 1)
        below.addWidget(self._count, 0, 2)
        below.setColumnStretch(2, 1)
        layout = QVBoxLayout(self)
        layout.addLayout(grid)
        layout.addWidget(self.table, 1)
        layout.addLayout(below)

    def offer(self, played: Sequence[str], chosen: str | None) -> None:
        """Fill the choices in the language set now; `chosen` are rules, None for all."""
        boxes = (self._rules, self._result, self._ranked, self._when)
        blockers = [QSignalBlocker(box) for box in boxes]
        result, ranked = self._result.currentData(), self._ranked.currentData()
        when = self._when.currentData()
        for box in boxes:
            box.clear()
            box.addItem(tr("All"), None)
        for text in played:
            self._rules.addItem(formatting.title(text), text)
        for state, name in formatting.RESULTS.items():
            self._result.addItem(tr(name), state)
        for name, message in COUNTING.items():
            self._ranked.addItem(tr(message), name)
        for name, message in WHEN.items():
            self._when.addItem(tr(message), name)
        for box, value in zip(boxes, (chosen, result, ranked, when), strict=True):
            box.setCurrentIndex(max(box.findData(value), 0) if value is not None else 0)
        del blockers
        self.refilter()

    @property
    def chosen(self) -> str | None:
        """The rules chosen; None for all."""
        found: str | None = self._rules.currentData()
        return found

    def refilter(self) -> None:
        """Show the games that are asked for now."""
        self.model.want(self.asked())

    def asked(self) -> HistoryFilter:
        """Return which games the fields ask for."""
        counting: str | None = self._ranked.currentData()
        return HistoryFilter(
            self.chosen,
            self._result.currentData(),
            {"ranked": True, "practice": False}.get(counting or ""),
            tuple(search_term(word) for word in self.field.text().split()),
            _REASONS.get(counting or "", ()),
            _since(self._when.currentData()),
        )

    def selected(self) -> list[str]:
        """Return the ids of the games that are marked."""
        rows = sorted(index.row() for index in self.table.selectionModel().selectedRows())
        found = (self.model.game_row(row) for row in rows)
        return [game.id for game in found if game is not None]

    def _wait(self) -> None:
        self._patience.start()

    def _counted(self) -> None:
        self._count.tell(ntr("{n} game", "{n} games", self.model.rowCount()))
        self.table.resizeColumnsToContents()
        for button in (self._button, self.watch):
            button.setEnabled(self.model.rowCount() > 0)
        self.table.setCurrentIndex(self.model.index(0, 0))

    def _open(self, row: int) -> None:
        self._send(self.wanted, row)

    def _send(self, asked: SignalInstance, row: int) -> None:
        """Ask for the game of a row."""
        game = self.model.game_row(row)
        if game is not None:
            asked.emit(game.id)
