"""How a game on the server ended, in words: what a window says below the board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import func, select

from demine.logic.event import Act
from demine.logic.game import Status
from demine.play.end_summary import record_texts, summarise_end
from demine.play.game_title import UNRANKED_REASONS
from demine.scene.translation import tr
from demine.store.records import NewRecord
from demine.web.database.schema import GAMES
from demine.web.websocket.protocol import Message

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection

    from demine.web.database.database import Database
    from demine.web.open_games import OpenGame


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
    rules, player = str(game.rules), open_game.player
    record, streak = await database.read(
        lambda connection: _record_of_win(connection, player, rules, open_game.id)
    )
    return record_texts(record, streak)


def _record_of_win(
    connection: Connection, player: str, rules: str, game_id: str
) -> tuple[NewRecord | None, int]:
    """Return the record that a counted win set, if any, and how many wins in a row it made."""
    games = GAMES.c
    this = connection.execute(
        select(games.time_ms, games.finished_at).where(games.id == game_id, games.result == "won")
    ).one_or_none()
    if this is None:
        return None, 0
    before = (
        games.player == player,
        games.rules == rules,
        games.id != game_id,
        games.finished_at <= this.finished_at,
    )
    best = connection.execute(
        select(func.min(games.time_ms)).where(*before, games.result == "won")
    ).scalar_one()
    last_loss = connection.execute(
        select(func.max(games.finished_at)).where(*before, games.result.in_(("lost", "resigned")))
    ).scalar_one()
    streak = connection.execute(
        select(func.count()).where(
            *before, games.result == "won", games.finished_at > (last_loss or "")
        )
    ).scalar_one()
    is_record = best is None or this.time_ms < best
    return NewRecord(this.time_ms, best) if is_record else None, streak + 1
