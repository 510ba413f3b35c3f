"""Whether a file can be written at the end, asked before the first game."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

from demine.scene.system_errors import reason_of
from demine.studies.errors import StudyError

if TYPE_CHECKING:
    from pathlib import Path


def check_place(target: Path) -> None:
    """Raise `StudyError` for a file that is a folder, or whose folder is missing or closed."""
    try:
        number = _obstacle(target)
    except OSError as error:
        raise StudyError("{path}: {reason}", path=target, reason=reason_of(error)) from error
    if number:
        reason = reason_of(OSError(number, os.strerror(number)))
        raise StudyError("{path}: {reason}", path=target, reason=reason)


def _obstacle(target: Path) -> int:
    """Return the number of the error that writing the file would meet; 0 if there is none."""
    if target.is_dir():
        return errno.EISDIR
    folder = target.parent
    if not folder.is_dir():
        return errno.ENOTDIR if folder.exists() else errno.ENOENT
    return 0 if os.access(folder, os.W_OK) else errno.EACCES
