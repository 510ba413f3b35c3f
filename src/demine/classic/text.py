"""Text in the window, in a font that covers both of the program's languages."""

from __future__ import annotations

import io
import pkgutil
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import pygame

from demine.scene.board_geometry import Rect
from demine.scene.text_wrapping import fitted_line

if TYPE_CHECKING:
    from demine.scene.colours import RGB
    from demine.scene.window_page import WindowPage

_FONT: Final = "fonts/NotoSansSC-demine.otf"
_SMALLEST: Final = 10


def draw_page(surface: pygame.Surface, page: WindowPage, colour: RGB, key_colour: RGB) -> None:
    """Draw the title, the visible lines and the foot of a page."""
    (x, y, width, _), step, font = page.place, page.step, _font(page.size)
    draw_centred_line(surface, page.title, colour, Rect(x, y, width, step))
    for row, (key, text) in enumerate(page.visible_lines, 1):
        line = y + step // 2 + row * step
        surface.blit(font.render(key, True, key_colour), (x, line))
        surface.blit(font.render(text, True, colour), (x + page.second_column, line))
    draw_centred_line(surface, page.foot, colour, Rect(x, page.place.bottom - step, width, step))


def draw_centred_line(
    surface: pygame.Surface, text: str, colour: RGB, area: Rect, tail: str = "…"
) -> None:
    """Draw one line in the middle of `area`, shrunk or cut to fit; a cut line ends in `tail`."""
    if text:
        drawn = _fitted(text, colour, area.width, area.height, tail)
        x = area.x + (area.width - drawn.get_width()) // 2
        surface.blit(drawn, (x, area.y + (area.height - drawn.get_height()) // 2))


def line_width(text: str, size_px: int) -> int:
    """Return the width of a text in letters of a size, in pixels."""
    return _font(size_px).size(text)[0]


def draw_line(surface: pygame.Surface, text: str, size_px: int, colour: RGB, area: Rect) -> None:
    """Draw a text in letters of a size in the middle of `area`."""
    drawn = _font(size_px).render(text, True, colour)
    surface.blit(drawn, drawn.get_rect(center=pygame.Rect(area).center))


@lru_cache(maxsize=64)
def _fitted(text: str, colour: RGB, width: int, height: int, tail: str) -> pygame.Surface:
    sizes = range(max(_SMALLEST, height * 3 // 4), _SMALLEST - 1, -1)
    said, size = fitted_line(text, width, sizes, tail, line_width)
    return _font(size).render(said, True, colour)


@lru_cache(maxsize=64)
def _font(size: int) -> pygame.font.Font:
    return pygame.font.Font(io.BytesIO(pkgutil.get_data("demine.picture", _FONT) or b""), size)
