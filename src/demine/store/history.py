"""The history of ended games: filtered, sorted, and read a page at a time."""

from __future__ import annotations

import re
import sqlite3
from array import array
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import islice
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias, get_args

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
SORTED_BY: Final = {
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
"""The columns of the table of games, or SQL of them, that each column of the history is sorted by,
but for the ends."""
_LISTED: Final = {
    "rules": ("rules", "games_ended_by_rules"),
    "result": ("status", "games_ended"),
    "note": ("unranked", "games_ended"),
}
"""The columns of few values, and the index by which the games of one are read."""
_NEWEST_FIRST: Final = "ended_at DESC, id DESC"
"""The order of games that are equal in a column."""
_OLDEST_FIRST: Final = "ended_at, id"
SORTED_AT_ONCE: Final = 20_000
"""So many games are sorted in some tens of milliseconds."""
_Value: TypeAlias = "tuple[object, ...]"
"""A value of a column, alone in a tuple: it may be None."""


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

    A page is read by an index, in about the same time however many games there are. Of those that
    were deleted since, the others close up. Few games are sorted at once, and their row numbers
    kept.
    """

    def __init__(
        self, database: Database, wanted: HistoryFilter, column: Column, *, descending: bool
    ) -> None:
        self._database = database
        self._order = database.read_verified(
            lambda connection: _order(connection, wanted, column, descending=descending)
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


def _order(
    connection: sqlite3.Connection, wanted: HistoryFilter, column: Column, *, descending: bool
) -> _ByEnd | _ByValue | _ByNumbers:
    """Return the matching games in the order of a column, in the form that is read fastest."""
    matching = MatchingGames(connection, wanted)
    if column == "ended":
        return _ByEnd(matching, descending=descending)
    if matching.count <= SORTED_AT_ONCE:
        return _ByNumbers(connection, matching, column, descending=descending)
    return _ByValue(connection, matching, column, descending=descending)


class MatchingGames:
    """The ended games that fit a filter and had ended when this was made, as SQL and counted.

    `count` is how many they were, `present` how many of them are left.
    """

    def __init__(self, connection: sqlite3.Connection, wanted: HistoryFilter) -> None:
        self.wanted = wanted
        self._fits, self._values = _where_clause(wanted)
        (self.last_end,) = _last_ended(connection) or (("", ""),)
        self.had_ended = f"{schema.HAS_ENDED} AND (ended_at, id) <= (?, ?)"
        self._ended = self._count_ended(connection)
        self.count = self.present = self.count_with(connection)

    def where(self, connection: sqlite3.Connection) -> tuple[str, list[object]]:
        """Return the condition of a matching game and its values, for this transaction.

        Games that end later are no part of it. Comparing each with the last end doubles the time,
        so that is left out while there are none.
        """
        if self._has_later(connection):
            return f"{self._fits} AND {self.had_ended}", [*self._values, *self.last_end]
        return self._fits, [*self._values]

    def has_changed(self, connection: sqlite3.Connection) -> bool:
        """Count again if games were deleted, or came in between; return whether that was so."""
        ended = self._count_ended(connection)
        if ended == self._ended:
            return False
        self._ended, self.present = ended, self.count_with(connection)
        return True

    def matches_all_ended(self, connection: sqlite3.Connection) -> bool:
        """Return whether all ended games match: there is no filter, and none ended later."""
        return self.wanted == HistoryFilter() and not self._has_later(connection)

    def _has_later(self, connection: sqlite3.Connection) -> bool:
        """Return whether a game ended since this was made."""
        later = connection.execute(
            f"SELECT 1 FROM games INDEXED BY games_ended WHERE {schema.HAS_ENDED}"  # noqa: S608 (no value in it)
            " AND (ended_at, id) > (?, ?) LIMIT 1",
            self.last_end,
        )
        return later.fetchone() is not None

    def count_with(
        self, connection: sqlite3.Connection, condition: str = "true", values: _Value = ()
    ) -> int:
        """Return how many games match and fit one more condition on rules, status or reason.

        The games themselves are read only if the filter asks for their ends.
        """
        fits, fit = f"{self._fits} AND {condition}", (*self._values, *values)
        if "ended_at" not in self._fits:
            return self._count_ended(connection, fits, fit)
        where, found = self.where(connection)
        sql = f"SELECT count(*) FROM games WHERE {where} AND {condition}"  # noqa: S608 (no value in it)
        (count,) = connection.execute(sql, (*found, *values)).fetchone()
        return int(count)

    def _count_ended(
        self,
        connection: sqlite3.Connection,
        fits: str = schema.HAS_ENDED,
        values: Sequence[object] = (),
    ) -> int:
        """Return how many games of a condition, which asks for no end, had ended by the last."""
        (count,) = connection.execute(
            f"SELECT (SELECT coalesce(sum(games), 0) FROM game_counts WHERE {fits})"  # noqa: S608 (no value in it)
            f" - (SELECT count(*) FROM games INDEXED BY games_ended WHERE {fits}"
            " AND (ended_at, id) > (?, ?))",
            (*values, *values, *self.last_end),
        ).fetchone()
        return int(count)


class _ByNumbers:
    """The matching games in any order, by their row numbers."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        matching: MatchingGames,
        column: Column,
        *,
        descending: bool,
    ) -> None:
        way = " DESC" if descending else ""
        # Games that are equal in the column follow their dates, the newest first.
        keys = [f"{key}{way}" for key in SORTED_BY[column]]
        table = "games"
        if column in STATISTIC_COLUMNS:
            keys.insert(0, f"{column} IS NULL")
            table = "games LEFT JOIN figures USING (num)"
        order = ", ".join([*keys, _NEWEST_FIRST])
        where, values = matching.where(connection)
        sql = f"SELECT num FROM {table} WHERE {where} ORDER BY {order}"  # noqa: S608 (no value in it)
        self._nums = array("q", (num for (num,) in connection.execute(sql, values)))
        self._matching = matching
        self.count = len(self._nums)

    def ids(self, connection: sqlite3.Connection) -> list[str]:
        return _ids_by_number(connection, self._nums, self._matching)

    def rows(
        self, connection: sqlite3.Connection, first: int, count: int
    ) -> Sequence[GameRow | None]:
        nums = self._nums[first : first + count].tolist()
        found = _rows_by_number(connection, nums, self._matching)
        return [found.get(num) for num in nums]


