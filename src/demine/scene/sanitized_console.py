"""Standard output and standard error, safe from control sequences in foreign text.

Whatever is printed, by a verb, by a library or by Python as it exits, goes through a stream that
escapes its control characters (`demine.logic.sanitize`). The program's own colours and redrawn
lines bypass that stream.
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


class _EscapingStream:
    """A text stream that escapes the control characters of whatever is written to it."""

    def __init__(self, bare: TextIO) -> None:
        self.bare = bare

    def write(self, text: str) -> int:
        """Write text, escaped; return the length of the original."""
        self.bare.write(escape_control_characters(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write texts one after another."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - as the stream has it
        return getattr(self.bare, name)


def sanitize_output() -> None:
    """Escape control characters in all further output to standard output and standard error."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None or isinstance(stream, _EscapingStream):
            continue
        if isinstance(stream, TextIOWrapper) and _is_ascii(stream):
            # Otherwise Click would write UTF-8 itself, bypassing this stream.
            stream.reconfigure(encoding="utf-8")
        setattr(sys, name, _EscapingStream(stream))


def _is_ascii(stream: TextIOWrapper) -> bool:
    return codecs.lookup(stream.encoding).name == "ascii"


def replace_unprintable_characters() -> None:
    """Print question marks, instead of failing, where an encoding has no Chinese.

    Where the program was started without an output, anything printed is discarded.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115
    for stream in (raw_stream(sys.stdout), raw_stream(sys.stderr)):
        if isinstance(stream, TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="replace")


def raw_stream(stream: TextIO) -> TextIO:
    """Return the stream to which the program writes its own control sequences."""
    return stream.bare if isinstance(stream, _EscapingStream) else stream


def escape_except_colours(text: str) -> str:
    """Return text for `raw_stream`: of all control sequences, only colours are kept."""
    parts = _COLOURS.split(text)
    return "".join(
        part if place % 2 else escape_control_characters(part) for place, part in enumerate(parts)
    )


def write_bytes_to_stdout(data: bytes) -> None:
    """Write the contents of a file to standard output.

    A file or a pipe gets exactly these bytes; on a terminal control characters are
    escaped.
    """
    if sys.stdout.isatty():
        sys.stdout.write(escape_control_characters(data.decode("utf-8", "surrogateescape")))
    else:
        sys.stdout.buffer.write(data)
    sys.stdout.flush()


@contextmanager
def stdout_text_stream() -> Iterator[TextIO]:
    """Yield a stream that writes the text of a file to standard output.

    A file or a pipe gets UTF-8 in any locale; on a terminal control characters are escaped.
    """
    if sys.stdout.isatty():
        yield cast("TextIO", _EscapingStream(raw_stream(sys.stdout)))
        return
    stream = TextIOWrapper(sys.stdout.buffer, "utf-8", newline="\n")
    yield stream
    stream.detach()
