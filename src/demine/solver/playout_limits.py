"""How long an analysis plays layouts out: the limits that its callers and commands know."""

from __future__ import annotations

from typing import Final

DEFAULT_SECONDS: Final = 5.0
"""How long an analysis takes if neither seconds nor playouts are given."""
MAX_PLAYOUTS: Final = 1_000_000
"""More playouts than this make no visible difference."""
