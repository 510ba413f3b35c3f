"""Files of other programs, put together byte by byte: what readers are held to without samples."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from demine.statistics.recording_type import Recording

Line = tuple[int, int, int, int]
"""Milliseconds, signal of a mouse as in EVF, x, y."""

ROWS = ("*..*", "....", "..*.", "....", "*...")
"""A board of 5 rows and 4 columns with 4 mines."""
CLICKS: tuple[Line, ...] = (
    (0, 1, 40, 20),
    (120, 2, 8, 40),
    (260, 3, 9, 41),
    (300, 1, 30, 60),
    (480, 4, 40, 40),
    (560, 5, 41, 40),
    (930, 2, 24, 40),
    (950, 4, 24, 40),
    (990, 3, 24, 40),
    (1010, 5, 24, 40),
    (2500, 1, 3, 3),
)
"""Opens a cell, flags one, tries a chord."""


def mines(rows: Sequence[str] = ROWS) -> NDArray[np.bool_]:
    """The mine map of rows of text."""
    return np.array([[cell == "*" for cell in row] for row in rows], np.bool_)


class Arbiter(NamedTuple):
    """What a file of Arbiter says."""

    board: NDArray[np.bool_] = mines()
    level: int = 6
    version: int = 52
    stretch: bytes = b"\x05\x06\x07\x00\x00\x00\x00\x08\x1e\x0a"
    marks: int = 127
    stamp: bytes = b"[3|W4H5M4|7.12.2021.22:32:04:9990|7.22:33:19:6648|B9T3.51]"
    digits: bytes = b"\x0c\x03\x09\x04\x07"
    lines: Sequence[Line] = CLICKS
    between: bytes = b"\x01\x00\x00\x00\x00\x00\x00\x00" * 5 + b"2470100\r"
    checksum: bytes = bytes(range(16))
    """Of FreeSweeper's files thousandths of seconds, a byte for each event, and what follows."""
    real_time: bytes = b"RealTime: 2.50\r"
    player: bytes = b"Ada"
    program: bytes = b"Minesweeper Arbiter 0.52.3. Copyright \xa9 2005"

    def data(self) -> bytes:
        """The file."""
        height, width = self.board.shape
        count = int(self.board.sum())
        head = bytes((self.version, 1, 2, 3, 4, self.level))
        if self.level == 6:
            head += bytes((width - 1, height - 1)) + struct.pack(">H", count)
        places = bytes(int(value) + 1 for place in np.argwhere(self.board) for value in place)
        begin = self.stretch + bytes((self.marks, 55)) + self.stamp + self.digits
        tail = b"cs=" + self.checksum + b"\r" + self.real_time + b"Skin: 3.1\r" + self.player
        tail += b"\r" + self.program
        events = b"".join(arbiter_event(*line) for line in self.lines)
        return head + places + begin + events + self.between + tail


ARBITER = {1: 1, 2: 3, 3: 5, 4: 9, 5: 17, 6: 33, 7: 65}
"""Arbiter's number of each event of a mouse."""


def arbiter_event(t: int, signal: int, x: int, y: int) -> bytes:
    """One event; negative signals are Arbiter's own numbers."""
    seconds, rest = divmod(t + 1000, 1000)
    x, y = x & 0xFFFF, y & 0xFFFF
    kind = ARBITER[signal] if signal > 0 else -signal
    return bytes((
        kind, x >> 8, seconds & 255, x & 255, rest // 10, y >> 8, seconds >> 8, y & 255,
    ))  # fmt: skip


