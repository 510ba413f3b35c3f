"""Which migrations a database has had, and the running of those that it lacks."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Final

from demine.web.errors import DatabaseError, OlderDatabase

if TYPE_CHECKING:
    from alembic.config import Config
    from sqlalchemy.engine import Connection

    from demine.web.database.place import DatabasePlace

APPLICATION_ID: Final = 0x644D5376
"""What the header of a file says that belongs to the server: `dMSv`."""
MIGRATIONS: Final = Path(__file__).parent / "migrations"


def revisions(migrations: Path = MIGRATIONS) -> list[str]:
    """Return the revisions of a folder of migrations, oldest first; Alembic is not loaded."""
    return sorted(path.stem[1:5] for path in (migrations / "versions").glob("r[0-9]*_*.py"))


def file_revision(path: Path, migrations: Path = MIGRATIONS) -> str | None:
    """Return the last migration that a database file has had; None if it is new or empty.

    The file is not changed. Raises `DatabaseError` if it belongs to another program or to a newer
    demine, `sqlite3.Error` if it cannot be read.
    """
    if not path.exists() or not path.stat().st_size:
        return None
    uri = f"{path.absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(uri, uri=True)) as connection:
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if not application and not tables:
            return None
        if application != APPLICATION_ID:
            raise strange_database(path)
        found = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    return known_revision(path, found and found[0], migrations)


def known_revision(
    place: DatabasePlace, revision: str | None, migrations: Path = MIGRATIONS
) -> str:
    """Return a revision that a database has; raises `DatabaseError` for one unknown here."""
    if revision is None:
        raise strange_database(place)
    known = revisions(migrations)
    if revision not in known:
        raise DatabaseError(
            "the database {path} was made by a newer demine (format {found}; this one knows "
            "{known}): it is left as it is",
            path=str(place),
            found=revision,
            known=known[-1],
        )
    return revision


def strange_database(place: DatabasePlace) -> DatabaseError:
    """Return the error that a database belongs to another program."""
    return DatabaseError(
        "{path} is not a database of demine's server: it is left as it is", path=str(place)
    )


def older_database(place: DatabasePlace) -> OlderDatabase:
    """Return the error that only a server can bring a database up to date."""
    return OlderDatabase(
        "the database {path} is of an older demine: start the server once, which brings it "
        "up to date",
        path=str(place),
    )


def upgrade(connection: Connection, migrations: Path = MIGRATIONS) -> None:
    """Run the migrations that a database lacks, which make the tables of a new one.

    `connection` must be in a transaction, and not check foreign keys in SQLite: a table that is
    made anew there would take along what refers to it.
    """
    from alembic import command

    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION_ID}")
    command.upgrade(_config(connection, migrations), "head")


def downgrade(connection: Connection) -> None:
    """Take the last migration back, and with it what only this version knows.

    `connection` is as in `upgrade`.
    """
    from alembic import command

    command.downgrade(_config(connection, MIGRATIONS), "-1")


def _config(connection: Connection, migrations: Path) -> Config:
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(migrations).replace("%", "%%"))
    return config
