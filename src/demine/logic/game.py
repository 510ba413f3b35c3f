"""A game: rules, a seed and events, and the one place that says which act is allowed."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Self, TypeAlias, TypeVar

from demine.logic.board import Board
from demine.logic.errors import ActError, JournalError, LayoutError, ShareError, quoted
from demine.logic.event import (
    BOARD_VERBS,
    CELL_VERBS,
    MAX_TIME,
    Act,
    Event,
    Lay,
    Touch,
    Verb,
    moved_in_time,
)
from demine.logic.event_log import EventLog, others
from demine.logic.layout import checked, checked_cell, checked_seed, deal, keeps_promise
from demine.logic.metadata import FIELD_CELL, Fact, checked_cell_px, checked_facts
from demine.logic.rules import Rules

if TYPE_CHECKING:
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from demine.logic.errors import DemineError
    from demine.logic.event_log import Touches
    from demine.logic.opening_and_undo import Change

Cell: TypeAlias = tuple[int, int]
Dealer: TypeAlias = "Callable[[Rules, int, Cell], NDArray[np.bool_]]"
AnyGame = TypeVar("AnyGame", bound="Game")
"""This class or one made of it, such as `demine.Game`."""


class Status(StrEnum):
    """Where a game stands."""

    READY = "ready"
    """No cell was opened yet; the clock stands at 0."""
    RUNNING = "running"
    PAUSED = "paused"
    WON = "won", True
    LOST = "lost", True
    """A mine was opened, or the player resigned."""

    over: bool
    """Whether the game has ended."""

    def __new__(cls, value: str, over: bool = False) -> Self:
        """Make a status of its text and whether it is an end."""
        status = str.__new__(cls, value)
        status._value_ = value
        status.over = over
        return status


class Origin(StrEnum):
    """Where a game's board comes from; only a fresh one is unknown to its player."""

    FRESH = "fresh"
    SEED = "seed"
    """The player chose the seed."""
    SHARE = "share"
    """The board came from a share code."""
    AGAIN = "again"
    """The board was played before."""


