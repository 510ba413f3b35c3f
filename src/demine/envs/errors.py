"""The errors of the environments."""

from __future__ import annotations

from demine.logic.errors import DemineError


class EnvSettingError(DemineError, ValueError):
    """An environment cannot be made, reset or played with these values."""
