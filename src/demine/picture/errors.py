"""The error of this package."""

from __future__ import annotations

from demine.logic.errors import DemineError


class PictureError(DemineError, ValueError):
    """A scene, size or region that cannot be drawn; the message says what and why."""
