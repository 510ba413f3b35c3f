"""The log beside an open database, and whether it is still the one that SQLite writes.

SQLite goes on in files that were deleted or cut and says nothing; what it keeps there is gone with
the process.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final, TypeAlias

from demine.store.connection import LOG_BYTES

Inode: TypeAlias = "tuple[int, int] | None"
_NO_FILE: Final[tuple[Inode, int]] = (None, 0)


def identity(path: Path | str) -> tuple[Inode, int]:
    """Return what tells this very file from another of its name (None: no file), and its bytes."""
    try:
        stat = os.stat(path)  # noqa: PTH116 (on every act: half the time of Path.stat)
    except OSError:
        return _NO_FILE
    return (stat.st_dev, stat.st_ino), stat.st_size


class Log:
    """The log of the database at a path and the log's index; `note` what a new connection made."""

    def __init__(self, path: Path) -> None:
        self._name, self._index_name = f"{path}-wal", f"{path}-shm"
        self.note()

    def note(self) -> None:
        """Take what lies there now for what the connection writes."""
        self._inode, self._size = identity(self._name)
        self._index = identity(self._index_name)[0]

    def is_there(self) -> bool:
        """Whether both files are those that were noted."""
        return identity(self._name)[0] == self._inode and (
            identity(self._index_name)[0] == self._index
        )

    def is_replaced(self) -> bool:
        """Whether another log lies there: somebody opened the database after this one was lost."""
        return identity(self._name)[0] not in (None, self._inode)

    def was_cut(self) -> bool:
        """Whether it is shorter than at the last look, and not by SQLite's own doing."""
        before, self._size = self._size, identity(self._name)[1]
        return self._size < before and self._size != LOG_BYTES
