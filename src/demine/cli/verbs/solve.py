"""`demine solve`: the probability of a mine in every covered cell."""

from __future__ import annotations

import click

from demine.cli.board_output import board_output_options
from demine.cli.options import LaterImport
from demine.cli.position_options import position_help, position_params
from demine.scene.translation import mark, tr

ABOUT = mark("Show the mine probability of every covered cell.")
HELP_ORDER = 40
EXAMPLES = (
    "demine solve board.txt",
    "demine solve - < board.txt",
)


def command() -> click.Command:
    """Return the Click command of `demine solve`."""
    return click.Command(
        "solve",
        callback=LaterImport("solve"),
        help="\n\n".join(
            (
                tr("Show the exact mine probability of every covered cell of a position."),
                position_help(),
                tr(
                    "0% and 100% are proven. Exit code 1: no layout fits, or the position is too "
                    "complex."
                ),
            )
        ),
        params=[*position_params(), *board_output_options()],
    )
