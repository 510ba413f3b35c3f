"""The numbers of the policies: by these the kernels know them."""

from __future__ import annotations

from typing import Final

LOGIC: Final = 0
SAFEST: Final = 1
FAST: Final = 2
STRONG: Final = 3
BEST: Final = 4
DEEP: Final = 5
