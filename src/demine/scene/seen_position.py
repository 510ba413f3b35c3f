"""The position of a game as its player sees it: all that the solver may be asked about."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from demine.logic.rules import First


class SeenPosition(NamedTuple):
    """A scene board, uint8 `(height, width)` of `Face`, and what its player knows beside it.

    `mines` is the mine count of the board, `first` what the rules promise for the first cell, and
    `start` the cell where the game must begin, `(row, col)`, or None for any.
    """

    scene: NDArray[np.uint8]
    mines: int
    first: First
    start: tuple[int, int] | None


@runtime_checkable
class HasPosition(Protocol):
    """What can tell its position, as `demine.Game` can; the solver takes it for a scene board."""

    def seen_position(self) -> SeenPosition:
        """Return the position as its player sees it now."""
        ...
