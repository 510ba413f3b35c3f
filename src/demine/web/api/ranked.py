"""Ranked boards over HTTP: what is known of those of a day, and the one attempt at each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

from msgspec import Meta, Struct

from demine.logic.daily_board import Daily, parse_day
from demine.web.api.door import Door, Nothing, Visit
from demine.web.api.games import FACTS_OF_SERVER
from demine.web.database.ranked_boards import attempts_at, boards_of_days

if TYPE_CHECKING:
    from datetime import date

    from demine.web.database.ranked_boards import Attempt, StoredBoard


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
        visit.services.ranked.hurry()
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


async def begin_attempt(visit: Visit[Nothing]) -> Begun:
    """Begin the one attempt at a board, or return to it."""
    daily = Daily(parse_day(visit.path("day")), visit.path("level"))
    return Begun(await visit.services.ranked.begin_attempt(daily, visit.player.id, FACTS_OF_SERVER))


DOORS: Final[tuple[Door[Any], ...]] = (
    Door(method="GET", path="/api/daily", summary="The ranked boards of a day",
         handler=show_day, asks=OfDay, answers=RankedDay),
    Door(method="POST", path="/api/daily/{day}/{level}",
         summary="Begin my one attempt at a ranked board of today, or return to it",
         handler=begin_attempt, asks=Nothing, answers=Begun, player="made"),
)  # fmt: skip