class Meta(NamedTuple):
    """What a file of Metasweeper says."""

    version: int = 3
    board: NDArray[np.bool_] = mines()
    summary: int = 0xB0
    settings: int = 0
    cell: int = 16
    mode: int = 5
    bv: int = 9
    ms: int = 2500
    program: bytes = "元3.1.9".encode()
    made: tuple[bytes, bytes] | None = None
    player: bytes = "小雷".encode()
    token: bytes = b"G1"
    identifier: bytes = b"id"
    started: int = 1723313188971031
    ended: int = 1723313192767449
    country: bytes = b"CN"
    device: bytes = b"0123"
    lines: Sequence[Line] = CLICKS
    events: bytes | None = None
    names: Sequence[bytes] = ()
    checksum: bytes | None = bytes(range(32))

    def data(self) -> bytes:
        """The file."""
        height, width = self.board.shape
        head = bytes((self.version, self.summary | (8 if self.made else 0)))
        head += bytes((self.settings,)) * (self.version > 2) + bytes((height, width))
        head += struct.pack(">HBHH", int(self.board.sum()), self.cell, self.mode, self.bv)
        bits = np.packbits(self.board).tobytes()
        return self._new(head, bits) if self.version == 4 else self._old(head, bits)

    def _old(self, head: bytes, bits: bytes) -> bytes:
        texts = [self.program, self.player, self.token, self.identifier]
        texts += [b"%d" % self.started, b"%d" % self.ended, self.country]
        texts += [self.device] * (self.version > 1)
        made = b"".join(
            struct.pack(">II", code << 24 | t, x << 16 | y) for t, code, x, y in self.lines
        )
        end = b"\xff" if self.checksum is None else b"\0" + self.checksum
        head += self.ms.to_bytes(3, "big") + b"".join(text + b"\0" for text in texts)
        return head + bits + (made if self.events is None else self.events) + end

    def _new(self, head: bytes, bits: bytes) -> bytes:
        head += struct.pack(">I2sQQ", self.ms, self.country, self.started, self.ended)
        texts = [self.program, *(self.made or ()), self.player, self.token, self.identifier]
        head += b"".join(text + b"\0" for text in texts)
        head += struct.pack(">H", len(self.device)) + self.device + bits
        head += struct.pack(">H", len(self.names)) + b"".join(name + b"\0" for name in self.names)
        made = records(self.lines) if self.events is None else self.events
        check = self.checksum or b""
        return head + made + b"\0" + struct.pack(">H", len(check)) + check


def records(lines: Sequence[Line]) -> bytes:
    """Events of the mouse as version 4 has them."""
    out, before = b"", (0, 0, 0, 0)
    for line in lines:
        wait = line[0] - before[0]
        if wait > 255:
            out += b"\xff" + struct.pack(">H", wait)
            wait = 0
        out += struct.pack(">BBhh", line[1], wait, line[2] - before[2], line[3] - before[3])
        before = line
    return out


def sitting(games: Sequence[bytes], length: int = 4) -> bytes:
    """An EVFS file."""
    parts = [b"\0" + struct.pack(">H", length)]
    for number, game in enumerate(games):
        parts += [b"game-%d\0" % number, struct.pack(">I", len(game)), game, b"Z" * length]
    return b"".join(parts)


def corridors() -> Recording:
    """Columns of openings between walls of mines, all opened; more than 4,096 cells."""
    board = np.zeros((70, 73), np.bool_)
    board[:, ::4] = True
    lines = [
        (n, code, 16 * col + 8, 24) for n, col in enumerate(range(2, 73, 4)) for code in (2, 3)
    ]
    t, signal, x, y = np.array(lines).T
    return Recording(board, t, signal.astype(np.uint8), x.astype(np.int32), y.astype(np.int32))


def free(thousandths: Sequence[int] = range(len(CLICKS)), **said: Any) -> bytes:
    """A file of FreeSweeper."""
    stamp = b"[3|W4H5M4|7.12.2021.22:32:04:9990|7.22:33:19:6648|B9T2.240]"
    made: dict[str, Any] = {
        "version": 0, "stamp": stamp, "player": b"Ada <ada>", "program": b"FreeSweeper R10",
        "checksum": bytes(each % 10 + 64 for each in thousandths) + bytes(17) + b"rest",
    }  # fmt: skip
    data = Arbiter(**(made | said)).data()
    return bytes((0, 10, 0)) + data[3:]


def every() -> dict[str, bytes]:
    """One file of each format and version, by name."""
    from tests.replay.others import more

    found = {"avf": Arbiter().data(), "fsvf": free()}
    found |= {f"evf{version}": Meta(version=version).data() for version in range(5)}
    board = bytes((101, 0, 1, 0)) + bytes((111, 3, 0, 3)) + bytes((82, 1))
    found["evf4-board"] = Meta(version=4, events=records(CLICKS[:3]) + board).data()
    found["evfs"] = sitting([found["evf3"], found["evf4"]])
    return found | more()
