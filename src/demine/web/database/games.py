"""Games as rows of the server's database: made, appended to, and read back."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from datetime import date
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import and_, func, insert, literal_column, or_, select, update

from demine.game import Game
from demine.logic.game import Status
from demine.logic.journal import header_line
from demine.store.cached_statistics import DEFINITIONS_VERSION, STATISTIC_NAMES
from demine.store.game_rows import (
    act_count,
    counted_result,
    decompress_journal,
    status_text,
    unranked_reason,
)
from demine.store.utc_text import utc_now_text
from demine.web.database.dialects import execute_on_rows, given_rows
from demine.web.database.group_commit import MergedWork
from demine.web.database.partners import (
    Partner,
    is_played_by,
    is_together,
    load_partners,
    names_of_seats,
    with_names,
)
from demine.web.database.schema import EVENTS, GAMES, JOURNALS, RANKED_ATTEMPTS, RANKED_BOARDS
from demine.web.errors import NotFound

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Self

    from sqlalchemy import ColumnElement, Row
    from sqlalchemy.engine import Connection
    from sqlalchemy.sql.dml import Insert, Update, UpdateBase


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
    ranked_day: date | None = None
    """The day of the ranked board that it is played on; None for all others."""
    partners: tuple[Partner, ...] = ()
    """Who plays it, if these are several."""


@dataclass(slots=True)  # not frozen: to set nine fields would take three times as long
class NewEvents(MergedWork):
    """Journal lines to be appended to a game, and what is to be changed of its summary.

    Writing them raises `NotFound` if the game was deleted: its row may be another's by now.
    """

    num: int
    game_id: str
    first_seq: int
    """The index of the first line in the journal."""
    lines: Sequence[str]
    moved: Sequence[str]
    """All lines before, if their times changed: the opening act begins the count."""
    client: str
    number: int
    summary: Mapping[str, object]
    """Columns of `GAMES`, by name; without any its row stays as it is."""

    def __call__(self, connection: Connection) -> None:
        """Append to this game alone."""
        self.do_all(connection, [self])

    @classmethod
    def do_all(cls, connection: Connection, works: Sequence[Self]) -> None:
        """Append to several games, each at most once, with a statement for all of them."""
        dialect = connection.dialect.name
        for columns, alike in _by_columns(works).items():
            rows = [each.updated_row() for each in alike]
            _change_all(connection, _update_games(dialect, columns), rows)
        if moved := [row for each in works for row in each.moved_rows()]:
            execute_on_rows(connection, _move_events(dialect), moved)
        if added := [row for each in works for row in each.added_rows()]:
            _change_all(connection, _insert_events(dialect), added)

    def updated_row(self) -> dict[str, object]:
        """Return the parameters of `_update_games`."""
        return {**self.summary, "game_num": self.num, "game_id": self.game_id}

    def moved_rows(self) -> list[dict[str, object]]:
        """Return the parameters of `_move_events`, one for each line."""
        return [{"game": self.num, "seq": seq, "line": line} for seq, line in enumerate(self.moved)]

    def added_rows(self) -> list[dict[str, object]]:
        """Return the parameters of `_insert_events`, one for each line."""
        return [
            {"game": self.num, "seq": seq, "line": line,
             "client": self.client, "number": self.number, "game_id": self.game_id}
            for seq, line in enumerate(self.lines, self.first_seq)
        ]  # fmt: skip


ENDED: Final = ("won", "lost", "resigned")
"""The values of `status` of a game that is over."""
_AT_ONCE: Final = 100
"""How many games without statistics are looked for in one transaction."""
_NO_STATISTICS: Final[dict[str, object]] = dict.fromkeys((*STATISTIC_NAMES, "statistics_version"))
"""Those of a game that is not over, or not counted yet."""


def _by_columns(works: Sequence[NewEvents]) -> dict[tuple[str, ...], list[NewEvents]]:
    """Return the works by the columns that they change: these can share a statement."""
    found: dict[tuple[str, ...], list[NewEvents]] = {}
    for each in works:
        if each.summary:
            found.setdefault(tuple(each.summary), []).append(each)
    return found


def _change_all(
    connection: Connection, statement: UpdateBase, rows: Sequence[Mapping[str, object]]
) -> None:
    """Execute a statement on rows; raises `NotFound` if it did not change one for each."""
    if execute_on_rows(connection, statement, rows) != len(rows):
        raise NotFound("there is no such game")


@cache
def _update_games(dialect: str, columns: tuple[str, ...]) -> Update:
    games = GAMES.c
    types = {name: games[name].type for name in columns}
    given = given_rows(dialect, {"game_num": games.num.type, "game_id": games.id.type, **types}).c
    return (
        update(GAMES)
        .where(games.num == given.game_num, games.id == given.game_id)
        .values({name: given[name] for name in columns})
    )


@cache
def _insert_events(dialect: str) -> Insert:
    games = GAMES.c
    types = {each.name: each.type for each in EVENTS.c}
    given = given_rows(dialect, {**types, "game_id": games.id.type})
    rows = select(*(given.c[name] for name in types)).join(
        GAMES, and_(games.num == given.c.game, games.id == given.c.game_id)
    )
    return insert(EVENTS).from_select(list(types), rows)


@cache
def _move_events(dialect: str) -> Update:
    events = EVENTS.c
    names = "game", "seq", "line"
    given = given_rows(dialect, {name: events[name].type for name in names}).c
    return (
        update(EVENTS)
        .where(events.game == given.game, events.seq == given.seq)
        .values(line=given.line)
    )


def summary(game: Game, clock_ms: int, acts: int) -> dict[str, object]:
    """Return the columns of `GAMES` that every act may change, by name.

    While one player plays on they wait for `save_clocks`, since the events tell the same: to change
    the row and an index of it at every act would take longer than the rest. The header stays: that
    of a game of several players says so from its beginning.
    """
    return {
        "status": status_text(game),
        "unranked": unranked_reason(game),
        "time_ms": game.time_ms if game.status.over else clock_ms,
        "hits": len(game.board.blown),
        "acts": acts,
        "seen_at": utc_now_text(),
    }


def saved_at_once(game: Game) -> tuple[str, str]:
    """Return `status` and `unranked` of `summary`, the columns that do not wait if they change.

    The hits are none of them: how long an opening takes would tell a mine from a number.
    """
    return status_text(game), unranked_reason(game)


def summary_of_end(game: Game, finished_at: str, arrived_ms: int | None) -> dict[str, object]:
    """Return the columns of `GAMES` that change at an end, and while an ended game is resumed.

    `finished_at` is when the game ended the first time; the result is that of this end. Statistics
    are not counted yet.
    """
    return {
        "result": counted_result(game),
        "finished_at": finished_at,
        "arrived_ms": arrived_ms,
        **_NO_STATISTICS,
    }


def insert_game(
    connection: Connection, game_id: str, player: str, game: Game, leaderboard: str | None = None
) -> int:
    """Write a new game; return its row number.

    `leaderboard` names the boards among which it may enter.
    """
    row = summary(game, 0, act_count(game.events))
    values: dict[str, Any] = {
        **row,
        "id": game_id,
        "player": player,
        "rules": str(game.rules),
        "header": header_line(game),
        "began_at": row["seen_at"],
        "leaderboard": leaderboard,
    }
    done = connection.execute(insert(GAMES), values)
    (num,) = done.inserted_primary_key or (0,)
    lines = [str(each) for each in game.events]
    NewEvents(num, game_id, 0, lines, (), "", 0, {})(connection)
    return num


def save_statistics(
    connection: Connection, game_id: str, acts: int, statistics: Mapping[str, object]
) -> bool:
    """Write the statistics of a game; False if it is gone, or has another number of acts by now."""
    same = GAMES.c.id == game_id, GAMES.c.acts == acts
    return bool(connection.execute(update(GAMES).where(*same).values(statistics)).rowcount)


def games_without_statistics(
    is_wanted: ColumnElement[bool], after: int, connection: Connection
) -> Sequence[Row[Any, Any]]:
    """Return `num` and `id` of some wanted games above `after` that are over, without statistics.

    They lack them if the server was killed as they ended, if others played their board at that
    moment, or if a definition has changed since.
    """
    games = GAMES.c
    version = games.statistics_version
    lacks = or_(version.is_(None), version != DEFINITIONS_VERSION)
    over = games.status.in_(ENDED)
    found = select(games.num, games.id).where(games.num > after, over, lacks, is_wanted)
    return connection.execute(found.order_by(games.num).limit(_AT_ONCE)).all()


def journal_text(connection: Connection, num: int) -> str:
    """Return the journal of the game in row `num`; players of acts have the names of today."""
    return _journal_text(connection, num, names_of_seats(load_partners(connection, num)))


def _journal_text(connection: Connection, num: int, names: Mapping[int, str]) -> str:
    """Return a journal; without `names` players of acts are the numbers of their seats."""
    packed = select(JOURNALS.c.pack).where(JOURNALS.c.game == num)
    pack = connection.execute(packed).scalar_one_or_none()
    if pack is not None:
        return decompress_journal(pack)
    header = connection.execute(select(GAMES.c.header).where(GAMES.c.num == num)).scalar_one()
    # One row: the driver lets go of the interpreter for each, and the event loop waits for it.
    in_order = func.aggregate_strings(EVENTS.c.line, "\n").over(
        order_by=EVENTS.c.seq, rows=(None, None)
    )
    found = select(in_order).where(EVENTS.c.game == num).limit(1)
    lines: str | None = connection.execute(found).scalar_one_or_none()
    if lines is None:
        return f"{header}\n"
    if names:
        lines = "\n".join(with_names(line, names) for line in lines.split("\n"))
    return f"{header}\n{lines}\n"


def is_own_game(connection: Connection, game_id: str, player: str) -> bool:
    """Whether there is such a game, and it is this player's, alone or together with others."""
    found = select(GAMES.c.num).where(GAMES.c.id == game_id, is_played_by(player))
    return connection.execute(found).first() is not None


