"""What `demine match` does: plays the games of two players and tells who is stronger."""

from __future__ import annotations

import threading
from functools import partial
from typing import TYPE_CHECKING, Final

import click

from demine.cli.ctrl_c import catch_ctrl_c
from demine.cli.exit_codes import DONE, INTERRUPTED, print_message
from demine.cli.policy_option import import_from_current_folder
from demine.cli.resumable_games import ResumableGames, seed_or_random
from demine.cli.rule_options import rules_with_options
from demine.scene.translation import tr
from demine.solver.engine.client import Engine
from demine.solver.engine.engine_process import command_text
from demine.studies.match import (
    as_player,
    check_engines,
    engines_among,
    match_plan,
    play_match_chunk,
)
from demine.studies.match_result import MatchEndedEarly, MatchResult

if TYPE_CHECKING:
    from demine.logic.rules import Rules
    from demine.studies.plan import StudyPlan

TELL_WAITING_SECONDS: Final = 3.0
"""After so long it is told which engine has not said yet that it is ready."""


def run_match(
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
    resume: bool,
    as_json: bool,
) -> int:
    """Carry out `demine match` and return the exit code."""
    drawn = seed_or_random(seed, resume=resume)
    import_from_current_folder((a, b))
    players = [as_player(each, movetime, playouts, timeout) for each in (a, b)]
    engines = engines_among(players)
    if not engines and (movetime or playouts):
        raise click.UsageError(tr("--movetime and --playouts are for engines: neither is one"))
    chosen = rules_with_options(rules, {"first": first})
    plan = match_plan(chosen, players, drawn, games, start)
    _start_engines(engines, plan.rules)
    with catch_ctrl_c() as stop:
        played = ResumableGames("match", seed, drawn, stop, resume=resume)
        played.check_begun(plan)
        try:
            result = _play(plan, played, workers, strict=strict)
        except MatchEndedEarly as error:
            if error.result is not None:
                _print_result(error.result, as_json=as_json)
            played.print_resume_command()
            raise
        except KeyboardInterrupt:
            played.print_resume_command()
            return INTERRUPTED
    _print_result(result, as_json=as_json)
    if result.is_complete:
        return DONE
    played.print_resume_command()
    played.print_stopped(result.games, games)
    return INTERRUPTED


def _start_engines(engines: list[Engine], rules: Rules) -> None:
    """Start each engine once; print on stderr which one is being waited for if it takes long."""
    for each in engines:
        engine = command_text(each.command)
        waiting = tr("waiting for the engine {engine} to answer `umi` by `umiok`", engine=engine)
        timer = threading.Timer(TELL_WAITING_SECONDS, print_message, ("match", waiting))
        timer.start()
        try:
            check_engines([each], rules)
        finally:
            timer.cancel()


def _play(
    plan: StudyPlan, games: ResumableGames, workers: int | None, *, strict: bool
) -> MatchResult:
    # Apart if a player may keep one waiting, so that Ctrl-C does not have to wait too.
    with games.workers(plan, workers, apart=bool(plan.custom)) as found:
        play = partial(play_match_chunk, strict=strict)
        result = games.play(plan, found, play=play, ended=MatchEndedEarly.from_error)
    return MatchResult(plan, result.counts)


def _print_result(result: MatchResult, *, as_json: bool) -> None:
    if result.games:
        click.echo(result.to_json() if as_json else str(result))
