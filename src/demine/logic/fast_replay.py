"""Acts by the hundred thousand, played through the rules without a word about those they allow.

What the rules refuse, and the few acts that are more than a change on the board, are left to the
game itself: it says why, and nothing is told here a second time but what is allowed.
"""

from __future__ import annotations

import math
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import numpy as np

from demine.logic.errors import DemineError
from demine.logic.event import CELL_VERBS, Verb
from demine.logic.event_log import LAY, VERBS
from demine.logic.game import Status
from demine.logic.rules import Goal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from demine.logic.event import Act, Lay
    from demine.logic.event_log import Acts
    from demine.logic.game import Game
    from demine.logic.opening_and_undo import Change

MOST_WORK: Final = 800_000
"""So much work may openings be in a game that is read, as `Board.work` counts it.

No board of up to 500x500 comes near it while nothing is undone, nor any hand that undoes: it is to
open all of an expert board, and to take that back, a thousand times.
"""
_ASK: Final = LAY + 1
"""What is left to the game."""
_NAMES_CELL: Final = np.array([verb in CELL_VERBS for verb in VERBS] + [False])
_DONE: Final[list[Change]] = [0]
"""An act that changed nothing that could be undone."""


def play_acts(
    game: Game, acts: Acts, follow: Callable[[Game, Act | Lay], None]
) -> tuple[int, DemineError] | None:
    """Play acts whose times are in order; return the place of the first refused one and the reason.

    The game is given what changed, and not the events. `follow` plays one act through the rules.
    """
    hand, at = _ActHandlers(game), 0
    height, width = game.rules.shape
    row, col, verb = acts.row, acts.col, acts.verb.copy()
    inside = (row >= 0) & (row < height) & (col >= 0) & (col < width)
    verb[_NAMES_CELL[verb] & ~inside] = _ASK
    cells = np.where(inside, row * width + col, 0).tolist()
    note = game.changes.append
    try:
        for at, (kind, cell) in enumerate(zip(verb.tolist(), cells, strict=True)):
            change = hand.doors[kind](cell)
            if change is None:
                follow(game, acts.between(at, at + 1).made()[0])
                hand.look()
            elif change is not _DONE:
                note(change)
    except DemineError as error:
        return at, error
    finally:
        hand.close()
    return None


@contextmanager
def limited_work(game: Game, *, trusted: bool = False) -> Iterator[None]:
    """Have what is played in a game raise `WorkError` when it is too much work; not if trusted."""
    work = game.board.work
    work.most = math.inf if trusted else work.done + MOST_WORK
    try:
        yield
    finally:
        work.most = math.inf


def _leave_to_game(_cell: int) -> Change | None:
    return None


class _ActHandlers:
    """What each verb does at this moment, by their places in `VERBS`."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.board = game.board
        self.changes, self.take_back = game.changes, game.board.take_back
        self.safe = game.rules.safe_cells
        tries = game.board.tries()
        marks = {verb: tries[verb] for verb in (Verb.FLAG, Verb.QUESTION)}
        self.flags_win = game.rules.goal is Goal.FLAG
        if self.flags_win:
            marks = {verb: self._looking(attempt) for verb, attempt in marks.items()}
        # An opening may take a wrong flag off, and a mine that blows needs no flag any more.
        opening = self._looking if self.flags_win else self._opening
        ready = {Verb.UNDO: self._undo, Verb.HINT: self._hint, **marks}
        running = {
            **ready,
            Verb.OPEN: opening(tries[Verb.OPEN]),
            Verb.CHORD: opening(tries[Verb.CHORD]),
            Verb.PAUSE: self._pause,
        }
        self._doors = {
            Status.READY: _handlers_by_verb(ready),
            Status.RUNNING: _handlers_by_verb(running),
            Status.PAUSED: _handlers_by_verb({Verb.RESUME: self._resume}),
            Status.LOST: _handlers_by_verb({Verb.UNDO: self._undo}),
            Status.WON: _handlers_by_verb({}),
        }
        self.look()

    def close(self) -> None:
        """Let go of the game, at once and not when somebody collects circles."""
        self.game.update_status()
        self._doors = {}
        self.doors = _handlers_by_verb({})

    def look(self) -> None:
        """See where the game stands."""
        self.game.update_status()
        # One that was resigned is as over as one that was won.
        self.doors = self._doors[Status.WON if self.game.resigned else self.game.status]

    def _opening(self, attempt: Callable[[int], Change | None]) -> Callable[[int], Change | None]:
        board, safe = self.board, self.safe

        def act(cell: int) -> Change | None:
            change = attempt(cell)
            if board.blown or board.opened == safe:
                self.look()
            return change

        return act

    def _looking(self, attempt: Callable[[int], Change | None]) -> Callable[[int], Change | None]:
        def mark(cell: int) -> Change | None:
            change = attempt(cell)
            self.look()
            return change

        return mark

    def _undo(self, _cell: int) -> Change | None:
        lost = self.board.lost
        if not self.changes:
            return None
        self.take_back(self.changes.pop())
        self.game.undone = True
        if lost or self.flags_win:
            self.look()
        return _DONE

    def _hint(self, _cell: int) -> Change:
        self.game.hinted = True
        return _DONE

    def _pause(self, _cell: int) -> Change:
        self.game.paused = True
        self.look()
        return _DONE

    def _resume(self, _cell: int) -> Change:
        self.game.paused = False
        self.look()
        return _DONE


def _handlers_by_verb(
    doors: dict[Verb, Callable[[int], Change | None]],
) -> list[Callable[[int], Change | None]]:
    return [*(doors.get(verb, _leave_to_game) for verb in VERBS), _leave_to_game, _leave_to_game]
