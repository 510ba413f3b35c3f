"""Text from outside at its worst, and how to tell whether a terminal would obey it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final
from unicodedata import bidirectional, category

import numpy as np

from demine.game import Game
from demine.logic.event import Act, Verb

OWNED: Final = "owned"
"""Stands in every evil text, so that a test sees that it was told at all."""
EVIL: Final = (
    f"{OWNED}\x1b]0;own\x07\x1b[2J\x9b31m\x08\x7f\x85\r\u202e{OWNED}\u2066\u2069\u061c\u200f\u2028"
    " \U0001f642 坏"
)
"""All kinds of what acts, between letters that everybody may see."""
NAME: Final = f"{EVIL}\udcff"
"""The name of a file: what is no UTF-8 as well."""
EVERY: Final = [
    *(chr(code) for code in (*range(9), *range(11, 32), *range(0x7F, 0xA0))),
    *"\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069",
    "\ud800",
    "\udfff",
]
"""Every letter that acts."""

_MARKS: Final = ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
_OWN: Final = re.compile(r"\x1b\[[\d;]*m|\r\x1b\[K|\r\n")
"""What the program itself says to a terminal: colours, lines drawn anew, and the terminal's own
ends of lines."""


def acts(letter: str) -> bool:
    """Whether a terminal or a reader's eye is led by a letter; by the tables of Unicode."""
    if letter in "\n\t":
        return False
    kind = category(letter)
    if kind in ("Cc", "Cs", "Zl", "Zp") or bidirectional(letter) in _MARKS:
        return True
    return letter in "\u200e\u200f\u061c"


def acting(text: str) -> list[str]:
    """What acts in a text; nothing in one that is inert."""
    return sorted(set(filter(acts, text)))


def at_a_terminal(text: str) -> str:
    """What a terminal was told, without what the program says to it on its own behalf."""
    return _OWN.sub("\n", text)


def evil_folder(home: Path) -> Path:
    """A folder, of an evil name, for evil files."""
    made = home / NAME
    made.mkdir(parents=True, exist_ok=True)
    return made


def evil_game(rules: str = "4x4/3 first=any", **facts: str) -> Game:
    """A small game that was won, all of whose facts are evil, by their names too."""
    names = (
        "format", "program", "version", "player", "nick", "country", "token", "identifier",
        "device", "level", "mode", "started", "ended", "checksum", "transcoder", "source", "skin",
        "author", "comment",
    )  # fmt: skip
    said = {name: f"{name}\nStatus: {EVIL}\r\nBoard:\u2028[real]" for name in names}
    game = Game(rules, 7, facts={**said, EVIL: EVIL, "owned": EVIL, **facts})
    survival_of_play_out(game)
    return game


def survival_of_play_out(game: Game) -> None:
    """Open a cell, and then every other that is safe."""
    game.play(Act(0, Verb.OPEN, 0, 0))
    for place, (row, col) in enumerate(np.argwhere(~game.board.mine_map).tolist(), 1):
        act = Act(1000 * place, Verb.OPEN, row, col)
        if game.can(act):
            game.play(act)
