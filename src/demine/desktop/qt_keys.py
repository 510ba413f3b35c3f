"""Translates Qt's keys to the key names that every scene uses, and back.

Qt's key codes are plain numbers here: the first access to its enumeration of keys builds all six
hundred of them, which takes as long as drawing the board.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence

from demine.logic.errors import DemineError
from demine.scene.key_bindings import normalise_key

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

_SPECIAL: Final = 0x01000000
"""The first code of Qt's keys that type no character."""
_NAMES: Final = {
    _SPECIAL + number: name
    for number, name in {
        0x00: "escape",
        0x01: "tab",
        0x02: "tab",  # with Shift
        0x03: "backspace",
        0x04: "enter",
        0x05: "enter",  # on the number pad
        0x06: "insert",
        0x07: "delete",
        0x08: "pause",
        0x10: "home",
        0x11: "end",
        0x12: "left",
        0x13: "up",
        0x14: "right",
        0x15: "down",
        0x16: "pageup",
        0x17: "pagedown",
        **{0x30 + number: f"f{number + 1}" for number in range(24)},
    }.items()
} | {0x20: "space"}
_QT_NAMES: Final = {
    "enter": ("Return", "Enter"),
    "escape": ("Esc",),
    "pageup": ("PgUp",),
    "pagedown": ("PgDown",),
    "delete": ("Del",),
    "insert": ("Ins",),
}
"""Keys that Qt names differently; Enter is two keys."""
_MODIFIERS: Final = {
    "ctrl": Qt.KeyboardModifier.ControlModifier,
    "alt": Qt.KeyboardModifier.AltModifier,
    "shift": Qt.KeyboardModifier.ShiftModifier,
    "meta": Qt.KeyboardModifier.MetaModifier,
}


def key_name(event: QKeyEvent) -> str:
    """Return the name of a pressed key with its modifiers, such as `ctrl+z`.

    It is empty for a modifier alone and for unknown keys. The typed character counts, not the place
    of the key: the plus sign is on different keys of a German and an American keyboard.
    """
    base = _NAMES.get(event.key()) or _character(event.key(), event.text())
    held = [name for name, mask in _MODIFIERS.items() if event.modifiers() & mask]
    try:
        return normalise_key("+".join([*held, base]))
    except DemineError:
        return ""


def _character(key: int, typed: str) -> str:
    if len(typed) == 1 and typed.isprintable() and not typed.isspace():
        return typed.lower()
    # With Ctrl held the text is a control character, so the key code is used.
    return chr(key).lower() if 0x20 < key < 0x7F else ""


def key_sequences(name: str) -> list[QKeySequence]:
    """Return Qt's key sequences for a key name: one, or several for a key such as Enter."""
    modifiers, plus, base = normalise_key(name).rpartition("+")
    if not base:  # the key is the plus sign itself
        modifiers, base = modifiers.rstrip("+"), "+"
        plus = "+" if modifiers else ""
    return [
        QKeySequence(f"{modifiers}{plus}{key}", QKeySequence.SequenceFormat.PortableText)
        for key in _QT_NAMES.get(base, (base,))
    ]
