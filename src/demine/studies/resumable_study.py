"""Play a study that can be resumed: its ledger says which games are done."""

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

    from demine.solver.player.policy_types import PolicyLike
    from demine.studies.replaceable_executor import ExecutorOrFactory

LEDGER_SUFFIX: Final = ".ledger"
"""What a ledger's name adds to that of its Parquet file."""


def run_study(  # noqa: PLR0913 - passed by name, and most seldom
    plan: StudyPlan,
    executor: ExecutorOrFactory,
    *,
    workers: int = 1,
    output: Path | None = None,
    ledger: Path | None = None,
    resume: bool = False,
    on_ledger: Callable[[Ledger], object] | None = None,
    on_progress: Callable[[int], object] | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> StudyResult:
    """Play the missing games of a study; return its result, incomplete if `should_stop` ended it.

    `executor` is an executor or a function that makes one, which is called again when one breaks.
    `output` is a Parquet file for the games. The file `ledger` records which games are done; it is
    beside `output` by default, and without both there is none. `resume` goes on with a ledger that
    exists. The ledger is deleted once the Parquet file is complete. `on_ledger` is called with the
    ledger before the first game, `on_progress` with the number of games done. Raises
    `StudyEndedEarly` with the result so far, and `ReplayError` if the Parquet file cannot be
    written.
    """
    if output is not None:
        parquet.check_parquet_target(output)
        ledger = ledger or output.with_name(output.name + LEDGER_SUFFIX)
        if resume and not ledger.exists() and (earlier := parquet.read_result(output)) is not None:
            return _checked_earlier_result(earlier, plan, output)
    if ledger is None:
        memory = MemoryLedger.empty(plan)
        with _errors_with_result(plan, memory):
            play_missing_games(
                memory, executor, workers=workers, on_progress=on_progress, should_stop=should_stop
            )
        return StudyResult(plan, memory.counts)
    _check_versions_known(plan)
    with Ledger.open(ledger, plan, resume=resume, rows=output is not None) as kept:
        if on_ledger is not None:
            on_ledger(kept)
        rows = output is not None
        with _errors_with_result(plan, kept):
            whole = play_missing_games(
                kept,
                executor,
                workers=workers,
                rows=rows,
                on_progress=on_progress,
                should_stop=should_stop,
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
    policy: PolicyLike | tuple[PolicyLike, PolicyLike] = "safest",
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
    """Play many games and return their result: `demine.study(...)`.

    `rules` are `Rules` or their text; `policy` is who plays, or two of them on the same boards: a
    name, or a policy of your own, see `demine.Policy` and `demine.BatchPolicy`. The outcome depends
    only on rules, policy, seed, start and number of games, if your policy always answers alike.

    `executor` is any `concurrent.futures.Executor` whose workers can import demine, such as a Dask
    client's `get_executor()`, or a function that makes one and is called again when that breaks; a
    broken `ProcessPoolExecutor` is replaced by one like it. It gets `workers` chunks at a time.
    Without an executor the games are played in this thread, or with `workers` above 1 in as many
    processes, which a script must start under `if __name__ == "__main__":`.

    `output` is a Parquet file for the games, `ledger` the file that records which are done (by
    default beside `output`), `resume` goes on with it. `progress` is called with the number of
    games done and of all games, `stop` ends the study by returning True. Raises `StudyEndedEarly`,
    a `StudyError` with the `result` so far, and what `StudyPlan` raises.

    >>> import demine
    >>> result = demine.study("6x6/7", games=20, policy="safest", seed=1, workers=1)
    >>> result.won, result.is_complete
    (20, True)
    """
    plan = StudyPlan.of_policies(
        Rules.of(rules),
        policy if isinstance(policy, tuple) else (policy,),
        seed,
        games,
        start,
    )
    on_progress = None if progress is None else lambda done: progress(done, plan.games)
    with _given_or_local_executor(plan, executor, workers) as (chosen_executor, at_a_time):
        return run_study(
            plan,
            chosen_executor,
            workers=at_a_time,
            output=None if output is None else Path(output),
            ledger=None if ledger is None else Path(ledger),
            resume=resume,
            on_progress=on_progress,
            should_stop=stop,
        )


@contextlib.contextmanager
def local_executor(workers: int | None = None) -> Iterator[tuple[Executor, int]]:
    """Yield an executor on this machine and its number of workers.

    None is one worker process for each processor, used once the study has taken a second.
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
    plan: StudyPlan, executor: ExecutorOrFactory | None, workers: int | None
) -> Iterator[tuple[ExecutorOrFactory, int]]:
    if executor is not None:
        # Executors do not tell how many workers they have.
        yield executor, workers or max(2, processor_count())
        return
    compile_study_kernels(plan)
    with local_executor(workers or 1) as found:
        yield found


@contextlib.contextmanager
def _errors_with_result(plan: StudyPlan, store: MemoryLedger | Ledger) -> Iterator[None]:
    """Turn a `StudyError` into a `StudyEndedEarly` with the result so far."""
    try:
        yield
    except StudyError as error:
        raise StudyEndedEarly.from_error(error, StudyResult(plan, store.counts)) from error


def _check_versions_known(plan: StudyPlan) -> None:
    """Raise `StudyError` if a ledger could not tell whether the code of a policy has changed."""
    for policy in plan.custom:
        if policy.version is None:
            raise StudyError(
                "{policy}: its source cannot be read, so a ledger could not tell whether it has "
                "changed; give it an attribute `version`",
                policy=policy.name,
            )


def _checked_earlier_result(earlier: StudyResult, plan: StudyPlan, path: Path) -> StudyResult:
    """Return the result of a finished study, or raise `StudyError` if it is of another plan."""
    for name, value in plan.to_dict().items():
        had = earlier.plan.to_dict().get(name)
        if had != value:
            raise other_study_error(path, name, had, value)
    return earlier
