"""What a picture refuses."""

from __future__ import annotations

from demine.logic.errors import DemineError


class PictureError(DemineError, ValueError):
    """A scene, size or region that cannot be drawn; the sentence says what and why."""
