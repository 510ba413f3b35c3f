"""The history of ended games: filtered, sorted, and read a page at a time."""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

from demine.store import game_rows, schema

if TYPE_CHECKING:
    from demine.store.game_rows import GameRow, State
    from demine.store.self_replacing_database import Database

Column: TypeAlias = Literal[
    "ended", "rules", "result", "time", "bv", "bv_s", "ioe", "clicks", "acts", "note"
]
COLUMNS: Final[tuple[Column, ...]] = get_args(Column)

STATISTIC_COLUMNS: Final = frozenset({"bv", "bv_s", "ioe", "clicks"})
"""The columns in which a game may have no value; such a game is sorted last."""
_AFTER_ALL: Final = "~"
"""After every date."""
_SORTED_BY: Final = {
    "rules": ("length(rules)", "rules"),
    "result": ("status",),
    "time": ("time_ms",),
    "bv": ("bv",),
    "bv_s": ("bv_s",),
    "ioe": ("ioe",),
    "clicks": ("clicks",),
    "acts": ("acts",),
    "note": ("unranked",),
}


@dataclass(frozen=True, slots=True)
class SearchTerm:
    """One search term: a text in a game's rules or local date, or in the words of the screen.

    The screen has words of its own for a game (a level's name, "won"); `rules`, `states` and
    `reasons` are the stored values whose words contain this text.
    """

    text: str
    rules: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HistoryFilter:
    """A filter of ended games: a game must fit every field that is given, and every term.

    `reasons` are allowed values of `GameRow.unranked`. The game must have ended from `since` on and
    before `until` (ISO texts, UTC).
    """

    rules: str | None = None
    status: State | None = None
    ranked: bool | None = None
    terms: tuple[SearchTerm, ...] = ()
    reasons: tuple[str, ...] = ()
    since: str | None = None
    until: str | None = None


class History:
    """The games that matched when it was made: their number, and any page of them.

    In the order of their ends a page is read by an index, in the same time however many there are;
    in another order the row numbers of all are kept, eight bytes a game.
    """

    def __init__(
        self, database: Database, wanted: HistoryFilter, column: Column, *, descending: bool
    ) -> None:
        self._database = database
        self._order: _ByEnd | _ByNumbers = database.read_verified(
            lambda connection: (
                _ByEnd(connection, wanted, descending=descending)
                if column == "ended"
                else _ByNumbers(connection, wanted, column, descending=descending)
            )
        )

    def __len__(self) -> int:
        return self._order.count

    def game_ids(self) -> tuple[str, ...]:
        """Return the ids of all these games, in order; without those deleted since."""
        return tuple(self._database.read_verified(self._order.ids))

    def page(self, first: int, count: int) -> tuple[GameRow | None, ...]:
        """Return `count` games from index `first` on; None for one deleted since."""
        count = max(0, min(count, len(self) - first))
        found = self._database.read_verified(
            lambda connection: self._order.rows(connection, first, count)
        )
        return (*found, *(None,) * (count - len(found)))


