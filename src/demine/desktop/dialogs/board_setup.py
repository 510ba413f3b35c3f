"""The dialog Setup: the rules of a board, with an example and an estimate of its 3BV."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QSignalBlocker, Qt, QTimer
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QListWidget,
    QListWidgetItem,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from demine.desktop.dialogs import formatting
from demine.desktop.dialogs.base import Dialog, MessageLabel, StandardButton
from demine.desktop.dialogs.setup_preview import ExampleBoard
from demine.desktop.dialogs.three_bv_estimator import DifficultyEstimate, DifficultyEstimator
from demine.desktop.plain_text_tool_tips import plain_tool_tip
from demine.desktop.widget_builders import fill_combo_box, hbox, vbox
from demine.logic.errors import DemineError
from demine.logic.rules import OPTIONS, First, Rules, most_mines, option_by_name
from demine.scene.preferences import MAX_PRESETS, MOST_SIDE
from demine.scene.translation import explain, mark, ntr, tr

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from demine.scene.themes import Theme

_ESTIMATE_DELAY_MS: Final = 150
_POLL_MS: Final = 60
_OFFERED: Final = tuple(option for option in OPTIONS if option.label)
_RULES: Final = Qt.ItemDataRole.UserRole


class SetupDialog(Dialog):
    """Asks for rules. After `exec()`, read `rules` (None when cancelled) and `presets`.

    `apply_preferences` returns the rules of a named board with the player's preferences, such as
    guess-free boards.
    """

    def __init__(
        self,
        parent: QWidget | None,
        rules: Rules,
        presets: Sequence[str],
        theme: Theme,
        apply_preferences: Callable[[Rules], Rules] = lambda rules: rules,
    ) -> None:
        super().__init__(parent, mark("Setup"))
        self._apply_preferences = apply_preferences
        self.rules: Rules | None = None
        """The rules that were accepted; None before."""
        named = {str(known) for known in formatting.NAMED_RULES.values()}
        read = dict.fromkeys(str(found) for found in map(formatting.parse_rules, presets) if found)
        self.presets = [text for text in read if text not in named]
        """The player's own boards, as texts of rules."""
        self._estimator: DifficultyEstimator | None = None
        self._shown = rules
        """The rules that were last put into the fields."""
        self._make_fields(rules)
        self._preview = ExampleBoard(theme)
        self._estimate_label, self._error_label = MessageLabel(), MessageLabel()
        self._estimate_delay = QTimer(self, singleShot=True, interval=_ESTIMATE_DELAY_MS)
        self._estimate_delay.timeout.connect(self._start_estimate)
        self._poll = QTimer(self, interval=_POLL_MS)
        self._poll.timeout.connect(self._show_estimate)
        self._lay_out()
        self._fill_lists()
        self._connect()
        self._set_fields(rules)
        self._width.setFocus()
        self._width.selectAll()

    # Widgets

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
        self._no_guess_free_note = MessageLabel()
        self._list = QListWidget()
        self._list.setWordWrap(True)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setMinimumWidth(self.fontMetrics().averageCharWidth() * 28)
        self._buttons = self.make_button_box(StandardButton.Ok | StandardButton.Cancel)

    def _lay_out(self) -> None:
        texts = self.texts
        form = texts.make_form(
            (
                (mark("&Width:"), self._width),
                (mark("&Height:"), self._height),
                (mark("&Mines:"), self._mines),
                (mark("&Density:"), self._density),
                *((option_by_name(name).key_label, box) for name, box in self._choices.items()),
            )
        )
        texts.bind(
            self._no_guess_free_note.set_message,
            mark("Guess-free boards need a safe first click"),
        )
        for name, switch in self._switches.items():
            texts.bind(switch.setText, option_by_name(name).key_label)
            form.addRow("", switch)
        form.addRow(self._no_guess_free_note)
        texts.bind(self._preview.setAccessibleName, mark("Preview of the board"))
        right = vbox(form, (self._preview, 1), self._estimate_label, self._error_label)
        vbox(hbox((self._make_list_side(), 1), (right, 1)), self._buttons, parent=self)

    def _make_list_side(self) -> QVBoxLayout:
        texts = self.texts
        self._add = texts.make_button(mark("&Keep this board"), self._add_preset)
        self._remove = texts.make_button(mark("&Remove"), self._remove_preset)
        texts.bind(self._add.setToolTip, mark("Add this board to the list"))
        texts.bind(self._remove.setToolTip, mark("Remove this board from the list"))
        heading = texts.make_label(mark("&Boards:"), self._list)
        return vbox(heading, (self._list, 1), hbox((self._add, 1), self._remove))

    def _connect(self) -> None:
        self._width.valueChanged.connect(self._on_size_changed)
        self._height.valueChanged.connect(self._on_size_changed)
        self._mines.valueChanged.connect(self._on_mines_changed)
        self._density.valueChanged.connect(self._on_density_changed)
        for box in self._choices.values():
            box.currentIndexChanged.connect(self._update_state)
        for switch in self._switches.values():
            switch.toggled.connect(self._update_state)
        self._list.currentItemChanged.connect(self._on_preset_selected)
        self._list.itemDoubleClicked.connect(self.accept)

    def update_composed_texts(self) -> None:
        """Fill the lists again; the selection stays."""
        self._fill_lists()
        self._update_state()

    # The list of boards

    def _fill_lists(self) -> None:
        """Fill in the boards and the choices in the current language."""
        for name, box in self._choices.items():
            choices = option_by_name(name).choices
            fill_combo_box(
                box, [(tr(each.words), each.value) for each in choices], box.currentData()
            )
        blocker = QSignalBlocker(self._list)
        self._list.clear()
        for name, rules in formatting.NAMED_RULES.items():
            title = f"{tr(name)} · {formatting.rules_size_text(rules)}"
            self._add_item(title, str(self._apply_preferences(rules)))
        for text in self.presets:
            rules = Rules.parse(text)
            parts = (
                formatting.rules_size_text(rules),
                formatting.unusual_options_text(rules),
            )
            self._add_item(" · ".join(filter(None, parts)), text)
        del blocker

    def _add_item(self, title: str, rules: str) -> None:
        item = QListWidgetItem(title, self._list)
        item.setData(_RULES, rules)
        item.setToolTip(plain_tool_tip(rules))

    def _on_preset_selected(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self._set_fields(Rules.parse(item.data(_RULES)))

    def _add_preset(self) -> None:
        rules = self._entered_rules()
        if isinstance(rules, Rules):
            self.presets.append(str(rules))
            self._fill_lists()
            self._update_state()

    def _remove_preset(self) -> None:
        rules = self._entered_rules()
        if isinstance(rules, Rules) and str(rules) in self.presets:
            self.presets.remove(str(rules))
            self._fill_lists()
            self._update_state()
            self._list.setFocus()

    def _select_in_list(self, rules: Rules | None) -> None:
        """Select the board with these rules in the list, or none."""
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
        self._mines.setMaximum(max(rules.mines, self._max_mines()))
        self._mines.setValue(rules.mines)
        self._wanted_mines = rules.mines
        for name, box in self._choices.items():
            option = option_by_name(name)
            box.setCurrentIndex(option.choices.index(option.choice_of(getattr(rules, name))))
        for name, switch in self._switches.items():
            switch.setChecked(getattr(rules, name))
        self._shown = rules  # options without a field are kept
        del blockers
        self._show_density()
        self._update_state()

    def _max_mines(self) -> int:
        return most_mines(self._width.value(), self._height.value(), First.SAFE)

    def _on_size_changed(self) -> None:
        """Keep the wanted mines, as far as they fit: typing 30 passes through 3."""
        blocker = QSignalBlocker(self._mines)
        self._mines.setMaximum(self._max_mines())
        self._mines.setValue(self._wanted_mines)
        del blocker
        self._show_density()
        self._update_state()

    def _on_mines_changed(self, mines: int) -> None:
        self._wanted_mines = mines
        self._show_density()
        self._update_state()

    def _on_density_changed(self, percent: float) -> None:
        cells = self._width.value() * self._height.value()
        blocker = QSignalBlocker(self._mines)
        self._mines.setValue(round(cells * percent / 100))
        del blocker
        self._wanted_mines = self._mines.value()
        self._update_state()

    def _show_density(self) -> None:
        blocker = QSignalBlocker(self._density)
        cells = self._width.value() * self._height.value()
        self._density.setMaximum(100 * self._max_mines() / cells)
        self._density.setValue(100 * self._mines.value() / cells)
        del blocker

    def _entered_rules(self) -> Rules | DemineError:
        """Return the rules of the fields, or the error if they are invalid."""
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

    def _update_state(self) -> None:
        asked = self._entered_rules()
        rules = asked if isinstance(asked, Rules) else None
        a_guess_at_once = self._choices["first"].currentData() == First.ANY
        self._switches["guess_free"].setEnabled(not a_guess_at_once)
        self._no_guess_free_note.setVisible(a_guess_at_once)
        self._buttons.button(StandardButton.Ok).setEnabled(rules is not None)
        self._select_in_list(rules)
        self._stop_estimate()
        if isinstance(asked, DemineError):
            self._error_label.set_message(explain(asked))
            self._estimate_label.set_message("")
        else:
            self._error_label.set_message("")
            self._estimate_label.set_message(tr("3BV: counting…"))
            self._estimate_delay.start()
        self._error_label.setVisible(rules is None)
        self._estimate_label.setVisible(rules is not None)

    # 3BV

    def _start_estimate(self) -> None:
        asked = self._entered_rules()
        if isinstance(asked, Rules):
            self._preview.show_rules(asked)
            self._estimator = DifficultyEstimator(asked)
            self._poll.start()

    def _stop_estimate(self) -> None:
        self._estimate_delay.stop()
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
            self._estimate_label.set_message(estimate_text(found))
        if done:
            self._poll.stop()

    # Closing

    def accept(self) -> None:
        """Set `rules` and close, if the fields are valid."""
        asked = self._entered_rules()
        if isinstance(asked, Rules):
            self.rules = asked
            super().accept()

    def done(self, result: int) -> None:
        """Stop the estimate, and close."""
        self._stop_estimate()
        super().done(result)


def estimate_text(estimate: DifficultyEstimate) -> str:
    """Return a sentence about an estimate."""
    about = tr("3BV about {mean}", mean=f"{estimate.mean:.0f}")
    if estimate.spread is not None:
        about = tr("3BV about {mean} ± {spread}", mean=f"{estimate.mean:.0f}",
                   spread=f"{estimate.spread:.0f}")  # fmt: skip
    how = ntr("from {n} random board", "from {n} random boards", estimate.boards)
    if estimate.piece is not None:
        wide, high = estimate.piece
        how = tr("{how}, each a {width} × {height} section", how=how, width=wide, height=high)
    return tr("{about} ({how}): the fewest left clicks that open it.", about=about, how=how)
