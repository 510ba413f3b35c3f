"""`demine completion`: completes verbs, options and values in bash, zsh and fish."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, cast

import click

from demine.cli.exit_codes import ANSWER_IS_NO, DONE
from demine.cli.options import Switch, argument
from demine.cli.shell_completion import SCRIPTS, completed_verbs
from demine.cli.suggestions import Choice
from demine.cli.verbs import help_lines_by_verb
from demine.scene.translation import mark, tr

if TYPE_CHECKING:
    from pathlib import Path

ABOUT = mark("Complete verbs, options and values with the Tab key.")
HELP_ORDER = 150
EXAMPLES = (
    "demine completion --install",
    "demine completion fish --install",
    "demine completion bash > demine.bash",
)


def command() -> click.Command:
    """Return the Click command of `demine completion`."""
    return click.Command(
        "completion",
        callback=_completion,
        help=tr(
            "Complete verbs, options and values with the Tab key in bash, zsh or fish.\n\n"
            "`demine completion --install` sets up the shell you use; without an option the "
            "script is printed. SHELL is bash, zsh or fish (default: the one in the variable "
            "SHELL). Run it again after an update. Exit code 1: there is nothing to remove."
        ),
        params=[
            argument("shell", Choice(list(SCRIPTS)), tr("[SHELL]")),
            Switch(
                "--install",
                tr("Write the script into your home folder and load it in new shells."),
            ),
            Switch("--uninstall --remove uninstall", tr("Remove what --install wrote.")),
        ],
    )


def _completion(shell: str | None, install: bool, uninstall: bool) -> int:
    if install and uninstall:
        raise click.UsageError(tr("--install and --uninstall do not go together"))
    from demine.cli.completion_files import shell_in_use

    shell = shell or shell_in_use(os.environ)
    if shell not in SCRIPTS:
        raise click.UsageError(
            tr("name the shell: demine completion {shells}", shells="|".join(SCRIPTS))
        )
    if uninstall:
        return _uninstall(shell)
    group = cast("click.Group", click.get_current_context().find_root().command)
    script = SCRIPTS[shell](completed_verbs(group, help_lines_by_verb()))
    if install:
        return _install(shell, script)
    click.echo(script, nl=False)
    return DONE


def _install(shell: str, script: str) -> int:
    from demine.cli.completion_files import completion_files

    changed = completion_files(shell, os.environ).install(script)
    for path in changed:
        click.echo(tr("Written: {path}", path=path))
    if changed:
        click.echo(tr("Completion works in every new {shell}.", shell=shell))
    else:
        click.echo(tr("Completion for {shell} is installed and up to date.", shell=shell))
    return DONE


def _uninstall(shell: str) -> int:
    from demine.cli.completion_files import completion_files

    changed: list[Path] = completion_files(shell, os.environ).uninstall()
    for path in changed:
        click.echo(tr("Removed from: {path}", path=path))
    if not changed:
        click.echo(tr("Completion for {shell} is not installed.", shell=shell))
    return DONE if changed else ANSWER_IS_NO
