"""Reads the events of a valid RMV file, with the same result as `replay.formats.rmv.events`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PRESS: Final = 2
RELEASE: Final = 3
MOUSE: Final = 7
LOOKS: Final = 9
BLAST: Final = 15
OTHER: Final = 17
LAST: Final = 27
STEP: Final = 28
# Indices of `found`.
END: Final = 0
BOARD: Final = 1


def pointer_coordinate(data: NDArray[np.uint8], at: int, version: int, corner_px: int) -> int:
    """Return the coordinate at offset `at` in pixels from the board's corner.

    Version 1 counts from the window's corner, `corner_px` before the board's.
    """
    number = int(data[at]) << 8 | int(data[at + 1])
    return number - corner_px if version == 1 else (number ^ 0x8000) - 0x8000


def read_mouse_events(  # noqa: PLR0913, PLR0917 - kernels hold nothing
    data: NDArray[np.uint8], begin: int, version: int, height: int, width: int,
    t: NDArray[np.int64], signal: NDArray[np.uint8], x: NDArray[np.int32], y: NDArray[np.int32],
    found: NDArray[np.int64],
) -> int:  # fmt: skip
    """Write the mouse events into columns; return their number, or -1 for a file to read plainly.

    That is any invalid or very old file. The columns must have room for one event more than a third
    of the bytes. `found` gets the offset of the byte that ends the list, and whether the board
    changed.
    """
    at, size, count = begin, data.size, 0
    now = across = down = 0
    heard, board = False, 0
    # Three more bytes follow the end of the list, so all records are complete.
    while at + 3 <= size:
        code = int(data[at])
        if code == STEP:
            if version == 1 or count == 0:
                return -1
            now += int(data[at + 1])
            across += ((int(data[at + 2]) >> 4) ^ 8) - 8
            down += ((int(data[at + 2]) & 15) ^ 8) - 8
            t[count], signal[count], x[count], y[count] = now, 1, across, down
            count += 1
            at += 3
        elif 1 <= code <= MOUSE:
            if at + 9 > size:
                return -1
            ms = int(data[at + 1]) << 16 | int(data[at + 2]) << 8 | int(data[at + 3])
            if count > 0 and ms < now:
                return -1
            now = ms
            across = pointer_coordinate(data, at + 5, version, 12)
            down = pointer_coordinate(data, at + 7, version, 56)
            if code == RELEASE and not heard:
                t[count], signal[count], x[count], y[count] = now, PRESS, across, down
                count += 1
            heard = heard or code == PRESS or code == RELEASE  # noqa: PLR1714 - compiles sooner
            t[count], signal[count], x[count], y[count] = now, code, across, down
            count += 1
            at += 9
        elif LOOKS <= code < BLAST or OTHER < code <= LAST:
            if data[at + 1] >= width or data[at + 2] >= height:
                return -1
            board = 1
            at += 3
        elif BLAST <= code <= OTHER:
            found[END], found[BOARD] = at, board
            return count
        else:
            return -1
    return -1
