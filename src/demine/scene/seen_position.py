"""The position of a game as its player sees it: all that the solver may be asked about."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

from demine.scene.diagram import parse_scene

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from demine.logic.rules import First


class SeenPosition(NamedTuple):
    """A scene board, uint8 `(height, width)` of `Face`, and what its player knows beside it.

    `mines` is the mine count of the board, `first` what the rules promise for the first cell, and
    `start` the cell where the game must begin, `(row, col)`, or None for any.
    """

    scene: NDArray[np.uint8]
    mines: int
    first: First
    start: tuple[int, int] | None

    @classmethod
    def parse(cls, diagram: str) -> SeenPosition:
        r"""Return the position of a diagram: a line of rules, then a line for each row.

        The letters and the errors are those of `demine.parse_scene`.

        >>> SeenPosition.parse("3x2/1\n1 # #\n1 # #").scene.tolist()
        [[1, 9, 9], [1, 9, 9]]
        """
        rules, scene = parse_scene(diagram)
        return cls(scene, rules.mines, rules.first, None)

    def seen_position(self) -> SeenPosition:
        """Return the position itself, so that it goes where a game goes."""
        return self


@runtime_checkable
class HasPosition(Protocol):
    """What can tell its position, as `demine.Game` can; the solver takes it for a scene board."""

    def seen_position(self) -> SeenPosition:
        """Return the position as its player sees it now."""
        ...


def position_told_by(scene: object) -> SeenPosition | None:
    """Return the position that a game or a diagram tells; None for an array, which tells none."""
    if isinstance(scene, str):
        return SeenPosition.parse(scene)
    return scene.seen_position() if isinstance(scene, HasPosition) else None
