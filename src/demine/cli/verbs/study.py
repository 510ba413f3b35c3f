"""`demine study`: plays many games by a policy and counts them."""

from __future__ import annotations

import contextlib
import re
import secrets
import shlex
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from demine.cli.ctrl_c import catch_ctrl_c, interrupt_between_kernels
from demine.cli.exit_codes import DONE, INTERRUPTED, print_message
from demine.cli.options import Option, Switch, argument, json_option, under
from demine.cli.param_types import MINE_SWEEP, RULES, CompletedText, Completions, FileName
from demine.cli.policy_option import PolicyName, import_from_current_folder
from demine.cli.progress_line import Progress
from demine.cli.simulation_options import options_of_games, workers_option
from demine.logic.errors import DemineError
from demine.logic.json_text import to_json
from demine.logic.rules import PRESETS, First, Rules
from demine.scene.translation import mark, tr
from demine.solver.player.policy_table import POLICIES, describe_policies
from demine.store.database_paths import data_dir
from demine.studies import parquet
from demine.studies.compile_before_workers import compile_study_kernels
from demine.studies.dask_cluster import dask_executor
from demine.studies.plan import StudyPlan
from demine.studies.resumable_study import LEDGER_SUFFIX, local_executor, run_study

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Executor

    from demine.studies.ledger import Ledger
    from demine.studies.result import StudyResult

ABOUT = mark("Play many games with a policy and count them, even on a cluster.")
HELP_ORDER = 120
EXAMPLES = (
    "demine study expert --games 10000",
    "demine study 30x16/99 --compare fast strong --seed 1",
    "demine study 16x16/40 --sweep mines=20..60:10 --plot out.png",
)
_NAME_LENGTH = 60
"""So much of a policy's name is in the name of its ledger, whose first line has all of it."""


def command() -> click.Command:
    """Return the Click command of `demine study`."""
    return click.Command(
        "study",
        callback=_study,
        help=tr(
            "Play many games with a policy and count win rate, guesses and luck.\n\nRULES is a "
            "name ({names}) or a size such as 30x16/99. A seed always gives the same games, on "
            "this machine or on a Dask cluster with --scheduler. Progress is saved; Ctrl-C stops, "
            "--resume continues.",
            names=", ".join(PRESETS),
        ),
        params=_params(),
    )


def _params() -> list[click.Parameter]:
    return [
        argument("rules", RULES),
        *under(
            tr("Games"),
            *options_of_games(1000, tr("Seed of the study (default: random, printed to stderr).")),
            Option("--sweep", MINE_SWEEP, tr("One study for each number of mines.")),
        ),
        *under(
            tr("Policies"),
            Option(
                "--policy",
                PolicyName(),
                " ".join(
                    (
                        tr("Policy that plays (default: {policy}).", policy="safest"),
                        describe_policies(POLICIES),
                        tr("MODULE:NAME is one of your own, from the current folder too."),
                    )
                ),
            ),
            Option(
                "--compare",
                PolicyName(),
                tr("Compare two policies on the same boards."),
                nargs=2,
                metavar="A B",
            ),
        ),
        *under(
            tr("Processes"),
            workers_option(),
            Option(
                "--scheduler",
                CompletedText(mark("ADDRESS"), Completions),
                tr("Play on the cluster of this Dask scheduler, such as tcp://host:8786."),
            ),
            Switch("--resume", tr("Continue a study that was stopped.")),
        ),
        *under(
            tr("Output"),
            Option(
                "-o --output target",
                FileName(".parquet", metavar=mark("OUT.parquet")),
                tr("Write a row for each game to a Parquet file."),
            ),
            Option(
                "--plot",
                FileName(".png", ".svg", ".pdf", metavar=mark("OUT.png")),
                tr("Plot the results; also .svg and .pdf."),
            ),
            json_option(),
        ),
    ]


