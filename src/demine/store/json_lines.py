"""Export and import of the whole store as JSON Lines (docs/store.md specifies the form)."""

from __future__ import annotations

import json
import re
import sqlite3
import zlib
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache, partial
from itertools import count
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, TypeAlias, TypeVar

from demine.game import Game
from demine.logic.daily_board import daily_of
from demine.logic.errors import DemineError
from demine.logic.event import MAX_TIME
from demine.logic.kernels import JOURNAL_KERNELS
from demine.logic.quick_fold import quick_fold
from demine.logic.rules import Rules
from demine.scene.system_errors import system_error_reason
from demine.scene.unsupported_files import HEAD, unsupported_file_error
from demine.store import checksums, drills, game_rows, merge_databases, schema, settings
from demine.store.damage_checks import SQL_ERRORS, damage_behind_error, is_environment_error
from demine.store.errors import (
    BAD_FIELD,
    BAD_LINE,
    CUT_OFF,
    NEWER_EXPORT,
    NEWER_FILE,
    NO_ENTRY,
    NO_EXPORT,
    NO_JSON,
    NO_SOURCE,
    TOO_LONG,
    WRONG_COUNT,
    Reason,
    StoreError,
    UnusableDatabase,
)
from demine.store.notices import NoticeKind
from demine.store.salvage import salvaged_database
from demine.store.sqlite_pages import MAGIC
from demine.store.utc_text import utc_now_text, utc_text

if TYPE_CHECKING:
    from demine.store.merge_databases import ProgressReport
    from demine.store.self_replacing_database import Database

T = TypeVar("T")
Entry: TypeAlias = dict[str, object]
"""A line of an export: names of fields and their values."""
UnreadableLines: TypeAlias = int

FORMAT_NAME: Final = "store"
FORMAT_VERSION: Final = 1
_ENDED: Final = ("won", "lost", "resigned")
_SEALED_FIELDS: Final = (
    "game", "rules", "status", "unranked", "result", "time_ms", "hits", "acts",
    "began_at", "seen_at", "finished_at", "day", "level", "opened_at", "outcome",
)  # fmt: skip
_UTC_TEXT: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", re.ASCII)
"""A moment as `utc_text` writes it."""
_NO_DAILY: Final = (None,) * len(checksums.DAILY_COLUMNS)
_WRITTEN_AT_ONCE: Final = 64
_READ_AT_ONCE: Final = 64
_READ_SIZE: Final = 1 << 20
"""After so many characters of journals the next game is read in another transaction."""
_LARGE: Final = 4 << 20
"""Bytes of an export, some 700 games, that plain functions play for longer than kernels load."""
_BUFFER: Final = 1 << 18
"""Bytes of a file that are read at a time. Lines are of some thousands."""
_LETTERS_LOOKED_AT: Final = 64
"""After so many of the letter `u` the rest of a line is searched for its escape as for any text."""
MAX_LINE: Final = 1 << 28
"""Characters of the longest line that is read."""


@dataclass(frozen=True, slots=True)
class _GameEntry:
    id: str
    dates: game_rows.Dates
    clock_ms: int
    journal: str
    damaged: bool = False
    imported: bool = False


@dataclass(frozen=True, slots=True)
class PlayedEntry:
    """A game of an export whose journal was played again: what else its line says is not believed.

    An `imported` one was read from another program's file, and counts nowhere.
    """

    id: str
    game: Game
    dates: game_rows.Dates
    imported: bool


@dataclass(frozen=True, slots=True)
class ReplayEntry:
    """A replay that somebody sent to a server, over or not, with the name of its file."""

    id: str
    name: str
    added_at: str
    game: Game


@dataclass(frozen=True, slots=True)
class SettingEntry:
    """A setting of an export."""

    key: str
    value: object


_ENTRY_KINDS: Final[dict[type, str]] = {
    SettingEntry: "settings",
    ReplayEntry: "replays",
    drills.DrillEntry: "drills",
}
"""What the last line of an export counts an entry as; every other is one of the games."""

# Export


