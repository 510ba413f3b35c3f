"""What `demine dataset` does: writes positions with exact probabilities to files."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

import click

from demine.cli.ctrl_c import catch_ctrl_c, interrupt_between_kernels
from demine.cli.exit_codes import DONE, INTERRUPTED, print_message
from demine.cli.policy_option import import_from_current_folder
from demine.cli.progress_line import Progress
from demine.cli.resumable_games import resume_command, seed_or_random
from demine.cli.rule_options import rules_with_options
from demine.logic.json_text import to_json
from demine.scene.translation import tr
from demine.studies.dask_cluster import dask_executor
from demine.studies.datasets.make import (
    DEFAULT_POLICY,
    compile_dataset_kernels,
    make_missing_files,
    open_folder,
)
from demine.studies.datasets.plan import DatasetPlan
from demine.studies.plan import StudyPlan
from demine.studies.resumable_study import Workers, local_workers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from demine.studies.datasets.folder import DatasetFolder
    from demine.studies.datasets.make import Dataset


def run_dataset(
    rules: str,
    positions: int,
    per_game: int,
    seed: int | None,
    policy: str | None,
    share: float,
    first: str | None,
    start: tuple[int, int] | None,
    workers: int | None,
    scheduler: str | None,
    resume: bool,
    target: str | None,
    form: str,
    shard: int,
    mines: bool,
    as_json: bool,
) -> int:
    """Carry out `demine dataset` and return the exit code."""
    if target is None:
        raise click.UsageError(tr("say which folder to write: -o FOLDER"))
    if workers is not None and scheduler is not None:
        raise click.UsageError(tr("either --workers or --scheduler, not both"))
    drawn = seed_or_random(seed, resume=resume)
    policy = policy or DEFAULT_POLICY
    import_from_current_folder([policy])
    chosen = rules_with_options(rules, {"first": first})
    games = StudyPlan.of_policies(chosen, [policy], drawn, 1, start)
    plan = DatasetPlan(games, positions, per_game, share, mines, form, shard)
    folder = open_folder(plan, Path(target), resume=resume)
    if seed is None:
        print_message("dataset", tr("seed {seed}", seed=drawn))
    with catch_ctrl_c() as stop:
        try:
            made = _make(folder, workers, scheduler, stop)
        except KeyboardInterrupt:
            return INTERRUPTED
    return _print_result(made, as_json=as_json)


def _make(
    folder: DatasetFolder, workers: int | None, scheduler: str | None, stop: Callable[[], bool]
) -> Dataset:
    """Make the files that are missing, with progress shown."""
    with (
        Progress(folder.plan.positions, "positions") as progress,
        _workers(workers, scheduler, stop) as who,
    ):
        progress.start_from(folder.positions)
        return make_missing_files(folder, who, on_progress=progress.update, should_stop=stop)


@contextlib.contextmanager
def _workers(
    count: int | None, scheduler: str | None, stop: Callable[[], bool]
) -> Iterator[Workers]:
    """Yield who works, on this machine with kernels compiled first."""
    if scheduler is not None:
        with dask_executor(scheduler) as (executor, threads):
            yield Workers(executor, threads)
        return
    compile_dataset_kernels(
        lambda _: print_message("dataset", tr("compiling the player first ...")),
        interrupt_between_kernels(stop),
    )
    with local_workers(count) as found:
        yield found


def _print_result(made: Dataset, *, as_json: bool) -> int:
    """Print what there is, and how to go on if that is not all; return the exit code."""
    if not made.is_complete:
        command = resume_command(click.get_current_context(), made.seed)
        print_message("dataset", tr("progress is saved; to continue: {command}", command=command))
        print_message(
            "dataset",
            tr(
                "stopped: {done} of {wanted} positions were written",
                done=made.positions,
                wanted=made.wanted,
            ),
        )
        return INTERRUPTED
    if as_json:
        click.echo(to_json(made.to_dict()))
    else:
        click.echo(
            tr(
                "{positions} positions in {folder}",
                positions=f"{made.positions:,}",
                folder=made.folder,
            )
        )
    return DONE
