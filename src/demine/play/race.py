"""A race as the fold of its events: who came, got ready, lost touch, returned, finished or left.

It knows no board, no clock and no connection. Times are whole milliseconds since the race was made;
`Race.after` says what may happen, `Race.due` what happens by itself when its time has come.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple, Self

from demine.logic.errors import DemineError, quoted
from demine.logic.event import MAX_TIME

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_SEATS: Final = 8
FEWEST_SEATS: Final = 2
"""How many have to be there for a race to begin."""
COUNTDOWN_MS: Final = 5000
RETURN_MS: Final = 120_000
"""How long somebody who lost touch may stay away."""
MOST_BREAKS: Final = 50
"""Who loses touch more often than this in a running race has left it."""
LOBBY_MS: Final = 3_600_000
"""A race that has not begun so long after it was made is over."""
MOST_LOBBY_EVENTS: Final = 1000
"""A race that has seen so much before it began is over: nobody can fill the disk with one."""
RACE_MS: Final = 3_600_000
"""How long a race may run."""
MINE_COST_MS: Final = 5000
"""What a mine costs where it does not end the race."""


class RaceError(DemineError):
    """Something that cannot happen in a race, or not now."""


class MineCost(StrEnum):
    """What a player loses by opening a mine."""

    TIME = "time"
    """`MINE_COST_MS`, added to the time of play."""
    RACE = "race"


class RaceVerb(StrEnum):
    """What happens in a race."""

    JOIN = "join"
    READY = "ready"
    WAIT = "wait"
    """Somebody who was ready is so no longer."""
    LEAVE = "leave"
    AWAY = "away"
    """The last connection of a player was lost."""
    BACK = "back"
    START = "start"
    FINISH = "finish"
    FAIL = "fail"
    """A player opened one mine too many."""
    END = "end"
    """The time of the race is up."""


_OF_RACE: Final = frozenset({RaceVerb.START, RaceVerb.END})
"""The verbs that name no seat."""
_OF_GAME: Final = frozenset({RaceVerb.FINISH, RaceVerb.FAIL})
"""The verbs that tell how a game ended."""


@dataclass(frozen=True, slots=True)
class RaceEvent:
    """One event; its text is a JSON array `[t, verb, seat, time_ms, mines]` of what it has.

    `time_ms` is the time of play of a game that ended, `mines` how many mines were opened in it.
    """

    t: int
    verb: RaceVerb
    seat: int = -1
    time_ms: int = 0
    mines: int = 0

    def __str__(self) -> str:
        seat = [] if self.verb in _OF_RACE else [self.seat]
        game = [self.time_ms, self.mines] if self.verb in _OF_GAME else []
        return json.dumps([self.t, self.verb, *seat, *game], separators=(",", ":"))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the event that `str` wrote; raises `RaceError` for other text."""
        try:
            t, verb, *numbers = json.loads(text)
            event = cls(t, RaceVerb(verb), *numbers)
        except (ValueError, TypeError, RecursionError):
            raise _unreadable(text) from None
        fields = event.t, event.seat, event.time_ms, event.mines
        if any(type(each) is not int or not -1 <= each <= MAX_TIME for each in fields):
            raise _unreadable(text)
        if str(event) != text:
            raise _unreadable(text)
        return event


def _unreadable(text: str) -> RaceError:
    return RaceError("{text} is not an event of a race", text=quoted(text))


class Phase(StrEnum):
    """How far a race is."""

    LOBBY = "lobby"
    COUNTDOWN = "countdown"
    """Everybody is there and ready; `COUNTDOWN_MS` later the boards open."""
    RUNNING = "running"
    OVER = "over"


class SeatStatus(StrEnum):
    """How far a player is."""

    WAITING = "waiting"
    READY = "ready"
    RACING = "racing"
    FINISHED = "finished"
    FAILED = "failed"
    LEFT = "left"
    """The player gave up, stayed away too long, or was still playing when the time was up."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A player of a race."""

    number: int
    status: SeatStatus = SeatStatus.WAITING
    away_since: int | None = None
    """When the last connection was lost; None while there is one, and once the player is done."""
    breaks: int = 0
    """How often that happened since the race began."""
    time_ms: int = 0
    mines: int = 0

    @property
    def is_playing(self) -> bool:
        """Whether the race waits for this player."""
        return self.status in {SeatStatus.WAITING, SeatStatus.READY, SeatStatus.RACING}

    @property
    def total_ms(self) -> int:
        """The time of play and what mines have cost: what places are given by."""
        return self.time_ms + self.mines * MINE_COST_MS


