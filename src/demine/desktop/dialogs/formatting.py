"""Rules, results, times and numbers as text for the dialogs."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from demine.logic.errors import DemineError
from demine.logic.rules import Rules
from demine.logic.sanitize import escape_control_characters
from demine.play.game_title import UNRANKED_REASONS
from demine.play.record_table import RESULTS
from demine.scene.translation import tr

if TYPE_CHECKING:
    pass


def parse_rules(text: str) -> Rules | None:
    """Return the rules of a text, or None if it is invalid."""
    try:
        return Rules.parse(text)
    except DemineError:
        return None


def unranked_reason_text(reason: str) -> str:
    """Return why a game is unranked, as text; empty for a ranked one."""
    return (
        tr(UNRANKED_REASONS[reason])
        if reason in UNRANKED_REASONS
        else escape_control_characters(reason)
    )


def game_result_text(status: str) -> str:
    """Return the result of a game, by its status in the store, as text."""
    return tr(RESULTS[status]) if status in RESULTS else escape_control_characters(status)


def format_decimal(value: float | None, places: int = 0) -> str:
    """Return a number with fixed decimal places; a dash for None."""
    return "–" if value is None else f"{value:.{places}f}"


def format_local_time(utc_iso: str | None) -> str:
    """Return a UTC time (ISO text) as local date and time; a dash for None or an empty text."""
    if not utc_iso:
        return "–"
    return datetime.fromisoformat(utc_iso).astimezone().strftime("%Y-%m-%d %H:%M")
