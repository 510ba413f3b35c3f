"""What 500 players ask of one server, and how long they wait for their answers.

`demine serve` runs in a process of its own with a database of its own; this process is all the
players. Each has an expert game and a WebSocket, and plays an act a second, at a moment of the
second of its own: numbers are opened and mines flagged in turn. An act is answered when it is on
the disk. Memory is what the server grew by from no game to all of them being open.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import httpx
import numpy as np
from sqlalchemy import create_engine
from websockets.asyncio.client import ClientConnection, connect

from benchmarks.measure import Row, Run
from demine.game import Game
from demine.logic.event import Act, Verb
from demine.store.game_rows import new_id
from demine.web import identity
from demine.web.database.games import insert_game
from demine.web.database.schema import PLAYERS, SECRETS

PLAYERS_AT_ONCE = 500
SECONDS = 20.0
WARM_UP_SECONDS = 3.0
RULES = "30x16/99"
LONGEST_P99_MS = 100.0
"""What a player takes for at once."""


def rows(run: Run) -> list[Row]:
    """Return what the players waited, and what the server spent on them."""
    seconds = run.seconds(SECONDS)
    with TemporaryDirectory() as folder, served(Path(folder)) as (process, address):
        return asyncio.run(measured(process.pid, address, Path(folder), seconds))


@contextmanager
def served(folder: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run the server; yields its process and address."""
    environment = {**os.environ, "DEMINE_DATA_DIR": str(folder), "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "demine", "serve", "--port", "0"]
    process = subprocess.Popen(
        command, env=environment, stderr=subprocess.STDOUT, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        found = None
        while not found:
            line = process.stdout.readline()
            assert line, "the server ended"
            found = re.search(r"http://[^\s/]+", line)
        yield process, found[0]
    finally:
        process.terminate()
        process.wait()


@dataclass
class Player:
    """One player at one board."""

    cookie: str
    game: str
    script: list[tuple[str, tuple[int, int]]]
    """The acts to play, none of which the rules refuse."""
    phase: float
    """When in each second it plays."""
    socket: ClientConnection | None = None
    acts: int = 0
    waits: list[tuple[float, float]] = field(default_factory=list)
    """When each act was sent, and how long its answer took, in seconds."""

    async def connect(self, address: str) -> None:
        """Open the board, and its first cell."""
        at = f"{address.replace('http', 'ws')}/ws/games/{self.game}?client=load"
        headers = {"Cookie": self.cookie}
        self.socket = await connect(
            at, additional_headers=headers, compression=None, open_timeout=60
        )
        json.loads(await self.socket.recv())
        await self.act()

    async def act(self) -> None:
        """Play the next act, and wait for the answer."""
        assert self.socket is not None
        verb, cell = self.script[self.acts]
        self.acts += 1
        message = {"seq": self.acts, "verb": verb, "cell": cell}
        began = time.perf_counter()
        await self.socket.send(json.dumps(message))
        answer = json.loads(await self.socket.recv())
        assert answer["ack"] == self.acts, answer
        assert "refused" not in answer, answer
        self.waits.append((began, time.perf_counter() - began))

    async def play(self, begin: float, end: float) -> None:
        """Play an act a second, however long the answers take."""
        moment = begin + self.phase
        while moment < end:
            await asyncio.sleep(max(0.0, moment - time.perf_counter()))
            await self.act()
            moment += 1.0


async def measured(pid: int, address: str, folder: Path, seconds: float) -> list[Row]:
    """Let all players play, and return the figures."""
    players = await made_players(address, folder, int(seconds + WARM_UP_SECONDS) + 4)
    before = resident_kb(pid)
    for first in range(0, len(players), 50):
        await asyncio.gather(*(each.connect(address) for each in players[first : first + 50]))
    memory = (resident_kb(pid) - before) / len(players)
    begin = time.perf_counter() + 0.5
    counted = begin + WARM_UP_SECONDS
    end = counted + seconds
    plays = [asyncio.ensure_future(each.play(begin, end)) for each in players]
    await asyncio.sleep(counted - time.perf_counter())
    spent = processor_seconds(pid)
    await asyncio.sleep(end - time.perf_counter())
    spent = processor_seconds(pid) - spent
    await asyncio.gather(*plays)
    for each in players:
        assert each.socket is not None
        await each.socket.close()
    waits = [wait for each in players for sent, wait in each.waits if sent >= counted]
    low, high = np.quantile(waits, (0.5, 0.99)) * 1000
    return [
        Row("acts answered in a second", len(waits) / seconds, "acts/s", more_is_better=True),
        Row("act to answer, median", float(low), "ms"),
        Row("act to answer, 99th percentile", float(high), "ms", limit=LONGEST_P99_MS),
        Row("processor time of the server for an act", spent / len(waits) * 1e6, "µs"),
        Row("part of a processor that the server keeps busy", spent / seconds, "cores"),
        Row("memory of an open game with its connection", memory, "kB"),
    ]


async def made_players(address: str, folder: Path, acts: int) -> list[Player]:
    """Make players with a game each, as `POST /api/games` does.

    One address makes few players a minute, so they come through the server's own modules; the
    first comes through the door, which shows that it serves.
    """
    async with httpx.AsyncClient(base_url=address) as client:
        (await client.post("/api/games", json={"rules": RULES})).raise_for_status()
    return await asyncio.to_thread(_write_players, folder / "server.sqlite", acts)


def _write_players(path: Path, acts: int) -> list[Player]:
    engine = create_engine(f"sqlite:///{path}")
    players = []
    with engine.begin() as connection:
        key = connection.execute(SECRETS.select()).one().value
        for number in range(PLAYERS_AT_ONCE):
            player, game = new_id(), new_id()
            connection.execute(PLAYERS.insert().values(id=player, created_at=""))
            insert_game(connection, game, player, Game(RULES, number))
            cookie = f"demine={identity.signed(player, key)}"
            players.append(Player(cookie, game, script(number, acts), Random(number).random()))
    engine.dispose()
    return players


def script(seed: int, acts: int) -> list[tuple[str, tuple[int, int]]]:
    """Return what is played on the board of a seed: an opening, then mines and numbers in turn."""
    game, random = Game(RULES, seed), Random(seed)
    game.open(8, 15)
    steps = [("open", (8, 15))]
    while len(steps) < acts:
        wants_mine = len(steps) % 2 == 1
        board = game.board
        fitting = (board.mine_map == wants_mine) & ~board.open_map & ~board.flag_map
        row, col = random.choice(np.argwhere(fitting).tolist())
        verb = "flag" if wants_mine else "open"
        game.play(Act(0, Verb(verb), row, col))
        steps.append((verb, (row, col)))
    return steps


def resident_kb(pid: int) -> float:
    """Return how much memory a process holds, in kilobytes."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return float(re.findall(r"VmRSS:\s+(\d+)", status)[0])


def processor_seconds(pid: int) -> float:
    """Return the processor time that a process has taken."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
