"""Play the missing games of a study, or make what else is missing, in chunks on any executor."""

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
from typing import TYPE_CHECKING, Final, Generic, Protocol, TypeVar

from demine import __version__
from demine.logic.errors import DemineError, mark
from demine.solver.player.custom_policy import exception_text
from demine.solver.player.policy_error import PolicyError
from demine.studies.chunk import Chunk, StudyCounts, play_chunk
from demine.studies.errors import StudyError
from demine.studies.finished_game_ranges import NumberRanges
from demine.studies.process_pool import InlineExecutor
from demine.studies.replaceable_executor import ReplaceableExecutor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from demine.studies.ledger import Ledger
    from demine.studies.plan import StudyPlan
    from demine.studies.replaceable_executor import ExecutorOrFactory

CHUNK_SECONDS: Final = 1.5
"""About how long a chunk should take a worker."""
MIN_CHUNK_GAMES: Final = 4
MAX_CHUNK_GAMES: Final = 1 << 16
"""The size of the first chunks, and the largest size."""
SECONDS_WORTH_WORKERS: Final = 5.0
"""Workers need two or three seconds of a processor each to start and to load what plays."""
GRACE_SECONDS: Final = 2.0
"""How long a stopped study waits for the chunks under way."""
MAX_BREAKS: Final = 5
"""How often the same chunk may break its worker, and, for each chunk under way, how often workers
may break with nothing done in between, before the study fails."""
LOSSES_BEFORE_ALONE: Final = 3
"""A chunk lost this often is played after all others, and alone: where a whole pool breaks with one
worker, this is the only way to tell the chunk that breaks it from the others under way."""
_MAX_GROWTH: Final = 8
_POLL_SECONDS: Final = 0.1


class _PlayedChunk(Protocol):
    """What a worker made of consecutive games."""

    @property
    def first(self) -> int: ...
    @property
    def count(self) -> int: ...
    @property
    def version(self) -> str: ...
    @property
    def seconds(self) -> float: ...


class _Counts(Protocol):
    """How many games are done, and the processor time of them all."""

    @property
    def games(self) -> int: ...
    @property
    def cpu_ns(self) -> int: ...


PlanT = TypeVar("PlanT")
PlanT_contra = TypeVar("PlanT_contra", contravariant=True)
ChunkT = TypeVar("ChunkT", bound=_PlayedChunk)
ChunkT_co = TypeVar("ChunkT_co", covariant=True)
ChunkT_contra = TypeVar("ChunkT_contra", contravariant=True)


class ChunkPlayer(Protocol[PlanT_contra, ChunkT_co]):
    """Plays consecutive games in a worker; it can be pickled."""

    def __call__(self, plan: PlanT_contra, first: int, count: int, with_rows: bool, /) -> ChunkT_co:
        """Play `count` games from index `first` on; return their rows only if wanted."""
        ...


class ChunkStore(Protocol[ChunkT_contra]):
    """Keeps what is done."""

    @property
    def counts(self) -> _Counts:
        """How much is done."""
        ...

    @property
    def done(self) -> NumberRanges:
        """The indices of what is done."""
        ...

    def add_chunk(self, chunk: ChunkT_contra, /) -> None:
        """Keep a chunk; ignore one that is done already."""
        ...


@dataclass(frozen=True)
class Work(Generic[PlanT, ChunkT]):
    """What is to be done: `games` games of a plan, or as many other things, each with an index.

    `play` makes consecutive ones of them in a worker, `largest_chunk` at most. `custom` says that
    nobody knows how long they take.
    """

    plan: PlanT
    games: int
    play: ChunkPlayer[PlanT, ChunkT]
    custom: bool = False
    rows: bool = False
    largest_chunk: int = MAX_CHUNK_GAMES
    dies: str = mark("a worker process dies each time it plays games {first} to {last}: {reason}")
    """The message about a chunk that breaks every worker."""


@dataclass
class MemoryLedger:
    """The games done of a study and their results, for studies without a file."""

    plan: StudyPlan
    counts: StudyCounts
    done: NumberRanges

    @classmethod
    def empty(cls, plan: StudyPlan) -> MemoryLedger:
        """Return a ledger without any games done."""
        return cls(plan, StudyCounts.empty(plan), NumberRanges())

    def add_chunk(self, chunk: Chunk) -> None:
        """Count a chunk; ignore one whose games are done already."""
        if self.done.add_range(chunk.first, chunk.count):
            self.counts += chunk.counts


