"""Setup: which board to play, with what it takes said while it is chosen."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QSignalBlocker, Qt, QTimer
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from demine.desktop.dialogs import formatting
from demine.desktop.dialogs.base import Dialog, MessageLabel
from demine.desktop.dialogs.board_preview import BoardPreview
from demine.desktop.dialogs.estimate_3bv import DifficultyEstimate, DifficultyEstimator
from demine.desktop.plain_text_tool_tips import plain_tool_tip
from demine.logic.errors import DemineError
from demine.logic.rules import OPTIONS, First, Rules, most_mines, option_named
from demine.scene.preferences import MAX_PRESETS, MOST_SIDE
from demine.scene.translation import explain, mark, ntr, tr

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QCloseEvent

    from demine.scene.themes import Theme

_PATIENCE_MS: Final = 150
_POLL_MS: Final = 60
_OFFERED: Final = tuple(option for option in OPTIONS if option.label)
_RULES: Final = Qt.ItemDataRole.UserRole


class SetupDialog(Dialog):
    """Asks for rules. After `exec()`: `rules` (None when cancelled) and the own `presets`.

    `level` returns a named board as this player wants it: with no need to guess, perhaps.
    """

    def __init__(
        self,
        parent: QWidget | None,
        rules: Rules,
        presets: Sequence[str],
        theme: Theme,
        level: Callable[[Rules], Rules] = lambda rules: rules,
    ) -> None:
        super().__init__(parent, mark("Setup"))
        self._level = level
        self.rules: Rules | None = None
        """The rules chosen; None until they are."""
        named = {str(known) for known in formatting.NAMED_RULES.values()}
        read = dict.fromkeys(str(found) for found in map(formatting.parsed, presets) if found)
        self.presets = [text for text in read if text not in named]
        """The player's own boards, as texts of rules."""
        self._estimator: DifficultyEstimator | None = None
        self._shown = rules
        """The rules that were last put into the fields."""
        self._make_fields(rules)
        self._preview = BoardPreview(theme)
        self._work, self._trouble = MessageLabel(), MessageLabel()
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(_PATIENCE_MS)
        self._patience.timeout.connect(self._begin_counting)
        self._poll = QTimer(self)
        self._poll.setInterval(_POLL_MS)
        self._poll.timeout.connect(self._show_estimate)
        self._lay_out()
        self._fill_list()
        self._connect()
        self._set_fields(rules)
        self._width.setFocus()
        self._width.selectAll()

    # What it consists of

    def _make_fields(self, rules: Rules) -> None:
        self._width, self._height, self._mines = QSpinBox(), QSpinBox(), QSpinBox()
        self._width.setRange(1, max(MOST_SIDE, rules.width))
        self._height.setRange(1, max(MOST_SIDE, rules.height))
        self._density = QDoubleSpinBox()
        self._density.setDecimals(1)
        for box in (self._width, self._height, self._mines, self._density):
            box.setAlignment(Qt.AlignmentFlag.AlignRight)
            box.setCorrectionMode(QAbstractSpinBox.CorrectionMode.CorrectToNearestValue)
            box.setAccelerated(True)
        self._density.setSuffix(" %")
        self._choices = {each.name: QComboBox() for each in _OFFERED if not each.is_switch}
        self._switches = {each.name: QCheckBox() for each in _OFFERED if each.is_switch}
        self._why_not = MessageLabel()
        self._list = QListWidget()
        self._list.setWordWrap(True)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setMinimumWidth(self.fontMetrics().averageCharWidth() * 28)
        self._add, self._remove = QPushButton(), QPushButton()
        self._buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )

    def _lay_out(self) -> None:
        say = self.texts.say
        form = QFormLayout()
        for message, field in (
            (mark("&Width:"), self._width),
            (mark("&Height:"), self._height),
            (mark("&Mines:"), self._mines),
            (mark("&Density:"), self._density),
            *((option_named(name).key_label, box) for name, box in self._choices.items()),
        ):
            label = QLabel()
            label.setBuddy(field)
            say(label.setText, message)
            form.addRow(label, field)
        say(
            self._why_not.tell,
            mark("Where the first click may be a mine, no board is guess-free"),
        )
        for name, switch in self._switches.items():
            say(switch.setText, option_named(name).key_label)
            form.addRow("", switch)
        form.addRow(self._why_not)
        right = QVBoxLayout()
        right.addLayout(form)
        right.addWidget(self._preview, 1)
        right.addWidget(self._work)
        right.addWidget(self._trouble)
        both = QHBoxLayout()
        both.addLayout(self._left_side(), 1)
        both.addLayout(right, 1)
        whole = QVBoxLayout(self)
        whole.addLayout(both)
        whole.addWidget(self._buttons)
        say(self._preview.setAccessibleName, mark("A board of these proportions"))

    def _left_side(self) -> QVBoxLayout:
        say = self.texts.say
        heading = QLabel()
        heading.setBuddy(self._list)
        say(heading.setText, mark("&Boards:"))
        say(self._add.setText, mark("&Keep this board"))
        say(self._add.setToolTip, mark("Put the board of these fields into the list"))
        say(self._remove.setText, mark("&Remove"))
        say(self._remove.setToolTip, mark("Take your own board out of the list"))
        for button in (self._add, self._remove):
            button.setAutoDefault(False)
        side = QVBoxLayout()
        side.addWidget(heading)
        side.addWidget(self._list, 1)
        row = QHBoxLayout()
        row.addWidget(self._add, 1)
        row.addWidget(self._remove)
        side.addLayout(row)
        return side

    def _connect(self) -> None:
        self._width.valueChanged.connect(self._resized)
        self._height.valueChanged.connect(self._resized)
        self._mines.valueChanged.connect(self._mines_chosen)
        self._density.valueChanged.connect(self._density_chosen)
        for box in self._choices.values():
            box.currentIndexChanged.connect(self._changed)
        for switch in self._switches.values():
            switch.toggled.connect(self._changed)
        self._list.currentItemChanged.connect(self._preset_chosen)
        self._list.itemDoubleClicked.connect(self.accept)
        self._add.clicked.connect(self._add_preset)
        self._remove.clicked.connect(self._remove_preset)
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)

    def retranslate_ui(self) -> None:
        """Say every text anew; what is chosen stays chosen."""
        super().retranslate_ui()
        self._fill_list()
        self._changed()

    # The list of boards

    def _fill_list(self) -> None:
        """Write the lists of choices in the language set now."""
        blockers = [QSignalBlocker(box) for box in (self._list, *self._choices.values())]
        for name, box in self._choices.items():
            at = box.currentIndex()
            box.clear()
            for choice in option_named(name).choices:
                box.addItem(tr(choice.words), choice.value)
            box.setCurrentIndex(max(at, 0))
        self._list.clear()
        for name, rules in formatting.NAMED_RULES.items():
            self._add_item(f"{tr(name)} · {formatting.size(rules)}", str(self._level(rules)))
        for text in self.presets:
            rules = Rules.parse(text)
            said = " · ".join(filter(None, (formatting.size(rules), formatting.promises(rules))))
            self._add_item(said, text)
        del blockers

    def _add_item(self, said: str, text: str) -> None:
        item = QListWidgetItem(said, self._list)
        item.setData(_RULES, text)
        item.setToolTip(plain_tool_tip(text))

    def _preset_chosen(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self._set_fields(Rules.parse(item.data(_RULES)))

    def _add_preset(self) -> None:
        rules = self._asked()
        if isinstance(rules, Rules):
            self.presets.append(str(rules))
            self._fill_list()
            self._changed()

    def _remove_preset(self) -> None:
        rules = self._asked()
        if isinstance(rules, Rules) and str(rules) in self.presets:
            self.presets.remove(str(rules))
            self._fill_list()
            self._changed()
            self._list.setFocus()

    def _mark_in_list(self, rules: Rules | None) -> None:
        """Show which board of the list the fields say, if any does."""
        blocker = QSignalBlocker(self._list)
        text = None if rules is None else str(rules)
        rows = [self._list.item(row).data(_RULES) for row in range(self._list.count())]
        self._list.setCurrentRow(rows.index(text) if text in rows else -1)
        known = text is None or text in rows
        self._add.setEnabled(not known and len(self.presets) < MAX_PRESETS)
        self._remove.setEnabled(text in self.presets)
        del blocker

    # The fields

    def _set_fields(self, rules: Rules) -> None:
        fields = (
            self._width,
            self._height,
            self._mines,
            self._density,
            *self._choices.values(),
            *self._switches.values(),
        )
        blockers = [QSignalBlocker(field) for field in fields]
        self._width.setMaximum(max(MOST_SIDE, rules.width))
        self._height.setMaximum(max(MOST_SIDE, rules.height))
        self._width.setValue(rules.width)
        self._height.setValue(rules.height)
        self._mines.setMaximum(max(rules.mines, self._most_mines()))
        self._mines.setValue(rules.mines)
        self._wished_mines = rules.mines
        for name, box in self._choices.items():
            option = option_named(name)
            box.setCurrentIndex(option.choices.index(option.choice(getattr(rules, name))))
        for name, switch in self._switches.items():
            switch.setChecked(getattr(rules, name))
        self._shown = rules  # no field says some options, and none may drop them
        del blockers
        self._show_density()
        self._changed()

    def _most_mines(self) -> int:
        return most_mines(self._width.value(), self._height.value(), First.SAFE)

    def _resized(self) -> None:
        """Keep the mines that were wished for, as far as they fit: 30 is typed by way of 3."""
        blocker = QSignalBlocker(self._mines)
        self._mines.setMaximum(self._most_mines())
        self._mines.setValue(self._wished_mines)
        del blocker
        self._show_density()
        self._changed()

    def _mines_chosen(self, mines: int) -> None:
        self._wished_mines = mines
        self._show_density()
        self._changed()

    def _density_chosen(self, percent: float) -> None:
        cells = self._width.value() * self._height.value()
        blocker = QSignalBlocker(self._mines)
        self._mines.setValue(round(cells * percent / 100))
        del blocker
        self._wished_mines = self._mines.value()
        self._changed()

    def _show_density(self) -> None:
        blocker = QSignalBlocker(self._density)
        cells = self._width.value() * self._height.value()
        self._density.setMaximum(100 * self._most_mines() / cells)
        self._density.setValue(100 * self._mines.value() / cells)
        del blocker

    def _asked(self) -> Rules | DemineError:
        """Return what the fields say, or why nobody could play it."""
        fields: dict[str, Any] = {
            **{name: box.currentData() for name, box in self._choices.items()},
            **{name: switch.isChecked() for name, switch in self._switches.items()},
        }
        fields["guess_free"] = fields["guess_free"] and fields["first"] != First.ANY
        fields["width"], fields["height"] = self._width.value(), self._height.value()
        fields["mines"] = self._mines.value()
        try:
            rules = replace(self._shown, **fields)
            if rules.guess_free:
                from demine.solver.deal.guess_free import check_board_size

                check_board_size(rules)
        except DemineError as error:
            return error
        return rules

    def _changed(self) -> None:
        asked = self._asked()
        rules = asked if isinstance(asked, Rules) else None
        a_guess_at_once = self._choices["first"].currentData() == First.ANY
        self._switches["guess_free"].setEnabled(not a_guess_at_once)
        self._why_not.setVisible(a_guess_at_once)
        self._buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(rules is not None)
        self._mark_in_list(rules)
        self._stop_counting()
        if isinstance(asked, DemineError):
            self._trouble.tell(explain(asked))
            self._work.tell("")
        else:
            self._trouble.tell("")
            self._work.tell(tr("3BV: counting…"))
            self._patience.start()
        self._trouble.setVisible(rules is None)
        self._work.setVisible(rules is not None)

    # 3BV

    def _begin_counting(self) -> None:
        asked = self._asked()
        if isinstance(asked, Rules):
            self._preview.show_rules(asked)
            self._estimator = DifficultyEstimator(asked)
            self._poll.start()

    def _stop_counting(self) -> None:
        self._patience.stop()
        self._poll.stop()
        if self._estimator is not None:
            self._estimator.stop()
            self._estimator = None

    def _show_estimate(self) -> None:
        estimator = self._estimator
        if estimator is None:
            return
        done = estimator.done
        found = estimator.estimate
        if found is not None:
            self._work.tell(said(found))
        if done:
            self._poll.stop()

    # The end

    def accept(self) -> None:
        """Keep the rules and close, if anybody can play them."""
        asked = self._asked()
        if isinstance(asked, Rules):
            self.rules = asked
            super().accept()

    def done(self, result: int) -> None:
        """Stop counting whichever way it ends."""
        self._stop_counting()
        super().done(result)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop counting when the window goes."""
        self._stop_counting()
        super().closeEvent(event)


def said(found: DifficultyEstimate) -> str:
    """Return an estimate in words."""
    about = tr("3BV about {mean}", mean=f"{found.mean:.0f}")
    if found.spread is not None:
        about = tr("3BV about {mean} ± {spread}", mean=f"{found.mean:.0f}",
                   spread=f"{found.spread:.0f}")  # fmt: skip
    how = ntr("counted on {n} board dealt now", "counted on {n} boards dealt now", found.boards)
    if found.piece is not None:
        wide, high = found.piece
        how = tr("{how}, each a piece of {width} × {height}", how=how, width=wide, height=high)
    return tr("{about} ({how}): the fewest left clicks that open it.", about=about, how=how)
