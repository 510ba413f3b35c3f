"""JSON as every verb prints it, and the option that asks for it."""

from __future__ import annotations

import click

from demine.logic.json_text import to_json
from demine.scene.translation import tr

__all__ = ["json_option", "to_json"]


def json_option() -> click.Option:
    """Return the option `--json`, which the verb gets as `as_json`."""
    return click.Option(["--json", "as_json"], is_flag=True, help=tr("Print as JSON."))
