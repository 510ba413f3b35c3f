"""The process of the lowest priority that compiles kernels for `demine.kernels.background`."""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from typing import Final

from demine.kernels import build, cache
from demine.kernels.kernel_set import KernelSet

_LOWEST_PRIORITY: Final = 19


def compile_for_parent(modules: str, entries: str) -> None:
    """Compile a set, given as JSON, into the cache, once no other process does so.

    Writes a line for each entry that is kept, and ends when nobody reads it any more.
    """
    _take_lowest_priority()
    kernels = KernelSet(json.loads(modules), json.loads(entries))
    with cache.compile_lock():
        _tell_parent()
        folder = kernels.cache_folder()
        build.compile_or_load(kernels.import_modules(), kernels.entries, folder, _tell_parent)


def _tell_parent(*_entry: object) -> None:
    try:
        os.write(1, b"\n")
    except OSError:
        # The parent has ended. What is compiled so far is kept.
        os._exit(0)


def _take_lowest_priority() -> None:
    if sys.platform != "win32":
        os.nice(_LOWEST_PRIORITY)
    if sys.platform == "linux":
        with suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
