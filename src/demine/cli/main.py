"""The `demine` command: finds the verb, runs it, and turns what goes wrong into one line."""

from __future__ import annotations

import importlib
import sys
from contextlib import contextmanager
from io import TextIOWrapper
from typing import TYPE_CHECKING, Final

import click

from demine import __version__
from demine.logic.errors import DemineError
from demine.logic.rules import PRESETS
from demine.scene.messages import (
    SOURCE,
    detect,
    explain,
    mark,
    mark_many,
    match,
    set_language,
    tr,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

DONE: Final = 0
NO: Final = 1
BAD: Final = 2
INTERRUPTED: Final = 130

VERBS: Final = {
    "play": mark("Play the game: in a window, straight into a board."),
    "records": mark("Show best times, streaks and history; export and import them."),
}
"""The verbs with a line about each, in the order of the help; each is a module with `command()`."""

CLICK_SAYS: Final = (
    mark("Usage:"),
    mark("Options"),
    mark("Show this message and exit."),
    mark("No such option {name!r}."),
    mark("No such command {name!r}."),
    mark("Option {name!r} does not take a value."),
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


class _Verbs(click.Group):
    """A group whose verbs are imported when they are called, so that help appears at once."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the verbs in the order of a newcomer's interest."""
        del ctx
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a verb, or None when there is none of that name."""
        del ctx
        if cmd_name not in VERBS:
            return None
        module = importlib.import_module(f"demine.cli.{cmd_name}")
        command: click.Command = module.command()
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the verbs without importing any of them."""
        del ctx
        with formatter.section(tr("Verbs")):
            formatter.write_dl([(verb, tr(about)) for verb, about in VERBS.items()])

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """`demine` alone, or with nothing but rules and options of the game, plays."""
        return super().parse_args(ctx, _with_verb(args))


def _with_verb(args: Sequence[str]) -> list[str]:
    """Return the arguments with `play` before them where they begin with what is played."""
    first = args[0] if args else "-"
    options = first.startswith("-") and first not in _OWN_OPTIONS
    # A size has a slash, a share code begins with its version.
    played = first in PRESETS or "/" in first or first.startswith("1.")
    return ["play", *args] if options or played else list(args)


_OWN_OPTIONS: Final = ("--help", "-h", "--version")


def program() -> click.Group:
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
            )
        ],
    )
    group.subcommand_metavar = tr("VERB [ARGS]...")
    return group


def _print_version(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        click.echo(f"demine {__version__}")
        ctx.exit()


def run(args: Sequence[str]) -> int:
    """Run the command line and return its exit code; never raises."""
    _write_anything()
    with _taught_click(_choose_language(args)):
        return _run(args)


def _run(args: Sequence[str]) -> int:
    try:
        code = program().main(list(args), prog_name="demine", standalone_mode=False)
    except click.ClickException as error:
        return _fail(_where(error), error.format_message())
    except DemineError as error:
        return _fail(_verb(args), explain(error))
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        # The reader has gone, as in `demine records | head`; there is nobody to tell.
        sys.stderr.close()
        return DONE
    return code if isinstance(code, int) else DONE


def _write_anything() -> None:
    """Let a terminal or file that knows no Chinese have question marks rather than an error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="replace")


def _verb(args: Sequence[str]) -> str:
    """Return the command as far as its verb, for the beginning of a complaint."""
    return " ".join(["demine", *_with_verb(args)[:1]])


def _choose_language(args: Sequence[str]) -> str:
    """Set the language before any text is made and return it.

    A wrong `--lang` is refused by its own option.
    """
    chosen = ""
    for place, word in enumerate(args):
        if word == "--lang":
            chosen = "".join(args[place + 1 : place + 2])
        elif word.startswith("--lang="):
            chosen = word.partition("=")[2]
    return set_language(match(chosen) or detect())


@contextmanager
def _taught_click(code: str) -> Iterator[None]:
    """Let Click say its own words in the player's language meanwhile, from our catalogue."""
    if code == SOURCE:
        yield
        return
    import gettext
    import os
    from importlib.resources import files

    before, domain = os.environ.get("LANGUAGE"), gettext.textdomain()
    os.environ["LANGUAGE"] = code
    gettext.bindtextdomain("demine", str(files("demine") / "locale"))
    gettext.textdomain("demine")
    try:
        yield
    finally:
        gettext.textdomain(domain)
        if before is None:
            os.environ.pop("LANGUAGE", None)
        else:
            os.environ["LANGUAGE"] = before


def _where(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    return context.command_path if isinstance(context, click.Context) else "demine"


_LONG: Final = 300
"""How much of a complaint is worth reading: it may quote what somebody pasted."""


def _fail(where: str, sentence: str) -> int:
    line = " ".join(sentence.split())
    if len(line) > _LONG:
        line = f"{line[: _LONG * 2 // 3]} ... {line[-_LONG // 3 :]}"
    click.echo(f"{where}: {line}", err=True)
    return BAD
