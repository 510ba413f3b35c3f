"""Records: wins, times and streaks of all games played by the same rules.

Only games with a `result` count (`demine.store.game_rows.counted_result`): fresh boards, played
without hint or undo. They count in the order in which they ended.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, TypeAlias

from demine.store.damage_checks import check_types

if TYPE_CHECKING:
    from demine.store.game_rows import GameRow

CountedGame: TypeAlias = tuple[str, str, int, str]
"""Id, result, time in milliseconds, moment of the end."""
CountedWin: TypeAlias = tuple[str, str, int, "float | None", "float | None"]
"""Id, moment of the end, time in milliseconds, 3BV/s, IOE; the last two None until computed."""


@dataclass(frozen=True, slots=True)
class Record:
    """The player's record for one text of rules.

    `games` counts the games that were won, lost or resigned, `wins` those won. Times are in
    milliseconds: `best_ms` with its game and moment, `average_10` and `average_100` over the last
    10 and 100 wins, None until there are as many. `streak` is the present number of wins in a row,
    `best_streak` the highest ever. `last_at` is when the last counted game ended.

    >>> import demine
    >>> with demine.Store.memory() as store:
    ...     record = store.record_of(demine.EXPERT)
    >>> record.rules, record.games, record.best_ms
    ('30x16/99', 0, None)
    """

    rules: str
    games: int = 0
    wins: int = 0
    best_ms: int | None = None
    best_id: str | None = None
    best_at: str | None = None
    average_10: float | None = None
    average_100: float | None = None
    streak: int = 0
    best_streak: int = 0
    last_at: str | None = None

    @property
    def win_rate(self) -> float | None:
        """The share of games won, 0 to 1; None without a game."""
        return self.wins / self.games if self.games else None


@dataclass(frozen=True, slots=True)
class NewRecord:
    """A time that is or would be a record, and the best before it (None for the first win)."""

    time_ms: int
    before_ms: int | None

    @property
    def gain_ms(self) -> int | None:
        """By how many milliseconds the old best is beaten; None if there is none."""
        return None if self.before_ms is None else self.before_ms - self.time_ms


@dataclass(frozen=True, slots=True)
class GameEnding:
    """The end of a game: its row, the record that it set, if any, and the wins in a row then."""

    row: GameRow
    record: NewRecord | None
    streak: int = 0


def compute_record(rules: str, games: Iterable[CountedGame]) -> Record:
    """Compute the record from counted games, given in the order of their ends."""
    times: list[int] = []
    count = streak = longest = 0
    best: CountedGame | None = None
    last: str | None = None
    for game in games:
        _, result, time_ms, last = game
        count += 1
        streak = streak + 1 if result == "won" else 0
        longest = max(longest, streak)
        if result == "won":
            times.append(time_ms)
            if best is None or time_ms < best[2]:
                best = game
    return Record(
        rules=rules,
        games=count,
        wins=len(times),
        best_ms=best[2] if best else None,
        best_id=best[0] if best else None,
        best_at=best[3] if best else None,
        average_10=_average(times, 10),
        average_100=_average(times, 100),
        streak=streak,
        best_streak=longest,
        last_at=last,
    )


def _average(times: list[int], count: int) -> float | None:
    return sum(times[-count:]) / count if len(times) >= count else None


def record_of(connection: sqlite3.Connection, rules: str) -> Record:
    """Return the record for one text of rules; an empty one if it was never played."""
    return compute_record(rules, counted_games(connection, rules))


def streak_of(connection: sqlite3.Connection, rules: str) -> int:
    """Return how many of the last games that count under one text of rules were won in a row."""
    results = connection.execute(
        "SELECT result FROM games INDEXED BY games_counted"
        " WHERE rules = ? AND result IS NOT NULL ORDER BY finished_at DESC, id DESC",
        (rules,),
    )
    return sum(1 for _ in takewhile(lambda row: row[0] == "won", results))


def counted_games(connection: sqlite3.Connection, rules: str) -> Iterator[CountedGame]:
    """Yield the games that count under one text of rules, in the order of their ends."""
    found = connection.execute(
        "SELECT id, result, time_ms, finished_at FROM games INDEXED BY games_counted"
        " WHERE rules = ? AND result IS NOT NULL ORDER BY finished_at, id",
        (rules,),
    )
    return map(_checked, found)


def _checked(row: CountedGame) -> CountedGame:
    check_types(row, str, str, int, str)
    return row


def counted_wins(connection: sqlite3.Connection, rules: str) -> list[CountedWin]:
    """Return the wins that count under one text of rules, in the order of their ends."""
    rows = connection.execute(
        "SELECT id, finished_at, time_ms, bv_s, ioe"
        " FROM games INDEXED BY games_counted LEFT JOIN figures USING (num)"
        " WHERE rules = ? AND result IS NOT NULL AND result = 'won' ORDER BY finished_at, id",
        (rules,),
    ).fetchall()
    for row in rows:
        check_types(row, str, str, int, (float, int, type(None)), (float, int, type(None)))
    return rows


def rules_of_counted_games(connection: sqlite3.Connection) -> list[str]:
    """Return the texts of the rules with a counted game, the most played first."""
    rows = connection.execute(
        "SELECT rules, count(*) FROM games INDEXED BY games_counted WHERE result IS NOT NULL"
        " GROUP BY rules ORDER BY count(*) DESC, rules"
    ).fetchall()
    for row in rows:
        check_types(row, str, int)
    return [rules for rules, _ in rows]


def ended_game_counts(connection: sqlite3.Connection) -> list[tuple[str, int]]:
    """Return the texts of the rules of ended games, each with its count, the highest first."""
    rows = connection.execute(
        "SELECT rules, count(*) FROM games WHERE status IN ('won', 'lost', 'resigned')"
        " GROUP BY rules ORDER BY count(*) DESC, rules"
    ).fetchall()
    for row in rows:
        check_types(row, str, int)
    return rows


def new_record(
    connection: sqlite3.Connection, rules: str, time_ms: int, excluded_id: str = ""
) -> NewRecord | None:
    """Return the record that a win in `time_ms` would set, or None if it would set none.

    The game with the id `excluded_id` is ignored. An equal time sets no record.
    """
    (before,) = connection.execute(
        "SELECT min(time_ms) FROM games INDEXED BY games_counted"
        " WHERE rules = ? AND result = 'won' AND id <> ?",
        (rules, excluded_id),
    ).fetchone()
    if before is not None and before <= time_ms:
        return None
    return NewRecord(time_ms, before)
