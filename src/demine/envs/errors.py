"""The errors of the environments."""

from __future__ import annotations

from demine.logic.errors import DemineError


class EnvSettingError(DemineError, ValueError):
    """An environment cannot be made or reset with these settings."""
