"""The position of a game as its player sees it: all that the solver may be asked about."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

from demine.logic.errors import NotAGame, TextError, looks_like_path

if TYPE_CHECKING:
    from typing import Self, SupportsIndex

    import numpy as np
    from numpy.typing import NDArray

    from demine.logic.rules import First


class SeenPosition(NamedTuple):
    """A scene board, uint8 `(height, width)` of `Face`, and what its player knows beside it.

    `mines` is the mine count of the board, `first` what the rules promise for the first cell, and
    `start` the cell where the game must begin, `(row, col)`, or None for any. `str` of a position
    is its diagram, which `parse` reads.

    >>> import demine
    >>> position = demine.Game("3x1/1").seen_position()
    >>> position.mines, position.scene.tolist()
    (1, [[9, 9, 9]])
    """

    scene: NDArray[np.uint8]
    mines: int
    first: First
    start: tuple[int, int] | None

    @classmethod
    def parse(cls, text: str, mines: SupportsIndex | None = None) -> Self:
        r"""Return the position in a diagram, also as other programs and people write it.

        The first line is the rules, `9x9/10`, unless `mines` is given, which counts more; which
        forms are known is told by `demine.scene.pasted_diagram`. Raises `RulesError` for impossible
        rules and `TextError` with the row and the column, counted from 1, of what is no cell.

        >>> import demine
        >>> demine.SeenPosition.parse("3x2/1\n1 # #\n1 # #").scene.tolist()
        [[1, 9, 9], [1, 9, 9]]
        """
        from demine.scene.pasted_diagram import parse_pasted

        rules, scene = parse_pasted(text, mines)
        return cls(scene, rules.mines, rules.first, None)

    def seen_position(self) -> SeenPosition:
        """Return the position itself, so that the solver takes it as it takes a game."""
        return self

    def __str__(self) -> str:
        """Return the diagram of the position."""
        from demine.logic.rules import Rules
        from demine.scene.diagram import format_scene

        height, width = self.scene.shape
        rules = Rules(width, height, self.mines, self.first)
        return format_scene(rules, self.scene).rstrip("\n")


@runtime_checkable
class HasPosition(Protocol):
    """What can tell its position, as `demine.Game` can; the solver takes it for a scene board.

    >>> import demine
    >>> game = demine.Game("9x9/10", seed=7)
    >>> isinstance(game, demine.HasPosition)
    True
    """

    def seen_position(self) -> SeenPosition:
        """Return the position as its player sees it now."""
        ...


def position_of_object(scene: object, mines: SupportsIndex | None = None) -> SeenPosition | None:
    """Return the position that a game or a diagram tells; None for an array, which tells none.

    `mines` counts more than what a diagram says. Raises `NotAGame` for the path of a file, and what
    `SeenPosition.parse` raises.
    """
    if isinstance(scene, str):
        return parse_position_text(scene, mines)
    if isinstance(scene, os.PathLike):
        raise NotAGame.of(scene)
    return scene.seen_position() if isinstance(scene, HasPosition) else None


def parse_position_text(text: str, mines: SupportsIndex | None = None) -> SeenPosition:
    """Return the position in a diagram; errors are those of `position_of_object`."""
    try:
        return SeenPosition.parse(text, mines)
    except TextError:
        if looks_like_path(text):
            raise NotAGame.of(text) from None
        raise
