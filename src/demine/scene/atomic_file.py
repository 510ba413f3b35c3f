"""Writes files atomically: a file replaces its target only when all of it is on the disk."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

_BINARY: Final = getattr(os, "O_BINARY", 0)
"""Without it Windows writes text."""


@contextlib.contextmanager
def atomic_file(target: Path, permissions: int | None = None) -> Iterator[BinaryIO]:
    """Yield a new file, which replaces `target` when the block ends without an error.

    `permissions` None leaves them to the system. Raises `OSError` if the file cannot be written;
    `target` is then unchanged.
    """
    temporary = target.with_name(f".{target.name[:64]}.{os.urandom(6).hex()}")
    # Nobody else may read the file before its permissions are set.
    creation_mode = 0o666 if permissions is None else 0o600
    number = os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL | _BINARY, creation_mode)
    try:
        with os.fdopen(number, "w+b") as file:
            if permissions is not None:
                temporary.chmod(permissions)
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
    fsync_folder(target.parent)


def fsync_folder(folder: Path) -> None:
    """Write the names in a folder to the disk (fsync), where the system supports that.

    Windows and some network file systems do not.
    """
    with contextlib.suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
