"""Games as rows of the database: written while they run and when they end, and read back."""

from __future__ import annotations

import os
import re
import sqlite3
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias, cast, get_args

from demine.game import Game
from demine.logic import event_log
from demine.logic.daily_board import Daily, daily_of
from demine.logic.errors import DemineError
from demine.logic.event import Event
from demine.logic.game import Origin, Status, play_event
from demine.logic.journal import event_line, header_line
from demine.store import checksums
from demine.store.damage_checks import check_types
from demine.store.errors import (
    CHECKSUM,
    JOURNAL_DAMAGED,
    JOURNAL_LOST,
    NO_GAME,
    SEAL_BROKEN,
    WRONG_SUM,
    Reason,
    StoreError,
    UnusableDatabase,
)

if TYPE_CHECKING:
    from demine.logic.journal import Header
    from demine.logic.quick_fold import QuickFold

State: TypeAlias = Literal["running", "won", "lost", "resigned", "damaged"]
Result: TypeAlias = Literal["won", "lost", "resigned"]
Outcome: TypeAlias = Literal["won", "lost", "resigned", "helped"]
GameNum: TypeAlias = int
"""The number of a game's row, `num` in every table."""
STATES: Final[tuple[State, ...]] = get_args(State)

MAX_ROWS: Final = 2**63 - 1
"""The largest integer of SQLite."""
_MOST_VALUES: Final = 999
"""How many values every SQLite takes in one statement."""
MAX_JOURNAL: Final = 1 << 27
"""Characters of the longest journal that is decompressed, so that few bytes cannot fill memory."""
_QUICK_WINDOW: Final = 13
"""Journals are compressed quickly with a window of two to this power of bytes."""
_QUICK_MEMORY: Final = 6
"""The `memLevel` of zlib that goes with it: 32 KiB."""
_COLUMNS: Final = (
    "id, rules, status, unranked, result, time_ms, hits, acts, began_at, seen_at, finished_at,"
    " bv, bv_solved, clicks, bv_s, ioe, day, level, opened_at, outcome,"
    f" games.seal = {checksums.GAME_CHECKSUM_SQL}"
    f" AND (figures.num IS NULL OR figures.seal = {checksums.STATISTICS_CHECKSUM_SQL})"
)
_WRITTEN: Final = (
    "id, rules, header, status, unranked, result, time_ms, hits, acts, began_at, seen_at,"
    " finished_at, owner, crc"
)
_FROM: Final = "games LEFT JOIN figures USING (num) LEFT JOIN dailies USING (num)"
_NONE: Final = type(None)
_TEXT: Final = (str, _NONE)
_WHOLE: Final = (int, _NONE)
_REAL: Final = (float, int, _NONE)
_KINDS: Final = (
    str, str, str, str, (str, _NONE), int, int, int, str, str, (str, _NONE),
    _WHOLE, _WHOLE, _WHOLE, _REAL, _REAL,
    _TEXT, _TEXT, _TEXT, _TEXT,
)  # fmt: skip
GAME_ID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII)
UNRANKED_IMPORTED: Final = "imported"
"""Why a game from another program's file is not ranked, whatever its journal says."""
UNRANKED_DAILY: Final = "daily"
"""Why a game on a daily board is not ranked."""
UNRANKED_REASONS: Final = frozenset(
    {"", "undo", "hint", "seed", "share", "again", "together", UNRANKED_DAILY, UNRANKED_IMPORTED}
)
"""All values of `GameRow.unranked`."""


