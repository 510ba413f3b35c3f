"""The errors of studies."""

from __future__ import annotations

from demine.logic.errors import DemineError


class StudyError(DemineError, ValueError):
    """A study that cannot be played, saved or resumed; the message says why.

    >>> import demine
    >>> demine.study("9x9/10 guess-free", games=1)
    Traceback (most recent call last):
    demine.studies.errors.StudyError: a study cannot use guess-free boards
    """
