"""Pages of text, in whatever a scene measures text by: columns of a terminal, pixels of a font.

`width` is always the function that measures, `room` what there is of its units.
"""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from demine.scene.key_bindings import Command, key_label
from demine.scene.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from demine.scene.key_bindings import KeyMap

Row = tuple[str, str]
"""A key, or several, and what it does."""

_WORDS: Final = re.compile(r"[“（]*(?:[!-~]+|[^!-~“（])[，。：；、！？）”]*\s*|.")
"""What stays together: what has no space within, and a mark with the letter it belongs to."""


def wrapped(text: str, room: int, width: Callable[[str], int]) -> list[str]:
    """Break a text into lines that fit: at spaces, or anywhere in Chinese, which has none.

    A word that is too long by itself, as a path is, is broken where the line ends.
    """
    lines = [""]
    for word in _WORDS.findall(text):
        if lines[-1] and width(lines[-1] + word.rstrip()) > room:
            lines.append("")
        for piece in list(word) if width(word.rstrip()) > room else [word]:
            if lines[-1] and width(lines[-1] + piece.rstrip()) > room:
                lines.append("")
            lines[-1] += piece
    return [line.strip() for line in lines]


def key_rows(keys: KeyMap, commands: Iterable[Command]) -> list[Row]:
    """Return the rows of a page of keys, without the commands that have no key."""
    return [
        ("  ".join(map(key_label, keys.keys(each))), tr(each.description))
        for each in commands
        if keys.keys(each)
    ]


def help_rows(
    keys: KeyMap, absent: Collection[Command], where: str, troubles: Iterable[str]
) -> list[Row]:
    """Return troubles in full, for which a line is too short, and what the keys do.

    What is absent from a scene comes last, below words that say where it is.
    """
    here = key_rows(keys, [each for each in Command if each not in absent])
    elsewhere = key_rows(keys, [each for each in Command if each in absent])
    return [*(("!", each) for each in troubles), *here, ("", ""), ("", where), *elsewhere]


def two_columns(
    rows: Sequence[Row], room: int, key_room: int, gap: int, width: Callable[[str], int]
) -> tuple[int, list[Row]]:
    """Break rows into lines of two columns; return where the second begins, and the lines.

    The first is as wide as its widest key, but not wider than `key_room`.
    """
    column = min(max((width(key) for key, _ in rows), default=0), key_room)
    rest = max(1, room - column - gap)
    lines: list[Row] = []
    for key, text in rows:
        pair = wrapped(key, column, width), wrapped(text, rest, width)
        lines += zip_longest(*pair, fillvalue="")
    return column + gap, lines


def page_foot(*, whole: bool) -> str:
    """Return the line below a page; `whole`: all of it is seen."""
    return tr("Esc closes") if whole else tr("Up and down scroll, Esc closes")
