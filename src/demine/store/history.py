"""The history of ended games: filtered, sorted, and read a page at a time."""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

from demine.store import game_rows

if TYPE_CHECKING:
    from demine.store.game_rows import GameRow
    from demine.store.self_replacing_database import Database

Column: TypeAlias = Literal[
    "ended", "rules", "result", "time", "bv", "bv_s", "ioe", "clicks", "acts", "note"
]
COLUMNS: Final[tuple[Column, ...]] = get_args(Column)

STATISTIC_COLUMNS: Final = frozenset({"bv", "bv_s", "ioe", "clicks"})
"""The columns in which a game may have no value; such a game is sorted last."""
_ENDED: Final = "coalesce(finished_at, seen_at)"
_SORTED_BY: Final = {
    "ended": (_ENDED,),
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
    status: str | None = None
    ranked: bool | None = None
    terms: tuple[SearchTerm, ...] = ()
    reasons: tuple[str, ...] = ()
    since: str | None = None
    until: str | None = None


class History:
    """The games that matched when it was made: their number, and any page of them."""

    def __init__(
        self, database: Database, wanted: HistoryFilter, column: Column, *, descending: bool
    ) -> None:
        self._database = database
        self._nums = database.read_verified(
            lambda connection: _matching_game_numbers(
                connection, wanted, column, descending=descending
            )
        )

    def __len__(self) -> int:
        return len(self._nums)

    def game_ids(self) -> tuple[str, ...]:
        """Return the ids of all these games, in order; without those deleted since."""
        found = self._database.read_verified(
            lambda connection: dict(connection.execute("SELECT num, id FROM games").fetchall())
        )
        return tuple(found[num] for num in self._nums if num in found)

    def page(self, first: int, count: int) -> tuple[GameRow | None, ...]:
        """Return `count` games from index `first` on; None for one deleted since."""
        nums = self._nums[first : first + count].tolist()
        found = self._database.read_verified(lambda connection: _rows_by_number(connection, nums))
        return tuple(found.get(num) for num in nums)


def _matching_game_numbers(
    connection: sqlite3.Connection, wanted: HistoryFilter, column: Column, *, descending: bool
) -> array[int]:
    """Return the row numbers of the matching games in order, eight bytes a game."""
    where, values = _where_clause(wanted)
    way = " DESC" if descending else ""
    # Games that are equal in the column follow their dates, the newest first.
    keys = [f"{key}{way}" for key in _SORTED_BY[column]]
    table = "games"
    if column in STATISTIC_COLUMNS:
        keys.insert(0, f"{column} IS NULL")
        table = "games LEFT JOIN figures USING (num)"
    order = ", ".join([*keys, f"{_ENDED} DESC", "id"])
    sql = f"SELECT num FROM {table} WHERE {where} ORDER BY {order}"  # noqa: S608 (no value in it)
    return array("q", (num for (num,) in connection.execute(sql, values)))


def _where_clause(wanted: HistoryFilter) -> tuple[str, list[object]]:
    parts, values = ["status IN ('won', 'lost', 'resigned')"], list[object]()
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
            parts.append(f"{_ENDED} {sign} ?")
            values.append(moment)
    for term in wanted.terms:
        part, found = _term_clause(term)
        parts.append(f"({part})")
        values += found
    return " AND ".join(parts), values


def _term_clause(term: SearchTerm) -> tuple[str, list[object]]:
    local = f"strftime('%Y-%m-%d %H:%M', {_ENDED}, 'localtime')"
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
