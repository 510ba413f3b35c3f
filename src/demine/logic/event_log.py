"""The events of a game as columns of numbers, turned into objects only on demand.

A replay of ten megabytes has millions of touches, a journal may have as many acts, and nobody looks
at all of them: an object for each would take a hundred times the memory of the file.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, Final, TypeVar, overload

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
"""Every button and action of a touch; `Touches.kind` holds indices of this."""
_NUMBERS: Final = {kind: number for number, kind in enumerate(KINDS)}
_PART: Final = 4096
"""How many touches are turned into objects at a time while iterating."""
_SET: Final = tuple(vars(Touch)[name].__set__ for name in ("t", "button", "action", "x", "y"))
_SET_ACT: Final = tuple(vars(Act)[name].__set__ for name in ("t", "verb", "row", "col", "player"))
VERBS: Final = tuple(Verb)
"""Every verb; `Acts.verb` holds indices of this."""
LAY: Final = len(VERBS)
"""The number in `Acts.verb` of a laying of mines."""


@dataclass(frozen=True, slots=True, eq=False)
class Touches:
    """Touches as columns of one length, in order of time; they must not be changed.

    Raises `ActError` for numbers that no journal could hold.
    """

    t: NDArray[np.int64]
    kind: NDArray[np.uint8]
    """Indices of `KINDS`."""
    x: NDArray[np.int64]
    y: NDArray[np.int64]

    def __post_init__(self) -> None:
        for name in ("t", "x", "y"):
            column = getattr(self, name)
            if column.size and not -MAX_TIME <= int(column.min()) <= int(column.max()) <= MAX_TIME:
                raise ActError("{name} is too large for a game", name=name)

    @classmethod
    def of(cls, touches: Sequence[Touch]) -> Self:
        """Return `Touch` objects as columns."""
        rows = [(each.t, _NUMBERS[each.button, each.action], each.x, each.y) for each in touches]
        t, kind, x, y = np.array(rows, np.int64).reshape(-1, 4).T
        return cls(t, kind.astype(np.uint8), x, y)

    def __len__(self) -> int:
        return self.t.size

    def to_objects(self, begin: int, end: int) -> list[Touch]:
        """Return the touches from index `begin` up to but not including `end`, as objects."""
        columns = (self.t, self.kind, self.x, self.y)
        rows = zip(*(column[begin:end].tolist() for column in columns), strict=True)
        # The constructor would check each one again.
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

    def scaled(self, from_cell_px: int, to_cell_px: int) -> Touches:
        """Return the touches rescaled from one cell size to another; each stays in its cell."""
        if from_cell_px == to_cell_px:
            return self
        x, y = (points * to_cell_px // from_cell_px for points in (self.x, self.y))
        return replace(self, x=x, y=y)

    def extended(self, later: Touches) -> Touches:
        """Return these touches followed by later ones."""
        return Touches(
            np.concatenate((self.t, later.t)),
            np.concatenate((self.kind, later.kind)),
            np.concatenate((self.x, later.x)),
            np.concatenate((self.y, later.y)),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Acts:
    """Acts and layings of mines as columns of one length; they must not be changed.

    The caller makes sure that a journal could hold each of them.
    """

    t: NDArray[np.int64]
    verb: NDArray[np.uint8]
    """Indices of `VERBS`, or `LAY`."""
    row: NDArray[np.int64]
    col: NDArray[np.int64]
    """Row and column are -1 where the verb names no cell."""
    lays: Mapping[int, Lay]
    """The layings, by their indices."""
    players: Mapping[int, str] = field(default_factory=dict)
    """The players of the acts that name one, by their indices."""

    def __len__(self) -> int:
        return self.t.size

    def sliced(self, begin: int, end: int) -> Acts:
        """Return the acts from index `begin` up to but not including `end`."""
        cut = slice(begin, end)
        lays, players = (
            slice_by_index(self.lays, begin, end),
            slice_by_index(self.players, begin, end),
        )
        return Acts(self.t[cut], self.verb[cut], self.row[cut], self.col[cut], lays, players)

    def to_objects(self) -> tuple[Act | Lay, ...]:
        """Return all of them as objects."""
        rows = zip(
            *(each.tolist() for each in (self.t, self.verb, self.row, self.col)), strict=True
        )
        verbs = (*VERBS, Verb.UNDO)
        # As with touches, the constructor would check each one again.
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


def slice_by_index(
    values_by_index: Mapping[int, _Value], begin: int, end: int
) -> dict[int, _Value]:
    """Return the values with indices from `begin` up to but not including `end`, less `begin`."""
    return {at - begin: value for at, value in values_by_index.items() if begin <= at < end}


class EventLog(Sequence["Event"]):
    """An immutable sequence of events in order of time.

    It equals any other sequence of the same events. Raises `ActError` if time runs back.
    """

    __slots__ = ("_indices", "_non_touches", "_touches")

    def __init__(
        self,
        touches: Touches,
        non_touches: Sequence[Act | Lay] | Acts,
        non_touch_indices: NDArray[np.int64],
    ) -> None:
        self._touches = touches
        self._non_touches = non_touches if isinstance(non_touches, Acts) else tuple(non_touches)
        self._indices = non_touch_indices
        times = self.times_ms
        back = np.flatnonzero(times[1:] < times[:-1])
        if back.size:
            last, t = times[back[0] : back[0] + 2].tolist()
            raise ActError("time cannot run backwards from {last} to {t} ms", last=last, t=t)

    @classmethod
    def of(cls, events: Sequence[Event]) -> EventLog:
        """Return events as a log; a log is returned unchanged."""
        if isinstance(events, EventLog):
            return events
        touches = [event for event in events if isinstance(event, Touch)]
        non_touches = [(at, each) for at, each in enumerate(events) if not isinstance(each, Touch)]
        places = np.array([at for at, _ in non_touches], np.int64)
        return cls(Touches.of(touches), [event for _, event in non_touches], places)

    @property
    def touches(self) -> Touches:
        """The touches."""
        return self._touches

    @property
    def non_touches(self) -> tuple[Act | Lay, ...]:
        """The acts and the layings of mines."""
        if isinstance(self._non_touches, Acts):
            self._non_touches = self._non_touches.to_objects()
        return self._non_touches

    @property
    def non_touch_indices(self) -> NDArray[np.int64]:
        """The indices, among all events, of those that are not touches."""
        return self._indices

    @property
    def touch_indices(self) -> NDArray[np.int64]:
        """The indices of the touches among all events."""
        free = np.ones(len(self), np.bool_)
        free[self._indices] = False
        return np.flatnonzero(free)

    @property
    def names_players(self) -> bool:
        """Whether any act names its player."""
        if isinstance(self._non_touches, Acts):
            return bool(self._non_touches.players)
        return any(isinstance(each, Act) and each.player for each in self._non_touches)

    @property
    def times_ms(self) -> NDArray[np.int64]:
        """The time of every event in ms."""
        times = np.empty(len(self), np.int64)
        times[self.touch_indices] = self._touches.t
        known = self._non_touches
        times[self._indices] = known.t if isinstance(known, Acts) else [each.t for each in known]
        return times

    @property
    def act_count(self) -> int:
        """How many acts there are; no objects are made of them."""
        known = self._non_touches
        lays = (
            len(known.lays)
            if isinstance(known, Acts)
            else sum(isinstance(each, Lay) for each in known)
        )
        return len(known) - lays

    @property
    def last_act_ms(self) -> int:
        """The time of the last act; there must be one."""
        if isinstance(self._non_touches, Acts):
            return int(self._non_touches.t[self._non_touches.verb != LAY][-1])
        return next(each.t for each in reversed(self._non_touches) if isinstance(each, Act))

    def extended(self, later: Sequence[Event]) -> EventLog:
        """Return these events followed by later ones."""
        more = EventLog.of(later)
        return EventLog(
            self._touches.extended(more.touches),
            self.non_touches + more.non_touches,
            np.concatenate((self._indices, more.non_touch_indices + len(self))),
        )

    def __len__(self) -> int:
        return len(self._touches) + len(self._non_touches)

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
        before = bisect_left(self._indices, at)
        if before < len(self._non_touches) and self._indices[before] == at:
            if isinstance(self._non_touches, Acts):
                return self._non_touches.sliced(before, before + 1).to_objects()[0]
            return self._non_touches[before]
        return self._touches.to_objects(at - before, at - before + 1)[0]

    def __iter__(self) -> Iterator[Event]:
        return self._between(0, len(self))

    def __reversed__(self) -> Iterator[Event]:
        for end in range(len(self), 0, -_PART):
            yield from reversed(self[max(0, end - _PART) : end])

    def _between(self, begin: int, end: int) -> Iterator[Event]:
        at = begin
        number = bisect_left(self._indices, begin)
        while at < end:
            other = number < len(self._non_touches)
            until = min(int(self._indices[number]), end) if other else end
            for first in range(at, until, _PART):
                yield from self._touches.to_objects(
                    first - number, min(first + _PART, until) - number
                )
            if until < end:
                yield self.non_touches[number]
                number += 1
            at = until + 1

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or isinstance(other, str | bytes):
            return NotImplemented
        return len(self) == len(other) and all(map(_same, self, other))

    __hash__: ClassVar[None] = None  # type: ignore[assignment]  # it equals lists, which have none

    def __repr__(self) -> str:
        return f"<EventLog of {len(self)} events>"


def _same(one: object, other: object) -> bool:
    return one == other


def non_touches(events: Sequence[Event]) -> Sequence[Act | Lay]:
    """Return the events that are not touches; in a log the touches are not looked at."""
    if isinstance(events, EventLog):
        return events.non_touches
    return [event for event in events if not isinstance(event, Touch)]


def indexed_non_touches(events: Sequence[Event]) -> Iterator[tuple[int, Act | Lay]]:
    """Yield the events that are not touches, each with its index among all events."""
    if isinstance(events, EventLog):
        yield from zip(events.non_touch_indices.tolist(), events.non_touches, strict=True)
        return
    for place, event in enumerate(events):
        if not isinstance(event, Touch):
            yield place, event


def acts(events: Sequence[Event]) -> list[Act]:
    """Return only the acts among events."""
    found: list[Any] = [event for event in non_touches(events) if isinstance(event, Act)]
    return found
