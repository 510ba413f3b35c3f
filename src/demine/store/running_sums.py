"""Running sums of many games at once: what the triggers of the schema add up game by game."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, TypeAlias

Result: TypeAlias = "str | None"
_ENDED: Final = ("won", "lost", "resigned")


class AddedGame(NamedTuple):
    """What the sums count of a game that is added."""

    id: str
    rules: str
    status: str
    unranked: str
    result: Result
    finished_at: str | None
    seal: int


def add_games(connection: sqlite3.Connection, games: Sequence[AddedGame]) -> None:
    """Add games to tally, counts and the sums of their rules, before their rows are inserted.

    The sums are those that the triggers would make; a game of an import, listed in `arrivals`, has
    none of its own.
    """
    ended = [game for game in games if game.status in _ENDED]
    connection.execute(
        "UPDATE tally SET games = games + ?, seals = seals + ?",
        (len(ended), sum(game.seal for game in ended)),
    )
    _add_to_counts(connection, ended)
    by_rules: dict[str, list[AddedGame]] = {}
    for game in games:
        if game.status in _ENDED or game.result is not None:
            by_rules.setdefault(game.rules, []).append(game)
    for rules, added in by_rules.items():
        _add_to_sums(connection, rules, added)


def _add_to_counts(connection: sqlite3.Connection, ended: Iterable[AddedGame]) -> None:
    counts = Counter((game.rules, game.status, game.unranked) for game in ended)
    connection.executemany(
        "INSERT INTO game_counts (rules, status, unranked, games) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (rules, status, unranked) DO UPDATE SET games = games + excluded.games",
        [(*kind, games) for kind, games in counts.items()],
    )


def _add_to_sums(connection: sqlite3.Connection, rules: str, added: Sequence[AddedGame]) -> None:
    counted = sorted(
        (str(game.finished_at), game.id, game.result) for game in added if game.result is not None
    )
    connection.execute("INSERT OR IGNORE INTO sums (rules) VALUES (?)", (rules,))
    connection.execute(
        "UPDATE sums SET ended = ended + ?, games = games + ?, wins = wins + ? WHERE rules = ?",
        (
            sum(game.status in _ENDED for game in added),
            len(counted),
            sum(result == "won" for *_, result in counted),
            rules,
        ),
    )
    if not counted:
        return
    if _is_followed(connection, rules, counted[0][:2]):
        connection.execute(
            "UPDATE sums SET stale = 1, prior_streak = NULL, prior_best = NULL WHERE rules = ?",
            (rules,),
        )
    else:
        _extend_streaks(connection, rules, (result for *_, result in counted))


def _is_followed(connection: sqlite3.Connection, rules: str, end: Sequence[str]) -> bool:
    """Return whether a counted game ended after this moment and id."""
    found = connection.execute(
        "SELECT 1 FROM games INDEXED BY games_counted WHERE rules = ? AND result IS NOT NULL"
        " AND (finished_at, id) > (?, ?) LIMIT 1",
        (rules, *end),
    )
    return found.fetchone() is not None


def _extend_streaks(connection: sqlite3.Connection, rules: str, results: Iterable[Result]) -> None:
    """Extend the streaks by results that follow all that are counted."""
    sql = "SELECT streak, best_streak FROM sums WHERE rules = ?"
    streak, best = before = connection.execute(sql, (rules,)).fetchone()
    for result in results:
        before = streak, best
        streak = streak + 1 if result == "won" else 0
        best = max(best, streak)
    connection.execute(
        "UPDATE sums SET streak = ?, best_streak = ?, prior_streak = ?, prior_best = ?"
        " WHERE rules = ?",
        (streak, best, *before, rules),
    )
