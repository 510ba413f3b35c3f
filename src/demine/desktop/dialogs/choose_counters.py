"""The dialog to choose counters: statistics, and formulas of the player's own."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLineEdit, QListWidget, QListWidgetItem

from demine.desktop.dialogs.base import Dialog, MessageLabel, StandardButton
from demine.desktop.plain_text_tool_tips import plain_tool_tip
from demine.desktop.widget_builders import hbox, vbox
from demine.scene.translation import explain, mark, tr
from demine.statistics.chosen_counters import (
    DEFAULT_COUNTERS,
    MOST_COUNTERS,
    NAME_LENGTH,
    Counter,
    counter_title,
    parse_counters,
)
from demine.statistics.definitions import TABLE
from demine.statistics.formula import MAX_LENGTH, Formula, FormulaError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent
    from PySide6.QtWidgets import QWidget

_DATA: Final = Qt.ItemDataRole.UserRole


class CountersDialog(Dialog):
    """Two lists, the known statistics and the chosen counters, and fields for a formula.

    `defaults` are the pairs, (name, formula), that the button for defaults restores.
    """

    def __init__(
        self,
        parent: QWidget | None,
        counters: list[Counter],
        defaults: Sequence[tuple[str, str]] = DEFAULT_COUNTERS,
    ) -> None:
        super().__init__(parent, mark("Counters"))
        self._defaults = defaults
        self.known, self.chosen = QListWidget(), QListWidget()
        self.name, self.formula = QLineEdit(), QLineEdit()
        self.name.setMaxLength(NAME_LENGTH)
        self.formula.setMaxLength(MAX_LENGTH)
        self._message = MessageLabel()
        self._message.setText(" ")
        self._list_statistics()
        for counter in counters:
            self._add_counter(counter)
        self._lay_out()
        self.known.itemDoubleClicked.connect(self.add_selected_statistic)
        self.chosen.itemDoubleClicked.connect(self.remove_selected)
        self.chosen.currentItemChanged.connect(self._show_formula)
        self.resize_to_line_heights(40, 28)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Add the formula at Enter in its fields; elsewhere Enter accepts the dialog."""
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and self.focusWidget() in (self.name, self.formula):
            self.add_typed_formula()
        else:
            super().keyPressEvent(event)

    @property
    def counters(self) -> list[Counter]:
        """The chosen counters, in order."""
        return [self.chosen.item(row).data(_DATA) for row in range(self.chosen.count())]

    def _list_statistics(self) -> None:
        for row in TABLE.values():
            if row.slow:
                continue
            item = QListWidgetItem(f"{row.title()} ({row.name})")
            item.setData(_DATA, row.name)
            item.setToolTip(row.explanation())
            self.known.addItem(item)
        self.known.setCurrentRow(0)

    def _lay_out(self) -> None:
        texts = self.texts
        grid = QGridLayout()
        for col, (message, widget) in enumerate(
            ((mark("&Statistics"), self.known), (mark("C&ounted"), self.chosen))
        ):
            grid.addWidget(texts.make_label(message, widget), 0, 2 * col)
            grid.addWidget(widget, 1, 2 * col)
        moves = (
            texts.make_button(mark("&Add →"), self.add_selected_statistic),
            texts.make_button(mark("← &Remove"), self.remove_selected),
            texts.make_button(mark("&Up"), partial(self.move_selected_row, -1)),
            texts.make_button(mark("&Down"), partial(self.move_selected_row, 1)),
        )
        grid.addLayout(vbox(None, *moves, None), 1, 1)
        texts.bind(self.name.setPlaceholderText, mark("my own"))
        texts.bind(self.formula.setPlaceholderText, mark("bv_s * ioe"))
        own = hbox(
            texts.make_label(mark("&Name"), self.name),
            (self.name, 1),
            texts.make_label(mark("&Formula"), self.formula),
            (self.formula, 2),
            texts.make_button(mark("Add for&mula"), self.add_typed_formula),
        )
        buttons = self.make_button_box(
            StandardButton.Ok | StandardButton.Cancel | StandardButton.RestoreDefaults
        )
        buttons.button(StandardButton.RestoreDefaults).clicked.connect(self.restore_defaults)
        buttons.button(StandardButton.Ok).setAutoDefault(False)
        vbox((grid, 1), own, self._message, buttons, parent=self)

    def _add_counter(self, counter: Counter) -> None:
        if self.chosen.count() >= MOST_COUNTERS:
            self._message.set_message(tr("At most {most} counters.", most=MOST_COUNTERS))
            return
        text = counter_title(counter)
        formula = counter.formula.text
        item = QListWidgetItem(f"{text} = {formula}" if counter.name else text)
        item.setData(_DATA, counter)
        item.setToolTip(plain_tool_tip(formula))
        self.chosen.addItem(item)
        self.chosen.setCurrentItem(item)

    def add_selected_statistic(self) -> None:
        """Add the selected statistic to the counters."""
        item = self.known.currentItem()
        if item is not None:
            self._add_counter(Counter("", Formula(str(item.data(_DATA)))))

    def add_typed_formula(self) -> None:
        """Add the typed formula to the counters, or show what is wrong with it."""
        try:
            formula = Formula(self.formula.text())
        except FormulaError as error:
            self._message.set_message(explain(error))
            return
        self._message.set_message(" ")
        self._add_counter(Counter(self.name.text().strip() or formula.text[:NAME_LENGTH], formula))

    def remove_selected(self) -> None:
        """Remove the selected counter."""
        row = self.chosen.currentRow()
        if row >= 0:
            self.chosen.takeItem(row)

    def move_selected_row(self, rows: int) -> None:
        """Move the selected counter down by rows, or up if negative."""
        row = self.chosen.currentRow()
        if row >= 0 and 0 <= row + rows < self.chosen.count():
            item = self.chosen.takeItem(row)
            self.chosen.insertItem(row + rows, item)
            self.chosen.setCurrentRow(row + rows)

    def restore_defaults(self) -> None:
        """Replace the counters by the defaults."""
        self.chosen.clear()
        for counter in parse_counters(None, self._defaults):
            self._add_counter(counter)

    def _show_formula(self, item: QListWidgetItem | None) -> None:
        """Put the selected formula into the fields, so that it can be changed."""
        counter = None if item is None else item.data(_DATA)
        if isinstance(counter, Counter) and counter.name:
            self.name.setText(counter.name)
            self.formula.setText(counter.formula.text)
