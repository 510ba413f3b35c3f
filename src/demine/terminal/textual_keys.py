"""Textual's keys under the names that every scene uses."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from demine.logic.errors import DemineError
from demine.scene.key_bindings import normalise_key

if TYPE_CHECKING:
    from collections.abc import Mapping

_SAME_BYTE: Final[Mapping[str, str]] = MappingProxyType(
    {"backspace": "ctrl+h", "tab": "ctrl+i", "ctrl+j": "enter", "ctrl+m": "enter"}
)
"""Pairs of keys that many terminals do not distinguish: the second is tried after the first."""


def key_names(key: str, character: str | None) -> tuple[str, ...]:
    """Return the names of a key as in `demine.scene.key_bindings`, the likeliest first."""
    *modifiers, base = key.split("+") if key != "+" else [key]
    if character and character.isprintable() and not character.isspace() and not modifiers:
        letter = character.lower()
        shifted = character.isalpha() and character != letter
        return _known(f"shift+{letter}" if shifted else letter)
    if len(base) > 1 and base[0] == "f" and base[1:].isdigit() and int(base[1:]) > 12:
        # Terminals report Shift+F1 as F13, and so on.
        return _known("+".join([*modifiers, "shift", f"f{int(base[1:]) - 12}"]))
    base = _SYMBOLS.get(base, base)
    return _known("+".join([*modifiers, base])) + _known(_SAME_BYTE.get(key, ""))


_SYMBOLS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "plus": "+",
        "minus": "-",
        "equals_sign": "=",
        "comma": ",",
        "question_mark": "?",
        "slash": "/",
        "full_stop": ".",
    }
)
"""Textual's names of symbols that are pressed with a modifier."""


def _known(name: str) -> tuple[str, ...]:
    try:
        return (normalise_key(name),) if name else ()
    except DemineError:
        return ()
