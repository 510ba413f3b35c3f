"""Games as rows of the server's database: made, appended to, and read back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import bindparam, func, insert, or_, select, update

from demine.game import Game
from demine.logic.journal import header_line
from demine.store.cached_statistics import (
    DEFINITIONS_VERSION,
    STATISTIC_NAMES,
    statistic_values,
)
from demine.store.game_rows import (
    act_count,
    counted_result,
    decompress_journal,
    status_text,
    unranked_reason,
)
from demine.store.utc_text import utc_now_text
from demine.web.database.schema import EVENTS, GAMES, JOURNALS
from demine.web.errors import NotFound

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import Row
    from sqlalchemy.engine import Connection


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game as it was read from the database."""

    num: int
    player: str
    game: Game
    clock_ms: int
    finished_at: str | None
    numbers: dict[str, int]
    """The number of the last message of each client that caused an event."""


@dataclass(frozen=True, slots=True)
class NewEvents:
    """Journal lines that are to be appended, and the summary of the game after them."""

    num: int
    game_id: str
    first_seq: int
    """The index of the first line in the journal."""
    lines: Sequence[str]
    moved: Sequence[str]
    """All lines before, if their times changed: the opening act begins the count."""
    client: str
    number: int
    summary: dict[str, object]


_ENDED: Final = ("won", "lost", "resigned")
"""The values of `status` of a game that is over."""
_AT_ONCE: Final = 100
"""How many games without statistics are looked for in one transaction."""
_NO_STATISTICS: Final[dict[str, object]] = dict.fromkeys((*STATISTIC_NAMES, "statistics_version"))
"""Those of a game that is not over, or not counted yet."""
_INSERT_EVENTS: Final = insert(EVENTS)
_MOVE_EVENT: Final = (
    update(EVENTS)
    .where(EVENTS.c.game == bindparam("game_num"), EVENTS.c.seq == bindparam("at"))
    .values(line=bindparam("line"))
)
_UPDATE_GAME: Final = (
    update(GAMES)
    .where(GAMES.c.num == bindparam("game_num"), GAMES.c.id == bindparam("game_id"))
    .values(
        {
            name: bindparam(name)
            for name in (
                "header", "status", "unranked", "result", "time_ms", "hits", "acts", "seen_at",
                "finished_at", *_NO_STATISTICS,
            )
        }
    )
)  # fmt: skip


def summary(game: Game, clock_ms: int, finished_at: str | None) -> dict[str, object]:
    """Return the columns of `GAMES` that acts change, by name.

    `finished_at` is when the game ended the first time; the result is that of this end.
    """
    over = game.status.over
    return {
        "header": header_line(game),
        "status": status_text(game),
        "unranked": unranked_reason(game),
        "result": counted_result(game) if finished_at else None,
        "time_ms": game.time_ms if over else clock_ms,
        "hits": len(game.board.blown),
        "acts": act_count(game.events),
        "seen_at": utc_now_text(),
        "finished_at": finished_at,
        **_NO_STATISTICS,
    }


def insert_game(connection: Connection, game_id: str, player: str, game: Game) -> int:
    """Write a new game without acts; return its row number."""
    row = summary(game, 0, None)
    values = {**row, "id": game_id, "player": player, "rules": str(game.rules)}
    done = connection.execute(insert(GAMES), {**values, "began_at": row["seen_at"]})
    (num,) = done.inserted_primary_key or (0,)
    _insert_lines(
        connection, NewEvents(num, game_id, 0, [str(each) for each in game.events], (), "", 0, {})
    )
    return num


def append_events(connection: Connection, new: NewEvents) -> None:
    """Append events to a game and write its summary.

    Raises `NotFound` if the game was deleted: its row may be that of another game by now.
    """
    found = connection.execute(
        _UPDATE_GAME, {**new.summary, "game_num": new.num, "game_id": new.game_id}
    )
    if not found.rowcount:
        raise NotFound("there is no such game")
    if new.moved:
        moved = [
            {"game_num": new.num, "at": seq, "line": line} for seq, line in enumerate(new.moved)
        ]
        connection.execute(_MOVE_EVENT, moved)
    _insert_lines(connection, new)


def computed_statistics(game: Game) -> dict[str, object]:
    """Return the columns of `GAMES` that hold the statistics of a game that is over, by name."""
    values = zip(STATISTIC_NAMES, statistic_values(game), strict=True)
    return {**dict(values), "statistics_version": DEFINITIONS_VERSION}


def save_statistics(
    connection: Connection, game_id: str, acts: int, statistics: Mapping[str, object]
) -> None:
    """Write the statistics of a game, unless it has another number of acts by now."""
    same = GAMES.c.id == game_id, GAMES.c.acts == acts
    connection.execute(update(GAMES).where(*same).values(statistics))


def games_without_statistics(after: int, connection: Connection) -> Sequence[Row[Any, Any]]:
    """Return `num` and `id` of some games above `after` that are over and lack statistics.

    They lack them if the server was killed as they ended, or if a definition has changed since.
    """
    games = GAMES.c
    version = games.statistics_version
    lacks = or_(version.is_(None), version != DEFINITIONS_VERSION)
    found = select(games.num, games.id).where(games.num > after, games.status.in_(_ENDED), lacks)
    return connection.execute(found.order_by(games.num).limit(_AT_ONCE)).all()


def _insert_lines(connection: Connection, new: NewEvents) -> None:
    rows = [
        {"game": new.num, "seq": seq, "line": line, "client": new.client, "number": new.number}
        for seq, line in enumerate(new.lines, new.first_seq)
    ]
    if rows:
        connection.execute(_INSERT_EVENTS, rows)


def journal_text(connection: Connection, num: int) -> str:
    """Return the journal of the game in row `num`."""
    packed = select(JOURNALS.c.pack).where(JOURNALS.c.game == num)
    found = connection.execute(packed).scalar_one_or_none()
    if found is not None:
        return decompress_journal(found)
    header = connection.execute(select(GAMES.c.header).where(GAMES.c.num == num)).scalar_one()
    lines = select(EVENTS.c.line).where(EVENTS.c.game == num).order_by(EVENTS.c.seq)
    return "\n".join([header, *connection.execute(lines).scalars()]) + "\n"


def load_game(connection: Connection, game_id: str) -> StoredGame | None:
    """Return a game, with every event played again; None if there is no such game."""
    columns = GAMES.c.num, GAMES.c.player, GAMES.c.header, GAMES.c.time_ms, GAMES.c.finished_at
    row = connection.execute(select(*columns).where(GAMES.c.id == game_id)).one_or_none()
    if row is None:
        return None
    game = Game.from_journal(journal_text(connection, row.num), trusted=True)
    sent = (
        select(EVENTS.c.client, func.max(EVENTS.c.number))
        .where(EVENTS.c.game == row.num, EVENTS.c.client != "")
        .group_by(EVENTS.c.client)
    )
    numbers = {client: number for client, number in connection.execute(sent)}  # noqa: C416
    return StoredGame(row.num, row.player, game, row.time_ms, row.finished_at, numbers)
