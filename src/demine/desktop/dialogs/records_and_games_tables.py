"""The two tables in Records: the records under each rules, and the games themselves."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QGridLayout,
    QHeaderView,
    QLineEdit,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from demine.desktop.dialogs import rules_results_and_times_text
from demine.desktop.dialogs.base import MessageLabel
from demine.desktop.dialogs.history_model import LAST_COLUMN_SPACE, HistoryModel, search_term
from demine.desktop.plain_text_tool_tips import plain_tool_tip
from demine.desktop.widget_builders import fill_combo_box, hbox, set_up_row_table, vbox
from demine.scene.translation import mark, ntr, tr
from demine.store.database_paths import utc_text
from demine.store.history import HistoryFilter

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from PySide6.QtCore import SignalInstance
    from PySide6.QtGui import QKeyEvent, QResizeEvent

    from demine.desktop.dialogs.base import Retranslator
    from demine.desktop.dialogs.history_model import Index
    from demine.store import Record, Store

_FILTER_DELAY_MS: Final = 150
_SORT_VALUE: Final = Qt.ItemDataRole.UserRole
_RULES: Final = _SORT_VALUE + 1
_BEST_GAME: Final = _SORT_VALUE + 2
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
    """A table in which whole rows are selected; a double click or Enter activates one."""

    row_activated = Signal(int)
    """A row that the player wants to see more of."""
    resized = Signal()

    def __init__(self) -> None:
        super().__init__()
        set_up_row_table(self)
        self.setWordWrap(False)
        self.setSortingEnabled(True)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().setResizeContentsPrecision(50)
        self.horizontalHeader().setStretchLastSection(True)
        self.doubleClicked.connect(self._activate)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Tell that the table has another size."""
        super().resizeEvent(event)
        self.resized.emit()

    def _activate(self, index: QModelIndex) -> None:
        if index.isValid():
            self.row_activated.emit(index.row())

    def activate_current_row(self) -> None:
        """Ask to see more of the current row."""
        self._activate(self.currentIndex())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter activates a row instead of pressing the dialog's button."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.activate_current_row()
        else:
            super().keyPressEvent(event)


