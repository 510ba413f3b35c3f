"""`demine book`: writes a book of puzzles to print."""

from __future__ import annotations

from typing import Final

import click

from demine.cli.options import LaterImport, Option, argument, under_heading
from demine.cli.param_types import COUNT, FILE_NAME, RULES, SEED
from demine.logic.rules import PRESETS
from demine.scene.translation import mark, tr
from demine.solver.proof.difficulty_levels import Pattern

ABOUT = mark("Make a book of puzzles to print, as PDF.")
HELP_ORDER = 22
EXAMPLES = (
    "demine book beginner -o book.pdf",
    "demine book 9x9/12 --rating chain --count 60 -o book.pdf",
    "demine book beginner --kind positions --paper letter -o book.pdf",
)

KINDS: Final = ("boards", "positions")
PAPER_SIZES: Final = ("a4", "letter")


def command() -> click.Command:
    """Return the Click command of `demine book`."""
    return click.Command(
        "book",
        callback=LaterImport("book"),
        help=tr(
            "Make a book of puzzles to print, with solutions and why they hold.\n\nRULES is a name "
            "({names}) or a size such as 9x9/12. A seed always gives the same book. "
            "Ctrl-C ends the search and keeps the puzzles found. "
            "Exit code 1: no such puzzle was found.",
            names=", ".join(PRESETS),
        ),
        params=_params(),
    )


def _params() -> list[click.Parameter]:
    return [
        argument("rules", RULES),
        *under_heading(
            tr("Puzzles"),
            Option(
                "--kind",
                KINDS,
                tr(
                    "Boards on which all mines follow from the numbers shown, or positions in "
                    "which a safe cell is to be found."
                ),
                "boards",
            ),
            Option(
                "--rating",
                [each.value for each in Pattern],
                tr("The hardest step that a puzzle needs."),
                Pattern.INSIDE.value,
            ),
            Option("-n --count", COUNT, tr("How many puzzles."), 24),
            Option(
                "--seed",
                SEED,
                tr("Seed of the first board (default: random, printed to stderr)."),
            ),
        ),
        *under_heading(
            tr("Output"),
            Option("--paper", PAPER_SIZES, tr("Size of the paper."), "a4"),
            Option(
                "-o --output target", FILE_NAME, tr("The PDF file to write; - is standard output.")
            ),
        ),
    ]
