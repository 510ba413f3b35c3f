"""Salvage a damaged database: make a sound one of what it still holds.

Its pages are read one by one (`demine.store.sqlite_pages`), whatever the trees and the header say.
A game whose seal fits is intact; another is rebuilt from its journal, and counts as changed unless
its seal then fits. Nothing is written to the damaged file.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Final

from demine.game import Game
from demine.logic.errors import DemineError
from demine.logic.event import MAX_TIME, Verb
from demine.store import checksums, game_rows, merge_databases, schema, settings
from demine.store.sqlite_pages import Row, SqlitePages, Value
from demine.store.utc_text import utc_now_text, utc_text

_SCRATCH_TABLES: Final = (
    """CREATE TABLE found (num, id, rules, header, status, unranked, result, time_ms, hits, acts,
        began_at, seen_at, finished_at, owner, crc, seal)""",
    "CREATE TABLE packs (num, pack)",
    "CREATE TABLE lines (num, seq, line)",
    "CREATE TABLE days (num, day, level, opened_at, outcome)",
    "CREATE TABLE pairs (key, value)",
    "CREATE TABLE ids (id)",
    "CREATE TABLE counted (games, seals)",
)
_INDEXES: Final = (
    "CREATE INDEX packs_num ON packs (num)",
    "CREATE INDEX lines_num ON lines (num, seq)",
    "CREATE INDEX days_num ON days (num)",
)
_NONE: Final = type(None)
_KINDS: Final = (
    _NONE, str, str, str, str, str, (str, _NONE), int, int, int,
    str, str, (str, _NONE), (str, _NONE), int, int,
)  # fmt: skip
_UNSEALED_LENGTH: Final = len(_KINDS) - 2
"""How many values a row of games has in formats 1 to 3, which have no seals."""
_RESULTS: Final = frozenset({None, "won", "lost", "resigned"})
_VERBS: Final = frozenset(verb.value for verb in Verb)
_MIN_GAME_BYTES: Final = 64
"""The least bytes of a game: a count of more games than could fit is itself damaged."""


@dataclass(frozen=True, slots=True)
class Losses:
    """How many games of a damaged database are missing, and how many have changed."""

    missing: int = 0
    changed: int = 0


@dataclass(frozen=True, slots=True)
class _FoundGame:
    """A row of games as it was found, its values in the order of the table `found`."""

    num: int
    values: tuple[Value, ...]
    daily: tuple[Value, ...] | None
    sealed: bool

    @property
    def id(self) -> str:
        return str(self.values[0])

    @property
    def header(self) -> str:
        return str(self.values[2])

    @property
    def status(self) -> str:
        return str(self.values[3])

    @property
    def crc(self) -> Value:
        return self.values[-2]

    @property
    def is_old(self) -> bool:
        """Whether it comes from a format without seals."""
        return self.values[-1] is None


@contextmanager
def salvaged_database(path: Path) -> Iterator[tuple[sqlite3.Connection, Losses]]:
    """Yield a temporary database of all that can be read of a damaged one, and the losses.

    Raises `OSError`.
    """
    with merge_databases.staging_database() as staging:
        for sql in _SCRATCH_TABLES:
            staging.execute(sql)
        with SqlitePages(path) as pages:
            for row in pages.rows():
                _stage_row(staging, row)
            most = pages.count * pages.size // _MIN_GAME_BYTES
        for sql in _INDEXES:
            staging.execute(sql)
        changed = sum(not _copy_or_skip(staging, each) for each in list(_best_rows(staging)))
        pairs = staging.execute("SELECT key, value FROM pairs").fetchall()
        settings.write_settings(staging, [(key, value) for key, value in pairs if _is_json(value)])
        yield staging, Losses(_missing_games(staging, most), changed)


def _missing_games(staging: sqlite3.Connection, most: int) -> int:
    """Return how many games are missing, at least.

    The tally says it; if that is lost or damaged, rows that refer to missing games are counted.
    """
    (unknown,) = staging.execute(
        "SELECT count(DISTINCT id) FROM ids WHERE id NOT IN (SELECT id FROM games)"
    ).fetchone()
    (nameless,) = staging.execute(
        "SELECT count(*) FROM (SELECT num FROM packs UNION SELECT num FROM lines)"
        " WHERE num NOT IN (SELECT num FROM found)"
    ).fetchone()
    told = staging.execute(
        "SELECT games - found, seals <> total FROM counted,"  # noqa: S608 (no value in it)
        " (SELECT count(*) AS found, coalesce(sum(seal), 0) AS total FROM games"
        f" WHERE {schema.HAS_ENDED}) WHERE games <= ? ORDER BY games DESC LIMIT 1",
        (most,),
    ).fetchone()
    # If games are missing, the sum of seals differs too.
    missing = told[0] if told is not None and told[1] else 0
    return max(int(unknown), int(nameless) if told is None else 0, int(missing))


# Sorting


def _stage_row(staging: sqlite3.Connection, row: Row) -> None:
    """Put a row into the table that its values fit; skip what fits none."""
    num, values = row
    match values:
        case [None, bytes()]:
            staging.execute("INSERT INTO packs VALUES (?, ?)", (num, values[1]))
        case [str(), str()]:
            staging.execute("INSERT INTO pairs VALUES (?, ?)", values)
        case [str() as game_id, int()] if game_rows.GAME_ID.fullmatch(game_id):
            staging.execute("INSERT INTO ids VALUES (?)", (game_id,))
        case [int(), int(), str() as line, int() as check] if (
            game_rows.line_checksum(line) == check
        ):
            staging.execute("INSERT INTO lines VALUES (?, ?, ?)", values[:3])
        case [None, str(), str(), _, _]:
            staging.execute("INSERT INTO days VALUES (?, ?, ?, ?, ?)", (num, *values[1:]))
        case [None, int(), int()] if num == 1:
            staging.execute("INSERT INTO counted VALUES (?, ?)", values[1:])
        case [None, str() as game_id, str() as owner, int() as check] if (
            checksums.row_checksum(num, game_id, owner) == check
        ):
            listed = (num, game_id, owner, check)
            staging.execute("INSERT OR IGNORE INTO arrivals VALUES (?, ?, ?, ?)", listed)
        case [None, str(), int(), int(), int(), str(), str(), int() as check] if (
            checksums.row_checksum(num, *values[1:7]) == check
        ):
            drill = (num, *values[1:])
            staging.execute("INSERT OR IGNORE INTO drills VALUES (?,?,?,?,?,?,?,?)", drill)
        case [None, int(), str(), int(), int(), int() as check] if (
            checksums.row_checksum(num, *values[1:5]) == check
        ):
            review = (num, *values[1:])
            staging.execute("INSERT OR IGNORE INTO drill_reviews VALUES (?,?,?,?,?,?)", review)
        case [None, *_] if len(values) in (_UNSEALED_LENGTH, len(_KINDS)) and _looks_like_game(
            values
        ):
            whole = (num, *values[1:], *(None,) * (len(_KINDS) - len(values)))
            staging.execute(f"INSERT INTO found VALUES ({', '.join('?' * len(whole))})", whole)  # noqa: S608


def _looks_like_game(values: Sequence[Value]) -> bool:
    kinds = _KINDS[: len(values)]
    if not all(isinstance(value, kind) for value, kind in zip(values, kinds, strict=True)):
        return False
    _, game_id, _, _, status, _, result = values[:7]
    return (
        bool(game_rows.GAME_ID.fullmatch(str(game_id)))
        and status in game_rows.STATES
        and result in _RESULTS
    )


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _best_rows(staging: sqlite3.Connection) -> Iterator[_FoundGame]:
    """Yield the best row of each game: one whose seal fits if possible, and then the latest."""
    best: dict[str, tuple[bool, str, int]] = {}
    sealed = set[int]()
    for place, found in _found_games(staging, "SELECT rowid, * FROM found"):
        rank = (found.sealed, str(found.values[10]), place)
        best[found.id] = max(rank, best.get(found.id, rank))
        if found.sealed:
            sealed.add(found.num)
    for _, _, place in sorted(best.values(), key=lambda each: each[2]):
        sql = f"SELECT rowid, * FROM found WHERE rowid = {place}"  # noqa: S608 (a number)
        for _, found in _found_games(staging, sql):
            # Another row with the number of a sound game is that game with a damaged id.
            if found.sealed or found.num not in sealed:
                yield found


def _found_games(staging: sqlite3.Connection, sql: str) -> Iterator[tuple[int, _FoundGame]]:
    for place, num, *values in staging.execute(sql):
        days = staging.execute(
            "SELECT DISTINCT day, level, opened_at, outcome FROM days WHERE num = ?", (num,)
        ).fetchall()
        fitting = (day for day in (*days, None) if _row_checksum(values, day) == values[-1])
        daily = next(fitting, days[0] if days else None)
        yield (
            place,
            _FoundGame(num, tuple(values), daily, _row_checksum(values, daily) == values[-1]),
        )


def _row_checksum(values: Sequence[object], daily: Sequence[object] | None) -> int:
    """Return the seal of a game's values, in the order of `found`."""
    return checksums.row_checksum(
        *values[:12], values[13], *(daily or (None,) * len(checksums.DAILY_COLUMNS))
    )


