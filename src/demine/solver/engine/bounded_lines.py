"""Read lines from a pipe that may never end one."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_BLOCK: Final = 1 << 16


class LineTooLong(Exception):
    """Yielded by `read_lines` in place of a line that is too long."""


def read_lines(descriptor: int, longest: int) -> Iterator[str | LineTooLong]:
    r"""Yield the lines of a file descriptor as they come, without their ends, until it is closed.

    A line ends with `\n` or `\r\n`. What is not UTF-8 is replaced. A line of more than `longest`
    bytes is not kept but skipped to its end, and a `LineTooLong` is yielded once in its place.
    """
    rest, skipped = b"", False
    while block := _read_block(descriptor):
        *ended, rest = (rest + block).split(b"\n")
        for line in ended:
            if not skipped:
                yield _decoded(line) if len(line) <= longest else LineTooLong()
            skipped = False
        if len(rest) > longest:
            if not skipped:
                yield LineTooLong()
            rest, skipped = b"", True
    if rest and not skipped:
        yield _decoded(rest)


def _read_block(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, _BLOCK)
    except OSError:
        # The other side has gone, as Windows tells it.
        return b""


def _decoded(line: bytes) -> str:
    return line.rstrip(b"\r").decode("utf-8", "replace")
