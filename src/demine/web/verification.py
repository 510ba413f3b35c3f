"""Whether a game may enter a leaderboard: its events are folded again, as they are on the disk.

What counts was played on this server from the first act to the last, on a new board, without help
and without a pause: whoever stops the clock can go on thinking about a picture of the board. The
times are those at which acts arrived, corrected for their way by `MOST_MS` at most, and the whole
time must agree with the server's monotonic clock. That one is unknown if the server was started
anew meanwhile, or the game was left for so long that it was put away.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, cast

from sqlalchemy import select

from demine.game import Game
from demine.logic.errors import DemineError
from demine.logic.event import Act, Verb
from demine.logic.game import Status
from demine.web.database.games import journal_text
from demine.web.database.schema import GAMES
from demine.web.latency import MOST_MS
from demine.web.leaderboards import RankedWin

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy.engine import Connection

_TOLERANCE_MS: Final = MOST_MS + 50
"""By how much the time of a game may differ from the server's: corrections, and rounding."""


class VerifiedWin(NamedTuple):
    """A game that may enter, as its events on the disk make it, and what its row says."""

    game: Game
    num: int
    player: str
    board: str
    won_at: str

    def ranked(self, statistics: Mapping[str, object]) -> RankedWin:
        """Return the win as it enters, with its statistics by name."""
        bv_s, ioe = cast("float", statistics["bv_s"]), cast("float", statistics["ioe"])
        return RankedWin(
            self.num, self.player, self.board, self.won_at, self.game.time_ms, bv_s, ioe
        )


def verified_win(connection: Connection, game_id: str) -> VerifiedWin | None:
    """Return a game as a win that may enter; None for any other."""
    games = GAMES.c
    columns = games.num, games.player, games.leaderboard, games.arrived_ms, games.finished_at
    is_won = games.id == game_id, games.result == "won", games.leaderboard.is_not(None)
    row = connection.execute(select(*columns).where(*is_won)).one_or_none()
    if row is None or row.arrived_ms is None:
        return None
    game = verified_game(journal_text(connection, row.num), row.arrived_ms)
    if game is None or game.status is not Status.WON:
        return None
    return VerifiedWin(game, row.num, row.player, row.leaderboard, row.finished_at)


def verified_game(journal: str, arrived_ms: int) -> Game | None:
    """Return the game of a journal if it ended as the server measured it; None for any other.

    It was won or lost on a fresh board, by one player, without help, undo or pause.
    """
    try:
        game = Game.from_journal(journal)
    except DemineError:
        return None
    acts = [each for each in game.events if isinstance(each, Act)]
    is_verified = (
        game.status in {Status.WON, Status.LOST}
        and not game.unranked
        and not any(each.verb in {Verb.PAUSE, Verb.UNDO} for each in acts)
        and not any(each.player for each in acts)
        and abs(game.time_ms - arrived_ms) <= _TOLERANCE_MS
    )
    return game if is_verified else None
