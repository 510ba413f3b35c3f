"""The running sums of a database against a full recount."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from demine.store import records
from demine.store.damage_checks import verify_sums
from demine.store.records import Record, compute_record, counted_games, record_of
from demine.store.schema import HAS_ENDED


def recounted_records(connection: sqlite3.Connection) -> dict[str, Record]:
    """The records of all rules, computed from every game."""
    rules = connection.execute("SELECT DISTINCT rules FROM games WHERE result IS NOT NULL")
    return {
        each: compute_record(each, counted_games(connection, each)) for (each,) in rules.fetchall()
    }


def check_sums(connection: sqlite3.Connection) -> None:
    """Compare the sums with all games: as they are, and after stale streaks were counted again."""
    for _ in range(2):
        verify_sums(connection)
        known = records.rules_of_counted_games(connection)
        assert {each: record_of(connection, each) for each in known} == recounted_records(
            connection
        )
        ended = connection.execute(
            f"SELECT rules, count(*) AS n FROM games WHERE {HAS_ENDED} GROUP BY rules"
            " ORDER BY n DESC, rules"
        )
        assert records.ended_game_counts(connection) == ended.fetchall()
        counts = connection.execute(
            f"SELECT rules, status, unranked, count(*) FROM games WHERE {HAS_ENDED}"
            " GROUP BY rules, status, unranked ORDER BY rules, status, unranked"
        )
        kept = connection.execute(
            "SELECT rules, status, unranked, games FROM game_counts"
            " ORDER BY rules, status, unranked"
        )
        assert kept.fetchall() == counts.fetchall()
        streaks = connection.execute("SELECT rules, streak, best_streak FROM sums WHERE NOT stale")
        for rules, streak, best in streaks.fetchall():
            found = compute_record(rules, counted_games(connection, rules))
            assert (streak, best) == (found.streak, found.best_streak)
        records.recount_stale_streaks(connection)
    assert not records.has_stale_streaks(connection)


def check_sums_of_file(path: Path) -> None:
    """Do so for a database file that nobody writes to."""
    from demine.store.checksums import register_sql_functions

    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        register_sql_functions(connection)
        connection.execute("BEGIN")
        check_sums(connection)
        connection.execute("ROLLBACK")
