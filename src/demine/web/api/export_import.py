"""A player's games and settings as one file: taken along, and brought in again.

The file is the export of the desktop (docs/store.md), so that both read what either wrote. What
comes in is played again, game by game, in another process: a line is believed nothing that its
journal does not show. Games under way neither leave nor come, since a journal shows the mines.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from dataclasses import fields
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

import msgspec
from sqlalchemy import func, insert, select, union_all

from demine.play.drills.drill import DrillKind
from demine.play.drills.patterns import DrillPattern
from demine.scene.preferences import DECLARATIONS
from demine.scene.translation import ntr
from demine.store.drills import DrillKey, DrillReview, drill_entries
from demine.store.game_rows import GameRow, decompress_journal, uuid_text
from demine.store.json_lines import end_line, entry_line, game_entry, head_line
from demine.web import players
from demine.web.api.door import Door, File, Nothing, Visit
from demine.web.database.concealed_games import is_open_to_all
from demine.web.database.drills import (
    MOST_DRILLS,
    MOST_REVIEWS,
    add_known,
    drills_to_ask,
    reviews_of,
)
from demine.web.database.games import journal_text
from demine.web.database.partners import is_played_by
from demine.web.database.schema import GAMES, JOURNALS, UPLOADS
from demine.web.database.uploads import (
    MOST_UPLOADS,
    clean_file_name,
    insert_upload,
    uploads_of,
)
from demine.web.errors import TooLarge
from demine.web.sandbox.readers import TakenDrill, TakenExport, TakenGame, TakenReplay

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from datetime import date

    from sqlalchemy.engine import Connection

    from demine.web.database.database import Database
    from demine.web.players import Player

MOST_BYTES: Final = 1 << 26
"""The largest file that is brought in."""
MOST_KEPT: Final = 1 << 28
"""Bytes of compressed journals that one player may bring in altogether."""
_SECONDS: Final = 120
_AT_ONCE: Final = 200
"""Games of one transaction."""
_TYPE: Final = "application/x-ndjson"
_ROW_FIELDS: Final = frozenset(each.name for each in fields(GameRow)) & frozenset(GAMES.c.keys())


class Imported(msgspec.Struct, frozen=True):
    """What was brought in: new games and replays, those there already, and those left out."""

    added: int
    known: int
    left: int
    text: str


async def export(visit: Visit[Nothing]) -> File:
    """Return all games of the player that are over, their replays, drills and settings."""
    database, player = visit.services.database, visit.player
    async with visit.turn():
        drills = await database.read(partial(_drill_lines, player=player.id))
    today = visit.services.today()
    return File(_export_lines(database, player, drills, today), _TYPE, "demine-games.jsonl")


async def _export_lines(
    database: Database, player: Player, drills: list[bytes], today: date
) -> AsyncIterator[bytes]:
    yield head_line().encode()
    settings = json.loads(player.preferences)
    for name, value in settings.items():
        yield entry_line({"setting": name, "value": value}).encode()
    nums = await database.read(partial(_ended_games, player=player.id, today=today))
    games = 0
    for num in nums:
        line = await database.read(partial(_game_line, num=num))
        games += bool(line)
        yield line
    replays = 0
    for upload in await database.read(lambda connection: uploads_of(connection, player.id)):
        line = await database.read(partial(_replay_line, upload=upload["id"]))
        replays += bool(line)
        yield line
    for line in drills:
        yield line
    yield end_line(len(settings), games, replays, len(drills)).encode()


def _ended_games(connection: Connection, player: str, today: date) -> list[int]:
    table = GAMES.c
    is_over = table.status != "running", is_open_to_all(today)
    mine = select(table.num).where(is_played_by(player), *is_over)
    return list(connection.execute(mine.order_by(table.began_at, table.id)).scalars())


def _game_line(connection: Connection, num: int) -> bytes:
    """Return the line of a game; nothing if it was deleted or goes on meanwhile."""
    found = connection.execute(select(GAMES).where(GAMES.c.num == num)).mappings().one_or_none()
    if found is None or found["status"] == "running":
        return b""
    row = GameRow(**{name: found[name] for name in _ROW_FIELDS})
    entry = game_entry(row, journal_text(connection, num))
    if row.unranked == "daily":
        # Which day it was stands in the journal alone, so that is to be read.
        del entry["seal"]
    return entry_line(entry).encode()


def _replay_line(connection: Connection, upload: str) -> bytes:
    """Return the line of a replay; nothing if it was deleted meanwhile."""
    columns = UPLOADS.c
    row = connection.execute(select(UPLOADS).where(columns.id == upload)).one_or_none()
    if row is None:
        return b""
    journal = decompress_journal(row.journal)
    entry = {"replay": row.id, "name": row.name, "added_at": row.added_at, "journal": journal}
    return entry_line(entry).encode()


def _drill_lines(connection: Connection, player: str) -> list[bytes]:
    """Return the lines of all drills but those of games that go on, which would show mines."""
    reviews = reviews_of(connection, player)
    found = [*drills_to_ask(connection, player), *(each.drill for each in reviews)]
    return [entry_line(each).encode() for each in drill_entries(dict.fromkeys(found), reviews)]


async def import_(visit: Visit[Nothing]) -> Imported:
    """Bring in an export of the desktop, or of this or another server."""
    services, player = visit.services, visit.player
    packed = await services.sandbox.read(
        "demine.web.sandbox.readers:read_export", visit.file, seconds=_SECONDS
    )
    taken = await asyncio.to_thread(msgspec.msgpack.decode, packed, type=TakenExport)
    await _check_room(services.database, player.id, taken)
    await players.change(services.database, player.id, _valid_settings(taken.settings))
    added = 0
    for first in range(0, len(taken.games), _AT_ONCE):
        some = taken.games[first : first + _AT_ONCE]
        added += await services.database.write(partial(_write_new, player=player.id, games=some))
    write_replays = partial(_write_new_replays, player=player.id, replays=taken.replays)
    sent, left = await services.database.write(write_replays)
    await _write_drills(services.database, player.id, taken.drills)
    known = len(taken.games) + len(taken.replays) - added - sent - left
    done = added + sent, known, taken.left + left
    return Imported(*done, _text(*done))


async def _check_room(database: Database, player: str, taken: TakenExport) -> None:
    def kept(connection: Connection) -> int:
        played = select(func.length(JOURNALS.c.pack)).join(GAMES).where(GAMES.c.player == player)
        sent = select(func.length(UPLOADS.c.journal)).where(UPLOADS.c.player == player)
        return sum(connection.execute(union_all(played, sent)).scalars())

    coming = sum(len(game.journal) for game in taken.games)
    coming += sum(len(replay.columns["journal"]) for replay in taken.replays)
    if await database.read(kept) + coming > MOST_KEPT:
        raise TooLarge("this is too large: at most {size} MB", size=MOST_KEPT >> 20)


def _write_new(connection: Connection, player: str, games: list[TakenGame]) -> int:
    """Write the games that are not there yet; return how many those are."""
    added = 0
    for game in games:
        game_id = _free_id(connection, player, str(UUID(game.columns["id"])))
        if game_id is None:
            continue
        row = {**game.columns, "id": game_id, "player": player}
        (num,) = connection.execute(insert(GAMES), row).inserted_primary_key or (0,)
        connection.execute(insert(JOURNALS), {"game": num, "pack": game.journal})
        added += 1
    return added


def _write_new_replays(
    connection: Connection, player: str, replays: list[TakenReplay]
) -> tuple[int, int]:
    """Write the replays that are not there yet; return how many, and how many have no room."""
    room = MOST_UPLOADS - len(uploads_of(connection, player))
    added = left = 0
    for replay in reversed(replays):  # the newest stand first in an export
        row = replay.columns
        upload = _free_id(connection, player, str(UUID(row["id"])))
        if upload is not None and room > added:
            values = {**row, "id": upload, "name": clean_file_name(row["name"])}
            insert_upload(connection, player, values)
            added += 1
        elif upload is not None:
            left += 1
    return added, left


async def _write_drills(database: Database, player: str, drills: list[TakenDrill]) -> None:
    """Write the drills and answers that are not there yet, a part of them at a time."""
    here = await database.read(partial(_ids_here, player=player, drills=drills))
    known: list[DrillKey | DrillReview] = []
    for each in filter(_is_known_form, drills):
        key = each.key._replace(game=here.get(each.key.game, each.key.game))
        known += [key, *(DrillReview(key, *answer) for answer in each.reviews)]
    for first in range(0, min(len(known), MOST_DRILLS + MOST_REVIEWS), _AT_ONCE):
        some = known[first : first + _AT_ONCE]
        await database.write(partial(add_known, player=player, known=some))


def _is_known_form(drill: TakenDrill) -> bool:
    """Return whether this version knows the kind and the pattern of a drill."""
    with suppress(ValueError):
        DrillPattern.parse(drill.key.pattern)
        return drill.key.kind in set(DrillKind)
    return False


def _ids_here(connection: Connection, player: str, drills: list[TakenDrill]) -> dict[str, str]:
    """Return the ids of games of drills, where the player has a copy under another one."""
    mine = union_all(
        *(select(table.c.id).where(table.c.player == player) for table in (GAMES, UPLOADS))
    )
    ids = set(connection.execute(mine).scalars())
    copies = {each.key[0]: _id_of_copy(player, each.key[0]) for each in drills}
    return {game_id: copy for game_id, copy in copies.items() if copy in ids}


def _free_id(connection: Connection, player: str, game_id: str) -> str | None:
    """Return the id under which a game or replay is to be kept; None if the player has it already.

    If it is somebody else's, perhaps the same person's before they lost their cookie, the copy gets
    one that is always the same for this player.
    """
    for wanted in (game_id, _id_of_copy(player, game_id)):
        owners = union_all(
            *(select(table.c.player).where(table.c.id == wanted) for table in (GAMES, UPLOADS))
        )
        owner = connection.execute(owners).scalar()
        if owner == player:
            return None
        if owner is None:
            return wanted
    return None


def _id_of_copy(player: str, game_id: str) -> str:
    return uuid_text(sha256(f"{player} {game_id}".encode()).digest()[:16], version=4)


def _valid_settings(settings: dict[str, Any]) -> dict[str, Any]:
    """Return the preferences of an export that this version knows."""
    return {
        name: value
        for name, value in settings.items()
        if name in DECLARATIONS and DECLARATIONS[name].is_valid(value)
    }


def _text(added: int, known: int, left: int) -> str:
    parts = [
        ntr("{n} game was added", "{n} games were added", added),
        ntr("{n} was here already", "{n} were here already", known) if known else "",
        ntr(
            "{n} was left out: unfinished, damaged or too large",
            "{n} were left out: unfinished, damaged or too large",
            left,
        )
        if left
        else "",
    ]
    return " · ".join(filter(None, parts))


DOORS: Final = (
    Door(method="GET", path="/api/me/export", summary="All games that are over, as a file",
         handler=export, asks=Nothing, answers=_TYPE, player="known", work=2),
    Door(method="POST", path="/api/me/import", summary="Bring in such a file",
         handler=import_, asks=Nothing, answers=Imported, player="made", takes_file=MOST_BYTES,
         work=5),
)  # fmt: skip
