"""Players of a server, each with a game that was begun a while ago."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from benchmarks.expert_acts import game_after, messages_from, whole_game
from benchmarks.websocket_players import Measured, Player, source_of
from demine.store.game_rows import new_id
from demine.web import identity
from demine.web.database.database import open_beside_server
from demine.web.database.games import insert_game
from demine.web.database.place import parse_place
from demine.web.database.schema import PLAYERS, SECRETS

BOARDS: Final = 20
"""How many different boards there are; each is played by several."""
BEGINNINGS: Final = 100
"""How far the games on each board have come: one in so many parts further each."""


def made_players(
    addresses: Sequence[str], database: str, number: int, noted: Measured
) -> list[Player]:
    """Make players, with games as `POST /api/games` makes them; of an echo where no database is.

    One address makes few players a minute, so they come through the server's own modules.
    """
    random = Random(1)
    begun = [_beginning(random) for _ in range(number)]
    games = _written(database, begun) if database else [("/", "")] * number
    return [
        Player(
            addresses[place % len(addresses)],
            source_of(place),
            *game,
            messages_from(seed, acts),
            seed if database else None,
            noted,
            random,
        )
        for place, (game, (seed, acts)) in enumerate(zip(games, begun, strict=True))
    ]


def _beginning(random: Random) -> tuple[int, int]:
    """Return the seed of a board, and how many acts were played on it."""
    seed = random.randrange(BOARDS)
    length = len(whole_game(seed))
    return seed, max(1, length * random.randrange(BEGINNINGS) // BEGINNINGS)


def _written(database: str, begun: Sequence[tuple[int, int]]) -> list[tuple[str, str]]:
    """Write games of a player each; return the path and the cookie of each."""
    readers, engine = open_beside_server(parse_place(database))
    made = []
    with engine.begin() as connection:
        key = connection.execute(SECRETS.select()).one().value
        for seed, acts in begun:
            player, game = new_id(), new_id()
            connection.execute(PLAYERS.insert().values(id=player, created_at=""))
            insert_game(connection, game, player, game_after(seed, acts))
            cookie = f"demine={identity.signed(player, key)}"
            made.append((f"/ws/games/{game}?client=load", cookie))
    engine.dispose()
    readers.dispose()
    return made
