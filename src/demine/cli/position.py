"""A position that a verb works on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from demine.logic.errors import TextError
from demine.scene.seen_position import SeenPosition

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from demine.cli.position_params import Cell
    from demine.logic.rules import Rules

MAX_CELLS: Final = 1 << 16
"""The largest board that is solved here; the worst diagram takes a minute."""


class Position(NamedTuple):
    """A position to work on."""

    rules: Rules
    faces: NDArray[np.uint8]
    """What the player sees, `(height, width)` of `Face`."""
    start: Cell | None = None
    """Where the game must begin, or None for any cell."""
    source: str = ""
    """What its file is called, or where else it is from."""

    def seen(self) -> SeenPosition:
        """Return the position as the solver takes it."""
        return SeenPosition(self.faces, self.rules.mines, self.rules.first, self.start)


def check_size(rules: Rules) -> None:
    """Raise `TextError` for a board that is too large to be solved here."""
    if rules.cells > MAX_CELLS:
        raise TextError(
            "a position has at most {most} cells, not {cells}", most=MAX_CELLS, cells=rules.cells
        )