# Copying


def _copy_or_skip(staging: sqlite3.Connection, found: _FoundGame) -> bool:
    """Write a game into the sound tables; return False if it was changed or lacks its journal.

    A row that the tables do not accept is skipped.
    """
    staging.execute("SAVEPOINT game")
    try:
        whole = _copy_game(staging, found)
    except sqlite3.IntegrityError:
        # The row is readable, but its values are impossible.
        staging.execute("ROLLBACK TO game")
        whole = True
    staging.execute("RELEASE game")
    return whole


def _copy_game(staging: sqlite3.Connection, found: _FoundGame) -> bool:
    """Write what can be recovered of a game; return whether it is intact."""
    over = found.status in ("won", "lost", "resigned")
    journal: bytes | tuple[str, ...] | None
    journal = (
        _packed_journal(staging, found) if over else _running_journal_lines(staging, found.num)
    )
    if found.status == "damaged":
        _write_as_found(staging, found, journal or ())
        return found.sealed or found.is_old
    if journal is not None and (found.sealed or found.is_old) and _journal_fits_row(found, journal):
        _write_as_found(staging, found, journal)
        return True
    game = None if journal is None else _parsed_game(found.header, journal)
    if game is None or journal is None or (found.values[8] and not game.events):
        return _copy_without_journal(staging, found, journal, over=over)
    told = _rebuilt_from_journal(found, game, journal)
    game_rows.write_game(staging, told)
    crc = _lines_checksum(journal) if isinstance(journal, tuple) else told.values[-1]
    return _row_checksum((*told.values[:-1], crc), told.daily) == found.values[-1]


