"""What nobody misses in the server's database: old races, boards without any act, empty players."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import and_, delete, exists, func, select

from demine.scene.translation import ntr, tr
from demine.web.database.schema import (
    DRILLS,
    FRIENDSHIPS,
    GAMES,
    PARTNERS,
    PLAYERS,
    RACERS,
    RACES,
    UPLOADS,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    from sqlalchemy import Column, ColumnElement
    from sqlalchemy.engine import Connection

_AT_ONCE: Final = 1000
"""Rows of one batch: deleting them takes some hundredths of a second."""


@dataclass(frozen=True, slots=True)
class Prunable:
    """A kind of rows that nobody misses."""

    name: str
    """What the log of the server calls them."""
    in_words: Callable[[int], str]
    """Says a number of them in the language of whoever prunes."""
    key: Column[Any]
    condition: Callable[[str], ColumnElement[bool]]
    """Returns what is so for those that were last seen or made before a moment, in UTC."""

    def count(self, connection: Connection, before: str) -> int:
        """Return how many there are from before a moment."""
        found = select(func.count()).select_from(self.key.table).where(self.condition(before))
        return int(connection.execute(found).scalar_one())

    def batches(
        self, reading: Callable[[], AbstractContextManager[Connection]], before: str
    ) -> Iterator[Sequence[Any]]:
        """Yield the keys of all rows, some at a time, each read on a new connection."""
        those = self.condition(before)
        statement = select(self.key).where(those).order_by(self.key).limit(_AT_ONCE)
        keys: Sequence[Any] = ()
        while True:
            later = statement.where(self.key > keys[-1]) if keys else statement
            with reading() as connection:
                keys = connection.execute(later).scalars().all()
            if not keys:
                return
            yield keys

    def delete(self, connection: Connection, keys: Sequence[Any], before: str) -> int:
        """Delete the rows with some keys, if nobody misses them still; return how many."""
        those = delete(self.key.table).where(self.key.in_(keys), self.condition(before))
        return connection.execute(those).rowcount


def _is_over_since(before: str) -> ColumnElement[bool]:
    """Return the condition that a race, begun or not, was over before a moment."""
    return RACES.c.over_at < before


def _is_untouched_since(before: str) -> ColumnElement[bool]:
    """Return the condition that nobody has played on a board, nor seen it since a moment."""
    return and_(GAMES.c.acts == 0, GAMES.c.seen_at < before)


def _is_empty_since(before: str) -> ColumnElement[bool]:
    """Return the condition that a player made before a moment has nothing to lose."""
    player = PLAYERS.c
    return and_(
        player.created_at < before,
        player.name == "",
        player.recovery.is_(None),
        player.banned_at.is_(None),
        ~exists().where(GAMES.c.player == player.id, ~_is_untouched_since(before)),
        ~exists().where(PARTNERS.c.player == player.id),
        ~exists().where(UPLOADS.c.player == player.id),
        ~exists().where(DRILLS.c.player == player.id),
        ~exists().where(FRIENDSHIPS.c.player == player.id),
        ~exists().where(RACERS.c.player == player.id),
    )


PRUNABLE: Final = (
    Prunable("races", lambda n: ntr("{n} race that is over", "{n} races that are over", n),
             RACES.c.num, _is_over_since),
    Prunable("boards", lambda n: ntr("{n} untouched board", "{n} untouched boards", n),
             GAMES.c.num, _is_untouched_since),
    Prunable("players", lambda n: ntr("{n} empty player", "{n} empty players", n),
             PLAYERS.c.id, _is_empty_since),
)  # fmt: skip
"""What nobody misses, in the order in which it is deleted: players after all that was theirs."""


def in_words(counts: Mapping[str, int]) -> str:
    """Say numbers of rows, which are given by the names of their kinds."""
    return tr(", ").join(kind.in_words(counts.get(kind.name, 0)) for kind in PRUNABLE)
