"""JSON as every verb prints it, and the option that asks for it."""

from __future__ import annotations

import json
import sys

import click

from demine.logic.sanitize import escape_control_characters_in_json
from demine.scene.translation import tr


def json_option() -> click.Option:
    """Return the option `--json`, which the verb gets as `as_json`."""
    return click.Option(["--json", "as_json"], is_flag=True, help=tr("Print as JSON."))


def to_json(value: object) -> str:
    """Return JSON with whole numbers of any length, in one line.

    Non-ASCII letters stand as they are; control characters are escaped.
    """
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        return escape_control_characters_in_json(json.dumps(value, ensure_ascii=False))
    finally:
        sys.set_int_max_str_digits(limit)
