"""Games that are over, for whoever has their link: played ones and uploaded replays alike."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Final, NamedTuple

from sqlalchemy import select

from demine.logic.rules import Rules
from demine.store.daily import today_utc
from demine.web.database.concealed_games import conceals, is_open_to_all
from demine.web.database.games import ENDED, load_game
from demine.web.database.partners import Partner, load_partners
from demine.web.database.schema import GAMES, UPLOADS
from demine.web.database.uploads import load_upload
from demine.web.errors import NotFound, NotYet
from demine.web.link_preview import RecordingFacts

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

    async def facts_of(self, game_id: str) -> RecordingFacts | None:
        """Return what is known of a recording that may be watched now; None if there is none."""
        today = self._today()
        return await self._database.read(lambda connection: _facts(connection, game_id, today))

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


def _facts(connection: Connection, game_id: str, today: date) -> RecordingFacts | None:
    return _facts_of_played(connection, game_id, today) or _facts_of_sent(connection, game_id)


def _facts_of_played(connection: Connection, game_id: str, today: date) -> RecordingFacts | None:
    games = GAMES.c
    may_be_seen = games.status.in_(ENDED), is_open_to_all(today)
    columns = select(games.rules, games.status, games.time_ms)
    row = connection.execute(columns.where(games.id == game_id, *may_be_seen)).one_or_none()
    if row is None:
        return None
    return RecordingFacts(game_id, "", "", Rules.parse(row.rules), row.status, row.time_ms)


def _facts_of_sent(connection: Connection, game_id: str) -> RecordingFacts | None:
    sent = UPLOADS.c
    columns = select(sent.name, sent.player_name, sent.rules, sent.status, sent.time_ms)
    # What is null is computed soon.
    is_known = sent.id == game_id, sent.rules.is_not(None)
    row = connection.execute(columns.where(*is_known)).one_or_none()
    if row is None:
        return None
    name, player, rules, ending, time_ms = row
    return RecordingFacts(game_id, name, player, Rules.parse(rules), ending, time_ms)


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
