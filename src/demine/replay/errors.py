"""Errors about games in files."""

from __future__ import annotations

from demine.logic.errors import DemineError


class ReplayError(DemineError, ValueError):
    """A file that cannot be read as a game, or cannot be written; the message says why.

    If the system refused, its `OSError` is the `__cause__`. If bytes are wrong, `format`, `offset`
    and `reason` say in which format, where and how; else they are empty or None.

    >>> import demine
    >>> demine.load(b"")
    Traceback (most recent call last):
    demine.replay.errors.ReplayError: it is empty
    """

    @property
    def format(self) -> str:
        """The name of the format, such as `AVF`."""
        return str(self.params.get("format", ""))

    @property
    def offset(self) -> int | None:
        """The offset of the first byte that cannot be read; None if bytes are not the reason."""
        offset = self.params.get("offset")
        return offset if isinstance(offset, int) else None

    @property
    def reason(self) -> object:
        """What is wrong there, mostly a `Flaw`."""
        return self.params.get("reason")


class FormatError(ReplayError):
    """A format, mostly of another package, that does not work; the message names both."""


class Flaw(DemineError, ValueError):
    """What is wrong in a file, without the place: the reason of a `ReplayError`."""


class Loss(DemineError, ValueError):
    """Something of a game that a format cannot hold; mostly used as a value, not raised.

    >>> import demine
    >>> game = demine.Game("9x9/10", seed=7)
    >>> status = game.open(4, 4)
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     status = game.undo()
    ...     lost = demine.save(game, pathlib.Path(folder, "game.rmv"))
    >>> print(lost[0])
    what was undone, and that it was
    """


def damaged_file_error(format: str, offset: int, flaw: DemineError) -> ReplayError:  # noqa: A002 - its name
    """Return an error with the format, the offset in the file and the reason."""
    return ReplayError(
        "{format}, byte {offset}: {reason}", format=format, offset=offset, reason=flaw
    )
