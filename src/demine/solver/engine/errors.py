"""The errors of engines."""

from __future__ import annotations

from demine.logic.errors import DemineError


class EngineError(DemineError, RuntimeError):
    """An engine that cannot be used any further; the message names it and says why.

    `engine` is its command line, `command` the line that it was sent last, if any, and `line` what
    it said, if that is wrong.
    """

    @property
    def engine(self) -> str:
        """The command line of the engine."""
        return str(self.params.get("engine", ""))

    @property
    def command(self) -> str | None:
        """The line that it did not answer as it should."""
        return self._text("command")

    @property
    def line(self) -> str | None:
        """The line that is wrong."""
        return self._text("line")

    def _text(self, name: str) -> str | None:
        value = self.params.get(name)
        return value if isinstance(value, str) else None


class EngineStartError(EngineError):
    """An engine that cannot be started: there is no such program, or the system refuses."""


class EngineTimeout(EngineError):
    """An engine that did not answer in time."""


class EngineEnded(EngineError):
    """An engine that ended, or closed its output, when it should have answered."""


class EngineAnswerError(EngineError):
    """An engine that answered what the protocol or the board does not allow."""
