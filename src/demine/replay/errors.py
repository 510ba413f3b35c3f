"""What can go wrong with a game in a file."""

from __future__ import annotations

from demine.logic.errors import DemineError


class ReplayError(DemineError, ValueError):
    """A file that cannot be read as a game, or not be written; the sentence names it and says why.

    Where the system refused, its `OSError` is the cause (`__cause__`). Where bytes are wrong,
    `format`, `offset` and `reason` say in what, where and how; else they are empty.
    """

    @property
    def format(self) -> str:
        """The name of the format, such as `AVF`."""
        return str(self.params.get("format", ""))

    @property
    def offset(self) -> int | None:
        """The byte, counted from 0, where it cannot be read on."""
        offset = self.params.get("offset")
        return offset if isinstance(offset, int) else None

    @property
    def reason(self) -> object:
        """What is wrong there; mostly a `Flaw`."""
        return self.params.get("reason")


class FormatError(ReplayError):
    """A format, mostly of another package, that does not work: the sentence names both."""


class Flaw(DemineError, ValueError):
    """What is wrong in a file, without saying where: the reason inside a `ReplayError`."""


class Loss(DemineError, ValueError):
    """What a format cannot hold of a game: a value more often than an exception."""


def damaged_file_error(format: str, offset: int, flaw: DemineError) -> ReplayError:  # noqa: A002 - its name
    """Return the error that says in which format, at which byte and what is wrong."""
    return ReplayError(
        "{format}, byte {offset}: {reason}", format=format, offset=offset, reason=flaw
    )
