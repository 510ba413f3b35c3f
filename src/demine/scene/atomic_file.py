"""Write a file atomically: it takes its name when all of it is on the disk, and never before."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

_BINARY: Final = getattr(os, "O_BINARY", 0)
"""Windows would write text."""


@contextlib.contextmanager
def atomic_file(target: Path, mode: int | None = None) -> Iterator[BinaryIO]:
    """Yield a new file that takes the place of `target` when it is whole.

    `mode` is its permissions; None leaves them to the system. Raises `OSError` with `target` as it
    was.
    """
    temporary = target.with_name(f".{target.name[:64]}.{os.urandom(6).hex()}")
    # Nobody else may look into a file whose permissions are still to be set.
    creation_mode = 0o666 if mode is None else 0o600
    number = os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL | _BINARY, creation_mode)
    try:
        with os.fdopen(number, "w+b") as file:
            if mode is not None:
                temporary.chmod(mode)
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
    sync_folder(target.parent)


def sync_folder(folder: Path) -> None:
    """Put the names in a folder on the disk, where the system lets a folder be synchronised.

    Windows opens no folders, and some network file systems cannot do it.
    """
    with contextlib.suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