class _ByValue:
    """The matching games by the values of a column, those of each value the newest first."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        matching: MatchingGames,
        column: Column,
        *,
        descending: bool,
    ) -> None:
        self._matching = matching
        self.count = matching.count
        self._values = (
            _ListedValues(matching, column, _listed(connection, column)[:: -1 if descending else 1])
            if column in _LISTED
            else _IndexedValues(matching, column, descending=descending)
        )
        self._next_place = self._start
        """Where the last page ended."""

    def ids(self, connection: sqlite3.Connection) -> list[str]:
        self._follow_changes(connection)
        nums = self._nums(connection, 0, self._matching.present)
        return _ids_by_number(connection, nums, self._matching)

    def rows(self, connection: sqlite3.Connection, first: int, count: int) -> Sequence[GameRow]:
        self._follow_changes(connection)
        nums = self._nums(connection, first, min(count, self._matching.present - first))
        found = _rows_by_number(connection, nums, self._matching)
        return [found[num] for num in nums if num in found]

    @property
    def _start(self) -> _Place:
        return _Place(0, None, 0)

    def _follow_changes(self, connection: sqlite3.Connection) -> None:
        if self._matching.has_changed(connection):
            self._values.forget_counts()
            self._next_place = self._start

    def _nums(self, connection: sqlite3.Connection, first: int, count: int) -> list[int]:
        """Return the row numbers of a page, value by value."""
        if count <= 0:
            return []
        place = self._next_place
        if place.first != first or place.value is None:
            place = self._place(connection, first)
        found: list[int] = []
        value, skipped = place.value, place.skipped
        while value is not None:
            added = self._values.games(connection, value, count - len(found), skipped)
            found += added
            if len(found) == count:
                self._next_place = _Place(first + count, value, skipped + len(added))
                break
            value, skipped = self._values.after(connection, value), 0
        return found

    def _place(self, connection: sqlite3.Connection, index: int) -> _Place:
        """Return the place of a game by its index."""
        value, before = self._values.at(connection, index)
        return _Place(index, value, index - before)


class _Place(NamedTuple):
    """A place in the games sorted by value: an index, and how many games of its value precede."""

    first: int
    value: _Value | None
    skipped: int


class _ListedValues:
    """The values of a column that has few of them, listed in their order."""

    def __init__(self, matching: MatchingGames, column: Column, listed: Sequence[str]) -> None:
        self._matching, self._column = matching, column
        self._listed: list[_Value] = [(value,) for value in listed]
        self._counts: dict[_Value, int] = {}

    def forget_counts(self) -> None:
        self._counts.clear()

    def after(self, _: sqlite3.Connection, value: _Value) -> _Value | None:
        place = self._listed.index(value) + 1
        return self._listed[place] if place < len(self._listed) else None

    def at(self, connection: sqlite3.Connection, index: int) -> tuple[_Value | None, int]:
        before = 0
        for value in self._listed[:-1]:
            if index == before or (count := self._count(connection, value)) > index - before:
                return value, before
            before += count
        return self._listed[-1], before

    def _count(self, connection: sqlite3.Connection, value: _Value) -> int:
        """Return how many games have a value, counted once."""
        if value not in self._counts:
            name, _ = _LISTED[self._column]
            self._counts[value] = self._matching.count_with(connection, f"{name} = ?", value)
        return self._counts[value]

    def games(
        self, connection: sqlite3.Connection, value: _Value, count: int, skipped: int
    ) -> list[int]:
        """Return a part of the games of a value, found from the nearer end."""
        source, values = self._source(connection, value)
        there = self._count(connection, value) if skipped else 0
        if 2 * skipped <= there or not skipped:
            sql = f"SELECT num {source} ORDER BY {_NEWEST_FIRST} LIMIT ? OFFSET ?"
            return _numbers(connection, sql, (*values, count, skipped))
        count = max(0, min(count, there - skipped))
        sql = f"SELECT num {source} ORDER BY {_OLDEST_FIRST} LIMIT ? OFFSET ?"
        return _numbers(connection, sql, (*values, count, there - skipped - count))[::-1]

    def _source(
        self, connection: sqlite3.Connection, value: _Value
    ) -> tuple[str, tuple[object, ...]]:
        name, index = _LISTED[self._column]
        where, values = self._matching.where(connection)
        where = f"{where} AND {name} = ?"
        if self._column == "note" and value[0]:
            index, where = "games_by_unranked", f"{where} AND unranked <> ''"
        return f"FROM games INDEXED BY {index} WHERE {where}", (*values, *value)


class _IndexedValues:
    """The values of a column that has an index of its own; a game without a value comes last."""

    def __init__(self, matching: MatchingGames, column: Column, *, descending: bool) -> None:
        self._matching = matching
        self._is_statistic = column in STATISTIC_COLUMNS
        (self._name,) = SORTED_BY[column]
        self._follows, self._precedes = "<>" if descending else "><"
        self._way = "DESC" if descending else "ASC"

    def forget_counts(self) -> None:
        """Do nothing: none are kept."""

    def after(self, connection: sqlite3.Connection, value: _Value) -> _Value | None:
        if value[0] is None:
            return None
        found = self._value(connection, f"{self._name} {self._follows} ?", value, 0)
        return found or ((None,) if self._is_statistic else None)

    def at(self, connection: sqlite3.Connection, index: int) -> tuple[_Value | None, int]:
        if self._is_statistic:
            return self._statistic_at(connection, index)
        value = self._value(connection, "true", (), index)
        if value is None:
            return None, 0
        preceding = f"{self._name} {self._precedes} ?"
        return value, self._count(connection, preceding, value) if index else 0

    def _statistic_at(self, connection: sqlite3.Connection, index: int) -> tuple[_Value, int]:
        """Return the same; only the games of the value are counted, as they lie in its index."""
        known = f"{self._name} IS NOT NULL"
        source, found = self._source(connection, known, ())
        order = f"{self._name} {self._way}, num {self._way}"
        sql = f"SELECT {self._name}, num {source} ORDER BY {order} LIMIT 1 OFFSET ?"
        row = connection.execute(sql, (*found, index)).fetchone()
        if row is None:
            return (None,), self._count(connection, known, ())
        before = f"{self._name} = ? AND num {self._precedes} ?"
        return row[:1], index - self._count(connection, before, row)

    def _value(
        self, connection: sqlite3.Connection, condition: str, values: _Value, skipped: int
    ) -> _Value | None:
        source, found = self._source(connection, condition, values)
        sql = f"SELECT {self._name} {source} ORDER BY {self._name} {self._way} LIMIT 1 OFFSET ?"
        value: _Value | None = connection.execute(sql, (*found, skipped)).fetchone()
        return value

    def _count(self, connection: sqlite3.Connection, condition: str, values: _Value) -> int:
        source, found = self._source(connection, condition, values)
        (count,) = connection.execute(f"SELECT count(*) {source}", found).fetchone()
        return int(count)

    def _source(
        self, connection: sqlite3.Connection, condition: str, values: _Value
    ) -> tuple[str, tuple[object, ...]]:
        """Return what is read for values; statistics alone if every game matches."""
        index = f"INDEXED BY {'figures' if self._is_statistic else 'games'}_by_{self._name}"
        if self._is_statistic and self._matching.matches_all_ended(connection):
            return f"FROM figures {index} WHERE {condition}", values
        table = (
            f"figures {index} CROSS JOIN games USING (num)"
            if self._is_statistic
            else (f"games {index}")
        )
        where, found = self._matching.where(connection)
        return f"FROM {table} WHERE {where} AND {condition}", (*found, *values)

    def games(
        self, connection: sqlite3.Connection, value: _Value, count: int, skipped: int
    ) -> list[int]:
        source, values = self._source_of_value(connection, value)
        if skipped and not self._is_statistic:
            return self._later_games(connection, source, values, count, skipped)
        sql = f"SELECT num {source} ORDER BY {_NEWEST_FIRST}"
        if self._is_statistic and value[0] is not None:
            # SQLite sorts all of them in less time than it finds the first hundred.
            with closing(connection.execute(sql, values)) as found:
                return [num for (num,) in islice(found, skipped, skipped + count)]
        return _numbers(connection, f"{sql} LIMIT ? OFFSET ?", (*values, count, skipped))

    def _later_games(
        self,
        connection: sqlite3.Connection,
        source: str,
        values: Sequence[object],
        count: int,
        skipped: int,
    ) -> list[int]:
        """Return games of a value from one of them on, which is found by its end.

        The index holds no ids: those that are skipped would each be looked up for the order.
        """
        end = connection.execute(
            f"SELECT ended_at {source} ORDER BY ended_at DESC LIMIT 1 OFFSET ?", (*values, skipped)
        ).fetchone()
        if end is None:
            return []
        (newer,) = connection.execute(
            f"SELECT count(*) {source} AND ended_at > ?", (*values, *end)
        ).fetchone()
        sql = f"SELECT num {source} AND ended_at <= ? ORDER BY {_NEWEST_FIRST} LIMIT ? OFFSET ?"
        return _numbers(connection, sql, (*values, *end, count, skipped - newer))

    def _source_of_value(
        self, connection: sqlite3.Connection, value: _Value
    ) -> tuple[str, tuple[object, ...]]:
        """Return from where the games of one value are read."""
        condition, values = f"{self._name} = ?", value
        if not self._is_statistic:
            table = f"games INDEXED BY games_by_{self._name}"
        elif value[0] is not None:
            table = f"figures INDEXED BY figures_by_{self._name} CROSS JOIN games USING (num)"
        else:
            table = "games INDEXED BY games_ended LEFT JOIN figures USING (num)"
            condition, values = f"{self._name} IS NULL", ()
        where, found = self._matching.where(connection)
        return f"FROM {table} WHERE {where} AND {condition}", (*found, *values)


def _listed(connection: sqlite3.Connection, column: Column) -> list[str]:
    """Return the values that a column of few values may have, in their order."""
    if column == "rules":
        found = connection.execute("SELECT rules FROM sums WHERE ended")
        return sorted((rules for (rules,) in found), key=lambda rules: (len(rules), rules))
    return sorted(("won", "lost", "resigned") if column == "result" else game_rows.UNRANKED_REASONS)


def _numbers(connection: sqlite3.Connection, sql: str, values: Sequence[object]) -> list[int]:
    return [num for (num,) in connection.execute(sql, values)]


class _ByEnd:
    """The matching games in the order of their ends, read by an index."""

    def __init__(self, matching: MatchingGames, *, descending: bool) -> None:
        self._matching = matching
        self._descending = descending
        self.count = matching.count
        self._first_key = ("", "") if not descending else (_AFTER_ALL, "")
        self._key_before = {0: self._first_key}
        """By the index of a game, the end and id of the one before, with which a page ended."""

    def _follow_changes(self, connection: sqlite3.Connection) -> None:
        if self._matching.has_changed(connection):
            self._key_before = {0: self._first_key}

    def ids(self, connection: sqlite3.Connection) -> list[str]:
        found = self._keys(connection, "", (), self.count, descending=self._descending)
        return [game_id for _, game_id in found]

    def rows(self, connection: sqlite3.Connection, first: int, count: int) -> Sequence[GameRow]:
        self._follow_changes(connection)
        keys = self._page_keys(connection, first, min(count, self._matching.present - first))
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
        if first <= self._matching.present // 2:
            skipped = (count, first)
            return self._keys(connection, "", (), *skipped, descending=self._descending)
        skipped = (count, self._matching.present - first - count)
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
        where, found = self._matching.where(connection)
        return connection.execute(
            f"SELECT ended_at, id FROM games WHERE {where} {condition}"  # noqa: S608 (no value in it)
            f" ORDER BY ended_at{way}, id{way} LIMIT ? OFFSET ?",
            (*found, *values, count, offset),
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
        if (days := days_searched(term)) is not None:
            # Known without asking each game for its local date, and found by an index.
            parts.append("ended_at BETWEEN ? AND ?")
            values += days
    return " AND ".join(parts), values


def _term_clause(term: SearchTerm) -> tuple[str, list[object]]:
    parts, values = ["instr(rules, ?)"], list[object]([term.text])
    if not term.text.strip("0123456789-: "):
        # No other text stands in a date, which takes long to make for every game.
        days = _days_of(term.text) or ("", _AFTER_ALL)
        local = "strftime('%Y-%m-%d %H:%M', ended_at, 'localtime')"
        parts.append(f"(ended_at BETWEEN ? AND ? AND instr({local}, ?))")
        values += (*days, term.text)
    for name, words in (
        ("rules", term.rules),
        ("status", term.states),
        ("unranked", term.reasons),
    ):
        if words:
            parts.append(f"{name} IN ({_placeholders(words)})")
            values += words
    return " OR ".join(parts), values


def days_searched(term: SearchTerm) -> tuple[str, str] | None:
    """Return moments, in UTC, between which all games ended that fit a term; None if unknown.

    A text with a year and a hyphen stands in no rules.
    """
    if term.text[4:5] != "-" or term.rules or term.states or term.reasons:
        return None
    return _days_of(term.text)


def _days_of(text: str) -> tuple[str, str] | None:
    """Return moments, in UTC, between which all games ended whose local date holds a text.

    None if that is unknown. Four digits stand in a date only at its beginning. Local time is less
    than a day from UTC.
    """
    found = _YEAR_MONTH_DAY.match(text)
    if found is None:
        return None
    year, month, day = (int(each) if each else None for each in found.groups())
    try:
        first = date(year or 0, month or 1, day or 1)
        last = date(first.year, month or 12, day or 28)
        until = last + timedelta(1 if day else 4)
        return (first - timedelta(1)).isoformat(), (until + timedelta(1)).isoformat()
    except (ValueError, OverflowError):
        return None


_YEAR_MONTH_DAY: Final = re.compile(r"(\d{4})(?:-(?:(\d\d)(?:-(\d\d))?)?)?", re.ASCII)


def _rows_by_number(
    connection: sqlite3.Connection, nums: Sequence[int], matching: MatchingGames
) -> dict[int, GameRow]:
    """Return the rows of games that had ended: a new one may have the number of a deleted one."""
    if not nums:
        return {}
    tail = f"WHERE num IN ({_placeholders(nums)}) AND {matching.had_ended}"
    values = (*nums, *matching.last_end)
    found = {row.id: row for row in game_rows.select_games(connection, tail, values)}
    ids = connection.execute(f"SELECT num, id FROM games {tail}", values)  # noqa: S608
    return {num: found[game_id] for num, game_id in ids if game_id in found}


def _ids_by_number(
    connection: sqlite3.Connection, nums: Sequence[int], matching: MatchingGames
) -> list[str]:
    where, values = matching.where(connection)
    sql = f"SELECT num, id FROM games WHERE {where}"  # noqa: S608 (no value in it)
    found = dict(connection.execute(sql, values).fetchall())
    return [found[num] for num in nums if num in found]


def _placeholders(values: Iterable[object]) -> str:
    return ", ".join("?" for _ in values)
