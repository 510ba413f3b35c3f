"""Where compiled twins of plain functions are left, for those who have the plain ones.

The floors that hold the plain functions know no compiler. A twin gives the same results, sooner;
tests hold the two together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

TWINS: Final[dict[str, Callable[..., Any]]] = {}
"""By name: `zini`, of `demine.stats.zini`; `chain` and `wom`, of `demine.stats.efficiency`; `hand`,
of `demine.stats.automaton`; `label`, of `demine.stats.ground`; `moves`, of
`demine.replay.rmv_events`."""
