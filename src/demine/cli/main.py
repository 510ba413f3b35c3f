"""The `demine` command: finds the verb, runs it, and turns what goes wrong into one line."""

from __future__ import annotations

import importlib
import os
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final

import click

from demine import __version__
from demine.cli.errors_and_exit_codes import DONE, INTERRUPTED, print_error
from demine.cli.language_option import drop_language_option, language_option
from demine.cli.verbs import help_lines_of_verbs, verb_names
from demine.logic.errors import DemineError
from demine.logic.rules import PRESETS
from demine.scene.sanitized_console import replace_unprintable_characters
from demine.scene.system_errors import reason_of
from demine.scene.translation import (
    LOCALE,
    SOURCE,
    detect_language,
    explain,
    mark,
    mark_many,
    match_language,
    preferred_language,
    set_language,
    tr,
)
from demine.store.quick_look import saved_language

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

CLICK_MESSAGES: Final = (
    mark("Usage:"),
    mark("Options"),
    mark("Show this message and exit."),
    mark("No such option {name!r}."),
    mark("No such command {name!r}."),
    mark("Option {name!r} does not take a value."),
    mark("Missing argument"),
    mark("Invalid value: {message}"),
    mark("Invalid value for {param_hint}: {message}"),
    mark("{value!r} is not a valid {number_type}."),
    mark("{value} is not in the range {range}."),
    mark("default: {default}"),
    mark_many("Got unexpected extra argument ({args})", "Got unexpected extra arguments ({args})"),
    mark_many("{value!r} is not {choice}.", "{value!r} is not one of {choices}."),
    mark_many(
        "Option {name!r} requires an argument.", "Option {name!r} requires {nargs} arguments."
    ),
    mark_many("Did you mean {possibility}?", "(Did you mean one of: {possibilities}?)"),
)
"""What Click says by itself, named here so that our catalogue translates it."""
_NUMBER_TYPE_NAMES: Final[Mapping[type[click.ParamType[Any]], str]] = {
    click.types.IntParamType: mark("integer"),
    click.types.FloatParamType: mark("float"),
    click.IntRange: mark("integer range"),
    click.FloatRange: mark("float range"),
}
"""What Click calls the kinds of numbers in its sentences; it never asks a catalogue for them."""


class _Verbs(click.Group):
    """A group whose verbs are imported when they are called, so that help appears at once."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the verbs in the order of a newcomer's interest."""
        del ctx
        return list(help_lines_of_verbs())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a verb, or None when there is none of that name."""
        del ctx
        if cmd_name not in verb_names():
            return None
        module = importlib.import_module(f"demine.cli.verbs.{cmd_name}")
        command: click.Command = module.command()
        command.options_metavar = tr("[OPTIONS]")
        if all(parameter.name != "lang" for parameter in command.params):
            command.params.append(language_option())
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the verbs without importing any of them."""
        del ctx
        with formatter.section(tr("Verbs")):
            formatter.write_dl([(verb, tr(about)) for verb, about in help_lines_of_verbs().items()])

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """`demine` alone, or with nothing but rules and options of the game, plays."""
        _refuse_options_before_verb(ctx, args)
        return super().parse_args(ctx, _with_default_verb(args))


def _with_default_verb(args: Sequence[str]) -> list[str]:
    """Return the arguments with `play` before them where they begin with what is played."""
    rest = drop_language_option(args)
    first = rest[0] if rest else "-"
    # A size has a slash, a share code begins with its version.
    played = first in PRESETS or "/" in first or first.startswith("1.")
    return ["play", *args] if _is_game_option(first) or played else list(args)


def _is_game_option(word: str) -> bool:
    """Whether a word at the beginning is an option of the game, whose verb may be left out."""
    return word.startswith("-") and word not in _OWN_OPTIONS


