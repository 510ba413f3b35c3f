"""What whoever runs a server does to its database: look, delete, ban, back up, restore, prune.

A server may run on it meanwhile, but for `restore` and `downgrade_database`. Every change is noted
in the log by the same transaction that makes it.
"""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import time
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import mkstemp
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import URL, delete, func, insert, select, update
from sqlalchemy.exc import SQLAlchemyError

from demine.logic.json_text import ToJson
from demine.store.damage_checks import SQL_ERRORS, is_damage_error
from demine.store.database_paths import database_files, is_pipe_or_device, set_aside_path
from demine.store.utc_text import utc_now_text, utc_text
from demine.web.database.compared_games import games_of_others, games_of_subject
from demine.web.database.database import open_beside_server
from demine.web.database.exportable_games import count_exportable_games, exportable_games
from demine.web.database.file_version import downgrade, file_revision, revisions
from demine.web.database.friends import delete_link
from demine.web.database.games import journal_text
from demine.web.database.leaderboards import rebuild_bests
from demine.web.database.postgres import open_postgres
from demine.web.database.pruning import PRUNABLE
from demine.web.database.schema import ADMIN_LOG, GAMES, PLAYERS, UPLOADS
from demine.web.database.sqlite_file import lock_path, locked, migrating, reason_of
from demine.web.errors import DatabaseError, NotFound, OlderDatabase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import date

    from sqlalchemy import ColumnElement
    from sqlalchemy.engine import Connection, Engine

    from demine.web.database.compared_games import ComparedGame
    from demine.web.database.exportable_games import ExportableGame
    from demine.web.database.place import DatabasePlace, PostgresPlace

_PAUSE_S: Final = 0.1
"""How long others get to write between two batches; SQLite looks that often whether it may."""
_CHECKS: Final = ("PRAGMA integrity_check(1)", "PRAGMA foreign_key_check")


