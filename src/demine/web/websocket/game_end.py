"""How a game on the server ended, in words: what a window says below the board."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import and_, bindparam, func, or_, select

from demine.logic.event import Act
from demine.logic.game import Status
from demine.play.end_summary import record_texts, summarise_end
from demine.play.game_title import UNRANKED_REASONS
from demine.scene.translation import tr
from demine.store.records import NewRecord
from demine.web.database.schema import GAMES
from demine.web.websocket.protocol import Message

if TYPE_CHECKING:
    from sqlalchemy import Select
    from sqlalchemy.engine import Connection

    from demine.web.database.database import Database
    from demine.web.open_games import OpenGame


_WIN: Final = "win"
_SINCE: Final = "since"
_G: Final = GAMES.c
_W: Final = GAMES.alias("win").c
_IS_WIN: Final = and_(_W.id == bindparam(_WIN), _W.result == "won")
"""A win, as it is on the disk."""
_BEFORE: Final = and_(
    _G.player == _W.player,
    _G.rules == _W.rules,
    _G.id != _W.id,
    _G.finished_at <= _W.finished_at,
)
"""Games that its player ended before it, by the same rules."""


async def end_message(database: Database, open_game: OpenGame) -> Message | None:
    """Return the message of a game that is over, in the language spoken; None for any other."""
    game = open_game.game
    if not game.status.over:
        return None
    meaning = await _meaning(database, open_game)
    figures = await open_game.figures()
    summary = summarise_end(game, figures.clicks, meaning, figures.three_bv)
    kind = "won" if summary.won else "lost"
    headline = _loss_of_one(open_game) or summary.headline
    return Message(kind=kind, headline=headline, text=summary.details)


def _loss_of_one(open_game: OpenGame) -> str:
    """Return which player of a co-op game opened the last mine; empty for any other end."""
    game, table = open_game.game, open_game.table
    if table is None or game.status is not Status.LOST:
        return ""
    last = next(each for each in reversed(game.events) if isinstance(each, Act))
    if not last.player:
        return ""
    time = f"{game.time_ms / 1000:.3f}"
    return tr("{name} hit a mine after {time} s", name=table.name_of(int(last.player)), time=time)


async def _meaning(database: Database, open_game: OpenGame) -> list[str]:
    """Return what the end means for the records, or why it means nothing."""
    game = open_game.game
    helped = game.opening_undone or game.hinted
    if game.unranked and (game.status is Status.WON or helped):
        return [tr(UNRANKED_REASONS[game.unranked])]
    if game.status is not Status.WON:
        return []
    record, streak = await database.read(partial(_record_of_win, game_id=open_game.id))
    return record_texts(record, streak)


def _record_of_win(connection: Connection, game_id: str) -> tuple[NewRecord | None, int]:
    """Return the record that a counted win set, if any, and how many wins in a row it made."""
    given = {_WIN: game_id}
    found = connection.execute(_win_statement(), given).one_or_none()
    if found is None:
        return None, 0
    since = {_SINCE: found.last_loss or ""}
    streak = connection.execute(_streak_statement(), given | since).scalar_one()
    is_record = found.best is None or found.time_ms < found.best
    return NewRecord(found.time_ms, found.best) if is_record else None, streak + 1


@cache
def _win_statement() -> Select[Any]:
    """Return what selects the time of a win, and of what came before the best and the last loss."""
    best = select(func.min(_G.time_ms)).where(_BEFORE, _G.result == "won")
    lost = or_(_G.result == "lost", _G.result == "resigned")
    last_loss = select(func.max(_G.finished_at)).where(_BEFORE, lost)
    return select(
        _W.time_ms,
        best.scalar_subquery().label("best"),
        last_loss.scalar_subquery().label("last_loss"),
    ).where(_IS_WIN)


@cache
def _streak_statement() -> Select[Any]:
    """Return what counts the wins before a win, after a moment.

    It stands alone: within the other statement SQLite would look for the last loss at every win.
    """
    return select(func.count()).where(
        _IS_WIN, _BEFORE, _G.result == "won", _G.finished_at > bindparam(_SINCE)
    )
