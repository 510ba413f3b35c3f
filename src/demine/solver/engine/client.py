"""Programs that speak the engine protocol, as policies."""

from __future__ import annotations

import contextlib
import shlex
import weakref
from hashlib import sha256
from typing import TYPE_CHECKING

from demine.logic.errors import quoted
from demine.logic.rules import Rules
from demine.solver.engine import protocol
from demine.solver.engine.engine_session import EngineMove, EngineSession
from demine.solver.engine.protocol import DEFAULT_TIMEOUT, MAX_TIMEOUT, SearchLimits
from demine.solver.errors import NothingCertain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Self

    import numpy as np
    from numpy.typing import NDArray


class Engine:
    r"""A program that speaks the engine protocol, as a policy: `engine(scene, rules)`.

    `command` is a command line, split as a shell does but not given to one, or its words. The
    program is started when it is first needed, or by `with`, and ended by `close`, with this object
    or with this process at the latest. `movetime`, in milliseconds, and `playouts` are passed on
    with each `go`. `timeout` is how many seconds it has for an answer, in addition to `movetime`.

    Whatever the program does wrong ends it and raises an `EngineError`: `EngineStartError`,
    `EngineTimeout`, `EngineEnded` or `EngineAnswerError`. The next move starts it anew.

    An engine may be pickled; each copy starts a program of its own.

    >>> import demine
    >>> import sys
    >>> with demine.Engine([sys.executable, "-m", "demine", "engine"]) as engine:
    ...     cell = engine(demine.parse_scene("3x2/1\n1 # #\n1 # #")[1], demine.Rules(3, 2, 1))
    >>> cell
    (1, 2)
    """

    def __init__(
        self,
        command: str | Sequence[str],
        *,
        movetime: int | None = None,
        playouts: int | None = None,
        timeout: float = DEFAULT_TIMEOUT,
    ) -> None:
        self._command = command if isinstance(command, str) else tuple(command)
        self._limits = SearchLimits(
            _checked_limit("movetime", movetime, protocol.MAX_MOVE_TIME),
            _checked_limit("playouts", playouts, protocol.MAX_PLAYOUTS),
        )
        if not 0 < timeout <= MAX_TIMEOUT:
            raise ValueError(f"a timeout takes more than 0 seconds, not {quoted(timeout)}")
        self._timeout = timeout
        self._session: EngineSession | None = None

    @property
    def command(self) -> str:
        """The command line of the program."""
        return self._command if isinstance(self._command, str) else shlex.join(self._command)

    @property
    def name(self) -> str:
        """The name that the program gives itself, empty if it has none; starts it."""
        with self._started() as session:
            return session.name

    @property
    def author(self) -> str:
        """Its author in its own words; starts it."""
        with self._started() as session:
            return session.author

    @property
    def version(self) -> str:
        """A digest of the command and its limits, compared before a study or match goes on."""
        return sha256(repr(self).encode()).hexdigest()[:16]

    @property
    def is_running(self) -> bool:
        """Whether the program has been started, and not been ended since."""
        return self._session is not None

    def __repr__(self) -> str:
        """Return the call that makes an equal engine."""
        given = [repr(self._command)]
        given += [f"{name}={value}" for name, value in self._limits._asdict().items() if value]
        given += [f"timeout={self._timeout}"] if self._timeout != DEFAULT_TIMEOUT else []
        return f"Engine({', '.join(given)})"

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (self._command, *self._limits, self._timeout)

    def __enter__(self) -> Self:
        with self._started():
            return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the program, which gets a second to quit by itself."""
        session, self._session = self._session, None
        if session is not None:
            session.process.close()

    def __call__(self, scene: NDArray[np.uint8], rules: Rules | str, /) -> tuple[int, int]:
        """Return the covered cell to open; raises `NothingCertain` if the program gives up."""
        cell = self.choose(scene, rules).cell
        if cell is None:
            raise NothingCertain("the engine {engine} gives the game up", engine=self.command)
        return cell

    def choose(self, scene: NDArray[np.uint8], rules: Rules | str) -> EngineMove:
        """Return the answer of the program for a scene board, uint8 (height, width) of `Face`.

        A scene that is not the last one with more of it open is told to it as a new game.
        """
        with self._started() as session:
            return session.request_move(scene, Rules.of(rules), self._limits)

    def new_game(self, rules: Rules | str) -> None:
        """Tell the program that a new game begins, and wait until it is ready."""
        with self._started() as session:
            session.new_game(Rules.of(rules))

    @contextlib.contextmanager
    def _started(self) -> Iterator[EngineSession]:
        """Yield the session, begun if need be; what interrupts it, Ctrl-C too, ends it."""
        try:
            if self._session is None:
                self._session = EngineSession(self._command, self._timeout)
                weakref.finalize(self, self._session.process.kill)
                self._session.handshake()
            yield self._session
        except BaseException:
            session, self._session = self._session, None
            if session is not None:
                session.process.kill()
            raise


def _checked_limit(name: str, value: int | None, most: int) -> int | None:
    if value is not None and not (type(value) is int and 1 <= value <= most):
        raise ValueError(f"{name} is a whole number from 1 to {most}, not {quoted(value)}")
    return value


def _rebuild(
    command: str | tuple[str, ...], movetime: int | None, playouts: int | None, timeout: float
) -> Engine:
    return Engine(command, movetime=movetime, playouts=playouts, timeout=timeout)
