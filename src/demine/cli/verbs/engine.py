"""`demine engine`: our own player as a program that others talk to, line by line."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TYPE_CHECKING, Final

import click

from demine import __version__
from demine.cli.exit_codes import DONE
from demine.cli.options import Option
from demine.cli.policy_option import PolicyName, import_from_current_folder
from demine.scene.sanitized_console import raw_stream
from demine.scene.translation import mark, tr
from demine.solver.player.policy_table import POLICIES, describe_policies

if TYPE_CHECKING:
    from demine.solver.engine.built_in_player import EnginePlayer

ABOUT = mark("Play as an engine: positions in, moves out, for programs in any language.")
HELP_ORDER = 124
EXAMPLES = ("demine engine", "demine engine --policy mymodule:choose")
DEFAULT_POLICY: Final = "best"


def command() -> click.Command:
    """Return the Click command of `demine engine`."""
    return click.Command(
        "engine",
        callback=_engine,
        help=tr(
            "Play as an engine: read positions from standard input and write moves, a line each, "
            "as chess engines do.\n\nType `umi` to be greeted and `quit` to leave; docs/engine.md "
            "describes every line."
        ),
        params=[
            Option(
                "--policy",
                PolicyName(),
                " ".join(
                    (
                        tr("Policy that plays (default: {policy}).", policy=DEFAULT_POLICY),
                        describe_policies(POLICIES),
                    )
                ),
                default=DEFAULT_POLICY,
                show_default=False,
            ),
        ],
    )


def _engine(policy: str) -> int:
    from demine.solver.engine.built_in_player import player_of_policy
    from demine.solver.engine.server import EngineOption, EngineServer
    from demine.solver.player.resolve_policy import resolve_policy

    def player_of(name: str) -> EnginePlayer:
        return player_of_policy(resolve_policy(name))

    import_from_current_folder([policy])
    player, policies = player_of(policy), dict.fromkeys([*POLICIES, policy])
    output = raw_stream(sys.stdout)

    def write_line(line: str) -> None:
        # At once: whoever waits for it must not wait for a buffer to fill.
        output.write(line + "\n")
        output.flush()

    server = EngineServer(
        name=f"demine {__version__}",
        author="the demine authors",
        player=player,
        source=sys.stdin.fileno(),
        write=write_line,
        options=[EngineOption("Policy", policy, list(policies), player_of)],
    )
    # What a policy of one's own prints is no answer.
    with contextlib.redirect_stdout(sys.stderr):
        server.run()
    if server.is_busy:
        # Python would wait for what a thread computes though nobody asks for it.
        os._exit(DONE)
    return DONE
