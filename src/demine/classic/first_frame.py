"""The window's first frame, shown while NumPy, the records and the game are being loaded.

Whatever the player does meanwhile waits in the event queue.
"""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING

import pygame

from demine.classic.window import screen_size
from demine.play.first_frame import PictureFile, SavedPicture, first_frames
from demine.scene.translation import set_language

if TYPE_CHECKING:
    from demine.classic.frame_painter import Sprite
    from demine.classic.window import Window
    from demine.play.first_frame import UntouchedBoard
    from demine.scene.preferences import StartOptions
    from demine.scene.themes import Theme


def show(window: Window, wishes: StartOptions) -> bool:
    """Open the window with its first frame, if that is known; return whether it is."""
    for frame in first_frames(_file(), wishes):
        try:
            if isinstance(frame, SavedPicture):
                _show_picture(window, frame)
            else:
                _show_board(window, frame)
        except pygame.error:
            continue  # somebody else wrote the picture
        window.present(None)
        return True
    return False


def save(picture: pygame.Surface) -> None:
    """Keep the picture that the next start begins with; call it when the records are closed."""
    png = BytesIO()
    pygame.image.save(picture, png, ".png")
    _file().save(SavedPicture(png.getvalue()))


def _file() -> PictureFile:
    return PictureFile("window", screen_size())


def _show_picture(window: Window, saved: SavedPicture) -> None:
    picture = pygame.image.load(BytesIO(saved.png), ".png")
    window.show(picture.get_size())
    window.surface.blit(picture, (0, 0))


def _show_board(window: Window, board: UntouchedBoard) -> None:
    # The picture of last time needs none of these.
    from demine.classic.frame_painter import CellSprite, Frame, Painter, PanelState, visible_cells
    from demine.classic.layout import Layout
    from demine.scene.cell_face import Face
    from demine.scene.panel_faces_and_digits import FaceMood, led_text

    set_language(board.language)
    layout = Layout.opening(board.rules.shape, board.preferences.cell, screen_size())
    window.show(layout.size)
    mines = board.rules.mines
    counters = led_text(mines, max(3, len(str(mines)))), led_text(0)
    panel = PanelState(*counters, FaceMood.IDLE, board.title)
    cells = dict.fromkeys(visible_cells(layout), CellSprite(Face.COVERED))
    frame = Frame(board.preferences.chosen_theme(), layout, panel, cells)
    Painter(lru_cache(_draw_sprite)).paint(window.surface, frame)


def _draw_sprite(sprite: Sprite, theme: Theme, size: int) -> pygame.Surface:
    """Draw what an untouched board consists of: without NumPy, and to the same pixels."""
    from demine.classic.frame_painter import CellSprite, CounterSprite
    from demine.picture.first_frame_raster import covered_cells, led_display, restart_button

    if isinstance(sprite, CounterSprite):
        image = led_display(sprite.text, theme, size)
    elif isinstance(sprite, CellSprite):
        image = covered_cells(theme, size, 1, 1)
    else:
        image = restart_button(sprite, theme, size)
    return pygame.image.frombuffer(image.pixels, (image.width, image.height), "RGB")
