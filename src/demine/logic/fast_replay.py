"""Plays hundreds of thousands of acts quickly, by a shortcut for those that the rules allow.

Acts that the rules refuse, and the few that are more than a change on the board, are left to
`BaseGame.play`, so that the reasons for a refusal are stated in one place.
"""

from __future__ import annotations

import math
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from demine.logic.errors import DemineError
from demine.logic.event import CELL_VERBS, Verb
from demine.logic.event_log import LAY, VERBS
from demine.logic.game import Status
from demine.logic.rules import Goal
from demine.logic.undoable_openings import is_mark_change

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from demine.logic.event import Act, Lay
    from demine.logic.event_log import Acts
    from demine.logic.game import BaseGame
    from demine.logic.undoable_openings import Change

MOST_WORK: Final = 800_000
"""The most work, as `Board.work` counts it, that the openings of an untrusted game may take.

Boards of up to 500x500 stay far below it as long as nothing is undone, and so does anybody who
undoes by hand: it is enough to open a whole expert board and undo that a thousand times.
"""
_ASK: Final = LAY + 1
"""The number of acts that are left to `BaseGame.play`."""
_NUMBERS: Final = {verb: number for number, verb in enumerate(VERBS)}
_NAMES_CELL: Final = np.array([verb in CELL_VERBS for verb in VERBS] + [False])
_DONE: Final[list[Change]] = [0]
"""The result of an act that was done and left nothing to undo."""


class RefusedAct(NamedTuple):
    """An act that the rules refused: its index among the acts, and why."""

    act_index: int
    reason: DemineError


def play_acts(
    game: BaseGame, acts: Acts, play_event: Callable[[BaseGame, Act | Lay], None]
) -> RefusedAct | None:
    """Play acts whose times are in order; return the first that is refused, None if all are done.

    The board and `game.changes` are updated, the game's events are not: the caller sets them by
    `BaseGame._replace_events`. `play_event` plays one act through the full rules.
    """
    handlers, at = _ActHandlers(game), 0
    height, width = game.rules.shape
    row, col, verb = acts.row, acts.col, acts.verb.copy()
    inside = (row >= 0) & (row < height) & (col >= 0) & (col < width)
    verb[_NAMES_CELL[verb] & ~inside] = _ASK
    cells = np.where(inside, row * width + col, 0).tolist()
    note = game.changes.append
    try:
        for at, (kind, cell) in enumerate(zip(verb.tolist(), cells, strict=True)):
            change = handlers.current[kind](cell)
            if change is None:
                play_event(game, acts.sliced(at, at + 1).to_objects()[0])
                handlers.update()
            elif change is not _DONE:
                note(change)
    except DemineError as error:
        return RefusedAct(at, error)
    finally:
        handlers.close()
    return None


@contextmanager
def limited_work(game: BaseGame, *, trusted: bool = False) -> Iterator[None]:
    """Make a game raise `WorkError` within this context once it takes too much work.

    A trusted game has no limit.
    """
    work = game.board.work
    work.limit = math.inf if trusted else work.done + MOST_WORK
    try:
        yield
    finally:
        work.limit = math.inf


def _leave_to_game(_cell: int) -> Change | None:
    return None


class _ActHandlers:
    """The function that carries out each verb in the game's current status, ordered as `VERBS`.

    A function takes a cell, `row * width + col`, and returns None for what is left to the game.
    """

    def __init__(self, game: BaseGame) -> None:
        self.game = game
        self.board = game.board
        self.changes, self.take_back = game.changes, game.board.take_back
        self.safe = game.rules.safe_cells
        tries = game.board.handlers_by_verb()
        marks = {verb: tries[verb] for verb in (Verb.FLAG, Verb.QUESTION)}
        self.flags_win = game.rules.goal is Goal.FLAG
        if self.flags_win:
            marks = {verb: self._updating(attempt) for verb, attempt in marks.items()}
        # Opening cells may remove a wrong flag, and a mine that blows needs no flag any more.
        opening = self._updating if self.flags_win else self._opening
        ready = {Verb.UNDO: self._undo, Verb.HINT: self._hint, **marks}
        running = {
            **ready,
            Verb.OPEN: opening(tries[Verb.OPEN]),
            Verb.CHORD: opening(tries[Verb.CHORD]),
            Verb.PAUSE: self._pause,
        }
        self._by_status = {
            Status.READY: _handlers_by_verb(ready),
            Status.RUNNING: _handlers_by_verb(running),
            Status.PAUSED: _handlers_by_verb({Verb.RESUME: self._resume}),
            Status.LOST: _handlers_by_verb({Verb.UNDO: self._undo}),
            Status.WON: _handlers_by_verb({}),
        }
        self.update()

    def close(self) -> None:
        """Update the game's status and drop the handlers, so that no reference cycle is left."""
        self.game._update_status()
        self._by_status = {}
        self.current = _handlers_by_verb({})

    def update(self) -> None:
        """Update the game's status and choose the handlers for it."""
        self.game._update_status()
        # A resigned game is over, like a won one.
        self.current = self._by_status[Status.WON if self.game.resigned else self.game.status]

    def _opening(self, attempt: Callable[[int], Change | None]) -> Callable[[int], Change | None]:
        board, safe = self.board, self.safe

        def act(cell: int) -> Change | None:
            change = attempt(cell)
            if board.blown or board.opened == safe:
                self.update()
            return change

        return act

    def _updating(self, attempt: Callable[[int], Change | None]) -> Callable[[int], Change | None]:
        def mark(cell: int) -> Change | None:
            change = attempt(cell)
            self.update()
            return change

        return mark

    def _undo(self, _cell: int) -> Change | None:
        lost = self.board.lost
        if not self.changes:
            return None
        change = self.changes.pop()
        self.take_back(change)
        self.game.undone = True
        if not is_mark_change(change):
            self.game._note_undone_opening()
        if lost or self.flags_win:
            self.update()
        return _DONE

    def _hint(self, _cell: int) -> Change:
        self.game._note_hint()
        return _DONE

    def _pause(self, _cell: int) -> Change:
        self.game.paused = True
        self.update()
        return _DONE

    def _resume(self, _cell: int) -> Change:
        self.game.paused = False
        self.update()
        return _DONE


def _handlers_by_verb(
    handlers: dict[Verb, Callable[[int], Change | None]],
) -> list[Callable[[int], Change | None]]:
    found: list[Callable[[int], Change | None]] = [_leave_to_game] * (_ASK + 1)
    for verb, handler in handlers.items():
        found[_NUMBERS[verb]] = handler
    return found
