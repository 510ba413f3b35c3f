"""What players ask of one server, and how long they wait for their answers.

`demine serve` runs in a process of its own with a database of its own, and so does a bare uvicorn
that sends every message back; this process is all the players. Each has an expert game, begun a
while ago, and a WebSocket. They act once a second on average, after pauses as people make them,
whether or not the act before is answered, and begin a new game when theirs ends. An act is answered
when it is on the disk. Of some rounds the one with the shortest waits is told.

    python -m benchmarks.server_load ADDRESS ... --database PLACE [--players N] [--seconds S]

measures servers that run already on this machine, on one database, and prints a table.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import numpy as np

from benchmarks.measure import Row, Run
from benchmarks.page import table
from benchmarks.served_processes import (
    POSTGRES,
    SQLITE,
    Served,
    allow_many_files,
    demine_server,
    echo_server,
)
from benchmarks.server_players import made_players
from benchmarks.websocket_players import Measured, Player, act_for, connect_all

ROUNDS: Final = 3
SECONDS: Final = 15.0
"""How long all rounds of a load take."""
WARM_UP_SECONDS: Final = 8.0
"""The solver's processes start with the first end of a game."""
QUICK_SHARE: Final = 20
"""How many times fewer the players of a quick run are."""
_ECHO: Final = "bare uvicorn echo"


@dataclass(frozen=True)
class Load:
    """So many players of one server."""

    players: int
    longest_p99_ms: float
    """What a player takes for at once."""
    database: str
    processes: int = 1
    has_peer: bool = False
    """Whether the same players speak to a bare uvicorn too."""

    def __str__(self) -> str:
        processes = "" if self.processes == 1 else f", {self.processes} processes"
        return f"{self.database}, {self.players:,} players{processes}"


LOADS: Final = (
    Load(2000, 25.0, SQLITE, has_peer=True),
    Load(2000, 25.0, POSTGRES),
    Load(5000, 50.0, SQLITE),
    Load(5000, 50.0, POSTGRES),
    Load(2000, 25.0, POSTGRES, processes=2),
    Load(2000, 25.0, POSTGRES, processes=4),
)


@dataclass(frozen=True)
class Round:
    """What was measured while all players acted for some seconds."""

    noted: Measured
    seconds: float
    server_seconds: float
    """The processor time of the server."""
    players_seconds: float
    """The processor time of the players."""

    def waited_ms(self, share: float) -> float:
        """Return the wait that so many of the answers did not exceed."""
        return float(np.quantile(self.noted.waits, share)) * 1000

    @property
    def us_an_act(self) -> float:
        """The processor time of the server for an act, in microseconds."""
        return self.server_seconds / len(self.noted.waits) * 1e6


def rows(run: Run) -> list[Row]:
    """Return what the players waited, and what the server spent on them."""
    allow_many_files()
    return [row for load in LOADS for row in rows_of_load(load, run)]


def rows_of_load(load: Load, run: Run) -> list[Row]:
    """Return the figures of so many players; none where their database is not installed."""
    if run.quick:
        load = replace(load, players=load.players // QUICK_SHARE)
    number = load.players
    seconds = run.seconds(SECONDS)
    with (
        TemporaryDirectory() as folder,
        demine_server(Path(folder), load.database, load.processes) as server,
    ):
        if server is None:
            return []
        ours = asyncio.run(_measure([server.address], server, number, seconds))
    theirs = _peer_of(number, seconds) if load.has_peer else None
    return rows_of_round(str(load), ours, theirs, load.longest_p99_ms)


def rows_of_round(who: str, ours: Round, theirs: Round | None, limit: float | None) -> list[Row]:
    """Return the rows of a round, beside that of the echo."""

    def beside(what: str, unit: str, ours: float, theirs: float | None, limit: float | None) -> Row:
        peer = "" if theirs is None else _ECHO
        return Row(f"{who}: {what}", ours, unit, peer, theirs, limit=limit)

    def waits(what: str, share: float, limit: float | None = None) -> Row:
        peer = None if theirs is None else theirs.waited_ms(share)
        return beside(f"act to answer, {what}", "ms", ours.waited_ms(share), peer, limit)

    acts = len(ours.noted.waits)
    echo_us = None if theirs is None else theirs.us_an_act
    lag_ms = float(np.quantile(ours.noted.lags, 0.99)) * 1000
    return [
        Row(f"{who}: acts answered in a second", acts / ours.seconds, "acts/s",
            more_is_better=True),
        waits("median", 0.5),
        waits("99th percentile", 0.99, limit),
        waits("longest", 1.0),
        beside("processor time of the server for an act", "µs", ours.us_an_act, echo_us, None),
        Row(f"{who}: the server's share of a core",
            ours.server_seconds / ours.seconds * 100, "%"),
        Row(f"{who}: games begun in a second", ours.noted.games / ours.seconds, "games/s",
            more_is_better=True),
        Row(f"{who}: the players themselves, share of a core",
            ours.players_seconds / ours.seconds * 100, "%"),
        Row(f"{who}: how late the players act themselves, 99th percentile", lag_ms, "ms"),
    ]  # fmt: skip


async def _measure(addresses: Sequence[str], server: Served, number: int, seconds: float) -> Round:
    """Let so many players play; return the best of the rounds."""
    noted = Measured()
    players = made_players(addresses, server.database, number, noted)
    await connect_all(players)
    await act_for(players, WARM_UP_SECONDS)
    rounds = [await _round(players, noted, server, seconds / ROUNDS) for _ in range(ROUNDS)]
    for each in players:
        each.close()
    return min(rounds, key=lambda each: each.waited_ms(0.99))


def _peer_of(number: int, seconds: float) -> Round:
    with echo_server() as server:
        return asyncio.run(_measure([server.address], server, number, seconds))


async def _round(
    players: Sequence[Player], noted: Measured, server: Served, seconds: float
) -> Round:
    """Let all players act for some seconds, and note what that took."""
    noted.clear()
    own, theirs = time.process_time(), server.processor_seconds()
    await act_for(players, seconds)
    return Round(
        noted.copy(), seconds, server.processor_seconds() - theirs, time.process_time() - own
    )


def main() -> None:
    """Measure servers that run already."""
    parser = argparse.ArgumentParser(description="How long players wait for running servers.")
    parser.add_argument("addresses", nargs="+", metavar="ADDRESS", help="http://HOST:PORT")
    parser.add_argument("--database", required=True, help="as that of `demine serve`")
    parser.add_argument("--players", type=int, default=2000)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--pid", type=int, nargs="*", default=[], help="the servers' processes")
    asked = parser.parse_args()
    allow_many_files()
    server = Served(asked.addresses[0], asked.database, asked.pid)
    found = asyncio.run(_measure(asked.addresses, server, asked.players, asked.seconds))
    print(table(rows_of_round(f"{asked.players} players", found, None, None)))


if __name__ == "__main__":
    main()
