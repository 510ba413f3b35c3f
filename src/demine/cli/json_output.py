"""JSON as every verb prints it."""

from __future__ import annotations

import json
import sys

from demine.logic.sanitize import escape_control_characters_in_json


def to_json(value: object, *, indent: int | None = None) -> str:
    """Return JSON, however long its whole numbers are; without an indent it is one line.

    Letters stand as they are, but those that act on a terminal as escapes.
    """
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        return escape_control_characters_in_json(
            json.dumps(value, ensure_ascii=False, indent=indent)
        )
    finally:
        sys.set_int_max_str_digits(limit)