class Game:
    """One game of Minesweeper: an append-only list of events and the board they lead to.

    Every act has three doors: `check` raises `ActError` with the reason, `can` answers, `play`
    does.

    Times are integer milliseconds, and the act that opens the first cell happens at 0. Until it
    comes nobody knows when that is, so earlier acts are given with milliseconds since the game was
    made (any non-decreasing count); the opening act's own time is then taken off all of them,
    itself included, and from there on the caller's clock starts at 0. Paused time does not count:
    the caller's clock stands still.

    `rules` are `Rules` or their text. `seed` defaults to a fresh random one. `dealer` lays the
    mines at the first open. `cell_px` says at how many pixels a cell touches are measured. What is
    none of these raises a `DemineError` that quotes it.

    Without a dealer, the first open of guess-free rules raises `RulesError`: they need a solver.
    `demine.Game` is the class that has one.
    """

    def __init__(
        self,
        rules: Rules | str,
        seed: int | None = None,
        *,
        origin: Origin | str | None = None,
        start: Cell | None = None,
        facts: Mapping[str, Fact] | None = None,
        dealer: Dealer | None = None,
        cell_px: int = FIELD_CELL,
    ) -> None:
        if origin is None:
            origin = Origin.FRESH if seed is None else Origin.SEED
        self.rules = rules = Rules.of(rules)
        self.seed = any_seed() if seed is None else checked_seed(seed)
        self.origin = _checked_origin(origin)
        self.start = None if start is None else checked_cell(rules, start)
        """The cell where the game has to begin, `(row, col)`, or None for anywhere."""
        known = {} if facts is None else checked_facts(facts)
        self.facts: Mapping[str, Fact] = MappingProxyType(known)
        """What is known about the game besides its events: player, program, date ..."""
        self.cell_px = checked_cell_px(cell_px)
        """The pixels a cell of the field on which the touches were recorded."""
        self.notes: tuple[DemineError, ...] = ()
        """What the reader of a file has to say of it, such as a claim that its events contradict.

        No part of the game: it is neither compared nor written."""
        self.board = Board(rules)
        self.named = False
        """Whether an act ever named its player."""
        self.undone = False
        """Whether an act was ever undone."""
        self.hinted = False
        """Whether help was ever shown."""
        self.resigned = False
        if dealer is not None and not callable(dealer):
            raise LayoutError("{value} cannot lay mines: it is not callable", value=quoted(dealer))
        self._dealer = dealer
        self._events: list[Event] = []
        self._log: EventLog | None = None
        """What came before these, where many touches were kept at once."""
        self.changes: list[Change] = []
        """What the acts that stand changed on the board, for undoing them."""
        self.begun = False
        """Whether the first cell was opened, so that the clock runs."""
        self.paused = False
        self.status = Status.READY
        """Where the game stands; kept up to date by every act, since everybody asks."""

    # What a game is

    @property
    def events(self) -> Sequence[Event]:
        """All events so far, in time order; it does not grow with the game."""
        if self._log is None:
            return tuple(self._events)
        if self._events:
            self._log, self._events = self._log.joined(self._events), []
        return self._log

    @property
    def time_ms(self) -> int:
        """Milliseconds of play from the opening act to the last event or the end; 0 before it."""
        if not self.begun:
            return 0
        if not self.status.over:
            return self.events[-1].t
        # The hand may still be seen to move; what ended the game is the last act.
        if self._log is not None:
            return EventLog.of(self.events).last_act_ms
        return next(event.t for event in reversed(self._events) if isinstance(event, Act))

    @property
    def unranked(self) -> str:
        """Why this game cannot enter best times: `undo`, `hint`, an origin; empty when it can."""
        if self.undone:
            return str(Verb.UNDO)
        if self.hinted:
            return str(Verb.HINT)
        return "" if self.origin is Origin.FRESH else str(self.origin)

    @property
    def ranked(self) -> bool:
        """Whether the game may enter best times."""
        return not self.unranked

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return all(
            getattr(self, name) == getattr(other, name)
            for name in ("rules", "seed", "origin", "start", "cell_px", "facts", "events")
        )

    __hash__ = None  # type: ignore[assignment]  # a game grows

    def __repr__(self) -> str:
        return f"<Game {self.rules}: {self.status}, {len(self.events)} events>"

    def __reduce__(self) -> tuple[object, ...]:
        # Between processes and into copies a game travels as what it is: rules, seed and events.
        arguments = {
            "origin": self.origin,
            "start": self.start,
            "facts": dict(self.facts),
            "dealer": self._dealer,
            "cell_px": self.cell_px,
        }
        return _rebuild, (type(self), self.rules, self.seed, arguments, self.events)

    # check, can, play

    def check(self, act: Act) -> None:
        """Raise `ActError` with the reason when the rules refuse this act now."""
        refusal = self._refusal(act)
        if refusal is not None:
            raise refusal

    def can(self, act: Act) -> bool:
        """Return whether the rules allow this act now."""
        return self._refusal(act) is None

    def play(self, act: Act) -> Status:
        """Do the act and return the status after it; raises `ActError` when it is refused."""
        refusal = self._refusal(act)
        if refusal is not None:
            raise refusal
        if act.verb is Verb.OPEN and not self.begun:
            act = self._begin(act)
        self._events.append(act)
        self._follow(act)
        self.update_status()
        return self.status

    def update_status(self) -> None:
        """Find out where the game stands; needed after changes that `play` did not make."""
        if self.board.lost or self.resigned:
            self.status = Status.LOST
        # Flags may stand right before the first cell is opened; that is no game yet.
        elif self.begun and self.board.won:
            self.status = Status.WON
        elif self.paused:
            self.status = Status.PAUSED
        else:
            self.status = Status.RUNNING if self.begun else Status.READY

    def touch(self, touch: Touch) -> None:
        """Keep a touch as evidence; raises `ActError` when it is older than the last event."""
        self._check_time(touch.t)
        self._events.append(touch)

    def touch_all(self, touches: Touches, places: NDArray[np.int64]) -> None:
        """Keep many touches at once, among the events so far: these then stand at `places`.

        Raises `ActError` where time would run back, and where touches were kept before.
        """
        if len(others(self.events)) < len(self.events):
            raise ActError("touches were kept already")
        self.keep(EventLog(touches, others(self.events), places))

    def keep(self, log: EventLog) -> None:
        """Take a log for the events so far, whose acts were all played."""
        self.named = log.named
        self._log, self._events = log, []

    def lay(self, lay: Lay) -> None:
        """Lay given mines instead of dealing them.

        Raises `LayoutError` when they do not fit the rules, `ActError` when mines are laid already.
        """
        if self.board.laid:
            raise ActError("the mines are laid already")
        self._check_time(lay.t)
        self.board.apply(lay)
        self._events.append(lay)

    def _refusal(self, act: Act) -> ActError | None:
        try:
            self._check_time(act.t)
        except ActError as error:
            return error
        wrong_moment = self._wrong_moment(act.verb)
        if wrong_moment:
            return ActError(wrong_moment)
        if act.verb not in CELL_VERBS:
            return None
        if act.verb is Verb.OPEN and not self.begun:
            return self._refuse_first(act)
        return self.board.refusal(act)

    def _check_time(self, t: int) -> None:
        begun = self._events or self._log
        last = (self._events or self.events)[-1].t if begun else -MAX_TIME
        if t < last:
            raise ActError("time cannot run back from {last} to {t} ms", last=last, t=t)
        if not self.begun and begun and t - (self._log or self._events)[0].t > MAX_TIME:
            # The opening act takes its time off all of them, and they have to stay in bounds.
            raise ActError("{t} ms is too long after the first event", t=t)

    def _wrong_moment(self, verb: Verb) -> str:
        """Return why this verb has no place at this moment, or an empty text."""
        status = self.status
        if verb is Verb.UNDO:
            return self._no_undo(status)
        if status.over:
            return "the game is over"
        if verb is Verb.RESUME:
            return "" if status is Status.PAUSED else "the game is not paused"
        if verb is Verb.RESIGN:
            return "" if self.begun else "the game has not begun"
        if status is Status.PAUSED:
            return "the game is paused"
        if verb is Verb.PAUSE and status is Status.READY:
            return "the game has not begun"
        return ""

    def _no_undo(self, status: Status) -> str:
        if status is Status.WON:
            return "a won game stays won"
        if self.resigned:
            return "the game was resigned"
        if status is Status.PAUSED:
            return "the game is paused"
        return "" if self.changes else "there is nothing to undo"

    def _refuse_first(self, act: Act) -> ActError | None:
        if self.start is not None and (act.row, act.col) != self.start:
            return ActError(
                "this board begins at row {row}, column {col}", row=self.start[0], col=self.start[1]
            )
        refusal = self.board.refusal(act)
        # The board cannot open anything before the mines are laid; this very act lays them.
        only_unlaid = refusal is not None and not self.board.laid and self._is_free(act)
        return None if only_unlaid else refusal

    def _is_free(self, act: Act) -> bool:
        height, width = self.rules.shape
        inside = 0 <= act.row < height and 0 <= act.col < width
        return inside and not self.board.flag_map[act.row, act.col]

    def _begin(self, act: Act) -> Act:
        """Make this act the origin of time and see that the mines are laid; return it at time 0."""
        lay = None if self.board.laid else Lay(0, self._deal((act.row, act.col)))
        self._events = [moved_in_time(event, -act.t) for event in self.events]
        self._log = None
        self.begun = True
        if lay is not None:
            self.lay(lay)
        return replace(act, t=0)

    def _deal(self, first: Cell) -> NDArray[np.bool_]:
        mines = self._deal_mines if self._dealer is None else self._dealer
        mine_map = checked(self.rules, mines(self.rules, self.seed, first))
        if not keeps_promise(self.rules, mine_map, first):
            raise LayoutError("these mines break the promise first={first}", first=self.rules.first)
        return mine_map

    @staticmethod
    def _deal_mines(rules: Rules, seed: int, first: Cell) -> NDArray[np.bool_]:
        """Lay the mines where no dealer was given; raises `RulesError` for guess-free rules."""
        return deal(rules, seed, first)

    def _follow(self, act: Act) -> None:
        self.named = self.named or bool(act.player)
        if act.verb in BOARD_VERBS:
            self.changes.append(self.board.follow(act))
        elif act.verb is Verb.UNDO:
            self.board.take_back(self.changes.pop())
            self.undone = True
        elif act.verb is Verb.HINT:
            self.hinted = True
        elif act.verb is Verb.RESIGN:
            self.resigned = True
        else:
            self.paused = act.verb is Verb.PAUSE

    # The same board elsewhere

    def first_cell(self) -> Cell | None:
        """Return the cell that was opened first, `(row, col)`, or the prescribed one, or None."""
        for event in others(self.events):
            if isinstance(event, Act) and event.verb is Verb.OPEN:
                return event.row, event.col
        return self.start

    def again(self) -> Self:
        """Return a new game on the same board that begins at the same cell."""
        game = type(self)(
            self.rules,
            self.seed,
            origin=Origin.AGAIN,
            start=self.first_cell(),
            dealer=self._dealer,
        )
        if self.board.laid:
            game.lay(Lay(0, self.board.mine_map))
        return game

    def share(self) -> str:
        """Return one line of text, safe in a link, that opens the same board anywhere.

        Raises `ShareError` before the first open: no mines are laid yet.
        """
        from demine.logic import share_code as share

        first = self.first_cell()
        if not self.board.laid or first is None:
            raise ShareError("there is no board to share before the first cell is opened")
        return share.encode(self.rules, self.board.mine_map, first)

    @classmethod
    def from_share(cls, code: str) -> Self:
        """Return a new game on the board of a share code; raises `ShareError` with the reason."""
        from demine.logic import share_code as share

        rules, mine_map, first = share.decode(code)
        game = cls(rules, 0, origin=Origin.SHARE, start=first)
        game.lay(Lay(0, mine_map))
        return game


def _checked_origin(value: object) -> Origin:
    if isinstance(value, str) and value in list(Origin):
        return Origin(value)
    text = "{value} is not an origin of a game: use {choices}"
    raise JournalError(text, value=quoted(value), choices=", ".join(Origin))


def any_seed() -> int:
    """Return a seed that nobody chose, of 48 bits."""
    return int.from_bytes(os.urandom(6))


def _rebuild(
    game_class: type[AnyGame],
    rules: Rules,
    seed: int,
    arguments: Mapping[str, Any],
    events: Sequence[Event],
) -> AnyGame:
    game = game_class(rules, seed, **arguments)
    for event in others(events) if isinstance(events, EventLog) else events:
        follow(game, event)
    if isinstance(events, EventLog):
        game.touch_all(events.touches, events.places)
    return game


def follow(game: Game, event: Event) -> None:
    """Play one event of any kind through the rules; raises `DemineError` when they refuse it."""
    if isinstance(event, Lay):
        game.lay(event)
    elif isinstance(event, Touch):
        game.touch(event)
    else:
        game.play(event)
