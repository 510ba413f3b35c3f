"""Motion of the board in a window: when it begins, its timer, and its painting."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from time import perf_counter
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QRect, QRectF, Qt, QTimer
from PySide6.QtGui import QImage, QPainter

from demine.desktop.board.qt_board_painting import to_qimage
from demine.logic.game import Status
from demine.picture.board import flag_symbol
from demine.scene.cell_faces import Face
from demine.scene.motion import MOST_CELLS, Motion, MotionFrame
from demine.scene.sight import last_acted_cell

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray
    from PySide6.QtCore import QObject

    from demine.desktop.board.qt_board_painting import BoardSnapshot
    from demine.game import Game
    from demine.scene.board_geometry import Rect, View
    from demine.scene.colours import RGB
    from demine.scene.themes import Theme

_FRAME_MS: Final = 16
_FLAG: Final = int(Face.FLAG)
_PLAYED: Final = (Status.READY, Status.RUNNING)
"""The statuses in which an act can be followed by motion; after a pause there was none."""


class BoardMotion:
    """Follows the acts of a game and says what is on the glass; at rest it costs nothing."""

    def __init__(self, parent: QObject, game: Game, frame_due: Callable[[], None]) -> None:
        """Begin at rest; `frame_due` is called for every frame, until all is at rest again."""
        self._frame_due = frame_due
        self._game, self._status = game, game.status
        self._view: View | None = None
        self._motion: Motion | None = None
        self.is_running = False
        """Whether anything moves; an attribute, because every click asks."""
        self._frame_ms = 0.0
        self.timer = QTimer(parent)
        self.timer.setTimerType(Qt.TimerType.PreciseTimer)
        self.timer.setInterval(_FRAME_MS)
        self.timer.timeout.connect(self.show_next_frame)
        self.clock_ms: Callable[[], float] = _now_ms

    def animate_change(
        self,
        game: Game,
        before: NDArray[np.uint8],
        faces: NDArray[np.uint8],
        view: View,
        *,
        on: bool,
    ) -> None:
        """Begin the motion of what changed from the faces `before`, if it is `on`."""
        same, status = self._game is game, self._status
        self._game, self._status = game, game.status
        if not (same and on and status in _PLAYED) or game.status is Status.PAUSED:
            self.finish()
            return
        part = _visible_part(view)
        here, there = faces[part], before[part]
        changed = here != there
        count = np.count_nonzero(changed)
        flagged = count == 1 and here[changed][0] == _FLAG
        if not game.status.over and count < 2 and not flagged:
            return
        if self._view is not view:
            self.finish()
        origin = last_acted_cell(game)
        if origin is None or here.size > MOST_CELLS:
            return
        self._frame_ms = self.clock_ms()
        motion = self._motion or Motion(here.shape)
        at = origin[0] - part[0].start, origin[1] - part[1].start
        motion.animate_change(there, here, at, game.status, self._frame_ms)
        if motion.ends_at > self._frame_ms:
            self._motion, self._view = motion, view
            self.is_running = True
            self.timer.start()

    def displayed_snapshot(self, truth: BoardSnapshot) -> BoardSnapshot:
        """Return what is shown at the moment of the last frame; at rest that is the truth."""
        if self._motion is None or self._view is None:
            return truth
        part = _visible_part(self._view)
        moving = self._motion.frame(truth.faces[part], self._frame_ms)
        faces = truth.faces.copy()
        faces[part] = moving.faces
        return replace(truth, faces=faces, moving=moving)

    def finish(self) -> None:
        """End all motion at once."""
        if self._motion is not None:
            self._motion = self._view = None
            self.is_running = False
            self.timer.stop()

    def show_next_frame(self) -> None:
        """Show what is on the glass by now; at the end that is the truth, and the timer stops."""
        self._frame_ms = self.clock_ms()
        if self._motion is not None and self._frame_ms >= self._motion.ends_at:
            self.finish()
        self._frame_due()


def paint_motion(
    painter: QPainter, frame: MotionFrame, view: View, theme: Theme, inside: Rect
) -> None:
    """Paint veils, light and landing flags over the cells inside a rectangle of device pixels."""
    rows, cols = view.visible_rows_and_cols()
    target = QRect(
        view.left + cols.start * view.cell,
        view.top + rows.start * view.cell,
        len(cols) * view.cell,
        len(rows) * view.cell,
    )
    painter.save()
    painter.setClipRect(QRect(*inside))
    for opacity, colour in ((frame.veil, theme.covered), (frame.light, theme.smiley)):
        if opacity.any():
            painter.drawImage(target, _cells_of_one_colour(opacity, colour))
    if frame.landing:
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        flag = _flag_image(theme, view.cell)
        for (row, col), height in frame.landing.items():
            place = view.cell_rect(rows.start + row, cols.start + col)
            # Beyond its cell nobody would paint over it when it has landed.
            painter.setClipRect(QRect(*place.intersection(inside)))
            side = view.cell * (1 + 0.2 * height)
            x = place.x + (view.cell - side) / 2
            y = place.y + (view.cell - side) / 2 - 0.14 * height * view.cell
            painter.drawImage(QRectF(x, y, side, side), flag)
    painter.restore()


def _visible_part(view: View) -> tuple[slice, slice]:
    rows, cols = view.visible_rows_and_cols()
    return slice(rows.start, rows.stop), slice(cols.start, cols.stop)


def _cells_of_one_colour(opacity: NDArray[np.uint8], colour: RGB) -> QImage:
    """Return an image with one pixel for each cell."""
    pixels = np.empty((*opacity.shape, 4), np.uint8)
    pixels[:, :, :3] = colour
    pixels[:, :, 3] = opacity
    return to_qimage(pixels)


@lru_cache(maxsize=2)
def _flag_image(theme: Theme, cell: int) -> QImage:
    return to_qimage(flag_symbol(theme, cell))


def _now_ms() -> float:
    return perf_counter() * 1000
