"""The title of a game, in the player's words; made from rules alone, before a game is loaded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Final

from demine.logic.rules import Rules
from demine.scene.board_title import board_title
from demine.scene.translation import current_language, mark, ntr, tr

UNRANKED_REASONS: Final[Mapping[str, str]] = {
    "undo": mark("practice: undone"),
    "hint": mark("practice: helped"),
    "seed": mark("chosen seed"),
    "share": mark("shared board"),
    "again": mark("known board"),
    "together": mark("played together"),
    "daily": mark("daily board"),
    "imported": mark("imported game"),
}
"""Why a game is excluded from the best times, by `Game.unranked`."""


def game_title(rules: Rules, unranked: str, blown_mines: int = 0) -> str:
    """Return the title of a game, with the lives left if its rules give several.

    `unranked` is a key of `UNRANKED_REASONS`, or empty for a ranked game.
    """
    return _title(rules, unranked, blown_mines, current_language())


@lru_cache(maxsize=16)
def _title(rules: Rules, unranked: str, blown_mines: int, _language: str) -> str:
    title = board_title(replace(rules, lives=1))
    if rules.lives > 1:
        left = rules.lives - blown_mines
        title = ntr("{title} · {n} life left", "{title} · {n} lives left", left, title=title)
    if unranked:
        title = tr("{title} · {reason}", title=title, reason=tr(UNRANKED_REASONS[unranked]))
    return title
