"""A game that takes little memory while nobody plays it: text is far smaller than boards."""

from __future__ import annotations

import asyncio
from math import inf
from typing import TYPE_CHECKING, Final

from demine.game import Game
from demine.store.game_rows import compress_journal, decompress_journal

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from demine.logic.game import Status

_LOOK_S: Final = 0.5
"""How long a game stays unpacked that was only looked at: thousands may come in a few seconds."""
_MOST_CELLS: Final = 4096
_MOST_EVENTS: Final = 2000
"""Larger or longer games stay as they are: to play their events again takes a while."""


class KeptGame:
    """A game that becomes its compressed journal, and comes back when somebody asks for it.

    That happens a while after it was last asked for or played, by `now` in seconds, while nobody
    holds `lock` and there are no `onlookers`. One that does not rest stays as it is.
    """

    __slots__ = (
        "_begun", "_game", "_lock", "_now", "_onlookers", "_packed", "_rests", "_rests_at",
        "_status", "_timer",
    )  # fmt: skip

    def __init__(
        self,
        game: Game,
        now: Callable[[], float],
        lock: asyncio.Lock,
        onlookers: Collection[object],
        *,
        rests: bool = True,
    ) -> None:
        self._game: Game | None = game
        self._packed = b""
        self._status = game.status
        self._begun = game.begun
        self._now, self._lock, self._onlookers = now, lock, onlookers
        self._rests = rests and game.rules.cells <= _MOST_CELLS
        self._rests_at = -inf
        self._timer: asyncio.TimerHandle | None = None
        self.pack_in(_LOOK_S)

    @property
    def game(self) -> Game:
        """The game, played again if it was packed, which takes a millisecond."""
        if self._game is None:
            self._game = Game.from_journal(decompress_journal(self._packed), trusted=True)
            self._packed = b""
            self.pack_in(_LOOK_S)
        return self._game

    @property
    def is_packed(self) -> bool:
        """Whether only the journal is in memory."""
        return self._game is None

    @property
    def status(self) -> Status:
        """The game's status, for which a packed game stays packed."""
        return self._status if self._game is None else self._game.status

    @property
    def begun(self) -> bool:
        """Whether a cell was opened, for which a packed game stays packed."""
        return self._begun if self._game is None else self._game.begun

    def pack_in(self, seconds: float) -> None:
        """Have the game packed after some seconds, and no sooner."""
        self._rests_at = max(self._rests_at, self._now() + seconds)
        if self._timer is None and self._rests:
            self._timer = asyncio.get_running_loop().call_later(seconds, self._pack_or_wait)

    def _pack_or_wait(self) -> None:
        self._timer = None
        if self._lock.locked() or self._onlookers:
            self.pack_in(_LOOK_S)
        elif (left := self._rests_at - self._now()) > 0:
            self.pack_in(left)
        else:
            self._pack()

    def _pack(self) -> None:
        game = self._game
        if game is not None and game.event_count <= _MOST_EVENTS:
            self._packed = compress_journal(game.journal(), quickly=True)
            self._status, self._begun, self._game = game.status, game.begun, None