def export(
    database: Database,
    stream: IO[str],
    progress: ProgressReport = lambda _done, _count: None,
) -> merge_databases.Counts:
    """Write all settings, games and drills as JSON Lines; return the counts, unreadable included.

    Raises `StoreError`, and `OSError` from the stream.
    """
    stream.write(head_line())
    pairs = settings.parse_settings(database.read(settings.read_settings))
    for key, value in pairs.items():
        stream.write(entry_line({"setting": key, "value": value}))
    games = unreadable = 0
    nums = database.read_verified(_game_numbers)
    for done, entry in enumerate(_game_entries(database, nums), 1):
        progress(done, len(nums))
        if entry is None:
            unreadable += 1
            continue
        stream.write(entry_line(entry))
        games += 1
    found = database.read_verified(drills.read_drills)
    for entry in drills.drill_entries(found, database.read_verified(drills.read_reviews)):
        stream.write(entry_line(entry))
    stream.write(end_line(len(pairs), games, drill_count=len(found)))
    return merge_databases.Counts(len(pairs), games, 0, unreadable)


def head_line() -> str:
    """Return the first line of an export."""
    head: Entry = {"demine": FORMAT_NAME, "version": FORMAT_VERSION, "exported_at": utc_now_text()}
    return entry_line(head)


def end_line(settings: int, games: int, replays: int = 0, drill_count: int = 0) -> str:
    """Return the last line of an export of so many settings, games, replays and drills."""
    seldom = {"replays": replays, "drills": drill_count}
    said = {name: count for name, count in seldom.items() if count}
    return entry_line({"end": {"settings": settings, "games": games, **said}})


def entry_line(entry: Entry) -> str:
    """Return an entry as a line of an export."""
    return json.dumps(entry, ensure_ascii=False, separators=(",", ":")) + "\n"


def _game_numbers(connection: sqlite3.Connection) -> array[int]:
    """Return the row numbers of all games, eight bytes each."""
    found = connection.execute("SELECT num FROM games ORDER BY began_at, id")
    return array("q", (num for (num,) in found))


def _game_entries(database: Database, nums: Sequence[int]) -> Iterator[Entry | None]:
    """Yield the entry of each game, None for an unreadable one, many read in one transaction."""
    place = 0
    while place < len(nums):
        entries: list[Entry | None] = []
        try:
            database.read_verified(partial(_read_entries, nums, place, entries))
        except StoreError:
            entries.append(None)
        yield from entries
        place += len(entries)


def _read_entries(
    nums: Sequence[int], place: int, entries: list[Entry | None], connection: sqlite3.Connection
) -> None:
    """Add entries of some games from a place on; repeated, it goes on where it stopped."""
    size = 0
    for num in nums[place + len(entries) : place + _READ_AT_ONCE]:
        entry = _game_entry(num, connection)
        entries.append(entry)
        size += len(str(entry["journal"]))
        if size > _READ_SIZE:
            break


def _game_entry(num: int, connection: sqlite3.Connection) -> Entry:
    found = game_rows.select_games(connection, "WHERE num = ?", (num,))
    if not found:
        raise StoreError(BAD_FIELD, value=num, field="game")
    row = found[0]
    return game_entry(row, _entry_journal(connection, row, num))


def game_entry(row: game_rows.GameRow, journal: str) -> Entry:
    """Return the entry of a game in an export; one that is over is sealed."""
    opened = {} if row.opened_at is None else {"opened_at": row.opened_at}
    entry: Entry = {
        "game": row.id,
        "rules": row.rules,
        "status": row.status,
        "unranked": row.unranked,
        "result": row.result,
        "time_ms": row.time_ms,
        "began_at": row.began_at,
        "seen_at": row.seen_at,
        "finished_at": row.finished_at,
        **opened,
        "journal": journal,
    }
    if row.status in _ENDED:
        entry |= {"hits": row.hits, "acts": row.acts}
        if row.day is not None:
            entry |= {"day": row.day, "level": row.level, "outcome": row.outcome}
        entry["seal"] = _entry_checksum(entry)
    return entry


def _entry_checksum(entry: Entry) -> int:
    """Return the checksum of what a line says of a game that is over."""
    journal = str(entry.get("journal")).encode()
    return checksums.row_checksum(*map(entry.get, _SEALED_FIELDS), zlib.crc32(journal))


