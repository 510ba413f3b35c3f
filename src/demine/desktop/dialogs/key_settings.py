"""The page of keys in the dialog Settings: shows and changes the keys of commands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QTableWidget, QTableWidgetItem, QWidget

from demine.desktop.dialogs.base import MessageLabel
from demine.desktop.qt_keys import key_name
from demine.desktop.widget_builders import hbox, set_up_name_value_table, vbox
from demine.scene.key_bindings import DESCRIPTIONS, Command, KeyMap, key_label
from demine.scene.translation import mark, tr

if TYPE_CHECKING:
    from demine.desktop.retranslator import Retranslator

_BARE: Final = frozenset(
    {
        Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_Meta, Qt.Key.Key_AltGr,
        Qt.Key.Key_CapsLock, Qt.Key.Key_NumLock, Qt.Key.Key_ScrollLock, Qt.Key.Key_unknown,
    }
)  # fmt: skip


class KeySettingsPage(QWidget):
    """A table of commands and their keys, with buttons to change them."""

    changed = Signal()
    """The keys of a command have changed."""

    def __init__(self, keymap: KeyMap, defaults: KeyMap, texts: Retranslator) -> None:
        super().__init__()
        self.keymap = keymap
        self._defaults = defaults
        self._commands = tuple(Command)
        self._keep_others: bool | None = None
        """Whether the awaited key is added or replaces the others; None while none is awaited."""
        self._confirming = ""
        """The key that is taken from another command if it is pressed again."""
        self.table = QTableWidget(len(self._commands), 2)
        set_up_name_value_table(self.table)
        texts.bind(self.table.setAccessibleName, mark("Commands and their keys"))
        self._message = MessageLabel()
        make = texts.make_button
        self._change = make(mark("&Change…"), lambda: self.wait_for_key(keep_others=False))
        self._add = make(mark("&Add a key…"), lambda: self.wait_for_key(keep_others=True))
        self._clear = make(mark("&No key"), lambda: self._bind(()))
        self._default = make(
            mark("&Default key"), lambda: self._bind(self._defaults.keys(self.command))
        )
        self._reset = make(mark("All default key&s"), self.restore_default_keys)
        row = hbox(self._change, self._add, self._clear, self._default, self._reset)
        layout = vbox((self.table, 1), self._message, row, parent=self)
        layout.setContentsMargins(0, 0, 0, 0)
        self.table.itemDoubleClicked.connect(lambda: self.wait_for_key(keep_others=False))
        self.table.itemSelectionChanged.connect(self.stop_waiting)
        self.table.installEventFilter(self)
        self.retranslate_ui()
        self.table.setCurrentCell(0, 0)

    @property
    def command(self) -> Command:
        """The command of the current row."""
        return self._commands[max(self.table.currentRow(), 0)]

    @property
    def changed_keys_text(self) -> str:
        """The commands whose keys differ from the defaults, as text for `KeyMap.parse`."""
        return "\n".join(
            f"{command}: {' '.join(keys)}".rstrip()
            for command, keys in self.keymap.items()
            if keys != self._defaults.keys(command)
        )

    def retranslate_ui(self) -> None:
        """Fill the table in the current language."""
        self.table.setHorizontalHeaderLabels([tr("Command"), tr("Keys")])
        for row, command in enumerate(self._commands):
            keys = "   ".join(key_label(key) for key in self.keymap.keys(command))
            for column, text in enumerate((tr(DESCRIPTIONS[command]), keys)):
                self.table.setItem(row, column, QTableWidgetItem(text))
        self._message.set_message(tr("Choose a command, then change its key or press Enter."))

    def set_default_keys(self, defaults: KeyMap, changed_keys_text: str) -> None:
        """Change the default keys; `changed_keys_text` says which keys differ from them."""
        self._defaults = defaults
        self.keymap = KeyMap.parse(changed_keys_text, defaults)
        self.retranslate_ui()

    # Waiting for a key

    def wait_for_key(self, *, keep_others: bool) -> None:
        """Give the next pressed key to the command, beside its other keys or instead of them."""
        self._keep_others, self._confirming = keep_others, ""
        self.table.setFocus()
        self._message.set_message(
            tr("Press a key for “{command}”, or Esc to cancel.",
               command=tr(DESCRIPTIONS[self.command]))
        )  # fmt: skip

    def stop_waiting(self) -> None:
        """Stop waiting for a key."""
        if self._keep_others is not None:
            self._keep_others = None
            self.retranslate_ui()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Catch the awaited key before the table or the dialog handles it."""
        if not isinstance(event, QKeyEvent):
            if event.type() == QEvent.Type.FocusOut:
                self.stop_waiting()
            return super().eventFilter(watched, event)
        if self._keep_others is None:
            enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            if enter and event.type() == QEvent.Type.KeyPress:
                self.wait_for_key(keep_others=False)
            return enter or super().eventFilter(watched, event)
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
        elif event.type() == QEvent.Type.KeyPress and not event.isAutoRepeat():
            self._take_key(event)
        return True

    def _take_key(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.stop_waiting()
            return
        if Qt.Key(event.key()) in _BARE:
            return
        name = key_name(event)
        if not name:
            self._message.set_message(tr("That key cannot be used; press another one."))
            return
        owner = self.keymap.lookup(name)
        if owner is not None and owner is not self.command and name != self._confirming:
            self._confirming = name
            self._message.set_message(
                tr(
                    "{key} is already used for “{command}”. Press it again to reassign it, or "
                    "press another key.",
                    key=key_label(name),
                    command=tr(DESCRIPTIONS[owner]),
                )
            )
            return
        kept = self.keymap.keys(self.command) if self._keep_others else ()
        self._bind((*kept, name))

    def _bind(self, keys: tuple[str, ...]) -> None:
        before = self.keymap
        self._keep_others = None
        self.keymap = before.rebound({self.command: keys})
        self.retranslate_ui()
        self._message.set_message(self._describe_changes(before))
        self.changed.emit()

    def _describe_changes(self, before: KeyMap) -> str:
        said = []
        for command, keys in self.keymap.items():
            if keys != before.keys(command):
                name = tr(DESCRIPTIONS[command])
                named = ", ".join(key_label(key) for key in keys)
                said.append(
                    tr("“{command}”: {keys}", command=name, keys=named)
                    if keys
                    else tr("“{command}” has no key now", command=name)
                )
        return " · ".join(said) or tr("Nothing changed.")

    def restore_default_keys(self) -> None:
        """Give every command its default keys."""
        self._keep_others = None
        self.keymap = self._defaults
        self.retranslate_ui()
        self._message.set_message(tr("Every command has its default keys."))
        self.changed.emit()
