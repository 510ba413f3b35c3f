"""Play a study that can be resumed: its ledger says which games are done."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from demine.logic.errors import DemineError
from demine.logic.rules import Rules
from demine.studies import parquet
from demine.studies.chunk import play_chunk
from demine.studies.compile_before_workers import compile_study_kernels
from demine.studies.errors import StudyError
from demine.studies.ledger import Ledger, other_study_error
from demine.studies.plan import StudyPlan, checked_number
from demine.studies.process_pool import (
    MAX_WORKERS,
    InlineExecutor,
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
    from demine.studies.chunk import Chunk
    from demine.studies.replaceable_executor import ExecutorOrFactory
    from demine.studies.run import ChunkPlayer

LEDGER_SUFFIX: Final = ".ledger"
"""What a ledger's name adds to that of its Parquet file."""


def run_study(  # noqa: PLR0913 - passed by name, and most seldom
    plan: StudyPlan,
    executor: ExecutorOrFactory,
    *,
    workers: int = 1,
    begin_here: bool = False,
    output: Path | None = None,
    ledger: Path | None = None,
    resume: bool = False,
    play: ChunkPlayer[StudyPlan, Chunk] = play_chunk,
    ended: Callable[[DemineError, StudyResult], DemineError] = StudyEndedEarly.from_error,
    on_ledger: Callable[[Ledger], object] | None = None,
    on_progress: Callable[[int], object] | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> StudyResult:
    """Play the missing games of a study; return its result, incomplete if `should_stop` ended it.

    `executor`, `workers`, `begin_here`, `play` and `should_stop` are those of
    `demine.studies.run.play_missing_games`. `output` is a Parquet file for the games. The file
    `ledger` records which games are done; it is beside `output` by default, and without both there
    is none. `resume` goes on with a ledger that exists. The ledger is deleted once the Parquet file
    is complete. `on_ledger` is called with the ledger before the first game, `on_progress` with the
    number of games done. What ends the study is raised as `ended` returns it with the result so
    far: a `StudyError` as a `StudyEndedEarly`. Raises `ReplayError` if the Parquet file cannot be
    written.
    """
    rows = output is not None
    if output is not None:
        parquet.check_parquet_target(output)
        ledger = ledger or output.with_name(output.name + LEDGER_SUFFIX)
        if resume and not ledger.exists() and (earlier := parquet.read_result(output)) is not None:
            return _checked_earlier_result(earlier, plan, output)
    if ledger is not None:
        _check_versions_known(plan)
    elif resume:
        raise StudyError("only what has a ledger or an output can be resumed: give the same again")
    with contextlib.ExitStack() as stack:
        kept: MemoryLedger | Ledger = MemoryLedger.empty(plan)
        if ledger is not None:
            kept = stack.enter_context(Ledger.open(ledger, plan, resume=resume, rows=rows))
            if on_ledger is not None:
                on_ledger(kept)
        try:
            whole = play_missing_games(
                kept,
                executor,
                workers=workers,
                begin_here=begin_here,
                rows=rows,
                play=play,
                on_progress=on_progress,
                should_stop=should_stop,
            )
        except DemineError as error:
            early = ended(error, StudyResult(plan, kept.counts))
            raise early from (error.__cause__ if early is error else error)
        if isinstance(kept, Ledger):
            if whole and output is not None:
                parquet.write_games(kept, output)
            if (whole and rows) or not kept.counts.games:
                kept.delete_files()
        return StudyResult(plan, kept.counts)


def study(  # noqa: PLR0913 - as above
    rules: Rules | str,
    *,
    games: int = 1000,
    policy: PolicyLike | tuple[PolicyLike, PolicyLike] | list[PolicyLike] = "safest",
    seed: int = 0,
    start: tuple[int, int] | None = None,
    executor: Executor | Callable[[], Executor] | None = None,
    workers: int | None = None,
    output: str | os.PathLike[str] | None = None,
    ledger: str | os.PathLike[str] | None = None,
    resume: bool = False,
    progress: Callable[[int, int], object] | None = None,
    stop: Callable[[], bool] | None = None,
) -> StudyResult:
    """Play many games by one policy, or by two on the same boards, and return the result.

    `rules` are `Rules` or their text; `policy` is who plays, or two of them on the same boards: a
    name, or a policy of your own, see `demine.Policy` and `demine.BatchPolicy`. The outcome depends
    only on rules, policy, seed, start and number of games, if your policy always answers alike.

    `executor` is any `concurrent.futures.Executor` whose workers can import demine, such as a Dask
    client's `get_executor()`, or a function that makes one and is called again when that breaks; a
    broken `ProcessPoolExecutor` is replaced by one like it. It gets `workers` chunks at a time.
    Without an executor the games are played in this thread, or with `workers` above 1 in as many
    processes.

    `output` is a Parquet file for the games, `ledger` the file that records which are done (by
    default beside `output`), `resume` goes on with it. `progress` is called with the number of
    games done and of all games, `stop` ends the study by returning True. Raises `StudyEndedEarly`,
    a `StudyError` with the `result` so far, and what `StudyPlan` raises.

    >>> import demine
    >>> result = demine.study("6x6/7", games=20, policy="safest", seed=1, workers=1)
    >>> result.won, result.is_complete
    (20, True)
    """
    policies = policy if isinstance(policy, tuple | list) else [policy]
    plan = StudyPlan.of_policies(Rules.of(rules), policies, seed, games, start)
    with contextlib.ExitStack() as stack:
        if executor is None:
            compile_study_kernels(plan)
            who = stack.enter_context(local_workers(1 if workers is None else workers))
        else:
            # Executors do not tell how many workers they have.
            count = max(2, processor_count()) if workers is None else checked_workers(workers)
            who = Workers(executor, count)
        return run_study(
            plan,
            who.executor,
            workers=who.chunks,
            output=None if output is None else Path(output),
            ledger=None if ledger is None else Path(ledger),
            resume=resume,
            on_progress=None if progress is None else lambda done: progress(done, plan.games),
            should_stop=stop,
        )


@dataclass(frozen=True)
class Workers:
    """Who plays: an executor, and how many chunks at a time.

    With `begin_here` they are needed only for what takes long.
    """

    executor: ExecutorOrFactory
    chunks: int = 1
    begin_here: bool = False


@contextlib.contextmanager
def local_workers(workers: int | None = None, *, apart: bool = False) -> Iterator[Workers]:
    """Yield who plays on this machine: this thread, or several processes.

    None is a process for each processor, brought in when the work is worth it. With `apart` nothing
    is played in this thread, which Ctrl-C could then not end at once.
    """
    count = processor_count() if workers is None else checked_workers(workers)
    if count == 1 and not apart:
        yield Workers(InlineExecutor())
        return
    pool = KillableProcessPool(count)
    try:
        yield Workers(pool, count, begin_here=workers is None and not apart)
    finally:
        pool.shutdown(cancel_futures=True)


def checked_workers(workers: int) -> int:
    """Return a number of workers; raises `StudyError` unless it is from 1 to `MAX_WORKERS`."""
    return checked_number("the number of workers", workers, 1, MAX_WORKERS + 1)


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
