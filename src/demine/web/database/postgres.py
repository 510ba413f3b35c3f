"""Opens a database of a PostgreSQL server as the database of a server of games."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import create_engine, event, func, inspect, select
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from demine.scene.system_errors import SystemRefusal
from demine.web.database.file_version import (
    known_revision,
    older_database,
    revisions,
    strange_database,
    upgrade,
)
from demine.web.database.place import OpenEngines
from demine.web.errors import DatabaseError

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection, Engine

    from demine.web.database.place import PostgresPlace

_LOCK: Final = 0x644D5376
"""The number of the lock that a server holds as long as it has the database."""
_HAVE: Final = "SELECT pg_try_advisory_lock(%s)"
_SHARE: Final = "SELECT pg_try_advisory_lock_shared(%s)"
KEEPALIVE: Final = (
    "-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3 "
    "-c tcp_user_timeout=10000"
)
"""How soon the server of PostgreSQL notices that a computer is silent."""
_LET_GO: Final = f"{KEEPALIVE} -c idle_in_transaction_session_timeout=10000"
"""After ten seconds a process that hangs, or whose computer is silent, holds up no other."""
_WAIT_S: Final = 5.0
"""How long a server that is about to end has to let go of it."""
_LOOK_S: Final = 0.1
_CONNECT_S: Final = 10
_IN_USE: Final = "another program is using it"


def open_postgres(place: PostgresPlace, *, is_shared: bool = False) -> OpenEngines:
    """Open a database, and make its tables or bring them up to date; raises `DatabaseError`.

    What writes holds a lock as long as it is connected, which leaves others out, or those alone who
    do not share: should its connection be lost and somebody have taken over meanwhile, nothing more
    can be written here.
    """
    readers, writer = _reading_engine(place), _engine(place, _LET_GO if is_shared else "")
    event.listen(writer, "connect", partial(_take_lock, take=_SHARE if is_shared else _HAVE))
    try:
        bring_up_to_date(place)
        with writer.connect():
            pass
    except BaseException as error:
        _dispose(readers, writer)
        if isinstance(error, SQLAlchemyError | DatabaseTaken):
            raise _cannot_be_opened(place, error) from error
        raise
    return OpenEngines(readers, writer, _OfConnection())


def open_postgres_beside_server(place: PostgresPlace) -> tuple[Engine, Engine]:
    """Return an engine that reads a database on which a server may run, and one that writes.

    Raises `DatabaseError` if there is none, or it is not of this version.
    """
    readers, writer = _reading_engine(place), _engine(place)
    try:
        with readers.connect() as connection:
            found = _revision(place, connection)
    except SQLAlchemyError as error:
        _dispose(readers, writer)
        raise _cannot_be_opened(place, error) from error
    if found != revisions()[-1]:
        _dispose(readers, writer)
    if found is None:
        raise DatabaseError("there is no database of a server at {path}", path=str(place))
    if found != revisions()[-1]:
        raise older_database(place)
    return readers, writer


class DatabaseTaken(DatabaseError):
    """A database that another server has."""


class _OfConnection:
    """The lock of a database, which goes with the connection that took it."""

    def release(self) -> None:
        """Do nothing: the connection is closed by now."""


def bring_up_to_date(place: PostgresPlace) -> None:
    """Run the migrations that a database lacks, which nobody may use meanwhile.

    Raises `DatabaseError`, and what the driver raises.
    """
    until, alone = time.monotonic() + _WAIT_S, _engine(place)
    try:
        # Somebody else may be about to do the same.
        while not _is_up_to_date(place, alone):
            if time.monotonic() > until:
                raise _taken()
            time.sleep(_LOOK_S)
    finally:
        alone.dispose()


def _is_up_to_date(place: PostgresPlace, engine: Engine) -> bool:
    """Whether a database has all migrations, now that it was tried to run those that it lacks."""
    with engine.begin() as connection:
        if _revision(place, connection) == revisions()[-1]:
            return True
        if not connection.execute(select(func.pg_try_advisory_xact_lock(_LOCK))).scalar_one():
            return False
        if _revision(place, connection) != revisions()[-1]:
            upgrade(connection)
        return True


def _take_lock(connection: Any, _record: object, take: str) -> None:  # noqa: ANN401 - the driver's own
    until = time.monotonic() + _WAIT_S
    with connection.cursor() as cursor:
        while True:
            cursor.execute(take, [_LOCK])
            (is_ours,) = cursor.fetchone()
            connection.commit()
            if is_ours:
                return
            if time.monotonic() > until:
                raise _taken()
            time.sleep(_LOOK_S)


def _taken() -> DatabaseTaken:
    return DatabaseTaken("the database cannot be written: {reason}", reason=SystemRefusal(_IN_USE))


def _revision(place: PostgresPlace, connection: Connection) -> str | None:
    """Return the last migration that a database has had; None for one without tables.

    Raises `DatabaseError` if it belongs to another program or to a newer demine.
    """
    tables = set(inspect(connection).get_table_names())
    if not tables:
        return None
    if not tables >= {"alembic_version", "players", "games", "events", "secrets"}:
        raise strange_database(place)
    found = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
    return known_revision(place, found)


def _engine(place: PostgresPlace, options: str = "") -> Engine:
    # One connection, which is asked for a sign of life before it is used after a rest.
    return create_engine(
        place.url,
        pool_size=1,
        max_overflow=0,
        pool_pre_ping=True,
        connect_args={
            "connect_timeout": _CONNECT_S,
            "application_name": "demine",
            "options": options,
        },
    )


def _reading_engine(place: PostgresPlace) -> Engine:
    """Return an engine whose transactions see the database at one moment, and change nothing."""
    return create_engine(
        place.url,
        pool_pre_ping=True,
        isolation_level="REPEATABLE READ",
        connect_args={
            "connect_timeout": _CONNECT_S,
            "application_name": "demine",
            "options": "-c default_transaction_read_only=on",
        },
    )


def _dispose(*engines: Engine) -> None:
    for engine in engines:
        engine.dispose()


def _cannot_be_opened(place: PostgresPlace, error: Exception) -> DatabaseError:
    reason: object = (
        SystemRefusal(_IN_USE) if isinstance(error, DatabaseTaken) else reason_of(error)
    )
    return DatabaseError(
        "the database {path} cannot be opened: {reason}", path=str(place), reason=reason
    )


def reason_of(error: Exception) -> object:
    """Return why PostgreSQL refused something, on one line."""
    found = getattr(error, "orig", None) or error
    if isinstance(error, OperationalError) and not str(found).strip():
        return SystemRefusal("it does not answer")
    return " ".join(str(found).split())
