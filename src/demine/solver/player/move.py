"""A move: the cell to open and its risk."""

from __future__ import annotations

from typing import NamedTuple


class Move(NamedTuple):
    r"""A cell to open, and the probability that it is a mine: exactly 0.0 if it is proven safe.

    >>> import demine
    >>> move = demine.best_move("3x2/1\n1 # #\n1 # #")
    >>> move.row, move.col, move.risk
    (0, 2, 0.0)
    """

    row: int
    col: int
    risk: float
