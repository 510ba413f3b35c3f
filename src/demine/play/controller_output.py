"""What the controller puts out: a frame of the moment, and what changed since the last one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from demine.scene.status_message import status_line

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from demine.play.presence import PauseSign
    from demine.scene.mouse_automaton import Cell
    from demine.scene.overlay import Overlay
    from demine.scene.panel import Panel


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """Everything that a picture of the moment shows. Cells are (row, col)."""

    faces: NDArray[np.uint8]
    """`Face` of each cell, uint8 (height, width)."""
    looks: NDArray[np.uint8]
    """`Look` of each cell, uint8 (height, width)."""
    cursor: Cell | None
    """The keyboard's cursor; None while it is hidden."""
    prescribed_start: Cell | None
    """The prescribed first cell of a board that has not begun, else None."""
    overlay: Overlay | None
    """What hints mark; None if nothing."""
    panel: Panel
    mine_digits: int
    """How many digits the mine counter needs."""
    end: str
    """How the game ended, or that it is paused; empty while it runs."""
    result_text: str
    """What the end means, or how to go on."""
    news: str
    """What just happened, in words; empty if nothing."""
    news_is_trouble: bool
    """Whether the news is an error."""
    title: str
    """What is being played, with its difficulty once that is known."""
    short_title: str
    """What is being played, without its difficulty."""
    hint: str
    """What hints say, as a sentence; empty if nothing."""
    pause_sign: PauseSign | None
    """What stands on the covered board of a paused game; None while it is uncovered."""

    def line(self, fallback_news: str = "", title: str | None = None) -> str:
        """Return the panel's status line.

        `fallback_news` is shown if there are no news, `title` instead of the frame's title.
        """
        shown = self.title if title is None else title
        return status_line(self.end, self.result_text, self.news or fallback_news, shown)


@dataclass(slots=True)
class Changes:
    """What may look different from the last frame."""

    faces: bool = False
    """The faces of some cells, and with them the panel and the cells held down."""
    held: bool = False
    """The cells held down, the cursor or the restart face."""
    cursor: bool = False
    """The cursor moved to a cell, which should be brought into view."""
    panel: bool = False
    """The panel's values."""
    words: bool = False
    """The status line, or the time at which the picture changes by itself."""
    game: bool = False
    """Another game began, perhaps of another shape."""
    hints: bool = False
    """The text or marks of hints, which should be brought into view."""
    preferences: bool = False
    """The player's preferences."""
