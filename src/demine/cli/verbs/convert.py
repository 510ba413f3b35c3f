"""`demine convert`: converts games and boards between file formats, and lists what is lost."""

from __future__ import annotations

import click

from demine.cli.game_input import format_names
from demine.cli.options import LaterImport, Option, Switch, argument
from demine.cli.param_types import GAME_FILE
from demine.cli.suggestions import Choice
from demine.replay import registry
from demine.scene.translation import mark, tr

ABOUT = mark("Convert replays and boards from one file format to another.")
HELP_ORDER = 110
EXAMPLES = (
    "demine convert game.avf game.evf",
    "demine convert games/ out/ --to rmv",
    "demine convert board.mbf - --to ptta",
)


def output_format_names() -> tuple[str, ...]:
    """Return the names of the formats that can be written, our journal first."""
    return (registry.JOURNAL, *(known.name.lower() for known in registry.writable_formats()))


def command() -> click.Command:
    """Return the Click command of `demine convert`."""
    choices = output_format_names()
    return click.Command(
        "convert",
        callback=LaterImport("convert"),
        help=tr(
            "Convert replays and boards.\n\nIN is a journal, a share code, a layout or another "
            "program's file ({formats}), recognised by its contents. OUT's ending chooses the "
            "format: {endings}, and .jsonl for our journal. Several files, or a folder of them, "
            "go to a folder. What OUT cannot hold is listed on stderr. Exit code 1: a format "
            "cannot hold a game; 2: a file cannot be read or written.",
            formats=format_names(registry.all_formats()),
            endings=", ".join(f".{form}" for form in choices[1:]),
        ),
        params=[
            argument("paths", GAME_FILE, tr("IN... OUT"), nargs=-1),
            Option(
                "--to form",
                Choice(choices, case_sensitive=False),
                tr("Format to write, whatever OUT is called."),
            ),
            Switch("--strict", tr("Refuse games that OUT cannot hold in full.")),
            Switch("--json as_json", tr("Print what was done, as JSON.")),
        ],
    )
