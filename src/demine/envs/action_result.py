"""What an action did on each board of an environment: all that a reward may depend on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from demine.logic.rules import Rules


@dataclass(frozen=True, slots=True)
class ActionResult:
    """What one action did on each of `n` boards, as arrays of the shape `(n,)`."""

    rules: Rules
    actions: NDArray[np.int64]
    """The actions; where a game was over there was none, and the number means nothing."""
    seen: NDArray[np.uint8]
    """What the player saw before it, uint8 of `Face`, `(n, height, width)`."""
    laid: NDArray[np.bool_]
    """Whether the mines were laid before it: by an earlier opening, or as they were given."""
    opened: NDArray[np.int32]
    """How many safe cells it opened."""
    refused: NDArray[np.bool_]
    """Whether the rules refused it, so that nothing changed."""
    won: NDArray[np.bool_]
    """Whether it won the game."""
    lost: NDArray[np.bool_]
    """Whether it lost the game by a mine."""
