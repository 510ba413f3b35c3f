"""Limits of a search for a guess-free board, in steps: cells made known plus states tried."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from demine.logic.rules import Rules

DEFAULT_STEP_LIMIT: Final = 100_000_000
"""The default limit: half a minute or more of compiled search. In a survey of boards up to 100x100
no board that was found took a tenth of this."""


def first_round_steps(rules: Rules) -> int:
    """Return how many steps the first round of a search takes: some six seconds uncompiled."""
    return 500_000 + 100 * rules.cells
