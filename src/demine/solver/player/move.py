"""A move: the cell to open and its risk."""

from __future__ import annotations

from typing import NamedTuple


class Move(NamedTuple):
    """A cell to open, and the probability that it is a mine: exactly 0.0 if it is proven safe."""

    row: int
    col: int
    risk: float
