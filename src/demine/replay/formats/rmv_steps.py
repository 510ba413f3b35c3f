"""Where the small movements of RMV files lead."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    AnyNumbers: TypeAlias = NDArray[Any]

_BELOW_TIME: Final = np.array(40, np.uint64)
"""Bits of a record of nine bytes that are not its time."""
_NARROW: Final = 19
_WIDE: Final = 31
_FEW: Final = 28_000
"""So many movements of 8 pixels leave a field of 19 bits no more than a point of 16 bits does."""
_HALVES: Final = np.array([*range(8), *range(-8, 0)], np.int64)
"""What half a byte says."""


def walked(
    numbers: NDArray[np.uint64], steps: NDArray[np.uint16], firsts: NDArray[np.intp]
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32]]:
    """Return times and points: some events say them in full, the others are steps from there.

    The numbers are what stands behind the code of a record of nine bytes: `u24` time, `u8` buttons,
    2 `i16` x and y. Of each event `steps` are two bytes: ms as the low one, right and down. After
    the events in full `firsts` are how many events there are.
    """
    # Right and down as one number, whose halves never leave their fields; time too, if there are
    # not so many movements that they could.
    narrow = steps.size <= _FEW
    fields = _fields(_NARROW if narrow else _WIDE)
    t = (numbers >> _BELOW_TIME).view(np.int64)
    parts = numbers.view("<i2")
    points = t if narrow else np.zeros_like(t)
    points <<= fields.size
    points += parts[1::4]
    points <<= fields.size
    points += parts[::4]
    points += fields.middles
    line = _added_up(fields.moves.take(steps), firsts, points)
    y = line.astype(np.int32)
    line >>= fields.size
    x = line.astype(np.int32)
    x &= fields.low
    x -= fields.middle
    y &= fields.low
    y -= fields.middle
    if narrow:
        line >>= fields.size
        return line, x, y
    return _added_up((steps & 255).astype(np.int64), firsts, t), x, y


def _added_up(steps: AnyNumbers, firsts: AnyNumbers, there: AnyNumbers) -> AnyNumbers:
    """Return where steps lead that begin anew at some events; nothing of both is left.

    The first event is one of these, whose own steps mean nothing. After them `firsts` are how many
    events there are.
    """
    steps.cumsum(out=steps)
    there -= steps.take(firsts[:-1])
    steps += there.repeat(firsts[1:] - firsts[:-1])
    return steps


class _Fields(NamedTuple):
    """How a number holds a point and, if its fields are narrow, the time above it."""

    size: NDArray[np.int64]
    """Bits of x, and of y below it."""
    low: NDArray[np.int32]
    middle: NDArray[np.int32]
    """What stands for 0."""
    middles: NDArray[np.int64]
    """The same in both fields."""
    moves: NDArray[np.int64]
    """What two bytes say, the second as the high one: right and down, and ms if narrow."""


@cache
def _fields(size: int) -> _Fields:
    low, middle = (1 << size) - 1, 1 << size - 1
    moves = (_HALVES.repeat(16) << size) + np.tile(_HALVES, 16)
    ms = np.arange(256) << 2 * size if size == _NARROW else np.zeros(256, np.int64)
    return _Fields(
        np.array(size),
        np.array(low, np.int32),
        np.array(middle, np.int32),
        np.array((middle << size) + middle),
        np.add.outer(moves, ms).reshape(-1),
    )
