"""SQLite pages read without SQLite, to recover what a damaged file still holds.

After "Database File Format" (sqlite.org/fileformat2.html): the header, leaf pages and their cells,
overflow chains, the list of free pages, the write-ahead log and the rollback journal. Every page is
read by itself and no tree is followed, so a lost page costs only its own content.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Final, Self, TypeAlias

from demine.store.errors import WRONG_BYTE, UnusableDatabase

Value: TypeAlias = "int | float | str | bytes | None"
Row: TypeAlias = tuple[int, tuple[Value, ...]]
"""The number of a row (0 in a table without row numbers) and its values."""

HEADER: Final = 100
MAGIC: Final = b"SQLite format 3\0"
_PAGE: Final = 4096
_CONSTANT: Final = {
    **dict(enumerate(MAGIC)),
    20: 0, 21: 64, 22: 32, 23: 32, 44: 0, 45: 0, 46: 0,
    **dict.fromkeys((*range(52, 56), *range(64, 68), *range(72, 92)), 0),
    56: 0, 57: 0, 58: 0,
}  # fmt: skip
"""Bytes of the header that are the same in every database of demine's."""
_TABLE, _INDEX, _INNER_INDEX = 13, 10, 2
_INNER: Final = frozenset({_INNER_INDEX, 5})
_WAL: Final = (0x377F0682, 0x377F0683)
_JOURNAL: Final = bytes.fromhex("d9d505f920a163d7")
_LONGEST: Final = 1 << 27
_WANTED: Final = (2, 4)
"""How many values a row of settings, of events or of the index of ids has; rows of other indexes
are skipped."""
_SIZES: Final = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}


def read_header(path: Path) -> bytes:
    """Return the first 100 bytes of a database file, or all of a shorter one. Raises `OSError`."""
    with path.open("rb") as stream:
        return stream.read(HEADER)


def check_header(header: bytes) -> None:
    """Raise `UnusableDatabase` for a header that SQLite would accept though it must be wrong.

    A flipped bit there makes SQLite write to pages that are in use, or not at all. A header that is
    too short is accepted.
    """
    if len(header) < HEADER:
        return
    for place, wanted in _CONSTANT.items():
        if header[place] != wanted:
            raise UnusableDatabase(WRONG_BYTE, place=place, found=header[place])
    # Zeroes mean the same, and are there while all tables are still in the log.
    for place, allowed in ((47, range(5)), (59, (0, 1)), (18, (1, 2)), (19, (header[18],))):
        if header[place] not in allowed:
            raise UnusableDatabase(WRONG_BYTE, place=place, found=header[place])


