"""The options of verbs that print boards and colours, and what they choose."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Final

import click

from demine.cli.options import Option, Switch, json_option, under_heading
from demine.cli.text_table import terminal_width
from demine.scene.sanitized_console import escape_except_colours, raw_stream
from demine.scene.translation import tr

if TYPE_CHECKING:
    from collections.abc import Iterable

_COLOUR_CHOICES: Final = ("auto", "always", "never")


def board_output_options() -> Iterable[click.Parameter]:
    """Return the options of a verb that prints a board: `as_json`, `whole` and `color`."""
    whole = tr("Show the whole board, even if it is wider than the terminal.")
    return under_heading(tr("Output"), json_option(), Switch("--all whole", whole), colour_option())


def board_width(*, whole: bool) -> int | None:
    """Return the columns there are for a board; None for any number of them."""
    return None if whole else terminal_width()


def colour_option() -> Option:
    """Return the option `--color`, whose value is for `should_colour`."""
    said = tr("Use colour; auto: on a terminal, unless NO_COLOR is set.")
    return Option("--color", _COLOUR_CHOICES, said, "auto")


def should_colour(choice: str) -> bool:
    """Return whether to colour: by `always` or `never`, else on a terminal without NO_COLOR."""
    if choice != "auto":
        return choice == "always"
    wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return wanted and sys.stdout.isatty()


def print_coloured(text: str, *, keep_colours: bool) -> None:
    """Print a text with its control sequences made harmless, except colours if they are kept."""
    if keep_colours:
        click.echo(escape_except_colours(text), file=raw_stream(sys.stdout), color=True)
    else:
        click.echo(text)
