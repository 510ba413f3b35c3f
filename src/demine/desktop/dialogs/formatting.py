"""Rules, results and times as the dialogs say them."""

from __future__ import annotations

import re
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
"""Rules with a name, by its message id, the order that a list of them has."""

RESULTS: Final[Mapping[str, str]] = {
    "won": mark("won"),
    "lost": mark("lost"),
    "resigned": mark("resigned"),
}
"""How a game ended, in the words of the history, and what to call that."""


def rules_title(rules: Rules | str) -> str:
    """Return rules by their name if they have one, else as their text; and whether guess-free."""
    found = parse_rules(rules) if isinstance(rules, str) else rules
    if found is None:
        return escape_control_characters(str(rules))
    plain = replace(found, guess_free=False)
    name = next((name for name, known in NAMED_RULES.items() if known == plain), None)
    said = tr(name) if name else str(plain)
    return tr("{title}, guess-free", title=said) if found.guess_free else said


def rules_size(rules: Rules) -> str:
    """Return width, height and mines of rules in words."""
    board = f"{rules.width} × {rules.height}"
    return ntr("{board}, {n} mine", "{board}, {n} mines", rules.mines, board=board)


def unusual_options_text(rules: Rules) -> str:
    """Return what of the rules is out of the common, in words; empty for common ones."""
    return " · ".join(
        tr(option.told, choice=tr(option.choice_of(value).words))
        for option, value in rules.non_default_options()
    )


def parse_rules(text: str) -> Rules | None:
    """Return the rules of a text that anybody may have written, or None."""
    try:
        return Rules.parse(text)
    except DemineError:
        return None


def unranked_reason_text(unranked: str) -> str:
    """Return why a game enters no best times; empty when it does."""
    return (
        tr(UNRANKED_REASONS[unranked])
        if unranked in UNRANKED_REASONS
        else escape_control_characters(unranked)
    )


def game_result_text(status: str) -> str:
    """Return how a game ended."""
    return tr(RESULTS[status]) if status in RESULTS else escape_control_characters(status)


def format_seconds(ms: float | None) -> str:
    """Return a time in seconds to the millisecond, with a dash for none."""
    return "–" if ms is None else f"{ms / 1000:.3f}"


def format_decimal(value: float | None, places: int = 0) -> str:
    """Return a statistic with so many decimal places, with a dash for none."""
    return "–" if value is None else f"{value:.{places}f}"


def format_percent(fraction: float | None) -> str:
    """Return a share of 1 in percent, with a dash for none."""
    return "–" if fraction is None else f"{100 * fraction:.1f} %"


def format_local_time(utc_iso: str | None) -> str:
    """Return a moment of the store (ISO text, UTC) as the player's local date and time."""
    if not utc_iso:
        return "–"
    return datetime.fromisoformat(utc_iso).astimezone().strftime("%Y-%m-%d %H:%M")


def without_access_key(message: str) -> str:
    """Return a translated message without the mark of its access key: for screen readers."""
    return re.sub(r"\(&\w\)|&", "", tr(message)).rstrip(":：… ")
