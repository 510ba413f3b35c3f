"""`demine review`: judges a game act by act."""

from __future__ import annotations

import click

from demine.cli.board_output import colour_option
from demine.cli.game_input import game_option
from demine.cli.options import LaterImport, Option, Switch, argument, json_option, under_heading
from demine.cli.param_types import GAME_FILE, FileName
from demine.cli.theme_options import theme_options
from demine.scene.translation import mark, tr

ABOUT = mark("Review a game: guesses, mistakes, luck, and where the time went.")
HELP_ORDER = 60
EXAMPLES = (
    "demine review game.avf",
    "demine review game.avf --all -o review.png",
)


def command() -> click.Command:
    """Return the Click command of `demine review`."""
    return click.Command(
        "review",
        callback=LaterImport("review"),
        help=tr(
            "Review a game: what was proven, which guesses were forced and which were not, how "
            "lucky it was, and where the time went.\n\nFILE is a journal or a replay; - is "
            "standard input. Every move is judged by what could be known just before it. Exit "
            "code 1: there is nothing to judge."
        ),
        params=[
            argument("file", GAME_FILE),
            game_option(),
            *under_heading(
                tr("Output"),
                Switch("--all every", tr("List every move, including proven ones.")),
                json_option(),
                colour_option(),
            ),
            *under_heading(
                tr("Pictures"),
                Option(
                    "-o --output output",
                    FileName(".png", ".svg"),
                    tr("Draw the game and its risks to a .png or .svg file."),
                ),
                *theme_options("light"),
            ),
        ],
    )
