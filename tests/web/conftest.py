"""Where the tests of the server keep its database: in each kind that it may have."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.web.postgres_server import PostgresServer, postgres_server

if TYPE_CHECKING:
    from demine.web.database.place import DatabasePlace

KINDS = ("sqlite", "postgres")


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A server of PostgreSQL; skips the test where there is none."""
    with postgres_server() as server:
        yield server


@pytest.fixture(params=KINDS)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> DatabasePlace:
    """The place of a new database: a file, then a database of PostgreSQL."""
    return new_place(request, tmp_path)


@pytest.fixture(scope="module", params=KINDS)
def shared_place(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> DatabasePlace:
    """The same for all tests of a module."""
    return new_place(request, tmp_path_factory.mktemp("site"))


def new_place(request: pytest.FixtureRequest, folder: Path) -> DatabasePlace:
    pytest.importorskip("sqlalchemy")
    from demine.web.database.place import parse_place

    if request.param == "sqlite":
        return folder / "server.sqlite"
    server: PostgresServer = request.getfixturevalue("postgres")
    return parse_place(server.new_server_database())
