"""Play many games with their progress shown and kept, for `demine study` and `demine match`."""

from __future__ import annotations

import contextlib
import re
import secrets
import shlex
from typing import TYPE_CHECKING, Any, Final

import click

from demine.cli.ctrl_c import interrupt_between_kernels
from demine.cli.exit_codes import print_message
from demine.cli.progress_line import Progress
from demine.scene.translation import tr
from demine.store.database_paths import data_dir
from demine.studies.compile_before_workers import compile_study_kernels
from demine.studies.errors import StudyError
from demine.studies.ledger import describe_kept_study
from demine.studies.resumable_study import LEDGER_SUFFIX, Workers, local_workers, run_study

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from demine.studies.ledger import Ledger
    from demine.studies.plan import StudyPlan
    from demine.studies.result import StudyResult

_NAME_LENGTH: Final = 60
"""So much of a player's name is in the name of its ledger, whose first line has all of it."""

_NAMED_STUDIES: Final = 3


def seed_or_random(seed: int | None, *, resume: bool) -> int:
    """Return the seed that is given, or draw one; nothing can be resumed without its seed."""
    if seed is None and resume:
        raise click.UsageError(tr("--resume needs the --seed of what was stopped"))
    return secrets.randbelow(1 << 32) if seed is None else seed


class ResumableGames:
    """Plays one plan after another with its progress shown and kept in a ledger.

    `stop` tells whether Ctrl-C was pressed.
    """

    def __init__(
        self, verb: str, seed: int | None, drawn: int, stop: Callable[[], bool], *, resume: bool
    ) -> None:
        """Begin, and print on stderr which seed was `drawn` if none was given."""
        self._verb = verb
        self._resume = resume
        self._stop = stop
        self._resume_command = resume_command(click.get_current_context(), drawn)
        self._ledgers: list[Ledger] = []
        if seed is None:
            self._say(tr("seed {seed}", seed=drawn))

    def check_begun(self, plan: StudyPlan) -> None:
        """Raise `StudyError` if a plan without an output is to be resumed and was never begun."""
        path = self._ledger_path(plan)
        if not self._resume or path.exists():
            return
        raise StudyError(
            "there is nothing to resume: no games of {players} on {rules} with --start {start} and "
            "--seed {seed} are kept{others}",
            players=", ".join(plan.policies),
            rules=plan.rules,
            start="{},{}".format(*plan.start),
            seed=plan.seed,
            others=self._kept_studies(path.parent),
        )

    def _kept_studies(self, folder: Path) -> str:
        """Return a sentence's part that names the studies kept last."""
        paths = [
            each
            for each in folder.glob(f"*{LEDGER_SUFFIX}")
            if each.name.startswith("match-") == (self._verb == "match")
        ]
        paths.sort(key=lambda path: path.stat().st_mtime, reverse=True)
        kept = [text for path in paths[:_NAMED_STUDIES] if (text := describe_kept_study(path))]
        return tr("; the last that are: {studies}", studies="; ".join(kept)) if kept else ""

    @contextlib.contextmanager
    def workers(self, plan: StudyPlan, count: int | None, *, apart: bool) -> Iterator[Workers]:
        """Yield who plays on this machine, by kernels compiled first; see `local_workers`."""
        compile_study_kernels(
            plan,
            lambda: self._say(tr("compiling the player first ...")),
            interrupt_between_kernels(self._stop),
        )
        with local_workers(count, apart=apart) as found:
            yield found

    def play(
        self,
        plan: StudyPlan,
        workers: Workers,
        *,
        output: Path | None = None,
        name: str = "",
        **options: Any,  # noqa: ANN401 - of `run_study`
    ) -> StudyResult:
        """Play the games of a plan that are missing; `name` precedes the line of its progress."""

        def opened(ledger: Ledger) -> None:
            self._ledgers.append(ledger)
            self._print_notes(ledger)
            progress.start_from(ledger.counts.games)

        with Progress(plan.games, "games", name) as progress:
            return run_study(
                plan,
                workers.executor,
                workers=workers.chunks,
                begin_here=workers.begin_here,
                output=output,
                ledger=None if output is not None else self._ledger_path(plan),
                resume=self._resume,
                on_ledger=opened,
                on_progress=progress.update,
                should_stop=self._stop,
                **options,
            )

    def print_resume_command(self) -> None:
        """Print on stderr how to go on, if anything was played."""
        if any(ledger.counts.games for ledger in self._ledgers):
            self._say(tr("progress is saved; to continue: {command}", command=self._resume_command))

    def print_stopped(self, done: int, games: int) -> None:
        """Print on stderr how many games were played."""
        self._say(tr("stopped: {done} of {games} games were played", done=done, games=games))

    def _ledger_path(self, plan: StudyPlan) -> Path:
        """Return the path of the ledger of games that are written to no other file."""
        rules = plan.rules
        row, col = plan.start
        players = "+".join(re.sub(r"[^\w.-]", "_", each)[:_NAME_LENGTH] for each in plan.policies)
        name = f"{rules.width}x{rules.height}_{rules.mines}-{rules.first}-{row},{col}-{players}"
        kind = "" if self._verb == "study" else f"{self._verb}-"
        return data_dir() / "studies" / f"{kind}{name}-{plan.seed}{LEDGER_SUFFIX}"

    def _print_notes(self, ledger: Ledger) -> None:
        """Print on stderr if an old ledger was moved away or this one is damaged."""
        if ledger.moved_to is not None:
            self._say(
                tr(
                    "unfinished games were there; they are now in {path} (--resume would have "
                    "continued them)",
                    path=ledger.moved_to,
                )
            )
        if ledger.damaged:
            self._say(tr("{path} is partly damaged: lost games are played again", path=ledger.path))

    def _say(self, sentence: str) -> None:
        print_message(self._verb, sentence)


def resume_command(ctx: click.Context, seed: int) -> str:
    """Return the command line that goes on with what is stopped."""
    words = ["demine", str(ctx.info_name)]
    given: dict[str, Any] = {**ctx.params, "seed": seed, "resume": True, "lang": None}
    if (sweep := given.get("sweep")) is not None:
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
