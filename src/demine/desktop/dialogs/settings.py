"""The dialog Settings: all preferences and keys, applied at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QGroupBox,
    QSpinBox,
    QTabWidget,
    QWidget,
)

from demine.desktop.dialogs.base import Dialog, MessageLabel
from demine.desktop.dialogs.key_settings import KeySettingsPage
from demine.desktop.widget_builders import fill_combo_box, make_scroll_area, vbox
from demine.scene.preferences import (
    DECLARATIONS,
    PreferenceDeclaration,
    Preferences,
    SettingsGroup,
    SettingsPage,
    choices_of,
    preset_key_map,
)
from demine.scene.translation import mark, tr

if TYPE_CHECKING:
    from demine.scene.key_bindings import KeyMap


class SettingsDialog(Dialog):
    """Shows preferences, and emits each change at once; there is no cancelling."""

    changed = Signal(dict)
    """Changed preferences, {name: value}."""

    def __init__(self, parent: QWidget | None, preferences: Preferences, keymap: KeyMap) -> None:
        super().__init__(parent, mark("Settings"))
        self._preferences = preferences
        self._boxes: dict[str, QComboBox] = {}
        self.tabs = QTabWidget()
        self._keys = KeySettingsPage(keymap, preset_key_map(preferences.keys), self.texts)
        self._keys.changed.connect(lambda: self.changed.emit({"keymap": self.changed_keys_text}))
        for page in SettingsPage:
            self.texts.add_tab(self.tabs, self._make_page(page), page.value)
        vbox((self.tabs, 1), self.make_button_box(), parent=self)
        self.disable_auto_default()  # Enter waits for a key on the page of keys
        self.update_composed_texts()
        self.resize_to_line_heights(43, 30)

    @property
    def changed_keys_text(self) -> str:
        """The keys that differ from the chosen set, as text for `KeyMap.parse`."""
        return self._keys.changed_keys_text

    def _make_page(self, page: SettingsPage) -> QWidget:
        """Return a page of the groups that are declared for it, each under its title."""
        groups = [self._make_group(group) for group in SettingsGroup if group.page is page]
        widget = QWidget()
        if page is SettingsPage.KEYS:
            vbox(*groups, (self._keys, 1), parent=widget)
            return widget
        vbox(*groups, None, parent=widget)
        return make_scroll_area(widget)

    def _make_group(self, group: SettingsGroup) -> QWidget:
        """Return a box of the preferences of a group, in the order of their declarations."""
        box, form = QGroupBox(), QFormLayout()
        # A font of the box would be that of all in it as well.
        box.setStyleSheet("QGroupBox { font-weight: bold; }")
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.FieldsStayAtSizeHint)
        self.texts.bind(box.setTitle, group.title)
        for name, declaration in DECLARATIONS.items():
            if declaration.group is group:
                self._add_row(form, name, declaration)
        box.setLayout(form)
        return box

    # Rows

    def _add_row(self, form: QFormLayout, name: str, declaration: PreferenceDeclaration) -> None:
        if declaration.choices or declaration.limits:
            make = self._make_combo_box if declaration.choices else self._make_spin_box
            field = make(name, declaration)
            form.addRow(self.texts.make_label(declaration.label, field), field)
        else:
            form.addRow(self._make_check_box(name, declaration))
        if declaration.note:
            note = MessageLabel()
            self.texts.bind(note.set_message, declaration.note)
            form.addRow(note)

    def _make_combo_box(self, name: str, _declaration: PreferenceDeclaration) -> QWidget:
        box = self._boxes[name] = QComboBox()
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        box.currentIndexChanged.connect(lambda: self._choose(name))
        return box

    def _make_check_box(self, name: str, declaration: PreferenceDeclaration) -> QWidget:
        box = QCheckBox()
        box.setChecked(bool(getattr(self._preferences, name)))
        self.texts.bind(box.setText, declaration.label)
        box.toggled.connect(lambda on: self.changed.emit({name: on}))
        return box

    def _make_spin_box(self, name: str, declaration: PreferenceDeclaration) -> QWidget:
        box = QSpinBox(singleStep=declaration.step)
        box.setRange(*declaration.limits or (0, 0))
        box.setValue(getattr(self._preferences, name))
        self.texts.bind(box.setSuffix, declaration.unit)
        box.valueChanged.connect(lambda value: self.changed.emit({name: value}))
        return box

    def update_composed_texts(self) -> None:
        """Fill in all choices in the current language; the selection stays."""
        for name, box in self._boxes.items():
            chosen = box.currentData() if box.count() else getattr(self._preferences, name)
            choices = choices_of(name).items()
            fill_combo_box(box, [(tr(message), value) for value, message in choices], chosen)
        self._keys.retranslate_ui()

    # Changes

    def _choose(self, name: str) -> None:
        value = self._boxes[name].currentData()
        if name == "keys":
            self._keys.set_default_keys(preset_key_map(value), self.changed_keys_text)
            self.changed.emit({"keys": value, "keymap": self.changed_keys_text})
        else:
            self.changed.emit({name: value})
