"""More files of other programs, put together byte by byte from what is known of their layout."""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tests.replay.builders import CLICKS, Line, mines

VIENNA_CLICKS: tuple[Line, ...] = (
    (0, 3, 9, 41),
    *((t - 260, code, x, y) for t, code, x, y in CLICKS[3:]),
)
"""As `CLICKS`, from the release on that opens the first cell."""


class Vienna(NamedTuple):
    """What a file of Viennasweeper says."""

    version: int = 2
    board: NDArray[np.bool_] = mines()
    clone: tuple[int, int] = (1, 5)
    result: bytes = b"\nLEVEL:Custom#SCORE:2.24#NAME:Ada#NICK:al#3BV:9#NF:0#TIMESTAMP:1#\n"
    program: bytes = b"Vienna Minesweeper - Release 5.0 Copyright (C) 2008"
    people: Sequence[bytes] = ("小雷".encode(), b"nick", b"CN", b"G1")
    made: int = 1723313188
    flags: Sequence[tuple[int, int]] | None = ((3, 0),)
    """Columns and rows; None: no such section."""
    properties: bytes | None = None
    extensions: Mapping[bytes, bytes] | None = None
    lines: Sequence[Line] = VIENNA_CLICKS
    events: bytes | None = None
    ending: int = 17
    ms: int = 2240
    rest: bytes = b"\0\xff\0\x08\xc0"
    checksum: bytes = bytes(range(18))

    def data(self) -> bytes:
        """The file."""
        height, width = self.board.shape
        places = b"".join(bytes((col, row)) for row, col in np.argwhere(self.board))
        board = struct.pack(">IBBH", self.made, width, height, len(places) // 2) + places
        flags = b"" if self.flags is None else _counted([bytes(flag) for flag in self.flags])
        extensions = _counted(
            [_short(name) + _short(said) for name, said in self._extensions().items()]
        )
        sections = [
            self.result,
            self.program,
            _counted([_short(text) for text in self.people]),
            board,
            flags,
            self._properties(),
            extensions,
        ]
        if self.version == 1:
            sections.pop()
        else:
            sections.pop(0)
        events = self._events() + bytes((self.ending,)) + self.ms.to_bytes(3, "big") + self.rest
        sizes = b"".join(struct.pack(">H", len(section)) for section in sections)
        sizes += struct.pack(">IH", len(events), len(self.checksum))
        body = sizes + b"".join(sections) + events + self.checksum
        begin = b"*rmv" + struct.pack(">H", self.version)
        begin += bytes(self.clone) if self.version == 2 else b""
        return begin + struct.pack(">I", len(begin) + 4 + len(body)) + body

    def _properties(self) -> bytes:
        if self.properties is not None:
            return self.properties
        return bytes((0, 0, 5, 3, 9, 0, 16)) if self.version == 2 else bytes((0, 0, 1, 3, 1))

    def _extensions(self) -> Mapping[bytes, bytes]:
        return {b"vsweep_skin_fname": b"24px.bmp"} if self.extensions is None else self.extensions

    def _events(self) -> bytes:
        if self.events is not None:
            return self.events
        return b"".join(vienna_event(*line, version=self.version) for line in self.lines)


def vienna_event(t: int, signal: int, x: int, y: int, version: int = 2, held: int = 0) -> bytes:
    """One event of the mouse in full."""
    if version == 1:
        x, y = x + 12, y + 56
    point = struct.pack(">HH", x & 0xFFFF, y & 0xFFFF)
    return bytes((signal,)) + t.to_bytes(3, "big") + bytes((held,)) + point


def _counted(parts: Sequence[bytes]) -> bytes:
    return struct.pack(">H", len(parts)) + b"".join(parts)


def _short(text: bytes) -> bytes:
    return bytes((len(text),)) + text


def old_vienna(**said: Any) -> bytes:
    """A file of Viennasweeper before RMV: as version 1, but for what it begins with."""
    made: dict[str, Any] = {"version": 1, "result": b"", "checksum": b""}
    data = Vienna(**(made | said)).data()
    return b"*umf" + data[4:10] + data[12:26] + b"\n\n" + data[28:]


VIENNA_BOARD = bytes((28, 5, 0x1F, 9, 0, 1, 20, 1, 0, 28, 7, 0x0E, 13, 3, 0))
"""A small step, a pressed cell, a number, another step, a flag."""


class Raw(NamedTuple):
    """What a RawVF file says."""

    options: Sequence[str] = (
        "RawVF_Version: Rev6.1", "Program: Minesweeper Clone", "Version: 0.97 beta",
        "Player: 小雷", "Level: Custom", "Width: 4", "Height: 5", "Mines: 4", "Marks: Off",
        "Time: 2.240", "BBBV: 9", "Status: nonstandard", "Timestamp: 1723313188", "Mode: UPK",
        "Style: FL",
    )  # fmt: skip
    board: Sequence[str] = ("*00*", "0000", "00*0", "0000", "*000")
    lines: Sequence[Line] = CLICKS
    extra: Sequence[str] = ("number1 1 3", "2.50 sx 3", "flag 3 3")
    end: str = "\n"

    def data(self) -> bytes:
        """The file."""
        events = [raw_line(*line) for line in self.lines]
        text = [*self.options, "Board:", *self.board, "Events:", "0.000 start", *events]
        return self.end.join([*text, *self.extra, ""]).encode()


_RAW: Mapping[int, str] = {
    1: "mv", 2: "lc", 3: "lr", 4: "rc", 5: "rr", 6: "mc", 7: "mr", 10: "sc",
}  # fmt: skip


def raw_line(t: int, signal: int, x: int, y: int) -> str:
    """One event of the mouse."""
    time = f"{'-' if t < 0 else ''}{abs(t) // 1000}.{abs(t) % 1000:03}"
    return f"{time} {_RAW[signal]} {x // 16 + 1} {y // 16 + 1} ({x} {y})"


def clone_permutation(key: int, size: int) -> list[tuple[int, int]]:
    """Byte and bit of each logical bit, straight from the description."""
    n1, n2 = math.sqrt(key), math.sqrt(key + 1000)
    n3, n4 = math.sqrt(n1 + 1000), math.sqrt(n2 + 1000)
    waves = [math.cos(n3 + 1000), math.sin(math.sqrt(n2)), math.cos(n3)]
    waves += [math.sin(math.sqrt(n1) + 1000), math.cos(n4), math.sin(n4)]
    text = "".join(f"{round(abs(wave) * 1e8):08}" for wave in waves[:size])
    return [
        (place // 8, place % 8)
        for digit in "0123456789"
        for place in range(8 * size)
        if text[place] == digit
    ]


State = tuple[int, int, int, str]
"""Milliseconds, x, y, and the buttons that are down, as letters of `lmr`."""
STATES: tuple[State, ...] = (
    (0, 9, 41, "l"), (10, 9, 41, ""), (300, 30, 60, ""), (480, 40, 40, "r"), (560, 41, 40, ""),
    (930, 24, 40, "lr"), (990, 24, 40, "l"), (1010, 24, 40, ""), (1200, 24, 40, "m"),
    (2500, 23, 40, ""),
)  # fmt: skip


class Clone(NamedTuple):
    """What a file of Clone says; `year` 5 is 0.97, 6 and 7 are 2006 and 2007, 0 is older."""

    year: int = 5
    board: NDArray[np.bool_] = mines()
    key: int = 40_000
    mode: int = 3
    day: int = 26
    marks: int = 1
    player: bytes = b"Ada"
    states: Sequence[State] = STATES
    tail: str = "0.96"

    def data(self) -> bytes:
        """The file."""
        height, width = self.board.shape
        one = 1 if self.year else 0
        places = bytes(
            int(value) + one for row, col in np.argwhere(self.board) for value in (col, row)
        )
        board = struct.pack(">BBH", width, height, len(places) // 2) + places
        if not self.year:
            return board + self._oldest()
        date = struct.pack(">BBHBBBBB", 1, self.day, 2008, 0, 40, 32, 4, self.mode)
        if self.year == 5:
            date += struct.pack(">HBHHHHH", 2, 50, 9, 9, 1, 2, 3)
            head = b"\x11Minesweeper Clone\t2004-2005".ljust(74, b".")
        else:
            date += (2500).to_bytes(3, "big")
            head = b"\x11Minesweeper Clone\t2004-200%d" % self.year
            head = (head.ljust(53, b".") + b"\x0cversion 2007").ljust(71, b".")
        assert head[27] == ord("0") + self.year
        events = b"".join(self._packed(state) for state in self.states)
        body = bytes((self.marks,)) + board + bytes((len(self.player),)) + self.player
        return head + date + body + struct.pack(">H", self.key) + self._many() + events

    def _many(self) -> bytes:
        return len(self.states).to_bytes(3, "big")

    def _packed(self, state: State) -> bytes:
        t, x, y, held = state
        logical = [letter in held for letter in "rml"]
        if self.year == 5:
            size, fields = 5, ((y, 9), (x, 9), (t // 10 % 100, 7), (t // 1000, 10))
        else:
            size, fields = 6, ((y + 32, 11), (x + 32, 11), (t, 22), (0, 1))
        for value, count in fields:
            logical += [bool(value >> bit & 1) for bit in range(count)]
        out = bytearray(size)
        for (byte, bit), value in zip(clone_permutation(self.key, size), logical, strict=False):
            out[byte] |= value << bit
        return bytes(out)

    def _oldest(self) -> bytes:
        events = b""
        for t, x, y, held in self.states:
            buttons = sum(1 << "lmr".index(letter) for letter in held)
            events += struct.pack(">BBBHHB", t // 1000, t // 10 % 100, buttons, x, y, 0)
        score = struct.pack(">HB", self.states[-1][0] // 1000, self.states[-1][0] // 10 % 100)
        end = {
            "0.96": self.player.ljust(100) + b"\0" + b"1" * 20 + b"\0",
            "0.76": self.player.ljust(100) + b"1" * 10,
            "0.75": b"1" * 10,
        }[self.tail]
        return bytes((self.marks, 7)) + events + score + end


def beginner() -> NDArray[np.bool_]:
    """A board that the oldest files may have."""
    board = np.zeros((8, 8), np.bool_)
    board.flat[[0, 3, 12, 14, 31, 40, 41, 50, 60, 63]] = True
    return board


BOARD = """# MINESWEEPER-BOARD v0.1
# Render: ascii

author: Ada
comment: a: b
rows: 2
columns: 3
mines: 1
game_mode: classic

[real]
*10
110

[view]
U10
UUU
"""


def more() -> dict[str, bytes]:
    """One file of each of these formats and versions, by name."""
    return {
        "rmv1": Vienna(version=1, rest=b"\0\0\0\x08\xc0").data(),
        "rmv2": Vienna().data(),
        "rmv2-board": Vienna(
            events=vienna_event(*VIENNA_CLICKS[0]) + VIENNA_BOARD, flags=None, checksum=b""
        ).data(),
        "umf": old_vienna(),
        "rawvf": Raw().data(),
        "mvf097": Clone().data(),
        "mvf2007": Clone(year=7).data(),
        "mvf096": Clone(year=0, board=beginner()).data(),
        "mvf075": Clone(year=0, board=beginner(), tail="0.75").data(),
        "mbf": b"\4\5\0\2\0\0\3\4",
        "ptta": b"https://pttacgfans.github.io/Minesweeper-ZiNi-Calculator/?b=45&m=g401",
        "board": BOARD.encode(),
    }
