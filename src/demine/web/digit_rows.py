"""What each cell of a board has, as the server writes it: its face, or whose it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_DIGITS: Final = np.frombuffer(b"0123456789abcdef", np.uint8)


def digit_rows(cells: NDArray[np.uint8]) -> list[str]:
    """Return a hexadecimal digit for each cell, a text for each row."""
    return [row.tobytes().decode("ascii") for row in _DIGITS[cells]]
