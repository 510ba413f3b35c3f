"""Text tables for eyes at a terminal, where a Chinese character takes two columns."""

from __future__ import annotations

from typing import TYPE_CHECKING
from unicodedata import east_asian_width

if TYPE_CHECKING:
    from collections.abc import Container, Sequence


def text_width(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def padded(text: str, width: int, *, right: bool = False) -> str:
    """Return a text filled up to a width with spaces, behind it or with `right` before it."""
    gap = " " * (width - text_width(text))
    return gap + text if right else text + gap


def aligned_rows(rows: Sequence[Sequence[str]], right: Container[int] = ()) -> list[str]:
    """Return each row as a line; the columns numbered in `right` are aligned to the right."""
    widths = [max(map(text_width, column)) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join(
            padded(text, width, right=number in right)
            for number, (text, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )
    return [line.rstrip() for line in lines]
