"""Text tables for a terminal, where a Chinese character takes two columns."""

from __future__ import annotations

from typing import TYPE_CHECKING
from unicodedata import east_asian_width

if TYPE_CHECKING:
    from collections.abc import Container, Sequence


def text_width(text: str) -> int:
    """Return how many terminal columns a text takes."""
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def padded(text: str, width: int, *, align_right: bool = False) -> str:
    """Return a text padded with spaces to a width in terminal columns; a longer one as it is."""
    gap = " " * (width - text_width(text))
    return gap + text if align_right else text + gap


def aligned_lines(rows: Sequence[Sequence[str]], right_columns: Container[int] = ()) -> list[str]:
    """Return each row as a line of aligned columns; `right_columns` are aligned to the right."""
    widths = [max(map(text_width, column)) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join(
            padded(text, width, align_right=number in right_columns)
            for number, (text, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )
    return [line.rstrip() for line in lines]
