"""Players in the database: made, found, renamed, moved to another device, deleted."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

import msgspec
from sqlalchemy import delete, func, insert, select, update

from demine.scene.preferences import Preferences
from demine.scene.translation import SOURCE, match_language
from demine.store.game_rows import new_id
from demine.store.utc_text import utc_now_text
from demine.web import identity
from demine.web.database import schema
from demine.web.database.leaderboards import rebuild_bests
from demine.web.database.partners import hand_over_games
from demine.web.errors import Banned, NotFound

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import ColumnElement, Connection, Update
    from starlette.requests import HTTPConnection

    from demine.web.database.database import Database

_KEY_NAME: Final = "cookie key"
_MOST_LANGUAGES: Final = 8
"""How many languages of a browser are looked at."""


class Player(msgspec.Struct, frozen=True):
    """A player as others may know them; `preferences` is JSON."""

    id: str
    name: str
    language: str
    preferences: str
    is_listed: bool = False
    """Whether the player wants to appear in everybody's leaderboards."""
    is_banned: bool = False
    """Whether whoever runs the server has banned the player, who may take the games along still."""


def language_asked_for(accepted: str) -> str:
    """Return the language that an `Accept-Language` header asks for, English if it is unknown."""
    wanted: list[tuple[float, int, str]] = []
    for place, part in enumerate(accepted[:400].split(",")[:_MOST_LANGUAGES]):
        code, _, weight = part.strip().partition(";q=")
        known = match_language(code)
        if known is not None:
            wanted.append((-_weight(weight), place, known))
    return min(wanted)[2] if wanted else SOURCE


def language_of(player: Player | None, connection: HTTPConnection) -> str:
    """Return the language that a player chose, else that of the browser."""
    chosen = "" if player is None else player.language
    return chosen or language_asked_for(connection.headers.get("accept-language", ""))


def preferences_of(player: Player | None) -> Preferences:
    """Return what a player has chosen, and the defaults of everything else."""
    return (
        Preferences()
        if player is None
        else Preferences.from_settings(json.loads(player.preferences))
    )


def _weight(text: str) -> float:
    try:
        return min(max(float(text or "1"), 0.0), 1.0)
    except ValueError:
        return 0.0


async def find(database: Database, player: str) -> Player | None:
    """Return the player with an id; None if there is none, or no more."""
    return await database.read(lambda connection: _one(connection, schema.PLAYERS.c.id == player))


def refuse_banned(player: Player | None) -> None:
    """Raise `Banned` for a banned player."""
    if player is not None and player.is_banned:
        raise exclusion()


def exclusion() -> Banned:
    """Return what a banned player is told."""
    return Banned("whoever runs this server has excluded this player")


async def find_banned(database: Database) -> frozenset[str]:
    """Return the ids of all banned players."""
    players = schema.PLAYERS.c
    statement = select(players.id).where(players.banned_at.is_not(None))
    return await database.read(
        lambda connection: frozenset(connection.execute(statement).scalars())
    )


async def find_by_token(database: Database, token: str) -> Player | None:
    """Return the player to whom a recovery token leads; None if it leads nowhere."""
    hashed = identity.recovery_hash(token)
    return await database.read(
        lambda connection: _one(connection, schema.PLAYERS.c.recovery == hashed)
    )


def _one(connection: Connection, condition: ColumnElement[bool]) -> Player | None:
    players = schema.PLAYERS.c
    columns = (
        players.id, players.name, players.language, players.preferences,
        players.is_listed, players.banned_at.is_not(None).label("is_banned"),
    )  # fmt: skip
    row = connection.execute(select(*columns).where(condition)).first()
    if row is None:
        return None
    return Player(
        row.id, row.name, row.language, row.preferences, bool(row.is_listed), row.is_banned
    )


async def create(database: Database) -> Player:
    """Make a player who has chosen neither a name nor a language, and return it."""
    player = Player(new_id(), "", "", "{}")
    values = {**_columns(player), "created_at": utc_now_text()}
    await database.write(
        lambda connection: connection.execute(insert(schema.PLAYERS).values(values))
    )
    return player


async def change(
    database: Database, player: str, preferences: Mapping[str, object], **columns: str | bool
) -> Player:
    """Change preferences and columns of a player, who keeps all others; return the player.

    Raises `NotFound` for one who was deleted, and `Banned`.
    """

    def write(connection: Connection) -> Player:
        before = _one(connection, schema.PLAYERS.c.id == player)
        if before is None:
            raise NotFound("there is no such player")
        refuse_banned(before)
        kept = json.dumps({**json.loads(before.preferences), **preferences})
        changed = msgspec.structs.replace(before, **columns, preferences=kept)
        connection.execute(_update_of(player, _columns(changed)))
        if (before.name, before.is_listed) != (changed.name, changed.is_listed):
            rebuild_bests(connection, player)
        return changed

    return await database.write(write)


def _columns(player: Player) -> dict[str, str | bool]:
    """Return what a player decides about, by the names of the columns."""
    return {
        "id": player.id,
        "name": player.name,
        "language": player.language,
        "preferences": player.preferences,
        "is_listed": player.is_listed,
    }


async def save_token(database: Database, player: str, token: str) -> None:
    """Let a recovery token lead to a player; the one before leads nowhere from now on."""
    statement = _update_of(player, {"recovery": identity.recovery_hash(token)})
    await database.write(lambda connection: connection.execute(statement))


def _update_of(player: str, values: Mapping[str, str | bool]) -> Update:
    return update(schema.PLAYERS).where(schema.PLAYERS.c.id == player).values(values)


async def erase(database: Database, player: str) -> None:
    """Delete a player with all games and files of theirs; what others play too stays theirs."""

    def write(connection: Connection) -> None:
        hand_over_games(connection, player)
        connection.execute(delete(schema.PLAYERS).where(schema.PLAYERS.c.id == player))

    await database.write(write)


async def count_games(database: Database, player: str) -> int:
    """Return how many games of a player are kept, running ones too, but no untouched boards."""
    games = schema.GAMES.c
    statement = select(func.count()).where(games.player == player, games.acts > 0)
    return await database.read(lambda connection: connection.execute(statement).scalar_one())


async def signing_key(database: Database) -> bytes:
    """Return the key that signs cookies, made when the database is new."""

    def find_or_make(connection: Connection) -> bytes:
        table = schema.SECRETS
        found = connection.execute(
            select(table.c.value).where(table.c.name == _KEY_NAME)
        ).scalar_one_or_none()
        if found is not None:
            return bytes(found)
        key = identity.new_key()
        connection.execute(insert(table).values(name=_KEY_NAME, value=key))
        return key

    return await database.write(find_or_make)
