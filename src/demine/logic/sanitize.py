r"""Text from outside, such as a name in a replay, made inert: it is read and does nothing.

What could act on a terminal or turn the order of letters around is written out, `\x1b` or `\u202e`,
so that people see that it is there:

* the control characters C0 (newline and tab are text), DEL and C1;
* line and paragraph separators (U+2028, U+2029);
* what embeds, overrides, isolates or marks a direction of writing (U+202A to U+202E, U+2066 to
  U+206F, U+200E, U+200F, U+061C);
* halves of surrogate pairs; those that stand for a byte of a file's name read as that byte, `\xff`.

Joiners stay: names in Persian, Hindi and emoji need them, and they move nothing.
"""

from __future__ import annotations

import re
from typing import Final

_ACTING: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ud800-\udfff]"
)
_LAYING_OUT: Final = re.compile("[\t\n]")
_HALVES: Final = re.compile("[\ud800-\udfff]")
_BYTES: Final = range(0xDC80, 0xDD00)
"""The halves by which Python carries bytes that are no UTF-8 (PEP 383)."""


def inert(text: str) -> str:
    """Return text for a terminal or a window; lines and tabs stay."""
    # Nothing that acts is printable, and this question is answered much faster.
    return text if text.isprintable() else _ACTING.sub(_as_escape, text)


def one_line(text: str) -> str:
    """Return text for a place that has one line, such as an entry of a table."""
    return text if text.isprintable() else _LAYING_OUT.sub(_as_escape, inert(text))


def replaced(text: str, sign: str = "?") -> str:
    """Return text for a grid, where every letter keeps its place: a sign stands for what acts."""
    return text if text.isprintable() else _LAYING_OUT.sub(sign, _ACTING.sub(sign, text))


def encodable(text: str) -> str:
    """Return text that UTF-8 can hold and that is otherwise as it was."""
    return _HALVES.sub(_as_escape, text)


def escape_control_characters_in_json(text: str) -> str:
    r"""Return JSON in which nothing acts: within its strings `\u009b` means the same letter."""
    return text if text.isprintable() else _ACTING.sub(_escaped, text)


def _as_escape(found: re.Match[str]) -> str:
    letter = found[0]
    if ord(letter) in _BYTES:
        return f"\\x{ord(letter) & 0xFF:02x}"
    return letter.encode("unicode_escape").decode("ascii")


def _escaped(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"
