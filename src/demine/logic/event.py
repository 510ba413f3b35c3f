"""What happens in a game, as frozen values with text twins.

The text of an event is one line of a journal: a JSON array `[t_ms, verb, ...]`.
"""

from __future__ import annotations

import json
import operator
import re
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final, Literal, Self, SupportsIndex, TypeAlias, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from demine.logic.errors import ActError, JournalError, LayoutError, quoted
from demine.logic.layout import as_bool_array, pack_mine_map, unpack_mine_map

MAX_TIME: Final = 2**53
"""Largest number in an event, times in milliseconds too: every reader of JSON keeps it exactly."""
MAX_PLAYER: Final = 64
"""The longest name of a player, in characters."""


class Verb(StrEnum):
    """What an act does.

    >>> import demine
    >>> demine.Act(0, "open", 4, 4).verb is demine.Verb.OPEN
    True
    """

    OPEN = "open"
    FLAG = "flag"
    """Set a flag on a covered cell, in place of a question mark, or remove it."""
    QUESTION = "question"
    """Set a question mark on a covered cell, in place of a flag, or remove it."""
    CHORD = "chord"
    UNDO = "undo"
    HINT = "hint"
    """Help was shown for a cell; nothing on the board changes."""
    PAUSE = "pause"
    RESUME = "resume"
    RESIGN = "resign"


VerbName: TypeAlias = Literal[
    "open", "flag", "question", "chord", "undo", "hint", "pause", "resume", "resign"
]
"""The text of a verb, which does as well."""

_VERBS: Final = frozenset(Verb)
BOARD_VERBS: Final = frozenset({Verb.OPEN, Verb.FLAG, Verb.QUESTION, Verb.CHORD})
"""The verbs that change a board, and can be undone."""
CELL_VERBS: Final = BOARD_VERBS | {Verb.HINT}
"""The verbs that name a cell."""

Action: TypeAlias = Literal["press", "release", "move"]
ACTIONS: Final[tuple[Action, ...]] = ("press", "release", "move")
BUTTONS: Final = ("left", "middle", "right", "shift+left", "ctrl+left")


def _verb(text: object) -> Verb:
    if isinstance(text, str) and text in _VERBS:
        return Verb(text)
    unknown = ActError(
        "{text} is not a verb: use {verbs}", text=quoted(text), verbs=", ".join(Verb)
    )
    raise unknown.with_suggestion(text, Verb)


def _checked_int(name: str, value: SupportsIndex) -> int:
    """Return a field as a plain integer: a `uint8` row would wrap around when multiplied."""
    if type(value) is not int:
        try:
            value = int(operator.index(value))  # True is an index too
        except TypeError:
            raise ActError(
                "{name} must be a whole number, not {value}", name=name, value=quoted(value)
            ) from None
    if not -MAX_TIME <= value <= MAX_TIME:
        raise ActError("{name} is too large for a game", name=name)
    return value


