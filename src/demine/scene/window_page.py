"""A page of text over the board of a window: where its lines stand, whatever draws them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.scene.help_page import page_footer
from demine.scene.text_wrapping import two_columns

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from demine.scene.board_geometry import Rect
    from demine.scene.text_wrapping import Row


class WindowPage:
    """Rows of a key and what it does, wrapped into a rectangle; scrolled if they are too many.

    Lengths are pixels. `measure` returns the width of a text in letters of a size.
    """

    def __init__(
        self,
        title: str,
        rows: Sequence[Row],
        area: Rect,
        measure: Callable[[str, int], int],
        first_line: int = 0,
    ) -> None:
        """Wrap the rows to fit; `first_line` is the index of the first line to show."""
        self.title, self.rows, self.place = title, rows, area
        self._measure = measure
        self.size = size = min(max(area.width // 28, 13), 20)
        """The size of letters."""
        self.step = size * 3 // 2
        """From one line to the next."""
        key_room = area.width * 2 // 5 - size
        self.second_column, self.lines = two_columns(
            rows, area.width, key_room, size, lambda text: measure(text, size)
        )
        self.room = max(1, area.height // self.step - 3)
        """How many lines fit between the title and the foot."""
        self._first = min(max(first_line, 0), max(0, len(self.lines) - self.room))

    def scrolled(self, lines: int, area: Rect) -> WindowPage:
        """Return the page laid out in `area` and scrolled by that many lines, within its ends."""
        return WindowPage(self.title, self.rows, area, self._measure, self._first + lines)

    @property
    def visible_lines(self) -> list[Row]:
        """The lines in sight."""
        return self.lines[self._first : self._first + self.room]

    @property
    def foot(self) -> str:
        """The line that says how to close the page."""
        return page_footer(all_shown=len(self.lines) <= self.room)
