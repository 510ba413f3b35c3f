"""A racer's game as the race sees it, and how much of it somebody else may see."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from demine import __version__
from demine.game import Game
from demine.logic.event import Act, Lay, Verb
from demine.logic.game import Origin, Status
from demine.play.race import RaceVerb

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self

    from numpy.typing import NDArray

    from demine.logic.game import Cell
    from demine.logic.rules import Rules
    from demine.web.database.races import RaceSettings


@dataclass(frozen=True, slots=True, eq=False)
class SeatGame:
    """A racer's game at a moment."""

    open_map: NDArray[np.bool_]
    """The cells that are open, mines that blew left out."""
    mines: int
    """How many mines blew."""
    time_ms: int
    ended_by: RaceVerb | None
    """What its end means for the race; None while it is played."""

    @classmethod
    def of(cls, game: Game) -> Self:
        """Return what the race sees of a game."""
        board = game.board
        open_map = board.open_map & ~board.mine_map
        return cls(open_map, len(board.blown), game.time_ms, _end_of(game))

    @property
    def opened(self) -> int:
        """How many cells are open."""
        return int(self.open_map.sum())


def _end_of(game: Game) -> RaceVerb | None:
    if game.status is Status.WON:
        return RaceVerb.FINISH
    if game.status is Status.LOST:
        return RaceVerb.LEAVE if game.resigned else RaceVerb.FAIL
    return None


def opening_cell(rules: Rules) -> Cell:
    """Return the cell that is opened for everybody at the start: the middle of the board."""
    return rules.height // 2, rules.width // 2


def new_game(settings: RaceSettings, race_id: str) -> Game:
    """Return a game on the board of a race, with its opening given at the time 0.

    Others have the same board, so it enters no best times.
    """
    cell = opening_cell(settings.rules)
    facts = {"program": f"demine {__version__}", "clock": "server", "race": race_id}
    game = Game(settings.rules, settings.seed, origin=Origin.SHARE, start=cell, facts=facts)
    game.lay(Lay(0, settings.mine_map))
    game.play(Act(0, Verb.OPEN, *cell))
    return game


def opened_by_all(games: Iterable[SeatGame]) -> NDArray[np.bool_] | None:
    """Return the cells that are open in all games; None if there is no game."""
    maps = [game.open_map for game in games]
    return np.logical_and.reduce(maps) if maps else None


def packed(cells: NDArray[np.bool_]) -> str:
    """Return cells in base64: a bit for each, row by row, the first one in the highest bit."""
    return b64encode(np.packbits(cells).tobytes()).decode("ascii")
