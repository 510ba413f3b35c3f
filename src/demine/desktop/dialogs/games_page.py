"""The page of games in Records: the whole history, sorted and filtered."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QAbstractItemView, QComboBox, QGridLayout, QLineEdit, QWidget

from demine.desktop.dialogs.base import MessageLabel
from demine.desktop.dialogs.empty_state import PageOrEmptyState
from demine.desktop.dialogs.history_table_model import HistoryModel
from demine.desktop.dialogs.row_table import RowTable, SpacedDelegate
from demine.desktop.widget_builders import fill_combo_box, hbox, vbox
from demine.play.history_table import parse_search_word
from demine.play.record_table import RESULTS
from demine.scene.board_title import board_title
from demine.scene.translation import mark, ntr, tr
from demine.store.history import COLUMNS, HistoryFilter
from demine.store.utc_text import utc_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from PySide6.QtCore import SignalInstance

    from demine.desktop.retranslator import Retranslator
    from demine.store import Store

_FILTER_DELAY_MS: Final = 150
_RULES: Final = COLUMNS.index("rules")
"""The column whose texts may be long."""
COUNTING: Final = {
    "ranked": mark("ranked"),
    "practice": mark("practice"),
    "helped": mark("helped or undone"),
    "known": mark("known boards"),
    "imported": mark("imported"),
}
"""Filters by whether and why a game is ranked: message ids."""
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
"""Filters by when a game ended: message ids."""
_DAYS: Final = {"today": 0, "week": 6, "month": 29, "year": 364}


def _start_of_span(span: str | None) -> str | None:
    """Return the time (ISO text, UTC) at which a span of days began: midnight, local time."""
    if span not in _DAYS:
        return None
    today = datetime.now().astimezone().replace(hour=0, minute=0, second=0, microsecond=0)
    return utc_text((today - timedelta(days=_DAYS[span])).astimezone(UTC))


class GamesPage(QWidget):
    """A table of all games, with filters."""

    show_requested = Signal(str)
    """The id of the game to show."""
    watch_requested = Signal(str)
    """The id of the game to open in the replay player."""

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
        # The table sorts the model once; the filter is set by then.
        header = self.table.horizontalHeader()
        header.setDefaultSectionSize(header.minimumSectionSize())
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
        self.model.dataChanged.connect(self._fit_columns)
        self.table.resized.connect(self._fit_rules)
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
        page = QWidget()
        vbox(grid, (self.table, 1), below, parent=page)
        self.content = PageOrEmptyState(
            page,
            texts,
            mark("No games yet"),
            mark(
                "Every game you finish will be here, with its recording and its statistics. "
                "Replays of other programs come in through Import and export."
            ),
        )
        vbox(self.content, parent=self).setContentsMargins(0, 0, 0, 0)

    def fill_filters(self, played_rules: Sequence[str], chosen_rules: str | None) -> None:
        """Fill in the filters, select rules (None for all), and apply them.

        `played_rules` are those of all games that ended, ranked or not.
        """
        self.content.show_page(filled=bool(played_rules))
        rules = {text: board_title(text) for text in played_rules}
        fill_combo_box(self._rules, _or_all(rules), chosen_rules)
        for box, messages in (
            (self._result, RESULTS),
            (self._ranked, COUNTING),
            (self._when, WHEN),
        ):
            choices = {value: tr(message) for value, message in messages.items()}
            fill_combo_box(box, _or_all(choices), box.currentData())
        self.apply_filter()

    @property
    def chosen_rules(self) -> str | None:
        """The chosen rules as text; None for all."""
        found: str | None = self._rules.currentData()
        return found

    def apply_filter(self) -> None:
        """Show the games that match the fields."""
        self.model.set_filter(self.current_filter())

    def current_filter(self) -> HistoryFilter:
        """Return the filter that the fields define."""
        counting: str | None = self._ranked.currentData()
        return HistoryFilter(
            self.chosen_rules,
            self._result.currentData(),
            {"ranked": True, "practice": False}.get(counting or ""),
            tuple(parse_search_word(word) for word in self.field.text().split()),
            _REASONS.get(counting or "", ()),
            _start_of_span(self._when.currentData()),
        )

    def selected_game_ids(self) -> list[str]:
        """Return the ids of the selected games."""
        rows = sorted(index.row() for index in self.table.selectionModel().selectedRows())
        found = (self.model.game_row(row) for row in rows)
        return [game.id for game in found if game is not None]

    def _show_count(self) -> None:
        count = self.model.rowCount()
        self._count.set_message(
            ntr("{n} game", "{n} games", count) if count else tr("No game matches these filters.")
        )
        self._fit_columns()
        for button in (self._show, self.watch):
            button.setEnabled(self.model.rowCount() > 0)
        self.table.setCurrentIndex(self.model.index(0, 0))

    def _fit_columns(self) -> None:
        self.table.resizeColumnsToContents()
        self._fit_rules()

    def _fit_rules(self) -> None:
        """Cut long rules short where the columns after them would be out of sight."""
        header, last = self.table.horizontalHeader(), len(COLUMNS) - 1
        others = (header.sectionSize(place) for place in range(last) if place != _RULES)
        room = self.table.viewport().width() - sum(others) - self.table.needed_width(last)
        wide = min(room, self.table.needed_width(_RULES))
        self.table.setColumnWidth(_RULES, max(wide, header.sectionSizeHint(_RULES)))

    def _request_to_watch(self) -> None:
        self._emit_game(self.watch_requested, self.table.currentIndex().row())

    def _emit_game(self, signal: SignalInstance, row: int) -> None:
        """Emit a signal with the id of the game in a row."""
        game = self.model.game_row(row)
        if game is not None:
            signal.emit(game.id)


def _or_all(choices: Mapping[str, str]) -> list[tuple[str, str | None]]:
    """Return the items of a filter, (text, value): first one for all, then the choices."""
    return [(tr("All"), None), *((text, value) for value, text in choices.items())]
