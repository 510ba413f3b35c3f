"""Text in a terminal: inks, and how many columns words take. No toolkit."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeAlias
from unicodedata import category, east_asian_width

from demine.logic.sanitize import replace_control_characters
from demine.scene.text_wrapping import wrap_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from demine.scene.colours import RGB


@dataclass(frozen=True, slots=True)
class TextStyle:
    """Colours and attributes of text; without a colour it has the terminal's own."""

    fg: RGB | None = None
    bg: RGB | None = None
    bold: bool = False
    reverse: bool = False
    underline: bool = False


Piece: TypeAlias = tuple[str, TextStyle]
Line: TypeAlias = tuple[Piece, ...]
"""One row of the screen from its left edge on."""

_ASCII: Final[Mapping[int, str]] = MappingProxyType(
    str.maketrans(
        {
            "…": "...", "·": "|", "×": "x", "−": "-", "–": "-", "—": "-",
            "“": '"', "”": '"', "‘": "'", "’": "'", "±": "+/-",
            "↑": "Up", "↓": "Down", "←": "Left", "→": "Right",
        }
    )
)  # fmt: skip


@lru_cache(maxsize=4096)
def letter_width(letter: str) -> int:
    """Return the columns of one letter: a Chinese one takes two, an accent by itself none."""
    if category(letter) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if east_asian_width(letter) in "WF" else 1


def width(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    return len(text) if text.isascii() else sum(map(letter_width, text))


def printable_text(text: str, *, ascii_only: bool) -> str:
    """Return a text as a terminal may see it: nothing in it moves the cursor.

    `ascii_only` writes signs in letters; what has no such twin, as Chinese has not, stays.
    """
    if ascii_only:
        text = text.translate(_ASCII)
    return replace_control_characters(text)


def cut(text: str, room: int, tail: str = "…") -> str:
    """Return a text that takes `room` columns at most, ended by the tail where it is cut."""
    if width(text) <= room:
        return text
    if width(tail) > room:
        tail = ""
    kept, left = "", room - width(tail)
    for letter in text:
        left -= letter_width(letter)
        if left < 0:
            break
        kept += letter
    return kept.rstrip() + tail


def padded(text: str, room: int) -> str:
    """Return a text of exactly `room` columns: cut, or filled with spaces behind it."""
    text = cut(text, room, "")
    return text + " " * (room - width(text))


def centred(text: str, room: int, tail: str = "…") -> str:
    """Return a text of exactly `room` columns with its words in the middle."""
    text = cut(text, room, tail)
    return padded(" " * ((room - width(text)) // 2) + text, room)


def wrapped(text: str, room: int) -> list[str]:
    """Break a text into lines of at most `room` columns, as `wrap_text` does."""
    return wrap_text(text, room, width)


def changed_columns(old: Line, new: Line) -> tuple[int, int]:
    """Return the columns in which two lines of one width may differ: first, and after the last."""
    same = 0
    while same < min(len(old), len(new)) and old[same] == new[same]:
        same += 1
    back = 0
    while back < min(len(old), len(new)) - same and old[-1 - back] == new[-1 - back]:
        back += 1
    left = sum(width(text) for text, _ in new[:same])
    return left, left + sum(width(text) for text, _ in new[same : len(new) - back])
