"""`demine admin`: looks after the database of a server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from demine.cli.admin_actions import ACTIONS
from demine.cli.options import Option, Switch, argument, json_option
from demine.cli.param_types import DATE, FILE_NAME, CompletedText, Completions, FileName
from demine.cli.suggestions import Choice
from demine.cli.web_libraries import web_libraries
from demine.play.garbage_collection import start_collecting
from demine.scene.translation import mark, tr

if TYPE_CHECKING:
    from typing import Any

ABOUT = mark("Look after a server: back up, restore, delete, ban, prune.")
HELP_ORDER = 16
COLLECTS_WHEN_LOADED: Final = True
EXAMPLES = (
    "demine admin backup copies/monday.sqlite",
    "demine admin players smith",
    "demine admin prune 90 --dry-run",
    "demine admin export-games games.parquet",
)


def command() -> click.Command:
    """Return the Click command of `demine admin`."""
    lines = [
        f"{' '.join(filter(None, (name, each.subject and tr(each.subject))))}: {tr(each.about)}"
        for name, each in ACTIONS.items()
    ]
    about = tr(
        "Look after the database of `demine serve`. What is done here is kept in its log. Players "
        "and games are named by their ids, as `players` and the addresses of games show them."
    )
    return click.Command(
        "admin",
        callback=_admin,
        help=f"{about}\n\n\b\n" + "\n".join(lines),
        params=[
            argument("action", Choice(list(ACTIONS)), tr("ACTION")),
            argument("subject", FileName(metavar=mark("SUBJECT")), tr("[SUBJECT]")),
            Option(
                "--database",
                FILE_NAME,
                tr(
                    "File of games and players, or postgresql://... (default: server.sqlite in "
                    "your data folder)."
                ),
            ),
            Option(
                "--why",
                CompletedText(mark("REASON"), Completions),
                tr("Reason, for the log."),
                "",
                show_default=False,
            ),
            Switch("--dry-run", tr("Of prune: only say what would be deleted.")),
            Option(
                "--since", DATE, tr("Of export-games: only games that ended on a day or later.")
            ),
            json_option(),
        ],
    )


def _admin(**chosen: Any) -> int:  # noqa: ANN401 - as Click passes them
    with web_libraries():
        from demine.cli.actions.admin import run_admin
    start_collecting()
    return run_admin(**chosen)
