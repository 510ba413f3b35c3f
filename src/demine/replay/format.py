"""Defines file formats: an entry with name, extensions, and how files are read and written."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Final, Generic, TypeAlias, TypeVar

from demine.replay.errors import FormatError, Loss, ReplayError
from demine.replay.model import Layout, Replay

if TYPE_CHECKING:
    from demine.game import Game

_Held = TypeVar("_Held", Replay, Layout)
_NAME: Final = re.compile(r"[A-Za-z][\w.-]{0,30}", re.ASCII)
_EXTENSION: Final = re.compile(r"\.[a-z0-9]{1,12}")


class Evidence(IntEnum):
    """How a file is recognised; formats with better evidence are tried first."""

    MAGIC = 0
    """It begins with characters of its own."""
    STRUCTURE = 1
    """Its long parts follow one another as in no other format."""
    FIELDS = 2
    """A few numbers make sense."""
    SIZE = 3
    """Nothing but its length fits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Format(Generic[_Held]):
    """One file format, declared by a module in `demine.replay.formats` or in another package.

    Raises `FormatError` for an invalid entry.
    """

    name: str
    """The name of the format, as in `Replay.format`; in lower case on the command line."""
    extensions: tuple[str, ...]
    """The extensions of its files, with the dot, in lower case; the first is the usual one."""
    holds: type[_Held]
    """`Replay` for games, `Layout` for boards that nobody has played."""
    evidence: Evidence = Evidence.FIELDS
    recognises: Callable[[bytes], bool]
    """Return whether bytes are in this format; fast, and always True for its own files."""
    read: Callable[[bytes], _Held]
    """Return the content of a file; raises `ReplayError`."""
    read_all: Callable[[bytes], Sequence[_Held]] | None = None
    """Return everything in a file, if a file may hold several games."""
    verified: bool = True
    """Whether the reader was tested with files of the program, not only with a description."""
    program: str
    """The program that writes such files, for the documentation."""
    versions: str = ""
    """Which versions are read, for the documentation."""
    writes: str = "no"
    """Which version is written, for the documentation."""

    def __post_init__(self) -> None:
        for wrong, reason in (
            (not _NAME.fullmatch(self.name), "its name is not a word"),
            (not self.extensions, "it has no extension"),
            (
                not all(map(_EXTENSION.fullmatch, self.extensions)),
                "an extension is a point and small letters",
            ),
            (self.holds not in (Replay, Layout), "it holds neither replays nor layouts"),
            (not self.program, "it does not say whose files these are"),
        ):
            if wrong:
                raise FormatError("the format {name}: {reason}", name=self.name, reason=reason)

    @property
    def docs_table_row(self) -> tuple[str, str, str, str]:
        """Its row of the table in docs/formats.md: format, program, read, written."""
        reads = "yes" if self.read_all is None else "yes (`load_all`)"
        return (
            f"{self.name} {self.versions}".strip(),
            self.program,
            reads if self.verified else f"{reads}, unverified",
            self.writes,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class WritableFormat(Format[_Held]):
    """A file format that can also be written."""

    write: Callable[[_Held], bytes]
    """Return the bytes of a file.

    Content that was read from this format is written unchanged, anything else as a new file of
    demine, without a checksum. Raises `ReplayError` for what does not fit at all."""
    losses: Callable[[_Held], tuple[Loss, ...]]
    """Return what `write` would leave out or change, in words for players."""
    write_all: Callable[[Sequence[_Held]], bytes] | None = None
    """Return the bytes of a file of several games."""
    largest: int | None = None
    """The most columns, and the most rows, that a file can hold."""
    writes: str = "yes"

    def encode(self, game: Game | Replay) -> tuple[bytes, tuple[Loss, ...]]:
        """Return a game as the bytes of a file, and what they do not hold of it.

        Raises `ReplayError` if the format cannot hold the game at all.
        """
        held = self.holds.of(game)
        return self.write(held), self.losses(held)


AnyFormat: TypeAlias = Format[Replay] | Format[Layout]
AnyWritableFormat: TypeAlias = WritableFormat[Replay] | WritableFormat[Layout]


def check_board_size(name: str, largest: int, *, width: int, height: int) -> None:
    """Raise `ReplayError` for a board with more columns or rows than `largest`."""
    if max(width, height) > largest:
        raise ReplayError(
            "an {format} file holds boards up to {most}x{most}, not {width}x{height}",
            format=name,
            most=largest,
            width=width,
            height=height,
        )
