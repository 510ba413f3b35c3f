"""`demine analyse`: how often each promising cell of a position wins."""

from __future__ import annotations

import click

from demine.cli.options import LaterImport, Option, Switch, json_option, under_heading
from demine.cli.param_types import SECONDS, SEED, Number
from demine.cli.position_options import position_help, position_params
from demine.scene.translation import mark, tr
from demine.solver.player.policy_table import GUESSING, describe_policies
from demine.solver.playout_limits import DEFAULT_SECONDS, MAX_PLAYOUTS

ABOUT = mark("Show how often each promising cell of a position wins the game.")
HELP_ORDER = 50
EXAMPLES = (
    "demine analyse board.txt --seconds 10",
    "demine analyse board.txt --playouts 2000 --json",
    "demine analyse game.avf@50% --window",
)


def command() -> click.Command:
    """Return the Click command of `demine analyse`."""
    return click.Command(
        "analyse",
        callback=LaterImport("analyse"),
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
            *under_heading(
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
            *under_heading(
                tr("Output"),
                json_option(),
                Switch(
                    "--window",
                    tr("Open the position in a window, to edit it and to see risks and proofs."),
                ),
            ),
        ],
    )
