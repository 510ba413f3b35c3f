"""Text for a terminal, where a Chinese character takes two columns: tables, and wrapped lines."""

from __future__ import annotations

import re
import shutil
import sys
from typing import TYPE_CHECKING, Final
from unicodedata import combining, east_asian_width

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

_NEVER_FIRST: Final = "，。、；：！？）】》」』”’…,.;:!?)]}%"
"""Characters that no line begins with, where a text could be broken before them."""
_NEVER_LAST: Final = "（【《「『“‘([{"
"""Characters that no line ends with."""
_GAP: Final = 2
"""The columns between two columns of a table."""
MIN_CUT_WIDTH: Final = 12
"""No column is cut to less."""


def text_width(text: str) -> int:
    """Return how many terminal columns a text takes."""
    return sum(map(_letter_width, text))


def _letter_width(letter: str) -> int:
    return 0 if combining(letter) else 2 if east_asian_width(letter) in "WF" else 1


def padded(text: str, width: int, *, align_right: bool = False) -> str:
    """Return a text padded with spaces to a width in terminal columns; a longer one as it is."""
    gap = " " * (width - text_width(text))
    return gap + text if align_right else text + gap


def aligned_lines(rows: Sequence[Sequence[str]], right_columns: Container[int] = ()) -> list[str]:
    """Return each row as a line of aligned columns; `right_columns` are aligned to the right."""
    return [(" " * _GAP).join(row).rstrip() for row in aligned_cells(rows, right_columns)]


def aligned_cells(
    rows: Sequence[Sequence[str]], right_columns: Container[int] = ()
) -> list[list[str]]:
    """Return each row with its texts padded to the widths of their columns."""
    widths = column_widths(rows)
    return [
        [
            padded(text, width, align_right=number in right_columns)
            for number, (text, width) in enumerate(zip(row, widths, strict=True))
        ]
        for row in rows
    ]


def table_width(rows: Sequence[Sequence[str]]) -> int:
    """Return how many terminal columns an aligned table takes."""
    widths = column_widths(rows)
    return sum(widths) + _GAP * (len(widths) - 1)


def fitted_lines(
    rows: Sequence[Sequence[str]],
    width: int | None,
    *,
    shrinking_column: int,
    right_columns: Container[int] = (),
) -> list[str]:
    """Return a table, its heads first, in lines of at most so many terminal columns.

    Where it is too wide the texts of `shrinking_column` are cut; where that is not enough each row
    stands on its side, names before values. No width means no limit.
    """
    if width is None:
        return aligned_lines(rows, right_columns)
    fitted = with_column_cut(rows, shrinking_column, width)
    if table_width(fitted) <= width:
        return aligned_lines(fitted, right_columns)
    return rows_as_name_value_lines(rows, width)


def with_column_cut(
    rows: Sequence[Sequence[str]],
    shrinking_column: int,
    width: int,
    *,
    min_width: int = MIN_CUT_WIDTH,
    keep_end: bool = False,
) -> list[list[str]]:
    """Return the rows with one column cut, down to `min_width`, so that the table fits a width.

    Cut texts end, or with `keep_end` begin, with `…`.
    """
    wide = column_widths(rows)[shrinking_column]
    room = max(min_width, wide - (table_width(rows) - width))
    cut = shortened_start if keep_end else shortened_end
    return [
        [cut(text, room) if number == shrinking_column else text for number, text in enumerate(row)]
        for row in rows
    ]


def rows_as_name_value_lines(rows: Sequence[Sequence[str]], width: int | None) -> list[str]:
    """Return each row below the heads as lines of a name and a value, a blank line between two."""
    heads, *others = rows
    names = max(map(text_width, heads))
    lines = list[str]()
    for row in others:
        lines += [""] if lines else []
        for head, text in zip(heads, row, strict=True):
            room = text_width(text) if width is None else max(width - names - _GAP, MIN_CUT_WIDTH)
            first, *more = wrapped_lines(text, max(room, 1)) or [""]
            lines.append(f"{padded(head, names + _GAP)}{first}".rstrip())
            lines += [" " * (names + _GAP) + each for each in more]
    return lines


def column_widths(rows: Sequence[Sequence[str]]) -> list[int]:
    """Return the width of each column in terminal columns."""
    return [max(map(text_width, column)) for column in zip(*rows, strict=True)]


def terminal_width() -> int | None:
    """Return the columns of the terminal that output goes to; None for a file or a pipe."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def wrapped_lines(text: str, width: int) -> list[str]:
    """Return a text in lines of at most so many terminal columns, broken as its script is broken.

    Words are kept whole, unless one alone is wider than a line; between Chinese characters a line
    may end anywhere but before a closing or after an opening punctuation mark.
    """
    lines, line = list[str](), ""
    for piece in _unbreakable_pieces(" ".join(text.split())):
        if line and text_width(line + piece.rstrip()) > width:
            lines.append(line.rstrip())
            line = piece.lstrip()
        else:
            line += piece
        while text_width(line.rstrip()) > width:
            head = cut_to_width(line, width) or line[:1]
            lines.append(head)
            line = line[len(head) :]
    return [*lines, line.rstrip()] if line.strip() else lines


def _unbreakable_pieces(text: str) -> Iterator[str]:
    """Yield the pieces of a text between which a line may end, with the spaces after them."""
    piece = ""
    for unit in re.findall(r"[^\s\u2e80-\uffef]+ ?|[\u2e80-\uffef] ?|\s", text):
        joined = piece and not piece.endswith(" ")
        if joined and (unit[0] in _NEVER_FIRST or piece[-1] in _NEVER_LAST):
            piece += unit
            continue
        if piece:
            yield piece
        piece = unit
    if piece:
        yield piece


def cut_to_width(text: str, width: int) -> str:
    """Return the longest beginning of a text that takes at most so many terminal columns."""
    taken = 0
    for place, letter in enumerate(text):
        taken += _letter_width(letter)
        if taken > width:
            return text[:place]
    return text


def shortened_end(text: str, width: int) -> str:
    """Return a text of at most so many terminal columns; of a longer one the beginning and …."""
    return text if text_width(text) <= width else cut_to_width(text, width - 1) + "…"


def shortened_start(text: str, width: int) -> str:
    """Return a text of at most so many terminal columns; of a longer one only the end, after …."""
    if text_width(text) <= width:
        return text
    return "…" + cut_to_width(text[::-1], width - 1)[::-1]
