"""Where everything stands in the window: panel above, then the board, then words if there are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from demine.scene.board_geometry import LEAST_PANNED, Rect

_MIN_UNIT, _MAX_UNIT = 16, 44
_WIDTH_UNITS: Final = 9
"""How many units wide the panel is at least: two counters and the face."""
_LEAST_UNIT: Final = 6
_LEAST_LETTER: Final = 12
_COLUMN: Final = 60
"""How many letters' heights wide words below the board stand: longer lines are hard to follow."""


@dataclass(frozen=True, slots=True)
class Stage:
    """The rectangles of a window of one size; the panel grows with the cells, within reason."""

    width: int
    height: int
    unit: int
    """The panel's measure in pixels: about a cell."""
    note_height: int = 0
    """Height in pixels of the strip for words below the board."""

    @classmethod
    def of(cls, size: tuple[int, int], cell: int) -> Stage:
        """Return the stage of a window of `size` pixels with cells of `cell` pixels.

        In a narrow window the panel shrinks until it fits.
        """
        unit = panel_unit(cell)
        while unit > _LEAST_UNIT and _WIDTH_UNITS * unit + 2 * cls(*size, unit).margin > size[0]:
            unit -= 1
        return cls(*size, unit)

    @property
    def edge(self) -> int:
        """Width of the line around the board."""
        return max(3, self.unit // 8)

    @property
    def margin(self) -> int:
        """Space around the panel's parts and around the board."""
        return self.edge + max(3, self.unit // 4)

    @property
    def panel(self) -> Rect:
        """The whole panel."""
        return Rect(0, 0, self.width, panel_height(self.unit))

    @property
    def lamps(self) -> Rect:
        """The row with the mine counter, the face and the time."""
        return Rect(self.margin, self.margin, self.width - 2 * self.margin, self._lamp_height)

    @property
    def _lamp_height(self) -> int:
        return self.unit * 3 // 2

    @property
    def face(self) -> Rect:
        """The restart face."""
        size = self._lamp_height
        return Rect((self.width - size) // 2, self.margin, size, size)

    @property
    def line(self) -> Rect:
        """The line of words."""
        top = self.lamps.bottom + max(2, self.unit // 8)
        return Rect(self.margin, top, self.width - 2 * self.margin, line_height(self.unit))

    @property
    def viewport(self) -> Rect:
        """Where the board may be drawn, its edge included."""
        top = self.panel.bottom
        side = self.margin
        bottom = self.note.y - self.margin
        return Rect(side, top, max(1, self.width - 2 * side), max(1, bottom - top))

    @property
    def note(self) -> Rect:
        """The strip for words below the board, at the bottom of the window."""
        return Rect(0, self.height - self.note_height, self.width, self.note_height)

    @property
    def note_text(self) -> Rect:
        """Where the words stand in their strip."""
        strip, pad = self.note, self.note_pad
        wide = max(1, min(self.width - 2 * self.margin, _COLUMN * self.note_size))
        return Rect((self.width - wide) // 2, strip.y + pad, wide, strip.height - 2 * pad)

    @property
    def note_pad(self) -> int:
        """Space above and below the words in their strip."""
        return max(3, self.unit // 5)

    @property
    def note_size(self) -> int:
        """Size of the letters of the words below the board: larger where they have room."""
        small = max(_LEAST_LETTER, self.unit * 9 // 20)
        return max(small, min(self.width // 56, self.unit * 11 // 20))

    @property
    def page(self) -> Rect:
        """Where a page of text stands."""
        pad = self.margin
        return Rect(pad, pad, self.width - 2 * pad, self.height - 2 * pad)


def panel_unit(cell: int) -> int:
    """Return the panel's measure for a cell size."""
    return min(max(cell, _MIN_UNIT), _MAX_UNIT)


def line_height(unit: int) -> int:
    """Return the height of the line of words."""
    return max(16, unit * 4 // 5)


def panel_height(unit: int) -> int:
    """Return the height of the panel."""
    stage = Stage(0, 0, unit)
    return stage.line.bottom + max(2, unit // 8) + stage.edge


def window_size(shape: tuple[int, int], cell: int) -> tuple[int, int]:
    """Return the window that shows a whole board of `(height, width)` cells, in pixels."""
    rows, cols = shape
    unit = panel_unit(cell)
    margin = Stage(0, 0, unit).margin
    width = max(cols * cell, _WIDTH_UNITS * unit) + 2 * margin
    return width, panel_height(unit) + rows * cell + margin


def fitting_cell(shape: tuple[int, int], screen: tuple[int, int]) -> int:
    """Return a comfortable cell size for a board on a screen of `(width, height)` pixels.

    Comfortable is a thirty-fourth of the screen's height; smaller when the board needs it, but not
    below 16 pixels, where panning serves better than squinting.
    """
    room = screen[0] * 94 // 100, screen[1] * 84 // 100  # what task bars and title bars leave
    cell = min(max(screen[1] // 34, 20), 64)
    while cell > LEAST_PANNED and not _within(window_size(shape, cell), room):
        cell -= 1
    return cell


def first_size(shape: tuple[int, int], cell: int, screen: tuple[int, int]) -> tuple[int, int]:
    """Return the window to open for a board: all of it, or as much as the screen has room for."""
    wanted = window_size(shape, cell)
    room = screen[0] * 94 // 100, screen[1] * 84 // 100
    return min(wanted[0], room[0]), min(wanted[1], room[1])


def _within(size: tuple[int, int], room: tuple[int, int]) -> bool:
    return size[0] <= room[0] and size[1] <= room[1]
