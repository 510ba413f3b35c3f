"""Lines of text as arrays, a block at a time: their shapes without digits, and their numbers.

A block is so small that what is worked out of it stays in the processor's cache, and that the
memory for it is asked of the system only once: with a whole file, that took a third of the time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections import defaultdict
    from collections.abc import Iterator

    from numpy.typing import NDArray

LONGEST: Final = 7
"""The most digits of a number."""
_BLOCK: Final = 1 << 15
"""The most bytes of a block, unless a single line is longer."""
_DIGITS: Final = b"0123456789"
_ZERO: Final = np.uint8(ord("0"))
_TEN: Final = np.uint8(10)
_HUNDRED: Final = np.int32(100)
_SIXTEEN: Final = np.dtype(np.complex128)
"""Sixteen bytes that are moved at once; nothing is calculated with them."""
_KEPT: Final = np.array(
    [b"\xff" * size + bytes(_SIXTEEN.itemsize - size) for size in range(_SIXTEEN.itemsize + 1)]
).view(_SIXTEEN)
"""The bits of sixteen bytes from the beginning of a line that are about the line, by its size."""
_MIX: Final = np.uint64(0x9E3779B97F4A7C15)
_HASH_BITS: Final = 13
_HASH_SHIFT: Final = np.uint64(64 - _HASH_BITS)


def line_blocks(data: bytes, start: int) -> Iterator[tuple[int, bytes]]:
    """Yield offsets and lines from `start` on, a block at a time; the last line gets an end."""
    while start <= len(data):
        end = data.rfind(b"\n", start, start + _BLOCK)
        if end < 0:
            end = data.find(b"\n", start)
        if end < 0:
            end = len(data)
        yield start, data[start:end] + b"\n"
        start = end + 1


def line_shapes(block: bytes, shapes: defaultdict[bytes, int]) -> NDArray[np.uint16]:
    """Return for each line the number in `shapes` of what it is without digits and returns.

    `shapes` must give each new shape a number, of 16 bits.
    """
    text = block.translate(None, _DIGITS + b"\r")
    found = _short_line_shapes(text, shapes)
    if found is None:
        lines = text.split(b"\n")[:-1]
        found = np.fromiter(map(shapes.__getitem__, lines), np.uint16, len(lines))
    return found


def _short_line_shapes(text: bytes, shapes: defaultdict[bytes, int]) -> NDArray[np.uint16] | None:
    """Return the same for lines without digits; None if one is long, or two have the same hash."""
    data = np.frombuffer(text + bytes(_SIXTEEN.itemsize), np.uint8)
    ends = (data == ord("\n")).nonzero()[0]
    ends += 1
    starts = np.zeros_like(ends)
    starts[1:] = ends[:-1]
    sizes = ends - starts
    if sizes.max() > _SIXTEEN.itemsize:
        return None
    # The end of each line is among its bytes, so that none is the beginning of another.
    every: NDArray[np.complex128] = np.ndarray((data.size - 15,), _SIXTEEN, data, 0, (1,))
    lines = every[starts]
    pairs = lines.view(np.uint64).reshape(-1, 2)
    pairs &= _KEPT.take(sizes).view(np.uint64).reshape(-1, 2)
    hashes = _hashes(pairs)
    table = np.full(1 << _HASH_BITS, ends.size, np.uint16)
    table[hashes] = np.arange(ends.size, dtype=np.uint16)
    like = table.take(hashes)
    if (pairs != lines.take(like).view(np.uint64).reshape(-1, 2)).any():
        return None
    used = (table < ends.size).nonzero()[0]
    few = table.take(used)
    bounds = zip(starts.take(few).tolist(), ends.take(few).tolist(), strict=True)
    table[used] = [shapes[text[start : end - 1]] for start, end in bounds]
    return table.take(hashes)


def _hashes(pairs: NDArray[np.uint64]) -> NDArray[np.int64]:
    hashes = pairs[:, 1] * _MIX
    hashes ^= pairs[:, 0]
    hashes *= _MIX
    hashes >>= _HASH_SHIFT
    return hashes.view(np.int64)


class BlockNumbers(NamedTuple):
    """The numbers in a block of lines."""

    numbers: NDArray[np.int32]
    """All of them in order; the decimals of a time are thousandths."""
    too_long: int
    """The offset after the first number that has too many digits; -1 if there is none."""
    wrong_time: int
    """The offset of the first point that two or three digits do not follow; -1 likewise."""


def block_numbers(block: bytes, start: int) -> BlockNumbers:
    """Return the numbers in a block that begins at the offset `start`.

    Most are found by working out for every byte the number of at most three digits that may end
    there, which takes less time than to look at the numbers alone.
    """
    text = np.frombuffer(b"\n\n\n" + block + b"\n\n\n\n", np.uint8)
    digits = text - _ZERO
    digit = digits < len(_DIGITS)
    digits *= digit
    two = digit[:-1] & digit[1:]
    values = digits[2:-5] * _TEN
    values += digits[3:-4]
    ends = (digit[3:-4] > digit[4:-3]).nonzero()[0]
    numbers = (digits[1:-6] * two[2:-4]).take(ends) * _HUNDRED
    numbers += values.take(ends)
    four = two[:-6] & two[2:-4]
    too_long = -1
    if four.any():
        long = four.take(ends).nonzero()[0]
        too_long = _add_higher_digits(numbers, long, ends, digits[3:-4], digit[3:-4])
    points = text[3:-4] == ord(".")
    wrong = points & (two[4:-2] <= two[6:])
    if (points > digit[6:-1]).any():
        numbers[(text[1:-6] == ord(".")).take(ends)] *= 10
    return BlockNumbers(
        numbers,
        too_long + start if too_long >= 0 else -1,
        int(wrong.argmax()) + start if wrong.any() else -1,
    )


def _add_higher_digits(
    numbers: NDArray[np.int32],
    long: NDArray[np.intp],
    ends: NDArray[np.intp],
    digits: NDArray[np.uint8],
    digit: NDArray[np.bool_],
) -> int:
    """Add the digits above the third to the numbers `long`; return as `BlockNumbers.too_long`."""
    for place in range(3, LONGEST):
        numbers[long] += digits.take(ends[long] - place) * np.int32(10**place)
        long = long[ends[long] > place]
        long = long[digit.take(ends[long] - place - 1)]
    return int(ends[long[0]]) + 1 if long.size else -1
