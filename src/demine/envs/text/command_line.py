"""What the programs of this package share: the player's language, and errors as one line."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from demine.logic.errors import DemineError
from demine.logic.rules import Rules
from demine.scene.translation import detect_language, explain, language_codes, set_language, tr

if TYPE_CHECKING:
    from collections.abc import Callable

BAD_INPUT = 2
INTERRUPTED = 130


class RulesText(click.ParamType[Rules]):
    """The rules of a game, as their text or a name."""

    name = "rules"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> Rules:
        """Return the rules; ends the program with a sentence for others."""
        try:
            return Rules.of(str(value))
        except DemineError as error:
            self.fail(explain(error), param, ctx)


def board_option() -> click.Option:
    """Return the option for the rules of all games."""
    return click.Option(
        ["--board"],
        type=RulesText(),
        default="beginner",
        help=tr("The rules: a name or a size such as 30x16/99, with any options."),
    )


def language_option() -> click.Option:
    """Return the option for the language that models read."""
    return click.Option(
        ["--language"],
        type=click.Choice(language_codes()),
        default="en",
        help=tr("The language of the texts that models read."),
    )


def max_turns_option() -> click.Option:
    """Return the option for the length of an episode."""
    return click.Option(
        ["--max-turns"],
        type=click.IntRange(1),
        help=tr("After how many answers an episode ends (default: two for each cell)."),
    )


def run(make_command: Callable[[], click.Command]) -> None:
    """Run a program in the language of the player; ends the process."""
    set_language(detect_language())
    command = make_command()
    try:
        sys.exit(command.main(standalone_mode=False) or 0)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except DemineError as error:
        click.echo(f"{command.name}: {explain(error)}", err=True)
        sys.exit(BAD_INPUT)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(INTERRUPTED)
