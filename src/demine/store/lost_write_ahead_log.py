"""The write-ahead log of an open database: whether others replaced, deleted or truncated it.

SQLite silently keeps writing to a deleted or truncated log, whose content is lost when the process
ends.
"""

from __future__ import annotations

import os
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Final, TypeAlias

from demine.store.transactions import WAL_SIZE_LIMIT

Inode: TypeAlias = "tuple[int, int] | None"
"""Device and inode number, which identify a file; None for no file."""
SizeBytes: TypeAlias = int
_NO_FILE: Final[tuple[Inode, SizeBytes]] = (None, 0)


def file_identity(path: Path | str) -> tuple[Inode, SizeBytes]:
    """Return what distinguishes a file from another with its name, and its size (0: no file)."""
    try:
        stat = os.stat(path)  # noqa: PTH116 (on every act: half the time of Path.stat)
    except OSError:
        return _NO_FILE
    return (stat.st_dev, stat.st_ino), stat.st_size


class WriteAheadLog:
    """The write-ahead log of the database at `path`, and the log's index (its -shm file)."""

    def __init__(self, path: Path) -> None:
        self._name, self._index_name = f"{path}-wal", f"{path}-shm"
        self.note_files()

    def note_files(self) -> None:
        """Note the present files as those that the connection uses."""
        self._inode, self._size = file_identity(self._name)
        self._index, self._index_size = file_identity(self._index_name)
        self.was_cut = False
        """Whether `is_unchanged` found the log truncated, and not by SQLite."""

    @property
    def has_content(self) -> bool:
        """Whether the log was not empty when it was last checked."""
        return self._size > 0

    def move_aside(self) -> None:
        """Rename the log so that no database uses it."""
        with suppress(OSError):
            names = (f"{self._name}-cut{'' if again == 1 else f'-{again}'}" for again in count(1))
            os.rename(self._name, next(name for name in names if not os.path.lexists(name)))  # noqa: PTH104

    def is_unchanged(self) -> bool:
        """Return whether both files are those noted; restore a truncated index, set `was_cut`."""
        inode, size = file_identity(self._name)
        shorter = size < min(self._size, WAL_SIZE_LIMIT)
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
        """Make a truncated index as long as it was, and empty.

        SQLite maps it into memory, where the system kills a process that reads what was cut off; it
        rebuilds an empty one. `os.truncate` by name, because opening and closing the file would
        release SQLite's locks.
        """
        with suppress(OSError):
            os.truncate(self._index_name, 0)
            os.truncate(self._index_name, self._index_size)

    def is_replaced(self) -> bool:
        """Return whether there is another log now, of a program that opened the database since."""
        return file_identity(self._name)[0] not in (None, self._inode)
