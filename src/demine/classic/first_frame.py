"""The window's first frame, shown while NumPy, the records and the game are being loaded.

Input that arrives meanwhile waits in the event queue.
"""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

import pygame

from demine.classic.window import screen_size
from demine.play.first_frame import PictureFile, SavedPicture, first_frame_candidates
from demine.scene.translation import set_language

if TYPE_CHECKING:
    from demine.classic.window import Window
    from demine.play.first_frame import UntouchedBoard
    from demine.scene.preferences import StartOptions


def show(window: Window, options: StartOptions) -> bool:
    """Open the window with its first frame; return False if that frame is not known yet."""
    for frame in first_frame_candidates(PictureFile("window", screen_size()), options):
        try:
            if isinstance(frame, SavedPicture):
                picture = pygame.image.load(BytesIO(frame.png), ".png")
                window.show(picture.get_size())
                window.surface.blit(picture, (0, 0))
            else:
                _show_board(window, frame)
        except pygame.error:
            continue  # not a picture that demine wrote
        pygame.display.flip()
        return True
    return False


def save_for_next_start(picture: pygame.Surface) -> None:
    """Save the picture that the next start shows first; call it once the records are closed."""
    png = BytesIO()
    pygame.image.save(picture, png, ".png")
    PictureFile("window", screen_size()).save(SavedPicture(png.getvalue()))


def _show_board(window: Window, board: UntouchedBoard) -> None:
    # A saved picture needs none of these.
    from demine.classic.frame_painter import Painter
    from demine.play.window_frame import WindowFrame
    from demine.play.window_sprites import draw_sprite_without_numpy
    from demine.scene.window_layout import Layout

    set_language(board.start_language)
    layout = Layout.for_new_window(board.rules.shape, board.preferences.cell, screen_size())
    window.show(layout.size)
    frame = WindowFrame.of_untouched(board, layout)
    Painter(draw_sprite_without_numpy).paint(window.surface, frame)
