"""Ranked boards and the attempts at them as rows of the server's database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sqlalchemy import and_, func, insert, select, update

from demine.logic.daily_board import Daily
from demine.logic.event import Lay
from demine.logic.ranked_board import RankedBoard
from demine.web.database.dialects import insert_of
from demine.web.database.games import insert_game
from demine.web.database.leaderboards import with_places
from demine.web.database.schema import GAMES, PLAYERS, RANKED_ATTEMPTS, RANKED_BOARDS
from demine.web.errors import NotFound
from demine.web.leaderboards import Measure

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from datetime import date

    import numpy as np
    from numpy.typing import NDArray
    from sqlalchemy import ColumnElement, Row, Select
    from sqlalchemy.engine import Connection

    from demine.game import Game
    from demine.web.database.leaderboards import Ranking

_B: Final = RANKED_BOARDS.c
_A: Final = RANKED_ATTEMPTS.c


class StoredBoard(NamedTuple):
    """A ranked board as it was read from the database."""

    num: int
    board: RankedBoard
    mine_map: NDArray[np.bool_] | None
    """None until the solver has laid it."""


class Attempt(NamedTuple):
    """A player's attempt at a board; None where its game was deleted."""

    game: str | None
    status: str | None
    """As in `GAMES`, and `ready` until a cell is opened."""
    time_ms: int | None


def ranked_games_since(day: date) -> Select[tuple[int]]:
    """Return what selects the `num` of the games on ranked boards of a day and later ones."""
    return (
        select(_A.game)
        .join(RANKED_BOARDS, _B.num == _A.board)
        .where(_B.day >= day.isoformat(), _A.game.is_not(None))
    )


def insert_boards(connection: Connection, boards: Iterable[RankedBoard]) -> None:
    """Write boards of days and levels that have none yet; any other keeps its secret."""
    values = [
        {"day": each.daily.day.isoformat(), "level": each.daily.level, "secret": each.secret}
        for each in boards
    ]
    connection.execute(insert_of(connection, RANKED_BOARDS).on_conflict_do_nothing(), values)


def boards_of_days(connection: Connection, days: Iterable[date]) -> list[StoredBoard]:
    """Return the boards of some days, by days and in the order in which they were made."""
    texts = [day.isoformat() for day in days]
    found = select(RANKED_BOARDS).where(_B.day.in_(texts)).order_by(_B.day, _B.num)
    return [_stored(row) for row in connection.execute(found)]


def find_board(connection: Connection, daily: Daily) -> StoredBoard:
    """Return the board of a day and level; raises `NotFound`."""
    same = _B.day == daily.day.isoformat(), _B.level == daily.level
    row = connection.execute(select(RANKED_BOARDS).where(*same)).one_or_none()
    if row is None:
        raise NotFound("there is no ranked board of that day")
    return _stored(row)


def _stored(row: Row[Any]) -> StoredBoard:
    board = RankedBoard(Daily.parse(f"{row.day} {row.level}"), row.secret)
    return StoredBoard(row.num, board, None if row.lay is None else Lay.parse(row.lay).mine_map)


def save_mines(connection: Connection, num: int, mine_map: NDArray[np.bool_]) -> None:
    """Write the mines that the solver has found for the board in row `num`."""
    lay = str(Lay(0, mine_map))
    connection.execute(update(RANKED_BOARDS).where(_B.num == num).values(lay=lay))


def begin_attempt(connection: Connection, board: int, player: str, game_id: str, game: Game) -> str:
    """Write a player's attempt at a board with its game; return the id of the one they have.

    That is the id of an earlier game if there was an attempt before. Raises `NotFound` if that game
    was deleted.
    """
    mine = _A.board == board, _A.player == player
    found = select(_A.board, GAMES.c.id).outerjoin(GAMES, GAMES.c.num == _A.game).where(*mine)
    before = connection.execute(found).one_or_none()
    if before is None:
        row = insert_game(connection, game_id, player, game)
        attempt = {"board": board, "player": player, "game": row}
        connection.execute(insert(RANKED_ATTEMPTS), attempt)
        return game_id
    if before.id is None:
        raise NotFound("your game on this board was deleted: it has no second attempt")
    return str(before.id)


