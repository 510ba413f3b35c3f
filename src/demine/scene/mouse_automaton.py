"""The mouse as a finite automaton: how presses, moves and releases become acts.

As in other Minesweeper programs, the two buttons are states rather than clicks: left acts on
release, right on press, and a chord on the first of two releases, however long they are apart. What
is held is one of the seven states of `TABLE`. Besides, the middle button and Shift+left chord on
release, and Ctrl+left is the right button of a one-button mouse.

The automaton sees only faces, and asks only for acts that could do something there. It does not
count flags: whether a chord opens anything is decided by the rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from demine.logic.event import Touch, Verb
from demine.logic.metadata import FIELD_CELL
from demine.scene.cell_faces import Face

Cell: TypeAlias = tuple[int, int]
Faces: TypeAlias = NDArray[np.uint8]
Intention: TypeAlias = tuple[Verb, int, int]
"""An act that the player asks for: verb, row, column."""


class Button(StrEnum):
    """A button of the mouse."""

    LEFT = "left"
    MIDDLE = "middle"
    RIGHT = "right"


def recorded_button_name(button: Button, *, shift: bool, ctrl: bool) -> str:
    """Return the name that touches record for a button pressed with Shift or Ctrl held."""
    if button is Button.LEFT and (shift or ctrl):
        return "shift+left" if shift else "ctrl+left"
    return str(button)


class State(StrEnum):
    """Which buttons are held, in the names that Minesweeper players use."""

    UU = "UU"
    """Nothing."""
    UD = "UD"
    """Right, pressed on a cell that was not open."""
    UDN = "UDn"
    """Right, pressed on an open cell or outside the board; this may become a chord."""
    DU = "DU"
    """Left."""
    CH = "CH"
    """Both."""
    CHN = "CHn"
    """Both; the right one was pressed first, where there was nothing to mark."""
    DUA = "DUa"
    """Left, after a chord; its release opens nothing."""


class Signal(StrEnum):
    """A press or release of a button, in the names that Minesweeper players use."""

    LC = "lc"
    LR = "lr"
    RC = "rc"
    RR = "rr"
    MR = "mr"
    """The middle button is released; its press has no effect."""


class MouseRequest(StrEnum):
    """What a press or release asks for at the cell under the pointer."""

    NOTHING = "nothing"
    OPEN = "open"
    MARK = "mark"
    CHORD = "chord"


TABLE: Mapping[tuple[State, Signal], tuple[State, MouseRequest]] = MappingProxyType(
    {
        (State.UU, Signal.LC): (State.DU, MouseRequest.NOTHING),
        # UD where the cell under the pointer is not open, else UDn: see `next_state`.
        (State.UU, Signal.RC): (State.UD, MouseRequest.MARK),
        (State.DU, Signal.LR): (State.UU, MouseRequest.OPEN),
        (State.DU, Signal.RC): (State.CH, MouseRequest.NOTHING),
        (State.UD, Signal.LC): (State.CH, MouseRequest.NOTHING),
        (State.UD, Signal.RR): (State.UU, MouseRequest.NOTHING),
        (State.UDN, Signal.LC): (State.CHN, MouseRequest.NOTHING),
        (State.UDN, Signal.RR): (State.UU, MouseRequest.NOTHING),
        (State.CH, Signal.LR): (State.UD, MouseRequest.CHORD),
        (State.CH, Signal.RR): (State.DUA, MouseRequest.CHORD),
        (State.CHN, Signal.LR): (State.UD, MouseRequest.CHORD),
        (State.CHN, Signal.RR): (State.DUA, MouseRequest.CHORD),
        (State.DUA, Signal.LR): (State.UU, MouseRequest.NOTHING),
        (State.DUA, Signal.RC): (State.CH, MouseRequest.NOTHING),
        # The middle button chords by itself; a left button held meanwhile no longer opens.
        **{(state, Signal.MR): (state, MouseRequest.CHORD) for state in State},
        (State.DU, Signal.MR): (State.DUA, MouseRequest.CHORD),
    }
)
"""(state, signal) -> (next state, request); pairs that are missing change nothing."""


def next_state(state: State, signal: Signal, *, covered: bool) -> tuple[State, MouseRequest]:
    """Return the next state and the request.

    `covered` says whether the pointer is on a cell that is not open.
    """
    if state is State.UU and signal is Signal.RC and not covered:
        return State.UDN, MouseRequest.NOTHING
    return TABLE.get((state, signal), (state, MouseRequest.NOTHING))


@dataclass(slots=True)
class ClickTally:
    """Counts clicks as Minesweeper players count them, from what the automaton does."""

    left: int = 0
    """Left releases that could open, including those outside the board."""
    right: int = 0
    """Right presses, less those that became a chord where there was nothing to mark."""
    double: int = 0
    """Chords on the board, whether or not they opened anything."""

    def add(self, state: State, signal: Signal, *, inside: bool) -> None:
        """Count a press or release made in `state`; `inside`: the pointer is on the board."""
        if state is State.DU and signal is Signal.LR:
            self.left += 1
        elif state is State.UU and signal is Signal.RC:
            self.right += 1
        elif TABLE.get((state, signal), (state, MouseRequest.NOTHING))[1] is MouseRequest.CHORD:
            self.double += inside
            self.right -= state is State.CHN and signal is not Signal.MR


@dataclass(frozen=True, slots=True)
class MouseOptions:
    """The player's settings of the mouse."""

    questions: bool = False
    """Whether right turns a flag into a question mark, and a question mark into nothing."""
    left_chords: bool = False
    """Whether left alone chords on a number."""