class Place(NamedTuple):
    """A line of the result: 1 for the quickest, None for who did not finish."""

    place: int | None
    seat: Seat


@dataclass(frozen=True, slots=True)
class Race:
    """A race after some events; those that may be next make another one of it."""

    phase: Phase = Phase.LOBBY
    since: int = 0
    """When the phase began."""
    started_at: int | None = None
    t: int = 0
    """When the last event was."""
    event_count: int = 0
    seats: tuple[Seat, ...] = ()
    """By their numbers; who leaves before the start leaves a gap."""

    @classmethod
    def fold(cls, events: Iterable[RaceEvent]) -> Self:
        """Return the race after events; raises `RaceError` if one of them cannot happen."""
        race = cls()
        for event in events:
            race = race.after(event)
        return race

    def after(self, event: RaceEvent) -> Self:
        """Return the race after one more event; raises `RaceError` if it cannot happen now."""
        if event.t < self.t:
            raise RaceError("time does not run back: {t} after {last}", t=event.t, last=self.t)
        if self.phase is Phase.OVER:
            raise RaceError("this race is over")
        race = self._change_all(event) if event.verb in _OF_RACE else self._change_seat(event)
        phase = _phase_now(race)
        since = race.since if phase is race.phase else event.t
        count = self.event_count + 1
        return replace(race, phase=phase, since=since, t=event.t, event_count=count)

    def due(self) -> RaceEvent | None:
        """Return what happens by itself next, unless something else happens before; None if over.

        Whatever else happens or does not, these events lead a race to its end.
        """
        if self.phase is Phase.OVER:
            return None
        found = [
            RaceEvent(_gone_at(seat, seat.away_since), RaceVerb.LEAVE, seat.number)
            for seat in self.seats
            if seat.away_since is not None
        ]
        if self.phase is Phase.COUNTDOWN:
            found.append(RaceEvent(self.since + COUNTDOWN_MS, RaceVerb.START))
        else:
            found.append(RaceEvent(self._ends_at(), RaceVerb.END))
        first = min(found, key=lambda event: event.t)
        return replace(first, t=max(first.t, self.t))

    def seat(self, number: int) -> Seat | None:
        """Return the seat with a number; None if nobody has it."""
        return next((seat for seat in self.seats if seat.number == number), None)

    @property
    def free_seat(self) -> int:
        """The number of the next player who joins; raises `RaceError` if all seats are taken."""
        taken = {seat.number for seat in self.seats}
        free = next((number for number in range(MOST_SEATS) if number not in taken), None)
        if free is None:
            raise RaceError("this race is full: {most} players are the most", most=MOST_SEATS)
        return free

    @property
    def is_open(self) -> bool:
        """Whether the race has not begun, so that players come and go."""
        return self.phase in {Phase.LOBBY, Phase.COUNTDOWN}

    @property
    def places(self) -> list[Place]:
        """The result as it stands: who finished by total time, then the others by their seats.

        Equal times share a place.
        """
        done = [seat for seat in self.seats if seat.status is SeatStatus.FINISHED]
        done.sort(key=lambda seat: seat.total_ms)
        totals = [seat.total_ms for seat in done]
        others = [seat for seat in self.seats if seat.status is not SeatStatus.FINISHED]
        return [
            *(Place(totals.index(seat.total_ms) + 1, seat) for seat in done),
            *(Place(None, seat) for seat in others),
        ]

    def _change_all(self, event: RaceEvent) -> Self:
        """Begin, or end because the time is up."""
        if event.verb is RaceVerb.END:
            ended = [replace(seat, status=SeatStatus.LEFT, away_since=None)
                     if seat.is_playing else seat for seat in self.seats]  # fmt: skip
            return replace(self, phase=Phase.OVER, since=event.t, seats=tuple(ended))
        if self.phase is not Phase.COUNTDOWN or event.t < self.since + COUNTDOWN_MS:
            raise RaceError("the countdown is not over")
        racing = [replace(seat, status=SeatStatus.RACING, breaks=0) for seat in self.seats]
        return replace(
            self, phase=Phase.RUNNING, since=event.t, started_at=event.t, seats=tuple(racing)
        )

    def _change_seat(self, event: RaceEvent) -> Self:
        if event.verb is RaceVerb.JOIN:
            return self._with_seat(self._joined(event))
        seat = self.seat(event.seat)
        if seat is None:
            raise RaceError("nobody has seat {seat} of this race", seat=event.seat)
        if event.verb is RaceVerb.LEAVE and self.is_open:
            left = tuple(each for each in self.seats if each is not seat)
            return replace(self, seats=left)
        return self._with_seat(_changed(seat, event))

    def _joined(self, event: RaceEvent) -> Seat:
        """Return the seat of somebody new, whose connection is still to come."""
        if not self.is_open:
            raise RaceError("this race has begun: you can watch it")
        if event.seat != self.free_seat:
            raise RaceError("seat {seat} is not the next one", seat=event.seat)
        return Seat(event.seat, away_since=event.t)

    def _with_seat(self, seat: Seat) -> Self:
        others = [each for each in self.seats if each.number != seat.number]
        return replace(self, seats=tuple(sorted([*others, seat], key=lambda each: each.number)))

    def _ends_at(self) -> int:
        """Return when the time of this race is up."""
        if self.started_at is not None:
            return self.started_at + RACE_MS
        if self.event_count >= MOST_LOBBY_EVENTS:
            return self.t
        return LOBBY_MS if self.seats else self.t


