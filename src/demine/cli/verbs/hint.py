"""`demine hint`: the next move of a position, and why."""

from __future__ import annotations

import click

from demine.cli.board_output import board_output_options
from demine.cli.options import LaterImport
from demine.cli.position_options import position_help, position_params
from demine.scene.translation import mark, tr

ABOUT = mark("Show the next safe move of a position and why, or the best guess.")
HELP_ORDER = 30
EXAMPLES = (
    "demine hint board.txt",
    "demine hint game.avf@12.5 --json",
)


def command() -> click.Command:
    """Return the Click command of `demine hint`."""
    return click.Command(
        "hint",
        callback=LaterImport("hint"),
        help="\n\n".join(
            (
                tr(
                    "Show the safe cell that is easiest to find, and why it is safe; if no cell is "
                    "safe, the best guess and its risk."
                ),
                position_help(),
                tr(
                    "[ ] marks the cell, ( ) the numbers that prove it. Exit code 1: no layout "
                    "fits, or the position is too complex."
                ),
            )
        ),
        params=[*position_params(), *board_output_options()],
    )
