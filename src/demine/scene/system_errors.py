"""The reasons of errors of the operating system, for messages in the player's language."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Final

from demine.logic.errors import DemineError
from demine.scene.translation import mark

_REASONS: Final = {
    "ENOENT": mark("there is no such file or folder"),
    "EISDIR": mark("it is a folder"),
    "EEXIST": mark("there is a file of that name"),
    "ENOTDIR": mark("part of its path is not a folder"),
    "EACCES": mark("access is denied"),
    "EPERM": mark("access is denied"),
    "EROFS": mark("the disk is read-only"),
    "ENOSPC": mark("the disk is full"),
    "EDQUOT": mark("the disk is full"),
    "ENAMETOOLONG": mark("its name is too long"),
    "EBUSY": mark("another program is using it"),
    "ETXTBSY": mark("another program is using it"),
    "ENOLCK": mark("the disk or network share does not support file locks"),
    "ELOOP": mark("its links lead in a circle"),
    "ENXIO": mark("it is a pipe or a device, not a file"),
    "EIO": mark("the disk has an error"),
    "EADDRINUSE": mark("another program listens there already"),
    "EADDRNOTAVAIL": mark("this computer has no such address"),
}


class SystemRefusal(DemineError):
    """The reason of an `OSError`, without its number and its path."""


def system_error_reason(error: BaseException) -> object:
    """Return the reason of an `OSError`, to fill into a message; any other error is returned as is.

    The reason is an error that is translated with the message, or text from the system.
    """
    if not isinstance(error, OSError) or isinstance(error, DemineError):
        return error
    if getattr(error, "winerror", None):
        return error.strerror  # Windows is more precise, and in the player's language
    known = _REASONS.get(errno.errorcode.get(error.errno or 0, ""))
    return SystemRefusal(known) if known else error.strerror or str(error)


def write_error_reason(error: BaseException, target: Path) -> object:
    """Return the same for a file to be written; a missing folder is named."""
    if isinstance(error, FileNotFoundError) and not target.parent.exists():
        return SystemRefusal("there is no folder {folder}", folder=target.parent)
    return system_error_reason(error)