def _entry_journal(connection: sqlite3.Connection, row: game_rows.GameRow, num: int) -> str:
    if row.status != "damaged":
        return game_rows.journal_text(connection, row.id, num)
    # What is left of a damaged journal is exported as it is: it may still be of use.
    head = connection.execute("SELECT header FROM games WHERE num = ?", (num,)).fetchall()
    lines = connection.execute("SELECT line FROM events WHERE num = ? ORDER BY seq", (num,))
    return "\n".join(str(line) for (line,) in [*head, *lines]) + "\n"


# Import


def import_(
    database: Database, source: Path | IO[str] | IO[bytes], progress: ProgressReport
) -> merge_databases.Counts:
    """Import an export, or a database by its path, completely or not at all.

    A game whose id is stored already is not imported; imported settings replace those of the same
    name. Every journal is played through the rules, and what is stored about its game comes from
    there. Raises `StoreError` with the line and the reason.
    """
    mine = database.owner

    def batch(work: Callable[[sqlite3.Connection, set[str]], T]) -> T:
        return database.write_exclusively(
            lambda connection, others: work(connection, others | {mine})
        )

    with merge_databases.staging_database() as staging:
        lost = _stage(database, staging, source, progress)
        try:
            counts = merge_databases.copy_in_batches(
                staging, batch, importing_owner=mine, progress=progress
            )
        except BaseException:
            # What cannot be deleted now is deleted at the next start.
            with suppress(StoreError):
                merge_databases.delete_partial_imports(batch, mine)
            raise
    return replace(counts, unreadable=counts.unreadable + lost)


