"""The window's first frame, shown while the rest is being loaded.

Whatever the player does meanwhile waits in the event queue.
"""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

import pygame

from demine.classic import ground
from demine.classic.window import screen_size
from demine.play.first_frame import PictureFile, SavedPicture, first_frames
from demine.scene.translation import set_language

if TYPE_CHECKING:
    from demine.classic.window import Window
    from demine.picture.raster_stdlib import RgbImage
    from demine.play.first_frame import UntouchedBoard
    from demine.scene.preferences import Wishes


def show(window: Window, wishes: Wishes) -> bool:
    """Open the window with its first frame, if that is known; return whether it is."""
    for frame in first_frames(_file(), wishes):
        try:
            if isinstance(frame, SavedPicture):
                _paint_picture(window, frame)
            else:
                _paint_board(window, frame)
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


def _paint_picture(window: Window, saved: SavedPicture) -> None:
    picture = pygame.image.load(BytesIO(saved.png), ".png")
    window.show(picture.get_size())
    window.surface.blit(picture, (0, 0))


def _paint_board(window: Window, board: UntouchedBoard) -> None:
    # The picture of last time needs none of these.
    from demine.classic.camera import Camera
    from demine.classic.words import Words
    from demine.picture.raster_stdlib import covered_cells, led, restart
    from demine.scene.panel_display import Mood
    from demine.scene.panel_display import led as digits

    set_language(board.language)
    camera = Camera(window, screen_size())
    camera.show(board.rules.shape, board.preferences.cell)
    theme, stage, view = board.preferences.look(), camera.stage, camera.view
    surface = window.surface
    ground.paint(surface, theme, stage, view)
    rows, cols = view.visible()
    surface.set_clip(view.viewport)
    cells = covered_cells(theme, view.cell, len(rows), len(cols))
    surface.blit(_surface(cells), view.rect(rows.start, cols.start)[:2])
    surface.set_clip(None)
    for number, left in ((board.rules.mines, True), (0, False)):
        text = digits(number, max(3, len(str(number))))
        shown = _surface(led(text, theme, stage.lamps.height))
        ground.lamps(surface, theme, stage, shown, left=left)
    surface.blit(_surface(restart(Mood.IDLE, theme, stage.face.width)), stage.face)
    ground.line(surface, Words(), theme, stage, board.title)


def _surface(image: RgbImage) -> pygame.Surface:
    return pygame.image.frombuffer(image.pixels, (image.width, image.height), "RGB")
