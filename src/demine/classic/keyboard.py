"""pygame's keys under the names that every scene uses."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

import pygame

from demine.scene.key_bindings import Command, KeyNameError, normalise_key
from demine.scene.keyboard_cursor import MOVES

if TYPE_CHECKING:
    from demine.scene.key_bindings import KeyMap

_REPEATED: Final = MOVES | {Command.UNDO}
"""What a held key repeats; every other command happens once per press."""
_KEYPAD_MOVES: Final = {
    getattr(pygame, f"K_KP{digit}"): name
    for digit, name in enumerate(
        ("insert", "end", "down", "pagedown", "left", "", "right", "home", "up", "pageup")
    )
}
"""The meanings of the keypad's digits while Num Lock is off."""
_MODIFIERS: Final = {
    pygame.KMOD_CTRL: "ctrl",
    pygame.KMOD_ALT: "alt",
    pygame.KMOD_SHIFT: "shift",
    pygame.KMOD_META: "meta",
}
_QUESTION_MARKS: Final = "/ß,"
"""The keys that make a question mark with Shift, on American, German and French keyboards."""
_PLACES: Final = "abcdefghijklmnopqrstuvwxyz1234567890"
"""The keys of an American keyboard, by scan code from 4 on."""


class Keyboard:
    """Translates key events into commands and remembers which keys are held.

    pygame reports the modifiers of this moment only: when a mouse press is handled, the Shift
    that came with it may have been released again.
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

    def command_of_press(self, event: pygame.event.Event) -> Command | None:
        """Note a key press and return its command; None if it has none, or does not repeat."""
        command = next(filter(None, map(self.keys.lookup, key_names(event))), None)
        again = event.scancode in self._down
        self._modifiers = event.mod
        self._down.add(event.scancode)
        return None if again and command not in _REPEATED else command

    def release(self, event: pygame.event.Event) -> None:
        """Note that a key was released."""
        self._down.discard(event.scancode)
        self._modifiers = event.mod

    def reset(self, modifiers: int = 0) -> None:
        """Forget all held keys but these modifiers (pygame bits): another window had the focus."""
        self._down.clear()
        self._modifiers = modifiers


def key_names(event: pygame.event.Event) -> tuple[str, ...]:
    """Return the names of a pressed key as in `scene.key_bindings`, the likeliest first.

    Empty for a modifier alone. A key without a Latin letter is also named by its position, so that
    F flags on a Russian keyboard and the top row chooses levels on a French one.
    """
    held = [name for mask, name in _MODIFIERS.items() if event.mod & mask]
    letter = chr(event.key) if 0x20 < event.key < 0x10000 and event.key != pygame.K_DELETE else ""
    bases = [_symbol(event, letter)]
    place = event.scancode - 4
    if letter and not (letter.isascii() and letter.isalnum()) and 0 <= place < len(_PLACES):
        bases.append(_PLACES[place])
    names = []
    for base in bases:
        with suppress(KeyNameError):  # a modifier, or a key that cannot be bound
            names.append(normalise_key("+".join([*held, base])))
    return tuple(names)


def _symbol(event: pygame.event.Event, letter: str) -> str:
    """Return the character that a key types, or else its name."""
    if letter.isprintable() and letter:
        shifted = event.mod & pygame.KMOD_SHIFT and letter in _QUESTION_MARKS
        return "?" if shifted else letter.lower()
    name = pygame.key.name(event.key).replace(" ", "").strip("[]")
    if not event.mod & pygame.KMOD_NUM:
        name = _KEYPAD_MOVES.get(event.key, name)
    return {"break": "pause"}.get(name, name)
