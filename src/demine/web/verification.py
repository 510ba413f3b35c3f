"""Whether a game may enter a leaderboard: its events are folded again, as they are on the disk.

What counts was played on this server from the first act to the last, on a new board, without help
and without a pause: whoever stops the clock can go on thinking about a picture of the board. The
times are those at which acts arrived, corrected for their way by `MOST_MS` at most, and the whole
time must agree with the server's monotonic clock. That one is unknown if the server was started
anew meanwhile, or the game was left for so long that it was put away.
"""

from __future__ import annotations

from typing import Final

from demine.game import Game
from demine.logic.errors import DemineError
from demine.logic.event import Act, Verb
from demine.logic.game import Status
from demine.web.latency import MOST_MS

_TOLERANCE_MS: Final = MOST_MS + 50
"""By how much the time of a game may differ from the server's: corrections, and rounding."""


def verified_game(journal: str, arrived_ms: int) -> Game | None:
    """Return the game of a journal if it ended as the server measured it; None for any other.

    It was won or lost on a fresh board, by one player, without help, undo or pause.
    """
    try:
        game = Game.from_journal(journal)
    except DemineError:
        return None
    return game if is_verified(game, arrived_ms) else None


def is_verified(game: Game, arrived_ms: int | None) -> bool:
    """Whether a game ended as the server measured it, and was played as leaderboards want it."""
    if arrived_ms is None:
        return False
    acts = [each for each in game.events if isinstance(each, Act)]
    return (
        game.status in {Status.WON, Status.LOST}
        and not game.unranked
        and not any(each.verb in {Verb.PAUSE, Verb.UNDO} for each in acts)
        and not any(each.player for each in acts)
        and abs(game.time_ms - arrived_ms) <= _TOLERANCE_MS
    )
