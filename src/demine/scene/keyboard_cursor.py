"""The keyboard cursor: where commands move it, and what they do at its cell."""

from __future__ import annotations

from typing import Final

from demine.logic.event import Verb
from demine.scene.cell_faces import Face
from demine.scene.key_bindings import Command
from demine.scene.mouse_automaton import Cell, Faces, Intention, may_chord

_DIRECTIONS: Final = ((-1, 0), (1, 0), (0, -1), (0, 1))
_STEPS: Final = dict(
    zip((Command.UP, Command.DOWN, Command.LEFT, Command.RIGHT), _DIRECTIONS, strict=True)
)
_JUMPS: Final = dict(
    zip(
        (Command.JUMP_UP, Command.JUMP_DOWN, Command.JUMP_LEFT, Command.JUMP_RIGHT),
        _DIRECTIONS,
        strict=True,
    )
)
MOVES: Final = frozenset({*_STEPS, *_JUMPS, Command.HOME, Command.END, Command.TOP, Command.BOTTOM})
"""The commands that move the cursor."""


def moved_cursor(faces: Faces, cell: Cell | None, command: Command) -> Cell:
    """Return where a command moves the cursor from a (row, col), or from None to the middle.

    The cursor stops at the edges. A jump goes to the next cell in its direction with another face,
    or to the edge. Commands that are not in MOVES leave the cursor where it is.
    """
    height, width = faces.shape
    if cell is None:
        return height // 2, width // 2
    row, col = min(max(cell[0], 0), height - 1), min(max(cell[1], 0), width - 1)
    if command in _STEPS:
        down, right = _STEPS[command]
        return min(max(row + down, 0), height - 1), min(max(col + right, 0), width - 1)
    if command in _JUMPS:
        return _jump(faces, (row, col), _JUMPS[command])
    targets = {
        Command.HOME: (row, 0),
        Command.END: (row, width - 1),
        Command.TOP: (0, col),
        Command.BOTTOM: (height - 1, col),
    }
    return targets.get(command, (row, col))


def _jump(faces: Faces, cell: Cell, step: tuple[int, int]) -> Cell:
    row, col = cell
    while 0 <= row + step[0] < faces.shape[0] and 0 <= col + step[1] < faces.shape[1]:
        row, col = row + step[0], col + step[1]
        if faces[row, col] != faces[cell]:
            break
    return row, col


def intended_act(faces: Faces, cell: Cell, command: Command) -> Intention | None:
    """Return the act (verb, row, col) of a command at a cell; None if it can do nothing there."""
    face = Face(int(faces[cell]))
    covered = face in (Face.COVERED, Face.QUESTION)
    acting = command in (Command.ACT, Command.HOVER_ACT)
    if acting and covered:
        return Verb.OPEN, *cell
    if (acting or command is Command.CHORD) and may_chord(cell, faces):
        return Verb.CHORD, *cell
    if covered or face is Face.FLAG:
        if command in (Command.FLAG, Command.HOVER_FLAG):
            return Verb.FLAG, *cell
        if command is Command.QUESTION:
            return Verb.QUESTION, *cell
    return None