@dataclass(frozen=True, slots=True)
class KnownPlayer(ToJson):
    """A player of the server; moments are ISO texts in UTC, None for one that never was."""

    id: str
    name: str
    created_at: str
    seen_at: str | None
    """When the last act of a game was played."""
    games: int
    """How many games are kept, without boards that nobody touched."""
    banned_at: str | None

    def to_dict(self) -> dict[str, Any]:
        """Return the columns by their names."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class LogEntry(ToJson):
    """Something that was done to the database."""

    at: str
    action: str
    subject: str
    """The id or the file that it was done to."""
    detail: str
    """What was there before, or how much was done."""
    why: str
    """The reason that was given."""

    def to_dict(self) -> dict[str, Any]:
        """Return the columns by their names."""
        return asdict(self)


class Administration:
    """An open database of a server.

    `why` of each method is a reason for the log. All raise `DatabaseError` if the file cannot be
    read or written, and `NotFound` for a player or a game that there is not.
    """

    def __init__(self, place: DatabasePlace, readers: Engine, writer: Engine) -> None:
        self._place = place
        self._readers = readers
        self._writer = writer

    @classmethod
    @contextmanager
    def open(cls, place: DatabasePlace) -> Iterator[Administration]:
        """Open the database at a place; raises `DatabaseError`, also for one of another version."""
        readers, writer = open_beside_server(place)
        try:
            yield cls(place, readers, writer)
        finally:
            readers.dispose()
            writer.dispose()

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        """Yield a connection that reads, and keeps nobody from writing; raises `DatabaseError`."""
        try:
            with self._readers.connect() as connection:
                yield connection
        except SQLAlchemyError as error:
            raise DatabaseError(
                "the database {path} cannot be read: {reason}",
                path=str(self._place),
                reason=reason_of(error),
            ) from error

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        """Yield a connection that holds the lock of writers; raises `DatabaseError`."""
        try:
            with self._writer.begin() as connection:
                yield connection
        except SQLAlchemyError as error:
            raise _cannot_be_written(self._place, error) from error

    # Looking

    def players(self, wanted: str = "") -> list[KnownPlayer]:
        """Return the players whose name or id has a text in it, who was seen last first."""
        of_player = GAMES.c.player == PLAYERS.c.id
        seen = select(func.max(GAMES.c.seen_at)).where(of_player, GAMES.c.acts > 0)
        games = select(func.count()).where(of_player, GAMES.c.acts > 0)
        columns = PLAYERS.c.id, PLAYERS.c.name, PLAYERS.c.created_at
        statement = select(
            *columns,
            seen.scalar_subquery().label("seen"),
            games.scalar_subquery().label("games"),
            PLAYERS.c.banned_at,
        )
        if wanted:
            has_text = PLAYERS.c.name.icontains(wanted, autoescape=True)
            statement = statement.where(has_text | PLAYERS.c.id.contains(wanted, autoescape=True))
        newest = func.coalesce(seen.scalar_subquery(), PLAYERS.c.created_at).desc()
        with self._reading() as connection:
            rows = connection.execute(statement.order_by(newest, PLAYERS.c.id))
            return [KnownPlayer(*row) for row in rows]

    def log(self) -> list[LogEntry]:
        """Return everything that was done, the newest first."""
        table = ADMIN_LOG.c
        columns = table.at, table.action, table.subject, table.detail, table.why
        with self._reading() as connection:
            rows = connection.execute(select(*columns).order_by(table.num.desc()))
            return [LogEntry(*row) for row in rows]

    def games_of_subject(self, subject: str) -> list[ComparedGame]:
        """Return the games of a player, or one game, to look at how they were played."""
        with self._reading() as connection:
            return games_of_subject(connection, subject)

    def games_of_others(self, size: str, player: str) -> list[ComparedGame]:
        """Return games of other players on boards of a size, to compare them with."""
        with self._reading() as connection:
            return games_of_others(connection, size, player)

    def journal(self, num: int) -> str:
        """Return the journal of the game in a row."""
        with self._reading() as connection:
            return journal_text(connection, num)

    def count_exportable_games(self, since: date | None, today: date) -> int:
        """Return how many games `exportable_games` yields, unless more end meanwhile."""
        with self._reading() as connection:
            return count_exportable_games(connection, since, today)

    def exportable_games(self, since: date | None, today: date) -> Iterator[ExportableGame]:
        """Yield the games that may be given away and ended on a day or later, some at a time.

        Each time is a transaction of its own: a long one would keep SQLite from folding its log
        into the file while a server writes it.
        """
        after = 0
        while True:
            with self._reading() as connection:
                found = exportable_games(connection, after, since, today)
            if not found:
                return
            yield from found
            after = found[-1].num

    # Changing

    def note(self, action: str, subject: str, why: str = "") -> None:
        """Note in the log something that was done."""
        with self._transaction() as connection:
            note(connection, action, subject, "", why)

    def delete_name(self, player: str, why: str = "") -> str:
        """Take a player's name away and return it; the player may choose another one."""
        with self._transaction() as connection:
            name = str(_player(connection, player, PLAYERS.c.name))
            _update_player(connection, player, name="")
            rebuild_bests(connection, player)
            note(connection, "delete-name", player, name, why)
            return name

    def delete_game(self, game: str, why: str = "") -> None:
        """Delete a game, or a replay that somebody sent; one that is played ends for its player."""
        with self._transaction() as connection:
            for table in (GAMES, UPLOADS):
                row = connection.execute(
                    select(table.c.player, table.c.rules).where(table.c.id == game)
                ).one_or_none()
                if row is not None:
                    connection.execute(delete(table).where(table.c.id == game))
                    rebuild_bests(connection, row.player)
                    note(connection, "delete-game", game, f"{row.rules} {row.player}", why)
                    return
        raise NotFound("there is no such game")

    def ban(self, player: str, why: str = "") -> None:
        """Exclude a player from playing, sending files and changing the name.

        A server that runs ends the player's games at its next sweep. The player still takes along
        or deletes what is theirs, and nothing keeps the person from coming back as another player.
        """
        with self._transaction() as connection:
            name = str(_player(connection, player, PLAYERS.c.name))
            _update_player(connection, player, banned_at=utc_now_text())
            rebuild_bests(connection, player)
            delete_link(connection, player)
            note(connection, "ban", player, name, why)

    def unban(self, player: str, why: str = "") -> None:
        """Let a banned player in again."""
        with self._transaction() as connection:
            name = str(_player(connection, player, PLAYERS.c.name))
            _update_player(connection, player, banned_at=None)
            rebuild_bests(connection, player)
            note(connection, "unban", player, name, why)

    def find_prunable(self, days: int) -> dict[str, int]:
        """Return how many rows `prune` would delete, by the names of their kinds."""
        before = _days_ago(days)
        with self._reading() as connection:
            return {kind.name: kind.count(connection, before) for kind in PRUNABLE}

    def prune(
        self,
        days: int,
        why: str = "",
        on_progress: Callable[[int], object] = lambda _: None,
        should_stop: Callable[[], bool] = lambda: False,
    ) -> dict[str, int]:
        """Delete what nobody misses that is older than `days`; return how many rows of each kind.

        The kinds are those of `demine.web.database.pruning.PRUNABLE`. An empty player has no game,
        file, drills, friends or race, neither name nor recovery link, and is not banned. Some rows
        are deleted at a time, so that a server goes on meanwhile; after each time `on_progress`
        hears how many rows are gone, and `should_stop` may end it.
        """
        before, entry = _days_ago(days), None
        done = {kind.name: 0 for kind in PRUNABLE}
        for kind in PRUNABLE:
            for keys in kind.batches(self._reading, before):
                with self._transaction() as connection:
                    done[kind.name] += kind.delete(connection, keys, before)
                    detail = ", ".join(f"{count} {name}" for name, count in done.items())
                    entry = note(connection, "prune", f"{days} days", detail, why, entry)
                on_progress(sum(done.values()))
                if should_stop():
                    return done
                time.sleep(_PAUSE_S)
        return done

    # Copies

    def back_up(self, target: Path, why: str = "") -> None:
        """Copy the database to a file, where an older backup may be, once the copy is found whole.

        Acts that are played meanwhile are in it or not, each game whole. Raises `DatabaseError` for
        a database of PostgreSQL, which has programs of its own for that.
        """
        if not isinstance(self._place, Path):
            raise copied_by_postgres()
        with _telling_of(target):
            _refuse_special(target)
            _refuse_files_of(self._place, target)
            file_revision(target)  # raises for a file that is no backup
            *beside, _ = database_files(target)
            if any(map(os.path.lexists, (*beside, lock_path(target)))):
                raise DatabaseError(
                    "{path} is in use as a database, or files of one are beside it",
                    path=str(target),
                )
            with _checked_copy(self._place, target) as copy:
                copy.replace(target)
        with _telling_what_is_not_noted(target):
            self.note("backup", str(target.absolute()), why)


