"""Studies: games by the hundred thousand, played by a policy, counted and compared.

The package is also the public function of its name: `demine.study("expert", games=1000)` is
`demine.study.conduct.study(...)`.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from demine.logic.rules import Rules
    from demine.study.result import Result


class _Callable(ModuleType):
    """A package and a function under one name: a plain function would hide what is inside."""

    def __call__(self, rules: Rules | str, **options: Any) -> Result:  # noqa: ANN401
        """Play many games and return what they came to; see `demine.study.conduct.study`."""
        from demine.study.conduct import study as conducted

        return conducted(rules, **options)


study = sys.modules[__name__]
"""The package itself, where the front door looks for it."""
study.__class__ = _Callable
