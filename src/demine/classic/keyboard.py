"""pygame's keys by the names every scene uses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pygame

from demine.scene.key_bindings import Command, normalise
from demine.scene.keyboard_cursor import MOVES

if TYPE_CHECKING:
    from demine.scene.key_bindings import KeyMap

_REPEATED: Final = MOVES | {Command.UNDO, Command.ZOOM_IN, Command.ZOOM_OUT}
"""What a key held down does again and again; everything else happens once a press."""

_NAMES: Final = {
    pygame.K_RETURN: "enter",
    pygame.K_KP_ENTER: "enter",
    pygame.K_ESCAPE: "escape",
    pygame.K_SPACE: "space",
    pygame.K_TAB: "tab",
    pygame.K_BACKSPACE: "backspace",
    pygame.K_DELETE: "delete",
    pygame.K_INSERT: "insert",
    pygame.K_HOME: "home",
    pygame.K_END: "end",
    pygame.K_PAGEUP: "pageup",
    pygame.K_PAGEDOWN: "pagedown",
    pygame.K_PAUSE: "pause",
    pygame.K_UP: "up",
    pygame.K_DOWN: "down",
    pygame.K_LEFT: "left",
    pygame.K_RIGHT: "right",
    pygame.K_KP_PLUS: "+",
    pygame.K_KP_MINUS: "-",
    **{getattr(pygame, f"K_F{number}"): f"f{number}" for number in range(1, 13)},
}
_KEYPAD: Final = tuple(getattr(pygame, f"K_KP{digit}") for digit in range(10))
_KEYPAD_MOVES: Final = (
    "insert", "end", "down", "pagedown", "left", "", "right", "home", "up", "pageup",
)  # fmt: skip
"""What the keypad's digits are while Num Lock is off."""
_MODIFIERS: Final = (
    (pygame.KMOD_CTRL, "ctrl"),
    (pygame.KMOD_ALT, "alt"),
    (pygame.KMOD_SHIFT, "shift"),
    (pygame.KMOD_META, "meta"),
)
_QUESTION_MARKS: Final = "/ß,"
"""The keys that make a question mark with Shift, on American, German and French keyboards."""
_PLACES: Final = "abcdefghijklmnopqrstuvwxyz1234567890"
"""What an American keyboard has in the places of the scan codes from 4 on."""


class Keyboard:
    """The keys and what they mean; knows which are held down.

    pygame can be asked for the modifiers too, but answers for this moment: when a press of the
    mouse is heard, the Shift that came with it may be up again.
    """

    def __init__(self, keys: KeyMap) -> None:
        self.keys = keys
        self._down: set[int] = set()
        self._modifiers = 0

    @property
    def shift(self) -> bool:
        """Whether Shift was held when the last event happened."""
        return bool(self._modifiers & pygame.KMOD_SHIFT)

    @property
    def ctrl(self) -> bool:
        """Whether Ctrl was held when the last event happened."""
        return bool(self._modifiers & pygame.KMOD_CTRL)

    def press(self, event: pygame.event.Event) -> Command | None:
        """Return what a key that comes down means, or comes down again because it is held."""
        command = next(filter(None, map(self.keys.lookup, key_names(event))), None)
        again = event.scancode in self._down
        self._modifiers = event.mod
        self._down.add(event.scancode)
        return None if again and command not in _REPEATED else command

    def release(self, event: pygame.event.Event) -> None:
        """A key goes up."""
        self._down.discard(event.scancode)
        self._modifiers = event.mod

    def forget(self) -> None:
        """Somebody else hears the keys now."""
        self._down.clear()
        self._modifiers = 0

    def listen(self) -> None:
        """The keys are heard again, with modifiers that may be held since before."""
        self._modifiers = pygame.key.get_mods()


def key_names(event: pygame.event.Event) -> tuple[str, ...]:
    """Return the names of a pressed key as `scene.key_bindings` knows them, the likeliest first.

    None for a modifier alone. A key that makes no Latin letter is also known by its place, so that
    F flags on a Russian keyboard and the upper row chooses levels on a French one.
    """
    key, modifiers = event.key, event.mod
    bases = [_special(key, modifiers)]
    if bases == [None]:
        bases = [_symbol(key, modifiers), _place(key, event.scancode)]
    held = [name for mask, name in _MODIFIERS if modifiers & mask]
    return tuple(dict.fromkeys(normalise("+".join([*held, base])) for base in bases if base))


def _special(key: int, modifiers: int) -> str | None:
    """Return the name of a key that makes no letter, or None."""
    if key in _KEYPAD:
        digit = _KEYPAD.index(key)
        return str(digit) if modifiers & pygame.KMOD_NUM else _KEYPAD_MOVES[digit]
    return _NAMES.get(key)


def _symbol(key: int, modifiers: int) -> str:
    letter = chr(key) if 0x20 < key < 0x10000 else ""
    if modifiers & pygame.KMOD_SHIFT and letter and letter in _QUESTION_MARKS:
        return "?"
    return letter.lower() if letter.isprintable() and not letter.isspace() else ""


def _place(key: int, scancode: int) -> str:
    latin = 0x20 < key < 0x7F and chr(key).isalnum()
    place = scancode - 4
    return "" if latin or not 0 <= place < len(_PLACES) else _PLACES[place]
