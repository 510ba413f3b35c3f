"""Styled text: lines made of pieces with colours and attributes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from demine.terminal.text_width import width

if TYPE_CHECKING:
    from demine.scene.colours import RGB


@dataclass(frozen=True, slots=True)
class TextStyle:
    """Colours and attributes of text; a colour of None is the terminal's own."""

    fg: RGB | None = None
    bg: RGB | None = None
    bold: bool = False
    reverse: bool = False
    underline: bool = False


Piece: TypeAlias = tuple[str, TextStyle]
Line: TypeAlias = tuple[Piece, ...]
"""One row of the screen, from its left edge."""


def changed_columns(old: Line, new: Line) -> tuple[int, int]:
    """Return the columns [first, end) outside which two lines of equal width are the same."""
    same = 0
    while same < min(len(old), len(new)) and old[same] == new[same]:
        same += 1
    back = 0
    while back < min(len(old), len(new)) - same and old[-1 - back] == new[-1 - back]:
        back += 1
    left = sum(width(text) for text, _ in new[:same])
    return left, left + sum(width(text) for text, _ in new[same : len(new) - back])
