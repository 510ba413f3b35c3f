"""`demine study`: plays many games by a policy and counts them."""

from __future__ import annotations

import click

from demine.cli.options import LaterImport, Option, argument, json_option, under_heading
from demine.cli.param_types import MINE_SWEEP, RULES, FileName
from demine.cli.policy_option import PolicyName
from demine.cli.simulation_options import (
    options_of_games,
    resume_option,
    scheduler_option,
    workers_option,
)
from demine.logic.rules import PRESETS
from demine.scene.translation import mark, tr
from demine.solver.player.policy_table import POLICIES, describe_policies

ABOUT = mark("Play many games with a policy and count them, even on a cluster.")
HELP_ORDER = 120
EXAMPLES = (
    "demine study expert --games 10000",
    "demine study 30x16/99 --compare fast strong --seed 1",
    "demine study 16x16/40 --sweep mines=20..60:10 --plot out.png",
)


def command() -> click.Command:
    """Return the Click command of `demine study`."""
    return click.Command(
        "study",
        callback=LaterImport("study"),
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
        *under_heading(
            tr("Games"),
            *options_of_games(),
            Option("--sweep", MINE_SWEEP, tr("One study for each number of mines.")),
        ),
        *under_heading(
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
        *under_heading(
            tr("Processes"),
            workers_option(),
            scheduler_option(),
            resume_option(),
        ),
        *under_heading(
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