def is_shared_game(connection: Connection, game_id: str) -> bool:
    """Whether there is such a game, and several play it."""
    found = select(GAMES.c.num).where(GAMES.c.id == game_id, is_together())
    return connection.execute(found).first() is not None


@dataclass(frozen=True, slots=True)
class SavedClock:
    """The time of a game under way, and what its acts since have changed of its row."""

    id: str
    time_ms: int
    acts: int | None = None
    """None, as the next two, if nothing is known of its acts."""
    hits: int | None = None
    seen_at: str | None = None


def save_clocks(connection: Connection, clocks: Sequence[SavedClock]) -> None:
    """Write the time of games under way, unless a later one is there, and their acts."""
    execute_on_rows(connection, _save_clocks(connection.dialect.name), [*map(asdict, clocks)])


@cache
def _save_clocks(dialect: str) -> Update:
    games = GAMES.c
    names = [each.name for each in fields(SavedClock)]
    given = given_rows(dialect, {name: games[name].type for name in names}).c
    running: ColumnElement[str] = literal_column(f"'{Status.RUNNING.value}'")
    return (
        update(GAMES)
        .where(games.id == given.id, games.status == running, games.time_ms < given.time_ms)
        .values(
            time_ms=given.time_ms,
            acts=func.coalesce(given.acts, games.acts),
            hits=func.coalesce(given.hits, games.hits),
            seen_at=func.coalesce(given.seen_at, games.seen_at),
        )
    )


