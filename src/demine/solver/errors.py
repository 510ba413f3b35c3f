"""The errors of the solver."""

from __future__ import annotations

from typing import Final

from demine.logic.errors import DemineError
from demine.scene.translation import mark

TOO_MANY_STATES: Final = mark("this position is too complex: it has more than {states} states")
"""What `TooComplex` says where states are counted."""


class SceneError(DemineError, ValueError):
    """A malformed scene board or cell, or an argument that the solver cannot use.

    >>> import demine
    >>> demine.hint([[1, 42]], 1)
    Traceback (most recent call last):
    demine.solver.errors.SceneError: row 1, column 2 holds 42, which is not a face
    """


class InconsistentBoard(DemineError, ValueError):
    r"""A scene board that no layout fits.

    `cell` is the `(row, col)` of a number that cannot be satisfied together with the others, or
    None if the numbers agree and only the mine count is impossible.

    >>> import demine
    >>> demine.mine_probability("2x1/1\n3 #")
    Traceback (most recent call last):
    demine.solver.errors.InconsistentBoard: the 3 at row 1, column 1 cannot be satisfied
    """


class TooComplex(DemineError):
    r"""A position that takes too many states, or too much work, to be solved exactly.

    >>> import demine
    >>> demine.count_layouts("4x2/2\n# # # #\n1 2 2 1", states=1)
    Traceback (most recent call last):
    demine.solver.errors.TooComplex: this position is too complex: it has more than 1 states
    """


class NothingCertain(DemineError):
    r"""A cell about which nothing can be proven, or a scene board without any certain cell.

    >>> import demine
    >>> demine.explain("3x1/1\n# 1 #")
    Traceback (most recent call last):
    demine.solver.errors.NothingCertain: no covered cell is certain
    """


class NothingToOpen(DemineError):
    r"""A scene board whose safe cells are all open: every covered cell is a mine.

    >>> import demine
    >>> demine.hint("2x1/1\n1 #")
    Traceback (most recent call last):
    demine.solver.errors.NothingToOpen: every safe cell is open
    """


class NoGuessFreeBoard(DemineError):
    """No guess-free board: it is `proven` that there is none, or the search found none.

    If a search was begun, `params` has its numbers of `tries` (layouts played) and `steps`.

    >>> import demine
    >>> try:
    ...     mine_map = demine.make("2x2/2 first=safe", 0, (0, 0), guess_free=True)
    ... except demine.NoGuessFreeBoard as error:
    ...     print(error.proven)
    True
    """

    @property
    def proven(self) -> bool:
        """Whether it is proven that there is none; if not, more steps might find one."""
        return self.params.get("proven") is True


class NeedsGuess(DemineError):
    """A board that exact logic cannot solve, because at some point no cell can be proven safe.

    >>> import demine
    >>> demine.rate([[0, 0, 0, 1], [0, 0, 1, 0]], (0, 0))
    Traceback (most recent call last):
    demine.solver.errors.NeedsGuess: this board needs a guess when 2 safe cells are left
    """


class Stopped(DemineError):
    """Work that was stopped because its caller asked for it."""
