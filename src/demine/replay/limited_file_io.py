"""Reads files up to a size limit, and replaces files atomically."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final, TypeAlias

from demine.logic.errors import TextError, mark
from demine.replay.errors import ReplayError
from demine.scene.atomic_file import atomic_file
from demine.scene.system_errors import system_error_reason, write_error_reason

AnyPath: TypeAlias = str | os.PathLike[str]

MAX_BYTES: Final = 1 << 27
"""The largest file that is read, twice the layout of the largest board."""
_NOT_A_FILE: Final = mark(
    "it is a share code, not a file: play takes it as it is, Game.from_share reads it in Python"
)
_PIPE_CHUNK: Final = 1 << 20
_BINARY: Final = getattr(os, "O_BINARY", 0)
"""On Windows files would otherwise be read as text."""
_NONBLOCK: Final = getattr(os, "O_NONBLOCK", 0)
"""Opening a pipe would otherwise wait until somebody writes into it."""


def read_up_to_limit(path: AnyPath) -> bytes:
    """Return the bytes of a file, but at most `MAX_BYTES` and one more, which shows the excess.

    Raises `ReplayError` with the path and the reason.
    """
    try:
        return read_up_to_limit_or_oserror(path)
    except (OSError, ValueError) as error:
        raise _path_error(path, error) from error


def read_up_to_limit_or_oserror(path: AnyPath, *, waits: bool = True) -> bytes:
    """Return the same as `read_up_to_limit`; raises `OSError`, or `ValueError` for a bad path.

    Unless it `waits`, anything but a file on a disk raises `TextError` at once: a pipe or a device
    may never say anything.
    """
    # Most replays are so small that opening a Python file object takes as long as reading them.
    try:
        file = os.open(path, os.O_RDONLY | _BINARY | (0 if waits else _NONBLOCK))
    except FileNotFoundError as error:
        from demine.logic.share_code import is_share_code

        if isinstance(path, str) and is_share_code(path):
            raise TextError(_NOT_A_FILE) from error
        raise
    try:
        if not waits:
            _check_is_file(os.fstat(file).st_mode)
        size = os.fstat(file).st_size
        parts = [os.read(file, min(size, MAX_BYTES) + 1)]
        left = MAX_BYTES + 1 - len(parts[0])
        # Pipes have no size and are read in parts.
        while len(parts[0]) != size and left and parts[-1]:
            parts.append(os.read(file, min(left, _PIPE_CHUNK)))
            left -= len(parts[-1])
    finally:
        os.close(file)
    return b"".join(parts)


def _check_is_file(mode: int) -> None:
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(mode):
        raise TextError("it is a pipe or a device, not a file")


@contextlib.contextmanager
def atomic_write(path: AnyPath) -> Iterator[BinaryIO]:
    """Yield a temporary file that replaces `path` once it is complete.

    Raises `ReplayError` with the path and the reason.
    """
    try:
        # The target of a link is replaced, not the link.
        target = Path(os.path.realpath(path))
        mode = _permissions(target)
    except (OSError, ValueError) as error:
        raise _path_error(path, error) from error
    try:
        with atomic_file(target, mode) as file:
            yield file
    except OSError as error:
        reason = write_error_reason(error, Path(os.fsdecode(path)))
        raise ReplayError("{path}: {reason}", path=os.fspath(path), reason=reason) from error


def _permissions(target: Path) -> int | None:
    """Return the permissions of the file to be replaced, None if there is none."""
    try:
        found = target.stat().st_mode
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(found):
        raise TextError("it exists but is not a file")
    return stat.S_IMODE(found)


def _path_error(path: AnyPath, error: OSError | ValueError) -> ReplayError:
    return ReplayError("{path}: {reason}", path=os.fspath(path), reason=system_error_reason(error))
