"""The errors of studies."""

from __future__ import annotations

from demine.logic.errors import DemineError


class StudyError(DemineError, ValueError):
    """A study that cannot be played, saved or resumed; the message says why."""