def _phase_now(race: Race) -> Phase:
    """Return the phase that the seats of a race bring about."""
    if race.phase is Phase.RUNNING:
        is_raced = any(seat.status is SeatStatus.RACING for seat in race.seats)
        return Phase.RUNNING if is_raced else Phase.OVER
    if race.phase is Phase.OVER:
        return Phase.OVER
    is_complete = len(race.seats) >= FEWEST_SEATS and all(
        seat.status is SeatStatus.READY and seat.away_since is None for seat in race.seats
    )
    return Phase.COUNTDOWN if is_complete else Phase.LOBBY


def _gone_at(seat: Seat, away_since: int) -> int:
    """Return when somebody who is away has left for good."""
    return away_since if seat.breaks > MOST_BREAKS else away_since + RETURN_MS


_CHANGES: Final = {
    RaceVerb.READY: (SeatStatus.WAITING, SeatStatus.READY),
    RaceVerb.WAIT: (SeatStatus.READY, SeatStatus.WAITING),
    RaceVerb.LEAVE: (SeatStatus.RACING, SeatStatus.LEFT),
    RaceVerb.FINISH: (SeatStatus.RACING, SeatStatus.FINISHED),
    RaceVerb.FAIL: (SeatStatus.RACING, SeatStatus.FAILED),
}
"""What the verbs make of whom."""


def _changed(seat: Seat, event: RaceEvent) -> Seat:
    """Return a seat after something that its player did; raises `RaceError` if it cannot be."""
    if event.verb in {RaceVerb.AWAY, RaceVerb.BACK}:
        return _with_touch(seat, event)
    before, then = _CHANGES[event.verb]
    if seat.status is not before:
        raise RaceError(
            "seat {seat} is {status}, not {needed}",
            seat=seat.number,
            status=seat.status.value,
            needed=before.value,
        )
    changed = replace(seat, status=then, time_ms=event.time_ms, mines=event.mines)
    return changed if changed.is_playing else replace(changed, away_since=None)


def _with_touch(seat: Seat, event: RaceEvent) -> Seat:
    """Return the seat of a player who lost touch, or is back."""
    is_away = event.verb is RaceVerb.AWAY
    if not seat.is_playing or is_away == (seat.away_since is not None):
        raise RaceError("nothing changes for seat {seat}", seat=seat.number)
    away_since = event.t if is_away else None
    return replace(seat, away_since=away_since, breaks=seat.breaks + is_away)
