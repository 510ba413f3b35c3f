"""MBF, the usual board files: width, height, number of mines, and the position of each mine.

`u8 width, u8 height, u16 mines` (big-endian), then `u8 x, u8 y` for each mine, counted from 0 at
the top left. Mines are written column by column, as by other programs, and read in any order. A
file has no signature, so its length must fit its mines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from demine.logic.layout import as_bool_array
from demine.replay.errors import ReplayError, damaged_file_error
from demine.replay.format import Evidence, WritableFormat, check_board_size
from demine.replay.model import Layout, has_original, plain_layout_losses

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

NAME: Final = "MBF"
MOST: Final = 255
"""The most columns, and the most rows."""
_HEAD: Final = 4


def check_size(width: int, height: int) -> None:
    """Raise `ReplayError` for a board that is too large for MBF."""
    check_board_size(NAME, MOST, width=width, height=height)


def dumps(mine_map: ArrayLike) -> bytes:
    """Return a mine map of shape `(height, width)` as a file.

    Raises `LayoutError` if it is not a mine map, and `ReplayError` if it is too large.
    """
    mines = as_bool_array(mine_map)
    if mines.ndim != 2 or not mines.size:
        raise ReplayError(
            "a mine map has the shape (height, width), not {shape}", shape=mines.shape
        )
    height, width = mines.shape
    check_size(width, height)
    places = np.argwhere(mines.T).astype(np.uint8)
    return bytes((width, height)) + len(places).to_bytes(2, "big") + places.tobytes()


def loads(data: bytes) -> NDArray[np.bool_]:
    """Return the mine map in a file, bool `(height, width)`; raises `ReplayError`."""
    if len(data) < _HEAD:
        raise ReplayError("an MBF file has at least {least} bytes", least=_HEAD)
    width, height, count = data[0], data[1], int.from_bytes(data[2:_HEAD], "big")
    if not width * height:
        raise ReplayError("a board of {width}x{height} has no cells", width=width, height=height)
    if len(data) != _HEAD + 2 * count:
        raise ReplayError(
            "an MBF file with {mines} mines has {needed} bytes, not {length}",
            mines=count,
            needed=_HEAD + 2 * count,
            length=len(data),
        )
    places = np.frombuffer(data, np.uint8, offset=_HEAD).reshape(count, 2)
    outside = (places >= (width, height)).any(axis=1)
    if outside.any():
        x, y = places[outside.argmax()].tolist()
        raise ReplayError(
            "the mine at row {row}, column {col} is outside the {width}x{height} board",
            row=y,
            col=x,
            width=width,
            height=height,
        )
    mine_map = np.zeros((height, width), np.bool_)
    mine_map[places[:, 1], places[:, 0]] = True
    if np.count_nonzero(mine_map) != count:
        raise ReplayError("two mines of an MBF file are in one cell")
    return mine_map


def recognises(data: bytes) -> bool:
    """Return whether the whole file is valid, since it has no signature."""
    try:
        return not loads(data).all()
    except ReplayError:
        return False


def read(data: bytes) -> Layout:
    """Return the board in a file; raises `ReplayError`."""
    try:
        mine_map = loads(data)
    except ReplayError as error:
        raise damaged_file_error(NAME, min(len(data), _HEAD), error) from None
    return Layout(NAME, "", mine_map, {"format": NAME}, {"file": data})


def write(layout: Layout) -> bytes:
    """Return a board as a file, unchanged if it was read from MBF; raises `ReplayError`."""
    if has_original(layout, NAME):
        return layout.original_parts["file"]
    return dumps(layout.mine_map)


FORMAT: Final = WritableFormat(
    name=NAME,
    extensions=(".mbf", ".abf"),
    holds=Layout,
    evidence=Evidence.SIZE,
    recognises=recognises,
    read=read,
    write=write,
    losses=plain_layout_losses,
    program="boards of many programs",
    versions="(ABF)",
    largest=MOST,
)
