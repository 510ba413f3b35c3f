"""Records: wins, times and streaks of all games played by the same rules.

Only games with a `result` count (`demine.store.game_rows.counted_result`): fresh boards, played
without hint or undo. They count in the order in which they ended.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import takewhile
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from demine.store import game_rows
from demine.store.damage_checks import check_types
from demine.store.errors import NO_TALLY, WRONG_VALUE, UnusableDatabase
from demine.store.utc_text import utc_text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from demine.store.game_rows import GameRow

CountedGame: TypeAlias = tuple[str, str, int, str]
"""Id, result, time in milliseconds, moment of the end."""
CountedWin: TypeAlias = tuple[str, str, int, "float | None", "float | None"]
"""Id, moment of the end, time in milliseconds, 3BV/s, IOE; the last two None until computed."""
_COUNTED_KINDS: Final = (str, str, int, str)
_COUNTED: Final = "result IS NOT NULL"
_WON: Final = "result = 'won'"
"""The conditions of the indexes."""
_AS_SPACES: Final = bytes.maketrans(b",-", b"  ")


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
class CountedResults:
    """The results of the games that count under some rules, in the order of their ends."""

    is_won: NDArray[np.bool_]
    """Of each game."""
    win_times_ms: NDArray[np.int64]
    """Of each win."""


class WinsOfDay(NamedTuple):
    """The wins that count under some rules and ended on one day of local time."""

    day: date
    wins: int
    best_ms: int
    bv_s: float | None
    """The mean of the 3BV/s that are computed; None if none is."""
    ioe: float | None
    """The mean of the IOE that are computed; None if none is."""


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
        average_10=_average(times[::-1], 10),
        average_100=_average(times[::-1], 100),
        streak=streak,
        best_streak=longest,
        last_at=last,
    )


def _average(times: list[int], count: int) -> float | None:
    """Return the average of the first `count` times, None without as many."""
    return sum(times[:count]) / count if len(times) >= count else None


def record_of(connection: sqlite3.Connection, rules: str) -> Record:
    """Return the record for one text of rules; an empty one if it was never played.

    It is made of running sums and of a hundred games at most, however many there are.
    """
    sums = connection.execute(
        "SELECT games, wins, streak, best_streak, stale FROM sums WHERE rules = ?", (rules,)
    ).fetchone()
    if sums is None or not sums[0]:
        return Record(rules)
    games, wins, streak, best_streak, stale = sums
    if stale:
        return compute_record(rules, counted_games(connection, rules))
    best = _best_win(connection, rules)
    times = [row.time_ms for row in _last_counted(connection, rules, "games_won", _WON, 100)]
    (last,) = _last_counted(connection, rules, "games_counted", _COUNTED, 1) or (None,)
    if last is None or len(times) < min(wins, 100) or (best is None) != (not wins):
        raise UnusableDatabase(NO_TALLY)
    return Record(
        rules=rules,
        games=games,
        wins=wins,
        best_ms=best.time_ms if best else None,
        best_id=best.id if best else None,
        best_at=best.finished_at if best else None,
        average_10=_average(times, 10),
        average_100=_average(times, 100),
        streak=streak,
        best_streak=best_streak,
        last_at=last.finished_at,
    )


def _best_win(connection: sqlite3.Connection, rules: str, excluded_id: str = "") -> GameRow | None:
    """Return the fastest win that counts; of equal ones the first."""
    found = game_rows.select_games(
        connection,
        "WHERE num = (SELECT num FROM games INDEXED BY games_best"  # noqa: S608 (no value in it)
        f" WHERE rules = ? AND {_WON} AND id <> ? ORDER BY time_ms, finished_at, id LIMIT 1)",
        (rules, excluded_id),
    )
    return found[0] if found else None


def _last_counted(
    connection: sqlite3.Connection, rules: str, index: str, condition: str, count: int
) -> list[GameRow]:
    """Return the last games that count and fit the condition of an index, the latest first."""
    order = "ORDER BY finished_at DESC, id DESC"
    return game_rows.select_games(
        connection,
        f"WHERE num IN (SELECT num FROM games INDEXED BY {index}"  # noqa: S608 (no value in it)
        f" WHERE rules = ? AND {condition} {order} LIMIT ?) {order}",
        (rules, count),
    )


def streak_of(connection: sqlite3.Connection, rules: str) -> int:
    """Return how many of the last games that count under one text of rules were won in a row."""
    kept = connection.execute("SELECT streak FROM sums WHERE rules = ? AND NOT stale", (rules,))
    streak: tuple[int] | None = kept.fetchone()
    if streak is not None:
        return streak[0]
    results = connection.execute(
        "SELECT result FROM games INDEXED BY games_counted"
        " WHERE rules = ? AND result IS NOT NULL ORDER BY finished_at DESC, id DESC",
        (rules,),
    )
    return sum(1 for _ in takewhile(lambda row: row[0] == "won", results))


def has_stale_streaks(connection: sqlite3.Connection) -> bool:
    """Return whether games were added or deleted elsewhere than at the end of the history."""
    return connection.execute("SELECT 1 FROM sums WHERE stale LIMIT 1").fetchone() is not None


def recount_stale_streaks(connection: sqlite3.Connection) -> None:
    """Count the streaks again that could not be kept up."""
    for (rules,) in connection.execute("SELECT rules FROM sums WHERE stale").fetchall():
        found = compute_record(rules, counted_games(connection, rules))
        connection.execute(
            # What they were before the last game was counted from stale ones.
            "UPDATE sums SET streak = ?, best_streak = ?, prior_streak = NULL, prior_best = NULL,"
            " stale = 0 WHERE rules = ?",
            (found.streak, found.best_streak, rules),
        )


def counted_games(connection: sqlite3.Connection, rules: str) -> Iterator[CountedGame]:
    """Yield the games that count under one text of rules, in the order of their ends."""
    found = connection.execute(
        "SELECT id, result, time_ms, finished_at FROM games INDEXED BY games_counted"
        " WHERE rules = ? AND result IS NOT NULL ORDER BY finished_at, id",
        (rules,),
    )
    return map(_checked, found)


def _checked(row: CountedGame) -> CountedGame:
    if tuple(map(type, row)) != _COUNTED_KINDS:  # of a million rows none
        check_types(row, *_COUNTED_KINDS)
    return row


def counted_wins(connection: sqlite3.Connection, rules: str) -> list[CountedWin]:
    """Return the wins that count under one text of rules, in the order of their ends."""
    return _select_wins(connection, rules)


def _select_wins(
    connection: sqlite3.Connection, rules: str, sql_tail: str = "", *values: int
) -> list[CountedWin]:
    rows = connection.execute(
        "SELECT id, finished_at, time_ms, bv_s, ioe"  # noqa: S608 (no value in it)
        " FROM games INDEXED BY games_won LEFT JOIN figures USING (num)"
        f" WHERE rules = ? AND {_WON} ORDER BY finished_at, id {sql_tail}",
        (rules, *values),
    ).fetchall()
    for row in rows:
        check_types(row, str, str, int, (float, int, type(None)), (float, int, type(None)))
    return rows


def counted_results(connection: sqlite3.Connection, rules: str) -> CountedResults:
    """Return the results of the games that count under one text of rules.

    SQLite joins them into one text, of which NumPy makes arrays: a row each would take five times
    as long. The text is in the order of the index, which SQLite reads from its beginning. An
    ordered subquery would say so, but its rows are copied one by one, in nearly twice the time.
    """
    import numpy as np  # whoever asks for records has no need of it

    (text,) = connection.execute(
        "SELECT coalesce(group_concat(iif(result = 'won', time_ms, '-')), '')"
        " FROM games INDEXED BY games_counted WHERE rules = ? AND result IS NOT NULL",
        (rules,),
    ).fetchone()
    letters = np.frombuffer(f",{text}".encode(), np.uint8)
    is_won = letters[1:][letters[:-1] == ord(",")] != ord("-")
    if text.encode().translate(None, b"0123456789,-"):
        raise UnusableDatabase(WRONG_VALUE, value=text[:80], field="int")
    times = text.encode().translate(_AS_SPACES).strip()
    times_ms = np.fromstring(times, np.int64, sep=" ")
    if times_ms.size != np.count_nonzero(is_won):
        raise UnusableDatabase(WRONG_VALUE, value=text[:80], field="int")
    return CountedResults(is_won, times_ms)


def counted_win(connection: sqlite3.Connection, rules: str, place: int) -> CountedWin | None:
    """Return one of the wins that count under one text of rules, in the order of their ends."""
    found = _select_wins(connection, rules, "LIMIT 1 OFFSET ?", place)
    return found[0] if found else None


def wins_by_day(connection: sqlite3.Connection, rules: str) -> list[WinsOfDay]:
    """Return the wins that count under one text of rules by days of local time, the first first."""
    found: list[WinsOfDay] = []
    moment = _next_win_end(connection, rules, "")
    while moment is not None:
        day, until = _local_day(moment)
        row = connection.execute(
            "SELECT count(*), min(time_ms), avg(bv_s), avg(ioe)"  # noqa: S608 (no value in it)
            " FROM games INDEXED BY games_won LEFT JOIN figures USING (num)"
            f" WHERE rules = ? AND {_WON} AND finished_at >= ? AND finished_at < ?",
            (rules, moment, until),
        ).fetchone()
        if row[0]:
            check_types(row, int, int, (float, type(None)), (float, type(None)))
            found.append(WinsOfDay(day, *row))
            moment = until  # most days have wins, so that none is sought before it is asked for
        else:
            moment = _next_win_end(connection, rules, until)
    return found


def _next_win_end(connection: sqlite3.Connection, rules: str, since: str) -> str | None:
    """Return the end of the first win from a moment on; None if there is none."""
    row: tuple[str] | None = connection.execute(
        f"SELECT finished_at FROM games INDEXED BY games_won WHERE rules = ? AND {_WON}"  # noqa: S608 (no value in it)
        " AND finished_at >= ? ORDER BY finished_at LIMIT 1",
        (rules, since),
    ).fetchone()
    return None if row is None else row[0]


def _local_day(moment: str) -> tuple[date, str]:
    """Return the day of local time of a moment, and the moment when the next day begins."""
    try:
        day = datetime.fromisoformat(moment).astimezone().date()
        # Where a zone left a day out, Python takes its midnight for an earlier one.
        midnights = (datetime.combine(day + timedelta(n), time()).astimezone(UTC) for n in (1, 2))
        until = next(text for text in map(utc_text, midnights) if text > moment)
    except (ValueError, OverflowError, OSError, StopIteration) as error:
        raise UnusableDatabase(WRONG_VALUE, value=moment, field="date") from error
    return day, until


def rules_of_counted_games(connection: sqlite3.Connection) -> list[str]:
    """Return the texts of the rules with a counted game, the most played first."""
    rows = connection.execute("SELECT rules FROM sums WHERE games ORDER BY games DESC, rules")
    return [rules for (rules,) in rows]


def ended_game_counts(connection: sqlite3.Connection) -> list[tuple[str, int]]:
    """Return the texts of the rules of ended games, each with its count, the highest first."""
    return connection.execute(
        "SELECT rules, ended FROM sums WHERE ended ORDER BY ended DESC, rules"
    ).fetchall()


def new_record(
    connection: sqlite3.Connection, rules: str, time_ms: int, excluded_id: str = ""
) -> NewRecord | None:
    """Return the record that a win in `time_ms` would set, or None if it would set none.

    The game with the id `excluded_id` is ignored. An equal time sets no record.
    """
    best = _best_win(connection, rules, excluded_id)
    before = None if best is None else best.time_ms
    if before is not None and before <= time_ms:
        return None
    return NewRecord(time_ms, before)
