"""Bytes read in order: every step checks that they are there, and errors say where they were not.

Fast enough for headers. Lists of a thousand events are for NumPy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from demine.replay.errors import Flaw, ReplayError, damaged_file_error

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from demine.logic.errors import DemineError


MAX_BACKWARD_MS: Final = 20
"""So many milliseconds a clock may have run back and still is mended."""
_BYTES: Final = bytes(range(256))


def all_below(data: bytes, bound: int) -> bool:
    """Return whether all bytes are below a bound, which is at least 0."""
    return not data.translate(None, _BYTES[:bound])


def outside_board_flaw(row: int, col: int, height: int, width: int) -> Flaw:
    """Return the flaw of a cell that is not on the board."""
    return Flaw(
        "row {row}, column {col} is outside the {width}x{height} board",
        row=row,
        col=col,
        width=width,
        height=height,
    )


class MonotonicTimes(NamedTuple):
    """Times of events that never run back."""

    t: NDArray[np.int64]
    corrected_ms: int
    """By how much one of them was moved at most."""


class ByteReader:
    """The bytes of a file and the place where they are read on. Numbers are big-endian."""

    def __init__(self, format: str, data: bytes, at: int = 0) -> None:  # noqa: A002 - its name
        self.format = format
        self.data = data
        self.at = at

    @property
    def remaining(self) -> int:
        """How many bytes are left."""
        return len(self.data) - self.at

    def take(self, count: int) -> bytes:
        """Return the next bytes."""
        end = self.at + count
        if end > len(self.data):
            raise self.error(Flaw("the file ends"), at=len(self.data))
        taken = self.data[self.at : end]
        self.at = end
        return taken

    def u8(self) -> int:
        """Return a number of one byte."""
        if self.at >= len(self.data):
            raise self.error(Flaw("the file ends"))
        self.at += 1
        return self.data[self.at - 1]

    def u16(self) -> int:
        """Return a number of two bytes."""
        return int.from_bytes(self.take(2), "big")

    def u24(self) -> int:
        """Return a number of three bytes."""
        return int.from_bytes(self.take(3), "big")

    def u32(self) -> int:
        """Return a number of four bytes."""
        return int.from_bytes(self.take(4), "big")

    def u64(self) -> int:
        """Return a number of eight bytes."""
        return int.from_bytes(self.take(8), "big")

    def length_prefixed(self) -> bytes:
        """Return bytes before which stands how many they are, as one."""
        data, at = self.data, self.at
        if at < len(data) and at + data[at] < len(data):
            self.at += 1 + data[at]
            return data[at + 1 : self.at]
        return self.take(self.u8())

    def until(self, terminator: bytes, limit: int) -> bytes:
        """Return the bytes up to an end that is read over; at most `most` of them."""
        found = self.data.find(terminator, self.at, self.at + limit + len(terminator))
        if found < 0:
            raise self.error(Flaw("a text does not end"))
        taken = self.data[self.at : found]
        self.at = found + len(terminator)
        return taken

    def read_mine_list(
        self, height: int, width: int, count: int, *, one: int = 0
    ) -> NDArray[np.bool_]:
        """Return a mine map from a list of `u8 column, u8 row`, counted from `one`."""
        start = self.at
        taken = self.take(2 * count)
        if not one and width <= len(_BYTES) and all_below(taken[1::2], height):
            # As if rows had 256 cells, so that the two bytes of a mine are the number of its cell.
            cells = np.zeros(height * len(_BYTES), np.bool_)
            cells[np.frombuffer(taken, "<u2").astype(np.intp)] = True
            mine_map = cells.reshape(height, -1)[:, :width].copy()
            if np.count_nonzero(mine_map) == count:
                return mine_map
        places = np.frombuffer(taken, np.uint8).astype(np.intp)
        return self.mine_map_from_cells(start, places[1::2] - one, places[::2] - one, height, width)

    def mine_map_from_cells(
        self,
        start: int,
        rows: NDArray[np.intp],
        cols: NDArray[np.intp],
        height: int,
        width: int,
    ) -> NDArray[np.bool_]:
        """Return a mine map from lists of rows and columns, whose bytes in pairs are at `start`."""
        outside = (rows < 0) | (rows >= height) | (cols < 0) | (cols >= width)
        if outside.any():
            first = int(outside.argmax())
            raise self.error(
                Flaw(
                    "the mine at row {row}, column {col} is outside the {width}x{height} board",
                    row=int(rows[first]),
                    col=int(cols[first]),
                    width=width,
                    height=height,
                ),
                at=start + 2 * first,
            )
        mine_map = np.zeros((height, width), np.bool_)
        mine_map[rows, cols] = True
        if np.count_nonzero(mine_map) != rows.size:
            raise self.error(Flaw("two mines are in one cell"), at=start)
        return mine_map

    def check_cells_on_board(
        self,
        rows: NDArray[np.int32],
        cols: NDArray[np.int32],
        shape: tuple[int, int],
        offsets: NDArray[np.int64],
    ) -> None:
        """Raise `ReplayError` for the first cell outside the board, with its byte in `places`."""
        height, width = shape
        if rows.max() < height and cols.max() < width and min(rows.min(), cols.min()) >= 0:
            return
        outside = (rows < 0) | (rows >= height) | (cols < 0) | (cols >= width)
        first = int(outside.argmax())
        flaw = outside_board_flaw(int(rows[first]), int(cols[first]), height, width)
        raise self.error(flaw, at=int(offsets[first]))

    def check_playable_board(
        self, height: int, width: int, mines: int, at: int | None = None
    ) -> None:
        """Raise `ReplayError` for a board that nobody can play on."""
        if not height * width:
            flaw = Flaw("a board of {width}x{height} has no cells", width=width, height=height)
            raise self.error(flaw, at=at)
        if mines >= height * width:
            flaw = Flaw(
                "{mines} mines leave no safe cell on {width}x{height}",
                mines=mines,
                width=width,
                height=height,
            )
            raise self.error(flaw, at=at)

    def monotonic_times(
        self, t: NDArray[np.int64], offset_of_event: Callable[[int], int]
    ) -> MonotonicTimes:
        """Return times that never run back.

        The clocks of real programs step back by a tick now and then. Such an event is taken as no
        earlier than those before it, and none as later than the last, which says how long the game
        took. Raises `ReplayError` where a clock ran back by more than `MAX_BACKWARD_MS`;
        `offset_of_event` tells the byte of an event.
        """
        if not np.count_nonzero(t[1:] < t[:-1]):
            return MonotonicTimes(t, 0)
        latest = np.maximum.accumulate(t)
        far = latest - t > MAX_BACKWARD_MS
        if far.any():
            raise self.error(Flaw("the time runs backwards"), at=offset_of_event(int(far.argmax())))
        steady = np.minimum(latest, t[-1])
        return MonotonicTimes(steady, int(np.abs(steady - t).max()))

    def error(self, flaw: DemineError, at: int | None = None) -> ReplayError:
        """Return the error that says what is wrong here, or at another byte."""
        return damaged_file_error(self.format, self.at if at is None else at, flaw)
