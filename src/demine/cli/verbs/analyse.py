"""`demine analyse`: how often each promising cell of a position wins."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from typing import TYPE_CHECKING, Unpack

import click

from demine.cli.ctrl_c import catch_ctrl_c, interrupt_between_kernels
from demine.cli.exit_codes import DONE, INTERRUPTED, print_negative_answer
from demine.cli.options import Option, json_option, under
from demine.cli.param_types import SECONDS, SEED, Number
from demine.cli.position_input import (
    PositionChoice,
    position_help,
    position_params,
    read_position,
)
from demine.cli.progress_line import ProgressLine
from demine.cli.text_table import aligned_lines
from demine.kernels import kernel_set
from demine.logic.json_text import to_json
from demine.scene.translation import mark, tr
from demine.solver.errors import InconsistentBoard, TooComplex
from demine.solver.player.kernels import PLAYER_KERNELS
from demine.solver.player.policy_table import GUESSING, describe_policies
from demine.solver.win_chances import DEFAULT_SECONDS, MAX_PLAYOUTS, Analysis, analyse

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

ABOUT = mark("Show how often each promising cell of a position wins the game.")
HELP_ORDER = 50
EXAMPLES = (
    "demine analyse board.txt --seconds 10",
    "demine analyse board.txt --playouts 2000 --json",
)


def command() -> click.Command:
    """Return the Click command of `demine analyse`."""
    return click.Command(
        "analyse",
        callback=_analyse,
        help="\n\n".join(
            (
                tr("Show how likely each promising cell of a position is to win the game."),
                tr(
                    "With few layouts left, the chances are exact, for the best play. Otherwise "
                    "layouts are drawn at random, and a policy plays each cell to the end on "
                    "them, until time is up or one cell is clearly best. Ctrl-C stops and shows "
                    "what is known so far."
                ),
                position_help(),
                tr("Exit code 1: no layout fits, or the position is too complex."),
            )
        ),
        params=[
            *position_params(),
            *under(
                tr("Playouts"),
                Option(
                    "--seconds",
                    Number(0, 86_400, whole=False, above_low=True, metavar=SECONDS),
                    tr("How long to think (default: {seconds:.0f}).", seconds=DEFAULT_SECONDS),
                ),
                Option(
                    "--playouts",
                    Number(1, MAX_PLAYOUTS),
                    tr("How many layouts to play instead; the answer is then always the same."),
                ),
                Option(
                    "--policy",
                    GUESSING,
                    " ".join((tr("Policy that plays on."), describe_policies(GUESSING))),
                    "fast",
                ),
                Option("--seed", SEED, tr("Seed of the layouts."), 0),
            ),
            *under(tr("Output"), json_option()),
        ],
    )


def _analyse(
    seconds: float | None,
    playouts: int | None,
    policy: str,
    seed: int,
    as_json: bool,
    **chosen: Unpack[PositionChoice],
) -> int:
    position = read_position("analyse", **chosen)
    _announce_compiling()
    meter = _PlayoutProgress()
    with catch_ctrl_c() as stopped, _ctrl_c_ends_compiling(stopped):
        try:
            found = analyse(
                position.seen(),
                seconds=seconds,
                playouts=playouts,
                policy=policy,
                seed=seed,
                progress=meter.update,
                stop=stopped,
            )
        except (InconsistentBoard, TooComplex) as error:
            return print_negative_answer("analyse", error)
        finally:
            meter.clear()
        interrupted = stopped()
    if as_json:
        facts = {"rules": str(position.rules), **found.to_dict(), "text": str(found)}
        click.echo(to_json(facts))
    else:
        click.echo(_report_text(found))
    return INTERRUPTED if interrupted else DONE


def _announce_compiling() -> None:
    """Print that the policies must be compiled first, or are slow without Numba."""
    if not kernel_set.numba_available():
        click.echo(
            tr("Numba is not installed, so games are played in plain Python, very slowly."),
            err=True,
        )
    elif sys.stderr.isatty() and not PLAYER_KERNELS.is_loaded and not PLAYER_KERNELS.is_cached():
        click.echo(tr("Compiling the player first; this takes about a minute, once."), err=True)


def _ctrl_c_ends_compiling(stopped: Callable[[], bool]) -> AbstractContextManager[None]:
    """Let Ctrl-C interrupt compiling within this context."""
    if not kernel_set.numba_available():
        return nullcontext()
    return kernel_set.report_compilations(interrupt_between_kernels(stopped))


def _report_text(found: Analysis) -> str:
    lines = found.table_rows()
    if not lines:
        return str(found)
    head = (tr("Cell"), tr("Risk"), tr("Wins"), "" if found.exact else "95%")
    rows = aligned_lines([head, *lines], right_columns=range(len(head)))
    return "\n".join([*rows, "", str(found)])


class _PlayoutProgress(ProgressLine):
    """Shows how many layouts have been played."""

    def update(self, done: int, total: int | None) -> None:
        """Set how many layouts are played, and of how many if that is known."""
        if self.is_due():
            self.redraw(f"{done:,}" if total is None else f"{done:,} / {total:,}")