@dataclass(frozen=True, slots=True)
class GameRow:
    """One game of the history.

    `rules` is the text of its rules (`Rules.parse` reads it). `status` is one of `STATES`;
    `result` is how it counts: None for a game that counts nowhere, else how it ended the first
    time. `unranked` says why it is not ranked (`undo`, `hint`, `seed`, `share`, `again`,
    `together`, `daily`, `imported`), empty if it is. `time_ms` is the time of play in milliseconds,
    `hits` the number of mines hit, `acts` the number of acts. Moments are ISO texts in UTC;
    `finished_at` is when the game ended the first time, None if it never did. The statistics
    (docs/statistics.md) are None if they have no value or `Store.compute_missing_statistics` has
    not computed them yet. Of a game on a daily board (docs/daily.md) `day` and `level` name the
    board, `opened_at` is when its first cell was opened, and `outcome` is that of the attempt: None
    while it runs.

    >>> import demine
    >>> with demine.Store.memory() as store:
    ...     live = store.begin(demine.Game("9x9/10", seed=7))
    ...     row = store.game_row(live.id)
    >>> row.rules, row.status, row.unranked
    ('9x9/10', 'running', 'seed')
    """

    id: str
    rules: str
    status: str
    unranked: str
    result: str | None
    time_ms: int
    hits: int
    acts: int
    began_at: str
    seen_at: str
    finished_at: str | None
    bv: int | None = None
    bv_solved: int | None = None
    clicks: int | None = None
    bv_s: float | None = None
    ioe: float | None = None
    day: str | None = None
    level: str | None = None
    opened_at: str | None = None
    outcome: str | None = None

    @property
    def ranked(self) -> bool:
        """Whether the game may enter best times."""
        return not self.unranked


@dataclass(frozen=True, slots=True)
class Dates:
    """The moments of a game that its journal does not hold (ISO texts, UTC)."""

    began: str
    seen: str
    finished: str | None = None
    opened: str | None = None
    """When the first cell was opened; stored for games on daily boards only."""


def new_id() -> str:
    """Return a random UUID (version 4), made without the uuid module, which is slow to import."""
    return uuid_text(os.urandom(16), version=4)


def uuid_text(content: bytes, *, version: int) -> str:
    """Return 16 bytes as a UUID, with its version and variant put in."""
    number = int.from_bytes(content)
    number = number & ~(0xF << 76) | version << 76
    number = number & ~(0x3 << 62) | 2 << 62
    text = f"{number:032x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def status_text(game: Game) -> State:
    """Return the status of a game as the history stores it."""
    status = game.status
    if status is Status.WON:
        return "won"
    if status is Status.LOST:
        return "resigned" if game.resigned else "lost"
    return "running"


def counted_result(game: Game) -> Result | None:
    """Return how a game counts for the records, None if it does not.

    Only fresh boards count, played without hint or undo. A loss before these still counts.
    """
    if game.origin is not Origin.FRESH:
        return None
    if not game.unranked:
        state = status_text(game)
        return state if state in ("won", "lost", "resigned") else None
    return "lost" if _lost_before_help(game) else None


def unranked_reason(game: Game) -> str:
    """Return why a game is not ranked, empty if it is; "daily" rather than "seed"."""
    return _daily_reason(game, game.unranked)


def _daily_reason(game: Game | Header, reason: str) -> str:
    return UNRANKED_DAILY if reason == Origin.SEED and daily_of(game) is not None else reason


def attempt_outcome(game: Game) -> Outcome | None:
    """Return the outcome of an attempt at a daily board; None while it is open.

    A loss stays, whatever is undone; an attempt with help before its end is neither won nor lost.
    """
    state = status_text(game)
    if game.opening_undone or game.hinted:
        if _lost_before_help(game):
            return "lost"
        return "helped"
    return state if state in ("won", "lost", "resigned") else None


def _lost_before_help(game: Game) -> bool:
    """Return whether the game was lost before the first hint or undone opening."""
    fair = Game(game.rules, game.seed, origin=game.origin, start=game.start)
    for event in game.events:
        if fair.status is Status.LOST:
            return True
        play_event(fair, event)
        if fair.opening_undone or fair.hinted:
            return False
    return fair.status is Status.LOST


def play_time_ms(game: Game) -> int:
    """Return the time of a game's last act in milliseconds, its duration if it is over.

    Never negative; 0 without an act.
    """
    acts = event_log.acts(game.events)
    return max(acts[-1].t, 0) if acts else 0


class GameFacts(NamedTuple):
    """What a game's events say about it, as its row has it."""

    status: State
    unranked: str
    result: Result | None
    time_ms: int
    hits: int
    acts: int


