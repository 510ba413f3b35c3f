"""Paths of the player's database and of the files beside it."""

from __future__ import annotations

import os
import re
import stat
import zlib
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from glob import escape
from pathlib import Path
from tempfile import gettempdir
from typing import Final

FILE_NAME: Final = "demine.db"
PRIVATE_FILE_MODE: Final = 0o600
PRIVATE_FOLDER_MODE: Final = 0o700
_SET_ASIDE_NAME: Final = re.compile(r"[a-z]+-\d{8}-\d{6}(-\d+)?")
SQLITE_SUFFIXES: Final = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a database; it belongs to it and moves with it."""


def data_dir() -> Path:
    """Return the folder of the player's data: `$DEMINE_DATA_DIR`, else the platform's own.

    Raises `StoreError` for one below the home of somebody who is not known here.
    """
    chosen = os.environ.get("DEMINE_DATA_DIR")
    if chosen:
        return _expand_home(chosen)
    from platformdirs import user_data_path

    return user_data_path("demine", appauthor=False)


def _expand_home(chosen: str) -> Path:
    try:
        return Path(chosen).expanduser()
    except RuntimeError:
        from demine.store.errors import NO_HOME, StoreError

        raise StoreError(NO_HOME, folder=chosen) from None


def default_path() -> Path:
    """Return the path of the player's database."""
    return data_dir() / FILE_NAME


def spill_folders(path: Path) -> Iterator[Path]:
    """Yield where games are put that the database at a path does not take, the best place first."""
    yield path.parent
    with suppress(RuntimeError):  # nobody's home
        state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
        yield Path(state) / "demine"
    with suppress(OSError):  # there is none that can be written
        yield Path(gettempdir()) / f"demine-{getattr(os, 'getuid', int)()}"


def spill_prefix(path: Path) -> str:
    """Return how the names of such files begin that belong to one database: they share folders."""
    return f"demine-unsaved-{zlib.crc32(os.fsencode(path)):08x}-"


def spill_files(path: Path) -> list[Path]:
    """Return the files with games that the database at a path did not take, by their moments."""
    prefix, found = spill_prefix(path), dict[Path, None]()
    for folder in spill_folders(path):
        with suppress(OSError):
            # At every start: quicker than a glob.
            with os.scandir(folder) as entries:
                names = [each.name for each in entries if each.name.startswith(prefix)]
            found |= dict.fromkeys(folder / name for name in names if name.endswith(".jsonl"))
    return sorted(found, key=lambda file: file.name)


def utc_now_text() -> str:
    """Return this moment as ISO text, UTC, to the microsecond: texts sort as the moments do."""
    return utc_text(datetime.now(UTC))


def utc_text(moment: datetime) -> str:
    """Return a moment with a time zone as the store writes it."""
    utc = moment.astimezone(UTC).replace(tzinfo=None)
    return utc.isoformat(timespec="microseconds") + "Z"


def set_aside_path(path: Path, word: str) -> Path:
    """Return a free name beside `path` that says what it is and since when.

    `demine.damaged-20261121-101500.db`, or with `-2` after the time when that is taken.
    """
    moment = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    for count in range(1, 1_000_000):
        again = f"-{count}" if count > 1 else ""
        candidate = path.with_name(f"{path.stem}.{word}-{moment}{again}{path.suffix}")
        if not any(os.path.lexists(name) for name in database_files(candidate)):
            return candidate
    raise FileExistsError(path)


def database_files(path: Path) -> list[Path]:
    """Return the files of one database, the database itself last."""
    return [*(path.with_name(path.name + suffix) for suffix in SQLITE_SUFFIXES), path]


def set_database_aside(path: Path, word: str) -> Path:
    """Rename a database with the files that belong to it; return its new path.

    All or nothing: raises `OSError` with everything where it was.
    """
    kept = set_aside_path(path, word)
    done: list[tuple[Path, Path]] = []
    # The database goes last: cut off in between, it is found and set aside at the next start,
    # while SQLite would delete a log it finds beside no database.
    for old, new in zip(database_files(path), database_files(kept), strict=True):
        if not os.path.lexists(old):
            continue
        try:
            old.rename(new)
        except OSError:
            for was, became in reversed(done):
                became.rename(was)
            raise
        done.append((old, new))
    if kept.is_file():
        with suppress(OSError):
            kept.chmod(PRIVATE_FILE_MODE)
    return kept


def finish_setting_aside(path: Path) -> Path | None:
    """Go on with a renaming that was cut off, its log moved and its database not yet.

    Returns the new path of the database; None where there is nothing to finish. Raises `OSError`.
    """
    for log in path.parent.glob(f"{escape(path.stem)}.*-*{escape(path.suffix)}-*"):
        kept = log.with_name(log.name[: log.name.rindex(path.suffix) + len(path.suffix)])
        if _is_set_aside_name(path, kept) and not os.path.lexists(kept) and os.path.lexists(path):
            for old, new in zip(database_files(path), database_files(kept), strict=True):
                if os.path.lexists(old) and not os.path.lexists(new):
                    old.rename(new)
            return kept
    return None


def set_aside_files(path: Path, word: str) -> list[Path]:
    """Return the files that were set aside for a reason, the oldest first."""
    found = path.parent.glob(f"{escape(path.stem)}.{word}-*{escape(path.suffix)}")
    return sorted(each for each in found if _is_set_aside_name(path, each) and each.is_file())


def _is_set_aside_name(path: Path, kept: Path) -> bool:
    name = kept.name.removeprefix(f"{path.stem}.").removesuffix(path.suffix)
    return _SET_ASIDE_NAME.fullmatch(name) is not None


def side_database_path(path: Path) -> Path:
    """Return where games are kept while the database is one that a newer demine made."""
    return path.with_name(f"{path.stem}.beside{path.suffix}")


def make_private_folder(folder: Path) -> None:
    """Make a folder, and those it lies in, for its owner only. Raises `OSError`."""
    if not folder.is_dir():
        make_private_folder(folder.parent)
        folder.mkdir(mode=PRIVATE_FOLDER_MODE, exist_ok=True)


def make_private_file(path: Path) -> None:
    """Make an empty file for its owner only, unless it is there. Raises `OSError`.

    SQLite gives a log the mode of its database. What is there is not opened: closing it again
    would let go of the locks that this process has on it.
    """
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, PRIVATE_FILE_MODE))


def is_special_file(path: Path) -> bool:
    """Whether something lies there that is no file and no folder: opening it may wait for ever."""
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116 (at every start)
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))
