"""Where the player's records lie, and how a file that is set aside is called."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

FILE_NAME: Final = "demine.db"
SUFFIXES: Final = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a database; it belongs to it and moves with it."""


def data_dir() -> Path:
    """Return the folder of the player's data: `$DEMINE_DATA_DIR`, else the platform's own.

    Raises `StoreError` for one below the home of somebody who is not known here.
    """
    chosen = os.environ.get("DEMINE_DATA_DIR")
    if chosen:
        return _expanded(chosen)
    from platformdirs import user_data_path

    return user_data_path("demine", appauthor=False)


def _expanded(chosen: str) -> Path:
    try:
        return Path(chosen).expanduser()
    except RuntimeError:
        from demine.store.errors import NO_HOME, StoreError

        raise StoreError(NO_HOME, folder=chosen) from None


def default_path() -> Path:
    """Return the path of the player's database."""
    return data_dir() / FILE_NAME


def now() -> str:
    """Return this moment as ISO text, UTC, to the microsecond: texts sort as the moments do."""
    return stamp(datetime.now(UTC))


def stamp(moment: datetime) -> str:
    """Return a moment with a time zone as the store writes it."""
    utc = moment.astimezone(UTC).replace(tzinfo=None)
    return utc.isoformat(timespec="microseconds") + "Z"


def aside_path(path: Path, word: str) -> Path:
    """Return a free name beside `path` that says what it is and since when.

    `demine.damaged-20261121-101500.db`, or with `-2` after the time when that is taken.
    """
    moment = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    for count in range(1, 1_000_000):
        again = f"-{count}" if count > 1 else ""
        candidate = path.with_name(f"{path.stem}.{word}-{moment}{again}{path.suffix}")
        if not any(os.path.lexists(name) for name in family(candidate)):
            return candidate
    raise FileExistsError(path)


def family(path: Path) -> list[Path]:
    """Return the files of one database, the database itself last."""
    return [*(path.with_name(path.name + suffix) for suffix in SUFFIXES), path]


def set_aside(path: Path, word: str) -> Path:
    """Rename a database with the files that belong to it; return its new path.

    All or nothing: raises `OSError` with everything where it was.
    """
    kept = aside_path(path, word)
    done: list[tuple[Path, Path]] = []
    # The database goes last: cut off in between, it is found and set aside at the next start,
    # while SQLite would delete a log it finds beside no database.
    for old, new in zip(family(path), family(kept), strict=True):
        if not os.path.lexists(old):
            continue
        try:
            old.rename(new)
        except OSError:
            for was, became in reversed(done):
                became.rename(was)
            raise
        done.append((old, new))
    return kept
