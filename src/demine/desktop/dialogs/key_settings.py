"""The page of keys in the settings: what each means, and pressing another one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from demine.desktop.dialogs.base import MessageLabel
from demine.desktop.qt_keys import key_name
from demine.scene.key_bindings import DESCRIPTIONS, Command, KeyMap, key_label
from demine.scene.translation import mark, tr

if TYPE_CHECKING:
    from demine.desktop.dialogs.base import Retranslator

_BARE: Final = frozenset(
    {
        Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_Meta, Qt.Key.Key_AltGr,
        Qt.Key.Key_CapsLock, Qt.Key.Key_NumLock, Qt.Key.Key_ScrollLock, Qt.Key.Key_unknown,
    }
)  # fmt: skip


class KeySettingsPage(QWidget):
    """A table of commands and keys; a row waits for a key, and says whose it was."""

    changed = Signal()
    """Some command has other keys now."""

    def __init__(self, keymap: KeyMap, base: KeyMap, texts: Retranslator) -> None:
        super().__init__()
        self.keymap = keymap
        self._base = base
        self._commands = tuple(Command)
        self._waiting: bool | None = None
        self._asked_twice = ""
        self.table = QTableWidget(len(self._commands), 2)
        self._news = MessageLabel()
        self._change, self._add, self._clear = QPushButton(), QPushButton(), QPushButton()
        self._default, self._defaults = QPushButton(), QPushButton()
        self._lay_out(texts)
        self._change.clicked.connect(lambda: self.wait_for_key(adding=False))
        self._add.clicked.connect(lambda: self.wait_for_key(adding=True))
        self._clear.clicked.connect(lambda: self._bind(()))
        self._default.clicked.connect(lambda: self._bind(self._base.keys(self.command)))
        self._defaults.clicked.connect(self.reset)
        self.table.itemDoubleClicked.connect(lambda: self.wait_for_key(adding=False))
        self.table.itemSelectionChanged.connect(self.stop_waiting)
        self.table.installEventFilter(self)
        self.say()
        self.table.setCurrentCell(0, 0)

    def _lay_out(self, texts: Retranslator) -> None:
        table = self.table
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setAlternatingRowColors(True)
        table.setShowGrid(False)
        table.setTabKeyNavigation(False)
        table.verticalHeader().hide()
        table.verticalHeader().setDefaultSectionSize(round(self.fontMetrics().height() * 1.6))
        heading = table.horizontalHeader()
        heading.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        heading.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        texts.say(table.setAccessibleName, mark("Commands and their keys"))
        for button, message in (
            (self._change, mark("&Change…")),
            (self._add, mark("&Add a key…")),
            (self._clear, mark("&No key")),
            (self._default, mark("&Usual key")),
            (self._defaults, mark("All u&sual keys")),
        ):
            texts.say(button.setText, message)
            button.setAutoDefault(False)
        row = QHBoxLayout()
        for button in (self._change, self._add, self._clear, self._default, self._defaults):
            row.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(table, 1)
        layout.addWidget(self._news)
        layout.addLayout(row)

    @property
    def command(self) -> Command:
        """The command the player stands at."""
        return self._commands[max(self.table.currentRow(), 0)]

    @property
    def text(self) -> str:
        """The keys that differ from the usual ones, as text of `KeyMap`; empty when none does."""
        return "\n".join(
            f"{command}: {' '.join(keys)}".rstrip()
            for command, keys in self.keymap.items()
            if keys != self._base.keys(command)
        )

    def say(self) -> None:
        """Write the table in the language set now."""
        self.table.setHorizontalHeaderLabels([tr("Command"), tr("Keys")])
        for row, command in enumerate(self._commands):
            keys = "   ".join(key_label(key) for key in self.keymap.keys(command))
            for column, text in enumerate((tr(DESCRIPTIONS[command]), keys)):
                self.table.setItem(row, column, QTableWidgetItem(text))
        self._tell(tr("Choose a command, then change its key; Enter does it too."))

    def rebase(self, base: KeyMap, text: str) -> None:
        """Take other usual keys; the player's own stay."""
        self._base = base
        self.keymap = KeyMap.parse(text, base)
        self.say()

    # Waiting for a key

    def wait_for_key(self, *, adding: bool) -> None:
        """Take the next key for the command, beside its others or instead of them."""
        self._waiting, self._asked_twice = adding, ""
        self.table.setFocus()
        self._tell(
            tr("Press a key for “{command}”. Esc leaves it as it is.",
               command=tr(DESCRIPTIONS[self.command]))
        )  # fmt: skip

    def stop_waiting(self) -> None:
        """Let keys be keys again."""
        if self._waiting is not None:
            self._waiting = None
            self.say()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Catch the key that is waited for before it moves the table, presses or closes."""
        if not isinstance(event, QKeyEvent):
            if event.type() == QEvent.Type.FocusOut:
                self.stop_waiting()
            return super().eventFilter(watched, event)
        if self._waiting is None:
            enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            if enter and event.type() == QEvent.Type.KeyPress:
                self.wait_for_key(adding=False)
            return enter or super().eventFilter(watched, event)
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
        elif event.type() == QEvent.Type.KeyPress and not event.isAutoRepeat():
            self._caught(event)
        return True

    def _caught(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.stop_waiting()
            return
        if Qt.Key(event.key()) in _BARE:
            return
        name = key_name(event)
        if not name:
            self._tell(tr("This key has no name here; press another one."))
            return
        owner = self.keymap.lookup(name)
        if owner is not None and owner is not self.command and name != self._asked_twice:
            self._asked_twice = name
            self._tell(
                tr(
                    "{key} already means “{command}”. Press it again to take it from there, "
                    "or press another key.",
                    key=key_label(name),
                    command=tr(DESCRIPTIONS[owner]),
                )
            )
            return
        kept = self.keymap.keys(self.command) if self._waiting else ()
        self._bind((*kept, name))

    def _bind(self, keys: tuple[str, ...]) -> None:
        before = self.keymap
        self._waiting = None
        self.keymap = before.rebound({self.command: keys})
        self.say()
        self._tell(self._what_changed(before))
        self.changed.emit()

    def _what_changed(self, before: KeyMap) -> str:
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

    def reset(self) -> None:
        """Give every command its usual keys."""
        self._waiting = None
        self.keymap = self._base
        self.say()
        self._tell(tr("Every command has its usual keys."))
        self.changed.emit()

    def _tell(self, text: str) -> None:
        self._news.tell(text)
