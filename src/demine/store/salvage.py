"""What a damaged database still holds, made into a sound one.

Its pages are read one by one (`demine.store.sqlite_pages`), whatever the trees and the header say.
A game whose seal fits came over whole; another is told from its journal, and counts as changed
unless it then fits. Nothing is written to what was damaged.
"""

from __future__ import annotations

import json
import re
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
from demine.store import checksums, game_rows, merge_databases, settings
from demine.store.paths import now, stamp
from demine.store.sqlite_pages import Pages, Row, Value

_SCRATCH: Final = (
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
_OLD: Final = len(_KINDS) - 2
"""How many values a row of games has in formats 1 to 3, which have no seals."""
_ID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII)
_REASONS: Final = frozenset({"", "undo", "hint", "seed", "share", "again", "daily", "imported"})
_RESULTS: Final = frozenset({None, "won", "lost", "resigned"})
_VERBS: Final = frozenset(verb.value for verb in Verb)
_LEAST: Final = 64
"""Bytes that no game does without: more of them than fit were not counted, but damaged."""


@dataclass(frozen=True, slots=True)
class Losses:
    """How many games of a damaged database are not there, and how many are not as they were."""

    missing: int = 0
    changed: int = 0


@dataclass(frozen=True, slots=True)
class _Found:
    """A row of games as it was found, the values in the order of `found`."""

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
def salvaged(path: Path) -> Iterator[tuple[sqlite3.Connection, Losses]]:
    """Make a private database of all that can be read of a damaged one; gone when closed.

    Raises `OSError`.
    """
    with merge_databases.staging() as staging:
        for sql in _SCRATCH:
            staging.execute(sql)
        with Pages(path) as pages:
            for row in pages.rows():
                _sort(staging, row)
            most = pages.count * pages.size // _LEAST
        for sql in _INDEXES:
            staging.execute(sql)
        changed = sum(not _carried(staging, each) for each in list(_chosen(staging)))
        pairs = staging.execute("SELECT key, value FROM pairs").fetchall()
        settings.put(staging, [(key, value) for key, value in pairs if _is_json(value)])
        yield staging, Losses(_missing(staging, most), changed)


def _missing(staging: sqlite3.Connection, most: int) -> int:
    """Return how many games were there and did not come over: at least so many.

    The tally knows; where it was damaged or lost, whatever names a game that is not there does.
    """
    (unknown,) = staging.execute(
        "SELECT count(DISTINCT id) FROM ids WHERE id NOT IN (SELECT id FROM games)"
    ).fetchone()
    (nameless,) = staging.execute(
        "SELECT count(*) FROM (SELECT num FROM packs UNION SELECT num FROM lines)"
        " WHERE num NOT IN (SELECT num FROM found)"
    ).fetchone()
    told = staging.execute(
        "SELECT counted.games - tally.games, counted.seals <> tally.seals FROM counted, tally"
        " WHERE counted.games <= ? ORDER BY counted.games DESC LIMIT 1",
        (most,),
    ).fetchone()
    # A game that is missing is missing from the sum too.
    missing = told[0] if told is not None and told[1] else 0
    return max(int(unknown), int(nameless) if told is None else 0, int(missing))


# Sorting


def _sort(staging: sqlite3.Connection, row: Row) -> None:
    """Put a row where it belongs, by what it looks like; leave out what cannot be a row of ours."""
    num, values = row
    match values:
        case [None, bytes()]:
            staging.execute("INSERT INTO packs VALUES (?, ?)", (num, values[1]))
        case [str(), str()]:
            staging.execute("INSERT INTO pairs VALUES (?, ?)", values)
        case [str() as game_id, int()] if _ID.fullmatch(game_id):
            staging.execute("INSERT INTO ids VALUES (?)", (game_id,))
        case [int(), int(), str() as line, int() as check] if game_rows.crc(line) == check:
            staging.execute("INSERT INTO lines VALUES (?, ?, ?)", values[:3])
        case [None, str(), str(), _, _]:
            staging.execute("INSERT INTO days VALUES (?, ?, ?, ?, ?)", (num, *values[1:]))
        case [None, int(), int()] if num == 1:
            staging.execute("INSERT INTO counted VALUES (?, ?)", values[1:])
        case [None, str() as game_id, str() as owner, int() as check] if (
            checksums.seal(num, game_id, owner) == check
        ):
            listed = (num, game_id, owner, check)
            staging.execute("INSERT OR IGNORE INTO arrivals VALUES (?, ?, ?, ?)", listed)
        case [None, *_] if len(values) in (_OLD, len(_KINDS)) and _may_be_game(values):
            whole = (num, *values[1:], *(None,) * (len(_KINDS) - len(values)))
            staging.execute(f"INSERT INTO found VALUES ({', '.join('?' * len(whole))})", whole)  # noqa: S608