def play_missing_games(
    store: MemoryLedger | Ledger,
    executor: ExecutorOrFactory,
    *,
    workers: int = 1,
    begin_here: bool = False,
    rows: bool = False,
    play: ChunkPlayer[StudyPlan, Chunk] = play_chunk,
    on_progress: Callable[[int], object] | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> bool:
    """Play the missing games and add them to the store; return whether all games are done.

    `executor` is an executor or makes one, see `ReplaceableExecutor`; it works on `workers` chunks
    at a time, which `play` plays. With `begin_here` games are played in this thread until it is
    known that what is left takes longer than workers need to begin. `on_progress` is called with
    the number of games done. `should_stop` is called often and ends the study by returning True:
    chunks that are not done within `GRACE_SECONDS` are then dropped. Raises `StudyError` if the
    executor fails, and whatever the games raise.
    """
    plan = store.plan
    work = Work(plan, plan.games, play, custom=bool(plan.custom), rows=rows)
    return do_missing_chunks(
        work, store, executor, workers, begin_here, on_progress=on_progress, should_stop=should_stop
    )


def do_missing_chunks(
    work: Work[PlanT, ChunkT],
    store: ChunkStore[ChunkT],
    executor: ExecutorOrFactory,
    workers: int = 1,
    begin_here: bool = False,
    *,
    on_progress: Callable[[int], object] | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> bool:
    """Do the work that is missing in a store; return whether all is done.

    The other arguments and errors are those of `play_missing_games`.
    """
    replaceable = ReplaceableExecutor(executor)
    try:
        run = _Run(work, store, replaceable, workers, begin_here)
        return run.play_all(on_progress, should_stop)
    finally:
        replaceable.close()


class _Run(Generic[PlanT, ChunkT]):
    """One call of `do_missing_chunks`."""

    def __init__(
        self,
        work: Work[PlanT, ChunkT],
        store: ChunkStore[ChunkT],
        executor: ReplaceableExecutor,
        workers: int,
        begin_here: bool,
    ) -> None:
        self._work = work
        self._store = store
        self._executor = executor
        self._workers = workers
        self._is_here = begin_here and workers > 1
        self._played_here: Future[ChunkT] | None = None
        self._from_workers = 0
        self._size = 0
        self._next = 0
        self._again: list[tuple[int, int]] = []
        self._lost: Counter[tuple[int, int]] = Counter()
        self._pending: dict[Future[ChunkT], tuple[int, int]] = {}
        self._broken = 0
        self._seconds_per_custom_game = 0.0

    def play_all(
        self,
        on_progress: Callable[[int], object] | None,
        should_stop: Callable[[], bool] | None,
    ) -> bool:
        try:
            while True:
                if should_stop is not None and should_stop():
                    self._collect_for_grace_period()
                    return self._is_done()
                self._submit_chunks()
                if not self._pending:
                    return self._is_done()
                found, _ = wait(self._pending, _POLL_SECONDS, FIRST_COMPLETED)
                for future in found:
                    self._collect(future)
                if on_progress is not None:
                    on_progress(self._store.counts.games)
        finally:
            self._collect_done()
            for future in self._pending:
                future.cancel()

    def _collect_for_grace_period(self) -> None:
        """Cancel chunks that have not begun and wait a little for the others."""
        end = time.monotonic() + GRACE_SECONDS
        self._pending = {
            future: part for future, part in self._pending.items() if not future.cancel()
        }
        while self._pending and (left := end - time.monotonic()) > 0:
            found, _ = wait(self._pending, left, FIRST_COMPLETED)
            for future in found:
                self._collect(future)

    def _collect_done(self) -> None:
        """Collect the chunks that are done, without raising, when the study ends."""
        for future in [each for each in self._pending if each.done()]:
            with contextlib.suppress(DemineError):
                self._collect(future)

    def _is_worth_workers(self) -> bool:
        counts = self._store.counts
        left = self._work.games - counts.games
        return counts.games > 0 and left * self._seconds_per_game() > SECONDS_WORTH_WORKERS

    def _is_done(self) -> bool:
        return self._store.counts.games >= self._work.games

    def _submit_chunks(self) -> None:
        """Submit chunks until every worker is busy and, if there are several, has one waiting.

        A study that begins here goes on here until chunks come back from the workers.
        """
        if not self._is_here or self._is_worth_workers():
            while len(self._pending) < (2 * self._workers if self._workers > 1 else 1):
                part = self._next_chunk()
                if part is None or not self._submit_chunk(part):
                    break
        if self._is_here:
            # Not one that was lost, which may end this process as well.
            part = self._next_new_chunk()
            if part is not None:
                work = self._work
                self._played_here = InlineExecutor().submit(work.play, work.plan, *part, work.rows)
                self._pending[self._played_here] = part

    def _submit_chunk(self, part: tuple[int, int]) -> bool:
        """Submit a chunk, and return whether to go on with the next one."""
        try:
            work = self._work
            future = self._executor.submit(work.play, work.plan, *part, work.rows)
        except (BrokenExecutor, RuntimeError, OSError) as error:
            self._again.append(part)
            if self._pending:
                return False
            self._note_break(error)
            self._executor.replace_if_broken(error)
            return True
        except TypeError as error:
            # So Dask says that a policy cannot be pickled.
            found = _as_study_error(error)
            raise found from found.__cause__
        self._pending[future] = part
        return True

    def _next_chunk(self) -> tuple[int, int] | None:
        """Return first game and count of the next chunk to submit, or None if there is none now."""
        if any(map(self._is_suspect, self._pending.values())):
            return None
        for part in reversed(self._again):
            if not self._is_suspect(part):
                self._again.remove(part)
                return part
        ahead = self._next_new_chunk()
        if ahead is None and self._again and not self._pending:
            # Suspect chunks are tried again when all others are done.
            self._again.sort(key=lambda part: -self._lost[part])
            return self._again.pop()
        return ahead

    def _is_suspect(self, part: tuple[int, int]) -> bool:
        return self._lost[part] >= LOSSES_BEFORE_ALONE

    def _next_new_chunk(self) -> tuple[int, int] | None:
        """Return first game and count of the next chunk that was never submitted."""
        gap = self._store.done.first_gap(self._next, self._work.games)
        if gap is None:
            return None
        first, end = gap
        count = min(end - first, self._chunk_size())
        self._next = first + count
        return first, count

    def _chunk_size(self) -> int:
        """Return how many games the next chunk has, by how long games took so far."""
        counts = self._store.counts
        if not counts.games:
            # How long a policy of one's own takes, nobody knows.
            return 1 if self._work.custom else min(MIN_CHUNK_GAMES, self._work.largest_chunk)
        wanted = int(CHUNK_SECONDS / max(1e-9, self._seconds_per_game()))
        left = self._work.games - self._next
        # The last chunks are smaller, so that all workers end at about the same time.
        fair = -(-left // (2 * self._workers)) if self._workers > 1 else left
        grown = max(MIN_CHUNK_GAMES, self._size * _MAX_GROWTH)
        self._size = max(1, min(wanted, grown, fair, self._work.largest_chunk))
        return self._size

    def _seconds_per_game(self) -> float:
        """Return how long a worker takes for a game, as far as is known."""
        counts = self._store.counts
        return max(self._seconds_per_custom_game, counts.cpu_ns / 1e9 / counts.games)

    def _collect(self, future: Future[ChunkT]) -> None:
        """Add the chunk that a worker played, or note that it was lost and must be played again."""
        part = self._pending.pop(future)
        self._from_workers += future is not self._played_here
        self._is_here = self._is_here and self._from_workers < 2 * self._workers
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
                "a worker runs demine {theirs}, but this is demine {ours}",
                theirs=chunk.version,
                ours=__version__,
            )
        self._broken = 0
        if self._work.custom:
            # A policy of one's own may wait for other programs, which takes no processor time here.
            self._seconds_per_custom_game = chunk.seconds / chunk.count
        self._store.add_chunk(chunk)

    def _note_lost(self, part: tuple[int, int], error: BaseException) -> None:
        self._lost[part] += 1
        if self._lost[part] >= MAX_BREAKS:
            first, count = part
            raise StudyError(
                self._work.dies,
                first=first,
                last=first + count - 1,
                reason=exception_text(error),
            )
        self._note_break(error)

    def _note_break(self, error: BaseException) -> None:
        self._broken += 1
        # One break may lose all chunks under way.
        if self._broken > MAX_BREAKS * 2 * self._workers:
            raise StudyError("the workers keep dying: {reason}", reason=exception_text(error))


def _error_of_future(future: Future[ChunkT]) -> BaseException | None:
    try:
        return future.exception()
    except CancelledError as error:
        return error


def _is_worker_lost(error: BaseException) -> bool:
    """Whether the error means that a worker or scheduler was lost, not that the games failed."""
    kind = type(error)
    return isinstance(error, BrokenExecutor | CancelledError) or (
        kind.__module__.startswith("distributed.") and "Killed" not in kind.__name__
    )


def _as_study_error(error: BaseException) -> BaseException:
    """Return an error as a `StudyError`; our own errors and interruptions stay as they are."""
    # Executors wrap errors of pickling, and Dask wraps them again.
    of_policy = next((each for each in _causes(error) if isinstance(each, PolicyError)), None)
    if of_policy is not None:
        of_policy.restore_cause()
        return of_policy
    if isinstance(error, DemineError) or not isinstance(error, Exception):
        return error
    failed = StudyError("a worker failed: {reason}", reason=exception_text(error))
    failed.__cause__ = error
    return failed


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield an error and what it was raised from."""
    found: BaseException | None = error
    while found is not None:
        yield found
        found = found.__cause__ or found.__context__
