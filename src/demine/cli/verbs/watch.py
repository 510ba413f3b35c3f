"""`demine watch`: plays recorded games back, or writes them as pictures."""

from __future__ import annotations

from typing import Final

import click

from demine.cli.game_input import format_names, game_option
from demine.cli.language_option import language_option
from demine.cli.options import LaterImport, Option, Switch, argument, under_heading
from demine.cli.param_types import CELL_SIZE, GAME_FILE, SECONDS, FileName, Number
from demine.cli.theme_options import theme_options
from demine.scene.playback import SPEEDS
from demine.scene.translation import mark, tr

ABOUT = mark("Watch a recorded game at any speed; save it as PNG or GIF.")
HELP_ORDER = 80
EXAMPLES = (
    "demine watch game.avf --speed 2",
    "demine watch game.avf --at 12.5 --png moment.png",
    "demine watch game.avf --gif game.gif",
)

SCENES: Final = ("desktop", "terminal")
"""The scenes in which a game can be watched, best first."""


def command() -> click.Command:
    """Return the Click command of `demine watch`."""
    from demine.replay.registry import replay_formats

    return click.Command(
        "watch",
        callback=LaterImport("watch"),
        help=tr(
            "Watch a recorded game at any speed or move by move, with the pointer's trail, the "
            "risk of every cell, and counters.\n\nFILE is a journal or another program's replay "
            "({formats}); without it, a window asks for one. --png and --gif write pictures and "
            "open no window.",
            formats=format_names(replay_formats()),
        ),
        params=[
            argument("file", GAME_FILE, tr("[FILE]")),
            game_option(),
            *under_heading(
                tr("Playback"),
                Option(
                    "--scene",
                    SCENES,
                    tr("Where to watch (default: a window, or the terminal if none opens)."),
                ),
                Option(
                    "--at",
                    Number(whole=False, metavar=SECONDS),
                    tr("Where to start, or which moment --png shows (default: the end)."),
                ),
                Option(
                    "--speed",
                    Number(min(SPEEDS), max(SPEEDS), whole=False),
                    tr("Playback speed, as a multiple of the original."),
                    1.0,
                ),
                *theme_options(),
                Switch("--fullscreen", tr("Fill the whole screen.")),
            ),
            *under_heading(
                tr("Pictures"),
                Option("--png", FileName(".png"), tr("Write one moment as a picture.")),
                Option("--gif", FileName(".gif"), tr("Write the game as a GIF.")),
                Option("--cell", CELL_SIZE, tr("Size of a cell in the pictures, in pixels.")),
                Switch("--path/--no-path", tr("Show the pointer's trail in --png.")),
            ),
            language_option(pass_to_verb=True),
        ],
    )
