"""A server of ranked boards whose day a test sets, and players against it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np
from numpy.typing import NDArray

from demine.logic.daily_board import Daily
from demine.logic.event import Lay
from demine.logic.ranked_board import RankedBoard
from demine.web.database.place import DatabasePlace
from tests.web.races.race_site import Racer
from tests.web.stored_rows import change

DAY = date(2026, 11, 27)
LEVEL = "beginner"
SECRET = bytes(range(32))
BOARD = RankedBoard(Daily(DAY, LEVEL), SECRET)
PATH = f"/api/daily/{DAY}/{LEVEL}"


@dataclass
class Calendar:
    """The day on which a server believes to be."""

    day: date = DAY

    def __call__(self) -> date:
        return self.day

    def turn(self, days: int = 1) -> None:
        """Let midnights pass."""
        self.day += timedelta(days=days)


def keep_board(place: DatabasePlace, mine_map: NDArray[np.bool_]) -> None:
    """Give the board of the level and day, whose secret is known, other mines."""
    values = SECRET, str(Lay(0, mine_map)), str(DAY), LEVEL
    # Under another number, so that the mines which the server still looks for come too late.
    sql = "UPDATE ranked_boards SET num=num+1000, secret=?, lay=? WHERE day=? AND level=?"
    change(place, sql, *values)


def random_mines(seed: int, board: RankedBoard = BOARD) -> NDArray[np.bool_]:
    """Mines around an opening at the first cell of a board."""
    height, width = board.daily.rules.shape
    row, col = board.start
    free = np.ones((height, width), bool)
    free[max(row - 1, 0) : row + 2, max(col - 1, 0) : col + 2] = False
    mines = np.zeros((height, width), bool)
    shuffled = np.random.default_rng(seed).permutation(np.flatnonzero(free))
    mines.flat[shuffled[: board.daily.rules.mines]] = True
    return mines


class RankedPlayer(Racer):
    """A player with a cookie; `heard` is all that the server ever said to them."""

    def begin(self) -> str:
        """Begin the attempt, and connect to its game; returns the id of the game."""
        answer = self.ask("POST", PATH)
        assert answer.status_code == 200, answer.text
        game = str(answer.json()["game"])
        self.play(game)
        return game

    def win_attempt(self, mines: NDArray[np.bool_]) -> str:
        """Play the attempt to a win; returns the id of the game."""
        game = self.begin()
        self.act("open", *BOARD.start)
        assert self.win(mines)["status"] == "won"
        return game
