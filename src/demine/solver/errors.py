"""Errors of the solver: what can be wrong with a question to it."""

from __future__ import annotations

from demine.logic.errors import DemineError


class SceneError(DemineError, ValueError):
    """A malformed scene board, or a number of mines that no board of that size can have."""


class InconsistentBoard(DemineError, ValueError):
    """A scene board that no layout explains.

    `cell` is the `(row, col)` of a number that cannot be satisfied together with the others, or
    None where the numbers agree and only the mine count is impossible.
    """

    @property
    def cell(self) -> tuple[int, int] | None:
        """The number that cannot be satisfied, or None if the mine count is what fails."""
        row, col = self.params.get("row"), self.params.get("col")
        return (row, col) if isinstance(row, int) and isinstance(col, int) else None


class TooComplex(DemineError):
    """A position that cannot be solved exactly within the budget of states."""


class NothingCertain(DemineError):
    """A cell, or a whole scene board, of which nothing can be proven."""


class NoGuessFreeBoard(DemineError):
    """No guess-free board: it is `proven` that there is none, or the search ended in vain.

    `params` tell, once a search began, how many `tries` (layouts played) and `steps` it took.
    """

    @property
    def proven(self) -> bool:
        """Whether it is certain that there is none; else more steps might find one."""
        return self.params.get("proven") is True


class NeedsGuess(DemineError):
    """A board on which exact logic comes to a point where no safe cell can be proven."""


class Stopped(DemineError):
    """Work that its caller asked to stop."""
