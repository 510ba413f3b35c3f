"""Cached statistics: the few that lists and plots need, computed once for each game.

No game waits for them: they are computed when there is time, the newest games first.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias

from demine.logic.errors import DemineError
from demine.store import checksums, game_rows, schema
from demine.store.errors import StoreError

if TYPE_CHECKING:
    from demine.game import Game
    from demine.store.self_replacing_database import Database

StatisticValues: TypeAlias = tuple[object, ...]
STATISTIC_NAMES: Final = ("bv", "bv_solved", "clicks", "bv_s", "ioe")
"""The names of the cached statistics in `demine.stats`."""
DEFINITIONS_VERSION: Final = 1
"""Grows when a definition changes: values of an older version are computed again."""
_BATCH: Final = 16
_LOOKED_AT: Final = 1000
_AFTER_ALL: Final = "~"
"""After every date."""
_NO_VALUES: Final[StatisticValues] = (None,) * len(STATISTIC_NAMES)
_WRITE_SQL: Final = (
    f"INSERT OR REPLACE INTO figures (num, edition, {', '.join(STATISTIC_NAMES)})"  # noqa: S608 (names)
    f" SELECT num, {DEFINITIONS_VERSION}, ?, ?, ?, ?, ?"
    " FROM games WHERE num = ? AND id = ? AND acts = ?"
)
_CHECKSUM_SQL: Final = (
    f"UPDATE figures SET seal = {checksums.STATISTICS_CHECKSUM_SQL} WHERE num = ?"  # noqa: S608 (names)
)


def statistic_values(game: Game) -> StatisticValues:
    """Return the statistics of a game that is over, in the order of `STATISTIC_NAMES`."""
    from demine.statistics.compute import stats

    try:
        found = stats(game)
    except DemineError:  # a board without mines has none
        return _NO_VALUES
    return tuple(found[name] for name in STATISTIC_NAMES)


def compute_missing(
    database: Database, should_stop: Callable[[], bool], max_games: int | None = None
) -> int:
    """Compute and save missing statistics, a few games at a time; return the number of games.

    With `max_games`, so many at most of the newest thousand. `should_stop` is asked before every
    game.
    """
    done = 0
    for waiting in _games_without_statistics(database, newest_only=max_games is not None):
        for first in range(0, len(waiting[:max_games]), _BATCH):
            found: list[tuple[object, ...]] = []
            for num in waiting[:max_games][first : first + _BATCH]:
                if should_stop():
                    break
                # Reading, computing and writing are separate: nobody waits for the computing.
                found += _computed_row(database, num)
            if found:
                database.write(partial(_write_rows, found))
                done += len(found)
        if should_stop():
            break
    return done


def _games_without_statistics(database: Database, *, newest_only: bool) -> Iterator[Sequence[int]]:
    """Yield row numbers, the newest first, a thousand games looked at in each transaction."""
    key: tuple[str, str] | None = (_AFTER_ALL, "")
    while key is not None:
        nums, key = database.read_verified(partial(_next_without_statistics, key))
        yield nums
        if newest_only:
            return


def _next_without_statistics(
    key: tuple[str, str], connection: sqlite3.Connection
) -> tuple[list[int], tuple[str, str] | None]:
    found = connection.execute(
        "SELECT num, ended_at, id,"  # noqa: S608 (no value in it)
        " EXISTS (SELECT 1 FROM figures WHERE figures.num = games.num AND edition = ?)"
        f" FROM games WHERE {schema.HAS_ENDED} AND (ended_at, id) < (?, ?)"
        " ORDER BY ended_at DESC, id DESC LIMIT ?",
        (DEFINITIONS_VERSION, *key, _LOOKED_AT),
    ).fetchall()
    last = (found[-1][1], found[-1][2]) if len(found) == _LOOKED_AT else None
    return [num for num, _, _, known in found if not known], last


def _computed_row(database: Database, num: int) -> list[tuple[object, ...]]:
    """Return the values for `_WRITE_SQL`; none for a game that was deleted meanwhile."""
    row = database.read_verified(
        lambda connection: game_rows.select_games(connection, "WHERE num = ?", (num,))
    )
    if not row or row[0].status not in ("won", "lost", "resigned"):
        return []
    try:
        text = database.read_verified(
            lambda connection: game_rows.journal_text(connection, row[0].id, num)
        )
        figures = statistic_values(game_rows.parse_stored_journal(text, row[0].id))
    except StoreError:
        # The journal is lost for good: trying again would not help.
        figures = _NO_VALUES
    return [(*figures, num, row[0].id, row[0].acts)]


def _write_rows(found: Sequence[tuple[object, ...]], connection: sqlite3.Connection) -> None:
    connection.executemany(_WRITE_SQL, found)
    # Sealed as stored: a column of real numbers turns 3 into 3.0.
    connection.executemany(_CHECKSUM_SQL, [(num,) for *_, num, _, _ in found])
