"""Where the player's records lie, and how a file that is set aside is called."""

from __future__ import annotations

import os
import re
import stat
from contextlib import suppress
from datetime import UTC, datetime
from glob import escape
from pathlib import Path
from typing import Final

FILE_NAME: Final = "demine.db"
OWN_FILE: Final = 0o600
OWN_FOLDER: Final = 0o700
_ASIDE: Final = re.compile(r"[a-z]+-\d{8}-\d{6}(-\d+)?")
SUFFIXES: Final = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a database; it belongs to it and moves with it."""


def data_dir() -> Path:
    """Return the folder of the player's data: `$DEMINE_DATA_DIR`, else the platform's own."""
    chosen = os.environ.get("DEMINE_DATA_DIR")
    if chosen:
        return Path(chosen).expanduser()
    from platformdirs import user_data_path

    return user_data_path("demine", appauthor=False)


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
    if kept.is_file():
        with suppress(OSError):
            kept.chmod(OWN_FILE)
    return kept


def finish_set_aside(path: Path) -> Path | None:
    """Go on with a renaming that was cut off, its log moved and its database not yet.

    Returns the new path of the database; None where there is nothing to finish. Raises `OSError`.
    """
    for log in path.parent.glob(f"{escape(path.stem)}.*-*{escape(path.suffix)}-*"):
        kept = log.with_name(log.name[: log.name.rindex(path.suffix) + len(path.suffix)])
        if _is_aside(path, kept) and not os.path.lexists(kept) and os.path.lexists(path):
            for old, new in zip(family(path), family(kept), strict=True):
                if os.path.lexists(old) and not os.path.lexists(new):
                    old.rename(new)
            return kept
    return None


def set_asides(path: Path, word: str) -> list[Path]:
    """Return the files that were set aside for a reason, the oldest first."""
    found = path.parent.glob(f"{escape(path.stem)}.{word}-*{escape(path.suffix)}")
    return sorted(each for each in found if _is_aside(path, each) and each.is_file())


def _is_aside(path: Path, kept: Path) -> bool:
    name = kept.name.removeprefix(f"{path.stem}.").removesuffix(path.suffix)
    return _ASIDE.fullmatch(name) is not None


def beside(path: Path) -> Path:
    """Return where games are kept while the database is one that a newer demine made."""
    return path.with_name(f"{path.stem}.beside{path.suffix}")


def make_folder(folder: Path) -> None:
    """Make a folder, and those it lies in, for its owner only. Raises `OSError`."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(mode=OWN_FOLDER, exist_ok=True)


def make_private(path: Path) -> None:
    """Make an empty file for its owner only, unless it is there. Raises `OSError`.

    SQLite gives a log the mode of its database. What is there is not opened: closing it again
    would let go of the locks that this process has on it.
    """
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, OWN_FILE))


def is_special(path: Path) -> bool:
    """Whether something lies there that is no file and no folder: opening it may wait for ever."""
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116 (at every start)
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))