_FACES = tuple(Face)
"""The faces by their values, because `Face(value)` is too slow for every move."""
_DOWN = {Button.LEFT: Signal.LC, Button.RIGHT: Signal.RC}
_UP = {Button.LEFT: Signal.LR, Button.RIGHT: Signal.RR, Button.MIDDLE: Signal.MR}
_BOTH = (State.CH, State.CHN)
_MARKABLE = (Face.COVERED, Face.FLAG, Face.QUESTION)
_OPENABLE = (Face.COVERED, Face.QUESTION)


class Mouse:
    """Turns the input of one mouse on one board into intentions.

    Every event takes the cell under the pointer, (row, col) or None outside the board, and the
    faces, a uint8 array (height, width) that is not kept. Off the board no cell looks pressed and a
    release does nothing; a pointer that comes back with its buttons held carries on. Clicks are
    counted by `tally` if one is given.
    """

    def __init__(
        self, options: MouseOptions | None = None, tally: ClickTally | None = None
    ) -> None:
        self.options = options or MouseOptions()
        self.tally = tally
        self.state = State.UU
        self.pressed: tuple[Cell, ...] = ()
        """The cells that look pressed since the last event."""
        self._inside = False
        self._cancelled = False
        # The buttons that are down and what each acts as since its press; None if ignored.
        self._held: dict[Button, Button | None] = {}

    @property
    def is_holding_cell(self) -> bool:
        """Whether the player holds a cell, to open it or to chord, so that the face worries."""
        return self._inside and (self.state is State.DU or self._chording())

    @property
    def has_button_down(self) -> bool:
        """Whether any button is down, whatever it does."""
        return bool(self._held)

    @property
    def is_ignoring_input(self) -> bool:
        """Whether all input is ignored until every button is up."""
        return self._cancelled

    def press(
        self,
        button: Button,
        cell: Cell | None,
        faces: Faces,
        *,
        shift: bool = False,
        ctrl: bool = False,
    ) -> list[Intention]:
        """Handle a press of a button; return the intentions that it causes, if any.

        The modifiers apply to the left button only, until it is released.
        """
        if self._cancelled:
            # A button cannot be pressed twice: its release was lost, perhaps with the window.
            self._held.pop(button, None)
            self._cancelled = bool(self._held)
        if button in self._held:
            return self.move(cell, faces)
        acting = _effective_button(button, shift=shift, ctrl=ctrl)
        heard = not self._cancelled and acting not in self._held.values()
        self._held[button] = acting if heard else None
        signal = _DOWN.get(acting) if heard else None
        return self._step(signal, cell, faces)

    def release(self, button: Button, cell: Cell | None, faces: Faces) -> list[Intention]:
        """Handle a release; one whose press was not seen does nothing."""
        acting = self._held.pop(button, None)
        if self._cancelled:
            self._cancelled = bool(self._held)
            return []
        return self._step(_UP[acting] if acting else None, cell, faces)

    def move(self, cell: Cell | None, faces: Faces) -> list[Intention]:
        """Handle a move, or new faces; only `pressed` changes, and no intention is returned."""
        return self._step(None, cell, faces)

    def replay_touch(self, touch: Touch, faces: Faces) -> list[Intention]:
        """Handle a recorded touch as if it happened now, for replays and for counting clicks."""
        cell = (touch.y // FIELD_CELL, touch.x // FIELD_CELL)
        if touch.action == "move":
            return self.move(cell, faces)
        modifier, _, name = touch.button.rpartition("+")
        if touch.action == "release":
            return self.release(Button(name), cell, faces)
        shift, ctrl = modifier == "shift", modifier == "ctrl"
        return self.press(Button(name), cell, faces, shift=shift, ctrl=ctrl)

    def cancel(self, *, releases_lost: bool = False) -> None:
        """Cancel what is held, and ignore all input until every button is up.

        With `releases_lost` all buttons count as up at once, because the window has lost the mouse
        and will not receive the releases.
        """
        if releases_lost:
            self._held.clear()
        self._cancelled = bool(self._held)
        self.state = State.UU
        self.pressed = ()
        self._held = dict.fromkeys(self._held)

    def ignore(self, button: Button) -> None:
        """Ignore a press, and all further input until every button is up."""
        self._held[button] = None
        self.cancel()

    def _step(self, signal: Signal | None, cell: Cell | None, faces: Faces) -> list[Intention]:
        face = _face_at(cell, faces)
        self._inside = face is not None
        asked: list[Intention] = []
        if signal is not None:
            if self.tally is not None:
                self.tally.add(self.state, signal, inside=self._inside)
            self.state, deed = next_state(self.state, signal, covered=face in _MARKABLE)
            if cell is not None and face is not None:
                verb = self._verb(deed, cell, face, faces)
                asked += [(verb, *cell)] if verb is not None else []
        self.pressed = () if cell is None or face is None else self._preview(cell, face, faces)
        return asked

    def _verb(self, request: MouseRequest, cell: Cell, face: Face, faces: Faces) -> Verb | None:
        """Return the verb of a request on a face; None if it could do nothing."""
        if request is MouseRequest.OPEN and face in _OPENABLE:
            return Verb.OPEN
        chording = request is MouseRequest.CHORD or (
            request is MouseRequest.OPEN and self.options.left_chords
        )
        if chording and may_chord(cell, faces):
            return Verb.CHORD
        if request is MouseRequest.MARK and face in _MARKABLE:
            asks = self.options.questions and face is not Face.COVERED
            return Verb.QUESTION if asks else Verb.FLAG
        return None

    def _chording(self) -> bool:
        return self.state in _BOTH or Button.MIDDLE in self._held.values()

    def _preview(self, cell: Cell, face: Face, faces: Faces) -> tuple[Cell, ...]:
        left = self.state is State.DU
        if self._chording() or (left and self.options.left_chords and may_chord(cell, faces)):
            return _covered_around(cell, faces)
        return (cell,) if left and face in _OPENABLE else ()


def _effective_button(button: Button, *, shift: bool, ctrl: bool) -> Button:
    if button is Button.LEFT and shift:
        return Button.MIDDLE
    return Button.RIGHT if button is Button.LEFT and ctrl else button


def _face_at(cell: Cell | None, faces: Faces) -> Face | None:
    """Return the face of a cell, or None outside the board, which may have become smaller."""
    if cell is None or not (0 <= cell[0] < faces.shape[0] and 0 <= cell[1] < faces.shape[1]):
        return None
    return _FACES[int(faces[cell])]


def may_chord(cell: Cell, faces: Faces) -> bool:
    """Return whether a chord at a cell may open something, whatever its flags: it is a number.

    A zero with a covered neighbour and no flag counts as well: a flag kept that neighbour closed,
    and is gone.
    """
    face = faces[cell]
    if face == Face.ZERO:
        return (
            bool(_covered_around(cell, faces))
            and not (_neighbourhood(cell, faces) == Face.FLAG).any()
        )
    return bool(Face.ONE <= face <= Face.EIGHT)


def _neighbourhood(cell: Cell, faces: Faces) -> Faces:
    """Return the part of the 3x3 block around a cell that is on the board."""
    return faces[max(0, cell[0] - 1) : cell[0] + 2, max(0, cell[1] - 1) : cell[1] + 2]


def _covered_around(cell: Cell, faces: Faces) -> tuple[Cell, ...]:
    """Return the cells that a chord at a cell could open, row by row."""
    top, left = max(0, cell[0] - 1), max(0, cell[1] - 1)
    rows, cols = np.nonzero(np.isin(_neighbourhood(cell, faces), _OPENABLE))
    return tuple((top + int(row), left + int(col)) for row, col in zip(rows, cols, strict=True))
