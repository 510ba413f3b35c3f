"""The types of policies that users write.

A policy chooses the cell to open from what a player sees. It is a function, an object that can be
called, or a class of such objects.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import SupportsIndex

    import numpy as np
    from numpy.typing import NDArray

    from demine.logic.rules import Rules
    from demine.solver.player.move import Move


class Policy(Protocol):
    """Chooses the cell to open: any function `policy(scene, rules)` is one.

    `scene` is a new uint8 array `(height, width)` of `demine.Face`: a number from 0 to 8 where a
    cell is open, `Face.COVERED` elsewhere, and `Face.BLOWN` where a mine has cost a life. Flags and
    question marks are not in it. `rules` tell the size and the mines of the board.

    The answer is a covered cell, `(row, col)` counted from 0, or a `demine.Move`. To give the game
    up, a policy raises `demine.NothingCertain`.

    >>> import numpy as np
    >>> import demine
    >>> from numpy.typing import NDArray
    >>> def safest(scene: NDArray[np.uint8], rules: demine.Rules) -> tuple[int, int]:
    ...     chance = demine.mine_probability(scene, rules.mines)
    ...     row, col = np.unravel_index(np.nanargmin(chance), chance.shape)
    ...     return int(row), int(col)
    >>> safest(np.array([[1, 9, 9]], np.uint8), demine.Rules(3, 1, 1))
    (0, 2)
    >>> demine.study("5x5/3", games=10, policy=safest, workers=1).is_complete
    True
    """

    def __call__(
        self, scene: NDArray[np.uint8], rules: Rules, /
    ) -> Move | Sequence[SupportsIndex] | NDArray[np.integer[Any]]:
        """Return the covered cell to open, `(row, col)` or a `Move`."""
        ...


class BatchPolicy(Protocol):
    """Chooses a cell in each of many games at once, as a neural network does best.

    >>> import numpy as np
    >>> import demine
    >>> class TopLeft:
    ...     def choose_batch(self, scenes, rules):
    ...         covered = scenes.reshape(len(scenes), -1) == demine.Face.COVERED
    ...         return np.stack(np.unravel_index(covered.argmax(axis=1), rules.shape), axis=1)
    >>> TopLeft().choose_batch(np.array([[[1, 9]], [[9, 1]]]), demine.Rules(2, 1, 1)).tolist()
    [[0, 1], [0, 0]]
    """

    def choose_batch(
        self, scenes: NDArray[np.uint8], rules: Rules, /
    ) -> NDArray[np.integer[Any]] | Sequence[Sequence[SupportsIndex]]:
        """Return the cell to open on each board, whole numbers of shape `(boards, 2)`.

        `scenes` is a new uint8 array `(boards, height, width)`, each board as in `Policy`. The row
        `(-1, -1)` gives a game up.
        """
        ...


PolicyLike: TypeAlias = str | Policy | BatchPolicy | type[Policy] | type[BatchPolicy]
"""What can be given as a policy.

A name, such as `"safest"` or `"mymodule:choose"`; a `Policy`, a `BatchPolicy`; or a class of
either, which is called without arguments once in each worker.
"""
