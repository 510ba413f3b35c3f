"""What the window shows at one moment, as plain values: equal shots need no drawing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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
    """Everything a frame is drawn from."""

    faces: NDArray[np.uint8]
    looks: NDArray[np.uint8]
    cursor: tuple[int, int] | None
    start: tuple[int, int] | None
    panel: Panel
    line: str
    """The line of words in the panel."""
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
