"""What nobody misses in the server's database: boards without any act, players without anything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sqlalchemy import and_, delete, exists, func, select

from demine.web.database.schema import DRILLS, FRIENDSHIPS, GAMES, PLAYERS, UPLOADS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager

    from sqlalchemy import Column, ColumnElement
    from sqlalchemy.engine import Connection

_AT_ONCE: Final = 1000
"""Rows of one batch: deleting them takes some hundredths of a second."""


class Pruned(NamedTuple):
    """How many untouched boards and empty players are deleted, or would be."""

    boards: int = 0
    players: int = 0


class Prunable(NamedTuple):
    """The rows of one table that nobody misses."""

    counted_as: str
    """The field of `Pruned`."""
    key: Column[Any]
    condition: ColumnElement[bool]

    def count(self, connection: Connection) -> int:
        """Return how many there are."""
        found = select(func.count()).select_from(self.key.table).where(self.condition)
        return int(connection.execute(found).scalar_one())

    def batches(
        self, reading: Callable[[], AbstractContextManager[Connection]]
    ) -> Iterator[Sequence[Any]]:
        """Yield the keys of all rows, some at a time, each read on a new connection."""
        statement = select(self.key).where(self.condition).order_by(self.key).limit(_AT_ONCE)
        keys: Sequence[Any] = ()
        while True:
            later = statement.where(self.key > keys[-1]) if keys else statement
            with reading() as connection:
                keys = connection.execute(later).scalars().all()
            if not keys:
                return
            yield keys

    def delete(self, connection: Connection, keys: Sequence[Any]) -> int:
        """Delete the rows with some keys, if nobody misses them still; return how many."""
        table = self.key.table
        return connection.execute(delete(table).where(self.key.in_(keys), self.condition)).rowcount


def prunable_rows(before: str) -> tuple[Prunable, ...]:
    """Return what nobody misses that was last seen or made before a moment, in UTC."""
    untouched = and_(GAMES.c.acts == 0, GAMES.c.seen_at < before)
    return (
        Prunable("boards", GAMES.c.num, untouched),
        Prunable("players", PLAYERS.c.id, _is_empty_since(before, untouched)),
    )


def _is_empty_since(before: str, untouched: ColumnElement[bool]) -> ColumnElement[bool]:
    """Return the condition that a player made before a moment has nothing to lose."""
    player = PLAYERS.c
    return and_(
        player.created_at < before,
        player.name == "",
        player.recovery.is_(None),
        player.banned_at.is_(None),
        ~exists().where(GAMES.c.player == player.id, ~untouched),
        ~exists().where(UPLOADS.c.player == player.id),
        ~exists().where(DRILLS.c.player == player.id),
        ~exists().where(FRIENDSHIPS.c.player == player.id),
    )
