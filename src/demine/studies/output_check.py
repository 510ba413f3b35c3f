"""Check before the first game whether the output can be written at the end."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

from demine.scene.system_errors import reason_of
from demine.studies.errors import StudyError

if TYPE_CHECKING:
    from pathlib import Path


def check_writable(target: Path) -> None:
    """Raise `StudyError` for a file that is a folder, or whose folder is missing or closed."""
    try:
        number = _write_errno(target)
    except OSError as error:
        raise StudyError("{path}: {reason}", path=target, reason=reason_of(error)) from error
    if number:
        reason = reason_of(OSError(number, os.strerror(number)))
        raise StudyError("{path}: {reason}", path=target, reason=reason)


def _write_errno(target: Path) -> int:
    """Return the number of the error that writing the file would meet; 0 if there is none."""
    if target.is_dir():
        return errno.EISDIR
    folder = target.parent
    if not folder.is_dir():
        return errno.ENOTDIR if folder.exists() else errno.ENOENT
    return 0 if os.access(folder, os.W_OK) else errno.EACCES
