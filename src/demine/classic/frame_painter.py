"""The painter, which draws frames on a surface."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

import pygame

from demine.classic.text import draw_centred_line, draw_line, draw_page, line_width
from demine.play.window_sprites import draw_sprite

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from demine.picture.first_frame_raster import RgbImage
    from demine.play.presence import PauseSign
    from demine.play.window_frame import WindowFrame
    from demine.play.window_sprites import Sprite
    from demine.scene.board_geometry import View
    from demine.scene.themes import Theme
    from demine.scene.window_page import WindowPage

_LETTERS: Final = 14
"""The usual size of letters on the sign of a paused game, in pixels."""


class Painter:
    """Draws frames; of each only what differs from the frame before.

    `draw` draws a sprite; the results are cached.
    """

    def __init__(self, draw: Callable[[Sprite, Theme, int], RgbImage] = draw_sprite) -> None:
        self._draw = lru_cache(maxsize=1024)(lambda *sprite: rgb_surface(draw(*sprite)))
        self._last: tuple[WindowFrame | None, WindowPage | None] = None, None

    def invalidate(self) -> None:
        """Have the next `paint` draw everything, because the screen's contents are lost."""
        self._last = None, None

    def paint(
        self, surface: pygame.Surface, frame: WindowFrame, page: WindowPage | None = None
    ) -> list[pygame.Rect]:
        """Draw a frame, or the page that covers it; return the changed rectangles in pixels."""
        (before, last_page), self._last = self._last, (frame, page)
        if before is None or page is not last_page or frame.needs_full_redraw(before):
            self._paint_all(surface, frame, page)
            return [surface.get_rect()]
        if page is not None:
            return []
        changed = [self._paint_panel(surface, frame)] if frame.panel != before.panel else []
        return changed + self._paint_cells(surface, frame, frame.changed_cells(before))

    def _paint_all(
        self, surface: pygame.Surface, frame: WindowFrame, page: WindowPage | None
    ) -> None:
        theme, layout = frame.theme, frame.layout
        if page is not None:
            surface.fill(theme.panel)
            draw_page(surface, page, theme.panel_text, theme.cursor)
            return
        surface.fill(theme.window)
        surface.fill(theme.panel, layout.panel)
        self._paint_panel(surface, frame)
        surface.fill(theme.edge, layout.board_frame)
        self._paint_cells(surface, frame, frame.cells)
        if frame.pause_sign is not None:
            _paint_pause_sign(surface, frame.pause_sign, layout.view, theme)

    def _paint_panel(self, surface: pygame.Surface, frame: WindowFrame) -> pygame.Rect:
        theme, layout, panel = frame.theme, frame.layout, frame.panel
        row, face = layout.counters, layout.face
        # The border of the board takes the panel's last pixels.
        place = surface.fill(theme.panel, (*layout.panel[:3], layout.panel.height - layout.edge))
        time = self._draw(panel.time, theme, row.height)
        mines = surface.blit(self._draw(panel.mines, theme, row.height), row[:2])
        if mines.right < row.right - time.get_width():
            surface.blit(time, (row.right - time.get_width(), row.y))
        if face.width:
            surface.blit(self._draw(panel.mood, theme, face.width), face)
        draw_centred_line(surface, panel.line, theme.panel_text, layout.line, panel.tail)
        return place

    def _paint_cells(
        self, surface: pygame.Surface, frame: WindowFrame, cells: Iterable[tuple[int, int]]
    ) -> list[pygame.Rect]:
        """Draw some cells and return their rectangles."""
        view, changed = frame.layout.view, []
        surface.set_clip(view.viewport)
        for cell in cells:
            tile = self._draw(frame.cells[cell], frame.theme, view.cell)
            changed.append(surface.blit(tile, view.cell_rect(*cell)[:2]))
        surface.set_clip(None)
        return changed


def _paint_pause_sign(surface: pygame.Surface, sign: PauseSign, view: View, theme: Theme) -> None:
    from demine.picture.pause_card import card_colours, card_picture, pause_card

    card = pause_card(sign, view, _LETTERS, line_width)
    pixels = card_picture(card, theme)
    plate = pygame.image.frombuffer(pixels.tobytes(), card.place[2:], "RGBA")
    surface.blit(plate, card.place[:2])
    ink, on_button = card_colours(theme)
    for part in card.texts:
        colour = on_button if part is card.label else ink
        draw_line(surface, part.text, part.size_px, colour, part.place)


def rgb_surface(image: RgbImage) -> pygame.Surface:
    """Return an image as a surface in the display's format, which is quick to draw."""
    return pygame.image.frombuffer(image.pixels, (image.width, image.height), "RGB").convert()
