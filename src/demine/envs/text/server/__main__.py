"""`python -m demine.envs.text.server`: plays with clients until it is told to stop."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

import click

from demine.envs.text.command_line import board_option, language_option, max_turns_option, run
from demine.envs.text.server.errors import ServerError
from demine.envs.text.server.sessions import Sessions
from demine.envs.text.text_env import TextMinesweeperEnv
from demine.scene.translation import tr

if TYPE_CHECKING:
    from demine.logic.rules import Rules

PROGRAM: Final = "python -m demine.envs.text.server"


def command() -> click.Command:
    """Return its Click command."""
    return click.Command(
        PROGRAM,
        context_settings={"show_default": True},
        callback=serve,
        help=tr(
            "Serve Minesweeper in text to language models over HTTP, in the manner of OpenEnv: "
            "POST /reset, POST /step, GET /state, GET /health, and the WebSocket /ws. See "
            "docs/language_models.md."
        ),
        params=[
            board_option(),
            click.Option(["--host"], default="127.0.0.1", help=tr("The address to listen at.")),
            click.Option(
                ["--port"],
                type=click.IntRange(0, 65535),
                default=8000,
                help=tr("The port to listen at; 0 takes a free one."),
            ),
            language_option(),
            click.Option(
                ["--reward"],
                type=click.Choice(["win_loss", "progress"]),
                default="win_loss",
                help=tr("What is rewarded."),
            ),
            max_turns_option(),
            click.Option(
                ["--episodes"],
                type=click.IntRange(1),
                default=1000,
                help=tr("How many episodes are kept at the same time."),
            ),
            click.Option(
                ["--idle"],
                type=click.FloatRange(0.1),
                default=900.0,
                help=tr("After how many seconds an episode that is left alone may be dropped."),
            ),
        ],
    )


def serve(
    board: Rules,
    host: str,
    port: int,
    language: str,
    reward: str,
    max_turns: int | None,
    episodes: int,
    idle: float,
) -> None:
    """Serve until SIGINT or SIGTERM; print the address once it listens. Raises `ServerError`."""
    make_env = partial(
        TextMinesweeperEnv, board, language=language, reward=reward, max_turns=max_turns
    )
    try:
        from demine.envs.text.server.process import listen, run_until_stopped
    except ModuleNotFoundError as error:
        raise ServerError(
            "the server needs a library that is not installed: "
            "pip install 'demine[envs,text-server]'"
        ) from error
    with listen(host, port) as listener:
        make_env()  # It refuses rules that cannot be played, and compiles.
        shown = f"[{host}]" if ":" in host else host
        click.echo(f"http://{shown}:{listener.getsockname()[1]}/")
        run_until_stopped(listener, Sessions(make_env, episodes, idle), episodes)


if __name__ == "__main__":
    run(command)