class SpacedDelegate(QStyledItemDelegate):
    """A delegate that leaves a gap before a text column that follows right-aligned numbers."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        """Indent the text that is painted; the text of the model stays as it is."""
        super().initStyleOption(option, index)
        option.text = f"{LAST_COLUMN_SPACE}{option.text}"


class BestTimesPage(QWidget):
    """One row for each rules that were played."""

    show_requested = Signal(str)
    """The id of a game to be shown: the best one of a row."""

    def __init__(self, texts: Retranslator) -> None:
        super().__init__()
        self._model = QStandardItemModel(self)
        self._model.setSortRole(_SORT_VALUE)
        self.table = RowTable()
        self.table.setModel(self._model)
        self.table.sortByColumn(4, Qt.SortOrder.DescendingOrder)
        header = self.table.horizontalHeader()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        texts.bind(self.table.setAccessibleName, mark("Best times and averages, in seconds"))
        self._note = MessageLabel()
        self._button = texts.make_button(
            mark("Show the best ga&me"), self.table.activate_current_row
        )
        vbox((self.table, 1), self._note, hbox(self._button, None), parent=self)
        self.table.resized.connect(self._fit_first_column)
        self.table.row_activated.connect(self._request_best_game)
        self.table.selectionModel().currentRowChanged.connect(self._update_button)

    @property
    def chosen(self) -> str | None:
        """The rules of the current row, as text; None without one."""
        found: str | None = self._model.index(self.table.currentIndex().row(), 0).data(_RULES)
        return found

    def show_records(self, records: Sequence[Record], chosen: str) -> None:
        """Show these records in the order chosen, and make the row of some rules current."""
        self._model.clear()
        self._model.setHorizontalHeaderLabels([tr(head) for head in _BEST_HEADS])
        for record in records:
            self._model.appendRow(_make_row(record))
        header = self.table.horizontalHeader()
        self._model.sort(header.sortIndicatorSection(), header.sortIndicatorOrder())
        self._fit_first_column()
        first = self._model.index(0, 0)
        found = self._model.match(first, _RULES, chosen, 1, Qt.MatchFlag.MatchExactly)
        self.table.setCurrentIndex(found[0] if found else first)
        self._note.set_message(
            tr("Times in seconds. Only games on fresh boards, played without undo or hints, count.")
            if records
            else tr("No game that counts has ended yet.")
        )
        self._update_button()

    def _fit_first_column(self) -> None:
        """Let the rules have what the numbers leave; never less than they need to be read."""
        header, mode = self.table.horizontalHeader(), QHeaderView.ResizeMode
        if not self._model.columnCount():
            return
        needed = max(self.table.sizeHintForColumn(0), header.sectionSizeHint(0))
        taken = sum(header.sectionSize(column) for column in range(1, header.count()))
        fits = taken + needed <= self.table.viewport().width()
        header.setSectionResizeMode(0, mode.Stretch if fits else mode.ResizeToContents)

    def _best_game(self, row: int) -> str:
        found: str | None = self._model.index(row, 0).data(_BEST_GAME)
        return found or ""

    def _update_button(self) -> None:
        self._button.setEnabled(bool(self._best_game(self.table.currentIndex().row())))

    def _request_best_game(self, row: int) -> None:
        if self._best_game(row):
            self.show_requested.emit(self._best_game(row))


def _make_row(record: Record) -> list[QStandardItem]:
    """Return the cells of a row: what they say, and what they are sorted by."""
    never = float("inf")
    cells: list[tuple[str, float | str]] = [
        (
            rules_results_and_times_text.rules_title(record.rules),
            rules_results_and_times_text.rules_title(record.rules),
        ),
        (
            rules_results_and_times_text.seconds(record.best_ms),
            never if record.best_ms is None else record.best_ms,
        ),
        (rules_results_and_times_text.seconds(record.average_10), record.average_10 or never),
        (rules_results_and_times_text.seconds(record.average_100), record.average_100 or never),
        (str(record.games), record.games),
        (str(record.wins), record.wins),
        (rules_results_and_times_text.percent(record.win_rate), record.win_rate or 0.0),
        (str(record.streak), record.streak),
        (str(record.best_streak), record.best_streak),
    ]
    items = []
    for column, (text, value) in enumerate(cells):
        item = QStandardItem(text)
        item.setData(value, _SORT_VALUE)
        if column:
            item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        items.append(item)
    items[0].setToolTip(plain_tool_tip(record.rules))
    items[0].setData(record.rules, _RULES)
    items[0].setData(record.best_id or "", _BEST_GAME)
    if record.best_at:
        items[1].setToolTip(rules_results_and_times_text.local_time(record.best_at))
    return items


def _start_of_span(span: str | None) -> str | None:
    """Return the moment (ISO text, UTC) at which a span of days began, midnight by the wall."""
    if span not in _DAYS:
        return None
    today = datetime.now().astimezone().replace(hour=0, minute=0, second=0, microsecond=0)
    return utc_text((today - timedelta(days=_DAYS[span])).astimezone(UTC))


class GamesPage(QWidget):
    """The whole history, sorted and filtered."""

    show_requested = Signal(str)
    """The id of a game to be shown."""
    watch_requested = Signal(str)
    """The id of a game to be watched in the player."""

    def __init__(self, store: Store, texts: Retranslator) -> None:
        super().__init__()
        self.model = HistoryModel(store, self)
        self.table = RowTable()
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self._rules, self._result, self._ranked = QComboBox(), QComboBox(), QComboBox()
        self._when = QComboBox()
        self._boxes = (self._rules, self._result, self._when, self._ranked)
        self.field = QLineEdit(clearButtonEnabled=True)
        self._count = MessageLabel()
        self._show = texts.make_button(mark("Show the &game"), self.table.activate_current_row)
        self.watch = texts.make_button(mark("Wa&tch…"), self._request_to_watch)
        self._filter_delay = QTimer(self, singleShot=True, interval=_FILTER_DELAY_MS)
        self._filter_delay.timeout.connect(self.apply_filter)
        self._lay_out(texts)
        # The table asks for its order once; the filter is known by then.
        self.table.setModel(self.model)
        self.table.setItemDelegateForColumn(
            self.model.columnCount() - 1, SpacedDelegate(self.table)
        )
        self.table.sortByColumn(0, Qt.SortOrder.DescendingOrder)
        for box in self._boxes:
            box.currentIndexChanged.connect(self.apply_filter)
        self.field.textChanged.connect(lambda _text: self._filter_delay.start())
        self.table.row_activated.connect(lambda row: self._emit_game(self.show_requested, row))
        self.model.modelReset.connect(self._show_count)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self, self.field.setFocus)

    def _lay_out(self, texts: Retranslator) -> None:
        grid = QGridLayout()
        messages = mark("&Rules:"), mark("R&esult:"), mark("&When:"), mark("&Counting:")
        for place, (message, box) in enumerate(zip(messages, self._boxes, strict=True)):
            row, column = divmod(place, 3)
            grid.addWidget(texts.make_label(message, box), row, 2 * column)
            grid.addWidget(box, row, 2 * column + 1)
        grid.addWidget(texts.make_label(mark("&Find:"), self.field), 1, 2)
        grid.addWidget(self.field, 1, 3, 1, 3)
        for column in (1, 3, 5):
            grid.setColumnStretch(column, 1)
        texts.bind(self.field.setPlaceholderText, mark("date, rules, result, note"))
        texts.bind(self.table.setAccessibleName, mark("Games"))
        below = hbox(self._show, self.watch, (self._count, 1))
        vbox(grid, (self.table, 1), below, parent=self)

    def set_choices(self, played: Sequence[str], chosen: str | None) -> None:
        """Fill the filters in the language set now; `chosen` are rules, None for all."""
        rules = {text: rules_results_and_times_text.rules_title(text) for text in played}
        fill_combo_box(self._rules, _or_all(rules), chosen)
        for box, messages in (
            (self._result, rules_results_and_times_text.RESULTS),
            (self._ranked, COUNTING),
            (self._when, WHEN),
        ):
            choices = {value: tr(message) for value, message in messages.items()}
            fill_combo_box(box, _or_all(choices), box.currentData())
        self.apply_filter()

    @property
    def chosen(self) -> str | None:
        """The rules chosen; None for all."""
        found: str | None = self._rules.currentData()
        return found

    def apply_filter(self) -> None:
        """Show the games that the fields ask for."""
        self.model.set_filter(self.current_filter())

    def current_filter(self) -> HistoryFilter:
        """Return which games the fields ask for."""
        counting: str | None = self._ranked.currentData()
        return HistoryFilter(
            self.chosen,
            self._result.currentData(),
            {"ranked": True, "practice": False}.get(counting or ""),
            tuple(search_term(word) for word in self.field.text().split()),
            _REASONS.get(counting or "", ()),
            _start_of_span(self._when.currentData()),
        )

    def selected_ids(self) -> list[str]:
        """Return the ids of the games that are selected."""
        rows = sorted(index.row() for index in self.table.selectionModel().selectedRows())
        found = (self.model.game_row(row) for row in rows)
        return [game.id for game in found if game is not None]

    def _show_count(self) -> None:
        self._count.set_message(ntr("{n} game", "{n} games", self.model.rowCount()))
        self.table.resizeColumnsToContents()
        for button in (self._show, self.watch):
            button.setEnabled(self.model.rowCount() > 0)
        self.table.setCurrentIndex(self.model.index(0, 0))

    def _request_to_watch(self) -> None:
        self._emit_game(self.watch_requested, self.table.currentIndex().row())

    def _emit_game(self, signal: SignalInstance, row: int) -> None:
        """Emit a signal with the id of the game in a row."""
        game = self.model.game_row(row)
        if game is not None:
            signal.emit(game.id)


def _or_all(choices: Mapping[str, str]) -> list[tuple[str, str | None]]:
    """Return the items of a filter, (text, value): one for all, then the choices."""
    return [(tr("All"), None), *((text, value) for value, text in choices.items())]