class _ByNumbers:
    """The matching games in any order, by their row numbers."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        wanted: HistoryFilter,
        column: Column,
        *,
        descending: bool,
    ) -> None:
        where, values = _where_clause(wanted)
        way = " DESC" if descending else ""
        # Games that are equal in the column follow their dates, the newest first.
        keys = [f"{key}{way}" for key in _SORTED_BY[column]]
        table = "games"
        if column in STATISTIC_COLUMNS:
            keys.insert(0, f"{column} IS NULL")
            table = "games LEFT JOIN figures USING (num)"
        order = ", ".join([*keys, "ended_at DESC", "id"])
        sql = f"SELECT num FROM {table} WHERE {where} ORDER BY {order}"  # noqa: S608 (no value in it)
        self._nums = array("q", (num for (num,) in connection.execute(sql, values)))
        self.count = len(self._nums)

    def ids(self, connection: sqlite3.Connection) -> list[str]:
        found = dict(connection.execute("SELECT num, id FROM games").fetchall())
        return [found[num] for num in self._nums if num in found]

    def rows(
        self, connection: sqlite3.Connection, first: int, count: int
    ) -> Sequence[GameRow | None]:
        nums = self._nums[first : first + count].tolist()
        found = _rows_by_number(connection, nums)
        return [found.get(num) for num in nums]


class _ByEnd:
    """The matching games in the order of their ends, read by an index."""

    def __init__(
        self, connection: sqlite3.Connection, wanted: HistoryFilter, *, descending: bool
    ) -> None:
        self._wanted = wanted
        self._where, self._values = _where_clause(wanted)
        self._descending = descending
        (self._last_end,) = _last_ended(connection) or (("", ""),)
        self._ended = self._count_ended(connection)
        (newest,) = self._keys(connection, "", (), 1, descending=True) or (("", ""),)
        # Games that end later are no part of it.
        self._where += " AND (ended_at, id) <= (?, ?)"
        self._values += newest
        self.count = self._present = self._count(connection)
        self._first_key = ("", "") if not descending else (_AFTER_ALL, "")
        self._key_before = {0: self._first_key}
        """By the index of a game, the end and id of the one before, with which a page ended."""

    def _count(self, connection: sqlite3.Connection) -> int:
        """Return how many games match: from the running sums if only rules are asked for."""
        wanted = self._wanted
        if wanted in (HistoryFilter(), HistoryFilter(rules=wanted.rules)):
            return self._count_ended(connection, wanted.rules)
        sql = f"SELECT count(*) FROM games WHERE {self._where}"  # noqa: S608 (no value in it)
        (count,) = connection.execute(sql, self._values).fetchone()
        return int(count)

    def _count_ended(self, connection: sqlite3.Connection, rules: str | None = None) -> int:
        """Return how many games had ended when this was made, with these rules if any are given."""
        condition = f"{schema.HAS_ENDED} AND (ended_at, id) > (?2, ?3)"
        (count,) = connection.execute(
            "SELECT (SELECT coalesce(sum(ended), 0) FROM sums WHERE ?1 IS NULL OR rules = ?1)"  # noqa: S608 (no value in it)
            f" - (SELECT count(*) FROM games INDEXED BY games_ended WHERE {condition}"
            " AND (?1 IS NULL OR rules = ?1))",
            (rules, *self._last_end),
        ).fetchone()
        return int(count)

    def _follow_changes(self, connection: sqlite3.Connection) -> None:
        """Count again if games were deleted, or came in between: the others close up."""
        ended = self._count_ended(connection)
        if ended != self._ended:
            self._ended, self._present = ended, self._count(connection)
            self._key_before = {0: self._first_key}

    def ids(self, connection: sqlite3.Connection) -> list[str]:
        found = self._keys(connection, "", (), self.count, descending=self._descending)
        return [game_id for _, game_id in found]

    def rows(self, connection: sqlite3.Connection, first: int, count: int) -> Sequence[GameRow]:
        self._follow_changes(connection)
        keys = self._page_keys(connection, first, min(count, self._present - first))
        if keys:
            self._key_before[first + len(keys)] = keys[-1]
        ids = [game_id for _, game_id in keys]
        tail = f"WHERE id IN ({_placeholders(ids)})"
        found = {row.id: row for row in game_rows.select_games(connection, tail, ids)}
        return [found[game_id] for game_id in ids]

    def _page_keys(
        self, connection: sqlite3.Connection, first: int, count: int
    ) -> list[tuple[str, str]]:
        """Return end and id of the games of a page, from where a page ended or the nearer end."""
        if count <= 0:
            return []
        if first in self._key_before:
            after = f"AND (ended_at, id) {'<' if self._descending else '>'} (?, ?)"
            key = self._key_before[first]
            return self._keys(connection, after, key, count, descending=self._descending)
        if first <= self._present // 2:
            skipped = (count, first)
            return self._keys(connection, "", (), *skipped, descending=self._descending)
        skipped = (count, self._present - first - count)
        return self._keys(connection, "", (), *skipped, descending=not self._descending)[::-1]

    def _keys(
        self,
        connection: sqlite3.Connection,
        condition: str,
        values: Sequence[object],
        count: int,
        offset: int = 0,
        *,
        descending: bool,
    ) -> list[tuple[str, str]]:
        way = " DESC" if descending else ""
        return connection.execute(
            f"SELECT ended_at, id FROM games WHERE {self._where} {condition}"  # noqa: S608 (no value in it)
            f" ORDER BY ended_at{way}, id{way} LIMIT ? OFFSET ?",
            (*self._values, *values, count, offset),
        ).fetchall()


def _last_ended(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    """Return end and id of the game that ended last, if there is one."""
    return connection.execute(
        f"SELECT ended_at, id FROM games WHERE {schema.HAS_ENDED}"  # noqa: S608 (no value in it)
        " ORDER BY ended_at DESC, id DESC LIMIT 1"
    ).fetchall()


def _where_clause(wanted: HistoryFilter) -> tuple[str, list[object]]:
    parts, values = [schema.HAS_ENDED], list[object]()
    for name, value in (("rules", wanted.rules), ("status", wanted.status)):
        if value is not None:
            parts.append(f"{name} = ?")
            values.append(value)
    if wanted.ranked is not None:
        parts.append("unranked = ''" if wanted.ranked else "unranked <> ''")
    if wanted.reasons:
        parts.append(f"unranked IN ({_placeholders(wanted.reasons)})")
        values += wanted.reasons
    for sign, moment in ((">=", wanted.since), ("<", wanted.until)):
        if moment is not None:
            parts.append(f"ended_at {sign} ?")
            values.append(moment)
    for term in wanted.terms:
        part, found = _term_clause(term)
        parts.append(f"({part})")
        values += found
    return " AND ".join(parts), values


def _term_clause(term: SearchTerm) -> tuple[str, list[object]]:
    local = "strftime('%Y-%m-%d %H:%M', ended_at, 'localtime')"
    parts, values = ["instr(rules, ?)", f"instr({local}, ?)"], list[object]([term.text] * 2)
    for name, words in (
        ("rules", term.rules),
        ("status", term.states),
        ("unranked", term.reasons),
    ):
        if words:
            parts.append(f"{name} IN ({_placeholders(words)})")
            values += words
    return " OR ".join(parts), values


def _rows_by_number(connection: sqlite3.Connection, nums: Sequence[int]) -> dict[int, GameRow]:
    if not nums:
        return {}
    tail = f"WHERE num IN ({_placeholders(nums)})"
    found = {row.id: row for row in game_rows.select_games(connection, tail, nums)}
    ids = connection.execute(f"SELECT num, id FROM games {tail}", nums)  # noqa: S608
    return {num: found[game_id] for num, game_id in ids if game_id in found}


def _placeholders(values: Iterable[object]) -> str:
    return ", ".join("?" for _ in values)