class _JournalLine:
    """An event, whose text is a line of a journal."""

    __slots__ = ()

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the event of this kind that `str` wrote; raises `JournalError` for other text."""
        event = parse_event(text)
        if not isinstance(event, cls):
            raise _unreadable(text)
        return event


@dataclass(frozen=True, slots=True, repr=False)
class Act(_JournalLine):
    """A player's act: a verb at a time in ms, on a cell if the verb needs one.

    `player` is the name of who did it, if several play on one board; no rule reads it. Raises
    `ActError` for what no journal could hold; whether the act is allowed is for a game to decide.

    >>> import demine
    >>> act = demine.Act(1200, "flag", 0, 3)
    >>> act.verb, act.row, str(act)
    (<Verb.FLAG: 'flag'>, 0, '[1200,"flag",0,3]')
    >>> demine.Act.parse('[1200,"flag",0,3]') == act
    True
    """

    t: int
    verb: Verb
    row: int = -1
    col: int = -1
    player: str = field(default="", kw_only=True)
    """1 to 64 printable characters; empty if nobody is named."""

    def __init__(
        self,
        t: SupportsIndex,
        verb: Verb | VerbName,
        row: SupportsIndex = -1,
        col: SupportsIndex = -1,
        *,
        player: str = "",
    ) -> None:
        keep = object.__setattr__
        keep(self, "verb", verb if type(verb) is Verb else _verb(verb))
        for name, value in (("t", t), ("row", row), ("col", col)):
            # Looked at here first: every click makes acts and touches, and a call is dear.
            fits = type(value) is int and -MAX_TIME <= value <= MAX_TIME
            keep(self, name, value if fits else _checked_int(name, value))
        keep(self, "player", player)
        if self.verb not in CELL_VERBS and (self.row != -1 or self.col != -1):
            raise ActError("{verb} takes no cell", verb=self.verb)
        if player != "" and not is_valid_player_name(player):
            raise ActError("{text} is not a player's name", text=ascii(player)[:80])

    def __str__(self) -> str:
        cell = f",{self.row},{self.col}" if self.verb in CELL_VERBS else ""
        player = f",{json.dumps(self.player, ensure_ascii=False)}" if self.player else ""
        return f'[{self.t},"{self.verb}"{cell}{player}]'

    def __repr__(self) -> str:
        cell = f", {self.row}, {self.col}" if self.verb in CELL_VERBS else ""
        player = f", player={self.player!r}" if self.player else ""
        return f"Act({self.t}, {self.verb.value!r}{cell}{player})"


def is_valid_player_name(name: object) -> bool:
    """Return whether this can be the name of a player: 1 to 64 printable characters."""
    return isinstance(name, str) and 0 < len(name) <= MAX_PLAYER and name.isprintable()


def _is_touch(action: object, button: object) -> bool:
    if not (isinstance(action, str) and isinstance(button, str)):
        return False
    return action in ACTIONS and button in (("",) if action == "move" else BUTTONS)


@dataclass(frozen=True, slots=True)
class Touch(_JournalLine):
    """A press, release or move of the mouse, recorded as evidence: no rule reads it.

    `x` and `y` are pixels from the board's top left corner, at `Game.cell_px` pixels a cell
    whatever the zoom was. `button` is empty for a move. Raises `ActError` for what no journal
    could hold.

    >>> import demine
    >>> print(demine.Touch(850, "left", "press", 40, 72))
    [850,"press","left",40,72]
    """

    t: int
    button: str
    action: Action
    x: int
    y: int

    def __post_init__(self) -> None:
        for name, value in (("t", self.t), ("x", self.x), ("y", self.y)):
            # Looked at here first, as in an act.
            if type(value) is not int or not -MAX_TIME <= value <= MAX_TIME:
                object.__setattr__(self, name, _checked_int(name, value))
        if not _is_touch(self.action, self.button):
            raise ActError(
                "{action} with button {button} is not a touch",
                action=quoted(self.action),
                button=quoted(self.button),
            )

    def __str__(self) -> str:
        if self.action == "move":
            return f'[{self.t},"move",{self.x},{self.y}]'
        return f'[{self.t},"{self.action}","{self.button}",{self.x},{self.y}]'


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Lay(_JournalLine):
    r"""The laying of the mines. The whole mine map is stored, since a seed alone does not fix it.

    >>> import demine
    >>> rules, mine_map = demine.parse_layout("4x1/1\n...*")
    >>> game = demine.Game(rules, 0)
    >>> game.lay(demine.Lay(0, mine_map))
    >>> game.open(0, 0)
    <Status.WON: 'won'>
    """

    t: int
    mine_map: NDArray[np.bool_]

    def __post_init__(self) -> None:
        object.__setattr__(self, "t", _checked_int("t", self.t))
        mines = as_bool_array(self.mine_map)
        if mines.ndim != 2 or not mines.size:
            raise LayoutError(
                "a mine map has rows and columns, not shape {shape}", shape=mines.shape
            )
        object.__setattr__(self, "mine_map", mines)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Lay):
            return NotImplemented
        return self.t == other.t and np.array_equal(self.mine_map, other.mine_map)

    def __hash__(self) -> int:
        return hash((self.t, self.mine_map.shape, self.mine_map.tobytes()))

    def __str__(self) -> str:
        height, width = self.mine_map.shape
        return f'[{self.t},"lay","{width}x{height}:{pack_mine_map(self.mine_map)}"]'

    def __repr__(self) -> str:
        return f"Lay.parse({str(self)!r})"


Event: TypeAlias = Act | Touch | Lay
"""What a game is made of."""
AnyEvent = TypeVar("AnyEvent", bound="Act | Touch | Lay")


def shifted_in_time(event: AnyEvent, shift_ms: int) -> AnyEvent:
    """Return the event moved `shift_ms` milliseconds later."""
    return replace(event, t=event.t + shift_ms) if shift_ms else event


def parse_event(text: str) -> Event:
    """Parse one journal line; raises `JournalError` quoting what could not be read."""
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError):
        raise _unreadable(text) from None
    if not isinstance(fields, list) or len(fields) < 2 or not isinstance(fields[1], str):
        raise _unreadable(text)
    t, verb, *rest = fields
    if not _is_int(t):
        raise _unreadable(text)
    event = _parse_fields(t, verb, rest)
    if event is None:
        raise _unreadable(text)
    return event


def check_has_no_player(event: Event) -> None:
    """Raise `JournalError` if an event names a player, which version 1 does not allow."""
    if isinstance(event, Act) and event.player:
        raise JournalError("only journals of version 2 name the player of an act")


def _parse_fields(t: int, verb: str, rest: list[object]) -> Event | None:
    if verb == "lay":
        return _parse_lay(t, rest)
    if verb in ACTIONS:
        return _parse_touch(t, verb, rest)
    try:
        known = Verb(verb)
    except ValueError:
        return None
    places = 2 if known in CELL_VERBS else 0
    cell, player = rest[:places], rest[places:]
    if len(cell) != places or not all(map(_is_int, cell)):
        return None
    if len(player) > 1 or not all(map(is_valid_player_name, player)):
        return None
    row, col = cast(list[int], cell) if cell else (-1, -1)
    return Act(t, known, row, col, player=str(player[0]) if player else "")


def _parse_touch(t: int, action: Action, rest: list[object]) -> Touch | None:
    button = rest.pop(0) if action != "move" and rest else ""
    if action != "move" and button not in BUTTONS:
        return None
    if len(rest) != 2 or not all(map(_is_int, rest)):
        return None
    x, y = cast(list[int], rest)
    return Touch(t, cast(str, button), action, x, y)


def _parse_lay(t: int, rest: list[object]) -> Lay | None:
    if len(rest) != 1 or not isinstance(rest[0], str):
        return None
    match = re.fullmatch(r"([1-9]\d{0,8})x([1-9]\d{0,8}):([\w-]*)", rest[0], re.ASCII)
    if match is None:
        return None
    width, height = int(match[1]), int(match[2])
    return Lay(t, unpack_mine_map(match[3], height, width))


def _is_int(value: object) -> bool:
    # A JSON true is a Python int; a journal's is not.
    return type(value) is int and -MAX_TIME <= value <= MAX_TIME


def _unreadable(text: str) -> JournalError:
    return JournalError("{text!r} is not an event", text=text[:80])
