"""Standard output and standard error, where nothing but the program itself moves a cursor.

Whatever is said on either, by a verb, by a library or by Python at its end, goes through one
stream that makes it inert. The program's own colours and lines that are redrawn go beside it.
"""

from __future__ import annotations

import codecs
import os
import re
import sys
from contextlib import contextmanager
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any, Final, TextIO, cast

from demine.logic.sanitize import escape_control_characters

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_COLOURS: Final = re.compile(r"(\x1b\[[\d;]*m)")


class _InertStream:
    """A text stream that makes inert what is written to it."""

    def __init__(self, bare: TextIO) -> None:
        self.bare = bare

    def write(self, text: str) -> int:
        """Write text and return its length."""
        self.bare.write(escape_control_characters(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write texts one after the other."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - as the stream has it
        return getattr(self.bare, name)


def make_output_inert() -> None:
    """Make inert what this process says from here on."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None or isinstance(stream, _InertStream):
            continue
        if isinstance(stream, TextIOWrapper) and _is_ascii(stream):
            # Click would write UTF-8 instead, and go round this stream for it.
            stream.reconfigure(encoding="utf-8")
        setattr(sys, name, _InertStream(stream))


def _is_ascii(stream: TextIOWrapper) -> bool:
    return codecs.lookup(stream.encoding).name == "ascii"


def replace_unprintable_characters() -> None:
    """Let a terminal or file that knows no Chinese have question marks rather than an error.

    Where a program is started without an output, what it says goes nowhere.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115
    for stream in (bare_stream(sys.stdout), bare_stream(sys.stderr)):
        if isinstance(stream, TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="replace")


def bare_stream(stream: TextIO) -> TextIO:
    """Return the stream that takes the program's own control sequences."""
    return stream.bare if isinstance(stream, _InertStream) else stream


def inert_but_colours(text: str) -> str:
    """Return text for a bare stream: of all that acts on a terminal only colours stay."""
    parts = _COLOURS.split(text)
    return "".join(
        part if place % 2 else escape_control_characters(part) for place, part in enumerate(parts)
    )


def write_file_bytes(data: bytes) -> None:
    """Write what is in a format of files to standard output.

    A file or a pipe gets every byte; at a terminal, where people only look at it, it is inert.
    """
    if sys.stdout.isatty():
        sys.stdout.write(escape_control_characters(data.decode("utf-8", "surrogateescape")))
    else:
        sys.stdout.buffer.write(data)
    sys.stdout.flush()


@contextmanager
def file_text_output() -> Iterator[TextIO]:
    """Yield what takes text in a format of files for standard output, as `write_file_bytes` does.

    It is UTF-8 wherever it goes, whatever the terminal speaks.
    """
    if sys.stdout.isatty():
        yield cast("TextIO", _InertStream(bare_stream(sys.stdout)))
        return
    stream = TextIOWrapper(sys.stdout.buffer, "utf-8", newline="\n")
    yield stream
    stream.detach()