class SqlitePages:
    """The pages of a database with its log and rollback journal applied; a context manager.

    Raises `OSError`.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._main = path.open("rb")
        self._log: IO[bytes] | None = None
        self._over: dict[int, tuple[IO[bytes], int]] = {}
        header = self._main.read(HEADER)
        self.size = _likely_page_size(self._main, header)
        length = self._main.seek(0, os.SEEK_END)
        self.count = -(-length // self.size)
        self._files: list[IO[bytes]] = [self._main]
        self._overlay_file("-journal", self._overlay_rollback_journal)
        self._overlay_file("-wal", self._overlay_wal)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for each in self._files:
            each.close()

    def page(self, number: int) -> bytes:
        """Return the bytes of a page, padded with zeroes if it is cut; pages count from 1."""
        stream, place = self._over.get(number, (self._main, (number - 1) * self.size))
        stream.seek(place)
        return stream.read(self.size).ljust(self.size, b"\0")

    def rows(self) -> Iterator[Row]:
        """Yield every readable row of any page in use, in no particular order."""
        free = self._free_pages()
        for number in range(1, self.count + 1):
            if number not in free:
                yield from self._rows_on_page(number)

    # A page

    def _rows_on_page(self, number: int) -> Iterator[Row]:
        page = self.page(number)
        start = HEADER if number == 1 else 0
        kind = page[start]
        if kind in (_TABLE, _INDEX, _INNER_INDEX):
            kinds: tuple[int, ...] = (kind,)
        elif (
            any((kind ^ each).bit_count() == 1 for each in (_TABLE, _INDEX)) and kind not in _INNER
        ):
            kinds = (_TABLE, _INDEX)  # one bit of it has changed
        else:
            return
        for each in kinds:
            head = start + (12 if each in _INNER else 8)
            cells = min(_big_endian(page, start + 3, 2), (self.size - head) // 2)
            for place in range(head, head + 2 * cells, 2):
                row = self._row_at(page, _big_endian(page, place, 2), each)
                if row is not None:
                    yield row

    def _row_at(self, page: bytes, place: int, kind: int) -> Row | None:
        """Return the row in the cell at a byte of the page; None if it cannot be read."""
        try:
            if kind == _INNER_INDEX:
                place += 4
            length, place = _read_varint(page, place)
            num = 0
            if kind == _TABLE:
                num, place = _read_varint(page, place)
            return num, _parse_record(self._read_payload(page, place, length, kind), kind)
        except (IndexError, ValueError, struct.error):
            return None

    def _read_payload(self, page: bytes, place: int, length: int, kind: int) -> bytes:
        most = self.size - 35 if kind == _TABLE else (self.size - 12) * 64 // 255 - 23
        if length <= most:
            if place + length > self.size:
                raise ValueError
            return page[place : place + length]
        if length > min(_LONGEST, self.count * self.size):
            raise ValueError
        least = (self.size - 12) * 32 // 255 - 23
        local = least + (length - least) % (self.size - 4)
        local = local if local <= most else least
        parts, left = [page[place : place + local]], length - local
        following = _big_endian(page, place + local)
        while left > 0:
            if not 1 < following <= self.count:
                raise ValueError
            page = self.page(following)
            following = _big_endian(page, 0)
            parts.append(page[4 : 4 + left])
            left -= len(parts[-1])
        return b"".join(parts)

    def _free_pages(self) -> set[int]:
        """Return the numbers of the free pages; none if their list is damaged."""
        page = self.page(1)
        trunk, count = _big_endian(page, 32), _big_endian(page, 36)
        free: set[int] = set()
        while trunk:
            if not 1 < trunk <= self.count or trunk in free or len(free) >= count:
                return set()
            free.add(trunk)
            page = self.page(trunk)
            leaves = _big_endian(page, 4)
            if leaves > self.size // 4 - 2:
                return set()
            free.update(_big_endian(page, 8 + 4 * each) for each in range(leaves))
            trunk = _big_endian(page, 0)
        return free if len(free) == count else set()

    # Log and rollback journal

    def _overlay_file(self, suffix: str, read: Callable[[IO[bytes]], None]) -> None:
        beside = self._path.with_name(self._path.name + suffix)
        if not beside.is_file():
            return
        try:
            stream = beside.open("rb")
        except OSError:
            return
        self._files.append(stream)
        read(stream)

    def _overlay_wal(self, log: IO[bytes]) -> None:
        """Use the pages of every complete transaction in a write-ahead log."""
        head = log.read(32)
        if len(head) < 32 or _big_endian(head, 0) not in _WAL or _big_endian(head, 8) != self.size:
            return
        order = ">" if _big_endian(head, 0) & 1 else "<"
        sums = _wal_checksum(head[:24], (0, 0), order)
        if sums != struct.unpack(">II", head[24:32]):
            return
        place, waiting = 32, dict[int, tuple[IO[bytes], int]]()
        while True:
            frame = log.read(24 + self.size)
            if len(frame) < 24 + self.size or frame[8:16] != head[16:24]:
                return
            sums = _wal_checksum(frame[24:], _wal_checksum(frame[:8], sums, order), order)
            if sums != struct.unpack(">II", frame[16:24]):
                return
            waiting[_big_endian(frame, 0)] = log, place + 24
            place += len(frame)
            size = _big_endian(frame, 4)
            if size:
                self._over |= waiting
                waiting.clear()
                self.count = size

    def _overlay_rollback_journal(self, journal: IO[bytes]) -> None:
        """Undo the changes of a transaction that never ended, from its rollback journal."""
        head = journal.read(28)
        if len(head) < 28 or head[:8] != _JOURNAL:
            return
        records, nonce, pages, sector, size = struct.unpack(">5I", head[8:28])
        if size != self.size or not 512 <= sector <= 65536:
            return
        place = sector
        for _ in range(min(records, 1 << 20)):
            journal.seek(place)
            record = journal.read(8 + size)
            if len(record) < 8 + size:
                return
            content = record[4:-4]
            total = nonce + sum(content[each] for each in range(size - 200, 0, -200))
            if total & 0xFFFFFFFF != _big_endian(record, 4 + size):
                return
            self._over.setdefault(_big_endian(record, 0), (journal, place + 4))
            place += len(record)
        self.count = pages


def _wal_checksum(content: bytes, before: tuple[int, int], order: str) -> tuple[int, int]:
    """Return the running checksum of a write-ahead log."""
    one, two = before
    words = struct.unpack(f"{order}{len(content) // 4}I", content)
    for first, second in zip(words[::2], words[1::2], strict=True):
        one = (one + first + two) & 0xFFFFFFFF
        two = (two + second + one) & 0xFFFFFFFF
    return one, two


def _declared_page_size(header: bytes) -> int:
    size = _big_endian(header, 16, 2)
    return 65536 if size == 1 else size


def _likely_page_size(stream: IO[bytes], header: bytes) -> int:
    """Return the page size: the header's if it is plausible, else 4096."""
    said = _declared_page_size(header) if len(header) == HEADER else 0
    sizes = {said, _PAGE} if said in {1 << bits for bits in range(9, 17)} else {_PAGE}

    def trees(size: int) -> int:
        """Count how many of the first pages would begin as pages of a tree do."""
        found = 0
        for number in range(1, 65):
            stream.seek(number * size)
            found += stream.read(1) in (b"\2", b"\5", b"\x0a", b"\x0d")
        return found

    return max(sizes, key=lambda size: (trees(size), size == said))


