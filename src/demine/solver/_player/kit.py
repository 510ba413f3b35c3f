"""What is compiled to advise somebody else: a kit of its own, which nothing waits for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from demine.solver._kernels import count, meet, order
from demine.solver._kernels.build import Kit
from demine.solver._player import (
    ahead,
    block,
    board,
    choose,
    draw,
    ending,
    frontier,
    layouts,
    memo,
    policy,
    seat,
    small,
)

if TYPE_CHECKING:
    from collections.abc import Mapping


def signatures() -> Mapping[str, tuple[Any, ...]]:
    """Return the types of what the seat is called with."""
    from numba import types

    def flat(kind: object) -> Any:  # noqa: ANN401 - Numba has no types
        return types.Array(kind, 1, "C")

    number, chars, reals = types.int64, flat(types.uint8), flat(types.float64)
    tables = (chars, flat(number), reals, chars, flat(number))
    desks = (flat(number), reals, chars, flat(number), reals)
    return {"at_table": (*5 * (number,), *tables, *desks)}


KIT: Final = Kit(
    (
        order,
        count,
        meet,
        board,
        frontier,
        choose,
        layouts,
        memo,
        block,
        ending,
        small,
        ahead,
        policy,
        draw,
        seat,
    ),
    ("at_table",),
    signatures,
)
