"""Which migrations a database file has had, and the running of those that it lacks."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Final

from demine.web.errors import DatabaseError

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection

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
            raise _foreign(path)
        found = connection.execute("SELECT version_num FROM alembic_version").fetchone()
        if found is None:
            raise _foreign(path)
    (revision,) = found
    known = revisions(migrations)
    if revision not in known:
        raise DatabaseError(
            "the database {path} was made by a newer demine (format {found}; this one knows "
            "{known}): it is left as it is",
            path=str(path),
            found=revision,
            known=known[-1],
        )
    return str(revision)


def _foreign(path: Path) -> DatabaseError:
    return DatabaseError(
        "{path} is not a database of demine's server: it is left as it is", path=str(path)
    )


def upgrade_file(connection: Connection, migrations: Path = MIGRATIONS) -> None:
    """Run the migrations that a file lacks, which make the tables of a new one.

    `connection` must be in a transaction, and not check foreign keys: a table that is made anew
    would take along what refers to it.
    """
    from alembic import command
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(migrations).replace("%", "%%"))
    connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION_ID}")
    command.upgrade(config, "head")
