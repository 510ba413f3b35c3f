"""Games that are over, for whoever has their link: played ones and uploaded replays alike."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Final, NamedTuple

from sqlalchemy import select

from demine.store.daily import today_utc
from demine.web.database.concealed_games import conceals
from demine.web.database.games import load_game
from demine.web.database.partners import Partner, load_partners
from demine.web.database.schema import GAMES, UPLOADS
from demine.web.database.uploads import load_upload
from demine.web.errors import NotFound, NotYet

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date

    from sqlalchemy.engine import Connection

    from demine.game import Game
    from demine.web.database.database import Database

_KEPT: Final = 16


class Edition(NamedTuple):
    """What tells a game from itself at another time: it may be undone and end again."""

    game: str
    status: str = ""
    acts: int = 0
    partners: tuple[Partner, ...] = ()
    """Who played it together, by the names of today."""


class FinishedGames:
    """Reads games that are over, and keeps the last ones: who watches asks several times."""

    def __init__(self, database: Database, today: Callable[[], date] = today_utc) -> None:
        self._database = database
        self._today = today
        self._kept: OrderedDict[Edition, tuple[Game, str]] = OrderedDict()

    async def find(self, game_id: str) -> tuple[Game, str]:
        """Return a game and the name of its file, empty for one that was played here.

        The game may have to be played again: the caller holds the turn of `LongWork`, so that other
        readers of the database are free. Raises `NotFound`, and `NotYet` while it is played.
        """
        edition = await self._database.read(lambda connection: _edition(connection, game_id))
        known = self._kept.get(edition)
        if known is None:
            today = self._today()
            known = await self._database.read(lambda connection: _load(connection, game_id, today))
            self._kept[edition] = known
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(edition)
        return known

    async def is_known(self, game_id: str) -> bool:
        """Whether there is such a game, over or not."""
        try:
            await self._database.read(lambda connection: _edition(connection, game_id))
        except NotFound:
            return False
        return True


def _edition(connection: Connection, game_id: str) -> Edition:
    """Return the edition of a game or upload; raises `NotFound`."""
    games, uploads = GAMES.c, UPLOADS.c
    played = select(games.num, games.status, games.acts).where(games.id == game_id)
    row = connection.execute(played).one_or_none()
    if row is not None:
        return Edition(game_id, row.status, row.acts, load_partners(connection, row.num))
    sent = select(uploads.num).where(uploads.id == game_id)
    if connection.execute(sent).one_or_none() is None:
        raise NotFound("there is no such game")
    return Edition(game_id)


def _load(connection: Connection, game_id: str, today: date) -> tuple[Game, str]:
    sent = load_upload(connection, game_id)
    if sent is not None:
        return sent
    stored = load_game(connection, game_id, named=True)
    if stored is None:
        raise NotFound("there is no such game")
    if not stored.game.status.over:
        raise NotYet("this game is not over yet: it can be watched when it is")
    if conceals(connection, stored.num, today):
        raise NotYet("others still play this board: the game can be watched when they are done")
    return stored.game, ""
