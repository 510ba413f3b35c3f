"""The error of this package."""

from __future__ import annotations

from demine.logic.errors import DemineError


class PictureError(DemineError, ValueError):
    """A scene, size or region that cannot be drawn; the message says what and why.

    >>> import demine
    >>> game = demine.Game("9x9/10", seed=7)
    >>> demine.show(game).save("board.bmp")
    Traceback (most recent call last):
    demine.picture.errors.PictureError: pictures are saved as .svg or .png, not as 'board.bmp'
    """