def _copy_without_journal(
    staging: sqlite3.Connection, found: _FoundGame, journal: object, *, over: bool
) -> bool:
    """Write a game whose journal is lost, if its row is reliable; return False for "changed".

    A win without its journal is still a win. A running game is saved as damaged.
    """
    if over and (found.sealed or found.is_old):
        _write_as_found(staging, found, None)
    elif not over:
        damaged = replace(found, values=(*found.values[:3], "damaged", *found.values[4:]))
        _write_as_found(staging, damaged, journal if isinstance(journal, tuple) else ())
    return False


def _packed_journal(staging: sqlite3.Connection, found: _FoundGame) -> bytes | None:
    """Return the compressed journal of a game that is over; None if none is readable."""
    packs = [
        pack
        for (pack,) in staging.execute("SELECT pack FROM packs WHERE num = ?", (found.num,))
        if _unpacked_or_none(pack) is not None
    ]
    if found.sealed:
        packs = [pack for pack in packs if zlib.crc32(pack) == found.crc]
    # Of several with one number, prefer the one that begins with the row's header.
    head = f"{found.header}\n"
    return max(
        packs, key=lambda pack: (_unpacked_or_none(pack) or "").startswith(head), default=None
    )


def _unpacked_or_none(pack: bytes) -> str | None:
    try:
        return game_rows.decompress_journal(pack)
    except ValueError:
        return None