def _may_be_game(values: Sequence[Value]) -> bool:
    kinds = _KINDS[: len(values)]
    if not all(isinstance(value, kind) for value, kind in zip(values, kinds, strict=True)):
        return False
    _, game_id, _, _, status, _, result = values[:7]
    return bool(_ID.fullmatch(str(game_id))) and status in game_rows.STATES and result in _RESULTS


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _chosen(staging: sqlite3.Connection) -> Iterator[_Found]:
    """Yield the best row of each game: one whose seal fits, and of these the latest."""
    best: dict[str, tuple[bool, str, int]] = {}
    sealed = set[int]()
    for place, found in _all_found(staging, "SELECT rowid, * FROM found"):
        rank = (found.sealed, str(found.values[10]), place)
        best[found.id] = max(rank, best.get(found.id, rank))
        if found.sealed:
            sealed.add(found.num)
    for _, _, place in sorted(best.values(), key=lambda each: each[2]):
        sql = f"SELECT rowid, * FROM found WHERE rowid = {place}"  # noqa: S608 (a number)
        for _, found in _all_found(staging, sql):
            # What claims the number of a sound game is that game, under a name that was damaged.
            if found.sealed or found.num not in sealed:
                yield found


def _all_found(staging: sqlite3.Connection, sql: str) -> Iterator[tuple[int, _Found]]:
    for place, num, *values in staging.execute(sql):
        days = staging.execute(
            "SELECT DISTINCT day, level, opened_at, outcome FROM days WHERE num = ?", (num,)
        ).fetchall()
        fitting = (day for day in (*days, None) if _sealed(values, day) == values[-1])
        daily = next(fitting, days[0] if days else None)
        yield place, _Found(num, tuple(values), daily, _sealed(values, daily) == values[-1])


def _sealed(values: Sequence[object], daily: Sequence[object] | None) -> int:
    """Return the seal of a game's values, in the order of `found`."""
    return checksums.seal(*values[:12], values[13], *(daily or (None,) * len(checksums.DAILY)))


# Carrying over


def _carried(staging: sqlite3.Connection, found: _Found) -> bool:
    """Write a game into the sound tables; return whether it is whole, or not there at all."""
    staging.execute("SAVEPOINT game")
    try:
        whole = _carry(staging, found)
    except sqlite3.IntegrityError:
        # A row that reads well and says what no row can say.
        staging.execute("ROLLBACK TO game")
        whole = True
    staging.execute("RELEASE game")
    return whole


def _carry(staging: sqlite3.Connection, found: _Found) -> bool:
    """Write a game into the sound tables as well as it can be told; return whether it is whole."""
    over = found.status in ("won", "lost", "resigned")
    journal: bytes | tuple[str, ...] | None
    journal = _pack(staging, found) if over else _lines(staging, found.num)
    if found.status == "damaged":
        _write(staging, found, journal or ())
        return found.sealed or found.is_old
    if journal is not None and (found.sealed or found.is_old) and _fits(found, journal):
        _write(staging, found, journal)
        return True
    game = None if journal is None else _game(found.header, journal)
    if game is None or journal is None or (found.values[8] and not game.events):
        return _carry_without(staging, found, journal, over=over)
    told = _told(found, game, journal)
    game_rows.put(staging, told)
    crc = _chained(journal) if isinstance(journal, tuple) else told.values[-1]
    return _sealed((*told.values[:-1], crc), told.daily) == found.values[-1]


