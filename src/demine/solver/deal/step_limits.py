"""Limits of a search for a guess-free board, in steps: cells made known and states tried."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from demine.logic.rules import Rules

DEFAULT_STEP_LIMIT: Final = 100_000_000
"""How many steps a search takes at most unless told otherwise: half a minute or more, compiled.
In a survey of boards up to 100x100 none took a tenth of this to be found."""


def first_round_steps(rules: Rules) -> int:
    """Return the steps of the first round of a search: about six seconds of plain Python."""
    return 500_000 + 100 * rules.cells
