"""The name of a policy on the command line: one of demine's, or `module:name`."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from demine.cli.param_types import CompletedText, Completions
from demine.scene.translation import explain
from demine.solver.player.policy_table import POLICIES

if TYPE_CHECKING:
    from collections.abc import Iterable


class PolicyName(CompletedText):
    """The name of a policy; whether a module has it is found out when it is imported."""

    def __init__(self) -> None:
        super().__init__(
            f"[{'|'.join(POLICIES)}|MODULE:NAME]", lambda: Completions(words=tuple(POLICIES))
        )

    def parse(self, value: str) -> str:
        """Return the name; raise `click.BadParameter` if no policy can have it."""
        if value in POLICIES or ":" in value:
            return value
        from demine.solver.player.resolve_policy import unknown_policy

        raise click.BadParameter(explain(unknown_policy(value)))


def import_from_current_folder(policies: Iterable[str]) -> None:
    """Let modules of the current folder be imported, as `python -m` does, if a policy needs one.

    Worker processes of this machine inherit that.
    """
    folder = os.getcwd()  # noqa: PTH109 - a path for `sys.path`
    if any(":" in policy for policy in policies) and not {"", folder} & set(sys.path):
        sys.path.insert(0, folder)
