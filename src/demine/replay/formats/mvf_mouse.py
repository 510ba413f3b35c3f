"""The states of the mouse in MVF files: records whose bits stand where a key says."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from demine.statistics.recording import Signal

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demine.statistics.recording import Recording

KEY: Final = 0
"""Any key will do; nothing is hidden by one that is written beside."""
_ORDER: Final = (
    Signal.MV, Signal.LC, Signal.RC, Signal.MC, Signal.LR, Signal.RR, Signal.MR,
)  # fmt: skip

_PRESSED: Final[dict[int, int]] = {Signal.RC: 1, Signal.MC: 2, Signal.LC: 4}
_RELEASED: Final[dict[int, int]] = {Signal.RR: 1, Signal.MR: 2, Signal.LR: 4}


class Layout(NamedTuple):
    """How a record's bits are laid out."""

    size: int
    y: int
    x: int
    time: int
    bits: int
    """Of a coordinate."""
    origin: int


OLD: Final = Layout(5, 3, 12, 21, 9, 0)
NEW: Final = Layout(6, 3, 14, 25, 11, 32)


def permutation(key: int, size: int) -> list[tuple[int, int]]:
    """Return where each bit of a record stands: byte and bit. The key fixes it."""
    n1, n2 = math.sqrt(key), math.sqrt(key + 1000)
    n3, n4 = math.sqrt(n1 + 1000), math.sqrt(n2 + 1000)
    waves = (
        math.cos(n3 + 1000), math.sin(math.sqrt(n2)), math.cos(n3),
        math.sin(math.sqrt(n1) + 1000), math.cos(n4), math.sin(n4),
    )[:size]  # fmt: skip
    digits = "".join(f"{round(abs(wave) * 10**8):08}" for wave in waves)[: 8 * size]
    order = sorted(range(8 * size), key=lambda place: (digits[place], place))
    return [divmod(place, 8) for place in order]


def unpacked(rows: NDArray[np.uint8], key: int, layout: Layout) -> NDArray[np.int64]:
    """Return the states that records say."""
    places = permutation(key, layout.size)

    def number(first: int, count: int) -> NDArray[np.int64]:
        found = np.zeros(len(rows), np.int64)
        for place in range(count):
            byte, bit = places[first + place]
            found |= (rows[:, byte] >> np.uint8(bit) & np.uint8(1)).astype(np.int64) << place
        return found

    t = number(28, 10) * 1000 + number(21, 7) * 10 if layout is OLD else number(25, 22)
    x, y = (number(first, layout.bits) - layout.origin for first in (layout.x, layout.y))
    return np.stack((t, x, y, number(0, 3)), axis=1)


def events(states: NDArray[np.int64]) -> tuple[
    NDArray[np.int64], NDArray[np.uint8], NDArray[np.int32], NDArray[np.int32]
]:  # fmt: skip
    """Return what happened between states."""
    count = len(states)
    happened = np.zeros((count, len(_ORDER)), np.bool_)
    before = np.zeros_like(states[:, 3])
    before[1:] = states[:-1, 3]
    happened[1:, 0] = (states[1:, 1:3] != states[:-1, 1:3]).any(axis=1)
    happened[:1, 0] = states[:1, 3] == 0
    # The bits are right, middle, left, and the order is left, right, middle.
    for place, bit in enumerate((4, 1, 2), 1):
        now, then = states[:, 3] & bit, before & bit
        happened[:, place] = now > then
        happened[:, place + 3] = now < then
    row, what = np.nonzero(happened)
    t, x, y = states[row, 0], states[row, 1].astype(np.int32), states[row, 2].astype(np.int32)
    return t, np.array(_ORDER, np.uint8)[what], x, y


def without_repeats(recording: Recording) -> Recording:
    """Return a recording without the events after which everything is as it was before."""
    states = states_of(recording)[:, 1:]
    changed = np.ones(len(states), np.bool_)
    changed[1:] = (states[1:] != states[:-1]).any(axis=1)
    return replace(
        recording, t=recording.t[changed], signal=recording.signal[changed],
        x=recording.x[changed], y=recording.y[changed],
    )  # fmt: skip


def states_of(recording: Recording) -> NDArray[np.int64]:
    """Return the state of the mouse after each event, a row each: time, x, y, buttons.

    The buttons are bits: right, middle, left.
    """
    held, down = 0, np.zeros(recording.t.size, np.int64)
    for event, signal in enumerate(recording.signal.tolist()):
        held = held & ~_RELEASED.get(signal, 0) | _PRESSED.get(signal, 0)
        down[event] = held
    columns = (recording.t, recording.x, recording.y, down)
    return np.stack([column.astype(np.int64) for column in columns], axis=1)


def packed(states: NDArray[np.int64]) -> bytes:
    """Return states as records."""
    t, x, y, down = states.T
    seconds, rest = np.divmod(t, 1000)
    numbers = ((down, 3), (y, 9), (x, 9), (rest // 10, 7), (seconds, 10))
    places = iter(permutation(KEY, OLD.size))
    out = np.zeros((len(states), OLD.size), np.uint8)
    for number, count in numbers:
        for bit in range(count):
            byte, place = next(places)
            out[:, byte] |= ((number >> bit & 1) << place).astype(np.uint8)
    return out.tobytes()
