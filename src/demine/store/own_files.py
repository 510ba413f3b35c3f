"""Whether a file at a path that somebody chose is demine's own.

A damaged database is renamed so that a new one can take its place. In the player's own place that
is right whatever lies there. Anywhere else the path may be a slip, and what is no database of
demine's is somebody's letter or photograph, so it is refused and stays as it is.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Final

from demine.store import schema
from demine.store.damage_checks import quotable_reason
from demine.store.database_paths import FILE_NAME, database_files, default_path
from demine.store.errors import IS_FOLDER, NO_FILE, NO_SOURCE, NOT_OURS, Reason, StoreError
from demine.store.lost_write_ahead_log import file_identity
from demine.store.open_database import CONNECTIONS_BY_FILE

_SEARCHED: Final = 1 << 20
"""So much of a file is searched for demine's tables, whose definitions SQLite keeps as text."""
_MARK: Final = slice(68, 72)
"""Where the header of a database holds the id of its program."""


def check_is_own(path: Path) -> None:
    """Raise `StoreError` if a folder or a file is at `path` that is not demine's.

    Demine's are the player's own place, every file with its name (`demine.db`), an empty file, and
    what holds the mark or a table of demine's, also in the log beside it.
    """
    if path.is_dir():
        raise StoreError(NO_SOURCE, path=path, reason=Reason(IS_FOLDER))
    found = Path(os.path.realpath(path))
    if found.name == FILE_NAME or path == default_path() or not found.exists():
        return
    if not found.is_file():
        raise StoreError(NO_SOURCE, path=path, reason=Reason(NO_FILE))
    if CONNECTIONS_BY_FILE[file_identity(found)[0]]:
        return  # opened before by this process; closing it here would release its locks
    try:
        is_own = not found.stat().st_size or any(map(_holds_tables, database_files(found)))
    except OSError as error:
        raise StoreError(NO_SOURCE, path=path, reason=quotable_reason(error)) from error
    if not is_own:
        raise StoreError(NO_SOURCE, path=path, reason=Reason(NOT_OURS))


def _holds_tables(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as stream:
        head = stream.read(_SEARCHED)
    mark = schema.APPLICATION_ID.to_bytes(4, "big")
    return head[_MARK] == mark or any(table in head for table in _table_definitions())


@cache
def _table_definitions() -> tuple[bytes, ...]:
    steps = (sql for step in schema.MIGRATIONS for sql in step)
    return tuple(sql.encode() for sql in steps if sql.startswith("CREATE TABLE"))
