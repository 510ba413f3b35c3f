"""Drills and answers as rows of the server's database: rows are only ever added."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlalchemy import select
from sqlalchemy.dialects.sqlite import insert

from demine.store.drills import DrillKey, DrillReview
from demine.web.database.schema import DRILL_REVIEWS, DRILLS, GAMES, UPLOADS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.engine import Connection

_D: Final = DRILLS.c
_R: Final = DRILL_REVIEWS.c
_KEY: Final = (_D.game, _D.act, _D.row, _D.col, _D.kind, _D.pattern)


def add_drills(
    connection: Connection, player: str, game_id: str, found: Sequence[DrillKey]
) -> None:
    """Add what a search found in a game; what is known is left as it is."""
    for key in found or (DrillKey(game_id, 0, 0, 0, "", ""),):
        _add_drill(connection, player, key)


def add_review(connection: Connection, player: str, review: DrillReview) -> None:
    """Add an answer, and its drill if it is new."""
    _add_drill(connection, player, review.drill)
    game, act, row, col, kind, _ = review.drill
    same = _D.game == game, _D.act == act, _D.row == row, _D.col == col, _D.kind == kind
    drill = connection.execute(select(_D.num).where(_D.player == player, *same)).scalar_one()
    values = {"drill": drill, "at": review.at, "is_right": int(review.is_right)}
    connection.execute(insert(DRILL_REVIEWS).values(**values, time_ms=review.time_ms))


def _add_drill(connection: Connection, player: str, key: DrillKey) -> None:
    new = insert(DRILLS).values(player=player, **key._asdict())
    connection.execute(new.on_conflict_do_nothing())


def drills_of(connection: Connection, player: str) -> list[DrillKey]:
    """Return the drills of a player, in the order in which they were found."""
    mine = select(*_KEY).where(_D.player == player, _D.act > 0).order_by(_D.num)
    return [DrillKey(*row) for row in connection.execute(mine)]


def reviews_of(connection: Connection, player: str) -> list[DrillReview]:
    """Return the answers of a player, in the order of their moments."""
    mine = (
        select(*_KEY, _R.at, _R.is_right, _R.time_ms)
        .join(DRILLS, _D.num == _R.drill)
        .where(_D.player == player)
        .order_by(_R.at, _R.num)
    )
    return [
        DrillReview(DrillKey(*key), at, bool(is_right), time_ms)
        for *key, at, is_right, time_ms in connection.execute(mine)
    ]


def games_not_searched(connection: Connection, player: str, most: int) -> list[str]:
    """Return the ids of games that are over and of replays, never searched, the newest first."""
    searched = select(_D.game).where(_D.player == player)
    games, uploads = GAMES.c, UPLOADS.c
    played = (
        select(games.id)
        .where(games.player == player, games.finished_at.is_not(None), games.id.not_in(searched))
        .order_by(games.finished_at.desc(), games.id.desc())
    )
    sent = (
        select(uploads.id)
        .where(uploads.player == player, uploads.id.not_in(searched))
        .order_by(uploads.num.desc())
    )
    found = [*connection.execute(played.limit(most)).scalars()]
    return [*found, *connection.execute(sent.limit(most - len(found))).scalars()]
