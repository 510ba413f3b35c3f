"""A game: rules, a seed and events, and the one place that decides which acts are allowed."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, Final, Self, TypeAlias, TypeVar

from demine.logic.board_state import Board
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
    shifted_in_time,
)
from demine.logic.event_log import EventLog, non_touches
from demine.logic.layout import (
    checked_cell,
    checked_mine_map,
    checked_seed,
    deal,
    keeps_first_click_promise,
)
from demine.logic.metadata import FIELD_CELL, Fact, LazyFacts, checked_cell_px, checked_facts
from demine.logic.rules import Rules
from demine.logic.undoable_openings import is_mark_change

if TYPE_CHECKING:
    from typing import Any, SupportsIndex

    import numpy as np
    from numpy.typing import NDArray

    from demine.logic.errors import DemineError
    from demine.logic.event_log import Touches
    from demine.logic.undoable_openings import Change

Cell: TypeAlias = tuple[int, int]
Dealer: TypeAlias = "Callable[[Rules, int, Cell], NDArray[np.bool_]]"
AnyGame = TypeVar("AnyGame", bound="BaseGame")
"""This class or a subclass, such as `demine.Game`."""


class Status(StrEnum):
    """The status of a game.

    >>> import demine
    >>> game = demine.Game("9x9/10", seed=7)
    >>> game.status, game.status.over
    (<Status.READY: 'ready'>, False)
    """

    READY = "ready"
    """No cell has been opened yet; the clock stands at 0."""
    RUNNING = "running"
    PAUSED = "paused"
    WON = "won", True
    LOST = "lost", True
    """A mine was opened, or the player resigned."""

    over: bool
    """Whether the game has ended."""

    def __new__(cls, value: str, over: bool = False) -> Self:
        """Create a status from its text and whether it ends the game."""
        status = str.__new__(cls, value)
        status._value_ = value
        status.over = over
        return status


class Origin(StrEnum):
    """Where a game's board comes from; only a fresh one is sure to be new to the player.

    >>> import demine
    >>> demine.Game("9x9/10", seed=7).origin
    <Origin.SEED: 'seed'>
    """

    FRESH = "fresh"
    SEED = "seed"
    """The player chose the seed."""
    SHARE = "share"
    """The board came from a share code."""
    AGAIN = "again"
    """The board was played before."""
    TOGETHER = "together"
    """The board is new, but several players play it."""


class BaseGame:
    """A game by its rules alone, which know no solver, picture or file.

    Programs make a `demine.Game`, which is one of these and says what the arguments and times mean;
    a function for any game takes this class. Without a dealer, the first open of this one under
    guess-free rules raises `RulesError`: they need a solver.

    >>> import demine
    >>> isinstance(demine.Game("9x9/10"), demine.BaseGame)
    True
    """

    rules: Rules
    """The rules that are played."""
    seed: int
    """The seed of the board; with the first cell it decides where the mines are."""
    origin: Origin
    """Where the board comes from."""
    board: Board
    """The true state of the board, mines and all."""
    resigned: bool
    """Whether the player gave the game up."""
    paused: bool
    """Whether the clock stands and the board is covered."""

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
        self.rules = Rules.of(rules)
        rules = self.rules
        self.seed = random_seed() if seed is None else checked_seed(seed)
        self.origin = _checked_origin(origin)
        self.start: Cell | None = None if start is None else checked_cell(rules, start)
        """The cell where the game must begin, `(row, col)`, or None for any."""
        self.facts: Mapping[str, Fact] = _unchangeable_facts(facts)
        """What is known about the game besides its events: player, program, date ..."""
        self.cell_px: int = checked_cell_px(cell_px)
        """The cell size in pixels at which touches are recorded."""
        self._notes: tuple[DemineError, ...] | Callable[[], tuple[DemineError, ...]] = ()
        self.board = Board(rules)
        self.names_players: bool = False
        """Whether any act so far names its player."""
        self.undone: bool = False
        """Whether any act has been undone."""
        self.opening_undone: bool = False
        """Whether an act that opened cells has been undone.

        An undone flag does not count: it tells nothing, and a click takes flags away too."""
        self.hinted: bool = False
        """Whether help has been shown."""
        self._practice_reason = ""
        """Which of these two came first: `undo` or `hint`; empty for neither."""
        self.resigned = False
        if dealer is not None and not callable(dealer):
            raise LayoutError("{value} cannot lay mines: it is not callable", value=quoted(dealer))
        self._dealer = dealer
        self._events: list[Event] = []
        self._log: EventLog | None = None
        """The events before these, if they were replaced by a log."""
        self._changes: list[Change] | Callable[[], list[Change]] = []
        self.begun: bool = False
        """Whether the first cell has been opened, so that the clock runs."""
        self.paused = False
        self.status: Status = Status.READY
        """The present status, updated by every act."""

    # State

    @property
    def events(self) -> Sequence[Event]:
        """All events so far, in time order; the sequence does not grow with the game."""
        if self._log is None:
            return tuple(self._events)
        if self._events:
            self._log, self._events = self._log.extended(self._events), []
        return self._log

    @property
    def event_count(self) -> int:
        """How many events there are."""
        return len(self._events) + (0 if self._log is None else len(self._log))

    def events_from(self, first: int) -> Sequence[Event]:
        """Return the events from index `first` on; the newest take no longer in a long game."""
        logged = 0 if self._log is None else len(self._log)
        return self._events[first - logged :] if first >= logged else self.events[first:]

    @property
    def last_event_ms(self) -> int | None:
        """The time of the last event, in milliseconds; None before the first."""
        # The newest are there; `events` would move them into the log at every act.
        earlier = self._events or self.events
        return earlier[-1].t if earlier else None

    @property
    def notes(self) -> tuple[DemineError, ...]:
        """Remarks by the reader of a file, such as a claim that its events contradict.

        Not part of the game: they are neither compared nor written.
        """
        if not isinstance(self._notes, tuple):
            self._notes = self._notes()
        return self._notes

    @notes.setter
    def notes(self, notes: tuple[DemineError, ...]) -> None:
        self._notes = notes

    def add_notes_when_asked(self, make: Callable[[], tuple[DemineError, ...]]) -> None:
        """Have the notes worked out by `make` when they are first asked for."""
        self._notes = make

    @property
    def changes(self) -> list[Change]:
        """What the acts that were not undone changed on the board, for undoing them."""
        if not isinstance(self._changes, list):
            self._changes = self._changes()
        return self._changes

    @property
    def time_ms(self) -> int:
        """Milliseconds from the opening act to the last event, or to the act that ended the game.

        It is 0 before the opening act.
        """
        if not self.begun:
            return 0
        if not self.status.over:
            return self.last_event_ms or 0
        # Touches may follow; the act that ended the game is the last one.
        if self._log is not None:
            return EventLog.of(self.events).last_act_ms
        return next(event.t for event in reversed(self._events) if isinstance(event, Act))

    @property
    def can_undo(self) -> bool:
        """Whether the rules allow to undo an act now."""
        return not self._no_undo(self.status)

    @property
    def unranked(self) -> str:
        """Why this game cannot enter best times: `undo`, `hint` or an origin; empty if it can.

        Of undo and hint it is what came first.
        """
        return self._practice_reason or ("" if self.origin is Origin.FRESH else str(self.origin))

    @property
    def ranked(self) -> bool:
        """Whether the game may enter best times."""
        return not self.unranked

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BaseGame):
            return NotImplemented
        return all(
            getattr(self, name) == getattr(other, name)
            for name in ("rules", "seed", "origin", "start", "cell_px", "facts", "events")
        )

    __hash__: ClassVar[None] = None  # type: ignore[assignment]  # a game grows

    def __repr__(self) -> str:
        return f"<Game {self.rules}: {self.status}, {len(self.events)} events>"

    def __reduce__(self) -> tuple[object, ...]:
        # Pickles and copies are made from rules, seed and events.
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
        """Raise `ActError` with the reason if the rules refuse this act now."""
        refusal = self._refusal(act)
        if refusal is not None:
            raise refusal

    def can(self, act: Act) -> bool:
        """Return whether the rules allow this act now."""
        return self._refusal(act) is None

    def play(self, act: Act) -> Status:
        """Play the act and return the status after it; raises `ActError` if it is refused."""
        refusal = self._refusal(act)
        if refusal is not None:
            raise refusal
        if not self.begun and act.verb is Verb.OPEN:
            act = self._begin(act)
        self._events.append(act)
        self._follow(act)
        self._update_status()
        return self.status

    def open(self, row: SupportsIndex, col: SupportsIndex, *, t: int | None = None) -> Status:
        """Open a covered cell: `play` of this act at the time `t`, or at that of the last event."""
        return self._play_now(Verb.OPEN, t, row, col)

    def flag(self, row: SupportsIndex, col: SupportsIndex, *, t: int | None = None) -> Status:
        """Set a flag or remove it; time, result and errors are those of `open`."""
        return self._play_now(Verb.FLAG, t, row, col)

    def question(self, row: SupportsIndex, col: SupportsIndex, *, t: int | None = None) -> Status:
        """Set a question mark or remove it; time, result and errors are those of `open`."""
        return self._play_now(Verb.QUESTION, t, row, col)

    def chord(self, row: SupportsIndex, col: SupportsIndex, *, t: int | None = None) -> Status:
        """Open what is left around a number; time, result and errors are those of `open`."""
        return self._play_now(Verb.CHORD, t, row, col)

    def undo(self, *, t: int | None = None) -> Status:
        """Take the last act back; time, result and errors are those of `open`."""
        return self._play_now(Verb.UNDO, t)

    def _play_now(
        self, verb: Verb, t: int | None, row: SupportsIndex = -1, col: SupportsIndex = -1
    ) -> Status:
        if t is None:
            t = self.last_event_ms or 0
        return self.play(Act(t, verb, row, col))

    def _update_status(self) -> None:
        """Work out `status` anew; needed after changes that `play` did not make."""
        if self.board.lost or self.resigned:
            self.status = Status.LOST
        # The flags may be right before the first cell is opened; that is not a win.
        elif self.begun and self.board.won:
            self.status = Status.WON
        elif self.paused:
            self.status = Status.PAUSED
        else:
            self.status = Status.RUNNING if self.begun else Status.READY

    def touch(self, touch: Touch) -> None:
        """Record a touch; raises `ActError` if it is older than the last event."""
        self._check_time(touch.t)
        self._events.append(touch)

    def _add_touches(self, touches: Touches, non_touch_indices: NDArray[np.int64]) -> None:
        """Insert many touches among the events so far, whose new indices are `non_touch_indices`.

        Raises `ActError` if time would run back, or if there are touches already.
        """
        if len(non_touches(self.events)) < len(self.events):
            raise ActError("touches have already been kept")
        self._replace_events(EventLog(touches, non_touches(self.events), non_touch_indices))

    def _replace_events(self, log: EventLog) -> None:
        """Set the events so far to a log, all of whose acts have been played."""
        self.names_players = log.names_players
        self._log, self._events = log, []

    def _go_on_after(
        self, log: EventLog, changes: Callable[[], list[Change]], *, begun: bool
    ) -> None:
        """Go on after events whose outcome is on the board already.

        `changes` returns what their acts changed, in case that they are undone.
        """
        self._replace_events(log)
        self._changes = changes
        self.begun = begun
        self._update_status()

    def lay(self, lay: Lay) -> None:
        """Lay the given mines instead of dealing them.

        Raises `LayoutError` if they do not fit the rules, `ActError` if mines are laid already.
        """
        if self.board.laid:
            raise ActError("the mines have already been laid")
        self._check_time(lay.t)
        self.board.apply_unless_refused(lay)
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
        if not self.begun and act.verb is Verb.OPEN:
            return self._refuse_first(act)
        return self.board.refusal(act)

    def _check_time(self, t: int) -> None:
        begun = self._events or self._log
        last = (self._events or self.events)[-1].t if begun else -MAX_TIME
        if t < last:
            raise ActError("time cannot run backwards from {last} to {t} ms", last=last, t=t)
        if not self.begun and begun and t - (self._log or self._events)[0].t > MAX_TIME:
            # The opening act's time is subtracted from all of them, and they must stay in bounds.
            raise ActError("{t} ms is too long after the first event", t=t)

    def _wrong_moment(self, verb: Verb) -> str:
        """Return why this verb is not allowed at this moment, or an empty text."""
        status = self.status
        if verb in BOARD_VERBS and not (self.paused or status.over):
            return ""
        if verb is Verb.UNDO:
            return self._no_undo(status)
        if status.over:
            return "the game is over"
        if verb is Verb.RESUME:
            return "" if status is Status.PAUSED else "the game is not paused"
        if verb is Verb.RESIGN:
            return "" if self.begun else "the game has not started"
        if status is Status.PAUSED:
            return "the game is paused"
        if verb is Verb.PAUSE and status is Status.READY:
            return "the game has not started"
        return ""

    def _no_undo(self, status: Status) -> str:
        if status is Status.WON:
            return "a won game stays won"
        if self.resigned:
            return "the game was given up"
        if status is Status.PAUSED:
            return "the game is paused"
        return "" if self.changes else "there is nothing to undo"

    def _refuse_first(self, act: Act) -> ActError | None:
        if self.start is not None and (act.row, act.col) != self.start:
            return ActError(
                "this board begins at row {row}, column {col}", row=self.start[0], col=self.start[1]
            )
        refusal = self.board.refusal(act)
        # The board refuses to open a cell before the mines are laid, but this act lays them.
        only_unlaid = refusal is not None and not self.board.laid and self._is_free(act)
        return None if only_unlaid else refusal

    def _is_free(self, act: Act) -> bool:
        height, width = self.rules.shape
        inside = 0 <= act.row < height and 0 <= act.col < width
        return inside and not self.board.flag_map[act.row, act.col]

    def _begin(self, act: Act) -> Act:
        """Make this act the origin of time, lay the mines if needed, and return it at time 0."""
        lay = None if self.board.laid else Lay(0, self._deal((act.row, act.col)))
        self._events = [shifted_in_time(event, -act.t) for event in self.events]
        self._log = None
        self.begun = True
        if lay is not None:
            self.lay(lay)
        return shifted_in_time(act, -act.t)

    def _deal(self, first: Cell) -> NDArray[np.bool_]:
        mines = self._deal_mines if self._dealer is None else self._dealer
        mine_map = checked_mine_map(self.rules, mines(self.rules, self.seed, first))
        if not keeps_first_click_promise(self.rules, mine_map, first):
            raise LayoutError("these mines break the promise first={first}", first=self.rules.first)
        return mine_map

    @staticmethod
    def _deal_mines(rules: Rules, seed: int, first: Cell) -> NDArray[np.bool_]:
        """Lay the mines if no dealer was given; raises `RulesError` for guess-free rules."""
        return deal(rules, seed, first)

    def _follow(self, act: Act) -> None:
        self.names_players = self.names_players or bool(act.player)
        if act.verb in BOARD_VERBS:
            self.changes.append(self.board.apply_unchecked(act))
        elif act.verb is Verb.UNDO:
            change = self.changes.pop()
            self.board.take_back(change)
            self.undone = True
            if not is_mark_change(change):
                self._note_undone_opening()
        elif act.verb is Verb.HINT:
            self._note_hint()
        elif act.verb is Verb.RESIGN:
            self.resigned = True
        else:
            self.paused = act.verb is Verb.PAUSE

    def _note_undone_opening(self) -> None:
        """Note that an act that opened cells was undone, which ends its chance of best times."""
        self.opening_undone = True
        self._practice_reason = self._practice_reason or str(Verb.UNDO)

    def _note_hint(self) -> None:
        """Note that help was shown, which ends the game's chance of best times."""
        self.hinted = True
        self._practice_reason = self._practice_reason or str(Verb.HINT)

    # The same board in another game

    def first_cell(self) -> Cell | None:
        """Return the cell that was opened first, `(row, col)`, else `start`, which may be None."""
        for event in non_touches(self.events):
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


