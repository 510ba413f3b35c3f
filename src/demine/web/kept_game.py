"""A game that takes little memory while nobody plays it: text is far smaller than boards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from demine.game import Game
from demine.store.game_rows import compress_journal, decompress_journal

if TYPE_CHECKING:
    from demine.logic.game import Status

_MOST_CELLS: Final = 4096
_MOST_EVENTS: Final = 2000
"""Larger or longer games stay as they are: to play their events again takes a while."""


class KeptGame:
    """A game, or its compressed journal, from which it comes back when somebody asks for it."""

    __slots__ = ("_begun", "_game", "_packed", "_status")

    def __init__(self, game: Game) -> None:
        self._game: Game | None = game
        self._packed = b""
        self._status = game.status
        self._begun = game.begun

    @property
    def game(self) -> Game:
        """The game, played again if it was packed, which takes a millisecond."""
        if self._game is None:
            self._game = Game.from_journal(decompress_journal(self._packed), trusted=True)
            self._packed = b""
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

    def pack(self) -> None:
        """Keep the journal alone, if that is worth it."""
        game = self._game
        if game is None or game.rules.cells > _MOST_CELLS or game.event_count > _MOST_EVENTS:
            return
        self._packed = compress_journal(game.journal(), quickly=True)
        self._status, self._begun, self._game = game.status, game.begun, None
