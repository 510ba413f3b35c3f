"""`demine records`: shows, exports and imports best times, streaks and history."""

from __future__ import annotations

from typing import Final

import click

from demine.cli.options import LaterImport, Option, argument, json_option, under_heading
from demine.cli.param_types import FILE_NAME, FOLDER_NAME, RULES, Number
from demine.cli.suggestions import Choice
from demine.replay.registry import writable_game_format_names
from demine.scene.translation import mark, tr
from demine.store.game_rows import MAX_ROWS

ABOUT = mark("Show best times, streaks and history; export and import them.")
HELP_ORDER = 100
EXAMPLES = (
    "demine records expert --last 20",
    "demine records --export backup.jsonl",
    "demine records --import-folder replays",
)

FOLDER_FORMATS: Final = tuple(name.lower() for name in writable_game_format_names())
"""The formats for a folder of games, by their names in `demine.replay.registry`."""


def command() -> click.Command:
    """Return the Click command of `demine records`."""
    return click.Command(
        "records",
        callback=LaterImport("records"),
        help=tr(
            "Show your best times, streaks and recent games.\n\nRULES limits it to one kind of "
            "game. Only games on fresh boards, played without undo or hints, count for best times."
        ),
        params=[
            argument("rules", RULES, tr("[RULES]")),
            *under_heading(
                tr("Output"),
                Option(
                    "--last",
                    Number(0, MAX_ROWS),
                    tr("How many recent games to list; 0 for none."),
                    10,
                ),
                json_option(),
            ),
            *under_heading(
                tr("Export and import"),
                Option(
                    "--export target",
                    FILE_NAME,
                    tr("Write all records, games and settings to a file; - is standard output."),
                ),
                Option(
                    "--import source",
                    FILE_NAME,
                    tr("Add the games of an export or a database; none is added twice."),
                ),
                Option(
                    "--export-folder target_folder",
                    FOLDER_NAME,
                    tr("Write every game, or those of RULES, to its own file in a folder."),
                ),
                Option(
                    "--to form",
                    Choice(FOLDER_FORMATS, case_sensitive=False),
                    tr("Format of those files; journals hold everything."),
                ),
                Option(
                    "--import-folder source_folder",
                    FOLDER_NAME,
                    tr(
                        "Add the games in all files of a folder: journals and replays of any "
                        "program. Only those from your own --export-folder count for best times."
                    ),
                ),
            ),
        ],
    )
