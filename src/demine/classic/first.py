"""The first picture of a board that nobody has touched, painted before there is a game.

All of it follows from the rules and the settings: covered cells, full counters, what is played. The
camera, the panel and the words are those of the window that is played in; only the pictures come
from hands that need no arrays, to the same pixel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pygame

from demine.classic import ground
from demine.classic.camera import Camera
from demine.classic.window import screen_size
from demine.classic.words import Words
from demine.picture.cell_background import covered
from demine.picture.raster_stdlib import lamps, paint, tiled
from demine.picture.restart_button import button
from demine.play.titles import titled
from demine.scene.panel_display import Mood, led
from demine.scene.preferences import Preferences, first_language
from demine.scene.translation import set_language

if TYPE_CHECKING:
    from demine.classic.stage import Stage
    from demine.classic.window import Window
    from demine.scene.board_geometry import View
    from demine.scene.preferences import Wishes
    from demine.scene.themes import Theme
    from demine.store.quick_look import Untouched


def show(window: Window, found: Untouched, wishes: Wishes) -> None:
    """Put a window with the first picture on the screen."""
    preferences = Preferences.read(found.settings)
    set_language(first_language(preferences, wishes))
    camera = Camera(window, screen_size())
    camera.show(found.rules.shape, preferences.cell)
    theme, stage, surface = preferences.look(), camera.stage, window.surface
    ground.paint(surface, theme, stage, camera.view)
    _paint_board(surface, theme, camera.view)
    _paint_panel(surface, theme, stage, found.rules.mines)
    title = titled(found.rules, "" if wishes.seed is None else "seed")
    ground.line(surface, Words(), theme, stage, title)
    window.present(None)


def _paint_panel(surface: pygame.Surface, theme: Theme, stage: Stage, mines: int) -> None:
    for number, left in ((mines, True), (0, False)):
        text, high = led(number, max(3, len(str(number)))), stage.lamps.height
        pixels, wide = lamps(text, theme, high)
        ground.lamps(surface, theme, stage, _surface(pixels, wide, high), left=left)
    size = stage.face.width
    behind, shapes = button(Mood.IDLE, theme, size, pressed=False)
    surface.blit(_surface(paint(shapes, size, size, behind), size, size), stage.face)


def _paint_board(surface: pygame.Surface, theme: Theme, view: View) -> None:
    rows, cols = view.visible()
    cell = view.cell
    key = covered(theme, cell)
    pixels = tiled(paint(key.shapes, cell, cell, key.colour), cell, len(rows), len(cols))
    surface.set_clip(view.viewport)
    place = view.rect(rows.start, cols.start)[:2]
    surface.blit(_surface(pixels, len(cols) * cell, len(rows) * cell), place)
    surface.set_clip(None)


def _surface(pixels: bytes, width: int, height: int) -> pygame.Surface:
    return pygame.image.frombuffer(pixels, (width, height), "RGB")
