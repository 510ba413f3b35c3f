"""Which game each player plays now, for those who look on and play nothing themselves."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from demine.logic.errors import DemineError


class GameInMemory(Protocol):
    """A game that is played, as far as it matters here."""

    id: str
    lost_by: DemineError | None
    """Why it must be loaded again."""


G = TypeVar("G", bound=GameInMemory)


@dataclass(eq=False, slots=True)
class Onlooker:
    """Somebody who looks on at the games of a player."""

    changed: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the player plays another game, and after every change of the present one."""
    is_dismissed: bool = False
    """Whether the player wants to be seen no more."""
    is_moved: bool = False
    """Whether the player plays a game that lives in another process now."""


class PlayedNow(Generic[G]):
    """The games that players play now, and who looks on.

    A player plays the game to which they connected last, or in which they acted last. Whoever looks
    on keeps no game in memory: one that its player has left is forgotten as any other.
    """

    def __init__(self) -> None:
        self._games: dict[str, G] = {}
        self._onlookers: dict[str, set[Onlooker]] = {}

    def note(self, player: str, game: G) -> bool:
        """Note that a player plays a game; return whether it is another than before."""
        if self._games.get(player) is game:
            return False
        self._games[player] = game
        self._tell(player)
        return True

    def move_away(self, player: str) -> None:
        """Note that a player plays a game in another process: who looks on has to go there."""
        self._games.pop(player, None)
        self._send_away(player)

    def game_of(self, player: str) -> G | None:
        """Return the game that a player plays; None if there is none in memory."""
        game = self._games.get(player)
        return None if game is None or game.lost_by is not None else game

    def keep_only(self, open_games: Mapping[str, G]) -> None:
        """Forget the games that are in memory no more."""
        for player, game in list(self._games.items()):
            if open_games.get(game.id) is not game:
                del self._games[player]
                self._tell(player)

    @contextmanager
    def look_on(self, player: str) -> Iterator[Onlooker]:
        """Look on at the games of a player."""
        onlooker = Onlooker()
        self._onlookers.setdefault(player, set()).add(onlooker)
        try:
            yield onlooker
        finally:
            self._onlookers[player].discard(onlooker)
            if not self._onlookers[player]:
                del self._onlookers[player]

    def send_onlookers_away(self) -> None:
        """Have everybody who looks on find out anew in which process the game is."""
        for player in self._onlookers:
            self._send_away(player)

    def dismiss_onlookers(self, player: str) -> None:
        """Let nobody look on at the games of a player any more."""
        for onlooker in self._onlookers.get(player, ()):
            onlooker.is_dismissed = True
        self._tell(player)

    def _send_away(self, player: str) -> None:
        for onlooker in self._onlookers.get(player, ()):
            onlooker.is_moved = True
        self._tell(player)

    def _tell(self, player: str) -> None:
        for onlooker in self._onlookers.get(player, ()):
            onlooker.changed.set()
