"""`demine dataset`: writes positions with exact probabilities and best moves to files."""

from __future__ import annotations

import click

from demine.cli.options import LaterImport, Option, Switch, argument, json_option, under_heading
from demine.cli.param_types import CELL, COUNT, FOLDER_NAME, RULES, SEED, Number
from demine.cli.policy_option import PolicyName
from demine.cli.simulation_options import (
    first_option,
    resume_option,
    scheduler_option,
    workers_option,
)
from demine.logic.rules import PRESETS
from demine.scene.translation import mark, tr
from demine.solver.player.policy_table import POLICIES, describe_policies

ABOUT = mark("Write solved positions to learn from.")
HELP_ORDER = 126
EXAMPLES = (
    "demine dataset beginner --positions 1e6 -o positions",
    "demine dataset expert -o positions --policy strong --random 0.05 --mines",
    "demine dataset 16x16/40 -o positions --format npz --seed 1 --resume",
)


def command() -> click.Command:
    """Return the Click command of `demine dataset`."""
    return click.Command(
        "dataset",
        callback=LaterImport("dataset"),
        help=tr(
            "Write positions of many games to a folder: what the player sees, the exact mine "
            "probability of every cell, the best move and its chance to win.\n\nRULES is a "
            "name ({names}) or a size such as 30x16/99. A seed always gives the same files, on "
            "any number of processors or machines. Ctrl-C stops, --resume continues.",
            names=", ".join(PRESETS),
        ),
        params=_params(),
    )


def _params() -> list[click.Parameter]:
    return [
        argument("rules", RULES),
        *under_heading(
            tr("Positions"),
            Option("--positions", COUNT, tr("How many positions."), 100_000),
            Option("--per-game", COUNT, tr("At most so many positions of a game."), 4),
            Option("--seed", SEED, tr("Seed of the boards (default: random, printed to stderr).")),
        ),
        *under_heading(
            tr("Games"),
            Option(
                "--policy",
                PolicyName(),
                " ".join(
                    (
                        tr("Policy that plays (default: {policy}).", policy="fast"),
                        describe_policies(POLICIES),
                        tr("MODULE:NAME is one of your own, from the current folder too."),
                    )
                ),
            ),
            Option(
                "--random share",
                Number(0, 1, whole=False, metavar=mark("SHARE")),
                tr("Share of the moves that are any covered cell instead."),
                0.0,
            ),
            first_option(),
            Option("--start", CELL, tr("The first cell, counted from 0 (sentences count from 1).")),
        ),
        *under_heading(tr("Processes"), workers_option(), scheduler_option(), resume_option()),
        *under_heading(
            tr("Output"),
            Option("-o --output target", FOLDER_NAME, tr("The folder to write, new or empty.")),
            Option("--format form", ("parquet", "npz"), tr("Kind of the files."), "parquet"),
            Option("--shard", COUNT, tr("How many positions a file has."), 10_000),
            Switch("--mines", tr("Write where the mines are, too.")),
            json_option(),
        ),
    ]
