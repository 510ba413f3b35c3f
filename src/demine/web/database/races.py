"""Races as rows of the server's database: made, added to, and read back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sqlalchemy import delete, func, insert, select, update

from demine.logic.event import Lay
from demine.logic.rules import Rules
from demine.play.race import MineCost, Race, RaceEvent, RaceVerb
from demine.store.utc_text import utc_now_text
from demine.web.database.games import insert_game
from demine.web.database.schema import GAMES, PLAYERS, RACE_EVENTS, RACERS, RACES

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    import numpy as np
    from numpy.typing import NDArray
    from sqlalchemy.engine import Connection

    from demine.game import Game

_R: Final = RACES.c
RACED_GAMES: Final = (
    select(RACERS.c.game)
    .join(RACES, _R.num == RACERS.c.race)
    .where(_R.over_at.is_(None), RACERS.c.game.is_not(None))
)
"""Selects the `num` of the games whose race is not over: their mines are shown to nobody."""


@dataclass(frozen=True, slots=True)
class RaceSettings:
    """What is chosen for a race before it begins, and the board that everybody gets."""

    rules: Rules
    mine_costs: MineCost
    seed: int
    mine_map: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Racer:
    """Who has a seat; `game` is the id of their game, None before the start."""

    player: str
    name: str
    game: str | None = None


@dataclass(frozen=True, slots=True)
class StoredRace:
    """A race as it was read from the database."""

    num: int
    settings: RaceSettings
    race: Race
    racers: dict[int, Racer]
    """By their seats."""
    rematch: str | None
    clock_ms: int
    """The latest time that is on the disk: of an event, or of the clock of a game."""


def insert_race(connection: Connection, race_id: str, settings: RaceSettings, maker: str) -> int:
    """Write a new race, with its maker in the first seat; return its row number."""
    values = {
        "id": race_id,
        "rules": str(settings.rules),
        "mine_costs": settings.mine_costs.value,
        "seed": settings.seed,
        "lay": str(Lay(0, settings.mine_map)),
        "made_at": utc_now_text(),
    }
    (num,) = connection.execute(insert(RACES), values).inserted_primary_key or (0,)
    insert_event(connection, num, 0, RaceEvent(0, RaceVerb.JOIN, 0), maker)
    return int(num)


def insert_event(
    connection: Connection, num: int, seq: int, event: RaceEvent, player: str = ""
) -> None:
    """Append an event to the race in row `num`; `player` is who joins."""
    values = {"race": num, "seq": seq, "line": str(event)}
    connection.execute(insert(RACE_EVENTS), values)
    if event.verb is RaceVerb.JOIN:
        seat = RACERS.c.race == num, RACERS.c.seat == event.seat
        connection.execute(delete(RACERS).where(*seat))  # of who left before the start
        racer = {"race": num, "seat": event.seat, "player": player}
        connection.execute(insert(RACERS), racer)


def insert_race_games(
    connection: Connection, num: int, games: Mapping[int, tuple[str, str, Game]]
) -> None:
    """Write the games of a race that starts: for each seat id, player and game."""
    for seat, (game_id, player, game) in games.items():
        row = insert_game(connection, game_id, player, game)
        of_seat = RACERS.c.race == num, RACERS.c.seat == seat
        connection.execute(update(RACERS).where(*of_seat).values(game=row))


def end_race(connection: Connection, num: int) -> None:
    """Note that a race is over: from now on its games can be watched."""
    connection.execute(update(RACES).where(_R.num == num).values(over_at=utc_now_text()))


def save_rematch(connection: Connection, num: int, rematch: str) -> None:
    """Note which race the players of another one made next."""
    connection.execute(update(RACES).where(_R.num == num).values(rematch=rematch))


def races_under_way(connection: Connection) -> list[str]:
    """Return the ids of all races that are not over."""
    return [*connection.execute(select(_R.id).where(_R.over_at.is_(None))).scalars()]


def is_known_race(connection: Connection, race_id: str) -> bool:
    """Whether there is such a race, over or not."""
    return connection.execute(select(_R.num).where(_R.id == race_id)).first() is not None


def load_race(connection: Connection, race_id: str) -> StoredRace | None:
    """Return a race, folded from its events; None if there is none."""
    row = connection.execute(select(RACES).where(_R.id == race_id)).one_or_none()
    if row is None:
        return None
    events = RACE_EVENTS.c
    lines = select(events.line).where(events.race == row.num).order_by(events.seq)
    race = Race.fold(map(RaceEvent.parse, connection.execute(lines).scalars()))
    settings = RaceSettings(
        Rules.parse(row.rules), MineCost(row.mine_costs), row.seed, Lay.parse(row.lay).mine_map
    )
    clock_ms = max(race.t, (race.started_at or 0) + _latest_ms(connection, row.num))
    racers = _racers(connection, row.num)
    return StoredRace(row.num, settings, race, racers, row.rematch, clock_ms)


def names_of(connection: Connection, players: Collection[str]) -> dict[str, str]:
    """Return the names of players by their ids, without those who were deleted."""
    columns = PLAYERS.c
    found = connection.execute(select(columns.id, columns.name).where(columns.id.in_(players)))
    return {row.id: row.name for row in found}


def _latest_ms(connection: Connection, num: int) -> int:
    """Return the latest clock of a game of a race, 0 without any."""
    latest = select(func.max(GAMES.c.time_ms)).join(RACERS, RACERS.c.game == GAMES.c.num)
    return connection.execute(latest.where(RACERS.c.race == num)).scalar_one() or 0


def _racers(connection: Connection, num: int) -> dict[int, Racer]:
    columns = RACERS.c.seat, RACERS.c.player, PLAYERS.c.name, GAMES.c.id
    found = (
        select(*columns)
        .join(PLAYERS, PLAYERS.c.id == RACERS.c.player)
        .outerjoin(GAMES, GAMES.c.num == RACERS.c.game)
        .where(RACERS.c.race == num)
    )
    return {seat: Racer(*who) for seat, *who in connection.execute(found)}
