"""The errors of engines."""

from __future__ import annotations

from demine.logic.errors import DemineError


class EngineError(DemineError, RuntimeError):
    """An engine that cannot be used any further; the message names it and says why.

    `engine` is its command line, shortened if it is long, `command` the line that it was sent last,
    if any, and `line` what it said, if that is wrong.

    >>> import demine
    >>> issubclass(demine.EngineTimeout, demine.EngineError)
    True
    """

    @property
    def engine(self) -> str:
        """The command line of the engine."""
        return str(self.params.get("engine", ""))

    @property
    def command(self) -> str | None:
        """The line that it did not answer as it should; None if none was sent."""
        return self._text("command")

    @property
    def line(self) -> str | None:
        """The line that is wrong; None if the error is about no line."""
        return self._text("line")

    def _text(self, name: str) -> str | None:
        value = self.params.get(name)
        return value if isinstance(value, str) else None


class EngineStartError(EngineError):
    """An engine that cannot be started: there is no such program, or the system refuses.

    >>> import numpy as np
    >>> import demine
    >>> engine = demine.Engine("no-such-engine")
    >>> try:
    ...     cell = engine(np.full((2, 2), 9, np.uint8), demine.Rules(2, 2, 1))
    ... except demine.EngineStartError as error:
    ...     print(error.engine)
    no-such-engine
    """


class EngineTimeout(EngineError):
    """An engine that did not answer in time.

    >>> import numpy as np
    >>> import demine
    >>> import sys
    >>> engine = demine.Engine([sys.executable, "-c", "input(); input()"], timeout=0.1)
    >>> try:
    ...     cell = engine(np.full((2, 2), 9, np.uint8), demine.Rules(2, 2, 1))
    ... except demine.EngineTimeout as error:
    ...     print(error.command)
    umi
    """


class EngineEnded(EngineError):
    """An engine that ended, or closed its output, when it should have answered.

    >>> import numpy as np
    >>> import demine
    >>> import sys
    >>> engine = demine.Engine([sys.executable, "-c", ""])
    >>> try:
    ...     cell = engine(np.full((2, 2), 9, np.uint8), demine.Rules(2, 2, 1))
    ... except demine.EngineEnded as error:
    ...     print(error.command)
    umi
    """


class EngineAnswerError(EngineError):
    """An engine that answered what the protocol or the board does not allow.

    >>> import numpy as np
    >>> import demine
    >>> import sys
    >>> engine = demine.Engine([sys.executable, "-c", "print(42)"])
    >>> try:
    ...     cell = engine(np.full((2, 2), 9, np.uint8), demine.Rules(2, 2, 1))
    ... except demine.EngineAnswerError as error:
    ...     print(error.line)
    42
    """
