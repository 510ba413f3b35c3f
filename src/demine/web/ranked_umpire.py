"""What watches over a game on a ranked board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from demine.logic.errors import ActError
from demine.logic.event import BOARD_VERBS, Verb
from demine.logic.game import Status
from demine.play.clock import Clock

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date

    from demine.game import Game


class RankedUmpire:
    """Holds a game to the rules of ranked boards; `demine.web.open_games.Umpire`.

    Its clock goes on while nobody looks at the game. `today` returns the day in UTC; `player` is
    the id of who plays.
    """

    corrects_delays: Final = True

    def __init__(
        self,
        player: str,
        day: date,
        clock_ms: int,
        now: Callable[[], float],
        today: Callable[[], date],
        *,
        is_running: bool,
    ) -> None:
        self.player = player
        self._day = day
        self._today = today
        self._clock = Clock(now)
        self._clock.set(clock_ms, running=is_running)

    @property
    def clock_ms(self) -> int:
        """The time since the first cell was opened."""
        return self._clock.ms

    @property
    def is_running(self) -> bool:
        """Whether that time goes on."""
        return self._clock.is_running

    @property
    def conceals(self) -> bool:
        """Whether the day of the board is not over."""
        return self._today() <= self._day

    def check(self, verb: Verb) -> None:
        """Raise `ActError` for whatever a ranked board does not allow, or not any more."""
        if verb is Verb.RESIGN:
            return
        if not self.conceals:
            raise ActError("the day of this board is over")
        if verb not in BOARD_VERBS:
            raise ActError("a ranked board allows no pause, no undo and no help")

    def game_changed(self, game: Game, clock_ms: int) -> None:
        """Take over the clock of the game."""
        self._clock.set(clock_ms, running=game.status is Status.RUNNING)