def _carry_without(
    staging: sqlite3.Connection, found: _Found, journal: object, *, over: bool
) -> bool:
    """Write a game whose journal is lost, if its row can be believed; return False, it is changed.

    A win without its journal is still a win. A game that was still running is kept as damaged.
    """
    if over and (found.sealed or found.is_old):
        _write(staging, found, None)
    elif not over:
        damaged = replace(found, values=(*found.values[:3], "damaged", *found.values[4:]))
        _write(staging, damaged, journal if isinstance(journal, tuple) else ())
    return False


def _pack(staging: sqlite3.Connection, found: _Found) -> bytes | None:
    """Return the packed journal of a game that is over, None if none is readable."""
    packs = [
        pack
        for (pack,) in staging.execute("SELECT pack FROM packs WHERE num = ?", (found.num,))
        if _text(pack) is not None
    ]
    if found.sealed:
        packs = [pack for pack in packs if zlib.crc32(pack) == found.crc]
    # Of several under one number, the one that begins as the row says.
    head = f"{found.header}\n"
    return max(packs, key=lambda pack: (_text(pack) or "").startswith(head), default=None)


def _text(pack: bytes) -> str | None:
    try:
        return game_rows.unpack(pack)
    except ValueError:
        return None


def _lines(staging: sqlite3.Connection, num: int) -> tuple[str, ...]:
    """Return the lines of a running game up to the first that is missing."""
    lines: list[str] = []
    sql = "SELECT DISTINCT seq, line FROM lines WHERE num = ? ORDER BY seq"
    for seq, line in staging.execute(sql, (num,)):
        if seq == len(lines):
            lines.append(line)
    return tuple(lines)


def _chained(journal: tuple[str, ...]) -> int:
    return checksums.chain(0, "\n".join(journal) if journal else None)


def _fits(found: _Found, journal: bytes | tuple[str, ...]) -> bool:
    """Whether a row and its journal belong together."""
    if isinstance(journal, tuple):
        return found.is_old or _chained(journal) == found.crc
    return not found.is_old or _agrees(found, _text(journal) or "")


def _agrees(found: _Found, text: str) -> bool:
    """Whether a row without a seal says of its game what the journal does, as far as that is cheap.

    Playing the game would say all, and takes minutes with a long history.
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


def _game(header: str, journal: bytes | tuple[str, ...]) -> Game | None:
    text = _text(journal) if isinstance(journal, bytes) else "\n".join((header, *journal)) + "\n"
    try:
        return None if text is None else Game.from_journal(text, trusted=True)
    except DemineError:
        return None


def _told(found: _Found, game: Game, journal: bytes | tuple[str, ...]) -> game_rows.Prepared:
    """Return a game as its journal tells it; what that does not know is taken as it was found."""
    unranked, time_ms = found.values[4], found.values[6]
    began, seen, finished = (_moment(found.values[place]) for place in (9, 10, 11))
    seen = seen or now()
    opened = None if found.daily is None else _moment(found.daily[2])
    dates = game_rows.Dates(began or seen, seen, finished, opened)
    if game.status.over and finished is None:
        dates = replace(dates, finished=seen)
    last = max(game.events[-1].t, 0) if game.events else 0
    clock = time_ms if isinstance(time_ms, int) and last <= time_ms <= MAX_TIME else last
    # Whoever cannot say why a game does not count must not let it count.
    imported = unranked == game_rows.IMPORTED or unranked not in _REASONS
    told = game_rows.prepare(found.id, game, dates, clock, "", imported=imported)
    if isinstance(journal, tuple) or isinstance(told.journal, tuple):
        return told
    # The very bytes that were kept: another zlib may pack the same text in another way.
    return replace(told, values=(*told.values[:-1], zlib.crc32(journal)), journal=journal)


def _moment(value: Value) -> str | None:
    try:
        moment = datetime.fromisoformat(str(value))
        return stamp(moment) if moment.tzinfo is not None else None
    except (ValueError, OverflowError):
        return None


def _write(
    staging: sqlite3.Connection, found: _Found, journal: bytes | tuple[str, ...] | None
) -> None:
    """Write a game as it was found, with this journal or without one."""
    crc = zlib.crc32(journal) if isinstance(journal, bytes) else 0
    lost = game_rows.Prepared(found.id, (*found.values[:13], crc), found.daily, journal or ())
    num = game_rows.put(staging, lost)
    staging.execute(
        "UPDATE arrivals SET num = -? WHERE num = ? AND id = ?", (num, found.num, found.id)
    )
