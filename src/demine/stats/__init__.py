"""Numbers about boards and games: folds over a layout or over events.

The package is also the public function of its name: `demine.stats(game)` is
`demine.stats.statistics.stats(game)`.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from demine.logic.game import Game
    from demine.stats.recording import Recording
    from demine.stats.statistics import Statistics


class _Callable(ModuleType):
    """A package and a function under one name: a plain function would hide what is inside."""

    def __call__(self, subject: Game | Recording | ArrayLike, at: int | None = None) -> Statistics:
        from demine.stats.statistics import stats

        return stats(subject, at)


stats = sys.modules[__name__]
"""The package itself, where the front door looks for it."""
stats.__class__ = _Callable
