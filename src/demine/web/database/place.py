"""Where the database of a server is: a file of SQLite, or a database of a PostgreSQL server."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, TypeAlias

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from demine.store.database_paths import data_dir
from demine.web.errors import DatabaseError

if TYPE_CHECKING:
    from sqlalchemy.engine import Engine

    from demine.web.database.log_checkpoints import LogCheckpoints

FILE_NAME: Final = "server.sqlite"
_SCHEMES: Final = ("postgresql://", "postgres://")
_DRIVER: Final = "postgresql+psycopg"


@dataclass(frozen=True, slots=True)
class PostgresPlace:
    """A database of a PostgreSQL server."""

    url: URL

    def __str__(self) -> str:
        """Return the address without its password, for messages."""
        return self.url.set(drivername="postgresql").render_as_string(hide_password=True)


DatabasePlace: TypeAlias = Path | PostgresPlace


class HeldLock(Protocol):
    """What keeps other servers off a database."""

    def release(self) -> None:
        """Let others have the database."""


class OpenEngines(NamedTuple):
    """An open database: what reads it, what writes it, and what keeps other servers off."""

    readers: Engine
    writer: Engine
    lock: HeldLock
    log_checkpoints: LogCheckpoints | None = None
    """What copies SQLite's log beside the commits; PostgreSQL does so itself."""


def default_place() -> Path:
    """Return the file of the server's database if no place is named."""
    return data_dir() / FILE_NAME


def parse_place(text: str) -> DatabasePlace:
    """Return the place that a text names, the default one for an empty text.

    `postgresql://USER:PASSWORD@HOST:PORT/DATABASE` is a database of PostgreSQL, everything else the
    path of a file. Raises `DatabaseError` for an address that is none.
    """
    if not text.startswith(_SCHEMES):
        return Path(text) if text else default_place()
    try:
        return PostgresPlace(make_url(text).set(drivername=_DRIVER))
    except (ArgumentError, ValueError) as error:  # its text would repeat the password
        raise DatabaseError(
            "this is no address of a database: "
            "postgresql://USER:PASSWORD@HOST:PORT/DATABASE is meant"
        ) from error