def facts_of_game(game: Game) -> GameFacts:
    """Return what the events of a game say about it."""
    return GameFacts(
        status_text(game),
        unranked_reason(game),
        counted_result(game),
        play_time_ms(game),
        len(game.board.blown),
        act_count(game.events),
    )


def facts_of_quick_fold(fold: QuickFold) -> GameFacts:
    """Return what a game's events say about it, if nothing was undone and no help shown."""
    is_fresh = fold.header.origin is Origin.FRESH
    return GameFacts(
        fold.status,
        "" if is_fresh else _daily_reason(fold.header, str(fold.header.origin)),
        fold.status if is_fresh else None,
        max(fold.time_ms, 0),
        fold.hits,
        fold.acts,
    )


@dataclass(frozen=True, slots=True)
class PreparedGame:
    """A game ready to be written: all slow work is done."""

    id: str
    values: tuple[object, ...]
    daily: tuple[object, ...] | None
    journal: bytes | tuple[str, ...]
    """Compressed when the game is over, else its lines."""

    @property
    def seal(self) -> int:
        """The checksum of its row, for plain values and a game that is over."""
        *values, _, crc = self.values
        daily = self.daily or (None,) * len(checksums.DAILY_COLUMNS)
        return checksums.row_checksum(*values, crc, *daily)


def prepare_game(
    game_id: str,
    game: Game,
    dates: Dates,
    clock_ms: int,
    owner: str,
    *,
    imported: bool = False,
) -> PreparedGame:
    """Return a game as it is written to the database. An `imported` one counts nowhere."""
    over = game.status.over
    journal = compress_journal(game.journal()) if over else tuple(map(event_line, game.events))
    facts = facts_of_game(game)
    values = (
        game_id,
        str(game.rules),
        header_line(game),
        facts.status,
        UNRANKED_IMPORTED if imported else facts.unranked,
        facts.result if dates.finished and not imported else None,
        facts.time_ms if over else clock_ms,
        facts.hits,
        facts.acts,
        dates.began,
        dates.seen,
        dates.finished,
        None if over else owner or None,
        zlib.crc32(journal) if isinstance(journal, bytes) else 0,
    )
    daily = None if imported else daily_values(game, dates)
    return PreparedGame(game_id, values, daily, journal)


def write_game(connection: sqlite3.Connection, game: PreparedGame) -> GameNum:
    """Write a whole game, replacing one with the same id; return its row number.

    The journal of a game that is over is written compressed, another event by event.
    """
    connection.execute("DELETE FROM games WHERE id = ?", (game.id,))
    cursor = connection.execute(
        f"INSERT INTO games ({_WRITTEN}) VALUES ({', '.join('?' * 14)})",  # noqa: S608 (names)
        game.values,
    )
    num = cast(int, cursor.lastrowid)
    _write_daily_values(connection, num, game.daily)
    if isinstance(game.journal, bytes):
        _write_packed_journal(connection, num, game.journal)
    else:
        append_lines(connection, num, 0, game.journal)
    checksums.update_game_checksum(connection, num)
    return num


def write_ended_games(connection: sqlite3.Connection, games: Sequence[PreparedGame]) -> None:
    """Write games that are over; of several with the same id, here or there, the last one stays."""
    last = {game.id: game for game in games}
    connection.executemany("DELETE FROM games WHERE id = ?", ((game_id,) for game_id in last))
    (before,) = connection.execute("SELECT coalesce(max(num), 0) FROM games").fetchone()
    numbered = list(enumerate(last.values(), before + 1))
    insert_rows(
        connection,
        f"games ({_WRITTEN}, num, seal)",
        [(*game.values, num, game.seal) for num, game in numbered],
    )
    for num, game in numbered:
        _write_daily_values(connection, num, game.daily)
    connection.executemany(
        "INSERT OR REPLACE INTO journals (num, pack) VALUES (?, ?)",
        ((num, game.journal) for num, game in numbered),
    )


