"""Check before a study whether its output can be written at its end."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

from demine.scene.system_errors import system_error_reason, write_error_reason
from demine.studies.errors import StudyError

if TYPE_CHECKING:
    from pathlib import Path


def check_writable(target: Path) -> None:
    """Raise `StudyError` if a path is a folder, or its folder is missing or not writable."""
    try:
        number = _write_errno(target)
    except OSError as error:
        raise StudyError(
            "{path}: {reason}", path=target, reason=system_error_reason(error)
        ) from error
    if number:
        reason = write_error_reason(OSError(number, os.strerror(number)), target)
        raise StudyError("{path}: {reason}", path=target, reason=reason)


def _write_errno(target: Path) -> int:
    """Return the errno that writing the file would raise, or 0."""
    if target.is_dir():
        return errno.EISDIR
    folder = target.parent
    if not folder.is_dir():
        return errno.ENOTDIR if folder.exists() else errno.ENOENT
    return 0 if os.access(folder, os.W_OK) else errno.EACCES
