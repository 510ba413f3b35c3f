"""What the processes of a server tell each other, as PostgreSQL carries it (`NOTIFY`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

import msgspec
from msgspec import Struct
from sqlalchemy import func, select

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection

CHANNEL: Final = "demine"
"""What all processes listen to."""


class PlayerErased(Struct, frozen=True, tag="erased"):
    """A player was deleted."""

    player: str


class PlayerRenamed(Struct, frozen=True, tag="renamed"):
    """A player has another name."""

    player: str
    name: str


class OverlayEnded(Struct, frozen=True, tag="overlay"):
    """The overlay of a player shows nothing any more."""

    player: str


class GamePlayed(Struct, frozen=True, tag="played"):
    """A player plays another game from now on."""

    player: str


class BoardsWanted(Struct, frozen=True, tag="boards"):
    """Somebody waits for the ranked boards of today."""


News: TypeAlias = PlayerErased | PlayerRenamed | OverlayEnded | GamePlayed | BoardsWanted


class Envelope(Struct, frozen=True):
    """A piece of news, and the number of the process that tells it."""

    by: int
    news: News


_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(Envelope)


def send_news(connection: Connection, by: int, news: News) -> None:
    """Tell all others once the transaction is committed; a text may have 8,000 bytes."""
    text = _ENCODER.encode(Envelope(by, news)).decode()
    connection.execute(select(func.pg_notify(CHANNEL, text)))


def decode_news(text: str) -> Envelope | None:
    """Return what was told; None for what an older or newer version of the program tells."""
    try:
        return _DECODER.decode(text)
    except msgspec.MsgspecError:
        return None
