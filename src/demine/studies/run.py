"""Run a study: play its missing games, chunk by chunk, on any executor."""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Future,
    wait,
)
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from demine import __version__
from demine.logic.errors import DemineError
from demine.studies.chunk import Chunk, StudyCounts, play_chunk
from demine.studies.errors import StudyError
from demine.studies.number_ranges import NumberRanges
from demine.studies.replaceable_executor import ReplaceableExecutor

if TYPE_CHECKING:
    from collections.abc import Callable

    from demine.studies.ledger import Ledger
    from demine.studies.plan import StudyPlan
    from demine.studies.replaceable_executor import ExecutorOrFactory

CHUNK_SECONDS: Final = 1.5
"""So long a chunk takes a worker, more or less."""
MIN_CHUNK_GAMES: Final = 4
MAX_CHUNK_GAMES: Final = 1 << 16
"""The fewest games of a chunk, until it is known how long they take, and the most."""
GRACE_SECONDS: Final = 2.0
"""So long a study that is stopped waits for the chunks that workers are at."""
MAX_BREAKS: Final = 5
"""After so many broken pools with nothing done in between there is something wrong, and after so
many that broke with the same chunk in them."""
LOSSES_BEFORE_ALONE: Final = 3
"""A chunk that was lost so often is played when all others are done, and alone: one that ends its
worker takes others with it where the whole pool breaks, and only so it is told from these."""
_MAX_GROWTH: Final = 8
_POLL_SECONDS: Final = 0.1


@dataclass
class MemoryLedger:
    """What is done of a study and what it came to, where nobody keeps a ledger."""

    plan: StudyPlan
    counts: StudyCounts
    done: NumberRanges

    @classmethod
    def empty(cls, plan: StudyPlan) -> MemoryLedger:
        """Return a memory of no games."""
        return cls(plan, StudyCounts.empty(plan), NumberRanges())

    def add_chunk(self, chunk: Chunk) -> None:
        """Count a chunk; games that are done already are not counted."""
        if self.done.add_range(chunk.first, chunk.count):
            self.counts += chunk.counts


def play_missing_games(
    store: MemoryLedger | Ledger,
    executor: ExecutorOrFactory,
    *,
    workers: int = 1,
    rows: bool = False,
    told: Callable[[int], object] | None = None,
    stop: Callable[[], bool] | None = None,
) -> bool:
    """Play what is missing and add it to the store; return whether all of it is done.

    `executor` is an executor or makes one, see `ReplaceableExecutor`. `workers` is how many chunks
    it works on at a time. `told` is called with how many games are done, `stop` is called often
    and ends the study by returning True: chunks that are not done within `GRACE_SECONDS` are then
    dropped. Raises `StudyError` if the executor fails, and whatever the games raise.
    """
    supply = ReplaceableExecutor(executor)
    try:
        return _StudyRun(store, supply, workers, rows=rows).play_all(told, stop)
    finally:
        supply.close()


