"""A dialog to choose counters: statistics from the table, and formulas of one's own."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
)

from demine.desktop.dialogs.base import Dialog, MessageLabel
from demine.desktop.plain_text_tool_tips import plain_tool_tip
from demine.scene.translation import explain, mark, tr
from demine.statistics.chosen_counters import FIRST, MOST, NAME_LENGTH, Counter, called, read
from demine.statistics.definitions import TABLE
from demine.statistics.formula import MAX_LENGTH, Formula, FormulaError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent
    from PySide6.QtWidgets import QWidget

_DATA: Final = Qt.ItemDataRole.UserRole


class CountersDialog(Dialog):
    """Two lists: what can be counted, and what is; below them a line for a formula."""

    def __init__(
        self,
        parent: QWidget | None,
        counters: list[Counter],
        first: Sequence[tuple[str, str]] = FIRST,
    ) -> None:
        super().__init__(parent, mark("Counters"))
        self._first = first
        self.known, self.chosen = QListWidget(), QListWidget()
        self.name, self.formula = QLineEdit(), QLineEdit()
        self.name.setMaxLength(NAME_LENGTH)
        self.formula.setMaxLength(MAX_LENGTH)
        self._news = MessageLabel()
        self._news.setText(" ")
        self._fill_known()
        for counter in counters:
            self._put(counter)
        self._lay_out()
        self.known.itemDoubleClicked.connect(self.add_known)
        self.chosen.itemDoubleClicked.connect(self.remove)
        self.chosen.currentItemChanged.connect(self._show_chosen)
        self.resize_to_lines(40, 28)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter adds the formula where one is being typed; elsewhere it accepts."""
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and self.focusWidget() in (self.name, self.formula):
            self.add_formula()
        else:
            super().keyPressEvent(event)

    @property
    def counters(self) -> list[Counter]:
        """What is chosen, in order."""
        return [self.chosen.item(row).data(_DATA) for row in range(self.chosen.count())]

    def _fill_known(self) -> None:
        for row in TABLE.values():
            if row.slow:
                continue
            item = QListWidgetItem(f"{row.title()} ({row.name})")
            item.setData(_DATA, row.name)
            item.setToolTip(row.explanation())
            self.known.addItem(item)
        self.known.setCurrentRow(0)

    def _lay_out(self) -> None:
        say = self.texts.say
        grid = QGridLayout()
        for col, (widget, text) in enumerate(
            ((self.known, mark("&Statistics")), (self.chosen, mark("C&ounted")))
        ):
            label = QLabel()
            label.setBuddy(widget)
            say(label.setText, text)
            grid.addWidget(label, 0, 2 * col)
            grid.addWidget(widget, 1, 2 * col)
        middle = QVBoxLayout()
        middle.addStretch(1)
        for text, action in (
            (mark("&Add →"), self.add_known),
            (mark("← &Remove"), self.remove),
            (mark("&Up"), partial(self.move_row, -1)),
            (mark("&Down"), partial(self.move_row, 1)),
        ):
            button = QPushButton()
            button.setAutoDefault(False)
            say(button.setText, text)
            button.clicked.connect(lambda _on=False, action=action: action())
            middle.addWidget(button)
        middle.addStretch(1)
        grid.addLayout(middle, 1, 1)
        own = QHBoxLayout()
        for field, text, hint in (
            (self.name, mark("&Name"), mark("my own")),
            (self.formula, mark("&Formula"), mark("bv_s * ioe")),
        ):
            label = QLabel()
            label.setBuddy(field)
            say(label.setText, text)
            say(field.setPlaceholderText, hint)
            own.addWidget(label)
            own.addWidget(field, 1 if field is self.name else 2)
        put = QPushButton()
        put.setAutoDefault(False)
        say(put.setText, mark("Add for&mula"))
        put.clicked.connect(self.add_formula)
        own.addWidget(put)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok
            | QDialogButtonBox.StandardButton.Cancel
            | QDialogButtonBox.StandardButton.RestoreDefaults
        )
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        defaults = buttons.button(QDialogButtonBox.StandardButton.RestoreDefaults)
        defaults.clicked.connect(self.restore)
        buttons.button(QDialogButtonBox.StandardButton.Ok).setAutoDefault(False)
        column = QVBoxLayout(self)
        column.addLayout(grid, 1)
        column.addLayout(own)
        column.addWidget(self._news)
        column.addWidget(buttons)

    def _put(self, counter: Counter) -> None:
        if self.chosen.count() >= MOST:
            self._news.tell(tr("{most} counters are enough.", most=MOST))
            return
        text = called(counter)
        formula = counter.formula.text
        item = QListWidgetItem(f"{text} = {formula}" if counter.name else text)
        item.setData(_DATA, counter)
        item.setToolTip(plain_tool_tip(formula))
        self.chosen.addItem(item)
        self.chosen.setCurrentItem(item)

    def add_known(self) -> None:
        """Count the statistic that is marked."""
        item = self.known.currentItem()
        if item is not None:
            self._put(Counter("", Formula(str(item.data(_DATA)))))

    def add_formula(self) -> None:
        """Count the formula that was typed, or say what is wrong with it."""
        try:
            formula = Formula(self.formula.text())
        except FormulaError as error:
            self._news.tell(explain(error))
            return
        self._news.tell(" ")
        self._put(Counter(self.name.text().strip() or formula.text[:NAME_LENGTH], formula))

    def remove(self) -> None:
        """Count the marked one no longer."""
        row = self.chosen.currentRow()
        if row >= 0:
            self.chosen.takeItem(row)

    def move_row(self, step: int) -> None:
        """Move the marked one up or down."""
        row = self.chosen.currentRow()
        if row >= 0 and 0 <= row + step < self.chosen.count():
            item = self.chosen.takeItem(row)
            self.chosen.insertItem(row + step, item)
            self.chosen.setCurrentRow(row + step)

    def restore(self) -> None:
        """Count what is counted until somebody chooses."""
        self.chosen.clear()
        for counter in read(None, self._first):
            self._put(counter)

    def _show_chosen(self, item: QListWidgetItem | None) -> None:
        counter = None if item is None else item.data(_DATA)
        if isinstance(counter, Counter) and counter.name:
            self.name.setText(counter.name)
            self.formula.setText(counter.formula.text)