def _cannot_be_written(place: DatabasePlace, error: SQLAlchemyError) -> DatabaseError:
    return DatabaseError(
        "the database {path} cannot be written: {reason}", path=str(place), reason=reason_of(error)
    )


def copied_by_postgres() -> DatabaseError:
    """Return the error that PostgreSQL's own programs back a database up and restore it."""
    return DatabaseError(
        "a database of PostgreSQL is backed up by pg_dump and restored by pg_restore"
    )


def restore(path: Path, source: Path, why: str = "") -> Path | None:
    """Put a backup in the place of the database at `path`; return where that one is kept now.

    None if there was none; the log alone if only that was there. Raises `DatabaseError` with
    everything as it was: while a server or another program has it open, and for a backup that is
    damaged, of another program, or of a newer demine.
    """
    with _telling_of(source):
        if file_revision(source) is None:
            raise DatabaseError("{path} is not there, or empty", path=str(source))
        _refuse_files_of(path, source)
    with _telling_of(path):
        # SQLite keeps its files beside the one to which a link leads.
        path = Path(os.path.realpath(path))
        _refuse_special(path)
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = locked(path)
        try:
            with _checked_copy(source, path) as copy:
                kept = _put_in_place(copy, path)
            _note_restoring(path, source, why)
            _check_restored(path)
        finally:
            lock.release()
    return kept