def _stage(
    database: Database,
    staging: sqlite3.Connection,
    source: Path | IO[str] | IO[bytes],
    progress: ProgressReport,
) -> int:
    """Read the source into `staging`; return the number of unreadable games."""
    if not isinstance(source, Path):
        _stage_lines(staging, source)
        return 0
    if database.path is not None and source.exists() and source.samefile(database.path):
        return 0
    try:
        with source.open("rb", _BUFFER) as stream:
            head = stream.read(HEAD)
            is_database = head.startswith(MAGIC)
            if not is_database:
                other = unsupported_file_error(head, records=True)
                if other is not None:
                    raise StoreError(NO_SOURCE, path=source, reason=other)
                stream.seek(0)
                size = source.stat().st_size
                if size > _LARGE:
                    JOURNAL_KERNELS.load_before_long_work()

                def note(games: int, read: int) -> None:
                    progress(games, max(games, games * size // read))

                _stage_lines(staging, stream, note)
                return 0
        with merge_databases.open_copy(source, database.temporary_copy_folder()) as copy:
            return _stage_database(staging, source, copy, progress)
    except (OSError, *SQL_ERRORS) as error:
        raise StoreError(NO_SOURCE, path=source, reason=system_error_reason(error)) from error


def _stage_lines(
    staging: sqlite3.Connection,
    stream: IO[str] | IO[bytes],
    note: Callable[[int, int], object] = lambda _games, _read: None,
) -> None:
    """Stage the lines of an export; `note` is told of how many games and characters are read."""
    said = {"settings": 0, "games": 0}
    sealed: list[game_rows.PreparedGame] = []
    number, read = 1, 0
    _check_head(_read_line(stream, number))
    while True:
        number += 1
        text = _read_line(stream, number)
        read += len(text)
        if not text:
            raise StoreError(CUT_OFF, line=number)
        try:
            entry = _parse(text)
            if "end" in entry:
                _check_end(entry["end"], said)
                _write_sealed(staging, sealed)
                return
            kind = _stage_entry(staging, entry, sealed)
            said[kind] = said.get(kind, 0) + 1
            if kind == "games":
                note(said["games"], read)
        except DemineError as error:
            raise StoreError(BAD_LINE, line=number, reason=error) from error


def read_entries(
    stream: IO[bytes],
) -> Iterator[SettingEntry | PlayedEntry | ReplayEntry | drills.DrillEntry | None]:
    """Yield the entries of an export in its order; None for a damaged game.

    Every journal is played through the rules, sealed or not: this is for who does not know the
    writer. Raises `StoreError` with the line and the reason.
    """
    said = {"settings": 0, "games": 0}
    _check_head(_read_line(stream, 1))
    for number in count(2):
        text = _read_line(stream, number)
        if not text:
            raise StoreError(CUT_OFF, line=number)
        try:
            entry = _parse(text)
            if "end" in entry:
                _check_end(entry["end"], said)
                return
            found = _read_entry(entry)
        except DemineError as error:
            raise StoreError(BAD_LINE, line=number, reason=error) from error
        kind = _ENTRY_KINDS.get(type(found), "games")
        said[kind] = said.get(kind, 0) + 1
        yield found


def _read_entry(
    entry: Entry,
) -> SettingEntry | PlayedEntry | ReplayEntry | drills.DrillEntry | None:
    if "setting" in entry and "value" in entry:
        return SettingEntry(_text_field(entry, "setting", str), entry["value"])
    if "replay" in entry:
        return _read_replay(entry)
    if "drill" in entry:
        return _read_drill(entry)
    if "game" not in entry:
        raise Reason(NO_ENTRY)
    parsed = _parsed_game(entry)
    return None if parsed.damaged else _played(parsed)


def _read_replay(entry: Entry) -> ReplayEntry:
    journal = _text_field(entry, "journal", str)
    return ReplayEntry(
        parse_game_id(entry, "replay"),
        _text_field(entry, "name", str),
        _date_field(entry, "added_at"),
        Game.from_journal(journal, trusted=True),
    )


def _read_drill(entry: Entry) -> drills.DrillEntry:
    row, col = _numbers_field(entry, "cell", 2)
    (act,) = _numbers_field({"act": [entry.get("act")]}, "act", 1)
    texts = [_short_text_field(entry, name) for name in ("drill", "kind", "pattern")]
    key = drills.DrillKey(texts[0], act, row, col, *texts[1:])
    listed = entry.get("reviews")
    if not isinstance(listed, list) or not act:
        raise Reason(BAD_FIELD, value=_shortened(listed), field="reviews")
    return drills.DrillEntry(key, tuple(_read_drill_review(key, each) for each in listed))


def _read_drill_review(drill: drills.DrillKey, listed: object) -> drills.DrillReview:
    if not (isinstance(listed, list) and len(listed) == 3 and isinstance(listed[1], bool)):
        raise Reason(BAD_FIELD, value=_shortened(listed), field="reviews")
    at = _date_field({"reviews": listed[0]}, "reviews")
    if at >= drills.LATEST_AT:
        raise Reason(BAD_FIELD, value=at, field="reviews")
    (time_ms,) = _numbers_field({"reviews": listed[2:]}, "reviews", 1)
    return drills.DrillReview(drill, at, listed[1], time_ms)


def stage_readable_lines(staging: sqlite3.Connection, stream: IO[bytes]) -> UnreadableLines:
    """Stage every readable line of an export; return the number of unreadable ones.

    A missing end counts as one.
    """
    unreadable, ended = 0, False
    sealed: list[game_rows.PreparedGame] = []
    for number in count(1):
        try:
            text = _read_line(stream, number)
            if not text:
                break
            entry = _parse(text)
            ended = "end" in entry
            if not (ended or "demine" in entry):
                _stage_entry(staging, entry, sealed)
                _write_sealed(staging, sealed)
        except (DemineError, *SQL_ERRORS) as error:
            if is_environment_error(error):  # the staging database is at fault
                raise
            unreadable += 1
    return unreadable + (not ended)


def _read_line(stream: IO[str] | IO[bytes], number: int) -> str:
    try:
        line = stream.readline(MAX_LINE + 1)
        text = line.decode() if isinstance(line, bytes) else line
    except UnicodeDecodeError as error:
        if number == 1:
            raise StoreError(NO_EXPORT) from error
        raise StoreError(BAD_LINE, line=number, reason=Reason(NO_JSON)) from error
    if len(text) > MAX_LINE:
        raise StoreError(BAD_LINE, line=number, reason=Reason(TOO_LONG, most=MAX_LINE))
    return text


def _parse(text: str) -> Entry:
    try:
        entry = json.loads(text)
        # Half of a surrogate pair, escaped or not, would be refused by the database much later.
        if not text.isascii() or _has_unicode_escape(text):
            json.dumps(entry, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise Reason(NO_JSON) from error
    if not isinstance(entry, dict):
        raise Reason(NO_ENTRY)
    return entry


def _has_unicode_escape(text: str) -> bool:
    """Return whether a letter may be written as an escape.

    Journals are full of backslashes and have few `u`, so that these are looked for.
    """
    at = -1
    for _ in range(_LETTERS_LOOKED_AT):
        at = text.find("u", at + 1)
        if at < 0:
            return False
        if text[at - 1] == "\\":
            return True
    return "\\u" in text


def _check_head(text: str) -> None:
    try:
        head = _parse(text.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}"))
    except Reason as error:
        raise StoreError(NO_EXPORT) from error
    if head.get("demine") != FORMAT_NAME:
        raise StoreError(NO_EXPORT)
    version = head.get("version")
    if version != FORMAT_VERSION:
        raise StoreError(NEWER_EXPORT, found=version, known=FORMAT_VERSION)


def _check_end(said: object, found: dict[str, int]) -> None:
    if said != found:
        raise Reason(WRONG_COUNT, said=said, found=found)


def _stage_entry(
    staging: sqlite3.Connection, entry: Entry, sealed_games: list[game_rows.PreparedGame]
) -> str:
    """Stage one entry; return which of the counted kinds it is, such as "games".

    Sealed games wait in `sealed_games` to be written many at once.
    """
    if "setting" in entry and "value" in entry:
        key = _text_field(entry, "setting", str)
        settings.write_settings(staging, [(key, settings.json_text(key, entry["value"]))])
        return "settings"
    if "replay" in entry:
        _write_sealed(staging, sealed_games)  # of games with the same id the last one counts
        _stage_replay(staging, _read_replay(entry))
        return "replays"
    if "drill" in entry:
        _read_drill(entry).stage(staging)
        return "drills"
    if "game" not in entry:
        raise Reason(NO_ENTRY)
    sealed = _sealed_game(entry)
    if sealed is not None:
        sealed_games.append(sealed)
        if len(sealed_games) == _WRITTEN_AT_ONCE:
            _write_sealed(staging, sealed_games)
        return "games"
    _write_sealed(staging, sealed_games)  # of games with the same id the last one counts
    _stage_game(staging, _parsed_game(entry))
    return "games"


def _parsed_game(entry: Entry) -> _GameEntry:
    return _GameEntry(
        parse_game_id(entry),
        parse_dates(entry),
        _clock_field(entry),
        _text_field(entry, "journal", str),
        damaged=entry.get("status") == "damaged",
        imported=_is_imported(entry),
    )


def _write_sealed(staging: sqlite3.Connection, games: list[game_rows.PreparedGame]) -> None:
    """Write the games that wait, and empty the list."""
    waiting = tuple(games)
    games.clear()
    game_rows.write_ended_games(staging, waiting)


def _sealed_game(entry: Entry) -> game_rows.PreparedGame | None:
    """Return the game of a line that is as demine wrote it, and says of its game what is true.

    None for any other line. The seal holds no secret: it says that no byte was lost, and that the
    journal need not be written anew, but nothing about the game.
    """
    if entry.get("status") not in _ENDED or entry.get("seal") != _entry_checksum(entry):
        return None
    journal, rules = entry.get("journal"), entry.get("rules")
    dates = parse_dates(entry)
    if not (isinstance(journal, str) and isinstance(rules, str) and dates.finished):
        return None
    told, values, daily = _true_values(journal, dates, imported=_is_imported(entry))
    claimed = tuple(map(entry.get, game_rows.GameFacts._fields))
    if rules != _text_of(told) or claimed != values:
        return None
    if tuple(map(entry.get, checksums.DAILY_COLUMNS)) != daily:
        return None
    packed = game_rows.compress_journal(journal, quickly=True)
    game_id = parse_game_id(entry)
    row = (
        game_id, rules, journal.partition("\n")[0], *values,
        dates.began, dates.seen, dates.finished, None, zlib.crc32(packed),
    )  # fmt: skip
    return game_rows.PreparedGame(game_id, row, None if daily[0] is None else daily, packed)


def _true_values(
    journal: str, dates: game_rows.Dates, *, imported: bool
) -> tuple[Rules, game_rows.GameFacts, tuple[object, ...]]:
    """Return what a journal says of its game that is over: rules, facts, and the daily board."""
    rules, facts, daily = _quick_values(journal) or _played_values(journal, dates)
    if imported:
        facts = facts._replace(unranked=game_rows.UNRANKED_IMPORTED, result=None)
        daily = _NO_DAILY
    return rules, facts, daily


def _quick_values(
    journal: str,
) -> tuple[Rules, game_rows.GameFacts, tuple[object, ...]] | None:
    """Return what a kernel works out; None for what the rules have to be asked."""
    fold = quick_fold(journal)
    if fold is None or daily_of(fold.header) is not None:
        return None
    return fold.header.rules, game_rows.facts_of_quick_fold(fold), _NO_DAILY


@JOURNAL_KERNELS.stands_in
def _played_values(
    journal: str, dates: game_rows.Dates
) -> tuple[Rules, game_rows.GameFacts, tuple[object, ...]]:
    game = Game.from_journal(journal, trusted=True)
    daily = game_rows.daily_values(game, dates) or _NO_DAILY
    return game.rules, game_rows.facts_of_game(game), daily


@lru_cache(maxsize=256)
def _text_of(rules: Rules) -> str:
    return str(rules)


def _is_imported(entry: Entry) -> bool:
    return entry.get("unranked") == game_rows.UNRANKED_IMPORTED


def _stage_game(staging: sqlite3.Connection, staged: _GameEntry) -> None:
    if staged.damaged:
        _stage_damaged_game(staging, staged)
        return
    played = _played(staged)
    prepared = game_rows.prepare_game(
        played.id, played.game, played.dates, staged.clock_ms, "", imported=played.imported
    )
    game_rows.write_game(staging, prepared)


def _stage_replay(staging: sqlite3.Connection, replay: ReplayEntry) -> None:
    """Stage a replay as an imported game; one that is not over is none of the history."""
    if replay.game.status.over:
        dates = game_rows.Dates(replay.added_at, replay.added_at, replay.added_at)
        game_rows.write_game(
            staging,
            game_rows.prepare_game(replay.id, replay.game, dates, 0, "", imported=True),
        )


def _played(staged: _GameEntry) -> PlayedEntry:
    game = Game.from_journal(staged.journal, trusted=True)
    dates = staged.dates
    if game.status.over and dates.finished is None:
        dates = replace(dates, finished=dates.seen)
    return PlayedEntry(staged.id, game, dates, imported=staged.imported)


def _stage_damaged_game(staging: sqlite3.Connection, staged: _GameEntry) -> None:
    header, *lines = staged.journal.rstrip("\n").split("\n")
    staging.execute("DELETE FROM games WHERE id = ?", (staged.id,))
    cursor = staging.execute(
        "INSERT INTO games (id, rules, header, status, unranked, time_ms, hits, acts, began_at,"
        " seen_at) VALUES (?, '?', ?, 'damaged', '', ?, 0, 0, ?, ?)",
        (staged.id, header, staged.clock_ms, staged.dates.began, staged.dates.seen),
    )
    assert cursor.lastrowid is not None  # noqa: S101 (an INSERT that did not raise has a row)
    game_rows.append_lines(staging, cursor.lastrowid, 0, lines)
    checksums.update_game_checksum(staging, cursor.lastrowid)


def _stage_database(
    staging: sqlite3.Connection, path: Path, copy: sqlite3.Connection, progress: ProgressReport
) -> int:
    """Stage all readable games of another database; return the number of the others."""
    try:
        version = schema.detect_format(copy)
        if version < schema.VERSION:
            schema.migrate(copy)
        is_sealed = version >= schema.SEALED_VERSION
        return _stage_games(staging, copy, progress, is_sealed=is_sealed)
    except (UnusableDatabase, *SQL_ERRORS) as error:
        unfit = damage_behind_error(copy, error)
        if unfit is None:
            raise
        if unfit.kind is NoticeKind.NEWER:
            raise StoreError(NEWER_FILE, path=path, reason=unfit.reason) from error
        if unfit.kind is NoticeKind.FOREIGN:
            raise StoreError(NO_SOURCE, path=path, reason=unfit.reason) from error
    with salvaged_database(path) as (sound, losses):
        unreadable = _stage_games(staging, sound, progress, is_sealed=False) + losses.missing
        if not (merge_databases.readable_row_numbers(sound) or settings.read_settings(sound)):
            raise StoreError(NO_SOURCE, path=path, reason=unfit.reason)
        return unreadable


def _stage_games(
    staging: sqlite3.Connection,
    source: sqlite3.Connection,
    progress: ProgressReport,
    *,
    is_sealed: bool,
) -> int:
    """Stage all readable games; unless their rows were sealed, their journals say what they are."""
    unreadable = 0
    sealed: list[game_rows.PreparedGame] = []
    settings.write_settings(staging, merge_databases.readable_settings(source))
    drills.copy_drills(source, staging)
    nums = merge_databases.readable_row_numbers(source)
    for done, num in enumerate(nums, 1):
        progress(done, len(nums))
        try:
            entry = _game_entry(num, source)
            _stage_entry(staging, entry if is_sealed else {**entry, "seal": None}, sealed)
        except (DemineError, *SQL_ERRORS) as error:
            if is_environment_error(error):
                raise
            unreadable += 1
    _write_sealed(staging, sealed)
    return unreadable


def _text_field(entry: Entry, name: str, kind: type) -> str:
    value = entry.get(name)
    if not isinstance(value, kind) or not isinstance(value, str):
        raise Reason(BAD_FIELD, value=_shortened(value), field=name)
    return value


def _short_text_field(entry: Entry, name: str) -> str:
    value = _text_field(entry, name, str)
    if not 0 < len(value) <= drills.MAX_TEXT:
        raise Reason(BAD_FIELD, value=_shortened(value), field=name)
    return value


def _numbers_field(entry: Entry, name: str, count: int) -> list[int]:
    """Return a list of so many whole numbers, none negative."""
    value = entry.get(name)
    if not isinstance(value, list) or len(value) != count or not all(map(_is_count, value)):
        raise Reason(BAD_FIELD, value=_shortened(value), field=name)
    return value


def _is_count(value: object) -> bool:
    return type(value) is int and 0 <= value <= MAX_TIME


def parse_dates(entry: Entry) -> game_rows.Dates:
    """Return the dates of a game's entry; raises `Reason` if one is missing or invalid."""
    finished, opened = (
        None if entry.get(name) is None else _date_field(entry, name)
        for name in ("finished_at", "opened_at")
    )
    return game_rows.Dates(
        _date_field(entry, "began_at"), _date_field(entry, "seen_at"), finished, opened
    )


def parse_game_id(entry: Entry, field: str = "game") -> str:
    """Return the id of a game's entry; raises `Reason` if it is missing or invalid."""
    value = _text_field(entry, field, str)
    if not game_rows.GAME_ID.fullmatch(value):
        raise Reason(BAD_FIELD, value=_shortened(value), field="game id")
    return value


def _clock_field(entry: Entry) -> int:
    value = entry.get("time_ms")
    if not isinstance(value, int) or not _is_count(value):
        raise Reason(BAD_FIELD, value=_shortened(value), field="time_ms")
    return value


def _date_field(entry: Entry, name: str) -> str:
    value = _text_field(entry, name, str)
    try:
        return _normal_date(value)
    except (ValueError, OverflowError) as error:
        raise Reason(BAD_FIELD, value=_shortened(value), field=name) from error


def _normal_date(text: str) -> str:
    """Return an ISO date as UTC text; raises ValueError for one without offset."""
    moment = datetime.fromisoformat(text)
    if _UTC_TEXT.fullmatch(text):
        return text
    if moment.tzinfo is None:
        raise ValueError(text)
    return utc_text(moment)


def _shortened(value: object) -> str:
    return str(value)[:80]
