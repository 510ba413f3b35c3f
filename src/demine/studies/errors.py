"""What can go wrong with a study."""

from __future__ import annotations

from demine.logic.errors import DemineError


class StudyError(DemineError, ValueError):
    """A study that cannot be played, kept or resumed; the sentence says why."""
