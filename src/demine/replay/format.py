"""What a file format is: one entry that says its name, its endings, how it is read and written."""

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
    """By what a file is recognised; formats with better evidence are asked first."""

    MAGIC = 0
    """It begins with letters of its own."""
    STRUCTURE = 1
    """Long parts follow one another as in no other format."""
    FIELDS = 2
    """A few numbers make sense."""
    SIZE = 3
    """Nothing but its length fits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Format(Generic[_Held]):
    """One file format: a module in `demine.replay.formats`, or in another package, declares it.

    Raises `FormatError` for an entry that lacks a part.
    """

    name: str
    """What the format is called, as in `Replay.format`; on the command line in lower case."""
    extensions: tuple[str, ...]
    """What its files' names end in, with the point, in lower case; the first is the usual one."""
    holds: type[_Held]
    """`Replay` for games, `Layout` for boards that nobody has played."""
    evidence: Evidence = Evidence.FIELDS
    recognises: Callable[[bytes], bool]
    """Return whether the bytes are meant as this format; cheap, and never wrong about its own."""
    read: Callable[[bytes], _Held]
    """Return what the bytes hold; raises `ReplayError`."""
    read_all: Callable[[bytes], Sequence[_Held]] | None = None
    """Return everything in a file, where a file may hold several games."""
    verified: bool = True
    """Whether the reader was tried on files of the program; else only on its description."""
    program: str
    """Whose files these are, for the documentation."""
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
        """The row of the table in docs/formats.md: format, program, read, written."""
        reads = "yes" if self.read_all is None else "yes (`load_all`)"
        return (
            f"{self.name} {self.versions}".strip(),
            self.program,
            reads if self.verified else f"{reads}, unverified",
            self.writes,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class WritableFormat(Format[_Held]):
    """A file format that is written too."""

    write: Callable[[_Held], bytes]
    """Return the bytes of a file.

    What was read from the same format is written as it was, anything else as a file that demine
    made, without a checksum. Raises `ReplayError` for what does not fit at all."""
    losses: Callable[[_Held], tuple[Loss, ...]]
    """Return what `write` would leave out or change, in the player's words."""
    write_all: Callable[[Sequence[_Held]], bytes] | None = None
    """Return the bytes of a file of several games."""
    largest: int | None = None
    """The most columns, and the most rows, that a file has room for."""
    writes: str = "yes"

    def encode(self, game: Game | Replay) -> tuple[bytes, tuple[Loss, ...]]:
        """Return a game as a file, and what the file does not hold of it.

        Raises `ReplayError` for what the format cannot hold at all.
        """
        held = self.holds.of(game)
        return self.write(held), self.losses(held)


AnyFormat: TypeAlias = Format[Replay] | Format[Layout]
AnyWritableFormat: TypeAlias = WritableFormat[Replay] | WritableFormat[Layout]


def check_board_size(name: str, largest: int, *, width: int, height: int) -> None:
    """Raise `ReplayError` for a board with more columns or rows than a format has room for."""
    if max(width, height) > largest:
        raise ReplayError(
            "an {format} file holds boards up to {most}x{most}, not {width}x{height}",
            format=name,
            most=largest,
            width=width,
            height=height,
        )
