"""Plays what is missing of a study, chunk by chunk, on any executor."""

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
from demine.studies.chunk import Chunk, Counts, play_chunk
from demine.studies.errors import StudyError
from demine.studies.executor_fallback import Supply
from demine.studies.number_ranges import Spans

if TYPE_CHECKING:
    from collections.abc import Callable

    from demine.studies.executor_fallback import Given
    from demine.studies.ledger import Ledger
    from demine.studies.plan import Plan

CHUNK_SECONDS: Final = 1.5
"""So long a chunk takes a worker, more or less."""
FEWEST: Final = 4
MOST: Final = 1 << 16
"""The fewest games of a chunk, until it is known how long they take, and the most."""
GRACE_SECONDS: Final = 2.0
"""So long a study that is stopped waits for the chunks that workers are at."""
TRIES: Final = 5
"""After so many broken pools with nothing done in between there is something wrong, and after so
many that broke with the same chunk in them."""
SUSPECT: Final = 3
"""A chunk that was lost so often is played when all others are done, and alone: one that ends its
worker takes others with it where the whole pool breaks, and only so it is told from these."""
_GROWTH: Final = 8
_MOMENT: Final = 0.1


@dataclass
class Memory:
    """What is done of a study and what it came to, where nobody keeps a ledger."""

    plan: Plan
    counts: Counts
    done: Spans

    @classmethod
    def of(cls, plan: Plan) -> Memory:
        """Return a memory of no games."""
        return cls(plan, Counts.none(plan), Spans())

    def add(self, chunk: Chunk) -> None:
        """Count a chunk; games that are done already are not counted."""
        if self.done.add(chunk.first, chunk.count):
            self.counts += chunk.counts


def run(
    store: Memory | Ledger,
    executor: Given,
    *,
    workers: int = 1,
    rows: bool = False,
    told: Callable[[int], object] | None = None,
    stop: Callable[[], bool] | None = None,
) -> bool:
    """Play what is missing and add it to the store; return whether all of it is done.

    `executor` is one or makes one, see `Supply`. `workers` is how many chunks it works on at a
    time. `told` hears how many games are done, `stop` is asked often and ends it by returning True;
    what is not done soon is dropped. Raises `StudyError` if the executor fails, and what the games
    raise.
    """
    supply = Supply(executor)
    try:
        return _Run(store, supply, workers, rows=rows).through(told, stop)
    finally:
        supply.close()


class _Run:
    """One call of `run`."""

    def __init__(self, store: Memory | Ledger, supply: Supply, workers: int, *, rows: bool) -> None:
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

    def through(
        self, told: Callable[[int], object] | None, stop: Callable[[], bool] | None
    ) -> bool:
        try:
            while True:
                if stop is not None and stop():
                    self._finish()
                    return self._is_done()
                self._submit()
                if not self._pending:
                    return self._is_done()
                found, _ = wait(self._pending, _MOMENT, FIRST_COMPLETED)
                for future in found:
                    self._collect(future)
                if told is not None:
                    told(self._store.counts.games)
        finally:
            self._take_done()
            for future in self._pending:
                future.cancel()

    def _finish(self) -> None:
        """Take in what is nearly done, and begin nothing more."""
        end = time.monotonic() + GRACE_SECONDS
        self._pending = {
            future: part for future, part in self._pending.items() if not future.cancel()
        }
        while self._pending and (left := end - time.monotonic()) > 0:
            found, _ = wait(self._pending, left, FIRST_COMPLETED)
            for future in found:
                self._collect(future)

    def _take_done(self) -> None:
        """Take in what is done and was not looked at yet, whatever ends the study."""
        for future in [each for each in self._pending if each.done()]:
            with contextlib.suppress(DemineError):
                self._collect(future)

    def _is_done(self) -> bool:
        return self._store.counts.games >= self._plan.games

    def _submit(self) -> None:
        """Keep every worker busy, and one chunk more waiting for each of several."""
        while len(self._pending) < (2 * self._workers if self._workers > 1 else 1):
            part = self._following()
            if part is None:
                return
            try:
                future = self._supply.submit(play_chunk, self._plan, *part, self._rows)
            except (BrokenExecutor, RuntimeError, OSError) as error:
                self._again.append(part)
                if self._pending:
                    return
                self._note_break(error)
                self._supply.renew(error)
                continue
            self._pending[future] = part

    def _following(self) -> tuple[int, int] | None:
        """Return the next games to submit, or None if there are none for now."""
        if any(map(self._is_suspect, self._pending.values())):
            return None
        for part in reversed(self._again):
            if not self._is_suspect(part):
                self._again.remove(part)
                return part
        ahead = self._ahead()
        if ahead is None and self._again and not self._pending:
            # One that ends its worker alone is tried again when the others are done.
            self._again.sort(key=lambda part: -self._lost[part])
            return self._again.pop()
        return ahead

    def _is_suspect(self, part: tuple[int, int]) -> bool:
        return self._lost[part] >= SUSPECT

    def _ahead(self) -> tuple[int, int] | None:
        """Return the next games that nobody plays yet."""
        gap = self._store.done.gap(self._next, self._plan.games)
        if gap is None:
            return None
        first, end = gap
        count = min(end - first, self._fitting())
        self._next = first + count
        return first, count

    def _fitting(self) -> int:
        """Return how many games a chunk has, by how long games took so far."""
        counts = self._store.counts
        if not counts.games:
            return FEWEST
        wanted = int(CHUNK_SECONDS * 1e9 * counts.games / max(1, counts.ns))
        left = self._plan.games - self._next
        # The last chunks are small, so that all workers end at about the same time.
        fair = -(-left // (2 * self._workers)) if self._workers > 1 else left
        grown = max(FEWEST, self._size * _GROWTH)
        self._size = max(1, min(wanted, grown, fair, MOST))
        return self._size

    def _collect(self, future: Future[Chunk]) -> None:
        """Add what a worker played; what was lost with its worker is played again."""
        part = self._pending.pop(future)
        error = _error(future)
        if error is not None:
            if not _is_lost(error):
                raise _told(error)
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
        self._store.add(chunk)

    def _note_lost(self, part: tuple[int, int], error: BaseException) -> None:
        self._lost[part] += 1
        if self._lost[part] >= TRIES:
            first, count = part
            raise StudyError(
                "a worker process dies each time it plays games {first} to {last}: {reason}",
                first=first,
                last=first + count - 1,
                reason=_said(error),
            )
        self._note_break(error)

    def _note_break(self, error: BaseException) -> None:
        self._broken += 1
        # One break takes everything with it that was under way.
        if self._broken > TRIES * 2 * self._workers:
            raise StudyError("the workers end again and again: {reason}", reason=_said(error))


def _error(future: Future[Chunk]) -> BaseException | None:
    try:
        return future.exception()
    except CancelledError as error:
        return error


def _is_lost(error: BaseException) -> bool:
    """Whether a worker was lost, or a scheduler, rather than that it failed at the games."""
    kind = type(error)
    return isinstance(error, BrokenExecutor | CancelledError) or (
        kind.__module__.startswith("distributed.") and "Killed" not in kind.__name__
    )


def _told(error: BaseException) -> BaseException:
    """Return what is said of an error: those of our own and interruptions as they are."""
    if isinstance(error, DemineError) or not isinstance(error, Exception):
        return error
    told = StudyError("a worker failed: {reason}", reason=_said(error))
    told.__cause__ = error
    return told


def _said(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:200]
