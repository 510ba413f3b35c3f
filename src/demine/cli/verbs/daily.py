"""`demine daily`: the results at the daily boards, and the line to share."""

from __future__ import annotations

import click

from demine.cli.options import LaterImport, Option, Switch, argument, json_option
from demine.cli.param_types import DATE
from demine.cli.suggestions import Choice
from demine.logic.daily_board import LEVELS
from demine.scene.translation import mark, tr

ABOUT = mark("Show the daily boards: today's results, streaks, the line to share.")
HELP_ORDER = 90
EXAMPLES = (
    "demine daily",
    "demine daily expert --share",
)


def command() -> click.Command:
    """Return the Click command of `demine daily`."""
    return click.Command(
        "daily",
        callback=LaterImport("daily"),
        help=tr(
            "Show your results on the daily boards: one guess-free board per day and level, the "
            "same for everybody, with no network needed. Play them with `demine play --daily "
            "LEVEL`.\n\nLEVEL is beginner, intermediate or expert; without it, all three are "
            "shown."
        ),
        params=[
            argument("level", Choice(list(LEVELS)), tr("[LEVEL]")),
            Option("--date", DATE, tr("Show results as of a day (2026-11-21), in UTC.")),
            Switch("--share", tr("Print only your result, without spoilers.")),
            json_option(),
        ],
    )
