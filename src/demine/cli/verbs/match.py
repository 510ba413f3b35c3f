"""`demine match`: two players on the same boards, and which of them is stronger."""

from __future__ import annotations

import contextlib
import secrets
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import click

from demine.cli.ctrl_c import catch_ctrl_c, interrupt_between_kernels
from demine.cli.exit_codes import DONE, INTERRUPTED, print_message
from demine.cli.options import Option, Switch, json_option, under
from demine.cli.param_types import RULES, SECONDS, Number
from demine.cli.policy_option import import_from_current_folder
from demine.cli.progress_line import Progress
from demine.cli.simulation_options import options_of_games, workers_option
from demine.logic.rules import PRESETS, First, Rules
from demine.scene.translation import mark, tr
from demine.solver.engine.client import DEFAULT_TIMEOUT, MAX_TIMEOUT
from demine.solver.engine.protocol import MAX_MOVE_TIME, MAX_PLAYOUTS
from demine.solver.player.policy_table import POLICIES
from demine.studies.compile_before_workers import compile_study_kernels
from demine.studies.match import (
    as_player,
    check_engines,
    engines_among,
    match_plan,
    run_match,
    worker_processes,
)
from demine.studies.match_result import MatchEndedEarly
from demine.studies.process_pool import processor_count
from demine.studies.resumable_study import local_executor

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Executor

    from demine.studies.match_result import MatchResult
    from demine.studies.plan import StudyPlan

ABOUT = mark("Have two players play the same boards and tell which is stronger.")
HELP_ORDER = 122
EXAMPLES = (
    "demine match best safest --games 10000",
    'demine match "perl engine.pl" safest --rules beginner --seed 7',
    "demine match ./engine mymodule:choose --movetime 100 --json",
)
DEFAULT_GAMES: Final = 1000


def command() -> click.Command:
    """Return the Click command of `demine match`."""
    return click.Command(
        "match",
        callback=_match,
        help=tr(
            "Have two players play the same boards and tell which is stronger.\n\nA and B are each "
            "a policy ({policies}), one of your own as module:name, or the command of an engine in "
            'any language, such as "perl engine.pl"; see docs/engine.md.',
            policies=", ".join(POLICIES),
        ),
        params=_params(),
    )


def _params() -> list[click.Parameter]:
    return [
        click.Argument(["a"], metavar="A"),
        click.Argument(["b"], metavar="B"),
        *under(
            tr("Games"),
            Option(
                "--rules",
                RULES,
                tr(
                    "Rules of the boards: a name ({names}) or a size such as 30x16/99.",
                    names=", ".join(PRESETS),
                ),
                "expert",
            ),
            *options_of_games(
                DEFAULT_GAMES, tr("Seed of the boards (default: random, printed to stderr).")
            ),
        ),
        *under(
            tr("Players"),
            Option(
                "--movetime",
                Number(1, MAX_MOVE_TIME, metavar=mark("MS")),
                tr("Milliseconds that an engine may think about a move."),
            ),
            Option(
                "--playouts",
                Number(1, MAX_PLAYOUTS),
                tr("Layouts that an engine may play out for a move."),
            ),
            Option(
                "--timeout",
                Number(0, MAX_TIMEOUT, whole=False, above_low=True, metavar=SECONDS),
                tr("Seconds an engine has for an answer, beyond --movetime."),
                DEFAULT_TIMEOUT,
            ),
            Switch(
                "--strict",
                tr("Stop at the first failure of a player, which otherwise loses that game."),
            ),
            workers_option(),
        ),
        *under(tr("Output"), json_option()),
    ]


def _match(
    a: str,
    b: str,
    games: int,
    rules: str,
    first: str | None,
    start: tuple[int, int] | None,
    seed: int | None,
    movetime: int | None,
    playouts: int | None,
    timeout: float,
    strict: bool,
    workers: int | None,
    as_json: bool,
) -> int:
    chosen = Rules.parse(rules)
    if first is not None:
        chosen = replace(chosen, first=First(first))
    import_from_current_folder((a, b))
    players = [as_player(each, movetime, playouts, timeout) for each in (a, b)]
    engines = engines_among(players)
    if not engines and (movetime or playouts):
        raise click.UsageError(tr("--movetime and --playouts are for engines: neither is one"))
    drawn = secrets.randbelow(1 << 32) if seed is None else seed
    plan = match_plan(chosen, players, drawn, games, start)
    check_engines(engines, plan.rules)
    if seed is None:
        click.echo(tr("demine match: seed {seed}", seed=drawn), err=True)
    try:
        result = _play(plan, workers, strict=strict)
    except MatchEndedEarly as error:
        if error.result is not None:
            _print_result(error.result, as_json=as_json)
        raise
    except KeyboardInterrupt:
        return INTERRUPTED
    _print_result(result, as_json=as_json)
    if result.is_complete:
        return DONE
    print_message(
        "match",
        tr("stopped: {done} of {games} games were played", done=result.games, games=games),
    )
    return INTERRUPTED


@contextlib.contextmanager
def _executor(plan: StudyPlan, workers: int | None) -> Iterator[tuple[Executor, int]]:
    """Yield what plays, and how many games at a time.

    Processes play whose players may keep one waiting, so that Ctrl-C does not have to wait too.
    """
    if not plan.custom:
        with local_executor(workers) as found:
            yield found
        return
    count = workers or processor_count()
    with worker_processes(count) as executor:
        yield executor, count


def _play(plan: StudyPlan, workers: int | None, *, strict: bool) -> MatchResult:
    """Play the match with its progress shown."""
    with catch_ctrl_c() as stop:
        compile_study_kernels(
            plan,
            lambda: print_message("match", tr("compiling the player first ...")),
            interrupt_between_kernels(stop),
        )
        meter = Progress(plan.games, "games")
        try:
            with _executor(plan, workers) as (executor, at_a_time):
                return run_match(
                    plan,
                    executor,
                    workers=at_a_time,
                    strict=strict,
                    on_progress=meter.update,
                    should_stop=stop,
                )
        finally:
            meter.clear()


def _print_result(result: MatchResult, *, as_json: bool) -> None:
    if result.games:
        click.echo(result.to_json() if as_json else str(result))