def downgrade_database(place: DatabasePlace, why: str = "") -> Path | None:
    """Take the last migration of a database back, so that the demine before this one opens it.

    Returns where a file is kept as it was before; None for PostgreSQL, of which nothing is kept.
    What only this version knows is lost. Raises `DatabaseError` with everything as it was: while a
    server has it open, and for one that is damaged, not there, or of another version.
    """
    try:
        for engine in open_beside_server(place):  # raises for one that is not of this version
            engine.dispose()
    except OlderDatabase as error:
        raise DatabaseError(
            "the database {path} is of an older demine already: nothing is taken back",
            path=str(place),
        ) from error
    if isinstance(place, Path):
        return _downgrade_file(place, why)
    _downgrade_postgres(place, why)
    return None


def _downgrade_file(path: Path, why: str) -> Path | None:
    """Take a copy back and put it in the place of a file; return where that one is kept."""
    with _telling_of(path):
        path = Path(os.path.realpath(path))
        lock = locked(path)
        try:
            with _checked_copy(path, path) as copy:
                with migrating(URL.create("sqlite", database=str(copy))) as connection:
                    _downgrade(connection, why)
                _fold_log(copy)
                kept = _put_in_place(copy, path)
            _check_restored(path)
        finally:
            lock.release()
    return kept


def _downgrade_postgres(place: PostgresPlace, why: str) -> None:
    opened = open_postgres(place)
    try:
        with opened.writer.begin() as connection:
            _downgrade(connection, why)
    except SQLAlchemyError as error:
        raise _cannot_be_written(place, error) from error
    finally:
        opened.readers.dispose()
        opened.writer.dispose()
        opened.lock.release()


def _downgrade(connection: Connection, why: str) -> None:
    """Take the last migration back in a transaction, which notes it."""
    newest, older = reversed(revisions()[-2:])
    note(connection, "downgrade", older, f"from {newest}", why)
    downgrade(connection)


def _put_in_place(copy: Path, path: Path) -> Path | None:
    """Put a copy in the place of a database; return the first file of that one that is kept.

    At every moment one of them is at `path`, with no log but its own. Raises `OSError` with every
    file where it was.
    """
    _fold_log(path)
    kept = set_aside_path(path, "replaced")
    with ExitStack() as undo:
        for old, new in zip(database_files(path), database_files(kept), strict=True):
            if old == path and path.exists():
                _link_or_copy(path, kept)
                undo.callback(kept.unlink)
            elif os.path.lexists(old):
                old.rename(new)
                undo.callback(new.rename, old)
        if path.exists() and os.name != "nt":
            # Whoever runs the server may not be who restores.
            shutil.chown(copy, path.stat().st_uid, path.stat().st_gid)
        copy.replace(path)
        undo.pop_all()
    return next(filter(os.path.lexists, (kept, *database_files(kept))), None)


def _fold_log(path: Path) -> None:
    """Write the log of a database into it, so that it is one file; a damaged one is left alone.

    Raises `sqlite3.Error` while another program has it open.
    """
    # SQLite would delete the log of a file that is empty, or that it cannot read.
    if not path.exists() or not path.stat().st_size:
        return
    try:
        with suppress(DatabaseError):
            file_revision(path)
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
    except SQL_ERRORS as error:
        if not is_damage_error(error):
            raise


def _link_or_copy(path: Path, kept: Path) -> None:
    """Give a file a second name, or copy it where the disk has no links."""
    try:
        kept.hardlink_to(path)
    except OSError:
        shutil.copy2(path, kept)


def _check_restored(path: Path) -> None:
    """Raise `DatabaseError` if a database that was put in place is not whole."""
    with closing(sqlite3.connect(path)) as connection:
        if _is_whole(connection):
            return
    raise DatabaseError("the backup was whole, but {path} is damaged now", path=str(path))