def _unchangeable_facts(facts: Mapping[str, Fact] | None) -> Mapping[str, Fact]:
    if isinstance(facts, LazyFacts):
        return facts
    return MappingProxyType({} if facts is None else checked_facts(facts))


_ORIGINS: Final = tuple(Origin)


def _checked_origin(value: object) -> Origin:
    if isinstance(value, str) and value in _ORIGINS:
        return Origin(value)
    text = "{value} is not an origin of a game: use {choices}"
    raise JournalError(text, value=quoted(value), choices=", ".join(Origin))


def random_seed() -> int:
    """Return a random seed of 48 bits."""
    return int.from_bytes(os.urandom(6))


def _rebuild(
    game_class: type[AnyGame],
    rules: Rules,
    seed: int,
    arguments: Mapping[str, Any],
    events: Sequence[Event],
) -> AnyGame:
    game = game_class(rules, seed, **arguments)
    for event in non_touches(events) if isinstance(events, EventLog) else events:
        play_event(game, event)
    if isinstance(events, EventLog):
        game._add_touches(events.touches, events.non_touch_indices)
    return game


def play_event(game: BaseGame, event: Event) -> None:
    """Play one event of any kind through the rules; raises `DemineError` if they refuse it."""
    if isinstance(event, Lay):
        game.lay(event)
    elif isinstance(event, Touch):
        game.touch(event)
    else:
        game.play(event)
