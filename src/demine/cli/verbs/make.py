"""`demine make`: generates boards and writes where their mines are."""

from __future__ import annotations

from typing import Final

import click

from demine.cli.options import LaterImport, Option, Switch, argument, under_heading
from demine.cli.param_types import CELL, COUNT, FILE_NAME, NUMBER_RANGE, RULES, SEED
from demine.logic.rules import PRESETS
from demine.scene.translation import mark, tr
from demine.solver.proof.difficulty_levels import Pattern

ABOUT = mark("Make boards as text, JSON or board files.")
HELP_ORDER = 20
EXAMPLES = (
    "demine make expert -n 5 --seed 1",
    "demine make beginner --guess-free --first 4,4",
    "demine make expert --3bv 100..120 --json",
)

OUTPUT_FORMATS: Final = ("text", "json", "mbf")


def command() -> click.Command:
    """Return the Click command of `demine make`."""
    return click.Command(
        "make",
        callback=LaterImport("make"),
        help=tr(
            "Make boards and write where their mines are.\n\nRULES is a name ({names}) or a size "
            "such as 30x16/99, followed by any options, in quotes. Each board uses the next seed. "
            "Exit code 1: no such board was found.",
            names=", ".join(PRESETS),
        ),
        params=_params(),
    )


def _params() -> list[click.Parameter]:
    ratings = [each.value for each in Pattern]
    return [
        argument("rules", RULES),
        *under_heading(
            tr("Boards"),
            Option("-n --count", COUNT, tr("How many boards."), 1),
            Option(
                "--seed",
                SEED,
                tr("Seed of the first board (default: random, printed to stderr)."),
            ),
            Option(
                "--first",
                CELL,
                tr(
                    "The first cell, counted from 0 (sentences count from 1), where the promise of "
                    "the rules is kept."
                ),
            ),
            Switch(
                "--guess-free",
                tr(
                    "Boards that never need a guess after the first cell: --first, or the middle "
                    "of the board."
                ),
            ),
        ),
        *under_heading(
            tr("Search"),
            Option(
                "--min-rating easiest",
                ratings,
                tr("Guess-free boards whose hardest step is at least this one."),
            ),
            Option(
                "--max-rating hardest",
                ratings,
                tr("Guess-free boards whose hardest step is at most this one."),
            ),
            Option(
                "--3bv three_bv",
                NUMBER_RANGE,
                tr("Boards with a 3BV from LOW to HIGH, or of exactly one number."),
            ),
            Option(
                "--limit",
                COUNT,
                tr(
                    "Stop looking for a guess-free board after this many steps (default: search "
                    "until Ctrl-C)."
                ),
                metavar=tr("STEPS"),
            ),
        ),
        *under_heading(
            tr("Output"),
            Option(
                "--format form",
                OUTPUT_FORMATS,
                tr("Rows of * and . below the rules, one JSON object per line, or a board file."),
                "text",
            ),
            Switch("--json as_json", tr("The same as --format json.")),
            Option(
                "-o --output target",
                FILE_NAME,
                tr("Write to a file, replaced only when complete; - is standard output."),
            ),
        ),
    ]