def _refuse_options_before_verb(ctx: click.Context, args: Sequence[str]) -> None:
    """Raise a usage error that says where options belong when a verb follows them.

    Left to itself, `demine --new play` would look for rules of the name `play`.
    """
    rest = drop_language_option(args)
    verb = next((word for word in rest if word in verb_names()), None)
    if verb is not None and _is_game_option(rest[0]):
        option = rest[0].partition("=")[0]
        raise click.UsageError(
            tr(
                "{option} belongs behind the verb: demine {verb} {option} ...",
                option=option,
                verb=verb,
            ),
            ctx=ctx,
        )


_OWN_OPTIONS: Final = ("--help", "-h", "--version")


def command_group() -> click.Group:
    """Return the whole command line, in the language set."""
    group = _Verbs(
        name="demine",
        help=tr("Minesweeper: the game, its records, its boards."),
        epilog=tr("`demine` alone plays. `demine VERB --help` tells more about a verb."),
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 96},
        params=[
            click.Option(
                ["--version"],
                is_flag=True,
                expose_value=False,
                is_eager=True,
                callback=_print_version,
                help=tr("Show the version and exit."),
            ),
            language_option(exposed=True),
        ],
        options_metavar=tr("[OPTIONS]"),
    )
    group.subcommand_metavar = tr("VERB [ARGS]...")
    return group


def _print_version(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        click.echo(f"demine {__version__}")
        ctx.exit()


def run(args: Sequence[str]) -> int:
    """Run the command line and return its exit code; never raises."""
    replace_unprintable_characters()
    with translated_click(_choose_language(args)):
        return _run_and_report_errors(args)


def _run_and_report_errors(args: Sequence[str]) -> int:
    try:
        code = command_group().main(list(args), prog_name="demine", standalone_mode=False)
    except click.ClickException as error:
        return print_error(_command_of_error(error), error.format_message())
    except DemineError as error:
        return print_error(_command_prefix(args), explain(error))
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except SystemExit:
        # So Click ends when the reader has gone, as in `demine records | head`: there is nobody to
        # tell.
        _discard_output()
        return DONE
    except OSError as error:
        # Standard output cannot be written: the disk behind it is full.
        _discard_output()
        reason = reason_of(error)
        told = explain(reason) if isinstance(reason, DemineError) else str(reason)
        return print_error(_command_prefix(args), told)
    return code if isinstance(code, int) else DONE


def _discard_output() -> None:
    """Let what is still to be written go nowhere, or Python would complain of it at its end."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _command_prefix(args: Sequence[str]) -> str:
    """Return the command as far as its verb, for the beginning of a complaint."""
    return " ".join(["demine", *drop_language_option(_with_default_verb(args))[:1]])


def _choose_language(args: Sequence[str]) -> str:
    """Set the language before any text is made and return it: without a word, the game's own.

    A wrong `--lang` is refused by its own option.
    """
    chosen = ""
    for place, word in enumerate(args):
        if word == "--lang":
            chosen = "".join(args[place + 1 : place + 2])
        elif word.startswith("--lang="):
            chosen = word.partition("=")[2]
    code = set_language(match_language(chosen) or detect_language())
    # The game looks for itself, once its first picture is there.
    plays = _command_prefix(args) == "demine play" and not {"-h", "--help"} & set(args)
    return (
        code
        if plays or match_language(chosen)
        else set_language(preferred_language(saved_language()))
    )


@contextmanager
def translated_click(code: str) -> Iterator[None]:
    """Let Click say its own words in the player's language meanwhile, from our catalogue."""
    if code == SOURCE:
        yield
        return
    import gettext

    before, domain = os.environ.get("LANGUAGE"), gettext.textdomain()
    os.environ["LANGUAGE"] = code
    gettext.bindtextdomain("demine", str(LOCALE))
    gettext.textdomain("demine")
    for kind, name in _NUMBER_TYPE_NAMES.items():
        kind.name = tr(name)
    try:
        yield
    finally:
        for kind, name in _NUMBER_TYPE_NAMES.items():
            kind.name = name
        gettext.textdomain(domain)
        if before is None:
            os.environ.pop("LANGUAGE", None)
        else:
            os.environ["LANGUAGE"] = before


def _command_of_error(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    return context.command_path if isinstance(context, click.Context) else "demine"
