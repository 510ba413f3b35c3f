"""`demine play`: plays the game."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

import click

from demine.cli.language_option import language_option
from demine.cli.options import Option, Switch, argument, under_heading
from demine.cli.param_types import CELL_SIZE, DATE, RULES_OR_FILE, SEED, is_like_file
from demine.cli.rule_options import OPTION_NAMES, rule_options, rules_with_options
from demine.cli.scene_selection import SCENES, has_display, open_scene
from demine.cli.theme_options import theme_options
from demine.logic.errors import DemineError, RulesError
from demine.logic.rules import PRESETS, Rules
from demine.play.garbage_collection import start_collecting
from demine.scene.preferences import StartOptions, choices_of
from demine.scene.translation import explain, mark, tr

if TYPE_CHECKING:
    from collections.abc import Mapping

    from demine.logic.daily_board import Daily
    from demine.play.opened_files import Opened

ABOUT = mark("Play Minesweeper in a window or a terminal.")
HELP_ORDER = 10
EXAMPLES = (
    "demine expert",
    "demine 30x16/99 --guess-free",
    "demine play --daily beginner",
    "demine play game.avf",
)
COLLECTS_WHEN_LOADED: Final = True
"""Every scene does so."""


def command() -> click.Command:
    """Return the Click command of `demine play`."""
    return click.Command(
        "play",
        callback=_play,
        help=tr(
            "Play Minesweeper.\n\nRULES is a name ({names}), a size such as 30x16/99 (width x "
            "height / mines), a share code, or a file: a board is played, a replay is watched. "
            "Without RULES, your last game resumes, or a new one starts with the rules you played "
            "last. With --daily, RULES is a level: beginner, intermediate or expert.",
            names=", ".join(PRESETS),
        ),
        params=_params(),
    )


def _params() -> list[click.Parameter]:
    return [
        argument("rules", RULES_OR_FILE, tr("[RULES]")),
        *under_heading(
            tr("Game"),
            Switch("--new", tr("Start a new game even if one was left unfinished.")),
            Option(
                "--seed",
                SEED,
                tr("Play the board with this number; the game does not count for best times."),
            ),
            Switch("--daily", tr("Play today's daily board of a level, the same for everybody.")),
            Option(
                "--date",
                DATE,
                tr("With --daily: the board of another day (2026-11-21), as practice."),
            ),
        ),
        *under_heading(tr("Rules"), *rule_options()),
        *under_heading(
            tr("Window"),
            Option("--scene", list(SCENES), tr("Where to play (default: the first that opens).")),
            *theme_options(),
            Option(
                "--cell",
                CELL_SIZE,
                tr("Size of a cell in pixels (default: the board fits the screen)."),
            ),
            Switch("--fullscreen", tr("Fill the whole screen.")),
        ),
        *under_heading(
            tr("Controls"),
            Switch("--questions/--no-questions", tr("A second right click sets a question mark.")),
            Switch("--left-chord/--no-left-chord", tr("A left click on a number chords.")),
            Option(
                "--keys",
                list(choices_of("keys")),
                tr("Keys that move the cursor: arrows, or h j k l as well."),
            ),
            Switch("--sound/--no-sound", tr("Play sounds.")),
        ),
        language_option(pass_to_verb=True),
    ]


def _play(
    rules: str | None,
    scene: str | None,
    seed: int | None,
    new: bool,
    daily: bool,
    date: str | None,
    theme: str | None,
    palette: str | None,
    cell: int | None,
    questions: bool | None,
    left_chord: bool | None,
    keys: str | None,
    sound: bool | None,
    fullscreen: bool,
    lang: str | None,
    **options: object,
) -> int:
    has_options = any(options.values())
    board = _daily_board(rules, date, more=has_options or seed is not None) if daily else None
    if date is not None and not daily:
        raise click.UsageError(tr("--date goes with --daily"))
    opened, trouble = None, None
    if rules is not None and not daily and _is_file(rules):
        opened, trouble = _read_file(rules, more=has_options)
    if opened is not None and opened.board is None:
        from demine.cli.actions.watch import watch_file

        start_collecting()
        return watch_file(rules, scene, theme, palette, lang, fullscreen=fullscreen)
    chosen, code = (None, None) if daily or opened or trouble else _rules_or_code(rules, options)
    start = StartOptions(
        rules=chosen,
        share_code=code,
        board=None if opened is None else opened.board,
        daily=board,
        trouble=trouble,
        seed=seed,
        new=new,
        settings={
            name: value
            for name, value in (
                ("theme", theme),
                ("palette", palette),
                ("cell", cell),
                ("questions", questions),
                ("left_chord", left_chord),
                ("keys", keys),
                ("sound", sound),
                ("language", lang or _language_before_verb()),
            )
            if value is not None
        },
        fullscreen=fullscreen,
    )
    return open_scene(scene, start)


def _is_file(text: str) -> bool:
    """Whether a text names a file; rules and share codes come before files."""
    if text in PRESETS or text.startswith("1.") or not is_like_file(text):
        return False
    try:
        Rules.parse(text)
    except RulesError:
        return True
    return False


def _read_file(path: str, *, more: bool) -> tuple[Opened | None, DemineError | None]:
    """Return what is in a file, or else why that cannot be read, if nobody would see it here.

    Raises `OpenError` at a terminal, and a usage error if there are `more` options.
    """
    if more:
        raise click.UsageError(
            tr("a file has its own rules: leave {options} out", options=", ".join(OPTION_NAMES))
        )
    from demine.play.opened_files import OpenError, read_file_to_open

    try:
        return read_file_to_open(path), None
    except OpenError as error:
        reason = error.params.get("reason", error.__cause__ or error)
        refusal = OpenError("{path}: {reason}", path=path, reason=reason)
        if sys.stderr.isatty() or not has_display():
            raise refusal from error
        # A file manager shows nobody what is printed, so the window says it.
        click.echo(f"demine play: {explain(refusal)}", err=True)
        return None, error


def _daily_board(level: str | None, date: str | None, *, more: bool) -> Daily:
    """Return a daily board; raises a usage error if there are `more` options."""
    if more:
        raise click.UsageError(
            tr(
                "a daily board has its own rules: omit {options} and --seed",
                options=", ".join(OPTION_NAMES),
            )
        )
    from demine.cli.actions.daily import day_of_option
    from demine.logic.daily_board import Daily

    return Daily(day_of_option(date), level or "beginner")


def _language_before_verb() -> str | None:
    """Return the value of a `--lang` before the verb, if there is one."""
    language: str | None = click.get_current_context().find_root().params.get("lang")
    return language


def _rules_or_code(
    text: str | None, options: Mapping[str, object]
) -> tuple[Rules | None, str | None]:
    """Return the rules with the options applied, or else the share code."""
    has_options = any(options.values())
    if text is not None and text.startswith("1."):
        if has_options:
            raise click.UsageError(
                tr(
                    "a share code has its own rules: omit {options} and {last}",
                    options=", ".join(OPTION_NAMES[:-1]),
                    last=OPTION_NAMES[-1],
                )
            )
        from demine.logic.share_code import decode

        decode(text)
        return None, text
    if text is None and not has_options:
        return None, None
    return rules_with_options(text or "beginner", options), None
