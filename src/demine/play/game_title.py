"""What a game is called, in the player's words. It knows rules and no games: it is wanted first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Final

from demine.logic.rules import BEGINNER, EXPERT, INTERMEDIATE, Rules
from demine.scene.translation import current_language, mark, ntr, tr

LEVELS: Final[Mapping[str, Rules]] = {
    mark("Beginner"): BEGINNER,
    mark("Intermediate"): INTERMEDIATE,
    mark("Expert"): EXPERT,
}
UNRANKED_REASONS: Final[Mapping[str, str]] = {
    "undo": mark("practice: undone"),
    "hint": mark("practice: helped"),
    "seed": mark("chosen seed"),
    "share": mark("shared board"),
    "again": mark("known board"),
    "daily": mark("daily board"),
    "imported": mark("imported game"),
}
"""Why a game enters no best times, by `Game.unranked`."""


def game_title(rules: Rules, reason: str, blown: int = 0) -> str:
    """Return what a game is called, and how many lives are left of several.

    `reason` is why it is unranked, as in `UNRANKED_REASONS`; `blown` counts the mines that blew.
    """
    return _title(rules, reason, blown, current_language())


@lru_cache(maxsize=16)
def _title(rules: Rules, reason: str, blown: int, _language: str) -> str:
    plain = replace(rules, guess_free=False, lives=1)
    name = next((name for name, known in LEVELS.items() if known == plain), None)
    title = tr(name) if name else str(plain)
    if rules.guess_free:
        title = tr("{title}, guess-free", title=title)
    if rules.lives > 1:
        left = rules.lives - blown
        title = ntr("{title} · {n} life left", "{title} · {n} lives left", left, title=title)
    if reason:
        title = tr("{title} · {reason}", title=title, reason=tr(UNRANKED_REASONS[reason]))
    return title
