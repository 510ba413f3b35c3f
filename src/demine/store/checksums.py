"""Checksums ("seals") of the stored rows, so that a damaged byte is noticed when it is read.

A game is sealed by the CRC-32 of its row, of its daily board, and of the checksum of its journal; a
row of figures, a drill and a review of one by a checksum of its own. One row of the table `tally`
counts the games that are over and sums their seals, so that a missing game is noticed too; triggers
update it.
"""

from __future__ import annotations

import sqlite3
import zlib
from typing import Final

GAME_COLUMNS: Final = (
    "id", "rules", "header", "status", "unranked", "result", "time_ms", "hits", "acts",
    "began_at", "seen_at", "finished_at", "crc",
)  # fmt: skip
"""The columns of a game that are sealed: all but its number and its owner."""
DAILY_COLUMNS: Final = ("day", "level", "opened_at", "outcome")
STATISTICS_COLUMNS: Final = ("num", "edition", "bv", "bv_solved", "clicks", "bv_s", "ioe")
GAME_CHECKSUM_SQL: Final = f"demine_seal({', '.join((*GAME_COLUMNS, *DAILY_COLUMNS))})"
"""SQL over `games LEFT JOIN dailies USING (num)`."""
STATISTICS_CHECKSUM_SQL: Final = f"demine_seal({', '.join(STATISTICS_COLUMNS)})"
DRILL_CHECKSUM_SQL: Final = "demine_seal(num, game, act, row, col, kind, pattern)"
DRILL_REVIEW_CHECKSUM_SQL: Final = "demine_seal(num, drill, at, is_right, time_ms)"
UPDATE_CHECKSUMS_SQL: Final = (
    f"UPDATE games SET seal = (SELECT {GAME_CHECKSUM_SQL} FROM games AS kept"  # noqa: S608 (names)
    " LEFT JOIN dailies USING (num) WHERE kept.num = games.num)"
)
ARRIVAL_CHECKSUM_SQL: Final = "demine_seal(num, id, owner)"
BAD_ARRIVAL_SQL: Final = (
    f"SELECT num FROM arrivals WHERE seal IS NOT {ARRIVAL_CHECKSUM_SQL} LIMIT 1"  # noqa: S608 (names)
)
VERIFIED_TABLES: Final = (
    "games", "dailies", "figures", "tally", "sums", "game_counts", "drills", "drill_reviews",
)  # fmt: skip
"""The tables that `demine.store.damage_checks.verify_checksums` reads."""
BAD_CHECKSUM_SQL: Final = (
    f"""SELECT id FROM games NOT INDEXED LEFT JOIN dailies USING (num)
        WHERE seal <> {GAME_CHECKSUM_SQL} LIMIT 1""",  # noqa: S608 (names)
    f"SELECT num FROM figures WHERE seal <> {STATISTICS_CHECKSUM_SQL} LIMIT 1",  # noqa: S608 (names)
)
BAD_DRILL_SQL: Final = (
    f"SELECT num FROM drills WHERE seal <> {DRILL_CHECKSUM_SQL} LIMIT 1",  # noqa: S608 (names)
    f"SELECT num FROM drill_reviews WHERE seal <> {DRILL_REVIEW_CHECKSUM_SQL} LIMIT 1",  # noqa: S608 (names)
)
"""SQL over tables that formats before 7 do not have."""
TALLY_SQL: Final = (
    "SELECT (SELECT count(*) FROM tally), games, seals, found, total FROM tally,"
    " (SELECT count(*) AS found, coalesce(sum(seal), 0) AS total FROM games NOT INDEXED"
    " WHERE status IN ('won', 'lost', 'resigned'))"
)
SUMS_PROOF: Final = (
    "3 * ended + 5 * games + 7 * wins + 11 * streak + 13 * best_streak"
    " + 17 * coalesce(prior_streak, -1) + 19 * coalesce(prior_best, -1) + 23 * stale"
)
"""SQL over `sums`, stored beside the numbers; no wrong byte in one of them leaves it as it was."""
SUMS_SQL: Final = (
    f"SELECT coalesce(sum(proof IS NOT {SUMS_PROOF}), 0),"  # noqa: S608 (names)
    # A wrong byte in the rules makes them those of no game.
    " coalesce(sum(NOT (EXISTS (SELECT 1 FROM games WHERE rules = sums.rules"
    " AND status IN ('won','lost','resigned'))"
    " OR EXISTS (SELECT 1 FROM games WHERE rules = sums.rules AND result IS NOT NULL))), 0),"
    " coalesce(sum(ended), 0), (SELECT games FROM tally) FROM sums"
)
COUNTS_PROOF: Final = "31 * games"
COUNTS_SQL: Final = (
    f"SELECT EXISTS (SELECT 1 FROM game_counts WHERE proof IS NOT {COUNTS_PROOF}"  # noqa: S608 (names)
    " OR status NOT IN ('won','lost','resigned')"
    # A wrong byte makes it the reason of no game.
    " OR unranked <> '' AND NOT EXISTS (SELECT 1 FROM games WHERE unranked = game_counts.unranked"
    " AND unranked <> '' AND status IN ('won','lost','resigned')))"
    " OR EXISTS (SELECT rules, sum(games) FROM game_counts GROUP BY rules"
    " EXCEPT SELECT rules, ended FROM sums)"
    " OR (SELECT sum(games) FROM game_counts) IS NOT (SELECT sum(ended) FROM sums WHERE ended)"
)
"""Whether the counts are damaged, or are not of as many games as the sums of their rules."""
UNLIKE_COUNTS_SQL: Final = """SELECT rules, status, unranked, count(*) FROM games NOT INDEXED
    WHERE status IN ('won','lost','resigned') GROUP BY rules, status, unranked
    EXCEPT SELECT rules, status, unranked, games FROM game_counts LIMIT 1"""
"""Counts of games that are not kept so, of as many games."""
UNLIKE_SUMS_SQL: Final = """SELECT rules FROM sums LEFT JOIN (SELECT rules,
    sum(status IN ('won','lost','resigned')) AS found_ended, count(result) AS found_games,
    sum(result IS 'won') AS found_wins FROM games NOT INDEXED GROUP BY rules) USING (rules)
    WHERE (ended, games, wins) IS NOT (found_ended, found_games, found_wins)
    OR NOT (stale OR (streak >= 0 AND streak <= best_streak AND best_streak <= wins)) LIMIT 1"""
"""Rules whose running sums are not those of their games."""


def row_checksum(*values: object) -> int:
    """Return the checksum of the values of a row."""
    return zlib.crc32("\x1f".join(map(str, values)).encode())


def extend_journal_checksum(before: int, joined_lines: str | None) -> int:
    """Return a running game's journal checksum after more lines, joined by newlines; None: none."""
    return before if joined_lines is None else zlib.crc32(f"\n{joined_lines}".encode(), before)


def register_sql_functions(connection: sqlite3.Connection) -> None:
    """Register the SQL functions that the statements of this module use."""
    connection.create_function("demine_seal", -1, row_checksum, deterministic=True)
    connection.create_function("demine_chain", 2, extend_journal_checksum, deterministic=True)
    connection.create_function("demine_crc", 1, zlib.crc32, deterministic=True)


def update_game_checksum(connection: sqlite3.Connection, game_num: int) -> None:
    """Update a game's seal after an intended change, in the same transaction."""
    connection.execute(f"{UPDATE_CHECKSUMS_SQL} WHERE num = ?", (game_num,))
