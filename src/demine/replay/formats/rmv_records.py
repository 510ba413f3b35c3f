"""The records of RMV files: where each of them begins, before anybody asks what they say."""

from __future__ import annotations

import re
from array import array
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

import numpy as np

from demine.replay.errors import Flaw

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demine.replay.byte_reader import Reader

STEP: Final = 28
"""A small movement of the mouse: `u8 ms, i4 x, i4 y` after the event before it."""
_MOUSE: Final = 7
"""The codes of the mouse in full are 1 to 7, which are the numbers of `Signal` too."""
_CLOCK: Final = 0
"""A new date and time, in very old files: `u32`."""
_SHORT: Final = (*range(9, 15), *range(18, 28), STEP)
_SIZES: Final = tuple(
    9 if 1 <= code <= _MOUSE else 3 if code in _SHORT else 5 * (code == _CLOCK)
    for code in range(256)
)
"""How long each record is; 0 for what ends the list or is none."""
_STOPS: Final = bytes(size not in {3, 9} for size in _SIZES)
_OTHERS: Final = re.compile(
    rb"(?:[\x01-\x07].{8}|[" + b"".join(b"\\x%02x" % code for code in _SHORT) + rb"].{2})++",
    re.DOTALL,
)
_CLOCKS: Final = re.compile(rb"(?:\x00.{4})++", re.DOTALL)

# NumPy takes arrays without dimensions in half the time of Python's numbers, and what is left to do
# for a file of usual length is dozens of steps that take no longer than such a number does.
_ONE: Final = np.array(1, np.uint8)
_SEVEN: Final = np.array(_MOUSE, np.uint8)
_EIGHT: Final = np.array(_MOUSE + 1, np.uint8)
_STEP: Final = np.array(STEP, np.uint8)
_BITS: Final = np.array(8)
_TRIPLET: Final = np.dtype("V3")
_PAIR: Final = np.dtype("<u2")
_READ, _NUMBER = np.dtype(">u8"), np.dtype("<u8")


class Records(NamedTuple):
    """The records, three or nine bytes each, as triplets of bytes."""

    data: bytes
    """Bytes in which they stand without the records of the clock."""
    begin: int
    """The byte of these where the first one is."""
    first: int
    """The byte of the file where the first one is."""
    events: NDArray[np.bool_]
    """Which triplets begin an event of the mouse: all records but those of the board."""
    has_steps: bool
    """Whether there may be small movements among them."""
    places: NDArray[np.intp]
    """Where all but these begin; without small movements all but the records of nine bytes.

    The last is the triplet of what ends them."""
    said: NDArray[np.uint8]
    """The codes of these."""
    full: NDArray[np.bool_]
    """Which of these are records of nine bytes; and the last."""
    end: int
    """The byte of the file where what ends them is."""
    clocks: NDArray[np.int64]
    """How many bytes, without these, stand before each record of the clock, which are left out."""

    def board(self) -> tuple[NDArray[np.intp], bytes]:
        """Return the triplets that say what the board did, and their bytes."""
        did = self.places.take((~self.full).nonzero()[0])
        every = np.ndarray(self.events.shape, _TRIPLET, self.data, self.begin)
        return did, every.take(did).tobytes()

    def numbers(self, starts: NDArray[np.intp]) -> NDArray[np.uint64]:
        """Return what stands behind the codes of records of nine bytes, as one number each."""
        every = np.ndarray((self.events.size - 2,), _READ, self.data, self.begin + 1, (3,))
        return every[starts].astype(_NUMBER)

    def pairs(self, which: NDArray[np.bool_]) -> NDArray[np.uint16]:
        """Return what stands behind the codes of records of three bytes, the first one low."""
        every = np.ndarray(self.events.shape, _PAIR, self.data, self.begin + 1, (3,))
        return every[which]

    def rows(self) -> NDArray[np.void]:
        """Return all records of nine bytes, if there are no small movements."""
        # They are copied a run at a time, which is why no list of places is made of them.
        rows = np.ones(self.events.size, np.bool_)
        rows[self.places[:-1]] = False
        every = np.ndarray(rows.shape, _TRIPLET, self.data, self.begin)
        return every[rows].view("V9")

    def byte(self, triplet: int) -> int:
        """Return the byte of the file where a triplet begins."""
        found = 3 * triplet
        return self.first + found + 5 * int(np.searchsorted(self.clocks, found, "right"))


_NO_CLOCKS: Final = np.empty(0, np.int64)


