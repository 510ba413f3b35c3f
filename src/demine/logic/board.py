"""The logic boards of one game: mine_map, hint_map, open_map and the player's notes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar, Final, TypeAlias, cast

import numpy as np

from demine.logic import _wide
from demine.logic.errors import ActError
from demine.logic.event import BOARD_VERBS, Act, Event, Lay, Verb
from demine.logic.flood import flood
from demine.logic.layout import checked
from demine.logic.neighbours import count_around, neighbours
from demine.logic.rules import Goal, Rules

if TYPE_CHECKING:
    from collections.abc import MutableSequence

    from numpy.typing import NDArray

_WIDE: Final = 1 << 16
"""Boards of more cells open by rows of bits; below, the scan line is as fast."""
Cells: TypeAlias = "bytearray | memoryview[int]"


def _blank(cells: int) -> Cells:
    """Return a zero byte for each cell; of a huge board only the bytes that are used take memory.

    No NumPy array, because plain Python reads and writes one cell of these several times faster;
    NumPy looks at the same memory.
    """
    return bytearray(cells) if cells <= _WIDE else np.zeros(cells, np.uint8).data


@lru_cache(maxsize=1 << 13)
def _around(cell: int, height: int, width: int) -> tuple[int, ...]:
    """Return the neighbours of a cell, all as places in the flat boards."""
    row, col = divmod(cell, width)
    return tuple(r * width + c for r, c in neighbours(row, col, height, width))


class Board:
    """What is true on one board: a fold of a game's events.

    Arrays are read-only views indexed `[row, col]`, shape `(height, width)`. The board only
    follows; a game decides what is played. `apply` ignores an act that the board refuses, so that
    opening is idempotent.
    """

    __slots__ = (
        "_flag", "_hint", "_mine", "_open", "_question",
        "_right_flags", "blown", "flags", "laid", "opened", "rules",
    )  # fmt: skip

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._mine = _blank(rules.cells)
        self._hint = _blank(rules.cells)
        self._open = _blank(rules.cells)
        self._flag = _blank(rules.cells)
        self._question = _blank(rules.cells)
        self._right_flags = 0
        self.laid = False
        """Whether the mines are laid."""
        self.opened = 0
        """How many cells are open, blown mines not counted."""
        self.flags = 0
        """How many flags stand."""
        self.blown: tuple[tuple[int, int], ...] = ()
        """The mines that were opened, `(row, col)`; several when a chord was wrong."""

    @property
    def mine_map(self) -> NDArray[np.bool_]:
        """Where the mines are; all False before they are laid."""
        return self._view(self._mine).view(np.bool_)

    @property
    def hint_map(self) -> NDArray[np.uint8]:
        """Mines around each cell, 0..8, whether or not it is a mine itself."""
        return self._view(self._hint)

    @property
    def open_map(self) -> NDArray[np.bool_]:
        """Which safe cells are open."""
        return self._view(self._open).view(np.bool_)

    @property
    def flag_map(self) -> NDArray[np.bool_]:
        """Where the player's flags stand."""
        return self._view(self._flag).view(np.bool_)

    @property
    def question_map(self) -> NDArray[np.bool_]:
        """Where the player's question marks stand."""
        return self._view(self._question).view(np.bool_)

    def _view(self, cells: Cells) -> NDArray[np.uint8]:
        view = np.frombuffer(cells, dtype=np.uint8).reshape(self.rules.shape)
        view.flags.writeable = False
        return view

    @property
    def won(self) -> bool:
        """Whether the goal is reached."""
        if not self.laid or self.blown:
            return False
        if self.rules.goal is Goal.FLAG:
            return self.flags == self._right_flags == self.rules.mines
        return self.opened == self.rules.safe_cells

    @property
    def lost(self) -> bool:
        """Whether a mine was opened."""
        return bool(self.blown)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in Board.__slots__)

    __hash__ = None  # type: ignore[assignment]  # a board changes

    def __repr__(self) -> str:
        return f"<Board {self.rules}: {self.opened} open, {self.flags} flags>"

    def refusal(self, act: Act) -> ActError | None:
        """Return why the board would not change by this act, or None when it would."""
        outside = self._outside(act)
        if outside is not None:
            return outside
        refuse = self._REFUSALS.get(act.verb)
        return None if refuse is None else refuse(self, act)

    def apply(self, event: Event) -> None:
        """Follow one event; an act the board refuses changes nothing."""
        if isinstance(event, Lay):
            self._lay(event)
        elif isinstance(event, Act):
            change = self._CHANGES.get(event.verb)
            if change is not None and self.refusal(event) is None:
                change(self, event.row * self.rules.width + event.col)

    def codes(self) -> NDArray[np.int16]:
        """Return the cell codes of the first pygame game, int16 `(height + 2, width + 2)`.

        -1 a mine and 0..8 a number not opened, -2 the mine that was hit, 10..18 an opened number,
        19 a flagged mine, 20..28 a flagged number; a border of zeros one cell wide.
        """
        truth = np.where(self.mine_map, -1, self.hint_map.astype(np.int16))
        truth = np.where(self.flag_map, truth + 20, np.where(self.open_map, truth + 10, truth))
        for row, col in self.blown:
            truth[row, col] = -2
        return np.pad(truth, 1).astype(np.int16)

    def _outside(self, act: Act) -> ActError | None:
        if 0 <= act.row < self.rules.height and 0 <= act.col < self.rules.width:
            return None
        return ActError(
            "row {row}, column {col} is outside the {width}x{height} board",
            row=act.row,
            col=act.col,
            width=self.rules.width,
            height=self.rules.height,
        )

    def _refuse_open(self, act: Act) -> ActError | None:
        cell = act.row * self.rules.width + act.col
        if self._open[cell] or (act.row, act.col) in self.blown:
            return _refused(act, "row {row}, column {col} is open already")
        if self._flag[cell]:
            return _refused(act, "row {row}, column {col} is flagged: take the flag off to open it")
        if not self.laid:
            return _refused(act, "no mines are laid yet")
        return None

    def _refuse_mark(self, act: Act) -> ActError | None:
        if self._open[act.row * self.rules.width + act.col]:
            return _refused(act, "row {row}, column {col} is open: only covered cells take marks")
        return None

    def _refuse_chord(self, act: Act) -> ActError | None:
        cell = act.row * self.rules.width + act.col
        if not self._open[cell]:
            return _refused(act, "row {row}, column {col} is covered: only an opened number chords")
        near = _around(cell, *self.rules.shape)
        flags = sum(map(self._flag.__getitem__, near))
        if flags != self._hint[cell]:
            return _refused(
                act,
                "the {number} at row {row}, column {col} has {flags} flags around it",
                number=self._hint[cell],
                flags=flags,
            )
        if all(self._open[other] or self._flag[other] for other in near):
            return _refused(act, "nothing is left to open around row {row}, column {col}")
        return None

    def _lay(self, event: Lay) -> None:
        mine_map = checked(self.rules, event.mine_map)
        np.frombuffer(self._mine, dtype=np.bool_)[:] = mine_map.ravel()
        np.frombuffer(self._hint, dtype=np.uint8)[:] = count_around(mine_map).ravel()
        self.laid = True
        self._right_flags = int(np.count_nonzero(self.flag_map & mine_map))

    def _open_cell(self, cell: int) -> None:
        if self._mine[cell]:
            where = divmod(cell, self.rules.width)
            if where not in self.blown:
                self.blown = (*self.blown, where)
        elif self._hint[cell]:
            self._open[cell] = 1
            self.opened += 1
            self._question[cell] = 0
        else:
            self._open_opening(cell)

    def _open_opening(self, cell: int) -> None:
        """Open a whole opening; notes inside it were wrong and go."""
        rules = self.rules
        if rules.cells <= _WIDE or not self._open_wide(cell):
            opened = cast("MutableSequence[int]", self._open)
            self.opened += flood(self._hint, opened, rules.width, rules.height, cell)
        if self.flags:
            cleared = np.frombuffer(self._flag, np.uint8)
            cleared &= np.frombuffer(self._open, np.uint8) ^ 1
            self.flags = int(np.count_nonzero(cleared))
        # Searching for a mark costs less than clearing a board that has none.
        if self.question_map.any():
            marks = np.frombuffer(self._question, np.uint8)
            marks &= np.frombuffer(self._open, np.uint8) ^ 1

    def _open_wide(self, cell: int) -> bool:
        opening = _wide.opening(self.hint_map, *divmod(cell, self.rules.width))
        if opening is None:
            return False
        open_map = np.frombuffer(self._open, dtype=np.bool_).reshape(self.rules.shape)
        open_map |= opening
        self.opened = int(np.count_nonzero(open_map))
        return True

    def _toggle_flag(self, cell: int) -> None:
        self._set_flag(cell, 1 - self._flag[cell])
        self._question[cell] = 0

    def _toggle_question(self, cell: int) -> None:
        self._set_flag(cell, 0)
        self._question[cell] ^= 1

    def _set_flag(self, cell: int, flag: int) -> None:
        change = flag - self._flag[cell]
        self._flag[cell] = flag
        self.flags += change
        if self._mine[cell]:
            self._right_flags += change

    def _chord(self, cell: int) -> None:
        for near in _around(cell, *self.rules.shape):
            if not self._open[near] and not self._flag[near]:
                self._open_cell(near)

    _REFUSALS: ClassVar[Mapping[Verb, Callable[[Board, Act], ActError | None]]] = {
        Verb.OPEN: _refuse_open,
        Verb.FLAG: _refuse_mark,
        Verb.QUESTION: _refuse_mark,
        Verb.CHORD: _refuse_chord,
    }
    _CHANGES: ClassVar[Mapping[Verb, Callable[[Board, int], None]]] = {
        Verb.OPEN: _open_cell,
        Verb.FLAG: _toggle_flag,
        Verb.QUESTION: _toggle_question,
        Verb.CHORD: _chord,
    }


def _refused(act: Act, template: str, **params: object) -> ActError:
    return ActError(template, row=act.row, col=act.col, **params)


def fold(rules: Rules, events: Iterable[Event]) -> Board:
    """Return the board that a game's events lead to, undone acts left out."""
    board = Board(rules)
    for event in effective(events):
        board.apply(event)
    return board


def effective(events: Iterable[Event]) -> list[Lay | Act]:
    """Return the events that stand on the board: layings and acts that were not undone."""
    standing: list[Lay | Act] = []
    undoable: list[int] = []
    for event in events:
        if isinstance(event, Lay):
            standing.append(event)
        elif isinstance(event, Act):
            if event.verb is Verb.UNDO:
                if undoable:
                    del standing[undoable.pop()]
            elif event.verb in BOARD_VERBS:
                undoable.append(len(standing))
                standing.append(event)
    return standing
