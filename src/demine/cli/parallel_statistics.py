"""The statistics of many files, counted in several processes and yielded in the files' order."""

from __future__ import annotations

import contextlib
import multiprocessing
from collections import deque
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor, wait
from itertools import islice
from typing import TYPE_CHECKING, Final, TypeAlias

from demine.cli.file_statistics import (
    JUDGED_COLUMNS,
    RowsOfFile,
    UncountedFile,
    rows_of_file,
)
from demine.cli.game_input import STDIN
from demine.play import load_kernels
from demine.scene.translation import current_language, set_language, tr
from demine.statistics.definitions import TABLE
from demine.studies.process_pool import processor_count
from demine.studies.worker_lifetime import ctrl_c_blocked, end_with_parent_only

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from demine.cli.file_statistics import StatisticsRow

    Stop: TypeAlias = Callable[[], bool]
    Items: TypeAlias = Sequence[str | UncountedFile]

FILES_PER_PROCESS: Final = 500
"""With this many files for each process, processes save more time than starting them takes."""
FILES_TO_LOAD_SOLVER: Final = 1000
"""With this many files for each process, loading the compiled ZiNi saves time."""
FILES_TO_LOAD_SOLVER_SLOW_COLUMNS: Final = 5
"""The same if a slow column is wanted."""
FILES_TO_LOAD_SOLVER_JUDGED: Final = 4
"""The same if games are judged, which takes seconds for each without compiled kernels."""
MAX_PROCESSES: Final = 61
"""The most processes that Windows can wait for at once; used on every system."""
_FILES_PER_CHUNK: Final = 16
_CHUNKS_AHEAD: Final = 4
_POLL_SECONDS: Final = 0.1
"""Seconds between two checks for Ctrl-C."""


def process_count(file_count: int, max_processes: int | None = None) -> int:
    """Return how many processes to use: at most `max_processes`, by default 1 for few files."""
    most = file_count // FILES_PER_PROCESS if max_processes is None else file_count
    return max(1, min(max_processes or processor_count(), most, MAX_PROCESSES))


def rows_of_files(
    items: Items, columns: Sequence[str], processes: int, should_stop: Stop
) -> Iterator[tuple[StatisticsRow | UncountedFile, ...]]:
    """Yield the rows of each item in order, as `rows_of_file` does, until `should_stop()` is true.

    If a process is killed, only the file that it was counting is lost.
    """
    warm = _is_worth_loading_solver(columns, len(items) // processes)
    if processes > 1:
        yield from _rows_from_processes(items, columns, processes, should_stop, warm=warm)
        return
    if warm:
        _load_solver()
    for item in items:
        if should_stop():
            return
        yield _rows_of_item(item, columns)


def _is_worth_loading_solver(columns: Sequence[str], files: int) -> bool:
    needed = any(part in name for name in columns for part in ("zini", "zne", "znt", "efficiency"))
    slow = any(name in TABLE and TABLE[name].slow for name in columns)
    counted = needed and files >= (
        FILES_TO_LOAD_SOLVER_SLOW_COLUMNS if slow else FILES_TO_LOAD_SOLVER
    )
    judged = bool(JUDGED_COLUMNS.keys() & set(columns)) and files >= FILES_TO_LOAD_SOLVER_JUDGED
    return (counted or judged) and load_kernels.kernels_are_cached()


def _load_solver() -> None:
    # Without Numba the values are the same.
    with contextlib.suppress(ImportError):
        load_kernels.load_common_kernels()


def _rows_of_item(item: str | UncountedFile, columns: Sequence[str]) -> RowsOfFile:
    return (item,) if isinstance(item, UncountedFile) else rows_of_file(item, columns)


def _rows_of_items(items: Items, columns: Sequence[str]) -> list[RowsOfFile]:
    return [_rows_of_item(item, columns) for item in items]


def _rows_from_processes(
    items: Items, columns: Sequence[str], processes: int, should_stop: Stop, *, warm: bool
) -> Iterator[RowsOfFile]:
    chunks = deque(_split_into_chunks(items))
    while chunks and not should_stop():
        try:
            yield from _rows_from_one_pool(chunks, columns, processes, should_stop, warm=warm)
        except BrokenExecutor:
            # It is unknown which file broke the pool, so those of its chunk get a process each.
            for item in chunks.popleft():
                yield _rows_from_own_process(item, columns)
        except (OSError, ImportError, NotImplementedError):
            # This system cannot start processes.
            for item in (item for chunk in chunks for item in chunk):
                if should_stop():
                    return
                yield _rows_of_item(item, columns)
            return


def _split_into_chunks(items: Items) -> Iterator[Items]:
    """Yield the items a few at a time; standard input, which only this process can read, alone."""
    begin = 0
    for place, item in enumerate(items):
        if item == STDIN:
            yield from (items[begin:place], items[place : place + 1])
            begin = place + 1
        elif place - begin == _FILES_PER_CHUNK:
            yield items[begin:place]
            begin = place
    yield items[begin:]


def _rows_from_one_pool(
    chunks: deque[Items], columns: Sequence[str], processes: int, should_stop: Stop, *, warm: bool
) -> Iterator[RowsOfFile]:
    """Yield the rows of the chunks, removing each chunk once it is done."""
    before = set(multiprocessing.active_children())
    pool = _new_pool(processes, warm=warm)
    pending: deque[Future[list[RowsOfFile]]] = deque()
    try:
        while chunks:
            for chunk in islice(chunks, len(pending), _CHUNKS_AHEAD * processes):
                pending.append(_submit_chunk(pool, chunk, columns))
            while not pending[0].done():
                wait([pending[0]], _POLL_SECONDS)
                if should_stop():
                    return
            found = pending.popleft().result()
            chunks.popleft()
            yield from found
    finally:
        if chunks:
            # Nobody waits for their results.
            for child in set(multiprocessing.active_children()) - before:
                child.terminate()
        # At exit, Python's own clean-up fails on a pool that is just shutting down.
        pool.shutdown(cancel_futures=True)


def _submit_chunk(
    pool: ProcessPoolExecutor, chunk: Items, columns: Sequence[str]
) -> Future[list[RowsOfFile]]:
    if STDIN in chunk:
        here: Future[list[RowsOfFile]] = Future()
        here.set_result(_rows_of_items(chunk, columns))
        return here
    with ctrl_c_blocked():
        return pool.submit(_rows_of_items, chunk, columns)


def _new_pool(processes: int, *, warm: bool) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(
        processes, multiprocessing.get_context("spawn"), _set_up_worker, (current_language(), warm)
    )


def _rows_from_own_process(item: str | UncountedFile, columns: Sequence[str]) -> RowsOfFile:
    """Return the rows of one item, counted in a process of its own."""
    if isinstance(item, UncountedFile) or item == STDIN:
        return _rows_of_item(item, columns)
    with _new_pool(1, warm=False) as pool:
        try:
            return _submit_chunk(pool, [item], columns).result()[0]
        except BrokenExecutor:
            return (UncountedFile(item, tr("the process counting it was killed")),)


def _set_up_worker(code: str, warm: bool) -> None:
    end_with_parent_only()
    set_language(code)
    if warm:
        _load_solver()
