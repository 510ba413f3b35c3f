"""How much a search for a guess-free board does, in steps: cells made known and states tried."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from demine.logic.rules import Rules

DEFAULT_STEP_LIMIT: Final = 100_000_000
"""So many steps a search takes at most, unless told otherwise: half a minute or more, compiled. No
board of a survey up to 100x100 took a tenth of it to be found."""


def first_round_steps(rules: Rules) -> int:
    """Return the steps of the first round of a search: about six seconds of plain Python."""
    return 500_000 + 100 * rules.cells
