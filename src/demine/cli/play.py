"""`demine play`: the game."""

from __future__ import annotations

import click

from demine.cli.scenes import SCENES, open_scene
from demine.logic.errors import RulesError
from demine.logic.rules import PRESETS, First, Goal, Rules
from demine.scene.geometry import MAX_CELL, MIN_CELL
from demine.scene.messages import languages, match, tr
from demine.scene.theme import SYSTEM, THEMES
from demine.scene.wishes import KEY_SETS, Wishes


def command() -> click.Command:
    """Return the verb."""
    return click.Command(
        "play",
        callback=_play,
        help=tr(
            "Play Minesweeper.\n\nRULES is a name ({names}), a size such as 30x16/99 "
            "(width x height / mines), or a share code. Without RULES the last game goes on where "
            "it was left, or a new one begins with the rules played last.",
            names=", ".join(PRESETS),
        ),
        params=_params(),
    )


def _params() -> list[click.Parameter]:
    return [
        click.Argument(["rules"], required=False, metavar=tr("[RULES]")),
        click.Option(
            ["--scene"],
            type=click.Choice(list(SCENES)),
            help=tr("Where to play; without it the first that can open here."),
        ),
        click.Option(
            ["--seed"],
            type=click.IntRange(0),
            help=tr("Lay the board of this number; such a game enters no best times."),
        ),
        click.Option(
            ["--first"],
            type=click.Choice([each.value for each in First]),
            help=tr("What the first cell promises: no mine, an opening, or nothing."),
        ),
        click.Option(
            ["--goal"],
            type=click.Choice([each.value for each in Goal]),
            help=tr("What wins: every safe cell open, or flags exactly on the mines."),
        ),
        click.Option(
            ["--new"], is_flag=True, help=tr("Begin a new game even if one was left unfinished.")
        ),
        click.Option(
            ["--theme"], type=click.Choice([SYSTEM, *THEMES]), help=tr("The look of the board.")
        ),
        click.Option(
            ["--cell"],
            type=click.IntRange(MIN_CELL, MAX_CELL),
            help=tr("Size of a cell in pixels; without it the board fits the screen."),
        ),
        click.Option(
            ["--questions/--no-questions"],
            default=None,
            help=tr("Whether a second right click makes a question mark."),
        ),
        click.Option(
            ["--left-chord/--no-left-chord"],
            default=None,
            help=tr("Whether a left click alone on a number chords."),
        ),
        click.Option(
            ["--keys"],
            type=click.Choice(list(KEY_SETS)),
            help=tr("Which keys move the cursor: arrows, or h j k l as well."),
        ),
        click.Option(["--sound/--no-sound"], default=None, help=tr("Whether acts make sounds.")),
        click.Option(["--fullscreen"], is_flag=True, help=tr("Fill the whole screen.")),
        click.Option(
            ["--lang"],
            callback=_check_language,
            metavar="|".join(languages()),
            help=tr("Language of the game and of this help."),
        ),
    ]


def _check_language(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    if value is not None and match(value) is None:
        raise click.BadParameter(
            tr(
                "{text!r} is no language known here: {known}",
                text=value,
                known=", ".join(languages()),
            ),
            ctx=ctx,
            param=param,
        )
    return match(value) if value else None


def _play(
    rules: str | None,
    scene: str | None,
    seed: int | None,
    first: str | None,
    goal: str | None,
    new: bool,
    theme: str | None,
    cell: int | None,
    questions: bool | None,
    left_chord: bool | None,
    keys: str | None,
    sound: bool | None,
    fullscreen: bool,
    lang: str | None,
) -> int:
    chosen, code = _rules_or_code(rules, first, goal)
    wishes = Wishes(
        rules=chosen,
        share_code=code,
        seed=seed,
        new=new,
        settings={
            name: value
            for name, value in (
                ("theme", theme),
                ("cell", cell),
                ("questions", questions),
                ("left_chord", left_chord),
                ("keys", keys),
                ("sound", sound),
                ("language", lang),
            )
            if value is not None
        },
        fullscreen=fullscreen,
    )
    return open_scene(scene, wishes)


def _rules_or_code(
    text: str | None, first: str | None, goal: str | None
) -> tuple[Rules | None, str | None]:
    """Tell rules from a share code; options given beside rules come on top of them."""
    if text is not None and text.startswith("1."):
        if first or goal:
            raise click.UsageError(
                tr("a share code has its own rules: leave --first and --goal out")
            )
        from demine.logic.share import decode

        decode(text)
        return None, text
    if text is None and not (first or goal):
        return None, None
    words = [text or "beginner"]
    words += [f"first={first}"] if first else []
    words += [f"goal={goal}"] if goal else []
    rules = Rules.parse(" ".join(words))
    if rules.guess_free:
        raise RulesError("guess-free boards cannot be laid yet: leave guess-free out")
    return rules, None
