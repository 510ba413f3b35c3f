"""Settings, applied at once: the game, its looks, its keys."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialogButtonBox,
    QFormLayout,
    QFrame,
    QLabel,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from demine.desktop.dialogs.base import Dialog, Sentence
from demine.desktop.dialogs.key_settings import KeyPage
from demine.logic.rules import First, option_named
from demine.scene.palette import PALETTES
from demine.scene.preferences import MAX_HOLD, MIN_HOLD, Preferences, key_map
from demine.scene.themes import SYSTEM, THEMES
from demine.scene.translation import languages, mark, tr

if TYPE_CHECKING:
    from collections.abc import Mapping

    from demine.scene.key_bindings import KeyMap

_USUAL: Final = mark("It opens an opening, where that fits")
_CHOICES: Final[Mapping[str, Mapping[str, str]]] = {
    "first": {
        "": _USUAL,
        **{
            text: words for text, words in option_named("first").words.items() if text != First.ZERO
        },
    },
    "goal": option_named("goal").words,
    "tap": {"open": mark("open the cell"), "flag": mark("flag the cell")},
    "theme": {
        SYSTEM: mark("As the system: light or dark"),
        **{name: theme.title for name, theme in THEMES.items()},
    },
    "palette": {
        "": mark("The look's own"),
        **{name: palette.title for name, palette in PALETTES.items()},
    },
    "digits": {"led": mark("Lamps"), "plain": mark("Plain type")},
    "language": {"": mark("As the system"), **languages()},
    "keys": {"arrows": mark("arrows"), "vi": mark("arrows and h j k l")},
}
"""What there is to choose, by the names of `Preferences`: values and message ids."""


class SettingsDialog(Dialog):
    """Shows preferences and tells of each change at once; closing it takes nothing back."""

    changed = Signal(dict)
    """Preferences that have other values from now on, by their names."""

    def __init__(self, parent: QWidget | None, preferences: Preferences, keymap: KeyMap) -> None:
        super().__init__(parent, mark("Settings"))
        self._preferences = preferences
        self._boxes: dict[str, QComboBox] = {}
        self.tabs = QTabWidget()
        self._keys = KeyPage(keymap, key_map(preferences.keys), self.wording)
        self._keys.changed.connect(lambda: self._tell(keymap=self.keymap_text))
        self._add_page(self._game_page(), mark("&Game"))
        self._add_page(self._hand_page(), mark("&Mouse and touch"))
        self._add_page(self._look_page(), mark("&Look"))
        self._add_page(self._key_page(), mark("&Keys"), scrolls=False)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(self.tabs, 1)
        layout.addWidget(buttons)
        for button in self.findChildren(QPushButton):
            button.setAutoDefault(False)  # Enter waits for a key on the page of keys
        self._fill()
        self.open_as(43, 30)

    @property
    def keymap_text(self) -> str:
        """The player's own keys, as text of `KeyMap` over those of the set chosen."""
        return self._keys.text

    # Pages

    def _add_page(self, page: QWidget, message: str, *, scrolls: bool = True) -> None:
        if scrolls:
            area = QScrollArea()
            area.setWidgetResizable(True)
            area.setFrameShape(QFrame.Shape.NoFrame)
            area.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # what has the focus scrolls into sight
            area.setWidget(page)
            area.viewport().setAutoFillBackground(False)
            page.setAutoFillBackground(False)
            page = area
        place = self.tabs.addTab(page, "")
        self.wording.say(partial(self.tabs.setTabText, place), message)

    def _game_page(self) -> QWidget:
        page = QWidget()
        form = QFormLayout(page)
        self._choice(form, "first", mark("&First click:"))
        self._choice(form, "goal", mark("G&oal:"))
        self._switch(form, "guess_free", mark("Levels never &need a guess"))
        note = Sentence()
        self.wording.say(
            note.tell, mark("First click and goal hold for the levels, from the next game on.")
        )
        form.addRow(note)
        self._switch(form, "sound", mark("&Sounds"))
        return page

    def _hand_page(self) -> QWidget:
        page = QWidget()
        form = QFormLayout(page)
        self._switch(form, "questions", mark("A second right click makes a &question mark"))
        self._switch(form, "left_chord", mark("A left &click on a number chords"))
        note = Sentence()
        self.wording.say(
            note.tell,
            mark("Both buttons, the middle one and Shift with the left one chord always."),
        )
        form.addRow(note)
        self._choice(form, "tap", mark("A &tap of a finger or pen will:"))
        hold = QSpinBox()
        hold.setRange(MIN_HOLD, MAX_HOLD)
        hold.setSingleStep(50)
        hold.setValue(self._preferences.hold_ms)
        hold.valueChanged.connect(lambda value: self._tell(hold_ms=value))
        self.wording.say(hold.setSuffix, mark(" ms"))
        self._row(form, hold, mark("A long &press takes:"))
        other = Sentence()
        self.wording.say(other.tell, mark("A long press does the other of the two."))
        form.addRow(other)
        return page

    def _look_page(self) -> QWidget:
        page = QWidget()
        form = QFormLayout(page)
        self._choice(form, "theme", mark("L&ook:"))
        self._choice(form, "palette", mark("Colours of the &numbers:"))
        self._choice(form, "digits", mark("&Counter and clock:"))
        self._switch(form, "minimap", mark("O&verview beside a board that does not fit"))
        self._choice(form, "language", mark("L&anguage:"))
        return page

    def _key_page(self) -> QWidget:
        page = QWidget()
        layout = QVBoxLayout(page)
        form = QFormLayout()
        self._choice(form, "keys", mark("Keys that mo&ve the cursor:"))
        layout.addLayout(form)
        layout.addWidget(self._keys, 1)
        return page

    # Rows

    def _row(self, form: QFormLayout, field: QWidget, message: str) -> None:
        label = QLabel()
        label.setBuddy(field)
        self.wording.say(label.setText, message)
        form.addRow(label, field)

    def _choice(self, form: QFormLayout, name: str, message: str) -> None:
        box = QComboBox()
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self._boxes[name] = box
        self._row(form, box, message)
        box.currentIndexChanged.connect(lambda: self._chosen(name))

    def _switch(self, form: QFormLayout, name: str, message: str) -> None:
        box = QCheckBox()
        box.setChecked(bool(getattr(self._preferences, name)))
        self.wording.say(box.setText, message)
        form.addRow(box)
        box.toggled.connect(lambda on: self._tell(**{name: on}))

    def _fill(self) -> None:
        """Write every choice in the language set now."""
        for name, box in self._boxes.items():
            blocker = QSignalBlocker(box)
            chosen = box.currentData() if box.count() else getattr(self._preferences, name)
            box.clear()
            for value, message in _CHOICES[name].items():
                box.addItem(tr(message), value)
            box.setCurrentIndex(max(box.findData(chosen), 0))
            del blocker
        self._keys.say()

    def retranslate(self) -> None:
        """Say every text anew; what is chosen stays chosen."""
        super().retranslate()
        self._fill()

    # Changes

    def _chosen(self, name: str) -> None:
        value = self._boxes[name].currentData()
        if name == "keys":
            self._keys.rebase(key_map(value), self.keymap_text)
            self._tell(keys=value, keymap=self.keymap_text)
        else:
            self._tell(**{name: value})

    def _tell(self, **changes: object) -> None:
        self.changed.emit(changes)
