"""`demine train`: drills from games, with their proofs, when they are due."""

from __future__ import annotations

import click

from demine.cli.board_output import colour_option
from demine.cli.options import LaterImport, Option, Switch, json_option, under_heading
from demine.cli.param_types import GAME_FILE, CompletedText, Completions, Number
from demine.cli.suggestions import Choice
from demine.logic.daily_board import LEVELS
from demine.scene.translation import mark, tr

ABOUT = mark("Train on your own games: drills that come again when due.")
HELP_ORDER = 65
EXAMPLES = (
    "demine train",
    "demine train --from replays --kind best-guess",
    "demine train --progress",
)


def _kind_names() -> tuple[str, ...]:
    """Return the kinds that may be completed; the help does without them, and without NumPy."""
    from demine.play.drills.drill import DrillKind

    return tuple(DrillKind)


def _pattern_codes() -> tuple[str, ...]:
    """Return the patterns that may be completed."""
    from demine.play.drills.patterns import all_patterns

    return tuple(each.code for each in all_patterns())


def command() -> click.Command:
    """Return the Click command of `demine train`."""
    return click.Command(
        "train",
        callback=LaterImport("train"),
        help=tr(
            "Train on positions of your own games: mistakes, forced guesses, and proofs that took "
            "long. Ten are a day's set; what you find hard comes again sooner. Boards are rotated "
            "and mirrored. Where your games are not enough, boards are made.\n\nAnswer with the "
            "row and the column of a cell, `4 7`; with `g` where it is a guess; `q` ends. Answers "
            "are saved at once. Exit code 1: there is nothing to train on."
        ),
        params=[
            *under_heading(
                tr("Which drills"),
                Option("--count", Number(1, 1000), tr("How many drills to ask."), 10),
                Option(
                    "--from sources",
                    GAME_FILE,
                    tr("Take the games of a replay or a folder of them; may be repeated."),
                    multiple=True,
                ),
                Option("--level", Choice(list(LEVELS)), tr("Make boards of a level.")),
                Switch("--daily", tr("Ask the drill of the day, the same for everybody.")),
                Option(
                    "--kind",
                    CompletedText(mark("KIND"), lambda: Completions(words=_kind_names())),
                    tr("Only one kind: safe, prove-or-guess, best-guess, won or speed."),
                ),
                Option(
                    "--pattern",
                    CompletedText(mark("PATTERN"), lambda: Completions(words=_pattern_codes())),
                    tr("Only one pattern, such as 1-2-1, reduction or 1-1/edge."),
                ),
            ),
            *under_heading(
                tr("Output"),
                Switch("--progress", tr("Show your progress by pattern instead of asking.")),
                json_option(),
                colour_option(),
            ),
        ],
    )
