"""The cache folders in which compiled kernels are kept for the next process.

Every set of kernels has its own folder, named after everything that affects compilation, so that
nothing stale is ever loaded. A damaged cache is deleted; if no folder can be written, the kernels
are compiled for this process only.
"""

from __future__ import annotations

import os
import pickle
import re
import shutil
import sys
import tempfile
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, BinaryIO, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

REMOVE_UNUSED_AFTER_DAYS: Final = 30
"""Another cache folder is removed once it has not been used for this many days."""
# What Numba raises when it loads a file that was cut short or is not its own.
LOAD_ERRORS: Final = (
    pickle.UnpicklingError, AttributeError, EOFError, ImportError, IndexError, KeyError, OSError,
    TypeError, ValueError,
)  # fmt: skip


def user_cache_folder() -> Path:
    """Return the user's cache folder for demine, which contains that of the kernels."""
    from platformdirs import user_cache_path

    return user_cache_path("demine", appauthor=False)


def kernel_cache_folder() -> Path:
    """Return the folder with the caches of all sets of kernels; it need not exist."""
    return user_cache_folder() / "kernels"


def fill_or_load_cache(
    folder: Path, kernel_count: int, compile_or_load: Callable[[Path | None], None]
) -> None:
    """Call `compile_or_load` with `folder`, where `kernel_count` kernels are to be cached.

    If the cache is damaged, it is deleted and the call repeated. If the folder cannot be written,
    the call gets None instead of a folder.
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


@contextmanager
def delete_if_damaged(folder: Path) -> Iterator[None]:
    """Delete a cache folder if what is done within this context finds it damaged."""
    try:
        yield
    except LOAD_ERRORS:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def compile_lock() -> Iterator[None]:
    """Wait until no other process compiles into the cache, and let none do so in this context.

    The system releases the lock of a process that is killed.
    """
    with (kernel_cache_folder() / "compiling.lock").open("ab") as file:
        # Where a file system has no locks, several may compile the same, which does no harm.
        with suppress(OSError):
            _wait_for_lock(file)
        try:
            yield
        finally:
            with suppress(OSError):
                _unlock(file)


if sys.platform == "win32":
    import errno
    import msvcrt

    def _wait_for_lock(file: BinaryIO) -> None:
        while True:
            file.seek(0)
            try:
                msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)  # tries for ten seconds
            except OSError as error:
                if error.errno != errno.EDEADLOCK:
                    raise
            else:
                return

    def _unlock(file: BinaryIO) -> None:
        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _wait_for_lock(file: BinaryIO) -> None:
        fcntl.flock(file, fcntl.LOCK_EX)

    def _unlock(file: BinaryIO) -> None:
        # Closing is not enough: a process that was forked meanwhile has the file open too.
        fcntl.flock(file, fcntl.LOCK_UN)


def is_complete(folder: Path, kernel_count: int) -> bool:
    """Return whether a cache folder holds at least `kernel_count` kernels."""
    # Numba writes the index of a kernel, *.nbi, before the kernel.
    return len(list(folder.rglob("*.nbc"))) >= kernel_count


def mark_used_and_remove_old(folder: Path, kernel_count: int) -> None:
    """Mark a cache folder as used now; if it is complete, remove others not used for a long time.

    Other versions of demine may be installed beside this one, so recently used ones stay.
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
        # Another process is removing the same folders, or they must not be removed.
        return


def ensure_writable(folder: Path) -> bool:
    """Return whether files can be created in a folder; creates the folder if it is missing."""
    # Without a home the folder is below one called "~", in whatever folder the program works.
    if not folder.is_absolute():
        return False
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False