@dataclass(frozen=True)
class _StudyRequest:
    """The studies to play, how to play them, and what to do with the results."""

    plans: tuple[StudyPlan, ...]
    sweep: range | None
    workers: int | None
    scheduler: str | None
    target: str | None
    plot: str | None
    as_json: bool
    resume: bool
    resume_command: str
    """The command that resumes it."""


def _study(
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
    if workers is not None and scheduler is not None:
        raise click.UsageError(tr("either --workers or --scheduler, not both"))
    if policy is not None and compare:
        raise click.UsageError(tr("either --policy or --compare, not both"))
    if target is not None and sweep is not None:
        raise click.UsageError(tr("a sweep writes no Parquet file: omit -o"))
    if resume and seed is None:
        raise click.UsageError(tr("--resume needs the --seed of the study"))
    chosen = Rules.parse(rules)
    if first is not None:
        chosen = replace(chosen, first=First(first))
    drawn = secrets.randbelow(1 << 32) if seed is None else seed
    policies = compare or (policy or "safest",)
    import_from_current_folder(policies)
    plan = StudyPlan.of_policies(chosen, policies, drawn, games, start)
    plans = _plans_of_sweep(plan, sweep, start)
    if seed is None:
        click.echo(tr("demine study: seed {seed}", seed=drawn), err=True)
    request = _StudyRequest(
        plans=plans,
        sweep=sweep,
        workers=workers,
        scheduler=scheduler,
        target=target,
        plot=plot,
        as_json=as_json,
        resume=resume,
        resume_command=_resume_command(click.get_current_context(), drawn),
    )
    return _run_request(request)


def _plans_of_sweep(
    plan: StudyPlan, sweep: range | None, start: tuple[int, int] | None
) -> tuple[StudyPlan, ...]:
    if sweep is None:
        return (plan,)
    rules = [replace(plan.rules, mines=mines) for mines in sweep]
    return tuple(
        StudyPlan(each, plan.policies, plan.seed, plan.games, start, plan.custom) for each in rules
    )


def _resume_command(ctx: click.Context, seed: int) -> str:
    """Return the command line that resumes a study."""
    words = ["demine", "study"]
    given: dict[str, Any] = {**ctx.params, "seed": seed, "resume": True, "lang": None}
    sweep = given["sweep"]
    if sweep is not None:
        given["sweep"] = f"mines={sweep.start}..{sweep.stop - 1}:{sweep.step}"
    if given["start"] is not None:
        given["start"] = ",".join(map(str, given["start"]))
    for param in ctx.command.params:
        value = given.get(param.name or "")
        if value is None or value is False or value == ():
            continue
        if isinstance(param, click.Option):
            words.append(param.opts[0])
        if value is not True:
            words += [str(each) for each in (value if isinstance(value, tuple) else (value,))]
    return shlex.join(words)


def _run_request(request: _StudyRequest) -> int:
    """Play all studies, print the results and return the exit code."""
    _check_outputs(request)
    results: list[StudyResult] = []
    ledgers: list[Ledger] = []
    with catch_ctrl_c() as stop:
        try:
            with _chosen_executor(request, stop) as (executor, workers):
                for plan in request.plans:
                    results.append(_run_one_study(request, plan, executor, workers, stop, ledgers))
                    if not results[-1].is_complete:
                        break
        except DemineError:
            _print_resume_command(request, ledgers)
            raise
        except KeyboardInterrupt:
            _print_resume_command(request, ledgers)
            return INTERRUPTED
    if any(result.counts.games for result in results):
        click.echo(_as_json(request, results) if request.as_json else _as_text(request, results))
    if len(results) < len(request.plans) or not results[-1].is_complete:
        _print_resume_command(request, ledgers)
        return INTERRUPTED
    if request.plot is not None:
        from demine.studies.plot import draw_results

        draw_results(results, request.plot, sweep=request.sweep is not None)
    return DONE


def _check_outputs(request: _StudyRequest) -> None:
    """Raise an error for an output that could not be written, before anything is compiled."""
    if request.target is None:
        data_dir()
    else:
        parquet.check_parquet_target(Path(request.target))
    if request.plot is not None:
        from demine.studies.plot import check_plot_target

        check_plot_target(request.plot)


@contextlib.contextmanager
def _chosen_executor(
    request: _StudyRequest, stop: Callable[[], bool]
) -> Iterator[tuple[Executor, int]]:
    if request.scheduler is not None:
        with dask_executor(request.scheduler) as found:
            yield found
        return
    compile_study_kernels(
        request.plans[0],
        lambda: print_message("study", tr("compiling the player first ...")),
        interrupt_between_kernels(stop),
    )
    with local_executor(request.workers) as found:
        yield found


def _run_one_study(
    request: _StudyRequest,
    plan: StudyPlan,
    executor: Executor,
    workers: int,
    stop: Callable[[], bool],
    ledgers: list[Ledger],
) -> StudyResult:
    """Play one study with its progress shown, and append its ledger to `ledgers`."""
    meter = Progress(
        plan.games, "games", _board_size_text(plan) if request.sweep is not None else ""
    )
    target = None if request.target is None else Path(request.target)

    def opened(ledger: Ledger) -> None:
        ledgers.append(ledger)
        _print_ledger_notes(ledger)
        meter.start_from(ledger.counts.games)

    try:
        return run_study(
            plan,
            executor,
            workers=workers,
            output=target,
            ledger=None if target is not None else default_ledger_path(plan),
            resume=request.resume,
            on_ledger=opened,
            on_progress=meter.update,
            should_stop=stop,
        )
    finally:
        meter.clear()


def default_ledger_path(plan: StudyPlan) -> Path:
    """Return the path of the ledger of a study that writes no Parquet file."""
    rules = plan.rules
    row, col = plan.first_cell
    policies = "+".join(re.sub(r"[^\w.-]", "_", policy)[:_NAME_LENGTH] for policy in plan.policies)
    name = (
        f"{rules.width}x{rules.height}_{rules.mines}-{rules.first}-{row},{col}"
        f"-{policies}-{plan.seed}"
    )
    return data_dir() / "studies" / (name + LEDGER_SUFFIX)


def _board_size_text(plan: StudyPlan) -> str:
    return f"{plan.rules.width}x{plan.rules.height}/{plan.rules.mines}"


def _print_ledger_notes(ledger: Ledger) -> None:
    """Print on stderr if an old ledger was moved away or this one is damaged."""
    if ledger.moved_to is not None:
        print_message(
            "study",
            tr(
                "an unfinished study was there; it is now in {path} (--resume would have "
                "continued it)",
                path=ledger.moved_to,
            ),
        )
    if ledger.damaged:
        print_message(
            "study",
            tr(
                "{path} is partly damaged: lost games are played again",
                path=ledger.path,
            ),
        )


def _print_resume_command(request: _StudyRequest, ledgers: list[Ledger]) -> None:
    if any(ledger.counts.games for ledger in ledgers):
        print_message(
            "study", tr("progress is saved; to continue: {command}", command=request.resume_command)
        )


def _as_json(request: _StudyRequest, results: list[StudyResult]) -> str:
    if request.sweep is None:
        return to_json(results[0].to_dict())
    return to_json({"sweep": "mines", "points": [result.to_dict() for result in results]})


def _as_text(request: _StudyRequest, results: list[StudyResult]) -> str:
    if request.sweep is None:
        return str(results[0])
    plan = request.plans[0]
    lines = [
        tr(
            "{width}x{height}, first={first}, from row {row}, column {col} (--start {start}), "
            "seed {seed}, {games} games each",
            width=plan.rules.width,
            height=plan.rules.height,
            first=plan.rules.first,
            row=plan.first_cell[0],
            col=plan.first_cell[1],
            start="{},{}".format(*plan.first_cell),
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
