"""Text in the window, in a font that covers both of the program's languages."""

from __future__ import annotations

import io
import pkgutil
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import pygame

from demine.scene.board_geometry import Rect
from demine.scene.help_page import page_footer
from demine.scene.text_wrapping import two_columns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from demine.scene.colours import RGB
    from demine.scene.text_wrapping import Row

_FONT: Final = "fonts/NotoSansSC-demine.otf"
_SEPARATOR: Final = " · "
"""Stands between the parts of a line."""
_SMALLEST: Final = 10


class Page:
    """A page of text in a rectangle of the window: rows of a key and what it does."""

    def __init__(self, title: str, rows: Sequence[Row], place: Rect, first_line: int = 0) -> None:
        """Wrap the rows to fit; `first_line` is the index of the first line to show."""
        self.title, self.rows, self._place = title, rows, place
        size = min(max(place.width // 28, 13), 20)
        self._font, self._step = _font(size), size * 3 // 2
        key_room = place.width * 2 // 5 - size
        self._column, self.lines = two_columns(
            rows, place.width, key_room, size, lambda text: self._font.size(text)[0]
        )
        self.room = max(1, place.height // self._step - 3)
        """How many lines fit between the title and the foot."""
        self._first = min(max(first_line, 0), max(0, len(self.lines) - self.room))

    def scrolled(self, lines: int, place: Rect) -> Page:
        """Return the page laid out in `place` and scrolled by that many lines, within its ends."""
        return Page(self.title, self.rows, place, self._first + lines)

    def draw(self, surface: pygame.Surface, colour: RGB, key_colour: RGB) -> None:
        """Draw the title, the visible lines and the foot that says how to close the page."""
        x, y, width, _ = self._place
        draw_centred_line(surface, self.title, colour, Rect(x, y, width, self._step))
        y += self._step // 2
        for key, text in self.lines[self._first : self._first + self.room]:
            y += self._step
            surface.blit(self._font.render(key, True, key_colour), (x, y))
            surface.blit(self._font.render(text, True, colour), (x + self._column, y))
        foot = Rect(x, self._place.bottom - self._step, width, self._step)
        draw_centred_line(
            surface, page_footer(all_shown=len(self.lines) <= self.room), colour, foot
        )


def draw_centred_line(
    surface: pygame.Surface, text: str, colour: RGB, place: Rect, tail: str = "…"
) -> None:
    """Draw one line in the middle of `place`, shrunk or cut to fit; a cut line ends in `tail`."""
    if text:
        drawn = _fitted(text, colour, place.width, place.height, tail)
        x = place.x + (place.width - drawn.get_width()) // 2
        surface.blit(drawn, (x, place.y + (place.height - drawn.get_height()) // 2))


def line_width(text: str, size_px: int) -> int:
    """Return the width of a text in letters of a size, in pixels."""
    return _font(size_px).size(text)[0]


def draw_line(surface: pygame.Surface, text: str, size_px: int, colour: RGB, place: Rect) -> None:
    """Draw a text in letters of a size in the middle of `place`."""
    drawn = _font(size_px).render(text, True, colour)
    surface.blit(drawn, drawn.get_rect(center=pygame.Rect(place).center))


@lru_cache(maxsize=64)
def _fitted(text: str, colour: RGB, width: int, height: int, tail: str) -> pygame.Surface:
    """Return the text as large as fits, cut and ended by the tail if it is too long.

    A line of several parts first drops whole parts from the end, but keeps two.
    """
    while text.count(_SEPARATOR) > 1 and _font(_SMALLEST).size(text)[0] > width:
        text = text.rpartition(_SEPARATOR)[0]
    size = max(_SMALLEST, height * 3 // 4)
    while size > _SMALLEST and _font(size).size(text)[0] > width:
        size -= 1
    font = _font(size)
    if font.size(text)[0] > width:
        while text and font.size(text + tail)[0] > width:
            text = text[:-1]
        text = text.rstrip() + tail
    return font.render(text, True, colour)


@lru_cache(maxsize=64)
def _font(size: int) -> pygame.font.Font:
    return pygame.font.Font(io.BytesIO(pkgutil.get_data("demine.picture", _FONT) or b""), size)