def _note_restoring(path: Path, source: Path, why: str) -> None:
    """Note it in the restored database, unless an older demine made that, perhaps without a log."""
    if file_revision(path) == revisions()[-1]:
        with _telling_what_is_not_noted(path), Administration.open(path) as opened:
            opened.note("restore", str(source.absolute()), why)


@contextmanager
def _telling_what_is_not_noted(copy: Path) -> Iterator[None]:
    """Raise `DatabaseError` that says of a copy that was made that it could not be noted."""
    try:
        yield
    except DatabaseError as error:
        raise DatabaseError(
            "the backup is in {path}, but not in the log: {reason}", path=str(copy), reason=error
        ) from error


def _refuse_special(path: Path) -> None:
    """Raise `OSError` for what a file must not take the place of."""
    if is_pipe_or_device(path):
        raise OSError(errno.ENXIO, "no file")
    if path.is_dir():
        raise OSError(errno.EISDIR, "no file")


def _refuse_files_of(path: Path, file: Path) -> None:
    """Raise `DatabaseError` if a file is a database, its log or its lock, by whatever name."""
    real, real_file = Path(os.path.realpath(path)), Path(os.path.realpath(file))
    for own in (*database_files(real), lock_path(path)):
        if own == real_file or (own.exists() and file.exists() and own.samefile(file)):
            raise DatabaseError("{path} is the database itself, or belongs to it", path=str(file))


@contextmanager
def _telling_of(path: Path) -> Iterator[None]:
    """Raise `DatabaseError` in the place of what the system and SQLite raise."""
    try:
        yield
    except (OSError, *SQL_ERRORS) as error:
        raise DatabaseError("{path}: {reason}", path=str(path), reason=reason_of(error)) from error


@contextmanager
def _checked_copy(source: Path, target: Path) -> Iterator[Path]:
    """Yield a copy of a database beside `target`, found whole; it is deleted if it stays there."""
    made, name = mkstemp(".copy", f"{target.name}.", target.parent)
    os.close(made)
    copy = Path(name)
    try:
        uri = f"{source.absolute().as_uri()}?mode=ro"
        with (
            closing(sqlite3.connect(uri, uri=True)) as original,
            closing(sqlite3.connect(copy)) as connection,
        ):
            original.backup(connection)
            connection.execute("PRAGMA journal_mode = DELETE")  # one file, with nothing beside it
            if not _is_whole(connection):
                raise DatabaseError("{path} is damaged: nothing was changed", path=str(source))
        _flush(copy)
        yield copy
    finally:
        for file in database_files(copy):
            file.unlink(missing_ok=True)


def _is_whole(connection: sqlite3.Connection) -> bool:
    """Return whether every page, row and reference of a database is as it should be."""
    try:
        return [row for check in _CHECKS for row in connection.execute(check)] == [("ok",)]
    except SQL_ERRORS as error:
        if is_damage_error(error):
            return False
        raise


def _flush(path: Path) -> None:
    """Have a file on the disk before it takes another one's place."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _player(connection: Connection, player: str, column: ColumnElement[str]) -> object:
    """Return a column of a player; raises `NotFound`."""
    found = connection.execute(select(column).where(PLAYERS.c.id == player)).one_or_none()
    if found is None:
        raise NotFound("there is no such player")
    return found[0]


def _update_player(connection: Connection, player: str, **values: str | None) -> None:
    connection.execute(update(PLAYERS).where(PLAYERS.c.id == player).values(values))


def _days_ago(days: int) -> str:
    return utc_text(datetime.now(UTC) - timedelta(days=days))


def note(
    connection: Connection,
    action: str,
    subject: str,
    detail: str,
    why: str,
    entry: int | None = None,
) -> int:
    """Write an entry of the log, or entry number `entry` anew; return its number."""
    row = {"at": utc_now_text(), "action": action, "subject": subject, "detail": detail, "why": why}
    if entry is not None:
        connection.execute(update(ADMIN_LOG).where(ADMIN_LOG.c.num == entry).values(row))
        return entry
    (num,) = connection.execute(insert(ADMIN_LOG), row).inserted_primary_key or (0,)
    return int(num)
