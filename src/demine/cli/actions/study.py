"""What `demine study` does: plays many games by a policy, counts and prints them."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from demine.cli.ctrl_c import catch_ctrl_c
from demine.cli.exit_codes import DONE, INTERRUPTED
from demine.cli.policy_option import import_from_current_folder
from demine.cli.resumable_games import ResumableGames, seed_or_random
from demine.cli.rule_options import rules_with_options
from demine.logic.errors import DemineError
from demine.logic.json_text import to_json
from demine.scene.translation import tr
from demine.store.database_paths import data_dir
from demine.studies import parquet
from demine.studies.dask_cluster import dask_executor
from demine.studies.plan import StudyPlan
from demine.studies.resumable_study import Workers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from demine.studies.result import StudyResult


@dataclass(frozen=True)
class _Request:
    """The studies to play, who plays, and what becomes of the results."""

    plans: tuple[StudyPlan, ...]
    is_sweep: bool
    workers: int | None
    scheduler: str | None
    target: str | None
    plot: str | None
    as_json: bool


def run_study(
    rules: str,
    games: int,
    policy: str | None,
    compare: tuple[str, str] | None,
    first: str | None,
    start: tuple[int, int] | None,
    seed: int | None,
    sweep: range | None,
    workers: int | None,
    scheduler: str | None,
    resume: bool,
    target: str | None,
    plot: str | None,
    as_json: bool,
) -> int:
    """Carry out `demine study` and return the exit code."""
    if workers is not None and scheduler is not None:
        raise click.UsageError(tr("either --workers or --scheduler, not both"))
    if policy is not None and compare:
        raise click.UsageError(tr("either --policy or --compare, not both"))
    if target is not None and sweep is not None:
        raise click.UsageError(tr("a sweep writes no Parquet file: omit -o"))
    drawn = seed_or_random(seed, resume=resume)
    policies = compare or (policy or "safest",)
    import_from_current_folder(policies)
    chosen = rules_with_options(rules, {"first": first})
    plan = StudyPlan.of_policies(chosen, policies, drawn, games, start)
    plans = _plans_of_sweep(plan, sweep, start)
    request = _Request(plans, sweep is not None, workers, scheduler, target, plot, as_json)
    _check_outputs(request)
    with catch_ctrl_c() as stop:
        return _run_request(request, ResumableGames("study", seed, drawn, stop, resume=resume))


def _plans_of_sweep(
    plan: StudyPlan, sweep: range | None, start: tuple[int, int] | None
) -> tuple[StudyPlan, ...]:
    if sweep is None:
        return (plan,)
    rules = [replace(plan.rules, mines=mines) for mines in sweep]
    return tuple(
        StudyPlan(each, plan.policies, plan.seed, plan.games, start, plan.custom) for each in rules
    )


def _run_request(request: _Request, games: ResumableGames) -> int:
    """Play all studies, print the results and return the exit code."""
    results: list[StudyResult] = []
    target = None if request.target is None else Path(request.target)
    if target is None:
        games.check_begun(request.plans[0])
    try:
        with _workers(request, games) as workers:
            for plan in request.plans:
                name = _size_text(plan) if request.is_sweep else ""
                results.append(games.play(plan, workers, output=target, name=name))
                if not results[-1].is_complete:
                    break
    except DemineError:
        games.print_resume_command()
        raise
    except KeyboardInterrupt:
        games.print_resume_command()
        return INTERRUPTED
    if any(result.counts.games for result in results):
        click.echo(_as_json(request, results) if request.as_json else _as_text(request, results))
    if len(results) < len(request.plans) or not results[-1].is_complete:
        games.print_resume_command()
        games.print_stopped(
            sum(result.counts.games for result in results),
            sum(plan.games for plan in request.plans),
        )
        return INTERRUPTED
    if request.plot is not None:
        from demine.studies.plot import draw_results

        draw_results(results, request.plot, sweep=request.is_sweep)
    return DONE


@contextlib.contextmanager
def _workers(request: _Request, games: ResumableGames) -> Iterator[Workers]:
    if request.scheduler is not None:
        with dask_executor(request.scheduler) as (executor, threads):
            yield Workers(executor, threads)
        return
    with games.workers(request.plans[0], request.workers, apart=False) as found:
        yield found


def _check_outputs(request: _Request) -> None:
    """Raise an error for an output that could not be written, before anything is compiled."""
    if request.target is None:
        data_dir()
    else:
        parquet.check_parquet_target(Path(request.target))
    if request.plot is not None:
        from demine.studies.plot import check_plot_target

        check_plot_target(request.plot)


def _size_text(plan: StudyPlan) -> str:
    return f"{plan.rules.width}x{plan.rules.height}/{plan.rules.mines}"


def _as_json(request: _Request, results: list[StudyResult]) -> str:
    if not request.is_sweep:
        return to_json(results[0].to_dict())
    return to_json({"sweep": "mines", "points": [result.to_dict() for result in results]})


def _as_text(request: _Request, results: list[StudyResult]) -> str:
    if not request.is_sweep:
        return str(results[0])
    plan = request.plans[0]
    lines = [
        tr(
            "{width}x{height}, first={first}, from row {row}, column {col} (--start {start}), "
            "seed {seed}, {games} games each",
            width=plan.rules.width,
            height=plan.rules.height,
            first=plan.rules.first,
            row=plan.start[0],
            col=plan.start[1],
            start="{},{}".format(*plan.start),
            seed=plan.seed,
            games=f"{plan.games:,}",
        )
    ]
    for result in results:
        for each in result.policies:
            low, high = each.interval
            lines.append(
                tr(
                    "{mines} mines, {policy}: {rate} ({low} to {high} at 95%)",
                    mines=f"{result.plan.rules.mines:>5}",
                    policy=each.policy,
                    rate=f"{each.win_rate:.2%}",
                    low=f"{low:.2%}",
                    high=f"{high:.2%}",
                )
            )
    return "\n".join(lines)