def insert_rows(
    connection: sqlite3.Connection, into: str, rows: Sequence[Sequence[object]]
) -> None:
    """Insert rows `into` a table, written with its columns, many by each statement.

    Where a table has triggers, SQLite keeps a copy of every page that a statement changes, so that
    one statement for each row would copy the same pages again and again.
    """
    if not rows:
        return
    width = len(rows[0])
    marks, at_once = f"({', '.join('?' * width)})", _MOST_VALUES // width
    for first in range(0, len(rows), at_once):
        part = rows[first : first + at_once]
        connection.execute(
            f"INSERT INTO {into} VALUES {', '.join([marks] * len(part))}",  # noqa: S608 (names)
            [value for row in part for value in row],
        )


def write_unprepared_game(
    connection: sqlite3.Connection,
    game_id: str,
    game: Game,
    dates: Dates,
    clock_ms: int,
    owner: str,
) -> GameNum:
    """Write a whole game, replacing one with the same id; return its row number."""
    return write_game(connection, prepare_game(game_id, game, dates, clock_ms, owner))


def daily_values(game: Game, dates: Dates) -> tuple[object, ...] | None:
    """Return the values of `checksums.DAILY_COLUMNS`; None for a game on no daily board."""
    daily = Daily.of(game)
    if daily is None:
        return None
    opened = dates.opened or (dates.began if game.begun else None)
    return daily.day.isoformat(), daily.level, opened, attempt_outcome(game)


def write_daily(connection: sqlite3.Connection, num: GameNum, game: Game, dates: Dates) -> None:
    """Write the attempt of a game on a daily board, if it is one, and update the game's seal."""
    _write_daily_values(connection, num, daily_values(game, dates))
    checksums.update_game_checksum(connection, num)


def _write_daily_values(
    connection: sqlite3.Connection, num: GameNum, daily: tuple[object, ...] | None
) -> None:
    if daily is not None:
        connection.execute(
            "INSERT INTO dailies (num, day, level, opened_at, outcome) VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT (num) DO UPDATE SET opened_at = excluded.opened_at,"
            " outcome = excluded.outcome",
            (num, *daily),
        )


def append_events(
    connection: sqlite3.Connection, num: GameNum, first_seq: int, events: Iterable[Event]
) -> None:
    """Append events to a running game; `first_seq` is the index of the first in its journal."""
    append_lines(connection, num, first_seq, map(str, events))


def append_lines(
    connection: sqlite3.Connection, num: GameNum, first_seq: int, lines: Iterable[str]
) -> None:
    """Append journal lines to a running game; the caller must update its seal."""
    added = tuple(lines)
    if not added:
        return
    connection.executemany(
        "INSERT INTO events (num, seq, line, crc) VALUES (?, ?, ?, ?)",
        [(num, seq, line, line_checksum(line)) for seq, line in enumerate(added, first_seq)],
    )
    connection.execute(
        "UPDATE games SET crc = demine_chain(crc, ?) WHERE num = ?", ("\n".join(added), num)
    )


def _write_packed_journal(connection: sqlite3.Connection, num: GameNum, packed: bytes) -> None:
    """Write the compressed journal of a game that is over, replacing its events."""
    connection.execute("DELETE FROM events WHERE num = ?", (num,))
    connection.execute("INSERT OR REPLACE INTO journals (num, pack) VALUES (?, ?)", (num, packed))


def write_finished_game(
    connection: sqlite3.Connection, num: GameNum, game: Game, dates: Dates
) -> None:
    """Turn a running game's row into that of a finished one; `write_daily` updates its seal."""
    packed = compress_journal(game.journal())
    connection.execute(
        "UPDATE games SET status = ?, unranked = ?, result = ?, time_ms = ?, hits = ?, acts = ?,"
        " seen_at = ?, finished_at = ?, owner = NULL, crc = ? WHERE num = ?",
        (*facts_of_game(game), dates.seen, dates.finished, zlib.crc32(packed), num),
    )
    _write_packed_journal(connection, num, packed)


def compress_journal(journal: str, *, quickly: bool = False) -> bytes:
    """Return a journal compressed, with a checksum in it.

    `quickly` takes a third of the time and a twelfth more room.
    """
    if not quickly:
        return zlib.compress(journal.encode(), 6)
    # Lines repeat near by. A small window saves room, and for the journals of most games half of
    # the time: the memory of a large one is fetched from the system for each.
    machine = zlib.compressobj(1, zlib.DEFLATED, _QUICK_WINDOW, _QUICK_MEMORY)
    return machine.compress(journal.encode()) + machine.flush()


