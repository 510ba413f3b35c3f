"""Files that hold no game or board, told for what they are, so that an error can say so.

One table for every verb and every window that opens files.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from demine.logic.errors import TextError, mark
from demine.scene.pasted_diagram import is_diagram

HEAD: Final = 4096
"""The bytes at its beginning by which a file is known."""
_STORE: Final = b"DMNE"
"""The application id in the head of the player's database."""


class UnsupportedFileError(TextError):
    """A file of a known kind that holds neither a game nor the mines of a board."""


class _UnsupportedFile(NamedTuple):
    """A kind of files, and what is said of one instead of reading it."""

    told: str
    recognises: Callable[[bytes], bool]
    has_records: bool = False
    """Whether `demine records --import` reads it."""


def _begins(*starts: bytes) -> Callable[[bytes], bool]:
    return lambda head: head.startswith(starts)


def _has(pattern: bytes) -> Callable[[bytes], bool]:
    found = re.compile(pattern, re.IGNORECASE | re.DOTALL)
    return lambda head: found.match(head) is not None


_UNSUPPORTED_FILES: Final = (
    _UnsupportedFile(
        mark("it is a picture, and boards are not read from pictures"),
        _has(
            rb"\x89PNG|\xff\xd8\xff|GIF8|BM.{4}\0\0\0\0|RIFF.{4}WEBP|II\*\0|MM\0\*|"
            rb"\s*(<\?xml.*)?<svg"
        ),
    ),
    _UnsupportedFile(mark("it is a film"), _has(rb".{4}ftyp|\x1aE\xdf\xa3|RIFF.{4}AVI ")),
    _UnsupportedFile(mark("it is a PDF document"), _begins(b"%PDF-")),
    _UnsupportedFile(mark("it is a web page"), _has(rb"\s*<(!doctype )?html")),
    _UnsupportedFile(
        mark("it is an archive: unpack it first"),
        _begins(
            b"PK\3\4",
            b"PK\5\6",
            b"\x1f\x8b",
            b"7z\xbc\xaf",
            b"Rar!",
            b"\xfd7zXZ",
            b"(\xb5/\xfd",
            b"BZh",
        ),
    ),
    _UnsupportedFile(
        mark(
            "it is the database of the games you played, which `demine records` reads from the "
            "folder that DEMINE_DATA_DIR names"
        ),
        lambda head: head.startswith(b"SQLite format 3\0") and head[68:72] == _STORE,
        has_records=True,
    ),
    _UnsupportedFile(mark("it is an SQLite database"), _begins(b"SQLite format 3\0")),
    _UnsupportedFile(
        mark("it is an export of records, which `demine records --import` reads"),
        _has(rb'\s*\{"demine": ?"store"'),
        has_records=True,
    ),
    _UnsupportedFile(
        mark("it is the ledger of a study, which `demine study --resume` goes on with"),
        _has(rb'[0-9a-f]{8} \{.{0,80}"demine study'),
    ),
    _UnsupportedFile(
        mark("it is a table of figures in Parquet, not the games themselves"), _begins(b"PAR1")
    ),
    _UnsupportedFile(
        mark(
            "it is a board as JSON: `demine make --format text` and `--format mbf` write boards "
            "that are read"
        ),
        _has(rb'\s*\{"rules": ?"[^"]*", ?"seed"'),
    ),
    _UnsupportedFile(mark("it is a Jupyter notebook"), _has(rb'\s*\{.*"(nbformat|cell_type)"')),
    _UnsupportedFile(
        mark("it is JSON, but not the journal of a game"),
        # A position may have its cursor in brackets, such as [#] or [1].
        _has(rb'\s*(\{\s*"(?!demine")|\[\s*(["{\[]|-?[\d.]+\s*,\s*-?\d|\]\s*$))'),
    ),
    _UnsupportedFile(
        mark("it is a program"), _begins(b"\x7fELF", b"MZ", b"\xcf\xfa\xed\xfe", b"#!")
    ),
)


def unsupported_file_error(data: bytes, *, records: bool = False) -> UnsupportedFileError | None:
    """Return an error that says what bytes are; None if they may be a game or a board.

    With `records`, None if they may hold records.
    """
    head = data[:HEAD]
    kind = next((known for known in _UNSUPPORTED_FILES if known.recognises(head)), None)
    return (
        None if kind is None or (records and kind.has_records) else UnsupportedFileError(kind.told)
    )


def diagram_error(text: str) -> UnsupportedFileError | None:
    """Return an error that says that a text is a diagram, if it is one."""
    if not is_diagram(text):
        return None
    return UnsupportedFileError(
        "it is a diagram, which shows what a player sees and not where the mines are: "
        "`demine hint`, `demine solve` and `demine analyse` read it"
    )
