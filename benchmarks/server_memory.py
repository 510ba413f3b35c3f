"""What thousands of players cost a server who are connected and mostly look on.

Each has an expert game in memory and a WebSocket; a few of them act once a second. Some have a
second connection to the same game, which shows what a connection takes without a game.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import numpy as np

from benchmarks.measure import Row, Run
from benchmarks.served_processes import (
    POSTGRES,
    SQLITE,
    Served,
    allow_many_files,
    demine_server,
)
from benchmarks.server_players import made_players
from benchmarks.websocket_players import Measured, act_for, connect_all

PLAYERS: Final = 9000
TWICE: Final = 1000
"""How many of them have a second connection."""
ACTIVE: Final = 200
"""How many of them act."""
SECONDS: Final = 16.0
QUICK_SHARE: Final = 20
"""How many times fewer the players of a quick run are."""
_MOST_MB: Final = 400.0


@dataclass(frozen=True)
class Held:
    """What a server holds in memory, in kilobytes, and how long the active players waited."""

    empty_kb: float
    with_players_kb: float
    with_all_kb: float
    after_acts_kb: float
    waits: list[float]
    """In seconds."""
    open_files: float


def rows(run: Run) -> list[Row]:
    """Return what the connections take on each kind of database."""
    allow_many_files()
    share = QUICK_SHARE if run.quick else 1
    found = []
    for database in (SQLITE, POSTGRES):
        with TemporaryDirectory() as folder, demine_server(Path(folder), database) as server:
            if server is not None:
                players, twice = PLAYERS // share, TWICE // share
                held = asyncio.run(_measure(server, players, twice, run.seconds(SECONDS)))
                found += rows_of(f"{database}, {players + twice:,} connections", held, share)
    return found


def rows_of(who: str, held: Held, share: int) -> list[Row]:
    """Return the figures of one kind of database."""
    of_player = (held.with_players_kb - held.empty_kb) / (PLAYERS // share)
    of_connection = (held.with_all_kb - held.with_players_kb) / (TWICE // share)
    waited_ms = float(np.quantile(held.waits, 0.99)) * 1000
    return [
        Row(f"{who}: memory of the server", held.after_acts_kb / 1000, "MB", limit=_MOST_MB),
        Row(f"{who}: an open game with its connection", of_player, "kB"),
        Row(f"{who}: a connection alone", of_connection, "kB"),
        Row(f"{who}: an open game alone", of_player - of_connection, "kB"),
        Row(f"{who}: act to answer of the active ones, 99th percentile", waited_ms, "ms"),
        Row(f"{who}: files and connections that the system allows", held.open_files, "",
            more_is_better=True),
    ]  # fmt: skip


async def _measure(server: Served, number: int, twice: int, seconds: float) -> Held:
    noted = Measured()
    empty_kb = server.resident_kb()
    players = made_players([server.address], server.database, number, noted)
    await connect_all(players)
    with_players_kb = server.resident_kb()
    second = [each.second_connection() for each in players[:twice]]
    await connect_all(second)
    with_all_kb = server.resident_kb()
    active = players[-min(ACTIVE, number - twice) :]
    await act_for(active, seconds)
    after_acts_kb = server.resident_kb()
    for each in (*players, *second):
        each.close()
    return Held(
        empty_kb, with_players_kb, with_all_kb, after_acts_kb, noted.waits, server.open_files()
    )