def row_of_game(connection: Connection, game_id: str) -> int | None:
    """Return the row number of a game; None if there is no such game."""
    return connection.execute(select(GAMES.c.num).where(GAMES.c.id == game_id)).scalar_one_or_none()


def load_game(connection: Connection, game_id: str, *, named: bool = False) -> StoredGame | None:
    """Return a game, with every event played again; None if there is no such game.

    Players of acts are the numbers of their seats, or `named` as in `journal_text`.
    """
    columns = GAMES.c.num, GAMES.c.player, GAMES.c.header, GAMES.c.time_ms, GAMES.c.finished_at
    row = connection.execute(select(*columns).where(GAMES.c.id == game_id)).one_or_none()
    if row is None:
        return None
    partners = load_partners(connection, row.num)
    names = names_of_seats(partners) if named else {}
    game = Game.from_journal(_journal_text(connection, row.num, names), trusted=True)
    sent = (
        select(EVENTS.c.client, func.max(EVENTS.c.number))
        .where(EVENTS.c.game == row.num, EVENTS.c.client != "")
        .group_by(EVENTS.c.client)
    )
    numbers = {client: number for client, number in connection.execute(sent)}  # noqa: C416
    ranked = (
        select(RANKED_BOARDS.c.day)
        .join(RANKED_ATTEMPTS, RANKED_ATTEMPTS.c.board == RANKED_BOARDS.c.num)
        .where(RANKED_ATTEMPTS.c.game == row.num)
    )
    day = connection.execute(ranked).scalar_one_or_none()
    ranked_day = None if day is None else date.fromisoformat(day)
    return StoredGame(
        row.num, row.player, game, row.time_ms, row.finished_at, numbers, ranked_day, partners
    )
