"""Uploaded replays as rows of the server's database: kept, listed, deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import delete, insert, select, update

from demine.game import Game
from demine.logic.rules import Rules
from demine.logic.sanitize import replace_control_characters
from demine.reviews.watch_text import recorded_player, title_of_replay
from demine.store.game_rows import decompress_journal, status_text
from demine.web.database.schema import UPLOADS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import Row, RowMapping
    from sqlalchemy.engine import Connection

MOST_UPLOADS: Final = 200
"""How many uploaded replays of one player are kept; the oldest goes first."""
_MOST_NAME: Final = 80
_LISTED: Final = (
    UPLOADS.c.id, UPLOADS.c.name, UPLOADS.c.added_at, UPLOADS.c.player_name, UPLOADS.c.rules,
    UPLOADS.c.status, UPLOADS.c.time_ms,
)  # fmt: skip


def upload_summary(game: Game) -> dict[str, object]:
    """Return the columns of `UPLOADS` that say in lists what a replay is, by name."""
    return {
        "player_name": recorded_player(game),
        "rules": str(game.rules),
        "status": status_text(game),
        "time_ms": game.time_ms,
    }


def upload_title(row: Mapping[str, Any] | RowMapping) -> str:
    """Return the title of a replay by its columns, in the language spoken."""
    if row["rules"] is None:  # not computed yet
        return str(row["name"])
    rules = Rules.parse(row["rules"])
    return title_of_replay(row["name"], row["player_name"], rules, row["status"], row["time_ms"])


def clean_file_name(name: str) -> str:
    """Return the name of a file as it is kept: short, without control characters."""
    return replace_control_characters(name, " ")[:_MOST_NAME]


def insert_upload(connection: Connection, player: str, values: Mapping[str, object]) -> None:
    """Keep a replay of a player; the oldest goes if there are more than `MOST_UPLOADS`."""
    columns = UPLOADS.c
    connection.execute(insert(UPLOADS), {**values, "player": player})
    newest = select(columns.num).where(columns.player == player).order_by(columns.num.desc())
    gone = columns.num.not_in(newest.limit(MOST_UPLOADS))
    connection.execute(delete(UPLOADS).where(columns.player == player, gone))


def uploads_of(connection: Connection, player: str) -> Sequence[RowMapping]:
    """Return what lists say of a player's replays, the newest first."""
    mine = select(*_LISTED).where(UPLOADS.c.player == player).order_by(UPLOADS.c.num.desc())
    return connection.execute(mine).mappings().all()


def uploads_without_summary(after: int, connection: Connection) -> Sequence[Row[Any, Any]]:
    """Return `num` and `id` of some replays above `after` that came before there were lists."""
    columns = UPLOADS.c
    found = select(columns.num, columns.id).where(columns.num > after, columns.rules.is_(None))
    return connection.execute(found.order_by(columns.num).limit(MOST_UPLOADS)).all()


def save_summary(connection: Connection, upload: str, values: Mapping[str, object]) -> None:
    """Write what `upload_summary` says of a replay."""
    connection.execute(update(UPLOADS).where(UPLOADS.c.id == upload).values(values))


def delete_upload(connection: Connection, player: str, upload: str) -> bool:
    """Delete a replay of a player; return whether there was one."""
    mine = UPLOADS.c.player == player, UPLOADS.c.id == upload
    return bool(connection.execute(delete(UPLOADS).where(*mine)).rowcount)


def load_upload(connection: Connection, upload: str) -> tuple[Game, str] | None:
    """Return a replay and the name of its file; None if there is no such replay."""
    columns = UPLOADS.c
    found = connection.execute(
        select(columns.name, columns.journal).where(columns.id == upload)
    ).one_or_none()
    if found is None:
        return None
    return Game.from_journal(decompress_journal(found.journal), trusted=True), found.name
