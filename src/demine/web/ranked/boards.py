"""The ranked boards of a server: laid in advance, played once, shown to all after their day."""

from __future__ import annotations

import time
from contextlib import suppress
from datetime import date, timedelta
from functools import partial
from typing import TYPE_CHECKING, Final, cast

from demine.game import Game
from demine.logic.daily_board import LEVELS, Daily
from demine.logic.errors import ActError
from demine.logic.event import Lay, Verb
from demine.logic.game import Origin
from demine.logic.ranked_board import RankedBoard
from demine.store.game_rows import new_id
from demine.web.backfill import fill_in_what_is_missing
from demine.web.database.ranked_boards import (
    attempts_left_behind,
    begin_attempt,
    boards_of_days,
    find_board,
    insert_boards,
    save_mines,
)
from demine.web.errors import Busy, DatabaseError, NotFound, RequestError
from demine.web.homes import Elsewhere, Homes
from demine.web.solver_queue import Asker

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import numpy as np
    from numpy.typing import NDArray

    from demine.logic.metadata import Fact
    from demine.web.database.database import Database
    from demine.web.open_games import OpenGames
    from demine.web.solver_queue import SolverQueue

FACT: Final = "ranked"
"""The name of the fact that says which ranked board a game is played on."""
LAY_AFTER_S: Final = 60.0
"""How long a server that has just started leaves the solver to others, unless somebody asks."""
HOME: Final = "ranked boards"
"""What says in which process the boards are laid (`demine.web.homes`)."""
_ASKER: Final = Asker("ranked boards", "ranked boards")
"""Who asks the solver to lay the boards, with a budget of its own."""


class NotToday(RequestError):
    """An attempt at a board whose day has not come, or is over."""

    status = 409
    what = "not_today"


class RankedBoards:
    """Lays ranked boards, begins attempts, and ends those that are left when the day is over."""

    def __init__(
        self,
        database: Database,
        open_games: OpenGames,
        solver: SolverQueue,
        today: Callable[[], date],
        homes: Homes | None = None,
    ) -> None:
        self._database = database
        self._open_games = open_games
        self._solver = solver
        self._today = today
        self._homes = Homes() if homes is None else homes
        self._began_on: date | None = None
        """The last day that was begun."""
        self._laid_on: date | None = None
        """The last day on which all boards were laid."""
        self._lay_at = time.monotonic() + LAY_AFTER_S

    async def look_after_boards(self) -> None:
        """Do what is due: begin a new day, and have its boards laid."""
        day = self._today()
        if day != self._began_on:
            await self.begin_day(day)
            self._began_on = day
        is_due = day != self._laid_on and time.monotonic() >= self._lay_at
        if is_due and self._homes.is_here(HOME):
            await self.lay_boards(day)
            self._laid_on = day

    async def begin_day(self, day: date) -> None:
        """Draw the secrets of a day and the next one, and end those of the days before."""
        boards = [RankedBoard.draw(Daily(each, level)) for each in _days(day) for level in LEVELS]
        await self._database.write(lambda connection: insert_boards(connection, boards))
        left = await self._database.read(lambda connection: attempts_left_behind(connection, day))
        for game_id in left:
            await self._give_up(game_id)
        for game in self._open_games.games_shown_from_now_on():
            async with game.lock:
                await game.show_mines()
        # A server that starts fills in what is missing anyway.
        if self._began_on is not None and self._homes.is_here(HOME):
            await fill_in_what_is_missing(self._database, lambda: day)

    async def lay_boards(self, day: date) -> None:
        """Have the mines of a day and the next one found, where nobody's game waits for it."""
        stored = await self._database.read(
            lambda connection: boards_of_days(connection, _days(day))
        )
        for num, board, mine_map in stored:
            if mine_map is None:
                args = board.daily.rules, board.seed, board.start
                found = cast("NDArray[np.bool_]", await self._solver.ask(_ASKER, "make", *args))
                await self._database.write(partial(save_mines, num=num, mine_map=found))

    def hurry(self) -> None:
        """Have the boards laid at once, because somebody wants to play."""
        self._lay_at = time.monotonic()

    async def begin_attempt(self, daily: Daily, player: str, facts: Mapping[str, Fact]) -> str:
        """Return the id of a player's one game on a board, which is made if there is none yet.

        `facts` are those of all games of this server.
        Raises `NotToday`, `NotFound` for a day without boards and for a game that was deleted, and
        `Busy` until the board is laid.
        """
        if daily.day != self._today():
            raise NotToday("only the ranked boards of today can be played")
        stored = await self._database.read(lambda connection: find_board(connection, daily))
        if stored.mine_map is None:
            self.hurry()
            raise Busy("this board is being laid: try again in a moment", seconds=2)
        game_id, game = new_id(), new_game(stored.board, stored.mine_map, facts)
        return await self._database.write(
            lambda connection: begin_attempt(connection, stored.num, player, game_id, game)
        )

    async def _give_up(self, game_id: str) -> None:
        # Deleted, over, or given up by its home.
        with suppress(NotFound, ActError, Elsewhere, DatabaseError):
            game = await self._open_games.get(game_id)
            async with game.lock:
                await game.play_for_nobody(Verb.RESIGN)


def _days(day: date) -> tuple[date, date]:
    """Return a day and the next one, whose digests are shown beforehand."""
    return day, day + timedelta(days=1)


def new_game(board: RankedBoard, mine_map: NDArray[np.bool_], facts: Mapping[str, Fact]) -> Game:
    """Return a game on a ranked board; its seed is not that of the board, which is a secret."""
    known = {**facts, FACT: str(board.daily)}
    game = Game(board.daily.rules, 0, origin=Origin.FRESH, start=board.start, facts=known)
    game.lay(Lay(0, mine_map))
    return game
