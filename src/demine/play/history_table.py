"""The table of ended games, the same in every scene: its heads, and what is searched for in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from demine.play.game_title import UNRANKED_REASONS
from demine.play.record_table import RESULTS
from demine.scene.board_title import NAMED_BOARDS, board_title
from demine.scene.translation import mark, tr
from demine.store.history import Column, SearchTerm

HEADS: Final[Mapping[Column, str]] = {
    "ended": mark("Ended"),
    "rules": mark("Rules"),
    "result": mark("Result"),
    "time": mark("Time"),
    "bv": mark("3BV"),
    "bv_s": mark("3BV/s"),
    "ioe": mark("IOE"),
    "clicks": mark("Clicks"),
    "acts": mark("Moves"),
    "note": mark("Note"),
}
"""The heads of the columns, message ids, in their order."""
_NAMED: Final = tuple(
    replace(rules, guess_free=free) for rules in NAMED_BOARDS.values() for free in (False, True)
)
"""Rules that have a name, with and without guess-free boards."""


def parse_search_word(word: str) -> SearchTerm:
    """Return a search term for a typed word, with the rules, results and notes it is part of."""
    low = word.lower().replace("×", "x")
    return SearchTerm(
        low,
        tuple(str(rules) for rules in _NAMED if low in board_title(rules).lower()),
        tuple(state for state, name in RESULTS.items() if low in tr(name).lower()),
        tuple(reason for reason, name in UNRANKED_REASONS.items() if low in tr(name).lower()),
    )
