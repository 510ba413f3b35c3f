"""The `demine` command: finds the verb, runs it and prints errors as one line."""

from __future__ import annotations

import importlib
import os
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

import click

from demine import __version__
from demine.cli.exit_codes import DONE, INTERRUPTED, error_sentence, print_error
from demine.cli.help_pages import HelpContext
from demine.cli.language_option import language_option, skip_leading_language_option
from demine.cli.options import LaterImport
from demine.cli.param_types import is_like_file
from demine.cli.suggestions import sentence_with_suggestion
from demine.cli.verbs import help_lines_by_verb, verb_names
from demine.logic.errors import DemineError
from demine.logic.rules import PRESETS, Rules
from demine.play.garbage_collection import start_collecting
from demine.scene.sanitized_console import replace_unprintable_characters
from demine.scene.system_errors import system_error_reason
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
    from collections.abc import Iterator, Sequence

CLICK_MESSAGES: Final = (
    mark("Usage:"),
    mark("Show this message and exit."),
    mark("No such option {name!r}."),
    mark("Option {name!r} does not take a value."),
    mark("Missing argument"),
    mark("Invalid value: {message}"),
    mark("Invalid value for {param_hint}: {message}"),
    mark_many("Got unexpected extra argument ({args})", "Got unexpected extra arguments ({args})"),
    mark_many("{value!r} is not {choice}.", "{value!r} is not one of {choices}."),
    mark_many(
        "Option {name!r} requires an argument.", "Option {name!r} requires {nargs} arguments."
    ),
    mark_many("Did you mean {possibility}?", "(Did you mean one of: {possibilities}?)"),
)
"""Click's own messages, listed here so that our catalogue translates them."""


class _Verbs(click.Group):
    """A group that imports a verb only when it is called, so that help appears at once."""

    context_class = HelpContext

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the verbs in the order of the help."""
        del ctx
        return list(help_lines_by_verb())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a verb and return its command, or None if there is no such verb."""
        del ctx
        if cmd_name not in verb_names():
            return None
        module = importlib.import_module(f"demine.cli.verbs.{cmd_name}")
        command: click.Command = module.command()
        loads_more = isinstance(command.callback, LaterImport)
        if not (loads_more or getattr(module, "COLLECTS_WHEN_LOADED", False)):
            start_collecting()  # most of what it works with has been loaded
        command.options_metavar = tr("[OPTIONS]")
        command.context_class = HelpContext
        command.epilog = _examples_text(getattr(module, "EXAMPLES", ()))
        if all(parameter.name != "lang" for parameter in command.params):
            command.params.append(language_option())
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the verb; raise a usage error that says which was probably meant."""
        if args[0] not in verb_names() and not ctx.resilient_parsing:
            known = (*verb_names(), *PRESETS, *_OWN_OPTIONS)
            unknown = tr("there is no verb {word!r}: `demine --help` lists them", word=args[0][:80])
            raise click.UsageError(sentence_with_suggestion(unknown, args[0], known), ctx=ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the verbs without importing any of them."""
        del ctx
        with formatter.section(tr("Verbs")):
            formatter.write_dl([(verb, tr(about)) for verb, about in help_lines_by_verb().items()])

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; without a verb, alone or with rules and options, `play` is meant."""
        _refuse_options_before_verb(ctx, args)
        return super().parse_args(ctx, _with_default_verb(args))


def _examples_text(examples: Sequence[str]) -> str | None:
    """Return the end of a verb's help, or None."""
    if not examples:
        return None
    return "\b\n" + "\n".join([tr("Examples:"), *(f"  {line}" for line in examples)])


def _with_default_verb(args: Sequence[str]) -> list[str]:
    """Return the arguments, after `play` if they begin with rules or options of the game.

    `help VERB` becomes `VERB --help`.
    """
    rest = skip_leading_language_option(args)
    if rest[:1] == ["help"]:
        return [*args[: len(args) - len(rest)], *rest[1:2], "--help"]
    first = rest[0] if rest else "-"
    # A size has a slash, a share code begins with its version.
    played = first in PRESETS or "/" in first or first.startswith("1.")
    # A verb comes before a file of the same name.
    opened = first not in verb_names() and is_like_file(first)
    return ["play", *args] if _is_game_option(first) or played or opened else list(args)


def _is_game_option(word: str) -> bool:
    """Whether the first word is an option of `play`, whose verb may be left out."""
    return word.startswith("-") and word not in _OWN_OPTIONS


def _refuse_options_before_verb(ctx: click.Context, args: Sequence[str]) -> None:
    """Raise a usage error if a verb follows options of the game.

    Otherwise `demine --new play` would look for rules of the name `play`.
    """
    rest = skip_leading_language_option(args)
    verb = next((word for word in rest if word in verb_names()), None)
    if verb is not None and _is_game_option(rest[0]):
        option = rest[0].partition("=")[0]
        raise click.UsageError(
            tr(
                "{option} goes after the verb: demine {verb} {option} ...",
                option=option,
                verb=verb,
            ),
            ctx=ctx,
        )