def _running_journal_lines(staging: sqlite3.Connection, num: int) -> tuple[str, ...]:
    """Return the journal lines of a running game up to the first that is missing."""
    lines: list[str] = []
    sql = "SELECT DISTINCT seq, line FROM lines WHERE num = ? ORDER BY seq"
    for seq, line in staging.execute(sql, (num,)):
        if seq == len(lines):
            lines.append(line)
    return tuple(lines)


def _lines_checksum(journal: tuple[str, ...]) -> int:
    return checksums.extend_journal_checksum(0, "\n".join(journal) if journal else None)


def _journal_fits_row(found: _FoundGame, journal: bytes | tuple[str, ...]) -> bool:
    """Whether a row and its journal belong together."""
    if isinstance(journal, tuple):
        return found.is_old or _lines_checksum(journal) == found.crc
    return not found.is_old or _unsealed_row_agrees(found, _unpacked_or_none(journal) or "")


def _unsealed_row_agrees(found: _FoundGame, text: str) -> bool:
    """Return whether a row without a seal agrees with its journal, by quick checks only.

    Playing every game of a long history would take minutes.
    """
    _, game_rules, header, *_ = found.values
    head, *lines = text.rstrip("\n").split("\n")
    try:
        acts = [event for event in map(json.loads, lines) if event[1] in _VERBS]
        time_ms = max(acts[-1][0], 0) if acts else 0
        told = (head, json.loads(head)["rules"], time_ms, len(acts))
    except (ValueError, TypeError, LookupError):
        return False
    return told == (header, game_rules, found.values[6], found.values[8])


def _parsed_game(header: str, journal: bytes | tuple[str, ...]) -> Game | None:
    text = (
        _unpacked_or_none(journal)
        if isinstance(journal, bytes)
        else "\n".join((header, *journal)) + "\n"
    )
    try:
        return None if text is None else Game.from_journal(text, trusted=True)
    except DemineError:
        return None


def _rebuilt_from_journal(
    found: _FoundGame, game: Game, journal: bytes | tuple[str, ...]
) -> game_rows.PreparedGame:
    """Return a game rebuilt from its journal; its dates and clock come from the row."""
    unranked, time_ms = found.values[4], found.values[6]
    began, seen, finished = (_utc_text_or_none(found.values[place]) for place in (9, 10, 11))
    seen = seen or utc_now_text()
    opened = None if found.daily is None else _utc_text_or_none(found.daily[2])
    dates = game_rows.Dates(began or seen, seen, finished, opened)
    if game.status.over and finished is None:
        dates = replace(dates, finished=seen)
    last = max(game.events[-1].t, 0) if game.events else 0
    clock = time_ms if isinstance(time_ms, int) and last <= time_ms <= MAX_TIME else last
    # A game with an invalid reason for being unranked must not become ranked.
    imported = unranked == game_rows.UNRANKED_IMPORTED or unranked not in game_rows.UNRANKED_REASONS
    told = game_rows.prepare_game(found.id, game, dates, clock, "", imported=imported)
    if isinstance(journal, tuple) or isinstance(told.journal, tuple):
        return told
    # Keep the stored bytes: another zlib may compress the same text differently.
    return replace(told, values=(*told.values[:-1], zlib.crc32(journal)), journal=journal)


def _utc_text_or_none(value: Value) -> str | None:
    try:
        moment = datetime.fromisoformat(str(value))
        return utc_text(moment) if moment.tzinfo is not None else None
    except (ValueError, OverflowError):
        return None


def _write_as_found(
    staging: sqlite3.Connection, found: _FoundGame, journal: bytes | tuple[str, ...] | None
) -> None:
    """Write a game's row as it was found, with this journal; None for none."""
    crc = zlib.crc32(journal) if isinstance(journal, bytes) else 0
    lost = game_rows.PreparedGame(found.id, (*found.values[:13], crc), found.daily, journal or ())
    num = game_rows.write_game(staging, lost)
    staging.execute(
        "UPDATE arrivals SET num = -? WHERE num = ? AND id = ?", (num, found.num, found.id)
    )
