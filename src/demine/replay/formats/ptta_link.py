"""PTTA links: a board in the address of a page that calculates its fewest clicks.

`?b=` is the size and `m=` the mines: five cells a character, row by row. Other pages take the same
parameters, and some add the clicks of a game, which are kept but not interpreted.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

from demine.replay.big_endian_reader import BigEndianReader
from demine.replay.errors import Flaw
from demine.replay.format import Evidence, WritableFormat
from demine.replay.model import Layout, has_original, plain_layout_losses

if TYPE_CHECKING:
    from numpy.typing import NDArray

NAME: Final = "PTTA"
PAGE: Final = "https://pttacgfans.github.io/Minesweeper-ZiNi-Calculator/"

_LINK: Final = re.compile(rb"\s*+(?:https?://[^\s?#]{1,200})?/?\?")
_SIZE: Final = re.compile(rb"[?&]b=(\d{0,20})")
_MINES: Final = re.compile(rb"[?&]m=([0-9a-zA-Z]*)")
_LETTERS: Final = "0123456789abcdefghijklmnopqrstuv"
_VALUES: Final = np.full(256, 255, np.uint8)
_VALUES[list(_LETTERS.encode())] = np.arange(32)
_VALUES[list(_LETTERS.upper().encode())] = np.arange(32)
_NAMED: Final = {b"1": (9, 9), b"2": (16, 16), b"3": (30, 16)}
_LARGEST: Final = 8192


def recognises(data: bytes) -> bool:
    """Return whether it is an address with both parameters."""
    begin = _LINK.match(data)
    return begin is not None and None not in (_SIZE.search(data), _MINES.search(data))


def read(data: bytes) -> Layout:
    """Return the board in a link; raises `ReplayError`."""
    reader = BigEndianReader(NAME, data)
    size, mines = _SIZE.search(data), _MINES.search(data)
    if _LINK.match(data) is None or size is None or mines is None:
        raise reader.error(Flaw("this is not a link with ?b= and &m="))
    width, height = _parse_size(reader, size[1], size.start(1))
    values = _VALUES[np.frombuffer(mines[1], np.uint8)]
    if (values == 255).any():
        at = mines.start(1) + int((values == 255).argmax())
        raise reader.error(
            Flaw("{letter!r} does not stand for five cells", letter=chr(data[at])), at=at
        )
    needed = -(-width * height // 5)
    if values.size != needed:
        flaw = Flaw("{width}x{height} needs {needed} characters, not {length}",
                    width=width, height=height, needed=needed, length=int(values.size))  # fmt: skip
        raise reader.error(flaw, at=mines.start(1))
    bits = np.unpackbits((values << np.uint8(3))[:, None], axis=1)[:, :5].reshape(-1)
    if bits[width * height :].any():
        raise reader.error(Flaw("there are mines after the last cell"), at=mines.end(1) - 1)
    mine_map = bits[: width * height].astype(np.bool_).reshape(height, width)
    reader.check_playable_board(height, width, int(np.count_nonzero(mine_map)), at=mines.start(1))
    return Layout(NAME, "", mine_map, {"format": NAME}, {"file": data})


def _parse_size(reader: BigEndianReader, said: bytes, at: int) -> tuple[int, int]:
    """Return width and height from the number of a level, or from both with equally many digits."""
    if said in _NAMED:
        return _NAMED[said]
    half = len(said) // 2
    if not half or len(said) % 2:
        raise reader.error(Flaw("{size!r} is not a size", size=said.decode("ascii")), at=at)
    width, height = int(said[:half]), int(said[half:])
    if max(width, height) > _LARGEST:
        raise reader.error(Flaw("the board is too large"), at=at)
    reader.check_playable_board(height, width, 0, at=at)
    return width, height


def write(layout: Layout) -> bytes:
    """Return the link of a board, unchanged if it was read from one."""
    if has_original(layout, NAME):
        return layout.original_parts["file"]
    return f"{_format_link(layout.mine_map)}\n".encode("ascii")


def _format_link(mine_map: NDArray[np.bool_]) -> str:
    height, width = mine_map.shape
    named = {size: name.decode("ascii") for name, size in _NAMED.items()}
    digits = max(len(str(width)), len(str(height)))
    size = named.get((width, height), f"{width:0{digits}}{height:0{digits}}")
    bits = np.zeros((-(-mine_map.size // 5), 8), np.uint8)
    cells = np.zeros(5 * len(bits), np.uint8)
    cells[: mine_map.size] = mine_map.reshape(-1)
    bits[:, 3:] = cells.reshape(-1, 5)
    letters = np.frombuffer(_LETTERS.encode(), np.uint8)[np.packbits(bits, axis=1)[:, 0]]
    return f"{PAGE}?b={size}&m={letters.tobytes().decode('ascii')}"


FORMAT: Final = WritableFormat(
    name=NAME,
    extensions=(".ptta",),
    holds=Layout,
    evidence=Evidence.MAGIC,
    recognises=recognises,
    read=read,
    write=write,
    losses=plain_layout_losses,
    program="boards as addresses of pages",
    versions="link",
)
