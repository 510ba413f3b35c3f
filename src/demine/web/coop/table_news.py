"""What the players of a co-op game are told of each other; docs/protocol.md says what it means."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct


class PlayerOnWire(Struct):
    """A player of a co-op game."""

    seat: int
    name: str
    here: bool
    """Whether the player is connected."""


class Players(Struct):
    """Who plays a co-op game, after that has changed."""

    players: list[PlayerOnWire]


class Pointers(Struct):
    """The pointers that moved: seat, x and y, 16 a cell; -1 and -1 for one that left the board."""

    pointers: list[tuple[int, int, int]]


class Signal(Struct):
    """A cell that somebody wants everybody to look at: seat, row and column."""

    signal: tuple[int, int, int]


class Next(Struct):
    """The co-op game that comes next, and the seat of who made it."""

    next: str
    by: int


TableNews: TypeAlias = Players | Pointers | Signal | Next