def _big_endian(content: bytes, place: int, size: int = 4) -> int:
    return int.from_bytes(content[place : place + size])


def _read_varint(content: bytes, place: int) -> tuple[int, int]:
    """Return a number of one to nine bytes, and the index after it."""
    value = 0
    for _ in range(8):
        byte = content[place]
        place += 1
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, place
    value = value << 8 | content[place]
    return value - (1 << 64) if value >> 63 else value, place + 1


def _parse_record(payload: bytes, page: int) -> tuple[Value, ...]:
    """Return the values of a record; raises ValueError if it is invalid."""
    end, place = _read_varint(payload, 0)
    if not 0 < end <= len(payload):
        raise ValueError
    kinds = []
    while place < end:
        kind, place = _read_varint(payload, place)
        kinds.append(kind)
    if page != _TABLE and len(kinds) not in _WANTED:
        raise ValueError
    values: list[Value] = []
    for kind in kinds:
        value, place = _parse_value(payload, place, kind)
        values.append(value)
    if place != len(payload):
        raise ValueError
    return tuple(values)


def _parse_value(payload: bytes, place: int, kind: int) -> tuple[Value, int]:
    if kind in (8, 9):
        return kind - 8, place
    if kind in (0, 10, 11) or kind < 0:
        if kind:
            raise ValueError
        return None, place
    size = 8 if kind == 7 else _SIZES[kind] if kind < 7 else (kind - 12) // 2
    content = payload[place : place + size]
    if len(content) < size:
        raise ValueError
    place += size
    if kind == 7:
        return float(struct.unpack(">d", content)[0]), place
    if kind < 7:
        return int.from_bytes(content, signed=True), place
    return (content.decode() if kind % 2 else content), place
