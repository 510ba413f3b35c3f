"""Merge databases: copy games and settings from a private one into the player's, in batches."""

from __future__ import annotations

import shutil
import sqlite3
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

from demine.scene.translation import ntr
from demine.store import checksums, drills, game_rows, running_sums, schema, settings
from demine.store.damage_checks import SQL_ERRORS, is_damage_error
from demine.store.database_paths import database_files
from demine.store.errors import UnusableDatabase
from demine.store.transactions import PRAGMAS

if TYPE_CHECKING:
    from demine.store.opening_report import RunBatch

T = TypeVar("T")
ProgressReport: TypeAlias = Callable[[int, int], object]
"""Is called with how many games are done, and of how many; more than once from the beginning."""

_GAME: Final = (
    "id, rules, header, status, unranked, result, time_ms, hits, acts, "
    "began_at, seen_at, finished_at, owner, crc, seal"
)
_SUMMED: Final = itemgetter(
    *(_GAME.split(", ").index(name) for name in running_sums.AddedGame._fields)
)
"""Takes the values of an `AddedGame` from those of `_GAME`."""
_PARTS: Final = (
    ("journals", "pack"),
    ("dailies", "day, level, opened_at, outcome"),
    ("events", "seq, line, crc"),
)
_SCANS: Final = (
    "SELECT num FROM games NOT INDEXED ORDER BY num",
    "SELECT num FROM games NOT INDEXED ORDER BY num DESC",
    "SELECT num FROM games INDEXED BY games_id ORDER BY id",
    f"SELECT num FROM games INDEXED BY games_ended WHERE {schema.HAS_ENDED}",  # noqa: S608
)
_BATCH_S: Final = 0.02
"""The longest transaction of an import, in seconds: meanwhile others wait to save an act."""
_ALONE: Final = 5
"""How many times as long a transaction may take while nobody else could wait for its end: no other
program has the database open, and no other thread of this one runs."""
_AT_ONCE: Final = 62
"""The most games that are copied by the same statements."""
PAUSE_S: Final = 0.03
"""The pause between batches, in seconds: longer than SQLite sleeps between attempts in the first
tenth of a second, so that others get their turn."""
_TURN_S: Final = 0.002
"""The pause where no other program has the database open: for the threads of this one."""


@dataclass(frozen=True, slots=True)
class Counts:
    """What was copied: settings, new games; games known before; unreadable games; new drills."""

    settings: int = 0
    games: int = 0
    known: int = 0
    unreadable: int = 0
    drills: int = 0
    answers: int = 0
    """How many answers to drills are new."""

    def added_sentences(self) -> list[str]:
        """Return how much was added, in the current language; of drills only if there are any."""
        said = [ntr("{n} game added", "{n} games added", self.games)]
        if self.drills:
            said.append(ntr("{n} drill added", "{n} drills added", self.drills))
        if self.answers:
            answers = ntr("{n} answer to drills added", "{n} answers to drills added", self.answers)
            said.append(answers)
        return said


