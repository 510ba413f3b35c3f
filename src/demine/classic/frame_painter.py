"""Frames, which say all that the window shows, and the painter that brings them to a surface."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

import pygame

from demine.classic.text import Page, draw_line, draw_page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import numpy as np
    from numpy.typing import NDArray

    from demine.classic.layout import Layout
    from demine.scene.panel_faces_and_digits import FaceMood
    from demine.scene.themes import Theme

Cell = tuple[int, int]


class Sign(StrEnum):
    """What is laid over a cell."""

    NONE = ""
    START = "start"
    CURSOR = "cursor"


class CellSprite(NamedTuple):
    """How a cell looks: its `Face`, its `Look` and the sign over it."""

    face: int
    look: int = 0
    sign: Sign = Sign.NONE


class CounterSprite(NamedTuple):
    """The digits of a counter."""

    text: str


Sprite: TypeAlias = "CellSprite | CounterSprite | FaceMood"
"""A picture to draw; the restart face by its mood."""


class PanelState(NamedTuple):
    """What stands above the board."""

    mines: str
    time: str
    mood: FaceMood
    line: str
    tail: str = "…"
    """What ends the line of words where it is cut."""


class Frame(NamedTuple):
    """All that the window shows at one moment."""

    theme: Theme
    layout: Layout
    panel: PanelState
    cells: dict[Cell, CellSprite]
    """How each visible cell looks."""
    page: Page | None = None
    """A page of text that covers everything else."""


@lru_cache(maxsize=1024)
def draw_sprite(sprite: Sprite, theme: Theme, size: int) -> pygame.Surface:
    """Draw a sprite, `size` pixels high."""
    # The first frame is drawn before NumPy is loaded, which these need.
    from demine.picture import board, panel
    from demine.scene.cell_face import Face
    from demine.scene.cell_highlight import Look

    if isinstance(sprite, CounterSprite):
        return pixel_surface(panel.led_display(sprite.text, theme, size)).convert()
    if not isinstance(sprite, CellSprite):
        return pixel_surface(
            panel.restart_button_picture(sprite, theme, size, sprite == "pressed")
        ).convert()
    tile = pixel_surface(board.tile(theme, Face(sprite.face), Look(sprite.look), size)).convert()
    if sprite.sign:
        tile.blit(pixel_surface(board.cell_marker(theme, sprite.sign.value, size)), (0, 0))
    return tile


class Painter:
    """Draws frames, and of each only what differs from the frame before."""

    def __init__(self, sprite: Callable[[Sprite, Theme, int], pygame.Surface]) -> None:
        self._sprite = sprite
        self._last: Frame | None = None

    def forget(self) -> None:
        """Draw everything next time: what was on the screen is lost."""
        self._last = None

    def paint(self, surface: pygame.Surface, frame: Frame) -> list[pygame.Rect] | None:
        """Bring a frame to the surface; return the changed rectangles, or None for all of it."""
        last, self._last = self._last, frame
        theme, layout, page = frame.theme, frame.layout, frame.page
        if last is not None and (last.theme, last.layout, last.page) == (theme, layout, page):
            if page is not None:
                return []
            changed = [self._paint_panel(surface, frame)] if frame.panel != last.panel else []
            cells = [cell for cell, style in frame.cells.items() if last.cells.get(cell) != style]
            return changed + self._paint_cells(surface, frame, cells)
        if page is not None:
            surface.fill(theme.panel)
            draw_page(surface, page, theme.panel_text, theme.cursor, layout.page)
            return None
        surface.fill(theme.window)
        surface.fill(theme.panel, layout.panel)
        self._paint_panel(surface, frame)
        surface.fill(theme.edge, layout.frame)
        self._paint_cells(surface, frame, frame.cells)
        return None

    def _paint_panel(self, surface: pygame.Surface, frame: Frame) -> pygame.Rect:
        theme, layout, panel = frame.theme, frame.layout, frame.panel
        row, face = layout.counters, layout.face
        # The line around the board stands in the panel's last pixels.
        place = surface.fill(theme.panel, (*layout.panel[:3], layout.panel.height - layout.edge))
        time = self._sprite(CounterSprite(panel.time), theme, row.height)
        surface.blit(self._sprite(CounterSprite(panel.mines), theme, row.height), row[:2])
        surface.blit(time, (row.right - time.get_width(), row.y))
        surface.blit(self._sprite(panel.mood, theme, face.width), face)
        draw_line(surface, panel.line, theme.panel_text, layout.line, panel.tail)
        return place

    def _paint_cells(
        self, surface: pygame.Surface, frame: Frame, cells: Iterable[Cell]
    ) -> list[pygame.Rect]:
        """Draw some cells and return their rectangles."""
        view, changed = frame.layout.view, []
        surface.set_clip(view.viewport)
        for cell in cells:
            tile = self._sprite(frame.cells[cell], frame.theme, view.cell)
            changed.append(surface.blit(tile, view.cell_rect(*cell)[:2]))
        surface.set_clip(None)
        return changed


def visible_cells(layout: Layout) -> list[Cell]:
    """Return the cells that are at least partly seen, row by row."""
    return list(product(*layout.view.visible_rows_and_cols()))


def pixel_surface(pixels: NDArray[np.uint8]) -> pygame.Surface:
    """Return a picture, uint8 `(height, width, 3 or 4)`, as a surface."""
    height, width, channels = pixels.shape
    kind: Literal["RGBA", "RGB"] = "RGBA" if channels == 4 else "RGB"
    return pygame.image.frombuffer(pixels.tobytes(), (width, height), kind)
