"""The events of a game as columns of numbers until somebody asks for one.

A replay of ten megabytes has millions of touches, a journal may have as many acts, and nobody looks
at all of them: an object each would cost a hundred times what the file does.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, TypeVar, overload

import numpy as np

from demine.logic.errors import ActError
from demine.logic.event import BUTTONS, MAX_TIME, Act, Action, Lay, Touch, Verb

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Self

    from numpy.typing import NDArray

    from demine.logic.event import Event

_Value = TypeVar("_Value")

KINDS: Final[tuple[tuple[str, Action], ...]] = (
    ("", "move"),
    *((button, "press") for button in BUTTONS),
    *((button, "release") for button in BUTTONS),
)
"""What a touch can be, its button and action; their places here are the kinds of `Touches`."""
_NUMBERS: Final = {kind: number for number, kind in enumerate(KINDS)}
_PART: Final = 4096
"""So many touches are made at a time by who goes through all of them."""
_SET: Final = tuple(vars(Touch)[name].__set__ for name in ("t", "button", "action", "x", "y"))
_SET_ACT: Final = tuple(vars(Act)[name].__set__ for name in ("t", "verb", "row", "col", "player"))
VERBS: Final = tuple(Verb)
"""What an act can be; their places here are the verbs of `Acts`."""
LAY: Final = len(VERBS)
"""The verb of `Acts` that lays the mines."""


@dataclass(frozen=True, slots=True, eq=False)
class Touches:
    """Touches as columns of one length, in order of time; they are not to be changed.

    Raises `ActError` for what no journal could hold.
    """

    t: NDArray[np.int64]
    kind: NDArray[np.uint8]
    """Places in `KINDS`."""
    x: NDArray[np.int64]
    y: NDArray[np.int64]

    def __post_init__(self) -> None:
        for name in ("t", "x", "y"):
            column = getattr(self, name)
            if column.size and not -MAX_TIME <= int(column.min()) <= int(column.max()) <= MAX_TIME:
                raise ActError("{name} is a number beyond any game", name=name)

    @classmethod
    def of(cls, touches: Sequence[Touch]) -> Self:
        """Return touches as columns."""
        rows = [(each.t, _NUMBERS[each.button, each.action], each.x, each.y) for each in touches]
        t, kind, x, y = np.array(rows, np.int64).reshape(-1, 4).T
        return cls(t, kind.astype(np.uint8), x, y)

    def __len__(self) -> int:
        return self.t.size

    def made(self, begin: int, end: int) -> list[Touch]:
        """Return some of them."""
        columns = (self.t, self.kind, self.x, self.y)
        rows = zip(*(column[begin:end].tolist() for column in columns), strict=True)
        # Their constructor would check, one by one, what was checked of all.
        new, (set_t, set_button, set_action, set_x, set_y) = object.__new__, _SET
        found = []
        for t, kind, x, y in rows:
            touch = new(Touch)
            button, action = KINDS[kind]
            set_t(touch, t)
            set_button(touch, button)
            set_action(touch, action)
            set_x(touch, x)
            set_y(touch, y)
            found.append(touch)
        return found

    def scaled(self, cell: int, made: int) -> Touches:
        """Return touches at `made` pixels a cell, which are here at `cell`: in the same cells."""
        return (
            self
            if cell == made
            else replace(self, x=self.x * made // cell, y=self.y * made // cell)
        )

    def joined(self, later: Touches) -> Touches:
        """Return these touches and later ones."""
        return Touches(
            np.concatenate((self.t, later.t)),
            np.concatenate((self.kind, later.kind)),
            np.concatenate((self.x, later.x)),
            np.concatenate((self.y, later.y)),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Acts:
    """Acts and layings of mines as columns of one length; they are not to be changed.

    Whoever makes them sees to it that each is one that a journal could hold.
    """

    t: NDArray[np.int64]
    verb: NDArray[np.uint8]
    """Places in `VERBS`, or `LAY`."""
    row: NDArray[np.int64]
    col: NDArray[np.int64]
    """-1, as the row, where the verb names no cell."""
    lays: Mapping[int, Lay]
    """The layings, by their places among these."""
    players: Mapping[int, str] = field(default_factory=dict)
    """The players of the acts that name one, by their places too."""

    def __len__(self) -> int:
        return self.t.size

    def between(self, begin: int, end: int) -> Acts:
        """Return some of them."""
        cut = slice(begin, end)
        lays, players = between(self.lays, begin, end), between(self.players, begin, end)
        return Acts(self.t[cut], self.verb[cut], self.row[cut], self.col[cut], lays, players)

    def made(self) -> tuple[Act | Lay, ...]:
        """Return all of them."""
        rows = zip(
            *(each.tolist() for each in (self.t, self.verb, self.row, self.col)), strict=True
        )
        verbs = (*VERBS, Verb.UNDO)
        # As with touches: what their constructor would check is known of all.
        new, (set_t, set_verb, set_row, set_col, set_player) = object.__new__, _SET_ACT
        named = self.players.get
        found: list[Act | Lay] = []
        for at, (t, verb, row, col) in enumerate(rows):
            act = new(Act)
            set_t(act, t)
            set_verb(act, verbs[verb])
            set_row(act, row)
            set_col(act, col)
            set_player(act, named(at, ""))
            found.append(act)
        for at, lay in self.lays.items():
            found[at] = lay
        return tuple(found)


def between(by_place: Mapping[int, _Value], begin: int, end: int) -> dict[int, _Value]:
    """Return what stands at some places, by the places among these."""
    return {at - begin: value for at, value in by_place.items() if begin <= at < end}


class EventLog(Sequence["Event"]):
    """Events in order of time. It does not change.

    It equals any other sequence of the same events. Raises `ActError` where time runs back.
    """

    __slots__ = ("_others", "_places", "_touches")

    def __init__(
        self, touches: Touches, others: Sequence[Act | Lay] | Acts, places: NDArray[np.int64]
    ) -> None:
        self._touches = touches
        self._others = others if isinstance(others, Acts) else tuple(others)
        self._places = places
        """Where the others stand among all events."""
        times = self.times
        back = np.flatnonzero(times[1:] < times[:-1])
        if back.size:
            last, t = times[back[0] : back[0] + 2].tolist()
            raise ActError("time cannot run back from {last} to {t} ms", last=last, t=t)

    @classmethod
    def of(cls, events: Sequence[Event]) -> EventLog:
        """Return events as a log."""
        if isinstance(events, EventLog):
            return events
        touches = [event for event in events if isinstance(event, Touch)]
        others = [(at, each) for at, each in enumerate(events) if not isinstance(each, Touch)]
        places = np.array([at for at, _ in others], np.int64)
        return cls(Touches.of(touches), [event for _, event in others], places)

    @property
    def touches(self) -> Touches:
        """The touches."""
        return self._touches

    @property
    def others(self) -> tuple[Act | Lay, ...]:
        """The acts and the layings of mines."""
        if isinstance(self._others, Acts):
            self._others = self._others.made()
        return self._others

    @property
    def places(self) -> NDArray[np.int64]:
        """Where the others stand among all events."""
        return self._places

    @property
    def touch_places(self) -> NDArray[np.int64]:
        """Where the touches stand among all events."""
        free = np.ones(len(self), np.bool_)
        free[self._places] = False
        return np.flatnonzero(free)

    @property
    def named(self) -> bool:
        """Whether any act names its player."""
        if isinstance(self._others, Acts):
            return bool(self._others.players)
        return any(isinstance(each, Act) and each.player for each in self._others)

    @property
    def times(self) -> NDArray[np.int64]:
        """The time of every event."""
        times = np.empty(len(self), np.int64)
        times[self.touch_places] = self._touches.t
        known = self._others
        times[self._places] = known.t if isinstance(known, Acts) else [each.t for each in known]
        return times

    @property
    def last_act_ms(self) -> int:
        """The time of the last act; there has to be one."""
        if isinstance(self._others, Acts):
            return int(self._others.t[self._others.verb != LAY][-1])
        return next(each.t for each in reversed(self._others) if isinstance(each, Act))

    def joined(self, later: Sequence[Event]) -> EventLog:
        """Return these events and later ones."""
        more = EventLog.of(later)
        return EventLog(
            self._touches.joined(more.touches),
            self.others + more.others,
            np.concatenate((self._places, more.places + len(self))),
        )

    def __len__(self) -> int:
        return len(self._touches) + len(self._others)

    @overload
    def __getitem__(self, place: int) -> Event: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[Event]: ...

    def __getitem__(self, place: int | slice) -> Event | Sequence[Event]:
        if isinstance(place, slice):
            begin, end, step = place.indices(len(self))
            if step == 1:
                return tuple(self._between(begin, max(begin, end)))
            return tuple(self[at] for at in range(begin, end, step))
        at = place + len(self) if place < 0 else place
        if not 0 <= at < len(self):
            raise IndexError(place)
        before = bisect_left(self._places, at)
        if before < len(self._others) and self._places[before] == at:
            if isinstance(self._others, Acts):
                return self._others.between(before, before + 1).made()[0]
            return self._others[before]
        return self._touches.made(at - before, at - before + 1)[0]

    def __iter__(self) -> Iterator[Event]:
        return self._between(0, len(self))

    def __reversed__(self) -> Iterator[Event]:
        for end in range(len(self), 0, -_PART):
            yield from reversed(self[max(0, end - _PART) : end])

    def _between(self, begin: int, end: int) -> Iterator[Event]:
        at = begin
        number = bisect_left(self._places, begin)
        while at < end:
            other = number < len(self._others)
            until = min(int(self._places[number]), end) if other else end
            for first in range(at, until, _PART):
                yield from self._touches.made(first - number, min(first + _PART, until) - number)
            if until < end:
                yield self.others[number]
                number += 1
            at = until + 1

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or isinstance(other, str | bytes):
            return NotImplemented
        return len(self) == len(other) and all(map(_same, self, other))

    __hash__ = None  # type: ignore[assignment]  # nor have the lists that it equals

    def __repr__(self) -> str:
        return f"<EventLog of {len(self)} events>"


def _same(one: object, other: object) -> bool:
    return one == other


def others(events: Sequence[Event]) -> Sequence[Act | Lay]:
    """Return the events that are no touches; of a log without a look at these."""
    if isinstance(events, EventLog):
        return events.others
    return [event for event in events if not isinstance(event, Touch)]


def placed(events: Sequence[Event]) -> Iterator[tuple[int, Act | Lay]]:
    """Yield the events that are no touches with their places among all."""
    if isinstance(events, EventLog):
        yield from zip(events.places.tolist(), events.others, strict=True)
        return
    for place, event in enumerate(events):
        if not isinstance(event, Touch):
            yield place, event


def acts(events: Sequence[Event]) -> list[Act]:
    """Return the acts among events."""
    found: list[Any] = [event for event in others(events) if isinstance(event, Act)]
    return found
