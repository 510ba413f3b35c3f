"""A lock on an open file; the system lets go of it when the process ends.

It is the ledger itself that is locked, so that nothing lies beside it. The locks of the store are
files of their own, which tell which programs are alive.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, BinaryIO

from demine.studies.errors import StudyError

if TYPE_CHECKING:
    from pathlib import Path

if sys.platform == "win32":
    import msvcrt

    _FAR = 1 << 40

    def _lock(file: BinaryIO) -> None:
        # A byte that the file will never reach, so that others may read what it has.
        file.seek(_FAR)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(file: BinaryIO) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def hold(file: BinaryIO, path: Path) -> None:
    """Hold an open file until it is closed; raises `StudyError` if another process does."""
    try:
        _lock(file)
    except (BlockingIOError, PermissionError) as error:
        raise StudyError("another study is writing to {path}", path=path) from error
    except OSError:
        # A file system without locks: nobody can say who else writes.
        return
