"""Qt's keys by the names every scene uses, and back."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QKeyCombination, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

from demine.logic.errors import DemineError
from demine.scene.keys import normalise

_KEYS: Final = {
    "enter": (Qt.Key.Key_Return, Qt.Key.Key_Enter),
    "escape": (Qt.Key.Key_Escape,),
    "space": (Qt.Key.Key_Space,),
    "tab": (Qt.Key.Key_Tab,),
    "backspace": (Qt.Key.Key_Backspace,),
    "delete": (Qt.Key.Key_Delete,),
    "insert": (Qt.Key.Key_Insert,),
    "home": (Qt.Key.Key_Home,),
    "end": (Qt.Key.Key_End,),
    "pageup": (Qt.Key.Key_PageUp,),
    "pagedown": (Qt.Key.Key_PageDown,),
    "pause": (Qt.Key.Key_Pause,),
    "up": (Qt.Key.Key_Up,),
    "down": (Qt.Key.Key_Down,),
    "left": (Qt.Key.Key_Left,),
    "right": (Qt.Key.Key_Right,),
    **{f"f{number}": (Qt.Key(Qt.Key.Key_F1 + number - 1),) for number in range(1, 25)},
}
_NAMES: Final = {int(key): name for name, keys in _KEYS.items() for key in keys}
_MODIFIERS: Final = {
    "ctrl": Qt.KeyboardModifier.ControlModifier,
    "alt": Qt.KeyboardModifier.AltModifier,
    "shift": Qt.KeyboardModifier.ShiftModifier,
    "meta": Qt.KeyboardModifier.MetaModifier,
}


def key_name(event: QKeyEvent) -> str:
    """Return the name of a key that comes down; empty for a modifier alone and for odd keys.

    What counts is what the player typed: on a German keyboard the plus sign is another key than on
    an American one.
    """
    key = event.key()
    base = _NAMES.get(key) or _character(key, event.text())
    held = [name for name, mask in _MODIFIERS.items() if event.modifiers() & mask]
    try:
        return normalise("+".join([*held, base]))
    except DemineError:
        return ""


def _character(key: int, typed: str) -> str:
    if len(typed) == 1 and typed.isprintable() and not typed.isspace():
        return typed.lower()
    # With Ctrl held the text is a control character, so the key itself has to do.
    return chr(key).lower() if 0x20 < key < 0x7F else ""


def sequences(name: str) -> list[QKeySequence]:
    """Return Qt's shortcuts for a key by its name; Enter has two keys."""
    *modifiers, base = normalise(name).removesuffix("++").split("+")
    if name.endswith("++"):
        modifiers, base = [*modifiers, base], "+"
    elif name == "+":
        modifiers, base = [], "+"
    mask = Qt.KeyboardModifier.NoModifier
    for modifier in modifiers:
        mask |= _MODIFIERS[modifier]
    keys = _KEYS.get(base) or _key_of(base)
    return [QKeySequence(QKeyCombination(mask, key)) for key in keys]


def _key_of(base: str) -> tuple[Qt.Key, ...]:
    """Return Qt's key of one character; none for characters that Qt has no key for."""
    try:
        return (Qt.Key(ord(base.upper())),)
    except (TypeError, ValueError):
        return ()
