"""The state of one game's board: mines, hints, open cells, flags and question marks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from demine.logic import undoable_openings
from demine.logic.errors import ActError
from demine.logic.event import BOARD_VERBS, Act, Event, Lay, Verb
from demine.logic.event_log import non_touches
from demine.logic.flood import WALL
from demine.logic.flood_by_rows import OpenedRows
from demine.logic.layout import checked_mine_map
from demine.logic.neighbours import count_around, neighbour_table, neighbours
from demine.logic.rules import Flags, Goal, Rules
from demine.logic.undoable_openings import (
    BY_ROWS,
    CHORD,
    CLOSE,
    QUICK,
    Cells,
    Change,
    Opening,
    WorkLimit,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

_WIDE: Final = 1 << 21
"""Boards with more cells are huge."""


def _blank(cells: int) -> Cells:
    """Return a zero byte for each cell; on a huge board only bytes that are used take memory.

    Not a NumPy array, because plain Python reads and writes single cells of these several times
    faster; NumPy views share the same memory.
    """
    return bytearray(cells) if cells <= _WIDE else np.zeros(cells, np.uint8).data


class Board:
    """The true state of one board, as a game's events have made it.

    Arrays are read-only views indexed `[row, col]`, shape `(height, width)`. A game decides which
    acts are played.

    >>> import demine
    >>> game = demine.Game("4x3/2", seed=1)
    >>> status = game.open(0, 0)
    >>> print(game.board)
    4x3/2
    01*.
    12..
    .*..
    >>> game.board.hint_map.tolist()[0]
    [0, 1, 0, 1]
    """

    __slots__ = (
        "_flag", "_hint", "_mine", "_open", "_passed", "_question",
        "_questions", "_right_flags", "_shape", "blown", "flags", "laid", "opened", "rules", "work",
    )  # fmt: skip

    def __init__(self, rules: Rules | str) -> None:
        self.rules: Rules = Rules.of(rules)
        rules = self.rules
        self._shape = rules.shape
        self._mine = _blank(rules.cells)
        self._hint = _blank(rules.cells)
        self._open = _blank(rules.cells)
        self._flag = _blank(rules.cells)
        self._question = _blank(rules.cells)
        self._passed = _blank(rules.cells) if rules.flags is Flags.HOLD else self._hint
        """What openings follow: the hints, with walls where flags hold."""
        self._right_flags = 0
        self._questions = 0
        """How many question marks are set."""
        self.laid: bool = False
        """Whether the mines are laid."""
        self.opened: int = 0
        """How many cells are open, blown mines not counted."""
        self.flags: int = 0
        """How many flags are set."""
        self.blown: tuple[tuple[int, int], ...] = ()
        """The mines that were opened, `(row, col)`, in the order they were hit.

        Each costs a life; while lives are left, the game goes on and the mine counts as known."""
        self.work: WorkLimit = WorkLimit()
        """The work of opening and closing cells, and its limit."""

    @property
    def mine_map(self) -> NDArray[np.bool_]:
        """Where the mines are; all False before they are laid."""
        return self._view(self._mine).view(np.bool_)

    @property
    def hint_map(self) -> NDArray[np.uint8]:
        """The mines around each cell, 0 to 8, whether or not it is a mine itself."""
        return self._view(self._hint)

    @property
    def open_map(self) -> NDArray[np.bool_]:
        """Which safe cells are open."""
        return self._view(self._open).view(np.bool_)

    @property
    def flag_map(self) -> NDArray[np.bool_]:
        """Where the player's flags are."""
        return self._view(self._flag).view(np.bool_)

    @property
    def question_map(self) -> NDArray[np.bool_]:
        """Where the player's question marks are."""
        return self._view(self._question).view(np.bool_)

    def _view(self, cells: Cells) -> NDArray[np.uint8]:
        view = np.frombuffer(cells, dtype=np.uint8).reshape(self._shape)
        view.flags.writeable = False
        return view

    def cell_state(self, cell: int) -> tuple[int, int, int, int]:
        """Return what the four maps say of a cell, `row * width + col`: open, hint, flag, question.

        For a few cells this takes less time than the maps.
        """
        return self._open[cell], self._hint[cell], self._flag[cell], self._question[cell]

    @property
    def won(self) -> bool:
        """Whether the goal is reached."""
        if not self.laid or len(self.blown) >= self.rules.lives:
            return False
        if self.rules.goal is Goal.FLAG:
            return self.flags == self._right_flags == self.mines_except_forgiven
        return self.opened == self.rules.safe_cells

    @property
    def lost(self) -> bool:
        """Whether the opened mines have cost every life."""
        return len(self.blown) >= self.rules.lives

    @property
    def mines_except_forgiven(self) -> int:
        """The number of mines except those that blew and only cost a life of several."""
        return self.rules.mines - (len(self.blown) if self.rules.lives > 1 else 0)

    def copy(self) -> Board:
        """Return an independent copy of the board in its present state."""
        values = {name: getattr(self, name) for name in Board.__slots__}
        for name, value in values.items():
            if self.laid and name in {"_mine", "_hint"}:
                pass  # never change once the mines are laid
            elif isinstance(value, bytearray):
                values[name] = bytearray(value)
            elif isinstance(value, memoryview):
                values[name] = np.frombuffer(value, np.uint8).copy().data
        if self._passed is self._hint:
            values["_passed"] = values["_hint"]
        values["work"] = WorkLimit()
        made = Board.__new__(Board)
        for name, value in values.items():
            setattr(made, name, value)
        return made

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in _STANDS)

    __hash__: ClassVar[None] = None  # type: ignore[assignment]  # a board changes

    def __str__(self) -> str:
        """Return the truth as a layout's text, in which each open cell shows its number."""
        covered = np.where(self.mine_map, "*", ".")
        rows = np.where(self.open_map, self.hint_map.astype(np.str_), covered)
        return "\n".join([str(self.rules), *map("".join, rows)])

    def __repr__(self) -> str:
        return f"<Board {self.rules}: {self.opened} open, {self.flags} flags>"

    def restore(
        self,
        mine_map: NDArray[np.bool_],
        hint_map: NDArray[np.uint8],
        opened: NDArray[np.int64],
        flagged: bytes,
        asked: bytes,
        blown: Sequence[int],
    ) -> None:
        """Lay mines on a new board and leave its cells as a game did that was played elsewhere.

        The mines must fit the rules. `opened` are the safe cells that are open, `blown` the mines
        that were opened, as `row * width + col`; `flagged` and `asked` have a byte for each cell.
        """
        self._flag[:] = flagged
        self._question[:] = asked
        self.flags, self._questions = flagged.count(1), asked.count(1)
        self._set_mines(mine_map, hint_map)
        np.frombuffer(self._open, np.bool_)[opened] = True
        self.opened = opened.size
        self.blown = tuple(divmod(cell, self.rules.width) for cell in blown)

    def refusal(self, act: Act) -> ActError | None:
        """Return why the board refuses this act, or None if it accepts it."""
        outside = self._outside(act)
        if outside is not None:
            return outside
        refuse = self._REFUSALS.get(act.verb)
        return None if refuse is None else refuse(self, act)

    def apply_unless_refused(self, event: Event) -> None:
        """Apply one event; an act that the board refuses changes nothing."""
        if isinstance(event, Lay):
            self._lay(event)
        elif isinstance(event, Act) and event.verb in BOARD_VERBS and self.refusal(event) is None:
            self.apply_unchecked(event)

    def apply_unchecked(self, act: Act) -> Change:
        """Apply an act that is known not to be refused; return what it changed, for undoing.

        The verb must be one of `BOARD_VERBS`.
        """
        return self._CHANGES[act.verb](self, act.row * self.rules.width + act.col)

    def take_back(self, change: Change) -> None:
        """Undo the most recent change that was not undone yet."""
        if isinstance(change, int):
            if change >= 0:
                self._mark(change >> 2, change >> 1 & 1, change & 1)
            else:
                self._close_cell(~change)
        elif isinstance(change, Opening):
            self.work.add(CLOSE + self._close(change))
        else:
            self.work.add(CLOSE)
            for each in reversed(change):
                self.take_back(each)

    def handlers_by_verb(self) -> Mapping[Verb, Callable[[int], Change | None]]:
        """Return functions that quickly try an act of a verb on a cell, `row * width + col`.

        Each returns what it changed, or None if the board refuses and nothing changed.
        """
        return {
            Verb.OPEN: self._try_open,
            Verb.FLAG: self._try_flag,
            Verb.QUESTION: self._try_question,
            Verb.CHORD: self._try_chord,
        }

    def _try_open(self, cell: int) -> Change | None:
        if self._open[cell] or self._flag[cell] or not self.laid:
            return None
        return self._open_cell(cell) or None

    def _try_flag(self, cell: int) -> Change | None:
        return None if self._is_seen(cell) else self._mark(cell, 1 - self._flag[cell], 0)

    def _try_question(self, cell: int) -> Change | None:
        return None if self._is_seen(cell) else self._toggle_question(cell)

    def _try_chord(self, cell: int) -> Change | None:
        opened, flag = self._open, self._flag
        if not opened[cell]:
            return None
        # Flags stand on covered cells only.
        covered = [near for near in neighbour_table(*self._shape)[cell] if not opened[near]]
        free = [near for near in covered if not flag[near]]
        if self.blown:
            free = [near for near in free if not self._is_forgiven(near)]
        # A mine that blew counts as its flag would.
        if len(covered) - len(free) != self._hint[cell]:
            return None
        return self._open_all(free) or None

    def _is_forgiven(self, cell: int) -> bool:
        """Whether a mine blew here and only cost a life of several: it counts as known."""
        return self.rules.lives > 1 and divmod(cell, self.rules.width) in self.blown

    def _is_seen(self, cell: int) -> bool:
        """Whether the content of a cell is known: it is open, or a forgiven mine."""
        return bool(self._open[cell]) or self._is_forgiven(cell)

    def opening_targets(self, act: Act) -> tuple[tuple[int, int], ...]:
        """Return the cells, `(row, col)`, that an act is meant to open on this board.

        An open targets its cell, a chord the covered neighbours without a flag, except mines that
        blew before; other acts target none. Cells that open with a zero are not included.
        """
        if act.verb is Verb.OPEN:
            return ((act.row, act.col),)
        if act.verb is not Verb.CHORD:
            return ()
        open_map, flag_map = self.open_map, self.flag_map
        near = neighbours(act.row, act.col, *self._shape)
        return tuple(
            cell for cell in near
            if not (open_map[cell] or flag_map[cell] or cell in self.blown)
        )  # fmt: skip

    def pygame_cell_codes(self) -> NDArray[np.int16]:
        """Return the cell codes of the first pygame version, int16 `(height + 2, width + 2)`.

        Covered cells are -1 for a mine and 0..8 for a number, -2 is a mine that was hit, 10..18 an
        open number, 19 a flagged mine, 20..28 a flagged number. The border is one cell of zeros.
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
            return _act_error(act, "row {row}, column {col} is open already")
        if self._flag[cell]:
            return _act_error(
                act, "row {row}, column {col} is flagged: take the flag off to open it"
            )
        if not self.laid:
            return _act_error(act, "no mines are laid yet")
        return None

    def _refuse_mark(self, act: Act) -> ActError | None:
        if self._is_seen(act.row * self.rules.width + act.col):
            return _act_error(act, "row {row}, column {col} is open: only covered cells take marks")
        return None

    def _refuse_chord(self, act: Act) -> ActError | None:
        cell = act.row * self.rules.width + act.col
        if not self._open[cell]:
            return _act_error(
                act, "row {row}, column {col} is covered: only an opened number chords"
            )
        near = neighbour_table(*self._shape)[cell]
        flags = sum(self._flag[other] or self._is_forgiven(other) for other in near)
        if flags != self._hint[cell]:
            return _act_error(
                act,
                "the {number} at row {row}, column {col} has {flags} flags around it",
                number=self._hint[cell],
                flags=flags,
            )
        if all(self._flag[other] or self._is_seen(other) for other in near):
            return _act_error(act, "nothing is left to open around row {row}, column {col}")
        return None

    def _lay(self, event: Lay) -> None:
        self.work.add(self.rules.cells // BY_ROWS)
        mine_map = checked_mine_map(self.rules, event.mine_map)
        self._set_mines(mine_map, count_around(mine_map))

    def _set_mines(self, mine_map: NDArray[np.bool_], hint_map: NDArray[np.uint8]) -> None:
        np.frombuffer(self._mine, dtype=np.bool_)[:] = mine_map.ravel()
        np.frombuffer(self._hint, dtype=np.uint8)[:] = hint_map.ravel()
        if self._passed is not self._hint:
            self._passed[:] = self._hint
            if self.flags:
                np.frombuffer(self._passed, dtype=np.uint8)[self.flag_map.ravel()] = WALL
        self.laid = True
        self._right_flags = int(np.count_nonzero(self.flag_map & mine_map)) if self.flags else 0

    def _open_cell(self, cell: int) -> Change:
        change = ~(cell << 1 | self._question[cell])
        if self._mine[cell]:
            where = divmod(cell, self.rules.width)
            if where in self.blown:
                return []
            self.blown = (*self.blown, where)
        elif self._hint[cell]:
            self._open[cell] = 1
            self.opened += 1
            self._questions -= self._question[cell]
            self._question[cell] = 0
        else:
            return self._open_opening(cell)
        return change

    def _open_opening(self, cell: int) -> Opening:
        """Open a whole opening; marks in it were wrong and are removed, except flags that hold."""
        found = undoable_openings.open_opening(
            self._passed, self._open, self._shape, cell, self.work,
            mixed=self._passed is not self._hint,
        )  # fmt: skip
        self.opened += found.size
        flags = self._unmark(self._flag, found) if self.flags else []
        self.flags -= len(flags)
        questions = self._unmark(self._question, found) if self._questions else []
        self._questions -= len(questions)
        return Opening(found, flags, questions)

    def _unmark(self, marks: Cells, opened: NDArray[np.int32] | OpenedRows) -> list[int]:
        """Remove marks from opened cells; return the cells that had one."""
        marked = np.frombuffer(marks, np.bool_)
        if isinstance(opened, OpenedRows):
            begin = opened.first * self.rules.width
            there = marked[begin : begin + len(opened.bits) * self.rules.width]
            gone: list[int] = opened.among(np.flatnonzero(there) + begin, self.rules.width).tolist()
        else:
            gone = opened[marked[opened]].tolist()
        marked[gone] = False
        return gone

    def _close_cell(self, opened: int) -> None:
        cell = opened >> 1
        if self._mine[cell]:
            self.blown = self.blown[:-1]
        else:
            self._open[cell] = 0
            self.opened -= 1
            self._question[cell] = opened & 1
            self._questions += opened & 1

    def _close(self, opening: Opening) -> int:
        """Close an opening; return how much work that was."""
        cells, flags, questions = opening
        opened = np.frombuffer(self._open, np.uint8)
        self.opened -= cells.size
        if isinstance(cells, OpenedRows):
            closed = cells.flags(self.rules.width).reshape(-1)
            begin = cells.first * self.rules.width
            opened[begin : begin + closed.size] ^= closed
            effort = closed.size // BY_ROWS
        else:
            opened[cells] = 0
            effort = cells.size // QUICK
        for each in flags:
            self._mark(each, 1, 0)
        for each in questions:
            self._mark(each, 0, 1)
        return effort

    def _toggle_flag(self, cell: int) -> int:
        return self._mark(cell, 1 - self._flag[cell], 0)

    def _toggle_question(self, cell: int) -> int:
        return self._mark(cell, 0, 1 - self._question[cell])

    def _mark(self, cell: int, flag: int, question: int) -> int:
        was, asked = self._flag[cell], self._question[cell]
        before = cell << 2 | was << 1 | asked
        self._question[cell] = question
        self._questions += question - asked
        if flag != was:
            self._flag[cell] = flag
            self.flags += flag - was
            if self._mine[cell]:
                self._right_flags += flag - was
            if self._passed is not self._hint:
                self._passed[cell] = WALL if flag else self._hint[cell]
        return before

    def _chord(self, cell: int) -> list[Change]:
        opened, flag = self._open, self._flag
        near = neighbour_table(*self._shape)[cell]
        covered = [each for each in near if not (opened[each] or flag[each])]
        return self._open_all([each for each in covered if not self._is_forgiven(each)])

    def _open_all(self, cells: list[int]) -> list[Change]:
        """Open covered cells without flags."""
        mine, hint, opened, question = self._mine, self._hint, self._open, self._question
        for cell in cells:
            if mine[cell] or not hint[cell] or question[cell]:
                return [self._open_cell(each) for each in cells if not opened[each]]
        for cell in cells:
            opened[cell] = 1
        self.work.add(CHORD + len(cells))
        self.opened += len(cells)
        return [~(cell << 1) for cell in cells]

    _REFUSALS: ClassVar[Mapping[Verb, Callable[[Board, Act], ActError | None]]] = {
        Verb.OPEN: _refuse_open,
        Verb.FLAG: _refuse_mark,
        Verb.QUESTION: _refuse_mark,
        Verb.CHORD: _refuse_chord,
    }
    _CHANGES: ClassVar[Mapping[Verb, Callable[[Board, int], Change]]] = {
        Verb.OPEN: _open_cell,
        Verb.FLAG: _toggle_flag,
        Verb.QUESTION: _toggle_question,
        Verb.CHORD: _chord,
    }


_STANDS: Final = tuple(name for name in Board.__slots__ if name != "work")
"""The attributes that are compared."""


def _act_error(act: Act, template: str, **params: object) -> ActError:
    return ActError(template, row=act.row, col=act.col, **params)


def board_after_events(rules: Rules, events: Sequence[Event]) -> Board:
    """Return the board that a game's events lead to; undone acts are left out."""
    board = Board(rules)
    for event in board_events_not_undone(events):
        board.apply_unless_refused(event)
    return board


def board_events_not_undone(events: Sequence[Event]) -> list[Lay | Act]:
    """Return the events that shape the board: layings, and acts that were not undone."""
    standing: list[Lay | Act] = []
    undoable: list[int] = []
    for event in non_touches(events):
        if isinstance(event, Lay):
            standing.append(event)
        elif event.verb is Verb.UNDO:
            if undoable:
                del standing[undoable.pop()]
        elif event.verb in BOARD_VERBS:
            undoable.append(len(standing))
            standing.append(event)
    return standing
