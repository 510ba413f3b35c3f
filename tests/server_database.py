"""The database of a server, made as a server makes it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest


def make_server_database(path: Path) -> None:
    """Make an empty one; skips the test where the libraries of the server are missing."""
    pytest.importorskip("sqlalchemy")
    from demine.web.database.database import Database

    async def make() -> None:
        await (await Database.open(path)).close()

    asyncio.run(make())
