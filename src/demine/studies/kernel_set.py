"""What is compiled to play games by the million."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from demine.solver._kernels import count, meet, order
from demine.solver._kernels.build import Kit
from demine.solver._player import (
    ahead,
    block,
    board,
    choose,
    ending,
    frontier,
    layouts,
    memo,
    policy,
    small,
)
from demine.studies import simulated_games
from demine.studies._kernels import dealing

if TYPE_CHECKING:
    from collections.abc import Mapping


def signatures() -> Mapping[str, tuple[Any, ...]]:
    """Return the types of what the table is called with."""
    from numba import types

    def flat(kind: object) -> Any:  # noqa: ANN401 - Numba has no types
        return types.Array(kind, 1, "C")

    number, half, chars = types.int64, types.uint64, flat(types.uint8)
    tables = (chars, chars, chars, flat(half), flat(number), flat(half), flat(number))
    desk = (flat(number), flat(types.float64), chars)
    return {"play_seed": (half, half, *5 * (number,), *tables, *desk)}


KIT: Final = Kit(
    (
        order, count, meet, board, frontier, choose, layouts, memo, block, ending, small, ahead,
        policy, dealing, simulated_games,
    ),
    ("play_seed",),
    signatures,
)  # fmt: skip
