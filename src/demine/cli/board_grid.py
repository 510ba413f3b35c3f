"""Boards as text in aligned columns, with a word in each cell or, where that is wide, a sign."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from demine.cli.text_table import text_width, wrapped_lines
from demine.scene.translation import mark, tr


class StyledText(NamedTuple):
    """A text, and the ANSI style it is shown in where there is colour, such as `1;32`."""

    text: str
    style: str = ""


Row = Sequence[StyledText]


def format_word_grid(rows: Sequence[Row], *, colour: bool) -> list[str]:
    """Return the words of cells as lines in aligned columns, under and beside their numbers from 1.

    All columns are as wide as the widest word.
    """
    head = len(str(len(rows)))
    wide = _word_width(rows)
    numbers = (f" {col:>{wide}}" for col in range(1, len(rows[0]) + 1))
    lines = [" " * head + "".join(numbers)]
    for number, row in enumerate(rows, start=1):
        cells = (_painted(f"{word.text:>{wide}}", word.style, colour=colour) for word in row)
        lines.append(" ".join([f"{number:>{head}}", *cells]).rstrip())
    return lines


def width_of_words(rows: Sequence[Row]) -> int:
    """Return the terminal columns that `format_word_grid` takes."""
    return len(str(len(rows))) + len(rows[0]) * (1 + _word_width(rows))


def _word_width(rows: Sequence[Row]) -> int:
    return max(len(str(len(rows[0]))), *(len(word.text) for row in rows for word in row))


CUT_UNLESS_ALL: Final = mark("Columns {first} to {last} of {width}; --all shows every one.")
"""What is said of a board that is too wide, by verbs with that option; a message id."""


def format_sign_grid(
    rows: Sequence[Row],
    gaps: Sequence[Row],
    width: int,
    near: int,
    *,
    colour: bool,
    cut_note: str = CUT_UNLESS_ALL,
) -> list[str]:
    """Return a board of single letters with gaps of one column between them.

    `gaps` has for each row the letters before the first cell, between cells and after the last.
    Every fifth column has its number. If the board does not fit in `width` columns, those around
    the column `near` are shown, and `cut_note`, a message id, says which they are.
    """
    head, total = len(str(len(rows))), len(rows[0])
    shown = min(total, max(1, (width - head - 1) // 2))
    first = min(max(0, near - shown // 2), total - shown)
    lines = [" " * (head - 1) + _ruler(first, shown)]
    for number, (row, between) in enumerate(zip(rows, gaps, strict=True), start=1):
        line = f"{number:>{head}}"
        for col in range(first, first + shown):
            line += _painted(*between[col], colour=colour) + _painted(*row[col], colour=colour)
        lines.append(line + _painted(*between[first + shown], colour=colour).rstrip())
    if shown < total:
        said = tr(cut_note, first=first + 1, last=first + shown, width=total)
        lines += wrapped_lines(said, width)
    return lines


def _ruler(first: int, shown: int) -> str:
    """Return the numbers of the first column, the last, and those that 5 divides between them."""
    last = first + shown
    numbers = [first + 1, *(col for col in range(first + 2, last - 1) if col % 5 == 0)]
    line = ""
    for number in [*numbers, last] if shown > 1 else numbers:
        written = str(number)
        room = 1 + 2 * (number - first) - len(line)
        if not line or room > len(written):
            line += written.rjust(room)
    return line


def join_within_width(parts: Sequence[str], width: int, gap: str = "  ") -> list[str]:
    """Return parts in as few lines as they fit in, with a gap between two in a line."""
    lines: list[str] = []
    for part in parts:
        longer = f"{lines[-1]}{gap}{part}" if lines else part
        if lines and text_width(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(part)
    return lines


def _painted(text: str, style: str, *, colour: bool) -> str:
    return f"\x1b[{style}m{text}\x1b[0m" if colour and style else text
