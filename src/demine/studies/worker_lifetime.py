"""The lifetime of worker processes: Ctrl-C does not end them, the end of their parent does."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from typing import TYPE_CHECKING

from demine.scene.sanitized_console import sanitize_output

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextlib.contextmanager
def ctrl_c_blocked() -> Iterator[None]:
    """Block Ctrl-C in processes that are started within this context, from their start on."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end_with_parent_only() -> None:
    """Make this worker process ignore Ctrl-C and end with its parent; make its output inert."""
    sanitize_output()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_exit_after_parent, daemon=True).start()


def _exit_after_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
