"""Drills and their reviews: rows that are only ever added, so that progress is a fold over them.

A game in which a search found no drill has one row of act 0, so that it is not searched again; no
reader returns it, and neither exports nor copies have it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final, NamedTuple

from demine.store import checksums
from demine.store.damage_checks import (
    SQL_ERRORS,
    check_types,
    is_damage_error,
    verify_drills,
)
from demine.store.errors import UnusableDatabase
from demine.store.schema import HAS_ENDED

MAX_TEXT: Final = 200
"""Characters of the longest game id, kind or pattern that is imported."""
LATEST_AT: Final = "9000"
"""Moments of answers are before this year: when a card is due again must be a date, too."""
_COLUMNS: Final = "game, act, row, col, kind, pattern"
_REVIEW: Final = "at, is_right, time_ms"


class Added(NamedTuple):
    """How many drills and answers there are, or were added."""

    drills: int = 0
    answers: int = 0


class DrillKey(NamedTuple):
    """A drill as it is stored: an act of a game by its id, the cell to answer, what is asked.

    >>> import demine
    >>> demine.drills("9x9/10", seed=1)[0].key.game
    '9x9/10 #1'
    """

    game: str
    act: int
    row: int
    col: int
    kind: str
    pattern: str


class DrillReview(NamedTuple):
    """One answer to a drill: when (ISO text, UTC), whether it was right, and how long it took.

    >>> import demine
    >>> drill = demine.drills("9x9/10", seed=1)[0]
    >>> review = demine.DrillReview(drill.key, "2026-11-27T10:00:00.000000Z", True, 1800)
    >>> with demine.Store.memory() as store:
    ...     store.add_drill_reviews([review])
    ...     store.drill_reviews() == (review,)
    True
    """

    drill: DrillKey
    at: str
    is_right: bool
    time_ms: int


def add_drills(connection: sqlite3.Connection, game_id: str, found: Iterable[DrillKey]) -> None:
    """Add what a search found in a game; what is known is left as it is."""
    rows = _KnownRows(connection)
    for key in tuple(found) or (DrillKey(game_id, 0, 0, 0, "", ""),):
        rows.add_drill(key)


def add_reviews(connection: sqlite3.Connection, reviews: Iterable[DrillReview]) -> None:
    """Add reviews, and their drills if they are new; what is known is left as it is."""
    rows = _KnownRows(connection)
    for review in reviews:
        rows.add_review(review)


class _KnownRows:
    """The rows of a database, to be added to within one transaction; none is added twice."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        drills = connection.execute("SELECT num, game, act, row, col, kind FROM drills")
        self._drills: dict[tuple[object, ...], int] = {tuple(key): num for num, *key in drills}
        self._reviews = set(connection.execute("SELECT drill, at FROM drill_reviews"))

    def counts(self) -> Added:
        """Return how many there are."""
        return Added(len(self._drills), len(self._reviews))

    def add_drill(self, key: DrillKey) -> int:
        """Add a drill unless it is known, and return its row number."""
        if key[:5] not in self._drills:
            self._drills[key[:5]] = _insert(self._connection, "drills", _COLUMNS, key)
        return self._drills[key[:5]]

    def add_review(self, review: DrillReview) -> None:
        """Add a review unless it is known."""
        drill = self.add_drill(review.drill)
        if (drill, review.at) not in self._reviews:
            _insert_review(self._connection, drill, review)
            self._reviews.add((drill, review.at))


def _insert_review(connection: sqlite3.Connection, drill: int, review: DrillReview) -> None:
    values = (drill, review.at, int(review.is_right), review.time_ms)
    _insert(connection, "drill_reviews", f"drill, {_REVIEW}", values)


def _insert(
    connection: sqlite3.Connection, table: str, columns: str, values: tuple[object, ...]
) -> int:
    """Insert a row under the next number, which is returned, with its seal."""
    (last,) = connection.execute(f"SELECT coalesce(max(num), 0) FROM {table}").fetchone()  # noqa: S608 (names)
    row = (last + 1, *values)
    marks = ", ".join("?" * (len(row) + 1))
    connection.execute(
        f"INSERT INTO {table} (num, {columns}, seal) VALUES ({marks})",  # noqa: S608 (names)
        (*row, checksums.row_checksum(*row)),
    )
    return int(last) + 1


