"""Rules, results, times and numbers as text for the dialogs."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Final

from demine.logic.errors import DemineError
from demine.logic.rules import CLASSIC_BEGINNER, TEN, Rules
from demine.logic.sanitize import escape_control_characters
from demine.play.game_title import LEVELS, UNRANKED_REASONS
from demine.scene.translation import mark, ntr, tr

if TYPE_CHECKING:
    from collections.abc import Mapping

NAMED_RULES: Final[Mapping[str, Rules]] = {
    **LEVELS,
    mark("Classic beginner"): CLASSIC_BEGINNER,
    mark("Ten by ten"): TEN,
}
"""Rules by the message id of their name, in the order of lists."""

RESULTS: Final[Mapping[str, str]] = {
    "won": mark("won"),
    "lost": mark("lost"),
    "resigned": mark("given up"),
}
"""The message ids of the results of games, by the status in the store."""


def rules_title(rules: Rules | str) -> str:
    """Return the name of rules, or their text if they have none; and whether guess-free."""
    found = parse_rules(rules) if isinstance(rules, str) else rules
    if found is None:
        return escape_control_characters(str(rules))
    plain = replace(found, guess_free=False)
    name = next((name for name, known in NAMED_RULES.items() if known == plain), None)
    said = tr(name) if name else str(plain)
    return tr("{title}, guess-free", title=said) if found.guess_free else said


def rules_size_text(rules: Rules) -> str:
    """Return width, height and mines of rules as text."""
    board = f"{rules.width} × {rules.height}"
    return ntr("{board}, {n} mine", "{board}, {n} mines", rules.mines, board=board)


def unusual_options_text(rules: Rules) -> str:
    """Return the options of rules that differ from the defaults, as text; empty without any."""
    return " · ".join(
        tr(option.told, choice=tr(option.choice_of(value).words))
        for option, value in rules.non_default_options()
    )


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


def format_seconds(ms: float | None) -> str:
    """Return milliseconds as seconds with three decimal places; a dash for None."""
    return "–" if ms is None else f"{ms / 1000:.3f}"


def format_decimal(value: float | None, places: int = 0) -> str:
    """Return a number with fixed decimal places; a dash for None."""
    return "–" if value is None else f"{value:.{places}f}"


def format_percent(fraction: float | None) -> str:
    """Return a fraction of 1 in percent; a dash for None."""
    return "–" if fraction is None else f"{100 * fraction:.1f} %"


def format_local_time(utc_iso: str | None) -> str:
    """Return a UTC time (ISO text) as local date and time; a dash for None or an empty text."""
    if not utc_iso:
        return "–"
    return datetime.fromisoformat(utc_iso).astimezone().strftime("%Y-%m-%d %H:%M")
