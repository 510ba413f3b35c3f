"""Reads big-endian numbers and bytes in order, with errors that state the offset.

Fast enough for headers; long lists of events are read by NumPy.
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
"""Times that run back by at most this much are corrected."""
_BYTES: Final = bytes(range(256))


def all_below(data: bytes, bound: int) -> bool:
    """Return whether all bytes are less than `bound`, which must not be negative."""
    return not data.translate(None, _BYTES[:bound])


def outside_board_flaw(row: int, col: int, height: int, width: int) -> Flaw:
    """Return the error for a cell that is not on the board."""
    return Flaw(
        "row {row}, column {col} is outside the {width}x{height} board",
        row=row,
        col=col,
        width=width,
        height=height,
    )


class MonotonicTimes(NamedTuple):
    """Times in ms that never run back."""

    t: NDArray[np.int64]
    corrected_ms: int
    """The largest correction of a time."""


class BigEndianReader:
    """The bytes of a file, read from the offset `at` on; `u8` to `u64` are big-endian numbers."""

    def __init__(self, format: str, data: bytes, at: int = 0) -> None:  # noqa: A002 - its name
        self.format = format
        self.data = data
        self.at = at

    @property
    def remaining(self) -> int:
        """The number of bytes left."""
        return len(self.data) - self.at

    def take(self, count: int) -> bytes:
        """Return the next `count` bytes."""
        end = self.at + count
        if end > len(self.data):
            raise self.error(Flaw("the file ends"), at=len(self.data))
        taken = self.data[self.at : end]
        self.at = end
        return taken

    def u8(self) -> int:
        """Return the next byte as a number."""
        if self.at >= len(self.data):
            raise self.error(Flaw("the file ends"))
        self.at += 1
        return self.data[self.at - 1]

    def u16(self) -> int:
        """Return the next two bytes as a number."""
        return int.from_bytes(self.take(2), "big")

    def u24(self) -> int:
        """Return the next three bytes as a number."""
        return int.from_bytes(self.take(3), "big")

    def u32(self) -> int:
        """Return the next four bytes as a number."""
        return int.from_bytes(self.take(4), "big")

    def u64(self) -> int:
        """Return the next eight bytes as a number."""
        return int.from_bytes(self.take(8), "big")

    def u8_length_prefixed(self) -> bytes:
        """Return bytes that follow their number, which is one byte."""
        data, at = self.data, self.at
        if at < len(data) and at + data[at] < len(data):
            self.at += 1 + data[at]
            return data[at + 1 : self.at]
        return self.take(self.u8())

    def until(self, terminator: bytes, limit: int) -> bytes:
        """Return at most `limit` bytes up to a terminator, and skip the terminator."""
        return self.texts_until(terminator, limit, 1)[0]

    def texts_until(self, terminator: bytes, limit: int, count: int) -> list[bytes]:
        """Return the next `count` texts, each as `until` does."""
        data, at, beyond = self.data, self.at, limit + len(terminator)
        texts = []
        for _ in range(count):
            found = data.find(terminator, at, at + beyond)
            if found < 0:
                self.at = at
                raise self.error(Flaw("a text does not end"))
            texts.append(data[at:found])
            at = found + len(terminator)
        self.at = at
        return texts

    def read_size_with_mine_list(self, *, index_base: int = 0) -> NDArray[np.bool_]:
        """Read a mine map from `u8 width, u8 height, u16 mines` and a list as `read_mine_list`."""
        at = self.at
        width, height, mines = self.u8(), self.u8(), self.u16()
        self.check_playable_board(height, width, mines, at=at)
        return self.read_mine_list(height, width, mines, index_base=index_base)

    def read_mine_list(
        self, height: int, width: int, count: int, *, index_base: int = 0, row_first: bool = False
    ) -> NDArray[np.bool_]:
        """Read a mine map from a list of `u8 column, u8 row`, counted from `index_base`.

        With `row_first` the row comes before the column.
        """
        start = self.at
        taken = self.take(2 * count)
        if width + index_base <= len(_BYTES) and all_below(
            taken[not row_first :: 2], height + index_base
        ):
            # With rows of 256 cells, the two bytes of a mine are the number of its cell.
            cells = np.zeros((height + index_base) * len(_BYTES), np.bool_)
            cells[np.frombuffer(taken, ">u2" if row_first else "<u2")] = True
            rows = cells.reshape(-1, len(_BYTES))
            mine_map = rows[index_base:, index_base : index_base + width].copy()
            if np.count_nonzero(mine_map) == count:
                return mine_map
        pairs = np.frombuffer(taken, np.uint8).astype(np.intp) - index_base
        first, second = pairs[::2], pairs[1::2]
        places = (first, second) if row_first else (second, first)
        return self._mine_map_from_cells(start, *places, height, width)

    def _mine_map_from_cells(
        self,
        start: int,
        rows: NDArray[np.intp],
        cols: NDArray[np.intp],
        height: int,
        width: int,
    ) -> NDArray[np.bool_]:
        """Return a mine map from rows and columns, which are pairs of bytes from offset `start` on.

        Raises `ReplayError` for a mine outside the board, or two in one cell.
        """
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
        """Raise `ReplayError` for the first cell outside the board, at its byte in `offsets`."""
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
        """Raise `ReplayError` for a board without cells or without a safe cell."""
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

    def correct_backward_steps(
        self, times_ms: NDArray[np.int64], offset_of_event: Callable[[int], int]
    ) -> MonotonicTimes:
        """Correct times that run back by at most `MAX_BACKWARD_MS`; raises `ReplayError` for more.

        The clocks of real programs sometimes step back by a tick. An event becomes no earlier than
        those before it, and none is later than the last, which decides how long the game took.
        `offset_of_event` returns the byte of an event.
        """
        if not np.count_nonzero(times_ms[1:] < times_ms[:-1]):
            return MonotonicTimes(times_ms, 0)
        latest = np.maximum.accumulate(times_ms)
        far = latest - times_ms > MAX_BACKWARD_MS
        if far.any():
            raise self.error(Flaw("the time runs backwards"), at=offset_of_event(int(far.argmax())))
        steady = np.minimum(latest, times_ms[-1])
        return MonotonicTimes(steady, int(np.abs(steady - times_ms).max()))

    def error(self, flaw: DemineError, at: int | None = None) -> ReplayError:
        """Return an error at the present offset, or at the offset `at`."""
        return damaged_file_error(self.format, self.at if at is None else at, flaw)