def read_drills(connection: sqlite3.Connection) -> list[DrillKey]:
    """Return all drills, in the order in which they were found; raises `UnusableDatabase`."""
    verify_drills(connection)
    found = connection.execute(f"SELECT {_COLUMNS} FROM drills WHERE act > 0 ORDER BY num")  # noqa: S608 (names)
    return [_checked_key(row) for row in found]


def games_with_drills(connection: sqlite3.Connection) -> frozenset[str]:
    """Return the ids of the ended games that are kept and of which there are drills."""
    found = connection.execute(
        f"SELECT id FROM games WHERE {HAS_ENDED}"  # noqa: S608 (names)
        " AND id IN (SELECT game FROM drills WHERE act > 0)"
    )
    return frozenset(str(each) for (each,) in found)


def read_reviews(connection: sqlite3.Connection) -> list[DrillReview]:
    """Return all reviews, in the order of their moments; raises `UnusableDatabase`.

    Those with a moment of no calendar in use are left out.
    """
    verify_drills(connection)
    found = connection.execute(
        f"SELECT {_COLUMNS}, {_REVIEW} FROM drill_reviews"  # noqa: S608 (names)
        " JOIN drills ON drills.num = drill WHERE at < ? ORDER BY at, drill_reviews.num",
        (LATEST_AT,),
    )
    reviews = []
    for row in found:
        check_types(row[6:], str, int, int)
        at, is_right, time_ms = row[6:]
        reviews.append(DrillReview(_checked_key(row[:6]), at, bool(is_right), time_ms))
    return reviews


def _checked_key(row: tuple[object, ...]) -> DrillKey:
    check_types(row, str, int, int, int, str, str)
    return DrillKey(*row)  # type: ignore[arg-type]  # checked


def games_not_searched(connection: sqlite3.Connection, limit: int) -> list[str]:
    """Return the ids of up to `limit` games that are over and were never searched, newest first."""
    searched = {game for (game,) in connection.execute("SELECT DISTINCT game FROM drills")}
    newest = connection.execute(
        f"SELECT id FROM games INDEXED BY games_ended WHERE {HAS_ENDED}"  # noqa: S608 (names)
        " ORDER BY ended_at DESC, id DESC"
    )
    return list(islice((str(each) for (each,) in newest if each not in searched), limit))


def copy_drills(source: sqlite3.Connection, target: sqlite3.Connection) -> Added:
    """Copy the drills and reviews that `target` lacks, as far as `source` can be read."""
    drills: list[DrillKey] = []
    reviews: list[DrillReview] = []
    try:
        drills, reviews = read_drills(source), read_reviews(source)
    except (UnusableDatabase, *SQL_ERRORS) as error:
        if not (isinstance(error, UnusableDatabase) or is_damage_error(error)):
            raise
    rows = _KnownRows(target)
    before = rows.counts()
    for key in drills:
        rows.add_drill(key)
    for review in reviews:
        rows.add_review(review)
    after = rows.counts()
    return Added(after.drills - before.drills, after.answers - before.answers)


# As lines of an export


def drill_entries(
    found: Iterable[DrillKey], reviews: Iterable[DrillReview]
) -> Iterator[dict[str, object]]:
    """Yield each drill with its reviews as the entry of an export."""
    told: dict[DrillKey, list[list[object]]] = {}
    for review in reviews:
        told.setdefault(review.drill, []).append([review.at, review.is_right, review.time_ms])
    for key in found:
        yield {
            "drill": key.game,
            "act": key.act,
            "cell": [key.row, key.col],
            "kind": key.kind,
            "pattern": key.pattern,
            "reviews": told.get(key, []),
        }


class DrillEntry(NamedTuple):
    """A drill of an export, with its reviews."""

    drill: DrillKey
    reviews: tuple[DrillReview, ...]

    def stage(self, staging: sqlite3.Connection) -> None:
        """Write the drill and its reviews where they wait to be copied; what is known, again."""
        drill = _insert(staging, "drills", _COLUMNS, self.drill)
        for review in self.reviews:
            _insert_review(staging, drill, review)
