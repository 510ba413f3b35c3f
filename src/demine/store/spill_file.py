"""Spill files: games that could not be saved, stored elsewhere until the next start.

Such a file is an export (docs/store.md), so `demine records --import` reads it too.
"""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, TYPE_CHECKING

from demine.scene.atomic_file import atomic_file
from demine.scene.system_errors import system_error_reason
from demine.store import merge_databases
from demine.store.database_paths import PRIVATE_FILE_MODE, spill_files, spill_folders, spill_prefix
from demine.store.errors import NOWHERE, StoreError
from demine.store.json_lines import stage_readable_lines
from demine.store.notices import SPILL_DAMAGED, SPILL_TAKEN_IN, StoreNotice

if TYPE_CHECKING:
    from demine.store.self_replacing_database import Database


def write_spill_file(path: Path, export_text: str, owner: str) -> Path:
    """Write an export where the next start on the database at `path` finds it; return its path.

    Raises `StoreError` if no folder can be written to.
    """
    moment = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    reason: OSError | None = None
    for folder in spill_folders(path):
        file = folder / f"{spill_prefix(path)}{moment}-{owner}.jsonl"
        try:
            if folder != path.parent:
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                _check_owner(folder.lstat())
            with atomic_file(file, PRIVATE_FILE_MODE) as stream:
                stream.write(export_text.encode())
        except OSError as error:
            reason = reason or error
            continue
        return file
    raise StoreError(NOWHERE, reason=system_error_reason(reason or FileNotFoundError(path)))


def import_spill_files(database: Database, path: Path) -> Iterator[StoreNotice]:
    """Import the spill files of the database at `path`; yield the notices to show.

    A file is deleted once all of it is in the database, on the disk. Several programs may do this
    at once, because games are known by their ids. A file with games that a living program holds
    stays for another time.
    """
    games = 0
    for file in spill_files(path):
        with suppress(StoreError, OSError, sqlite3.Error):
            taken, unreadable = _import_spill_file(database, file)
            games += taken
            if unreadable:
                kept = file.with_name(f"{file.name}.damaged")
                file.replace(kept)
                yield StoreNotice(SPILL_DAMAGED, file=file, kept=kept)
    if games:
        yield StoreNotice(SPILL_TAKEN_IN, games=games)


def _import_spill_file(database: Database, file: Path) -> tuple[int, int]:
    """Import a file; return the number of new games and of unreadable lines."""
    with _open_own_file(file) as stream, merge_databases.staging_database() as staging:
        unreadable = stage_readable_lines(staging, stream)
        counts, whole = database.write_exclusively(
            lambda connection, others: _merge_latest(
                staging, connection, others | {database.owner}
            ),
            durable=True,
        )
    if whole and not unreadable:
        file.unlink(missing_ok=True)
    return counts.games, unreadable


def _open_own_file(file: Path) -> IO[bytes]:
    """Open a regular file that this user owns; raises `OSError` for any other."""
    number = os.open(
        file, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    )
    stream = os.fdopen(number, "rb")
    found = os.fstat(number)
    try:
        _check_owner(found)
        if not stat.S_ISREG(found.st_mode):
            raise PermissionError(file)
    except OSError:
        stream.close()
        raise
    return stream


def _check_owner(found: os.stat_result) -> None:
    if hasattr(os, "getuid") and found.st_uid != os.getuid():
        raise PermissionError("somebody else's")


def _merge_latest(
    staging: sqlite3.Connection, target: sqlite3.Connection, held: set[str]
) -> tuple[merge_databases.Counts, bool]:
    """Merge games, replacing older states; return the counts, and whether all are stored."""
    staged = staging.execute("SELECT id, status, acts, seen_at FROM games").fetchall()
    for game_id, status, _, seen in staged:
        known = target.execute(
            "SELECT owner, seen_at FROM games WHERE id = ?", (game_id,)
        ).fetchone()
        if known and status != "damaged" and known[0] not in held and known[1] < seen:
            target.execute("DELETE FROM games WHERE id = ?", (game_id,))
    counts = merge_databases.copy_in_one_transaction(staging, target, held)
    return counts, all(_is_stored(target, *row[:3]) for row in staged)


def _is_stored(target: sqlite3.Connection, game_id: str, status: str, acts: int) -> bool:
    found = target.execute("SELECT status, acts FROM games WHERE id = ?", (game_id,)).fetchone()
    return bool(found and status in (found[0], "running") and acts <= found[1])
