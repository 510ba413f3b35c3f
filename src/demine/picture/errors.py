"""The error for what cannot be drawn."""

from __future__ import annotations

from demine.logic.errors import DemineError


class PictureError(DemineError, ValueError):
    """A scene, size or region that cannot be drawn; the sentence says what and why."""
