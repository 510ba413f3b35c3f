"""What a cell shows and is marked as, in words for people who do not see the board."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from demine.scene.cell_faces import Face
from demine.scene.overlay import Mark
from demine.scene.translation import mark

FACE_NAMES: Final[Mapping[Face, str]] = {
    Face.ZERO: mark("empty"),
    Face.COVERED: mark("covered"),
    Face.FLAG: mark("flag"),
    Face.QUESTION: mark("question mark"),
    Face.MINE: mark("mine"),
    Face.BLOWN: mark("the mine that went off"),
    Face.WRONG: mark("wrong flag"),
}
"""What a cell shows, as message ids; numbers need none."""
MARK_NAMES: Final[Mapping[Mark, str]] = {
    Mark.SAFE: mark("safe, open it"),
    Mark.MINE: mark("certainly a mine"),
    Mark.BECAUSE: mark("a number used in the proof"),
    Mark.ABOUT: mark("a cell being proved"),
    Mark.GUESS: mark("the least risky guess"),
    Mark.MISTAKE: mark("the mistake"),
    Mark.MISSED: mark("was certainly safe"),
    Mark.ASSUMED_MINE: mark("assumed to be a mine"),
    Mark.ASSUMED_SAFE: mark("assumed to be safe"),
    Mark.BROKEN: mark("can no longer hold"),
}
"""What a cell is marked as, as message ids."""
