"""Wins and bests as rows of the server's database: entered, made anew, and read in order."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sqlalchemy import and_, delete, func, select, tuple_

from demine.web.database.dialects import insert_of
from demine.web.database.schema import BESTS, GAMES, PLAYERS, WINS
from demine.web.leaderboards import Measure, Period, RankedWin

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from sqlalchemy import ColumnElement
    from sqlalchemy.engine import Connection

_B: Final = BESTS.c
_W: Final = WINS.c


MOST_PLACES: Final = 100_000
"""So many places are counted; the next one stands for all that follow."""


class Leaderboard(NamedTuple):
    """One leaderboard."""

    board: str
    """As `board_name` writes it."""
    period: str
    """As `Period.name_at` writes it."""
    measure: Measure


class Ranking(NamedTuple):
    """A player's place in a leaderboard; players with the same score have the same place."""

    place: int
    player: str
    name: str
    game: str
    """The id of the game, by which it can be watched."""
    won_at: str
    time_ms: int
    bv_s: float | None
    ioe: float | None


# Entering


def enter_win(connection: Connection, win: RankedWin) -> None:
    """Keep a win, and make it the player's best wherever it is."""
    values = {name: getattr(win, name) for name in win.__slots__}
    connection.execute(insert_of(connection, WINS).values(values).on_conflict_do_nothing())
    _save_bests(connection, win.player, [win])


def rebuild_bests(connection: Connection, player: str) -> None:
    """Make the bests of a player anew: after a ban or its end, a new name, or a deleted game."""
    connection.execute(delete(BESTS).where(_B.player == player))
    wins = select(*(_W[name] for name in RankedWin.__slots__)).where(_W.player == player)
    _save_bests(connection, player, (RankedWin(*row) for row in connection.execute(wins)))


def _save_bests(connection: Connection, player: str, wins: Iterable[RankedWin]) -> None:
    """Write the best of some wins where no better one is; of equal ones the first counts."""
    columns = PLAYERS.c
    found = connection.execute(
        select(columns.is_listed, columns.name).where(
            columns.id == player, columns.banned_at.is_(None)
        )
    ).one_or_none()
    if found is None:  # deleted or banned meanwhile
        return
    best: dict[tuple[str, ...], dict[str, Any]] = {}
    for row in (each for win in wins for each in _rows_of(win)):
        key = row["board"], row["period"], row["measure"]
        best[key] = min(best.get(key, row), row, key=lambda each: (each["score"], each["won_at"]))
    if not best:
        return
    is_listed = bool(found.is_listed and found.name)
    statement = insert_of(connection, BESTS)
    new = statement.excluded
    is_better = tuple_(new.score, new.won_at) < tuple_(_B.score, _B.won_at)
    changed = {name: new[name] for name in ("game", "score", "won_at")}
    connection.execute(
        statement.on_conflict_do_update(
            index_elements=[*BESTS.primary_key], set_=changed, where=is_better
        ),
        [{**row, "is_listed": is_listed} for row in best.values()],
    )


def _rows_of(win: RankedWin) -> Iterator[dict[str, Any]]:
    """Yield the row of `BESTS` for each period and measure in which a win may be the best."""
    ended = datetime.fromisoformat(win.won_at)
    for measure in Measure:
        score = win.score(measure)
        if score is None:
            continue
        for period in Period:
            yield {
                "player": win.player, "board": win.board, "period": period.name_at(ended),
                "measure": measure.value, "game": win.game, "score": score, "won_at": win.won_at,
            }  # fmt: skip


# Reading


def everybodys_page(
    connection: Connection, leaderboard: Leaderboard, first: int, count: int
) -> list[Ranking]:
    """Return `count` places of those who appear, from the one with `first` others before it."""
    rows = _rankings(connection, and_(_within(leaderboard), _B.is_listed == 1), first, count)
    if not rows:
        return []
    before = _count_better(connection, leaderboard, rows[0].score)
    return with_places(rows, first, before)


def place_of(connection: Connection, leaderboard: Leaderboard, player: str) -> Ranking | None:
    """Return the place of a player among all who appear, also of one who does not; None without."""
    rows = _rankings(connection, and_(_within(leaderboard), _B.player == player))
    if not rows:
        return None
    before = _count_better(connection, leaderboard, rows[0].score)
    return with_places(rows, before, before)[0]


def count_listed(connection: Connection, leaderboard: Leaderboard) -> int:
    """Return how many players appear in a leaderboard; `MOST_PLACES` stands for more as well."""
    return _count(connection, _within(leaderboard), _B.is_listed == 1)


def rankings_among(
    connection: Connection, leaderboard: Leaderboard, players: Collection[str]
) -> list[Ranking]:
    """Return the places that some players have among themselves, whether they appear or not."""
    rows = _rankings(connection, and_(_within(leaderboard), _B.player.in_(players)))
    return with_places(rows, 0, 0)


def _within(leaderboard: Leaderboard) -> ColumnElement[bool]:
    return and_(
        _B.board == leaderboard.board,
        _B.period == leaderboard.period,
        _B.measure == leaderboard.measure.value,
    )


def _count_better(connection: Connection, leaderboard: Leaderboard, score: float) -> int:
    """Return how many of those who appear have a better score."""
    return _count(connection, _within(leaderboard), _B.is_listed == 1, _B.score < score)


def _count(connection: Connection, *conditions: ColumnElement[bool]) -> int:
    # However many there are, so that nobody waits for the count of a million.
    some = select(_B.score).where(*conditions).limit(MOST_PLACES).subquery()
    found = select(func.count()).select_from(some)
    return int(connection.execute(found).scalar_one())


def _rankings(
    connection: Connection, condition: ColumnElement[bool], first: int = 0, count: int | None = None
) -> Sequence[Any]:
    """Return some rows in order: the score, and what `Ranking` has after the place."""
    order = _B.score, _B.won_at, _B.player
    key = BESTS.primary_key.columns.values()
    # The index alone says which rows these are; only those that are shown are looked up.
    chosen = select(*key).where(condition).order_by(*order).limit(count).offset(first)
    found = (
        select(
            _B.score, _B.player, PLAYERS.c.name, GAMES.c.id, _B.won_at,
            _W.time_ms, _W.bv_s, _W.ioe,
        )
        .where(tuple_(*key).in_(chosen))
        .join(PLAYERS, PLAYERS.c.id == _B.player)
        .join(GAMES, GAMES.c.num == _B.game)
        .join(WINS, _W.game == _B.game)
        .order_by(*order)
    )  # fmt: skip
    return connection.execute(found).all()


def with_places(rows: Sequence[Any], first: int, better: int) -> list[Ranking]:
    """Return the places of rows in order, of which the first has `first` rows before it.

    `better` of these have a better score.
    """
    found: list[Ranking] = []
    place, score = better + 1, None
    for number, (own_score, *rest) in enumerate(rows, first + 1):
        if score is not None and own_score != score:
            place = number
        score = own_score
        found.append(Ranking(place, *rest))
    return found
