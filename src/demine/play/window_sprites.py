"""The pictures that make up a window frame, as pixels for any toolkit."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from demine.picture.first_frame_raster import RgbImage
from demine.play.window_frame import CellSprite
from demine.scene.face_mood import FaceMood

if TYPE_CHECKING:
    from demine.scene.themes import Theme

Sprite: TypeAlias = CellSprite | FaceMood | str
"""What to draw: a cell, the restart face in a mood, or the digits of a counter."""


def draw_sprite(sprite: Sprite, theme: Theme, height_px: int) -> RgbImage:
    """Draw a sprite."""
    # The first frame is drawn before NumPy is loaded, which these need.
    from demine.picture import board, panel
    from demine.scene.cell_faces import Face
    from demine.scene.cell_highlights import Look

    if isinstance(sprite, CellSprite):
        image = board.tile(theme, Face(sprite.face), Look(sprite.look), height_px)
        if sprite.sign:
            image = board.blend_over(image, board.cell_marker(theme, sprite.sign, height_px))
    elif isinstance(sprite, FaceMood):
        image = panel.restart_button_picture(sprite, theme, height_px, sprite is FaceMood.PRESSED)
    else:
        image = panel.led_display(sprite, theme, height_px)
    height, width, _ = image.shape
    return RgbImage(image.tobytes(), width, height)


def draw_sprite_without_numpy(sprite: Sprite, theme: Theme, height_px: int) -> RgbImage:
    """Draw a sprite of an untouched board to the same pixels as `draw_sprite`, without NumPy."""
    from demine.picture.first_frame_raster import covered_cells, led_display, restart_button

    if isinstance(sprite, CellSprite):
        return covered_cells(theme, height_px, 1, 1)
    if isinstance(sprite, FaceMood):
        return restart_button(sprite, theme, height_px)
    return led_display(sprite, theme, height_px)
