"""Ranked boards over HTTP: what is known of those of a day, and the one attempt at each."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from msgspec import Meta, Struct

from demine.logic.daily_board import Daily, parse_day
from demine.web.api.door import Door, Nothing, Visit
from demine.web.api.games import FACTS_OF_SERVER
from demine.web.api.leaderboards import MOST_ROWS
from demine.web.cluster.news import BoardsWanted
from demine.web.database.friends import friends_of
from demine.web.database.leaderboards import MOST_PLACES
from demine.web.database.ranked_boards import (
    attempts_at,
    boards_of_days,
    find_board,
    places_among,
    places_of_everybody,
)
from demine.web.errors import NotYet
from demine.web.leaderboards import Measure

if TYPE_CHECKING:
    from datetime import date

    from sqlalchemy.engine import Connection

    from demine.web.database.leaderboards import Ranking
    from demine.web.database.ranked_boards import Attempt, Places, StoredBoard


class OfDay(Struct):
    """A day in UTC such as 2026-11-27; empty for today."""

    day: Annotated[str, Meta(max_length=10)] = ""


class MyAttempt(Struct):
    """The player's attempt at a board; `game` is null if the game was deleted.

    `status` is `ready`, `running`, `won`, `lost` or `resigned`, and null without a game.
    """

    game: str | None
    status: str | None
    time_ms: int | None


class RankedBoardOnWire(Struct):
    """The ranked board of a day and level.

    `digest` is SHA-256 of its secret, which is told in hexadecimal digits when the day is over.
    """

    level: str
    rules: str
    start: tuple[int, int]
    digest: str
    is_ready: bool
    """Whether the board is laid."""
    secret: str | None
    mine: MyAttempt | None


class RankedDay(Struct):
    """The ranked boards of a day; none of a day on which the server did not run."""

    day: str
    today: str
    boards: list[RankedBoardOnWire]


class AskedPlaces(Struct, frozen=True, forbid_unknown_fields=True):
    """Which part of the leaderboard of a ranked board is wanted."""

    measure: Literal["time", "efficiency"] = "time"
    """Efficiency tells of the board, so it is shown when the day is over."""
    friends: bool = False
    """Only the player and the player's friends."""
    after: Annotated[int, Meta(ge=0, le=MOST_PLACES)] = 0
    """How many rows are left out before the first."""
    count: Annotated[int, Meta(ge=1, le=MOST_ROWS)] = 25


class PlaceOnWire(Struct, frozen=True):
    """A player's win on a ranked board; equal ones have the same place.

    `game` and `efficiency` are null until the day is over, as the board is to be played still.
    """

    place: int
    name: str
    """Empty for a friend who has none."""
    game: str | None
    won_at: str
    time_ms: int
    efficiency: float | None
    you: bool


class RankedPlaces(Struct, frozen=True):
    """A part of the leaderboard of a ranked board."""

    total: int
    """How many rows there are."""
    rows: list[PlaceOnWire]
    you: PlaceOnWire | None
    """The row of the player who asks, with the place it has or would have."""
    is_listed: bool
    """Whether the player who asks appears in everybody's leaderboards."""


class Begun(Struct):
    """The game of an attempt."""

    game: str


async def show_day(visit: Visit[OfDay]) -> RankedDay:
    """Say what is known of the boards of a day."""
    today = visit.services.today()
    day = parse_day(visit.asked.day) if visit.asked.day else today
    player = visit.player_id
    boards, mine = await visit.services.database.read(
        lambda connection: (boards_of_days(connection, [day]), attempts_at(connection, day, player))
    )
    if day == today and any(each.mine_map is None for each in boards):
        await visit.services.tell(BoardsWanted())
    told = [_told(each, mine.get(each.num), today) for each in boards]
    return RankedDay(day.isoformat(), today.isoformat(), told)


def _told(stored: StoredBoard, mine: Attempt | None, today: date) -> RankedBoardOnWire:
    board = stored.board
    is_over = board.daily.day < today
    return RankedBoardOnWire(
        level=board.daily.level,
        rules=str(board.daily.rules),
        start=board.start,
        digest=board.digest,
        is_ready=stored.mine_map is not None,
        secret=board.secret.hex() if is_over else None,
        mine=None if mine is None else MyAttempt(*mine),
    )


async def show_places(visit: Visit[AskedPlaces]) -> RankedPlaces:
    """Show a part of the leaderboard of a ranked board, and where the player is."""
    asked, player, daily = visit.asked, visit.known_player, _daily_of(visit)
    is_over = daily.day < visit.services.today()
    if asked.measure == "efficiency" and not is_over:
        raise NotYet("efficiency tells of the board: it is shown when the day is over")
    find = partial(_places, asked=asked, daily=daily, player=visit.player_id)
    found = await visit.services.database.read(find)
    told = partial(_place_told, player=visit.player_id, is_over=is_over)
    return RankedPlaces(
        total=found.total,
        rows=[told(each) for each in found.rows],
        you=None if found.you is None else told(found.you),
        is_listed=player is not None and player.is_listed and bool(player.name),
    )


def _places(connection: Connection, asked: AskedPlaces, daily: Daily, player: str) -> Places:
    board, measure = find_board(connection, daily).num, Measure(asked.measure)
    part = asked.after, asked.count
    if asked.friends:
        friends = [each.player for each in friends_of(connection, player)]
        return places_among(connection, board, measure, player, friends, *part)
    return places_of_everybody(connection, board, measure, player, *part)


def _place_told(ranking: Ranking, player: str, *, is_over: bool) -> PlaceOnWire:
    return PlaceOnWire(
        place=ranking.place,
        name=ranking.name,
        game=ranking.game if is_over else None,
        won_at=ranking.won_at,
        time_ms=ranking.time_ms,
        efficiency=ranking.ioe if is_over else None,
        you=ranking.player == player,
    )


def _daily_of(visit: Visit[Any]) -> Daily:
    return Daily(parse_day(visit.path("day")), visit.path("level"))


async def begin_attempt(visit: Visit[Nothing]) -> Begun:
    """Begin the one attempt at a board, or return to it."""
    daily = _daily_of(visit)
    return Begun(await visit.services.ranked.begin_attempt(daily, visit.player.id, FACTS_OF_SERVER))


DOORS: Final[tuple[Door[Any], ...]] = (
    Door(method="GET", path="/api/daily", summary="The ranked boards of a day",
         handler=show_day, asks=OfDay, answers=RankedDay),
    Door(method="GET", path="/api/daily/{day}/{level}/places",
         summary="A part of the leaderboard of a ranked board, and my place",
         handler=show_places, asks=AskedPlaces, answers=RankedPlaces, cost=2),
    Door(method="POST", path="/api/daily/{day}/{level}",
         summary="Begin my one attempt at a ranked board of today, or return to it",
         handler=begin_attempt, asks=Nothing, answers=Begun, player="made"),
)  # fmt: skip
