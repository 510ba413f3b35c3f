"""pygame's keys by the names every scene uses."""

from __future__ import annotations

from typing import Final

import pygame

from demine.scene.keys import normalise

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
    **{getattr(pygame, f"K_KP{digit}"): str(digit) for digit in range(10)},
    **{getattr(pygame, f"K_F{number}"): f"f{number}" for number in range(1, 13)},
}
_MODIFIERS: Final = (
    (pygame.KMOD_CTRL, "ctrl"),
    (pygame.KMOD_ALT, "alt"),
    (pygame.KMOD_SHIFT, "shift"),
    (pygame.KMOD_META, "meta"),
)


def key_name(key: int, modifiers: int, typed: str) -> str:
    """Return the name of a key as `demine.scene.keys` knows it; empty for a modifier alone.

    `typed` is the text the key makes: on a German keyboard the plus sign and the question mark are
    other keys than on an American one, and what counts is what the player typed.
    """
    base = _NAMES.get(key) or _character(key, typed)
    if not base:
        return ""
    return normalise("+".join([*(name for mask, name in _MODIFIERS if modifiers & mask), base]))


def _character(key: int, typed: str) -> str:
    if len(typed) == 1 and typed.isprintable() and not typed.isspace():
        return typed.lower()
    # With Ctrl held the text is a control character, so the key itself has to do.
    return chr(key) if 0x20 < key < 0x7F else ""
