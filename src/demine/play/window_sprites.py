"""The pictures that a window frame is put together from, as pixels for any toolkit."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from demine.picture.first_frame_raster import RgbImage
from demine.play.window_frame import CellSprite
from demine.scene.face_mood import FaceMood

if TYPE_CHECKING:
    from demine.scene.themes import Theme

Sprite: TypeAlias = CellSprite | FaceMood | str
"""What to draw: a cell, the restart face in a mood, or the digits of a counter."""


def draw_sprite(sprite: Sprite, theme: Theme, size: int) -> RgbImage:
    """Draw a sprite, `size` pixels high."""
    # The first frame is drawn before NumPy is loaded, which these need.
    from demine.picture import board, panel
    from demine.scene.cell_faces import Face
    from demine.scene.cell_highlights import Look

    if isinstance(sprite, CellSprite):
        image = board.tile(theme, Face(sprite.face), Look(sprite.look), size)
        if sprite.sign:
            image = board.blend_over(image, board.cell_marker(theme, sprite.sign, size))
    elif isinstance(sprite, FaceMood):
        image = panel.restart_button_picture(sprite, theme, size, sprite is FaceMood.PRESSED)
    else:
        image = panel.led_display(sprite, theme, size)
    height, width, _ = image.shape
    return RgbImage(image.tobytes(), width, height)


def draw_untouched_sprite(sprite: Sprite, theme: Theme, size: int) -> RgbImage:
    """Draw what an untouched board consists of: without NumPy, and to the same pixels."""
    from demine.picture.first_frame_raster import covered_cells, led_display, restart_button

    if isinstance(sprite, CellSprite):
        return covered_cells(theme, size, 1, 1)
    if isinstance(sprite, FaceMood):
        return restart_button(sprite, theme, size)
    return led_display(sprite, theme, size)
