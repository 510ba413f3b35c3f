"""The identity of the write-ahead log beside an open database, and what happened to it.

SQLite goes on in files that were deleted or cut and says nothing; what it keeps there is gone with
the process.
"""

from __future__ import annotations

import os
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Final, TypeAlias

from demine.store.transactions import WAL_SIZE_LIMIT

Inode: TypeAlias = "tuple[int, int] | None"
_NO_FILE: Final[tuple[Inode, int]] = (None, 0)


def file_identity(path: Path | str) -> tuple[Inode, int]:
    """Return what tells this very file from another of its name (None: no file), and its bytes."""
    try:
        stat = os.stat(path)  # noqa: PTH116 (on every act: half the time of Path.stat)
    except OSError:
        return _NO_FILE
    return (stat.st_dev, stat.st_ino), stat.st_size


class WriteAheadLog:
    """The log of the database at a path and the log's index; `note` what a new connection made."""

    def __init__(self, path: Path) -> None:
        self._name, self._index_name = f"{path}-wal", f"{path}-shm"
        self.note_files()

    def note_files(self) -> None:
        """Take what lies there now for what the connection writes."""
        self._inode, self._size = file_identity(self._name)
        self._index, self._index_size = file_identity(self._index_name)
        self.was_cut = False
        """Whether it was found shorter than before at the last look, not by SQLite's own doing."""

    @property
    def has_content(self) -> bool:
        """Whether anything was written into it when it was last looked at."""
        return self._size > 0

    def move_away(self) -> None:
        """Put the log where no database takes it for its own."""
        with suppress(OSError):
            names = (f"{self._name}-cut{'' if again == 1 else f'-{again}'}" for again in count(1))
            os.rename(self._name, next(name for name in names if not os.path.lexists(name)))  # noqa: PTH104

    def is_unchanged(self) -> bool:
        """Look whether both files are those that were noted."""
        inode, size = file_identity(self._name)
        shorter = size < self._size and size != WAL_SIZE_LIMIT
        self.was_cut = shorter and inode == self._inode
        self._size = size
        index, length = file_identity(self._index_name)
        if index == self._index and length < self._index_size:
            self._restore_index_length()
        else:
            self._index_size = length
        here = inode is not None and index is not None
        return here and inode == self._inode and index == self._index

    def _restore_index_length(self) -> None:
        """Make an index that was cut as long as it was, and empty.

        SQLite has it in its memory, where the system ends whoever reads what was cut off; an empty
        one it makes anew. By name: whoever opens and closes the file lets go of SQLite's locks.
        """
        with suppress(OSError):
            os.truncate(self._index_name, 0)
            os.truncate(self._index_name, self._index_size)

    def is_replaced(self) -> bool:
        """Whether another log lies there: somebody opened the database after this one was lost."""
        return file_identity(self._name)[0] not in (None, self._inode)
