"""A session with an engine: starting it, and asking it for moves line by line."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final, NamedTuple

from demine.scene.cell_faces import Face
from demine.scene.diagram import format_position
from demine.solver.engine import protocol
from demine.solver.engine.engine_process import EngineProcess
from demine.solver.engine.errors import EngineAnswerError, EngineError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    import numpy as np
    from numpy.typing import NDArray

    from demine.logic.rules import Rules
    from demine.solver.engine.protocol import SearchLimits

    Cell: TypeAlias = tuple[int, int]

READY_SECONDS: Final = 300.0
"""How many seconds an engine has at least to become ready: some compile themselves first."""


class EngineMove(NamedTuple):
    """What an engine answered: the cell to open, `(row, col)`, or None if it gives the game up.

    `info` are its last words about it, such as `{"risk": "0.125"}`; they are not checked.

    >>> import demine
    >>> demine.EngineMove((0, 2), {"risk": "0"}).cell
    (0, 2)
    """

    cell: tuple[int, int] | None
    info: dict[str, str]


class EngineSession:
    """A session with an engine that it starts; it is of no use after an error.

    An answer to a question that was given up would be taken for that to the next. `name` and
    `author` are what the engine says of itself. `timeout` is in seconds.
    """

    def __init__(self, command: str | Sequence[str], timeout: float) -> None:
        self.name = self.author = ""
        self.process = EngineProcess(command)
        self._timeout = timeout
        self._rules: Rules | None = None
        self._seen: NDArray[np.uint8] | None = None

    def handshake(self) -> None:
        """Shake hands."""
        self.process.send(protocol.HANDSHAKE)
        self._wait_for(protocol.HANDSHAKE_DONE, self._timeout)

    def new_game(self, rules: Rules) -> None:
        """Tell that a new game begins, and wait until the engine is ready."""
        self.process.send(f"{protocol.NEW_GAME} {rules}")
        self.process.send(protocol.READY)
        self._wait_for(protocol.READY_DONE, max(self._timeout, READY_SECONDS))
        self._rules, self._seen = rules, None

    def request_move(
        self, scene: NDArray[np.uint8], rules: Rules, limits: SearchLimits
    ) -> EngineMove:
        """Return the answer for a position, which is a new game if it does not go on with the last.

        That is, unless it shows all that the last one did.
        """
        if not self._goes_on(scene, rules):
            self.new_game(rules)
        self._seen = scene.copy()
        self._refuse_unasked_lines()
        self.process.send(f"{protocol.POSITION} {format_position(scene)}")
        self.process.send(str(limits))
        return self._receive_move(scene, (limits.movetime or 0) / 1000 + self._timeout)

    def _goes_on(self, scene: NDArray[np.uint8], rules: Rules) -> bool:
        seen = self._seen
        if rules != self._rules:
            return False
        if seen is None:
            return True
        was_open = seen < Face.COVERED
        return seen.shape == scene.shape and bool((scene[was_open] == seen[was_open]).all())

    def _wait_for(self, wanted: str, seconds: float) -> None:
        """Wait for a line, past lines about the engine and information."""
        until = time.monotonic() + seconds
        while (line := self.process.receive(until).strip()) != wanted:
            word, _, rest = line.partition(" ")
            if word == protocol.ID:
                self._note_identity(rest)
            elif word not in {protocol.OPTION, protocol.INFO, ""}:
                raise self._wrong_answer(line)

    def _note_identity(self, text: str) -> None:
        kind, _, value = text.partition(" ")
        if kind == "name":
            self.name = value[:200]
        elif kind == "author":
            self.author = value[:200]

    def _refuse_unasked_lines(self) -> None:
        for line in self.process.pending_lines():
            if line.split()[:1] not in ([protocol.INFO], []):
                raise EngineAnswerError(
                    "the engine {engine} said {line!r} without being asked",
                    engine=self.process.name,
                    line=line[:80],
                )

    def _receive_move(self, scene: NDArray[np.uint8], seconds: float) -> EngineMove:
        until = time.monotonic() + seconds
        info: dict[str, str] = {}
        while True:
            line = self.process.receive(until).strip()
            word, *words = line.split()[:40] or [""]
            if word == protocol.INFO:
                info = dict(zip(words[::2], words[1::2], strict=False))
            elif word == protocol.BEST_MOVE:
                return EngineMove(self._checked_cell(line, words, scene), info)
            elif word:
                raise self._wrong_answer(line)

    def _checked_cell(self, line: str, words: list[str], scene: NDArray[np.uint8]) -> Cell | None:
        """Return the covered cell that an answer names, None for `none`."""
        if words == [protocol.NO_MOVE]:
            return None
        height, width = scene.shape
        numbers = [
            int(word) for word in words if word.isascii() and word.isdecimal() and len(word) < 9
        ]
        if len(words) != 2 or len(numbers) != 2:
            raise self._wrong_answer(line)
        row, col = numbers
        if row >= height or col >= width:
            why = "that cell is outside the board"
        elif not Face.COVERED <= scene[row, col] <= Face.QUESTION:
            why = "that cell is open"
        else:
            return row, col
        raise EngineAnswerError(
            "the engine {engine} answered {command!r} with {line!r}: {why}",
            engine=self.process.name,
            command=self.process.last_command,
            line=line[:80],
            why=EngineError(why),
        )

    def _wrong_answer(self, line: str) -> EngineAnswerError:
        return EngineAnswerError(
            "the engine {engine} answered {command!r} with {line!r}",
            engine=self.process.name,
            command=self.process.last_command,
            line=line[:80],
        )
