"""A lock on an open file, which the system releases when the process ends.

The ledger itself is locked, so no other file is needed. The store uses separate lock files, which
also tell which programs are running.
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


def lock_or_raise(file: BinaryIO, path: Path) -> None:
    """Lock an open file until it is closed; raises `StudyError` if another process has it."""
    try:
        _lock(file)
    except (BlockingIOError, PermissionError) as error:
        raise StudyError("another study is writing to {path}", path=path) from error
    except OSError:
        # This file system has no locks.
        return
