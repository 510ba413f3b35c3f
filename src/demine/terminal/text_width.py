"""How many terminal columns a text takes, and texts cut, padded and wrapped to a width."""

from __future__ import annotations

from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final
from unicodedata import category, east_asian_width

from demine.logic.sanitize import replace_control_characters
from demine.scene.text_wrapping import wrap_text

if TYPE_CHECKING:
    from collections.abc import Mapping

_ASCII: Final[Mapping[int, str]] = MappingProxyType(
    str.maketrans(
        {
            "…": "...", "·": "|", "×": "x", "−": "-", "–": "-", "—": "-",
            "“": '"', "”": '"', "‘": "'", "’": "'", "±": "+/-",
            "↑": "Up", "↓": "Down", "←": "Left", "→": "Right", "▾": "v", "✓": "+", "✗": "x",
        }
    )
)  # fmt: skip


@lru_cache(maxsize=4096)
def letter_width(letter: str) -> int:
    """Return the columns of one letter: two for a Chinese one, none for a combining accent."""
    if category(letter) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if east_asian_width(letter) in "WF" else 1


def width(text: str) -> int:
    """Return how many terminal columns a text takes."""
    return len(text) if text.isascii() else sum(map(letter_width, text))


def printable_text(text: str, *, ascii_only: bool) -> str:
    """Return a text with its control characters replaced.

    `ascii_only` also replaces typographic signs by ASCII; other letters, such as Chinese, stay.
    """
    if ascii_only:
        text = text.translate(_ASCII)
    return replace_control_characters(text)


def cut(text: str, columns: int, tail: str = "…") -> str:
    """Return a text of at most that many columns, ending in the tail if it was cut."""
    if width(text) <= columns:
        return text
    if width(tail) > columns:
        tail = ""
    kept, left = "", columns - width(tail)
    for letter in text:
        left -= letter_width(letter)
        if left < 0:
            break
        kept += letter
    return kept.rstrip() + tail


def fitted(text: str, columns: int) -> str:
    """Return a text of exactly that many columns, cut or padded with spaces at its end."""
    text = cut(text, columns, "")
    return text + " " * (columns - width(text))


def centred(text: str, columns: int, tail: str = "…") -> str:
    """Return a text of exactly that many columns, cut or centred."""
    text = cut(text, columns, tail)
    return fitted(" " * ((columns - width(text)) // 2) + text, columns)


def wrapped(text: str, columns: int) -> list[str]:
    """Break a text into lines of at most that many columns, as `wrap_text` does."""
    return wrap_text(text, columns, width)
