"""What the window shows at one moment, as plain values: equal shots need no drawing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from demine.scene.cell_style import looks

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    from numpy.typing import NDArray

    from demine.classic.stage import Stage
    from demine.scene.board_geometry import View
    from demine.scene.overlay import Overlay
    from demine.scene.panel import Panel
    from demine.scene.themes import Theme


@dataclass(frozen=True, slots=True)
class Page:
    """A page of text over the whole window: rows of a key and what it does."""

    title: str
    rows: tuple[tuple[str, str], ...]
    scroll: int = 0
    """How many rows have been scrolled away."""
    daily: bool = False
    """Whether the keys of the levels play their daily boards here."""


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """What a frame is drawn from; faces, looks and advice are those of the visible cells only."""

    faces: NDArray[np.uint8]
    looks: NDArray[np.uint8]
    advice: Overlay
    cursor: tuple[int, int] | None
    start: tuple[int, int] | None
    panel: Panel
    mine_lamps: int
    """How many digits the mine counter has."""
    line: str
    """The line of words in the panel."""
    tail: str
    """What ends the line when it is cut."""
    note: str
    """The words below the board, where the stage has room for them."""
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
    faces: NDArray[np.uint8], view: View, pressed: Iterable[tuple[int, int]], advice: Overlay
) -> tuple[NDArray[np.uint8], NDArray[np.uint8], Overlay]:
    """Return faces, looks and advice of the visible cells of a whole board.

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
    seen = advice.part(rows.start, cols.start, rows.stop, cols.stop)
    return around[part], looks(around, held)[part], seen
