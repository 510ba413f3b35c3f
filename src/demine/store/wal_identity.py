"""The log beside an open database, and whether it is still the one that SQLite writes.

SQLite goes on in files that were deleted or cut and says nothing; what it keeps there is gone with
the process.
"""

from __future__ import annotations

import os
from contextlib import suppress
from itertools import count
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
        self._index, self._index_size = identity(self._index_name)
        self.was_cut = False
        """Whether it was found shorter than before at the last look, not by SQLite's own doing."""

    @property
    def holds(self) -> bool:
        """Whether anything was written into it when it was last looked at."""
        return self._size > 0

    def move_away(self) -> None:
        """Put the log where no database takes it for its own."""
        with suppress(OSError):
            names = (f"{self._name}-cut{'' if again == 1 else f'-{again}'}" for again in count(1))
            os.rename(self._name, next(name for name in names if not os.path.lexists(name)))  # noqa: PTH104

    def is_there(self) -> bool:
        """Look whether both files are those that were noted."""
        inode, size = identity(self._name)
        shorter = size < self._size and size != LOG_BYTES
        self.was_cut = shorter and inode == self._inode
        self._size = size
        index, length = identity(self._index_name)
        if index == self._index and length < self._index_size:
            self._mend_index()
        else:
            self._index_size = length
        here = inode is not None and index is not None
        return here and inode == self._inode and index == self._index

    def _mend_index(self) -> None:
        """Make an index that was cut as long as it was, and empty.

        SQLite has it in its memory, where the system ends whoever reads what was cut off; an empty
        one it makes anew. By name: whoever opens and closes the file lets go of SQLite's locks.
        """
        with suppress(OSError):
            os.truncate(self._index_name, 0)
            os.truncate(self._index_name, self._index_size)

    def is_replaced(self) -> bool:
        """Whether another log lies there: somebody opened the database after this one was lost."""
        return identity(self._name)[0] not in (None, self._inode)
