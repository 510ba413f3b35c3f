"""The dialog Setup: the rules of a board, with an example and an estimate of its 3BV."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QLocale, QSignalBlocker, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QPalette, QValidator
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QGridLayout,
    QListWidget,
    QListWidgetItem,
    QSpinBox,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from demine.desktop.dialogs import formatting
from demine.desktop.dialogs.base import Dialog, MessageLabel, StandardButton
from demine.desktop.dialogs.setup_preview import ExampleBoard
from demine.desktop.dialogs.three_bv_estimator import DifficultyEstimate, DifficultyEstimator
from demine.desktop.plain_text_tool_tips import plain_tool_tip
from demine.desktop.widget_builders import fill_combo_box, hbox, vbox
from demine.logic.rules import OPTIONS, First, Rules, option_by_name
from demine.play.board_choice import BoardChoice
from demine.scene.board_title import NAMED_BOARDS, board_size_title, board_title
from demine.scene.preferences import MAX_PRESETS
from demine.scene.translation import mark, ntr, tr

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from demine.scene.themes import Theme

_ESTIMATE_DELAY_MS: Final = 150
_POLL_MS: Final = 60
_OFFERED: Final = tuple(option for option in OPTIONS if option.label)
_RULES: Final = Qt.ItemDataRole.UserRole
_MOST_DIGITS: Final = 20
"""How many digits a field takes; what fits is said beside the fields."""
_MOST_VALUE: Final = 2**31 - 1
"""The greatest number that Qt counts with."""
_HALF_LIGHT: Final = 128


class NumberBox(QSpinBox):
    """A field for a number of cells or mines that takes every digit, whether or not it fits."""

    def __init__(self) -> None:
        super().__init__()
        self.setRange(0, _MOST_VALUE)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setAccelerated(True)

    @property
    def number(self) -> int:
        """The number that stands in the field at this moment; 0 if it is empty."""
        text = self.lineEdit().text()
        return int(text) if text.isdecimal() else 0

    def set_number(self, number: int) -> None:
        """Put a number into the field, however large."""
        self.lineEdit().setText(str(number))
        self.setValue(self.valueFromText(str(number)))

    def validate(self, text: str, place: int) -> tuple[QValidator.State, str, int]:
        """Judge what is typed or pasted, in plain digits; Qt puts them into the field."""
        plain = _in_plain_digits(text, self.locale())
        at = min(place, len(plain))
        if plain.isdecimal() and len(plain) <= _MOST_DIGITS:
            return QValidator.State.Acceptable, plain, at
        return super().validate(plain, at)

    def valueFromText(self, text: str) -> int:
        """Return the number for Qt, which counts less far than people type."""
        return min(int(text), _MOST_VALUE) if text.isdecimal() else super().valueFromText(text)

    def textFromValue(self, value: int) -> str:
        """Return the digits of a number; those in the field, where Qt counts no further."""
        text = self.lineEdit().text()
        beyond = value == _MOST_VALUE == self.valueFromText(text)
        return text if beyond else super().textFromValue(value)

    def sizeHint(self) -> QSize:
        """Return room for six digits; the range would ask for more."""
        return _width_for(self, "000000", super().sizeHint())

    def minimumSizeHint(self) -> QSize:
        """Return room for four digits."""
        return _width_for(self, "0000", super().minimumSizeHint())

    def mark_fault(self, text: str) -> None:
        """Colour the field and explain why; an empty text takes that back."""
        self.setAccessibleDescription(text)
        self.setToolTip(plain_tool_tip(text))
        palette = QPalette()
        if text:
            ground = self.palette().color(QPalette.ColorGroup.Active, QPalette.ColorRole.Window)
            dark = ground.lightness() < _HALF_LIGHT
            palette.setColor(QPalette.ColorRole.Base, QColor("#6e2018" if dark else "#ffd5cf"))
            palette.setColor(QPalette.ColorRole.Text, QColor("#ffffff" if dark else "#5a0a00"))
        self.setPalette(palette)


class DensityBox(QDoubleSpinBox):
    """A field for the share of mines in percent; it takes every digit and shows one decimal."""

    def __init__(self) -> None:
        super().__init__()
        self.setRange(0.0, float(10**_MOST_DIGITS))
        self.setDecimals(6)
        self.setSuffix("%")
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setAccelerated(True)

    def validate(self, text: str, place: int) -> tuple[QValidator.State, str, int]:
        """Judge what is typed or pasted, in plain digits; Qt puts them into the field."""
        plain = _in_plain_digits(text, self.locale())
        return super().validate(plain, min(place, len(plain)))

    def textFromValue(self, value: float) -> str:
        """Return the number with one decimal, whatever was typed."""
        spoken = self.locale()
        spoken.setNumberOptions(QLocale.NumberOption.OmitGroupSeparator)
        return spoken.toString(value, "f", 1)

    def sizeHint(self) -> QSize:
        """Return room for three digits and a decimal; the range would ask for more."""
        return _width_for(self, "000.0%", super().sizeHint())

    def minimumSizeHint(self) -> QSize:
        """Return room for two digits and a decimal."""
        return _width_for(self, "00.0%", super().minimumSizeHint())


def _in_plain_digits(text: str, locale: QLocale) -> str:
    """Return a number as Qt reads it: input methods give full-width digits, and people commas."""
    return unicodedata.normalize("NFKC", text).replace(locale.groupSeparator(), "")


def _width_for(box: QAbstractSpinBox, text: str, hint: QSize) -> QSize:
    """Return a size of a spin box as high as `hint` and wide enough for a text."""
    arrows = box.fontMetrics().height() * 2
    return QSize(box.fontMetrics().horizontalAdvance(text) + arrows, hint.height())


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
        named = {str(known) for known in NAMED_BOARDS.values()}
        read = dict.fromkeys(str(found) for found in map(formatting.parse_rules, presets) if found)
        self.presets = [text for text in read if text not in named]
        """The player's own boards, as texts of rules."""
        self._estimator: DifficultyEstimator | None = None
        self._shown = rules
        """The rules that were last put into the fields."""
        self._make_fields()
        self._preview = ExampleBoard(theme)
        self._title, self._estimate_label, self._error_label = (MessageLabel() for _ in range(3))
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

    def _make_fields(self) -> None:
        self._width, self._height, self._mines = NumberBox(), NumberBox(), NumberBox()
        self._density = DensityBox()
        self._numbers = {"width": self._width, "height": self._height, "mines": self._mines}
        self._choices = {each.name: QComboBox() for each in _OFFERED if not each.is_switch}
        self._switches = {each.name: QCheckBox() for each in _OFFERED if each.is_switch}
        self._no_guess_free_note = MessageLabel()
        self._list = QListWidget()
        self._list.setWordWrap(True)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setMinimumHeight(self.fontMetrics().height() * 4)
        self._buttons = self.make_button_box(StandardButton.Ok | StandardButton.Cancel)

    def _lay_out(self) -> None:
        self.texts.bind(self._preview.setAccessibleName, mark("Preview of the board"))
        self._title.make_heading(1.15)
        left = vbox(self._make_list_side(), self._make_form())
        right = vbox((self._preview, 1), self._title, self._make_verdict())
        columns = hbox(left, (right, 1))
        columns.setSpacing(self.fontMetrics().height())
        vbox((columns, 1), self._buttons, parent=self)
        self.resize_to_line_heights(54, 34)

    def _make_form(self) -> QGridLayout:
        """Return the fields: the numbers in pairs, and the options below them."""
        texts, grid = self.texts, QGridLayout()
        numbers = (
            (mark("&Width:"), self._width),
            (mark("&Height:"), self._height),
            (mark("&Mines:"), self._mines),
            (mark("&Density:"), self._density),
        )
        for place, (message, box) in enumerate(numbers):
            row, column = divmod(place, 2)
            grid.addWidget(texts.make_label(message, box), row, 2 * column)
            grid.addWidget(box, row, 2 * column + 1)
        for row, (name, choice) in enumerate(self._choices.items(), start=2):
            grid.addWidget(texts.make_label(option_by_name(name).key_label, choice), row, 0)
            grid.addWidget(choice, row, 1, 1, 3)
        texts.bind(
            self._no_guess_free_note.set_message,
            mark("Guess-free boards need a safe first click"),
        )
        below = (*self._switches.values(), self._no_guess_free_note)
        for row, part in enumerate(below, start=grid.rowCount()):
            grid.addWidget(part, row, 0, 1, 4)
        for name, switch in self._switches.items():
            texts.bind(switch.setText, option_by_name(name).key_label)
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(3, 1)
        return grid

    def _make_verdict(self) -> QStackedWidget:
        """Return what is said below the preview, with room for a fault so that nothing jumps."""
        self._fit = self.texts.make_button(mark("Make it fi&t"), self._make_it_fit)
        trouble, self._verdict = QWidget(), QStackedWidget()
        vbox(self._error_label, hbox(self._fit, None), None, parent=trouble).setContentsMargins(
            0, 0, 0, 0
        )
        self._estimate_label.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._verdict.addWidget(self._estimate_label)
        self._verdict.addWidget(trouble)
        self._verdict.setFixedHeight(
            self.fontMetrics().height() * 4 + self._fit.sizeHint().height()
        )
        return self._verdict

    def _make_list_side(self) -> QVBoxLayout:
        texts = self.texts
        self._add = texts.make_button(mark("&Keep this board"), self._add_preset)
        self._remove = texts.make_button(mark("&Remove"), self._remove_preset)
        texts.bind(self._add.setToolTip, mark("Add this board to the list"))
        texts.bind(self._remove.setToolTip, mark("Remove this board from the list"))
        heading = texts.make_label(mark("&Boards:"), self._list)
        return vbox(heading, (self._list, 1), hbox((self._add, 1), self._remove))

    def _connect(self) -> None:
        for box in self._numbers.values():
            box.valueChanged.connect(self._on_number_changed)
            box.lineEdit().textEdited.connect(self._on_number_changed)  # an emptied field too
        self._density.valueChanged.connect(self._on_density_changed)
        for choice in self._choices.values():
            choice.currentIndexChanged.connect(self._update_state)
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
        for name, rules in NAMED_BOARDS.items():
            title = f"{tr(name)} · {board_size_title(rules)}"
            self._add_item(title, str(self._apply_preferences(rules)))
        for text in self.presets:
            self._add_item(board_title(text), text)
        del blocker

    def _add_item(self, title: str, rules: str) -> None:
        item = QListWidgetItem(title, self._list)
        item.setData(_RULES, rules)
        item.setToolTip(plain_tool_tip(rules))

    def _on_preset_selected(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self._set_fields(Rules.parse(item.data(_RULES)))

    def _add_preset(self) -> None:
        if self._choice.misfit is None:
            self.presets.append(str(self._choice.nearest))
            self._fill_lists()
            self._update_state()

    def _remove_preset(self) -> None:
        text = str(self._choice.nearest)
        if self._choice.misfit is None and text in self.presets:
            self.presets.remove(text)
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
        self._shown = rules  # options without a field are kept
        fields = (*self._numbers.values(), *self._choices.values(), *self._switches.values())
        blockers = [QSignalBlocker(field) for field in fields]
        for name, box in self._numbers.items():
            box.set_number(getattr(rules, name))
        for name, choice in self._choices.items():
            option = option_by_name(name)
            choice.setCurrentIndex(option.choices.index(option.choice_of(getattr(rules, name))))
        for name, switch in self._switches.items():
            switch.setChecked(getattr(rules, name))
        del blockers
        self._on_number_changed()

    def _on_number_changed(self) -> None:
        cells = self._width.number * self._height.number
        with QSignalBlocker(self._density):
            self._density.setValue(100 * self._mines.number / cells if cells else 0.0)
        self._update_state()

    def _on_density_changed(self, percent: float) -> None:
        cells = self._width.number * self._height.number
        with QSignalBlocker(self._mines):
            self._mines.set_number(min(round(cells * percent / 100), 10**_MOST_DIGITS - 1))
        self._update_state()

    def _read_fields(self) -> BoardChoice:
        options: dict[str, Any] = {
            **{name: box.currentData() for name, box in self._choices.items()},
            **{name: switch.isChecked() for name, switch in self._switches.items()},
        }
        options["guess_free"] = options["guess_free"] and options["first"] != First.ANY
        numbers = {name: box.number for name, box in self._numbers.items()}
        return BoardChoice(self._shown, **numbers, options=options)

    def _make_it_fit(self) -> None:
        self._set_fields(self._choice.nearest)
        self._width.setFocus()

    def _update_state(self) -> None:
        self._choice = self._read_fields()
        misfit, nearest = self._choice.misfit, self._choice.nearest
        a_guess_at_once = self._choices["first"].currentData() == First.ANY
        self._switches["guess_free"].setEnabled(not a_guess_at_once)
        self._no_guess_free_note.setVisible(a_guess_at_once)
        self._buttons.button(StandardButton.Ok).setEnabled(misfit is None)
        self._select_in_list(None if misfit else nearest)
        for name, box in self._numbers.items():
            box.mark_fault(misfit.text if misfit is not None and misfit.field == name else "")
        self._title.set_message(board_title(nearest))
        self._error_label.set_message("" if misfit is None else misfit.text)
        self._estimate_label.set_message(tr("3BV: counting…"))
        self._verdict.setCurrentIndex(0 if misfit is None else 1)
        self._stop_estimate()
        self._estimate_delay.start()

    # 3BV

    def _start_estimate(self) -> None:
        rules = self._choice.nearest
        self._preview.show_rules(rules)
        if self._choice.misfit is None:
            self._estimator = DifficultyEstimator(rules)
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
        if self._choice.misfit is None:
            self.rules = self._choice.nearest
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
