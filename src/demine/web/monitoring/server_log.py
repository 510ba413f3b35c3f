"""The log of a server on standard error: sentences for people, or an object a line for programs."""

from __future__ import annotations

import logging
from typing import Final, Literal, get_args

LogForm = Literal["text", "json"]
LOG_FORMS: Final[tuple[LogForm, ...]] = get_args(LogForm)
_RENAMED: Final = {"levelname": "level", "name": "logger"}


def begin_log(form: LogForm) -> None:
    """Write what happens to standard error: as text what went wrong, as JSON starts and ends too.

    Each object has `timestamp` (UTC), `level`, `logger`, `message`, and the figures of that
    message by their names.
    """
    handler = logging.StreamHandler()
    handler.setFormatter(_formatter(form))
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    logging.getLogger("demine.web").setLevel(logging.INFO if form == "json" else logging.WARNING)


def _formatter(form: LogForm) -> logging.Formatter:
    if form == "json":
        from pythonjsonlogger.json import JsonFormatter

        fields = ("levelname", "name", "message")
        return JsonFormatter(fields, rename_fields=_RENAMED, timestamp=True)
    return logging.Formatter("%(asctime)s %(levelname)s %(message)s")
