"""Drills and answers as rows of the server's database.

Answers stay, since progress is a fold over them, and their drills with them. Other drills go with
their game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlalchemy import delete, func, insert, or_, select

from demine.play.drills.made_games import is_made
from demine.store.drills import DrillKey, DrillReview
from demine.web.database.dialects import insert_of
from demine.web.database.games import ENDED
from demine.web.database.partners import is_together
from demine.web.database.schema import DRILL_REVIEWS, DRILLS, GAMES, UPLOADS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Select
    from sqlalchemy.engine import Connection

MOST_DRILLS: Final = 20_000
"""How many drills a player may have after bringing some in."""
MOST_REVIEWS: Final = 100_000
"""How many answers a player may have after bringing some in."""
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
    drill = _number(connection, player, review.drill)
    values = {"drill": drill, "at": review.at, "is_right": int(review.is_right)}
    connection.execute(insert(DRILL_REVIEWS).values(**values, time_ms=review.time_ms))


def add_known(connection: Connection, player: str, known: Sequence[DrillKey | DrillReview]) -> None:
    """Add drills and answers of an export, each answer after its drill.

    What is here is left as it is. A player has at most `MOST_DRILLS` drills and `MOST_REVIEWS`
    answers; more are left out.
    """
    drills, reviews = _counts(connection, player)
    for each in known:
        if isinstance(each, DrillKey):
            if drills < MOST_DRILLS and _number(connection, player, each) is None:
                _add_drill(connection, player, each)
                drills += 1
        elif reviews < MOST_REVIEWS and _is_new(connection, player, each):
            add_review(connection, player, each)
            reviews += 1


def _counts(connection: Connection, player: str) -> tuple[int, int]:
    """Return how many drills and answers a player has."""
    drills = select(func.count()).where(_D.player == player)
    reviews = select(func.count()).join_from(DRILL_REVIEWS, DRILLS).where(_D.player == player)
    return connection.execute(drills).scalar_one(), connection.execute(reviews).scalar_one()


def _number(connection: Connection, player: str, key: DrillKey) -> int | None:
    game, act, row, col, kind, _ = key
    same = _D.game == game, _D.act == act, _D.row == row, _D.col == col, _D.kind == kind
    found: int | None = connection.execute(
        select(_D.num).where(_D.player == player, *same)
    ).scalar_one_or_none()
    return found


def _is_new(connection: Connection, player: str, review: DrillReview) -> bool:
    """Return whether there is the drill of an answer, and not yet the answer."""
    drill = _number(connection, player, review.drill)
    same = select(_R.num).where(_R.drill == drill, _R.at == review.at)
    return drill is not None and connection.execute(same).first() is None


def _add_drill(connection: Connection, player: str, key: DrillKey) -> None:
    new = insert_of(connection, DRILLS).values(player=player, **key._asdict())
    connection.execute(new.on_conflict_do_nothing())


def drills_to_ask(connection: Connection, player: str) -> list[DrillKey]:
    """Return a player's drills of games that are over and kept, and of made ones, as found."""
    over = select(GAMES.c.id).where(GAMES.c.player == player, GAMES.c.status.in_(ENDED))
    kept = or_(_D.game.in_(over), _D.game.in_(_uploads_of(player)))
    mine = select(*_KEY, kept).where(_D.player == player, _D.act > 0).order_by(_D.num)
    found = ((DrillKey(*key), is_kept) for *key, is_kept in connection.execute(mine))
    return [key for key, is_kept in found if is_kept or is_made(key.game)]


def forget_drills_of_gone_games(connection: Connection, player: str) -> None:
    """Delete the drills of a player's games and replays that are kept no more, and no answer."""
    kept = or_(
        _D.game.in_(select(GAMES.c.id).where(GAMES.c.player == player)),
        _D.game.in_(_uploads_of(player)),
        _D.num.in_(select(_R.drill)),
    )
    connection.execute(delete(DRILLS).where(_D.player == player, ~kept))


def _uploads_of(player: str) -> Select[tuple[str]]:
    return select(UPLOADS.c.id).where(UPLOADS.c.player == player)


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
    """Return the ids of games that are over and of replays, never searched, the newest first.

    The mistakes of games that several play are not to be told apart, so these are left out.
    """
    searched = select(_D.game).where(_D.player == player)
    games, uploads = GAMES.c, UPLOADS.c
    played = (
        select(games.id)
        .where(
            games.player == player,
            games.status.in_(ENDED),
            games.id.not_in(searched),
            ~is_together(),
        )
        .order_by(games.finished_at.desc(), games.id.desc())
    )
    sent = (
        select(uploads.id)
        .where(uploads.player == player, uploads.id.not_in(searched))
        .order_by(uploads.num.desc())
    )
    found = [*connection.execute(played.limit(most)).scalars()]
    return [*found, *connection.execute(sent.limit(most - len(found))).scalars()]
