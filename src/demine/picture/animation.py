"""Pictures of a recorded game: a single frame, or an animation of the whole game."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Final

import numpy as np

from demine.picture.board import draw_request_on
from demine.picture.draw_request import check_picture_size, checked_cell_size, checked_request
from demine.picture.errors import PictureError
from demine.picture.gif_file import GifPalette, GifWriter
from demine.picture.panel import led_display, restart_button_picture
from demine.picture.pointer_trail import (
    draw_trail,
    field_points_to_pixels,
    paste_over,
    pointer_picture,
)
from demine.scene.led_text import led_text as lamps

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from demine.picture.draw_request import Region
    from demine.picture.gif_file import ByteSink
    from demine.scene.overlay import Overlay
    from demine.scene.playback import Playback, Snapshot, Trail
    from demine.scene.themes import Theme

MAX_FRAME: Final = 1 << 22
"""The most pixels that a frame of an animation may have."""
MAX_FRAMES: Final = 4000
"""The most frames of an animation; longer games show fewer frames a second."""
_HUNDREDTHS: Final = 5
"""The shortest time that a frame is shown, in hundredths of a second: 20 frames a second."""
_LAST: Final = 200
"""How long the last frame is shown, in hundredths of a second."""
_SAMPLES: Final = 12
"""How many frames the colours are chosen from."""


class FrameMaker:
    """Draws frames of one size: the panel, the board below it, and the pointer on top.

    Each frame draws only what differs from the frame before.
    """

    def __init__(self, shape: tuple[int, int], theme: Theme, cell_px: int) -> None:
        """Draw boards of a shape (height, width) in cells, with cells of `cell_px` pixels.

        Raises PictureError when the frames would be too large to draw.
        """
        self._theme, self._cell = theme, checked_cell_size(cell_px)
        self._pad, self._edge = max(4, cell_px // 3), max(1, cell_px // 10)
        self._digits = min(max(23, cell_px), 64)
        rows, cols = shape
        lines = self._digits + 2 * self._pad
        # Two displays of three lamps and the face.
        least = 6 * ceil(self._digits * 13 / 23) + self._digits + 4 * self._pad
        wide = max(cols * cell_px + 2 * self._edge, least) + 2 * self._pad
        self.size = (lines + rows * cell_px + 2 * self._edge + self._pad, wide)
        """Height and width of a frame, in pixels."""
        check_picture_size(*self.size)
        self._corner = (lines + self._edge, (wide - cols * cell_px) // 2)
        self._below: NDArray[np.uint8] | None = None
        self._shown: Snapshot | None = None
        self._advice: Overlay | None = None

    def frame(
        self, snapshot: Snapshot, trail: Trail | None = None, advice: Overlay | None = None
    ) -> NDArray[np.uint8]:
        """Draw a moment of the game as a new picture, uint8 (height, width, 3)."""
        below = self._frame_without_pointer(snapshot, advice)
        self._shown, self._advice = snapshot, advice
        return self._with_pointer(below.copy(), snapshot, trail)

    def frame_without_copy(
        self, snapshot: Snapshot, trail: Trail | None = None, advice: Overlay | None = None
    ) -> NDArray[np.uint8]:
        """Draw a moment as `frame` does, in the memory that the next frame would be drawn on.

        The next frame, if there is one, is drawn from scratch.
        """
        below, self._below = self._frame_without_pointer(snapshot, advice), None
        return self._with_pointer(below, snapshot, trail)

    def _with_pointer(
        self, picture: NDArray[np.uint8], snapshot: Snapshot, trail: Trail | None
    ) -> NDArray[np.uint8]:
        """Draw the pointer and its trail on a frame, in place, and return the frame."""
        board = self._board_part(picture, snapshot)
        if trail is not None:
            draw_trail(board, trail, self._theme, self._cell)
        if snapshot.pointer is not None:
            at = field_points_to_pixels(np.array([snapshot.pointer], np.int64), self._cell)[0]
            arrow = pointer_picture(self._theme, self._cell)
            top, left = self._corner
            paste_over(picture, arrow, top + int(at[1]) - 1, left + int(at[0]) - 1)
        return picture

    def _board_part(self, picture: NDArray[np.uint8], snapshot: Snapshot) -> NDArray[np.uint8]:
        top, left = self._corner
        rows, cols = snapshot.faces.shape
        return picture[top : top + rows * self._cell, left : left + cols * self._cell]

    def _frame_without_pointer(
        self, snapshot: Snapshot, advice: Overlay | None
    ) -> NDArray[np.uint8]:
        """Return the frame without the pointer, redrawn where it changed."""
        before = self._shown
        if self._below is None or before is None or advice is not self._advice:
            self._below = self._empty_frame(snapshot)
            self._draw_cells(snapshot, advice, (0, 0, *snapshot.faces.shape))
            self._draw_panel(snapshot)
            return self._below
        differ = (before.faces != snapshot.faces) | (before.looks != snapshot.looks)
        for each in {before.cursor, snapshot.cursor} - {None}:
            if each is not None and before.cursor != snapshot.cursor:
                differ[each] = True
        if differ.any():
            rows, cols = np.flatnonzero(differ.any(axis=1)), np.flatnonzero(differ.any(axis=0))
            region = int(rows[0]), int(cols[0]), int(rows[-1]) + 1, int(cols[-1]) + 1
            self._draw_cells(snapshot, advice, region)
        told = (before.mines_left, before.seconds, before.mood)
        if told != (snapshot.mines_left, snapshot.seconds, snapshot.mood):
            self._draw_panel(snapshot)
        return self._below

    def _empty_frame(self, snapshot: Snapshot) -> NDArray[np.uint8]:
        high, wide = self.size
        rows, cols = snapshot.faces.shape
        picture = np.empty((high, wide, 3), np.uint8)
        picture[:] = self._theme.panel
        (top, left), edge, cell = self._corner, self._edge, self._cell
        field = np.s_[
            top - edge : top + rows * cell + edge, left - edge : left + cols * cell + edge
        ]
        picture[field] = self._theme.edge
        return picture

    def _draw_cells(self, snapshot: Snapshot, advice: Overlay | None, region: Region) -> None:
        if self._below is not None:
            row, col, row_end, col_end = region
            cell = self._cell
            part = self._board_part(self._below, snapshot)
            asked = checked_request(
                snapshot.faces, cell, snapshot.looks, snapshot.cursor, region=region, advice=advice
            )
            spot = part[row * cell : row_end * cell, col * cell : col_end * cell]
            draw_request_on(spot, asked, self._theme)

    def _draw_panel(self, snapshot: Snapshot) -> None:
        """Draw the mines left, the face and the seconds in one row."""
        if self._below is None:
            return
        theme, high, pad = self._theme, self._digits, self._pad
        wide = self.size[1]
        strip = self._below[pad : pad + high]
        strip[:] = theme.panel
        mines = led_display(lamps(snapshot.mines_left), theme, high)
        seconds = led_display(lamps(snapshot.seconds), theme, high)
        face = restart_button_picture(snapshot.mood, theme, high)
        strip[:, pad : pad + mines.shape[1]] = mines
        strip[:, wide - pad - seconds.shape[1] : wide - pad] = seconds
        strip[:, (wide - high) // 2 : (wide - high) // 2 + high] = face


def playback_frame(
    playback: Playback,
    theme: Theme,
    cell_px: int,
    *,
    trail: Trail | None = None,
    advice: Overlay | None = None,
) -> NDArray[np.uint8]:
    """Draw the current moment of a playback, uint8 (height, width, 3).

    Raises PictureError when the picture would be too large.
    """
    return frame_maker(playback, theme, cell_px).frame_without_copy(
        playback.snapshot(), trail, advice
    )


def frame_maker(playback: Playback, theme: Theme, cell_px: int) -> FrameMaker:
    """Return a `FrameMaker` for a game; raises PictureError when its frames would be too large."""
    high, wide = playback.game.rules.shape
    return FrameMaker((high, wide), theme, cell_px)


def frame_maker_within_gif_limit(playback: Playback, theme: Theme, cell_px: int) -> FrameMaker:
    """Return a `FrameMaker` for a game; raises PictureError for frames of over MAX_FRAME pixels."""
    film = frame_maker(playback, theme, cell_px)
    high, wide = film.size
    if high * wide > MAX_FRAME:
        raise PictureError(
            "frames of {wide} x {high} pixels are too large for a GIF ({limit} pixels at most):"
            " choose smaller cells",
            wide=wide,
            high=high,
            limit=MAX_FRAME,
        )
    return film


def write_game_gif(
    playback: Playback,
    sink: ByteSink,
    theme: Theme,
    cell_px: int,
    speed: float = 1.0,
    *,
    progress: Callable[[int, int], bool] | None = None,
) -> bool:
    """Write a whole game as an animated GIF; return False if `progress` stopped it.

    `speed` is how many times faster than the game the animation runs. `progress` is called with the
    number of frames done and of all frames, before each frame; it returns False to stop.
    Raises PictureError when a frame would have more than 4 million pixels.
    """
    film = frame_maker_within_gif_limit(playback, theme, cell_px)
    colours = GifPalette.of_pictures(
        _frames_for_palette(playback, frame_maker(playback, theme, cell_px))
    )
    animation = GifWriter(sink, film.size, colours)
    length = (playback.end - playback.start) / speed / 10
    step = max(_HUNDREDTHS, ceil(length / MAX_FRAMES))
    count = max(1, ceil(length / step)) + 1
    held: NDArray[np.uint8] | None = None
    stood, looked = 0, (-1, -1)
    for number in range(count):
        if progress is not None and not progress(number, count):
            return False
        playback.seek(playback.start + number * step * 10 * speed)
        looks_like = playback.place, max(0, int(playback.ms)) // 1000
        if looks_like != looked:
            if held is not None:
                animation.add_frame(held, stood)
            looked, stood = looks_like, 0
            held = film.frame(playback.snapshot())
        stood += step
    if held is not None:
        animation.add_frame(held, stood + _LAST)
    animation.finish()
    return True


def _frames_for_palette(playback: Playback, frames: FrameMaker) -> Iterator[NDArray[np.uint8]]:
    for at in range(_SAMPLES):
        playback.seek(playback.start + (playback.end - playback.start) * at / (_SAMPLES - 1))
        yield frames.frame(playback.snapshot())
