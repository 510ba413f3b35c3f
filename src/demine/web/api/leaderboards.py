"""Leaderboards over HTTP: who is where, among everybody or among friends."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Annotated, Final

from msgspec import Meta, Struct

from demine.web.api.door import Door, Visit
from demine.web.database.friends import friends_of
from demine.web.database.leaderboards import (
    MOST_PLACES,
    Leaderboard,
    Ranking,
    count_listed,
    everybodys_page,
    place_of,
    rankings_among,
)
from demine.web.leaderboards import Deal, Level, Measure, Period, board_name, rules_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.engine import Connection

MOST_ROWS: Final = 100


class AskedLeaderboard(Struct, frozen=True, forbid_unknown_fields=True):
    """Which leaderboard is wanted, and which part of it."""

    level: Level = Level.BEGINNER
    deal: Deal = Deal.OPENING
    measure: Measure = Measure.TIME
    period: Period = Period.ALL
    friends: bool = False
    """Only the player and the player's friends."""
    after: Annotated[int, Meta(ge=0, le=MOST_PLACES)] = 0
    """How many rows are left out before the first."""
    count: Annotated[int, Meta(ge=1, le=MOST_ROWS)] = 25


class LeaderboardRow(Struct, frozen=True):
    """A player's best game; equal ones have the same place."""

    place: int
    """From 1 on; 100001 stands for all places from there on."""
    name: str
    """Empty for a friend who has none."""
    game: str
    """Its id: it is watched at `/w/ID`."""
    won_at: str
    time_ms: int
    speed: float | None
    """3BV/s."""
    efficiency: float | None
    you: bool
    """Whether it is the player's who asks."""


class LeaderboardPage(Struct, frozen=True):
    """A part of a leaderboard."""

    rules: str
    """The rules of its games."""
    period: str
    """The period by its name: "all", "2026-11", "2026-W48"."""
    total: int
    """How many rows there are; 100000 stands for more as well."""
    rows: list[LeaderboardRow]
    you: LeaderboardRow | None
    """The row of the player who asks, with the place it has or would have."""
    is_listed: bool
    """Whether the player who asks appears in everybody's leaderboards."""


async def show_leaderboard(visit: Visit[AskedLeaderboard]) -> LeaderboardPage:
    """Show a part of a leaderboard, and where the player is."""
    asked, player = visit.asked, visit.known_player
    period = asked.period.name_at(datetime.now(UTC))
    leaderboard = Leaderboard(board_name(asked.level, asked.deal), period, asked.measure)
    find = partial(_of_friends if asked.friends else _of_everybody, asked, leaderboard)
    total, rows, own = await visit.services.database.read(partial(find, visit.player_id))
    return LeaderboardPage(
        rules=str(rules_of(asked.level, asked.deal)),
        period=period,
        total=total,
        rows=[row_of(each, visit.player_id) for each in rows],
        you=None if own is None else row_of(own, visit.player_id),
        is_listed=player is not None and player.is_listed and bool(player.name),
    )


def row_of(ranking: Ranking, player: str) -> LeaderboardRow:
    """Return a place as the player who asks may see it."""
    return LeaderboardRow(
        place=ranking.place,
        name=ranking.name,
        game=ranking.game,
        won_at=ranking.won_at,
        time_ms=ranking.time_ms,
        speed=ranking.bv_s,
        efficiency=ranking.ioe,
        you=ranking.player == player,
    )


def _of_everybody(
    asked: AskedLeaderboard, leaderboard: Leaderboard, player: str, connection: Connection
) -> tuple[int, Sequence[Ranking], Ranking | None]:
    return (
        count_listed(connection, leaderboard),
        everybodys_page(connection, leaderboard, asked.after, asked.count),
        place_of(connection, leaderboard, player),
    )


def _of_friends(
    asked: AskedLeaderboard, leaderboard: Leaderboard, player: str, connection: Connection
) -> tuple[int, Sequence[Ranking], Ranking | None]:
    friends = [each.player for each in friends_of(connection, player)]
    rows = rankings_among(connection, leaderboard, [player, *friends])
    own = next((each for each in rows if each.player == player), None)
    return len(rows), rows[asked.after : asked.after + asked.count], own


DOORS: Final = (
    Door(method="GET", path="/api/leaderboards", summary="A part of a leaderboard, and your place",
         handler=show_leaderboard, asks=AskedLeaderboard, answers=LeaderboardPage, cost=2),
)  # fmt: skip