def decompress_journal(packed: bytes) -> str:
    """Undo `compress_journal`; raises ValueError for damaged or too much data."""
    machine = zlib.decompressobj()
    try:
        text = machine.decompress(packed, MAX_JOURNAL)
    except zlib.error as error:
        raise ValueError(error) from error
    if not machine.eof:
        raise ValueError("it ends early" if len(text) < MAX_JOURNAL else "it is too long")
    return text.decode()


def line_checksum(line: str) -> int:
    """Return the checksum that is stored with an event's line."""
    return zlib.crc32(line.encode())


def journal_text(connection: sqlite3.Connection, game_id: str, num: GameNum) -> str:
    """Return the journal of the game in row `num`; raises `StoreError` if it is damaged."""
    row = connection.execute(
        "SELECT status, header, pack, crc FROM games LEFT JOIN journals USING (num) WHERE num = ?",
        (num,),
    ).fetchone()
    if row is None:
        raise StoreError(NO_GAME, id=game_id)
    check_types(row, str, str, (bytes, _NONE), int)
    status, header, packed, check = row
    if packed is None and status == "running":
        return _running_journal_text(connection, game_id, num, header, check)
    if packed is None:
        raise StoreError(JOURNAL_DAMAGED, id=game_id, reason=Reason(JOURNAL_LOST))
    if zlib.crc32(packed) != check:
        raise StoreError(JOURNAL_DAMAGED, id=game_id, reason=Reason(WRONG_SUM))
    try:
        return decompress_journal(packed)
    except ValueError as error:
        raise StoreError(JOURNAL_DAMAGED, id=game_id, reason=error) from error


def _running_journal_text(
    connection: sqlite3.Connection, game_id: str, num: GameNum, header: str, whole: int
) -> str:
    lines = [header]
    found = connection.execute(
        "SELECT seq, line, crc FROM events WHERE num = ? ORDER BY seq", (num,)
    )
    for place, row in enumerate(found):
        check_types(row, int, str, int)
        seq, line, check = row
        if seq != place or line_checksum(line) != check:
            raise StoreError(JOURNAL_DAMAGED, id=game_id, reason=Reason(CHECKSUM, seq=place))
        lines.append(line)
    if checksums.extend_journal_checksum(0, "\n".join(lines[1:]) if lines[1:] else None) != whole:
        raise StoreError(JOURNAL_DAMAGED, id=game_id, reason=Reason(WRONG_SUM))
    return "\n".join(lines) + "\n"


def load_game(connection: sqlite3.Connection, game_id: str, num: GameNum) -> Game:
    """Return the game in row `num`; raises `StoreError` if its journal cannot be played."""
    return parse_stored_journal(journal_text(connection, game_id, num), game_id)


def parse_stored_journal(text: str, game_id: str) -> Game:
    """Return the game of a stored journal; raises `StoreError` if it cannot be played."""
    try:
        # What the player did may take as long as it does.
        return Game.from_journal(text, trusted=True)
    except DemineError as error:
        raise StoreError(JOURNAL_DAMAGED, id=game_id, reason=error) from error


def select_games(
    connection: sqlite3.Connection, sql_tail: str, values: Sequence[object] = ()
) -> list[GameRow]:
    """Return rows of the history; `sql_tail` is the SQL after FROM, with `values` for its `?`."""
    sql = f"SELECT {_COLUMNS} FROM {_FROM} {sql_tail}"  # noqa: S608
    rows = connection.execute(sql, values)
    found = []
    for row in rows:
        check_types(row, *_KINDS, int)
        if not row[-1]:
            raise UnusableDatabase(SEAL_BROKEN, game=row[0])
        found.append(GameRow(*row[:-1]))
    return found


def act_count(events: Sequence[Event]) -> int:
    """Return how many of the events are acts."""
    if isinstance(events, event_log.EventLog):
        return events.act_count
    return len(event_log.acts(events))
