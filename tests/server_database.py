"""The database of a server, made as a server makes it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from demine.web.database.place import DatabasePlace


def make_server_database(place: DatabasePlace) -> None:
    """Make an empty one; skips the test where the libraries of the server are missing."""
    pytest.importorskip("sqlalchemy")
    from demine.web.database.database import Database

    async def make() -> None:
        await (await Database.open(place)).close()

    asyncio.run(make())