def find(reader: Reader, version: int) -> Records:
    """Return the records."""
    data, begin = reader.data, reader.at
    found = _find_triplets(data, begin, version)
    if found is None:
        raise reader.error(Flaw("the events do not end"), at=len(data))
    end = begin + 3 * found[0].size
    if data[end] == _CLOCK and version == 1:
        return _find_among_clocks(reader)
    return Records(data, begin, begin, *found, end, _NO_CLOCKS)


_Found: TypeAlias = (
    "tuple[NDArray[np.bool_], bool, NDArray[np.intp], NDArray[np.uint8], NDArray[np.bool_]]"
)


def _find_triplets(data: bytes, begin: int, version: int) -> _Found | None:
    """Return what `Records` tells of the triplets up to the end of the list.

    None if nothing ends the list.
    """
    count = (len(data) - begin + 2) // 3
    codes = np.ndarray((count,), np.uint8, data, begin, (3,)).copy()
    mouse = codes - _ONE < _SEVEN
    events = _begins(mouse)
    steps = version > 1 and STEP in codes.tobytes()
    places = (events & (codes != _STEP) if steps else events > mouse).nonzero()[0]
    said = codes.take(places)
    last = said.tobytes().translate(_STOPS).find(1)
    if last < 0:
        return None
    places, said = places[: last + 1], said[: last + 1]
    full = said < _EIGHT
    full[-1] = True
    events[places] = full
    return events[: places[-1]], steps, places, said, full


def _begins(mouse: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which triplets begin a record, by which would begin one of nine bytes."""
    # All records but those of the clock are three bytes or three times three, so the question is
    # which of the triplets begin one. That hangs on a chain from the first on; but any two short
    # triplets in a row end whatever was begun, so most stretches of eight know by themselves how
    # many of the next are to be skipped.
    packed = np.packbits(mouse)
    chain = _chain()
    stretches = packed.tobytes()
    skips = bytearray(b"\0" + stretches.translate(chain.certain))
    place = skips.find(_OPEN)
    while place >= 0:
        skips[place] = chain.goes_on[skips[place - 1]][stretches[place - 1]]
        place = skips.find(_OPEN, place)
    keys = np.frombuffer(skips, np.uint8)[:-1].astype(np.intp)
    keys <<= _BITS
    keys |= packed
    return chain.begins.take(keys).view(np.bool_)[: mouse.size]


_OPEN: Final = 255


class _Chain(NamedTuple):
    """What eight triplets come to, whose long ones are the bits of a byte."""

    certain: bytes
    """How many of the next are to be skipped, by the byte alone, or `_OPEN`."""
    goes_on: tuple[bytes, ...]
    """The same by how many are skipped first, and the byte."""
    begins: NDArray[np.uint64]
    """Which of them begin a record, a byte each, by both as one number."""


@cache
def _chain() -> _Chain:
    goes_on = [bytearray(256) for _ in range(3)]
    begins = np.zeros((3 << 8, 8), np.uint8)
    for key in range(3 << 8):
        skip = key >> 8
        for place in range(8):
            if skip:
                skip -= 1
                continue
            begins[key, place] = 1
            if key & 128 >> place:
                skip = 2
        goes_on[key >> 8][key & 255] = skip
    alike = zip(*goes_on, strict=True)
    certain = bytes(each[0] if each[0] == each[1] == each[2] else _OPEN for each in alike)
    return _Chain(certain, tuple(map(bytes, goes_on)), begins.view(np.uint64).reshape(-1))


def _find_among_clocks(reader: Reader) -> Records:
    """Do the same where records of five bytes are among them, which are left out."""
    at, data = reader.at, reader.data
    parts, clocks, length = [], array("q"), 0
    while True:
        run = _OTHERS.match(data, at)
        if run is not None:
            parts.append(run[0])
            length += len(run[0])
            at = run.end()
        found_clocks = _CLOCKS.match(data, at)
        if found_clocks is None:
            break
        begin, at = at, found_clocks.end()
        clocks.extend([length] * ((at - begin) // _SIZES[_CLOCK]))
    if at >= len(data) or _SIZES[data[at]]:
        raise reader.error(Flaw("the events do not end"), at=len(data))
    whole = b"".join((*parts, data[at : at + 1]))
    found = _find_triplets(whole, 0, 1)
    if found is None:  # pragma: no cover - it ends where the walk ended
        raise reader.error(Flaw("the events do not end"), at=len(data))
    return Records(whole, 0, reader.at, *found, at, np.frombuffer(clocks, np.int64))