_OWN_OPTIONS: Final = ("--help", "-h", "--version")


def command_group() -> click.Group:
    """Return the whole command line, with help in the current language."""
    group = _Verbs(
        name="demine",
        help=tr("Minesweeper: the game, its records, its boards."),
        epilog=tr("Run `demine` to play, or `demine VERB --help` for help with a verb."),
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
            language_option(pass_to_verb=True),
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
    """Run the command line; return its exit code and print errors instead of raising them."""
    replace_unprintable_characters()
    if not os.environ.get("HOME"):
        # Python takes an empty one for the root folder; without one it asks the system.
        os.environ.pop("HOME", None)
    with translated_click(_choose_language(args)):
        return _run_and_report_errors(args)


def _run_and_report_errors(args: Sequence[str]) -> int:
    try:
        code = command_group().main(list(args), prog_name="demine", standalone_mode=False)
    except click.ClickException as error:
        return print_error(_command_of_error(error), _usage_sentence(error, args))
    except DemineError as error:
        command = _command_prefix(args)
        return print_error(command, error_sentence(command.rpartition(" ")[2], error))
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except SystemExit:
        # Click exits like this when the reader of a pipe has gone, as in `demine records | head`.
        _discard_output()
        return DONE
    except OSError as error:
        # A file, or standard output, cannot be written, for example because a disk is full.
        _discard_output()
        reason = system_error_reason(error)
        sentence = explain(reason) if isinstance(reason, DemineError) else str(reason)
        if error.filename is not None:
            sentence = tr("{path}: {reason}", path=os.fsdecode(error.filename), reason=sentence)
        return print_error(_command_prefix(args), sentence)
    return code if isinstance(code, int) else DONE


def _discard_output() -> None:
    """Send buffered output to nowhere, or Python would report that it cannot be written."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _command_prefix(args: Sequence[str]) -> str:
    """Return `demine VERB`, with which an error message begins."""
    return " ".join(["demine", *skip_leading_language_option(_with_default_verb(args))[:1]])


def _choose_language(args: Sequence[str]) -> str:
    """Set the language before any text is made: that of `--lang`, or else the game's own.

    Returns its code. A wrong `--lang` is refused later, by the option itself.
    """
    chosen = ""
    for place, word in enumerate(args):
        if word == "--lang":
            chosen = "".join(args[place + 1 : place + 2])
        elif word.startswith("--lang="):
            chosen = word.partition("=")[2]
    code = set_language(match_language(chosen) or detect_language())
    # The game looks up the saved language itself, after its first frame is shown.
    plays = _command_prefix(args) == "demine play" and not {"-h", "--help"} & set(args)
    return (
        code
        if plays or match_language(chosen)
        else set_language(preferred_language(saved_language()))
    )


@contextmanager
def translated_click(code: str) -> Iterator[None]:
    """Translate Click's own messages from our catalogue within this context."""
    if code == SOURCE:
        yield
        return
    import gettext

    before, domain = os.environ.get("LANGUAGE"), gettext.textdomain()
    os.environ["LANGUAGE"] = code
    gettext.bindtextdomain("demine", str(LOCALE))
    gettext.textdomain("demine")
    try:
        yield
    finally:
        gettext.textdomain(domain)
        if before is None:
            os.environ.pop("LANGUAGE", None)
        else:
            os.environ["LANGUAGE"] = before


def _usage_sentence(error: click.ClickException, args: Sequence[str]) -> str:
    """Return what an error of Click says, with the first example of a verb that lacks a word.

    Rules that need quotes are shown with them.
    """
    sentence = error.format_message()
    if type(error) is click.UsageError and (rules := _rules_without_quotes(args)):
        return tr(
            '{sentence}; write the rules in quotes: "{rules}"', sentence=sentence, rules=rules
        )
    if not isinstance(error, click.MissingParameter) or error.ctx is None:
        return sentence
    examples = (error.ctx.command.epilog or "").splitlines()[2:]
    if not examples:
        return sentence
    return tr(
        "{sentence}. For example: {command}",
        sentence=sentence.rstrip("."),
        command=examples[0].strip(),
    )


def _rules_without_quotes(args: Sequence[str]) -> str | None:
    """Return rules and the options after them that are separate arguments, if there are any."""
    for place in range(len(args) - 1):
        rules = args[place]
        for word in args[place + 1 :]:
            if not _are_rules(f"{rules} {word}"):
                break
            rules = f"{rules} {word}"
        if rules != args[place]:
            return rules
    return None


def _are_rules(text: str) -> bool:
    try:
        Rules.parse(text)
    except DemineError:
        return False
    return True


def _command_of_error(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    return context.command_path if isinstance(context, click.Context) else "demine"
