"""What can go wrong with a study."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.logic.errors import DemineError

if TYPE_CHECKING:
    from demine.study.result import Result


class StudyError(DemineError, ValueError):
    """A study that cannot be played, kept or resumed; the sentence says why.

    `result` is what had been played when it ended, None if it had not begun.
    """

    result: Result | None = None
