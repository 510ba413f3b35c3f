"""`demine serve`: the game in the browser."""

from __future__ import annotations

from functools import partial
from typing import Final

import click

from demine.cli.exit_codes import DONE, print_message
from demine.cli.options import Option, under_heading
from demine.cli.param_types import FILE_NAME, CompletedText, Completions, Number
from demine.cli.suggestions import Choice
from demine.cli.web_libraries import web_libraries
from demine.play.garbage_collection import start_collecting
from demine.scene.sanitized_console import sanitize_output
from demine.scene.translation import mark, tr
from demine.web.monitoring.server_log import LOG_FORMS, LogForm, begin_log

ABOUT = mark("Serve the game to browsers: at home, for a class, for a small site.")
HELP_ORDER = 15
EXAMPLES = ("demine serve", "demine serve --host 0.0.0.0 --port 8000")
COLLECTS_WHEN_LOADED: Final = True
DEFAULT_HOST: Final = "127.0.0.1"
DEFAULT_PORT: Final = 8080
_FEW_CONNECTIONS: Final = mark(
    "the system allows {most} connections at once; for more players raise its limit of open files "
    "(ulimit -n)"
)
_HOST: Final = CompletedText(mark("ADDRESS"), lambda: Completions(words=(DEFAULT_HOST, "0.0.0.0")))  # noqa: S104 - named, not bound


def command() -> click.Command:
    """Return the Click command of `demine serve`."""
    return click.Command(
        "serve",
        callback=_serve,
        help=tr(
            "Serve the game to browsers until Ctrl-C.\n\nOnly this computer reaches it, unless "
            "--host says otherwise: 0.0.0.0 lets everybody in who reaches this computer."
        ),
        params=[
            Option("--host", _HOST, tr("Address to listen at."), DEFAULT_HOST),
            Option(
                "--port",
                Number(0, 65535),
                tr("Port to listen at; 0 takes a free one."),
                DEFAULT_PORT,
            ),
            Option(
                "--host-name",
                CompletedText(mark("NAME"), Completions),
                tr("Name by which browsers reach this server; may be repeated."),
                multiple=True,
            ),
            Option(
                "--database",
                FILE_NAME,
                tr(
                    "File of games and players, or postgresql://... (default: server.sqlite in "
                    "your data folder)."
                ),
            ),
            Option(
                "--log",
                Choice(LOG_FORMS),
                tr("Log on standard error: sentences, or a JSON object a line for programs."),
                "text",
            ),
            *under_heading(
                tr("Several processes"),
                Option(
                    "--processes",
                    Number(1, 256),
                    tr(
                        "Processes that serve together, on a database of PostgreSQL; SIGHUP "
                        "replaces one after the other."
                    ),
                ),
                Option(
                    "--peer-host",
                    CompletedText(mark("ADDRESS"), Completions),
                    tr(
                        "Address at which other computers that serve the same database reach this "
                        "one; keep it private."
                    ),
                    DEFAULT_HOST,
                ),
            ),
        ],
    )


def _serve(
    host: str,
    port: int,
    host_name: tuple[str, ...],
    database: str | None,
    processes: int | None,
    peer_host: str,
    log: LogForm,
) -> int:
    with web_libraries():
        from demine.web.connections import MANY_CONNECTIONS, most_connections
        from demine.web.database.place import parse_place
        from demine.web.server import serve
    start_collecting()
    begin_log(log)

    def on_ready(address: str) -> None:
        if log == "json":
            return
        print_message("serve", tr("open {address} in a browser; Ctrl-C stops", address=address))
        if (most := most_connections()) < MANY_CONNECTIONS:
            print_message("serve", tr(_FEW_CONNECTIONS, most=most))

    serve(
        host,
        port,
        parse_place(database or ""),
        on_ready,
        host_names=host_name,
        peer_host=peer_host,
        processes=processes,
        begin_process=partial(_begin_process, log),
    )
    return DONE


def _begin_process(log: LogForm) -> None:
    """Begin one of several processes as this one began."""
    sanitize_output()
    start_collecting()
    begin_log(log)
