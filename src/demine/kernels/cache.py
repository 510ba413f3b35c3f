"""The cache folder in which compiled kernels are kept for the next process.

Every set of kernels has a folder of its own, named after all that decides what is compiled, so that
nothing stale is ever loaded. A damaged cache is thrown away, and without a place to write the
kernels are compiled for this process alone.
"""

from __future__ import annotations

import os
import pickle
import re
import shutil
import tempfile
import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

REMOVE_UNUSED_AFTER_DAYS: Final = 30
"""A cache of other kernels is removed when nobody has used it for this many days."""
# What Numba raises when it loads a file that was cut short or is not its own.
LOAD_ERRORS: Final = (
    pickle.UnpicklingError, AttributeError, EOFError, ImportError, IndexError, KeyError, OSError,
    TypeError, ValueError,
)  # fmt: skip


def user_cache_folder() -> Path:
    """Return the user's folder for what can be made again; kernels have a folder in it."""
    from platformdirs import user_cache_path

    return user_cache_path("demine", appauthor=False)


def kernel_cache_folder() -> Path:
    """Return the folder that holds the caches of all sets of kernels; it need not exist."""
    return user_cache_folder() / "kernels"


def fill_or_load_cache(
    folder: Path, kernel_count: int, compile_or_load: Callable[[Path | None], None]
) -> None:
    """Call `compile_or_load` with a cache folder that is to hold `kernel_count` kernels in the end.

    With a new one if it is damaged; with None if none can be made.
    """
    if ensure_writable(folder):
        for _ in range(2):
            try:
                compile_or_load(folder)
            except LOAD_ERRORS:
                shutil.rmtree(folder, ignore_errors=True)
                if not ensure_writable(folder):
                    break
            else:
                mark_used_and_remove_old(folder, kernel_count)
                return
    compile_or_load(None)


def is_complete(folder: Path, kernel_count: int) -> bool:
    """Return whether a cache holds all kernels: loading takes a moment rather than seconds."""
    return len(list(folder.rglob("*.nbi"))) >= kernel_count


def mark_used_and_remove_old(folder: Path, kernel_count: int) -> None:
    """Mark a cache as used now; once it is complete, remove others that nobody has used for long.

    Other versions of demine may be installed beside this one, so those used lately stay.
    """
    try:
        os.utime(folder)
        if not is_complete(folder, kernel_count):
            return
        old = time.time() - REMOVE_UNUSED_AFTER_DAYS * 86_400
        for other in folder.parent.iterdir():
            if (
                other != folder
                and re.fullmatch("[0-9a-f]{24}", other.name)
                and not other.is_symlink()
                and other.stat().st_mtime < old
            ):
                shutil.rmtree(other, ignore_errors=True)
    except OSError:
        # Somebody else tidies up too, or nobody may.
        return


def ensure_writable(folder: Path) -> bool:
    """Return whether files can be made in a folder; makes the folder if it is missing."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False