@contextmanager
def staging_database() -> Iterator[sqlite3.Connection]:
    """Yield a temporary database for what is to be copied into the player's."""
    connection = sqlite3.connect("", isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode = MEMORY").fetchall()
        connection.execute("PRAGMA cache_size = -65536")  # KB; the rest goes to disk
        schema.migrate(connection)
        _drop_unneeded_for_copying(connection)
        connection.execute("BEGIN")
        yield connection
    finally:
        connection.close()


def _drop_unneeded_for_copying(staging: sqlite3.Connection) -> None:
    """Leave sums and orders of games to the player's database, where the games are copied to."""
    found = staging.execute(
        "SELECT type, name FROM sqlite_master WHERE sql IS NOT NULL"
        " AND (type = 'trigger' OR type = 'index' AND name <> 'games_id')"
    )
    for kind, name in found.fetchall():
        staging.execute(f"DROP {kind} {name}")


@contextmanager
def open_copy(path: Path, copy_folder: Path | None = None) -> Iterator[sqlite3.Connection]:
    """Open a temporary copy of a database: reading the original would change it.

    The copy is made in `copy_folder`, which is created and removed again (its name lets a start
    tell whose it was); by default in the system's temporary folder. Raises `OSError` or
    `sqlite3.Error`.
    """
    with _temporary_folder(copy_folder) as folder:
        copy = folder / "copy.db"
        for old, new in zip(database_files(path), database_files(copy), strict=True):
            # SQLite makes a new -shm file from the log.
            if old == path or (old.is_file() and not old.name.endswith("-shm")):
                shutil.copyfile(old, new)
        connection = sqlite3.connect(copy, isolation_level=None)
        try:
            for sql in PRAGMAS:
                connection.execute(sql).fetchall()
            checksums.register_sql_functions(connection)
            yield connection
        finally:
            with suppress(*SQL_ERRORS):
                connection.close()


@contextmanager
def _temporary_folder(copy_folder: Path | None) -> Iterator[Path]:
    if copy_folder is None:
        with TemporaryDirectory(prefix="demine-", ignore_cleanup_errors=True) as folder:
            yield Path(folder)
        return
    copy_folder.mkdir(mode=0o700)
    try:
        yield copy_folder
    finally:
        shutil.rmtree(copy_folder, ignore_errors=True)


def copy_in_batches(
    source: sqlite3.Connection,
    run_batch: RunBatch,
    *,
    importing_owner: str = "",
    pause_s: float = PAUSE_S,
    in_last_batch: Callable[[sqlite3.Connection], object] = lambda _: None,
    progress: ProgressReport = lambda _done, _count: None,
) -> Counts:
    """Copy what `source` has and the player's database lacks, batch by batch.

    A game in both is not copied, unless it is over only in `source` and no living program holds it.
    Until the last transaction copied games are listed as arrivals of `importing_owner`, if one is
    given. That transaction also writes settings, drills and the games that replace others, and
    calls `in_last_batch`. A batch may be repeated. Raises what `run_batch` raises, with earlier
    batches written.
    """
    pairs = readable_settings(source)
    waiting = readable_row_numbers(source)
    replacing: list[int] = []
    has_neighbours = False
    new = known = unreadable = place = 0
    added = drills.Added()
    while place < len(waiting):

        def work(target: sqlite3.Connection, held: set[str], first: int = place) -> list[str]:
            nonlocal has_neighbours
            has_neighbours = bool(held - {importing_owner})
            # A longer one writes a page of an index once for more games.
            longest = _BATCH_S * (1 if has_neighbours or threading.active_count() > 1 else _ALONE)
            until = time.perf_counter() + longest
            return _copy_batch(source, target, waiting, first, held, importing_owner, until)

        became = run_batch(work)
        replacing += (waiting[place + n] for n, each in enumerate(became) if each == "replaces")
        new += became.count("new")
        known += became.count("known")
        unreadable += became.count("unreadable")
        place += len(became)
        progress(place, len(waiting))
        if place < len(waiting):
            time.sleep(pause_s if has_neighbours else min(pause_s, _TURN_S))

    def finish(target: sqlite3.Connection, held: set[str]) -> list[str]:
        nonlocal added
        settings.write_settings(target, pairs)
        added = drills.copy_drills(source, target)
        if importing_owner:
            target.execute("DELETE FROM arrivals WHERE owner = ?", (importing_owner,))
        in_last_batch(target)
        return [
            became
            for num in replacing
            for became in _copy_games(source, target, [num], held, "", replace=True)
        ]

    became = run_batch(finish)
    new += became.count("new")
    known += became.count("known")
    return Counts(len(pairs), new, known, unreadable, *added)


def copy_in_one_transaction(
    source: sqlite3.Connection, target: sqlite3.Connection, living_owners: set[str]
) -> Counts:
    """Copy as `copy_in_batches` does, but inside one transaction of the caller's."""

    def at_once(work: Callable[[sqlite3.Connection, set[str]], T]) -> T:
        return work(target, living_owners)

    return copy_in_batches(source, at_once, pause_s=0.0)


def _copy_batch(
    source: sqlite3.Connection,
    target: sqlite3.Connection,
    waiting: Sequence[int],
    first: int,
    held: Collection[str],
    importing_owner: str,
    until: float,
) -> list[str]:
    """Copy waiting games from the first on, as many as time allows; return what became of each."""
    became: list[str] = []
    while nums := waiting[(place := first + len(became)) : place + min(len(became) + 1, _AT_ONCE)]:
        became += _copy_games(source, target, nums, held, importing_owner)
        if time.perf_counter() > until:
            break
    return became


def _copy_games(
    source: sqlite3.Connection,
    target: sqlite3.Connection,
    nums: Sequence[int],
    held: Collection[str],
    importing_owner: str,
    *,
    replace: bool = False,
) -> list[str]:
    """Copy the rows of games as they are, unless they are known; `nums` are in order.

    Return "new", "known", "unreadable", or "replaces" for one that only `replace` lets be copied.
    """
    try:
        games = dict(_read_rows(source, "games", _GAME, nums))
        parts = [_read_rows(source, table, columns, nums) for table, columns in _PARTS]
    except UnusableDatabase:
        if len(nums) == 1:
            return ["unreadable"]
        return [
            became
            for num in nums
            for became in _copy_games(source, target, [num], held, importing_owner, replace=replace)
        ]
    ids = {num: str(games[num][0]) for num in nums}
    known = _status_and_owner(target, list(ids.values()))
    became = []
    for num in nums:
        outcome = _outcome(str(games[num][3]), known.get(ids[num]), held, replace=replace)
        became.append(outcome)
        if outcome == "new":
            if ids[num] in known:
                target.execute("DELETE FROM games WHERE id = ?", (ids[num],))
            known[ids[num]] = (games[num][3], games[num][12])
    new = [num for num, outcome in zip(nums, became, strict=True) if outcome == "new"]
    (last,) = target.execute("SELECT coalesce(max(num), 0) FROM games").fetchone()
    placed = dict(zip(new, count(last + 1), strict=False))
    rows_of_games = [(placed[num], games[num]) for num in new]
    if importing_owner:
        _list_arrivals(target, [(placed[num], ids[num], importing_owner) for num in new])
        added = [running_sums.AddedGame(*_SUMMED(row)) for _, row in rows_of_games]
        running_sums.add_games(target, added)
    _insert_rows(target, "games", _GAME, rows_of_games)
    for (table, columns), rows in zip(_PARTS, parts, strict=True):
        found = [(placed[num], row) for num, row in rows if num in placed]
        _insert_rows(target, table, columns, found)
    if not importing_owner:
        owners = _owners(source, nums)
        _list_arrivals(
            target, [(placed[num], ids[num], owners[num]) for num in new if num in owners]
        )
    return became


def _list_arrivals(target: sqlite3.Connection, arrivals: Iterable[tuple[int, str, str]]) -> None:
    """List games as arrivals: their numbers, their ids, and who imports them."""
    target.executemany(
        "INSERT OR REPLACE INTO arrivals VALUES (?, ?, ?, ?)",
        [(*listed, checksums.row_checksum(*listed)) for listed in arrivals],
    )


def _outcome(
    status: str, known: tuple[object, object] | None, held: Collection[str], *, replace: bool
) -> str:
    """Return what becomes of a game, of which the target may know the status and the owner."""
    if known is None:
        return "new"
    is_ended = status not in ("running", "damaged")
    if not is_ended or known[0] not in ("running", "damaged") or known[1] in held:
        return "known"
    return "new" if replace else "replaces"


def _status_and_owner(
    target: sqlite3.Connection, ids: Sequence[str]
) -> dict[str, tuple[object, object]]:
    """Return status and owner of the games that are there, by their ids."""
    sql = f"SELECT id, status, owner FROM games WHERE id IN ({', '.join('?' * len(ids))})"  # noqa: S608
    return {game_id: (status, owner) for game_id, status, owner in target.execute(sql, ids)}


def _read_rows(
    source: sqlite3.Connection, table: str, columns: str, nums: Sequence[int]
) -> list[tuple[int, Sequence[object]]]:
    """Return the rows of games in a table by number; raises `UnusableDatabase` for damaged ones."""
    sql = f"SELECT num, {columns} FROM {table} WHERE num IN ({', '.join('?' * len(nums))})"  # noqa: S608
    try:
        return [(num, row) for num, *row in source.execute(sql, nums)]
    except SQL_ERRORS as error:
        if is_damage_error(error):
            raise UnusableDatabase("{text}", text=error) from error
        raise


def _insert_rows(
    target: sqlite3.Connection,
    table: str,
    columns: str,
    rows: Iterable[tuple[int, Sequence[object]]],
) -> None:
    """Insert rows of games into a table under their numbers there."""
    game_rows.insert_rows(target, f"{table} (num, {columns})", [(num, *row) for num, row in rows])


def _owners(source: sqlite3.Connection, nums: Sequence[int]) -> dict[int, str]:
    """Return who was importing salvaged games, by their numbers."""
    sql = f"SELECT -num, owner FROM arrivals WHERE num IN ({', '.join('?' * len(nums))})"  # noqa: S608
    return {num: str(owner) for num, owner in source.execute(sql, [-num for num in nums])}


def delete_partial_imports(run_batch: RunBatch, own_owner: str = "") -> None:
    """Delete the games of interrupted imports, by `own_owner` and by owners that are gone."""

    def work(target: sqlite3.Connection, held: set[str]) -> bool:
        until = time.perf_counter() + _BATCH_S
        owners = {owner for (owner,) in target.execute("SELECT DISTINCT owner FROM arrivals")}
        for owner in owners - (held - {own_owner}):
            sql = "SELECT num, id FROM arrivals WHERE owner = ?"
            for num, game_id in target.execute(sql, (owner,)).fetchall():
                target.execute("DELETE FROM games WHERE num = ? AND id = ?", (num, game_id))
                target.execute("DELETE FROM arrivals WHERE num = ?", (num,))
                if time.perf_counter() > until:
                    return True
        return False

    while run_batch(work):
        time.sleep(PAUSE_S)


def readable_settings(source: sqlite3.Connection) -> list[tuple[str, str]]:
    """Return the names and JSON texts of all settings; none if they cannot be read."""
    try:
        return settings.read_settings(source)
    except (*SQL_ERRORS, UnusableDatabase):
        return []


def readable_row_numbers(source: sqlite3.Connection) -> list[int]:
    """Return the row numbers of all games that a scan of the table or an index can reach."""
    found: set[int] = set()
    for sql in _SCANS:
        with suppress(*SQL_ERRORS):
            for (num,) in source.execute(sql):
                if isinstance(num, int):
                    found.add(num)
    return sorted(found)
