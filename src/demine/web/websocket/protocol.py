"""The messages of the socket; docs/protocol.md says what they mean.

One JSON object a text frame. What a server message leaves out has its default.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from demine.web.coop.table_news import PlayerOnWire, TableNews
from demine.web.recent_changes import ChangedCell

PROTOCOL_VERSION: Final = 1
MAX_MESSAGE: Final = 4096
"""Bytes of the longest message that a client may send."""
MAX_NUMBER: Final = 2**53

_Count: TypeAlias = Annotated[int, Meta(ge=0, le=MAX_NUMBER)]
_Ordinal: TypeAlias = Annotated[int, Meta(ge=1, le=MAX_NUMBER)]
CellOnWire: TypeAlias = tuple[_Count, _Count]
MOST_ASSUMED: Final = 256
"""Assumptions of the longest draft that is checked."""
PlayedVerb: TypeAlias = Literal[
    "open", "flag", "question", "chord", "undo", "pause", "resume", "resign"
]


class FromClient(Struct, forbid_unknown_fields=True):
    """What a client says: an act, a question, or a ping; the handler tells which.

    `seq` counts the acts and questions of this client on this game from 1, across connections.
    """

    seq: _Ordinal | UnsetType = UNSET
    t: _Count | UnsetType = UNSET
    verb: PlayedVerb | UnsetType = UNSET
    cell: CellOnWire | UnsetType = UNSET
    ask: Literal["hint", "chances", "may_guess", "clash"] | UnsetType = UNSET
    near: CellOnWire | UnsetType = UNSET
    """Where the player looks: of equally good hints the nearest is given."""
    assumed: list[tuple[_Count, _Count, bool]] = []
    """The draft for `clash`, in its order: row, column, whether it is taken for a mine."""
    seen: _Count | UnsetType = UNSET
    """In a co-op game how many events the player had seen, as `Answer.seq` tells."""
    pointer: tuple[_Count, _Count] | UnsetType | None = UNSET
    """In a co-op game where the pointer is, 16 a cell from the board's corner; None: nowhere."""
    signal: CellOnWire | UnsetType = UNSET
    """In a co-op game a cell that everybody is to look at."""
    ping: _Count | UnsetType = UNSET
    pong: _Count | UnsetType = UNSET


class Refusal(Struct):
    """Why something was not done: a word for programs, a sentence for people."""

    what: str
    message: str


class Message(Struct, omit_defaults=True):
    """The message below the board, as `demine.play.board_message.BoardMessage` has it."""

    kind: str = ""
    headline: str = ""
    text: str = ""
    further: str = ""
    luck: str = ""


class Hello(Struct):
    """The whole state of a game, at the beginning of a connection."""

    v: int
    game: str
    now: int
    """The server's clock in milliseconds, to be sent back at once as `pong`."""
    rules: str
    width: int
    height: int
    mines: int
    level: str
    title: str
    start: tuple[int, int] | None
    seq: int
    next_seq: int
    """The number of this client's next act or question."""
    status: str
    mines_left: int
    clock_ms: int
    can_undo: bool
    unranked: str
    race: str | None
    """The id of the race that the game belongs to."""
    ranked: str | None
    """The day and level of the ranked board that it is played on: "2026-11-27 expert"."""
    message: Message | None
    faces: list[str] | None
    """Rows of one hexadecimal digit a cell (`Face`); None if nothing changed since `since`."""
    cells: list[ChangedCell] | None
    """What changed since `since`, in place of `faces`."""
    seat: int | None = None
    """One's own seat in a co-op game, from 1; None in every other one."""
    players: list[PlayerOnWire] = []
    """Those of a co-op game, by their seats."""
    owners: list[str] | None = None
    """In a co-op game who opened or marked each cell: rows of a digit a cell, 0 for nobody."""
    next: str | None = None
    """The co-op game that the same players play next."""


class HelloMessage(Struct):
    """The first message of a connection."""

    hello: Hello


class Answer(Struct, omit_defaults=True):
    """What an act changed; without `ack` it is news of an act on another connection."""

    seq: int
    """The number of events of the game: what `since` asks about after a lost connection."""
    status: str
    mines_left: int
    clock_ms: int
    can_undo: bool
    unranked: str = ""
    ack: int | None = None
    cells: list[ChangedCell] | None = None
    faces: list[str] | None = None
    title: str | None = None
    message: Message | None = None
    refused: Refusal | None = None
    by: int = 0
    """In a co-op game the seat of who acted."""
    verb: str = ""
    """In a co-op game what that player did."""
    owners: list[str] | None = None
    """As in `Hello`, after an act was undone."""


class Help(Struct, omit_defaults=True):
    """What the solver says; `help` is the number of the question, 0 for what nobody asked."""

    help: int
    kind: str
    """`hint`, `chances`, `may_guess`, `clash`, `judgement` or `luck`."""
    text: str = ""
    marks: list[tuple[int, int, int]] = []
    """Row, column, `Mark`."""
    risks: list[tuple[int, int, int, int]] = []
    """Row, column, percent, and 1 where the risk is shown by its colour alone."""
    refused: Refusal | None = None


class Pong(Struct):
    """The answer to a ping: the client's own number, and `now` as in `Hello`."""

    pong: int
    now: int


class Bye(Struct):
    """Why the server closes the connection."""

    bye: str
    message: str = ""


ToClient: TypeAlias = HelloMessage | Answer | TableNews | Help | Pong | Bye

_DECODER: Final = msgspec.json.Decoder(FromClient)
_ENCODER: Final = msgspec.json.Encoder()


def decode(text: str | bytes) -> FromClient:
    """Read a client's message; raises `msgspec.MsgspecError` with what is wrong."""
    return _DECODER.decode(text)


def encode(message: ToClient) -> str:
    """Return the text frame of a message."""
    return _ENCODER.encode(message).decode()