def attempts_at(connection: Connection, day: date, player: str) -> dict[int, Attempt]:
    """Return a player's attempts at the boards of a day, by the row numbers of the boards."""
    games = GAMES.c
    found = (
        select(_A.board, games.id, games.status, games.time_ms, games.acts)
        .join(RANKED_BOARDS, _B.num == _A.board)
        .outerjoin(GAMES, games.num == _A.game)
        .where(_B.day == day.isoformat(), _A.player == player)
    )
    return {
        row.board: Attempt(row.id, "ready" if row.acts == 0 else row.status, row.time_ms)
        for row in connection.execute(found)
    }


class Places(NamedTuple):
    """A part of the leaderboard of a ranked board."""

    total: int
    """How many players appear in it."""
    rows: list[Ranking]
    you: Ranking | None
    """The place of the player who asks, which does not depend on whether they appear."""


def places_of_everybody(
    connection: Connection, board: int, measure: Measure, player: str, first: int, count: int
) -> Places:
    """Return `count` places of those who appear, from the one with `first` others before it."""
    score = _score(measure)
    is_listed = PLAYERS.c.is_listed == 1, PLAYERS.c.name != ""
    everybody = and_(_won_at(board), score.is_not(None), *is_listed)
    rows = _rankings(connection, score, everybody, first, count)
    own = _rankings(connection, score, and_(_won_at(board), PLAYERS.c.id == player))
    listed = with_places(rows, first, _count(connection, everybody, score, rows))
    better = _count(connection, everybody, score, own)
    you = with_places(own, better, better)
    return Places(_count(connection, everybody), listed, you[0] if you else None)


def places_among(
    connection: Connection,
    board: int,
    measure: Measure,
    player: str,
    friends: Collection[str],
    first: int,
    count: int,
) -> Places:
    """Return the places that a player and their friends have among themselves."""
    ours = and_(_won_at(board), PLAYERS.c.id.in_([player, *friends]))
    rows = with_places(_rankings(connection, _score(measure), ours), 0, 0)
    you = next((each for each in rows if each.player == player), None)
    return Places(len(rows), rows[first : first + count], you)


def _won_at(board: int) -> ColumnElement[bool]:
    """Return the condition on attempts, games and players that a game counts on a board."""
    return and_(_A.board == board, GAMES.c.result == "won", PLAYERS.c.banned_at.is_(None))


def _score(measure: Measure) -> ColumnElement[Any]:
    """Return what games are compared by: the lowest is the best."""
    return GAMES.c.time_ms if measure is Measure.TIME else -GAMES.c.ioe


def _rankings(
    connection: Connection,
    score: ColumnElement[Any],
    condition: ColumnElement[bool],
    first: int = 0,
    count: int | None = None,
) -> Sequence[Any]:
    """Return some rows in order: the score, and what `Ranking` has after the place."""
    games, players = GAMES.c, PLAYERS.c
    found = _joined(
        select(
            score, players.id, players.name, games.id, games.finished_at,
            games.time_ms, games.bv_s, games.ioe,
        )
    )  # fmt: skip
    order = score, games.finished_at, players.id
    counted = found.where(condition, score.is_not(None)).order_by(*order)
    return connection.execute(counted.limit(count).offset(first)).all()


def _count(
    connection: Connection,
    condition: ColumnElement[bool],
    score: ColumnElement[Any] | None = None,
    rows: Sequence[Any] = (),
) -> int:
    """Return how many games meet a condition: all, or those better than the first of some rows."""
    if score is None:
        return int(connection.execute(_joined(select(func.count())).where(condition)).scalar_one())
    if not rows:
        return 0
    better = _joined(select(func.count())).where(condition, score < rows[0][0])
    return int(connection.execute(better).scalar_one())


def _joined(found: Select[Any]) -> Select[Any]:
    return (
        found.select_from(RANKED_ATTEMPTS)
        .join(GAMES, GAMES.c.num == _A.game)
        .join(PLAYERS, PLAYERS.c.id == _A.player)
    )


def attempts_left_behind(connection: Connection, today: date) -> list[str]:
    """Return the ids of games that were begun on boards of days before and still go on."""
    games = GAMES.c
    found = (
        select(games.id)
        .join(RANKED_ATTEMPTS, _A.game == games.num)
        .join(RANKED_BOARDS, _B.num == _A.board)
        .where(_B.day < today.isoformat(), games.status == "running", games.acts > 0)
        .order_by(games.num)
    )
    return list(connection.execute(found).scalars())
