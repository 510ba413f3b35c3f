"""The exit codes of the command line, and the line on stderr that goes with a failure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from demine.scene.translation import explain

if TYPE_CHECKING:
    from demine.logic.errors import DemineError

DONE: Final = 0
NO: Final = 1
"""The answer is no."""
BAD: Final = 2
"""Bad usage or input."""
INTERRUPTED: Final = 130
_LONG: Final = 300
"""How much of a complaint is worth reading: it may quote what somebody pasted."""


def say_no(verb: str, error: DemineError) -> int:
    """Say on stderr why the answer is no, and return the exit code for that."""
    return fail(f"demine {verb}", explain(error), NO)


def fail(where: str, sentence: str, code: int = BAD) -> int:
    """Say in one line on stderr where and what went wrong, and return the exit code."""
    line = " ".join(sentence.split())
    if len(line) > _LONG:
        line = f"{line[: _LONG * 2 // 3]} ... {line[-_LONG // 3 :]}"
    click.echo(f"{where}: {line}", err=True)
    return code
