"""What is saved of a game once it is over: its statistics, and its place in leaderboards."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple, cast

from sqlalchemy import select

from demine.web.database.games import ENDED, journal_text, save_statistics
from demine.web.database.leaderboards import enter_win
from demine.web.database.schema import GAMES
from demine.web.leaderboards import RankedWin

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection

    from demine.web.database.database import Database
    from demine.web.game_figures import FiguresFinder, GameFigures


class _EndedGame(NamedTuple):
    """A game that is over, as it is on the disk."""

    num: int
    player: str
    leaderboard: str | None
    finished_at: str
    arrived_ms: int | None
    acts: int
    journal: str

    def ranked(self, board: str, figures: GameFigures) -> RankedWin:
        """Return the win as it enters a leaderboard."""
        bv_s = cast("float", figures.statistics["bv_s"])
        ioe = cast("float", figures.statistics["ioe"])
        return RankedWin(self.num, self.player, board, self.finished_at, figures.time_ms, bv_s, ioe)


async def save_what_follows(
    database: Database, game_id: str, find_figures: FiguresFinder
) -> GameFigures | None:
    """Save the statistics of a game that is over, and enter it where it counts, or neither.

    Returns what was computed of it; None if the game is not over, or gone.
    """
    ended = await database.read(partial(_ended_game, game_id=game_id))
    if ended is None:
        return None
    figures = await find_figures(ended.journal, ended.arrived_ms)
    board = ended.leaderboard if figures.is_verified_win else None

    def write(connection: Connection) -> None:
        is_saved = save_statistics(connection, game_id, ended.acts, figures.statistics)
        if is_saved and board is not None:
            enter_win(connection, ended.ranked(board, figures))

    await database.write(write)
    return figures


def _ended_game(connection: Connection, game_id: str) -> _EndedGame | None:
    games = GAMES.c
    columns = (
        games.num, games.player, games.leaderboard, games.finished_at, games.arrived_ms, games.acts,
    )  # fmt: skip
    is_over = games.id == game_id, games.status.in_(ENDED)
    row = connection.execute(select(*columns).where(*is_over)).one_or_none()
    return None if row is None else _EndedGame(*row, journal_text(connection, row.num))
