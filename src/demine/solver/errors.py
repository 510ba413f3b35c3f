"""The errors of the solver."""

from __future__ import annotations

from demine.logic.errors import DemineError


class SceneError(DemineError, ValueError):
    """A malformed scene board or cell, or an argument that the solver cannot use."""


class InconsistentBoard(DemineError, ValueError):
    """A scene board that no layout fits.

    `cell` is the `(row, col)` of a number that cannot be satisfied together with the others, or
    None if the numbers agree and only the mine count is impossible.
    """


class TooComplex(DemineError):
    """A position that takes too many states, or too much work, to be solved exactly."""


class NothingCertain(DemineError):
    """A cell about which nothing can be proven, or a scene board without any certain cell."""


class NothingToOpen(DemineError):
    """A scene board whose safe cells are all open: every covered cell is a mine."""


class NoGuessFreeBoard(DemineError):
    """No guess-free board: it is `proven` that there is none, or the search found none.

    If a search was begun, `params` has its numbers of `tries` (layouts played) and `steps`.
    """

    @property
    def proven(self) -> bool:
        """Whether it is proven that there is none; if not, more steps might find one."""
        return self.params.get("proven") is True


class NeedsGuess(DemineError):
    """A board that exact logic cannot solve, because at some point no cell can be proven safe."""


class Stopped(DemineError):
    """Work that was stopped because its caller asked for it."""
