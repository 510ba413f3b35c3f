"""Games and settings carried from one database into another, row by row."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from demine.store import rows, settings
from demine.store.connection import SETTINGS, SQL_ERRORS, typed
from demine.store.errors import StoreError, Unfit
from demine.store.place import family

_GAME: Final = (
    "id, rules, header, status, unranked, result, time_ms, hits, acts,"
    " began_at, seen_at, finished_at, owner"
)
_GAME_KINDS: Final = (
    str, str, str, str, str, (str, type(None)), int, int, int,
    str, str, (str, type(None)), (str, type(None)),
)  # fmt: skip
_SCANS: Final = (
    "SELECT num FROM games NOT INDEXED ORDER BY num",
    "SELECT num FROM games NOT INDEXED ORDER BY num DESC",
    "SELECT num FROM games INDEXED BY games_id ORDER BY id",
    "SELECT num FROM games INDEXED BY games_finished ORDER BY finished_at DESC, id DESC",
)


@dataclass(frozen=True, slots=True)
class Counts:
    """What was carried over: new settings and games, games known before, games unreadable."""

    settings: int = 0
    games: int = 0
    known: int = 0
    unreadable: int = 0


@contextmanager
def opened_copy(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a copy of a database: reading one in its place would change it.

    Raises `OSError` or `sqlite3.Error`.
    """
    with TemporaryDirectory(prefix="demine-", ignore_cleanup_errors=True) as folder:
        copy = Path(folder) / path.name
        for old, new in zip(family(path), family(copy), strict=True):
            # SQLite makes the -shm file anew, from the log.
            if old == path or (old.is_file() and not old.name.endswith("-shm")):
                shutil.copyfile(old, new)
        connection = sqlite3.connect(copy, isolation_level=None)
        try:
            for sql in SETTINGS:
                connection.execute(sql).fetchall()
            yield connection
        finally:
            with suppress(*SQL_ERRORS):
                connection.close()


def salvage(target: sqlite3.Connection, kept: Path) -> Counts:
    """Carry over what can still be read of a damaged database that was set aside.

    Inside a transaction of the caller's on `target`.
    """
    if not kept.is_file():
        return Counts()
    with ExitStack() as stack:
        try:
            source = stack.enter_context(opened_copy(kept))
        except (OSError, *SQL_ERRORS):
            return Counts()
        return merge(source, target, ())


def merge(
    source: sqlite3.Connection, target: sqlite3.Connection, held: Collection[str | None]
) -> Counts:
    """Write into `target` all that `source` has and it has not; return what that was.

    A game known in both stays as it is in `target`, unless it is over only in `source` and its
    owner is none of `held`. Rows of `source` that cannot be read are left out. Raises
    `sqlite3.Error` for `target`.
    """
    pairs = settings_of(source)
    settings.put(target, pairs)
    new = known = unreadable = 0
    for num in numbers(source):
        try:
            game, content = _read_game(source, num)
            daily = _read_daily(source, num)
        except (*SQL_ERRORS, Unfit, StoreError):
            unreadable += 1
            continue
        try:
            written = _write_game(target, game, content, held)
            if written is not None:
                _write_daily(target, written, daily)
                new += 1
            else:
                known += 1
        except sqlite3.IntegrityError:
            # A row that reads well and says what no row can say.
            unreadable += 1
    return Counts(len(pairs), new, known, unreadable)


def settings_of(source: sqlite3.Connection) -> list[tuple[str, str]]:
    """Return names and JSON texts of all settings, none if they cannot be read."""
    try:
        return settings.rows(source)
    except (*SQL_ERRORS, Unfit):
        return []


def numbers(source: sqlite3.Connection) -> list[int]:
    """Return the numbers of all games that can be reached from any side."""
    found: set[int] = set()
    for sql in _SCANS:
        with suppress(*SQL_ERRORS):
            for (num,) in source.execute(sql):
                if isinstance(num, int):
                    found.add(num)
    return sorted(found)


def _read_game(
    source: sqlite3.Connection, num: int
) -> tuple[tuple[object, ...], bytes | list[str] | None]:
    """Return a game's row and its packed journal (None: lost), or its lines while it runs."""
    sql = f"SELECT {_GAME} FROM games NOT INDEXED WHERE num = ?"  # noqa: S608
    game = source.execute(sql, (num,)).fetchone()
    if game is None:
        raise Unfit("{text}", text="no row")
    typed(game, *_GAME_KINDS)
    status = game[3]
    if status == "damaged":
        found = source.execute("SELECT line FROM events WHERE num = ? ORDER BY seq", (num,))
        return game, [str(line) for (line,) in found]
    if status == "running":
        text = rows.journal_text(source, game[0], num)
        return game, text.rstrip("\n").split("\n")[1:]
    try:
        return game, rows.pack(rows.journal_text(source, game[0], num))
    except (StoreError, Unfit, *SQL_ERRORS):
        # A win without its journal is still a win.
        return game, None


def _write_game(
    target: sqlite3.Connection,
    game: tuple[object, ...],
    content: bytes | list[str] | None,
    held: Collection[str | None],
) -> int | None:
    """Write a game unless `target` has it already; return its number if it was written."""
    known = target.execute("SELECT status, owner FROM games WHERE id = ?", game[:1]).fetchone()
    if known is not None:
        status, owner = known
        if isinstance(content, list) or status not in ("running", "damaged") or owner in held:
            return None
        target.execute("DELETE FROM games WHERE id = ?", game[:1])
    marks = ", ".join("?" * len(game))
    cursor = target.execute(f"INSERT INTO games ({_GAME}) VALUES ({marks})", game)  # noqa: S608
    num = cursor.lastrowid
    assert num is not None  # noqa: S101 (an INSERT that did not raise has a row)
    if isinstance(content, bytes):
        rows.insert_pack(target, num, content)
    elif content is not None:
        rows.insert_lines(target, num, 0, content)
    return num


def _read_daily(source: sqlite3.Connection, num: int) -> tuple[object, ...] | None:
    """Return what is known of an attempt at a daily board; nothing where that cannot be read."""
    try:
        sql = "SELECT day, level, opened_at, outcome FROM dailies WHERE num = ?"
        found: tuple[object, ...] | None = source.execute(sql, (num,)).fetchone()
        if found is not None:
            typed(found, str, str, (str, type(None)), (str, type(None)))
    except (*SQL_ERRORS, Unfit):
        return None
    return found


def _write_daily(target: sqlite3.Connection, num: int, daily: tuple[object, ...] | None) -> None:
    if daily is not None:
        target.execute(
            "INSERT INTO dailies (num, day, level, opened_at, outcome) VALUES (?, ?, ?, ?, ?)",
            (num, *daily),
        )