class _StudyRun:
    """One call of `play_missing_games`."""

    def __init__(
        self, store: MemoryLedger | Ledger, supply: ReplaceableExecutor, workers: int, *, rows: bool
    ) -> None:
        self._store = store
        self._plan = store.plan
        self._supply = supply
        self._workers = workers
        self._rows = rows
        self._size = 0
        self._next = 0
        self._again: list[tuple[int, int]] = []
        self._lost: Counter[tuple[int, int]] = Counter()
        self._pending: dict[Future[Chunk], tuple[int, int]] = {}
        self._broken = 0

    def play_all(
        self, told: Callable[[int], object] | None, stop: Callable[[], bool] | None
    ) -> bool:
        try:
            while True:
                if stop is not None and stop():
                    self._collect_for_grace_period()
                    return self._is_done()
                self._submit_chunks()
                if not self._pending:
                    return self._is_done()
                found, _ = wait(self._pending, _POLL_SECONDS, FIRST_COMPLETED)
                for future in found:
                    self._collect(future)
                if told is not None:
                    told(self._store.counts.games)
        finally:
            self._collect_done()
            for future in self._pending:
                future.cancel()

    def _collect_for_grace_period(self) -> None:
        """Take in what is nearly done, and begin nothing more."""
        end = time.monotonic() + GRACE_SECONDS
        self._pending = {
            future: part for future, part in self._pending.items() if not future.cancel()
        }
        while self._pending and (left := end - time.monotonic()) > 0:
            found, _ = wait(self._pending, left, FIRST_COMPLETED)
            for future in found:
                self._collect(future)

    def _collect_done(self) -> None:
        """Take in what is done and was not looked at yet, whatever ends the study."""
        for future in [each for each in self._pending if each.done()]:
            with contextlib.suppress(DemineError):
                self._collect(future)

    def _is_done(self) -> bool:
        return self._store.counts.games >= self._plan.games

    def _submit_chunks(self) -> None:
        """Keep every worker busy, and one chunk more waiting for each of several."""
        while len(self._pending) < (2 * self._workers if self._workers > 1 else 1):
            part = self._next_chunk()
            if part is None:
                return
            try:
                future = self._supply.submit(play_chunk, self._plan, *part, self._rows)
            except (BrokenExecutor, RuntimeError, OSError) as error:
                self._again.append(part)
                if self._pending:
                    return
                self._note_break(error)
                self._supply.replace_if_broken(error)
                continue
            self._pending[future] = part

    def _next_chunk(self) -> tuple[int, int] | None:
        """Return the next games to submit, or None if there are none for now."""
        if any(map(self._is_suspect, self._pending.values())):
            return None
        for part in reversed(self._again):
            if not self._is_suspect(part):
                self._again.remove(part)
                return part
        ahead = self._next_new_chunk()
        if ahead is None and self._again and not self._pending:
            # One that ends its worker alone is tried again when the others are done.
            self._again.sort(key=lambda part: -self._lost[part])
            return self._again.pop()
        return ahead

    def _is_suspect(self, part: tuple[int, int]) -> bool:
        return self._lost[part] >= LOSSES_BEFORE_ALONE

    def _next_new_chunk(self) -> tuple[int, int] | None:
        """Return the next games that nobody plays yet."""
        gap = self._store.done.first_gap(self._next, self._plan.games)
        if gap is None:
            return None
        first, end = gap
        count = min(end - first, self._chunk_size())
        self._next = first + count
        return first, count

    def _chunk_size(self) -> int:
        """Return how many games a chunk has, by how long games took so far."""
        counts = self._store.counts
        if not counts.games:
            return MIN_CHUNK_GAMES
        wanted = int(CHUNK_SECONDS * 1e9 * counts.games / max(1, counts.cpu_ns))
        left = self._plan.games - self._next
        # The last chunks are small, so that all workers end at about the same time.
        fair = -(-left // (2 * self._workers)) if self._workers > 1 else left
        grown = max(MIN_CHUNK_GAMES, self._size * _MAX_GROWTH)
        self._size = max(1, min(wanted, grown, fair, MAX_CHUNK_GAMES))
        return self._size

    def _collect(self, future: Future[Chunk]) -> None:
        """Add what a worker played; what was lost with its worker is played again."""
        part = self._pending.pop(future)
        error = _error_of_future(future)
        if error is not None:
            if not _is_worker_lost(error):
                raise _as_study_error(error)
            self._again.append(part)
            self._note_lost(part, error)
            return
        chunk = future.result()
        if chunk.version != __version__:
            raise StudyError(
                "a worker plays with demine {theirs}, but this is demine {ours}",
                theirs=chunk.version,
                ours=__version__,
            )
        self._broken = 0
        self._store.add_chunk(chunk)

    def _note_lost(self, part: tuple[int, int], error: BaseException) -> None:
        self._lost[part] += 1
        if self._lost[part] >= MAX_BREAKS:
            first, count = part
            raise StudyError(
                "a worker process dies each time it plays games {first} to {last}: {reason}",
                first=first,
                last=first + count - 1,
                reason=_error_text(error),
            )
        self._note_break(error)

    def _note_break(self, error: BaseException) -> None:
        self._broken += 1
        # One break takes everything with it that was under way.
        if self._broken > MAX_BREAKS * 2 * self._workers:
            raise StudyError("the workers end again and again: {reason}", reason=_error_text(error))


def _error_of_future(future: Future[Chunk]) -> BaseException | None:
    try:
        return future.exception()
    except CancelledError as error:
        return error


def _is_worker_lost(error: BaseException) -> bool:
    """Whether a worker was lost, or a scheduler, rather than that it failed at the games."""
    kind = type(error)
    return isinstance(error, BrokenExecutor | CancelledError) or (
        kind.__module__.startswith("distributed.") and "Killed" not in kind.__name__
    )


def _as_study_error(error: BaseException) -> BaseException:
    """Return what is said of an error: those of our own and interruptions as they are."""
    if isinstance(error, DemineError) or not isinstance(error, Exception):
        return error
    told = StudyError("a worker failed: {reason}", reason=_error_text(error))
    told.__cause__ = error
    return told


def _error_text(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:200]
