"""A resumable study: play it, keep what is done in a ledger, write its games."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Final

from demine.logic.rules import Rules
from demine.studies import parquet
from demine.studies.compile_before_workers import compile_study_kernels
from demine.studies.errors import StudyError
from demine.studies.ledger import Ledger, other_study_error
from demine.studies.plan import StudyPlan
from demine.studies.process_pool import (
    InlineExecutor,
    InlineThenProcessPool,
    KillableProcessPool,
    processor_count,
)
from demine.studies.result import StudyEndedEarly, StudyResult
from demine.studies.run import MemoryLedger, play_missing_games

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator
    from concurrent.futures import Executor

    from demine.studies.replaceable_executor import ExecutorOrFactory

LEDGER_SUFFIX: Final = ".ledger"
"""What is behind a Parquet file's name in that of its ledger."""


def run_study(  # noqa: PLR0913 - by name, and most are seldom given
    plan: StudyPlan,
    executor: ExecutorOrFactory,
    *,
    workers: int = 1,
    output: Path | None = None,
    ledger: Path | None = None,
    resume: bool = False,
    opened: Callable[[Ledger], object] | None = None,
    told: Callable[[int], object] | None = None,
    stop: Callable[[], bool] | None = None,
) -> StudyResult:
    """Play a study and return what it came to, which is not whole if `stop` ended it.

    `output` is a Parquet file for the games. What is done is kept in the file `ledger`, beside
    `output` if there is one and no other is named, or nowhere; `resume` goes on with it. Once the
    Parquet file is whole, its ledger is removed. `opened` is called with the ledger before the
    first game, `told` with how many games are done, `stop` ends it by returning True. `executor` is
    one or a function that makes one, which is called again when one breaks. Raises `StudyError`,
    whose `result` is all that was done; `ReplayError` if the Parquet file cannot be written.
    """
    if output is not None:
        parquet.check_target(output)
        ledger = ledger or output.with_name(output.name + LEDGER_SUFFIX)
        if resume and not ledger.exists() and (earlier := parquet.read_result(output)) is not None:
            return _checked_earlier_result(earlier, plan, output)
    if ledger is None:
        memory = MemoryLedger.empty(plan)
        with _errors_with_result(plan, memory):
            play_missing_games(memory, executor, workers=workers, told=told, stop=stop)
        return StudyResult(plan, memory.counts)
    with Ledger.open(ledger, plan, resume=resume, rows=output is not None) as kept:
        if opened is not None:
            opened(kept)
        rows = output is not None
        with _errors_with_result(plan, kept):
            whole = play_missing_games(
                kept, executor, workers=workers, rows=rows, told=told, stop=stop
            )
        if whole and output is not None:
            parquet.write_games(kept, output)
            kept.delete_files()
        elif not kept.counts.games:
            kept.delete_files()
        return StudyResult(plan, kept.counts)


def study(  # noqa: PLR0913 - as above
    rules: Rules | str,
    *,
    games: int = 1000,
    policy: str | tuple[str, str] = "safest",
    seed: int = 0,
    start: tuple[int, int] | None = None,
    executor: ExecutorOrFactory | None = None,
    workers: int | None = None,
    output: str | os.PathLike[str] | None = None,
    ledger: str | os.PathLike[str] | None = None,
    resume: bool = False,
    progress: Callable[[int, int], object] | None = None,
    stop: Callable[[], bool] | None = None,
) -> StudyResult:
    """Play many games and return what they came to: `demine.study(...)`.

    `rules` are `Rules` or their text, `policy` who plays, or two of them on the same boards. The
    same rules, policy, seed, start and number of games give the same outcome on any executor:
    any `concurrent.futures.Executor` whose workers can import demine, a Dask client's
    `get_executor()` too, which works on `workers` chunks at a time, or a function that makes one
    and is called again when that one breaks. A `ProcessPoolExecutor` that breaks is made anew.
    Without one the games are played in this thread, or with `workers` above 1 in as many
    processes, which a script must start under `if __name__ == "__main__":`.

    `output` is a Parquet file for the games, `ledger` the file that keeps what is done (beside
    `output` unless told otherwise), `resume` goes on with it. `progress` is called with the number
    of games done and of all, `stop` ends the study by returning True. Raises `StudyEndedEarly`, a
    `StudyError` whose `result` is what was done until then, and what `StudyPlan` raises.
    """
    plan = StudyPlan(
        Rules.of(rules), (policy,) if isinstance(policy, str) else policy, seed, games, start
    )
    told = None if progress is None else lambda done: progress(done, plan.games)
    with _given_or_local_executor(executor, workers) as (chosen_executor, at_a_time):
        return run_study(
            plan,
            chosen_executor,
            workers=at_a_time,
            output=None if output is None else Path(output),
            ledger=None if ledger is None else Path(ledger),
            resume=resume,
            told=told,
            stop=stop,
        )


@contextlib.contextmanager
def local_executor(workers: int | None = None) -> Iterator[tuple[Executor, int]]:
    """Yield an executor with so many workers on this machine, and how many they are.

    None is one for each processor, once the study has taken longer than a moment.
    """
    count = workers or processor_count()
    if count == 1:
        yield InlineExecutor(), 1
        return
    pool = InlineThenProcessPool(count) if workers is None else KillableProcessPool(count)
    try:
        yield pool, count
    finally:
        pool.shutdown(cancel_futures=True)


@contextlib.contextmanager
def _given_or_local_executor(
    executor: ExecutorOrFactory | None, workers: int | None
) -> Iterator[tuple[ExecutorOrFactory, int]]:
    if executor is not None:
        # Executors do not say how many workers they have.
        yield executor, workers or max(2, processor_count())
        return
    compile_study_kernels()
    with local_executor(workers or 1) as found:
        yield found


@contextlib.contextmanager
def _errors_with_result(plan: StudyPlan, store: MemoryLedger | Ledger) -> Iterator[None]:
    """Let an error that ends the study tell what was done."""
    try:
        yield
    except StudyError as error:
        raise StudyEndedEarly.from_error(error, StudyResult(plan, store.counts)) from error


def _checked_earlier_result(earlier: StudyResult, plan: StudyPlan, path: Path) -> StudyResult:
    """Return a study that was finished before, if it is the same."""
    for name, value in plan.facts().items():
        had = earlier.plan.facts()[name]
        if had != value:
            raise other_study_error(path, name, had, value)
    return earlier
