"""Many files counted at once, in processes of their own; what comes out is in the files' order."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
from collections import deque
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor, wait
from itertools import islice
from typing import TYPE_CHECKING, Final, TypeAlias

from demine.cli.file_statistics import JUDGED, STDIN, Bad, Counted, count
from demine.play import warm_up
from demine.scene.translation import current_language, set_language, tr
from demine.statistics.definitions import TABLE
from demine.studies.worker_process import ctrl_c_blocked, end_with_parent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from demine.cli.file_statistics import Row

    Stop: TypeAlias = Callable[[], bool]
    Items: TypeAlias = Sequence[str | Bad]

WORTH: Final = 500
"""From so many files for each on, processes save more time than starting them takes."""
WORTH_LOADING: Final = 1000
"""From so many files for each on, loading the compiled ZiNi takes less time than it saves."""
WORTH_LOADING_SLOW: Final = 5
"""The same where a column is wanted that takes long."""
WORTH_JUDGING: Final = 4
"""The same where games are judged, which takes some seconds each without compiled kernels."""
MOST_PROCESSES: Final = 61
"""No system waits for more at once than Windows does, whatever is asked for."""
_CHUNK: Final = 16
_AHEAD: Final = 4
_MOMENT: Final = 0.1
"""Seconds until Ctrl-C is looked for again."""


def crew(files: int, jobs: int | None = None) -> int:
    """Return how many processes count so many files: no more than `jobs`, 1 where they are few."""
    most = files // WORTH if jobs is None else min(jobs, files)
    return max(1, min(jobs or _processors(), most, MOST_PROCESSES))


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def counted(
    items: Items, columns: Sequence[str], crew: int, stop: Stop
) -> Iterator[tuple[Row | Bad, ...]]:
    """Yield what `count` says of each item, in their order, until `stop` says so.

    A process that is killed takes down none but the file it was at.
    """
    warm = _is_worth_loading(columns, len(items) // crew)
    if crew > 1:
        yield from _together(items, columns, crew, stop, warm=warm)
        return
    if warm:
        _load()
    for item in items:
        if stop():
            return
        yield _count(item, columns)


def _is_worth_loading(columns: Sequence[str], files: int) -> bool:
    needed = any(part in name for name in columns for part in ("zini", "zne", "znt", "efficiency"))
    slow = any(name in TABLE and TABLE[name].slow for name in columns)
    counted = needed and files >= (WORTH_LOADING_SLOW if slow else WORTH_LOADING)
    judged = bool(JUDGED.keys() & set(columns)) and files >= WORTH_JUDGING
    return (counted or judged) and warm_up.cached()


def _load() -> None:
    # A Numba that cannot be loaded is no reason to stop: the values are the same.
    with contextlib.suppress(ImportError):
        warm_up.warm()


def _count(item: str | Bad, columns: Sequence[str]) -> Counted:
    return (item,) if isinstance(item, Bad) else count(item, columns)


def _count_all(items: Items, columns: Sequence[str]) -> list[Counted]:
    return [_count(item, columns) for item in items]


def _together(
    items: Items, columns: Sequence[str], crew: int, stop: Stop, *, warm: bool
) -> Iterator[Counted]:
    chunks = deque(_chunks(items))
    while chunks and not stop():
        try:
            yield from _through(chunks, columns, crew, stop, warm=warm)
        except BrokenExecutor:
            # Whichever file it was: those that come next are counted one by one.
            for item in chunks.popleft():
                yield _alone(item, columns)
        except (OSError, ImportError, NotImplementedError):
            # No processes are to be had here.
            for item in (item for chunk in chunks for item in chunk):
                if stop():
                    return
                yield _count(item, columns)
            return


def _chunks(items: Items) -> Iterator[Items]:
    """Yield the items a few at a time; standard input, which only this process has, alone."""
    begin = 0
    for place, item in enumerate(items):
        if item == STDIN:
            yield from (items[begin:place], items[place : place + 1])
            begin = place + 1
        elif place - begin == _CHUNK:
            yield items[begin:place]
            begin = place
    yield items[begin:]


def _through(
    chunks: deque[Items], columns: Sequence[str], crew: int, stop: Stop, *, warm: bool
) -> Iterator[Counted]:
    """Yield what the chunks come to, and take each away once it is done."""
    before = set(multiprocessing.active_children())
    pool = _pool(crew, warm=warm)
    pending: deque[Future[list[Counted]]] = deque()
    try:
        while chunks:
            for chunk in islice(chunks, len(pending), _AHEAD * crew):
                pending.append(_sent(pool, chunk, columns))
            while not pending[0].done():
                wait([pending[0]], _MOMENT)
                if stop():
                    return
            found = pending.popleft().result()
            chunks.popleft()
            yield from found
    finally:
        if chunks:
            # Nobody waits for what they were at.
            for child in set(multiprocessing.active_children()) - before:
                child.terminate()
        # Python's own clearing up at the exit fails where it meets a pool that is just ending.
        pool.shutdown(cancel_futures=True)


def _sent(pool: ProcessPoolExecutor, chunk: Items, columns: Sequence[str]) -> Future[list[Counted]]:
    if STDIN in chunk:
        here: Future[list[Counted]] = Future()
        here.set_result(_count_all(chunk, columns))
        return here
    with ctrl_c_blocked():
        return pool.submit(_count_all, chunk, columns)


def _pool(crew: int, *, warm: bool) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(
        crew, multiprocessing.get_context("spawn"), _begin, (current_language(), warm)
    )


def _alone(item: str | Bad, columns: Sequence[str]) -> Counted:
    """Count one item in a process of its own."""
    if isinstance(item, Bad) or item == STDIN:
        return _count(item, columns)
    with _pool(1, warm=False) as pool:
        try:
            return _sent(pool, [item], columns).result()[0]
        except BrokenExecutor:
            return (Bad(item, tr("the process that counted it was ended")),)


def _begin(code: str, warm: bool) -> None:
    end_with_parent()
    set_language(code)
    if warm:
        _load()
