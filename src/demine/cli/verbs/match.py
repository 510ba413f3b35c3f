"""`demine match`: two players on the same boards, and which of them is stronger."""

from __future__ import annotations

import click

from demine.cli.options import LaterImport, Option, Switch, json_option, under_heading
from demine.cli.param_types import RULES, SECONDS, Number
from demine.cli.simulation_options import options_of_games, resume_option, workers_option
from demine.logic.rules import PRESETS
from demine.scene.translation import mark, tr
from demine.solver.engine.protocol import (
    DEFAULT_TIMEOUT,
    MAX_MOVE_TIME,
    MAX_PLAYOUTS,
    MAX_TIMEOUT,
)
from demine.solver.player.policy_table import POLICIES

ABOUT = mark("Have two players play the same boards and tell which is stronger.")
HELP_ORDER = 122
EXAMPLES = (
    "demine match best safest --games 10000",
    'demine match "perl engine.pl" safest --rules beginner --seed 7',
    "demine match ./engine mymodule:choose --movetime 100 --json",
)


def command() -> click.Command:
    """Return the Click command of `demine match`."""
    return click.Command(
        "match",
        callback=LaterImport("match"),
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
        *under_heading(
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
            *options_of_games(),
        ),
        *under_heading(
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
        ),
        *under_heading(tr("Processes"), workers_option(), resume_option()),
        *under_heading(tr("Output"), json_option()),
    ]
