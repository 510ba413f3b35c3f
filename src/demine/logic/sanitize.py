r"""Makes text from outside, such as a name in a replay, safe to show.

Characters that could act on a terminal or reorder the text are written as escapes, `\x1b` or
`\u202e`, so that people see that they are there:

* the control characters C0 (newline and tab are text), DEL and C1;
* line and paragraph separators (U+2028, U+2029);
* characters that embed, override, isolate or mark a direction of writing (U+202A to U+202E, U+2066
  to U+206F, U+200E, U+200F, U+061C);
* halves of surrogate pairs; those that stand for a byte of a file's name become that byte, `\xff`.

Joiners stay: names in Persian, Hindi and emoji need them, and they reorder nothing.
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
"""The surrogates that stand for bytes that are not UTF-8 (PEP 383)."""


def escape_control_characters(text: str) -> str:
    """Return text that is safe to show; newlines and tabs stay."""
    # None of these characters is printable, and this test is much faster.
    return text if text.isprintable() else _ACTING.sub(_as_escape, text)


def escape_to_one_line(text: str) -> str:
    """Return text that is safe to show in one line: newlines and tabs are escaped too."""
    return (
        text if text.isprintable() else _LAYING_OUT.sub(_as_escape, escape_control_characters(text))
    )


def replace_control_characters(text: str, sign: str = "?") -> str:
    """Return text of the same length, with a sign for each control character, newline or tab."""
    return text if text.isprintable() else _LAYING_OUT.sub(sign, _ACTING.sub(sign, text))


def escape_surrogates(text: str) -> str:
    """Return text that can be encoded as UTF-8: halves of surrogate pairs are escaped."""
    return _HALVES.sub(_as_escape, text)


def escape_control_characters_in_json(text: str) -> str:
    r"""Return equal JSON with control characters as `\u009b`; they occur within strings only."""
    return text if text.isprintable() else _ACTING.sub(_escaped, text)


def _as_escape(found: re.Match[str]) -> str:
    letter = found[0]
    if ord(letter) in _BYTES:
        return f"\\x{ord(letter) & 0xFF:02x}"
    return letter.encode("unicode_escape").decode("ascii")


def _escaped(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"
