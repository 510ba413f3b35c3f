"""Wraps text in the units of a scene: the columns of a terminal, or the pixels of a font."""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Row = tuple[str, str]
"""The two columns of one row, such as a key and what it does."""

_WORDS: Final = re.compile(r"[“（]*(?:[!-~]+|[^!-~“（])[，。：；、！？）”]*\s*|.")
"""What stays on one line: a word, or one Chinese letter, with its punctuation."""

_SEPARATOR: Final = " · "
"""Stands between the parts of a line."""


def wrap_text(text: str, max_width: int, measure: Callable[[str], int]) -> list[str]:
    """Wrap a text into lines no wider than `max_width`, as `measure` measures them.

    Lines break at spaces, and anywhere in Chinese, which has none. A word that is too long for a
    line, such as a path, is broken where the line ends.
    """
    lines = [""]
    for word in _WORDS.findall(text):
        if lines[-1] and measure(lines[-1] + word.rstrip()) > max_width:
            lines.append("")
        for piece in list(word) if measure(word.rstrip()) > max_width else [word]:
            if lines[-1] and measure(lines[-1] + piece.rstrip()) > max_width:
                lines.append("")
            lines[-1] += piece
    return [line.strip() for line in lines]


def fitted_line(
    text: str, max_width: int, sizes: range, tail: str, measure: Callable[[str, int], int]
) -> tuple[str, int]:
    """Return a line that fits and the size of its letters, of `sizes` the first with which it does.

    A line of several parts, "a · b · c", first drops whole parts from the end, but keeps two. One
    that fits in no size is cut, and ended by the tail. `measure` takes a text and a size.
    """
    least = sizes[-1]
    while text.count(_SEPARATOR) > 1 and measure(text, least) > max_width:
        text = text.rpartition(_SEPARATOR)[0]
    size = next((each for each in sizes if measure(text, each) <= max_width), least)
    if measure(text, size) > max_width:
        while text and measure(text + tail, size) > max_width:
            text = text[:-1]
        text = text.rstrip() + tail
    return text, size


class TwoColumns(NamedTuple):
    """Rows of text as lines of two columns."""

    second_column: int
    """Where the second column begins."""
    lines: list[Row]


def two_columns(
    rows: Sequence[Row], max_width: int, max_key_width: int, gap: int, measure: Callable[[str], int]
) -> TwoColumns:
    """Wrap rows of a key and a text into two columns.

    The first column is as wide as its widest key, and at most `max_key_width`.
    """
    key_width = min(max((measure(key) for key, _ in rows), default=0), max_key_width)
    text_width = max(1, max_width - key_width - gap)
    lines: list[Row] = []
    for key, text in rows:
        pair = wrap_text(key, key_width, measure), wrap_text(text, text_width, measure)
        lines += zip_longest(*pair, fillvalue="")
    return TwoColumns(key_width + gap, lines)
