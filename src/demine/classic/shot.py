"""What the window shows at one moment, as plain values: equal shots need no drawing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from demine.scene.look import looks

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    from numpy.typing import NDArray

    from demine.classic.stage import Stage
    from demine.scene.geometry import View
    from demine.scene.panel import Panel
    from demine.scene.theme import Theme


@dataclass(frozen=True, slots=True)
class Page:
    """A page of text over the whole window: rows of a key and what it does."""

    title: str
    rows: tuple[tuple[str, str], ...]
    foot: str
    scroll: int = 0
    """How many rows have been scrolled away."""


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """Everything a frame is drawn from; faces and looks are those of the visible cells only."""

    faces: NDArray[np.uint8]
    looks: NDArray[np.uint8]
    cursor: tuple[int, int] | None
    start: tuple[int, int] | None
    panel: Panel
    mine_lamps: int
    """How many digits the mine counter has."""
    line: str
    """The line of words in the panel."""
    tail: str
    """What ends the line when it is cut."""
    theme: Theme
    stage: Stage
    view: View
    page: Page | None

    def same_ground(self, other: Shot) -> bool:
        """Whether nothing moved, so that only changed parts need drawing."""
        return (
            self.theme is other.theme
            and self.stage == other.stage
            and self.view == other.view
            and self.page == other.page
        )


def visible(
    faces: NDArray[np.uint8], view: View, pressed: Iterable[tuple[int, int]]
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return faces and looks of the visible cells of a whole board.

    A look depends on the cells around, so one more row and column is looked at on every side: a
    board of millions of cells costs no more than what is seen of it.
    """
    rows, cols = view.visible()
    top, left = max(0, rows.start - 1), max(0, cols.start - 1)
    around = faces[top : rows.stop + 1, left : cols.stop + 1]
    held = [
        (row - top, col - left)
        for row, col in pressed
        if 0 <= row - top < around.shape[0] and 0 <= col - left < around.shape[1]
    ]
    row, col = rows.start - top, cols.start - left
    part = slice(row, row + len(rows)), slice(col, col + len(cols))
    return around[part], looks(around, held)[part]
