"""The words of the engine protocol, which docs/engine.md describes in full.

Rows and columns count from 0 in it.
"""

from __future__ import annotations

from typing import Final, NamedTuple

HANDSHAKE: Final = "umi"
HANDSHAKE_DONE: Final = "umiok"
ID: Final = "id"
OPTION: Final = "option"
SET_OPTION: Final = "setoption"
READY: Final = "isready"
READY_DONE: Final = "readyok"
NEW_GAME: Final = "newgame"
POSITION: Final = "position"
GO: Final = "go"
MOVE_TIME: Final = "movetime"
PLAYOUTS: Final = "playouts"
STOP: Final = "stop"
QUIT: Final = "quit"
INFO: Final = "info"
BEST_MOVE: Final = "bestmove"
NO_MOVE: Final = "none"
ERROR: Final = "error"

LONGEST_LINE: Final = 1 << 20
"""The most bytes of a line to an engine: a board of a million cells."""
LONGEST_ANSWER: Final = 1 << 16
"""The most bytes of a line from an engine."""
MAX_MOVE_TIME: Final = 86_400_000
"""The longest `movetime`, in milliseconds: a day."""
MAX_PLAYOUTS: Final = 1_000_000
DEFAULT_TIMEOUT: Final = 30.0
"""How many seconds an engine has for an answer, beyond the time that it is given to think."""
MAX_TIMEOUT: Final = 1e6


class SearchLimits(NamedTuple):
    """How long to think about a move: milliseconds, layouts to play out, or neither."""

    movetime: int | None = None
    playouts: int | None = None

    def __str__(self) -> str:
        """Return the command `go` with these limits."""
        words = [GO]
        if self.movetime is not None:
            words += [MOVE_TIME, str(self.movetime)]
        if self.playouts is not None:
            words += [PLAYOUTS, str(self.playouts)]
        return " ".join(words)
