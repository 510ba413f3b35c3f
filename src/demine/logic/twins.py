"""Where compiled twins of plain functions are left, for those who have the plain ones.

The floors that hold the plain functions know no compiler. A twin gives the same results, sooner;
tests hold the two together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

TWINS: Final[dict[str, Callable[..., Any]]] = {}
"""By name: `zini`, of `demine.statistics.zini`; `chain` and `wom`, of
`demine.statistics.efficiency`; `hand`, of `demine.statistics.automaton`; `label`, of
`demine.statistics.layout_features`; `moves`, of `demine.replay.formats.rmv.events`."""
