"""`demine stats`: the statistics of replays, journals and boards, of one or of thousands."""

from __future__ import annotations

import click

from demine.cli.options import LaterImport, Option, Switch, argument, under_heading
from demine.cli.param_types import COUNT, GAME_FILE, CompletedText, Completions, FileName
from demine.scene.translation import mark, tr

ABOUT = mark("Show statistics of replays and boards, even of thousands.")
HELP_ORDER = 70
EXAMPLES = (
    "demine stats games/ --sort -bv_s",
    "demine stats game.avf --all",
    "demine stats games/ --columns result,time,bv_s --csv",
    "demine stats --list-columns",
)


def _column_names() -> tuple[str, ...]:
    """Return the names that may be completed; the help does without them, and without NumPy."""
    from demine.cli.column_list import column_names

    return column_names()


def command() -> click.Command:
    """Return the Click command of `demine stats`."""
    return click.Command(
        "stats",
        callback=LaterImport("stats"),
        help=tr(
            "Show statistics of replays, journals and boards.\n\nA folder means every such file "
            "in it, `-` means standard input; a share code is a board. Boards have only the "
            "statistics about boards. --list-columns explains every name. Exit code 2: some file "
            "could not be counted."
        ),
        params=[
            argument("paths", GAME_FILE, tr("[FILE|FOLDER]..."), nargs=-1),
            *under_heading(
                tr("Columns"),
                Option(
                    "--columns",
                    CompletedText(
                        mark("NAME,NAME..."),
                        lambda: Completions(words=_column_names(), in_list=True),
                    ),
                    tr(
                        "Columns, by the names of statistics; also `result`, `pluck` and facts "
                        "such as `player`, `level` and `ended`."
                    ),
                ),
                Switch("--all every", tr("Show every statistic.")),
                Switch(
                    "--list-columns",
                    tr("List all columns, with their units and meanings; needs no FILE."),
                ),
                Option(
                    "--sort",
                    CompletedText(mark("NAME"), lambda: Completions(words=_column_names())),
                    tr(
                        "Sort by a column, shown or not; with a minus before it, in descending "
                        "order."
                    ),
                ),
            ),
            *under_heading(
                tr("Output"),
                Switch("--json as_json", tr("Print one JSON object per line.")),
                Switch("--csv as_csv", tr("Print as CSV.")),
                Option(
                    "--parquet target",
                    FileName(".parquet"),
                    tr("Write a Parquet file, replaced only when complete."),
                ),
            ),
            Option("-j --jobs", COUNT, tr("Maximum processes (default: one per processor).")),
        ],
    )
