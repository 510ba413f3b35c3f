"""Paths of the player's database and of the files beside it."""

from __future__ import annotations

import os
import re
import stat
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import gettempdir
from typing import Final

FILE_NAME: Final = "demine.db"
PRIVATE_FILE_MODE: Final = 0o600
PRIVATE_FOLDER_MODE: Final = 0o700
_SET_ASIDE_NAME: Final = re.compile(r"[a-z]+-\d{8}-\d{6}(-\d+)?")
SQLITE_SUFFIXES: Final = ("-wal", "-shm", "-journal")
"""The files that SQLite keeps beside a database; they move with it."""


def data_dir() -> Path:
    """Return the folder of the player's data: `$DEMINE_DATA_DIR`, else the platform's own.

    Raises `StoreError` if the variable names the home folder of an unknown user.
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
    """Yield the folders for spill files of the database at `path`, the best first."""
    yield path.parent
    with suppress(RuntimeError):  # there is no home folder
        state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
        yield Path(state) / "demine"
    with suppress(OSError):  # there is no folder that can be written
        yield Path(gettempdir()) / f"demine-{getattr(os, 'getuid', int)()}"


def spill_prefix(path: Path) -> str:
    """Return the prefix of the names of one database's spill files; databases share folders."""
    return f"demine-unsaved-{zlib.crc32(os.fsencode(path)):08x}-"


def spill_files(path: Path) -> list[Path]:
    """Return the spill files of the database at `path`, the oldest first."""
    prefix, found = spill_prefix(path), dict[Path, None]()
    for folder in spill_folders(path):
        with suppress(OSError):
            # Quicker than a glob; this runs at every start.
            with os.scandir(folder) as entries:
                names = [each.name for each in entries if each.name.startswith(prefix)]
            found |= dict.fromkeys(folder / name for name in names if name.endswith(".jsonl"))
    return sorted(found, key=lambda file: file.name)


def set_aside_path(path: Path, reason: str) -> Path:
    """Return a free path beside `path` with the reason and the time in its name.

    `demine.damaged-20261121-101500.db`, or with `-2` after the time if that is taken.
    """
    from datetime import UTC, datetime  # not needed for a window's first frame

    moment = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    for count in range(1, 1_000_000):
        again = f"-{count}" if count > 1 else ""
        candidate = path.with_name(f"{path.stem}.{reason}-{moment}{again}{path.suffix}")
        if not any(os.path.lexists(name) for name in database_files(candidate)):
            return candidate
    raise FileExistsError(path)


def database_files(path: Path) -> list[Path]:
    """Return the paths of a database and the files SQLite keeps beside it, the database last."""
    return [*(path.with_name(path.name + suffix) for suffix in SQLITE_SUFFIXES), path]


def set_database_aside(path: Path, reason: str) -> Path:
    """Rename a database and its files to `set_aside_path`; return that path.

    Raises `OSError` with every file where it was.
    """
    kept = set_aside_path(path, reason)
    done: list[tuple[Path, Path]] = []
    # The database goes last: if this is interrupted, the next start finds it and sets it aside;
    # SQLite would delete a log without a database.
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
    """Complete a renaming that was interrupted after the log and before the database.

    Return the new path of the database; None if there is nothing to complete. Raises `OSError`.
    """
    from glob import escape

    for log in path.parent.glob(f"{escape(path.stem)}.*-*{escape(path.suffix)}-*"):
        kept = log.with_name(log.name[: log.name.rindex(path.suffix) + len(path.suffix)])
        if _is_set_aside_name(path, kept) and not os.path.lexists(kept) and os.path.lexists(path):
            for old, new in zip(database_files(path), database_files(kept), strict=True):
                if os.path.lexists(old) and not os.path.lexists(new):
                    old.rename(new)
            return kept
    return None


def set_aside_files(path: Path, reason: str) -> list[Path]:
    """Return the files that were set aside for a reason, the oldest first."""
    from glob import escape

    found = path.parent.glob(f"{escape(path.stem)}.{reason}-*{escape(path.suffix)}")
    return sorted(each for each in found if _is_set_aside_name(path, each) and each.is_file())


def _is_set_aside_name(path: Path, kept: Path) -> bool:
    name = kept.name.removeprefix(f"{path.stem}.").removesuffix(path.suffix)
    return _SET_ASIDE_NAME.fullmatch(name) is not None


def side_database_path(path: Path) -> Path:
    """Return the path of the database that takes games while a newer demine's lies at `path`."""
    return path.with_name(f"{path.stem}.beside{path.suffix}")


def make_private_folder(folder: Path) -> None:
    """Make a folder and its missing parents, accessible to its owner only. Raises `OSError`."""
    if not folder.is_dir():
        make_private_folder(folder.parent)
        folder.mkdir(mode=PRIVATE_FOLDER_MODE, exist_ok=True)


def make_private_file(path: Path) -> None:
    """Make an empty file, accessible to its owner only, unless it exists. Raises `OSError`.

    SQLite gives a log the mode of its database. An existing file is not opened, because closing it
    would release the locks that this process has on it.
    """
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, PRIVATE_FILE_MODE))


def is_pipe_or_device(path: Path) -> bool:
    """Return whether a path is a pipe or a device, which may block for ever when opened."""
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116 (at every start)
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))
