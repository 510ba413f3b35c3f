"""Settings, applied at once: the game, its looks, its keys."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

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

from demine.desktop.dialogs.base import Dialog, MessageLabel
from demine.desktop.dialogs.key_settings import KeySettingsPage
from demine.scene.preferences import (
    DECLARATIONS,
    PreferenceDeclaration,
    Preferences,
    SettingsPage,
    choices_of,
    key_map,
)
from demine.scene.translation import mark, tr

if TYPE_CHECKING:
    from demine.scene.key_bindings import KeyMap


class SettingsDialog(Dialog):
    """Shows preferences and tells of each change at once; closing it takes nothing back."""

    changed = Signal(dict)
    """Preferences that have other values from now on, by their names."""

    def __init__(self, parent: QWidget | None, preferences: Preferences, keymap: KeyMap) -> None:
        super().__init__(parent, mark("Settings"))
        self._preferences = preferences
        self._boxes: dict[str, QComboBox] = {}
        self.tabs = QTabWidget()
        self._keys = KeySettingsPage(keymap, key_map(preferences.keys), self.texts)
        self._keys.changed.connect(lambda: self._tell(keymap=self.keymap_text))
        for page in SettingsPage:
            self._add_page(self._page(page), page.value, scrolls=page is not SettingsPage.KEYS)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(self.tabs, 1)
        layout.addWidget(buttons)
        for button in self.findChildren(QPushButton):
            button.setAutoDefault(False)  # Enter waits for a key on the page of keys
        self._fill()
        self.resize_to_lines(43, 30)

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
        self.texts.say(partial(self.tabs.setTabText, place), message)

    def _page(self, page: SettingsPage) -> QWidget:
        """Make a page of the preferences that are declared for it."""
        widget = QWidget()
        form = QFormLayout()
        for name, declaration in DECLARATIONS.items():
            if declaration.page is page:
                self._add_row(form, name, declaration)
        if page is SettingsPage.KEYS:
            layout = QVBoxLayout(widget)
            layout.addLayout(form)
            layout.addWidget(self._keys, 1)
        else:
            widget.setLayout(form)
        return widget

    # Rows

    def _add_row(self, form: QFormLayout, name: str, declaration: PreferenceDeclaration) -> None:
        if declaration.choices:
            self._choice(form, name, declaration.label)
        elif declaration.limits:
            self._number(form, name, declaration)
        else:
            self._switch(form, name, declaration.label)
        if declaration.note:
            note = MessageLabel()
            self.texts.say(note.tell, declaration.note)
            form.addRow(note)

    def _row(self, form: QFormLayout, field: QWidget, message: str) -> None:
        label = QLabel()
        label.setBuddy(field)
        self.texts.say(label.setText, message)
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
        self.texts.say(box.setText, message)
        form.addRow(box)
        box.toggled.connect(lambda on: self._tell(**{name: on}))

    def _number(self, form: QFormLayout, name: str, declaration: PreferenceDeclaration) -> None:
        box = QSpinBox()
        box.setRange(*declaration.limits or (0, 0))
        box.setSingleStep(declaration.step)
        box.setValue(getattr(self._preferences, name))
        box.valueChanged.connect(lambda value: self._tell(**{name: value}))
        self.texts.say(box.setSuffix, declaration.unit)
        self._row(form, box, declaration.label)

    def _fill(self) -> None:
        """Write every choice in the language set now."""
        for name, box in self._boxes.items():
            blocker = QSignalBlocker(box)
            chosen = box.currentData() if box.count() else getattr(self._preferences, name)
            box.clear()
            for value, message in choices_of(name).items():
                box.addItem(tr(message), value)
            box.setCurrentIndex(max(box.findData(chosen), 0))
            del blocker
        self._keys.say()

    def retranslate_ui(self) -> None:
        """Say every text anew; what is chosen stays chosen."""
        super().retranslate_ui()
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
