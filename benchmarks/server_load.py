"""What players ask of one server, and how long they wait for their answers.

`demine serve` runs in a process of its own with a database of its own, and so does a bare uvicorn
that sends every message back; this process is all the players. Each has an expert game, begun a
while ago, and a WebSocket to each server. They send an act a second, at a moment of the second of
their own, whether or not the one before is answered: to the one server for some seconds, then to
the other. An act is answered when it is on the disk. Memory is what the server grew by from no game
to all of them being open.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import resource
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

import httpx
import numpy as np
from numpy.typing import NDArray
from sqlalchemy import create_engine

from benchmarks.measure import Row, Run
from benchmarks.websocket_players import Player, act_for, connect_all
from demine.game import Game
from demine.logic.event import Act, Verb
from demine.store.game_rows import new_id
from demine.web import identity
from demine.web.database.games import insert_game
from demine.web.database.schema import PLAYERS, SECRETS

LONGEST_P99_MS: Final = {500: 100.0, 2000: 25.0}
"""By how many players there are: what a player takes for at once."""
ROUNDS: Final = 4
SECONDS: Final = 24.0
"""How long all rounds take on one of the servers."""
WARM_UP_SECONDS: Final = 2.0
RULES: Final = "30x16/99"
BOARDS: Final = 100
"""How many different games there are; each is played by several."""
_ECHO: Final = "bare uvicorn echo"


def rows(run: Run) -> list[Row]:
    """Return what the players waited, and what the server spent on them."""
    _allow_many_connections()
    return [row for number in LONGEST_P99_MS for row in rows_of(number, run.seconds(SECONDS))]


def rows_of(number: int, seconds: float) -> list[Row]:
    """Return the figures of so many players."""
    serve = [sys.executable, "-m", "demine", "serve", "--port", "0"]
    echo = [sys.executable, "-m", "benchmarks.websocket_echo"]
    with (
        TemporaryDirectory() as folder,
        served(serve, Path(folder)) as demine,
        served(echo, Path(folder)) as peer,
    ):
        asyncio.run(measure(demine, peer, number, Path(folder), seconds))
    low, high = demine.milliseconds()
    their_low, their_high = peer.milliseconds()
    who = f"{number} players: "
    return [
        Row(f"{who}acts answered in a second", demine.acts / seconds, "acts/s",
            more_is_better=True),
        Row(f"{who}act to answer, median", low, "ms", _ECHO, their_low),
        Row(f"{who}act to answer, 99th percentile", high, "ms", _ECHO, their_high,
            limit=LONGEST_P99_MS[number]),
        Row(f"{who}processor time of the server for an act", demine.us_an_act, "µs", _ECHO,
            peer.us_an_act),
        Row(f"{who}processor time of the players themselves for an act",
            demine.players_seconds / demine.acts * 1e6, "µs"),
        Row(f"{who}memory of an open game with its connection", demine.kb_a_player, "kB", _ECHO,
            peer.kb_a_player),
    ]  # fmt: skip


@dataclass
class Served:
    """A server, and what was measured of it."""

    pid: int
    address: str
    acts: int = 0
    waits: list[float] = field(default_factory=list)
    seconds: float = 0.0
    """The processor time of the server."""
    players_seconds: float = 0.0
    """The processor time of the players."""
    kb_a_player: float = 0.0

    @property
    def us_an_act(self) -> float:
        return self.seconds / self.acts * 1e6

    def milliseconds(self) -> tuple[float, float]:
        """Return the median and the 99th percentile of the waits."""
        low, high = np.quantile(self.waits, (0.5, 0.99)) * 1000
        return float(low), float(high)


@contextmanager
def served(command: list[str], folder: Path) -> Iterator[Served]:
    """Run a server that prints its address."""
    environment = {**os.environ, "DEMINE_DATA_DIR": str(folder), "PYTHONUNBUFFERED": "1"}
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
        yield Served(process.pid, found[0])
    finally:
        process.terminate()
        process.wait()


async def measure(demine: Served, peer: Served, number: int, folder: Path, seconds: float) -> None:
    """Let so many players play, by turns on both servers."""
    needed = int(seconds + (ROUNDS + 1) * WARM_UP_SECONDS) + ROUNDS
    playing = await made_players(demine.address, folder, number, needed)
    echoing = [Player("/", {}, each.messages, each.phase) for each in playing]
    sides = ((demine, playing), (peer, echoing))
    for server, players in sides:
        before = resident_kb(server.pid)
        await connect_all(players, server.address, greets=server is demine)
        server.kb_a_player = (resident_kb(server.pid) - before) / number
        await act_for(players, WARM_UP_SECONDS)
    for _ in range(ROUNDS):
        for server, players in sides:
            await measure_round(server, players, seconds / ROUNDS)
    for _, players in sides:
        for each in players:
            each.close()


async def measure_round(server: Served, players: Sequence[Player], seconds: float) -> None:
    """Let all players act for some seconds, and note what that took."""
    for each in players:
        each.waits.clear()
        each.answers.clear()
    own, theirs = time.process_time(), processor_seconds(server.pid)
    await act_for(players, seconds)
    server.seconds += processor_seconds(server.pid) - theirs
    server.players_seconds += time.process_time() - own
    for each in players:
        server.waits += each.waits
        server.acts += len(each.waits)
        assert not any(b'"refused"' in answer for answer in each.answers), each.answers


async def made_players(address: str, folder: Path, number: int, acts: int) -> list[Player]:
    """Make players with a game each, as `POST /api/games` does.

    One address makes few players a minute, so they come through the server's own modules; the
    first comes through the door, which shows that it serves.
    """
    async with httpx.AsyncClient(base_url=address) as client:
        (await client.post("/api/games", json={"rules": RULES})).raise_for_status()
    made = await asyncio.to_thread(_write_players, folder / "server.sqlite", number, acts)
    return [
        Player(f"/ws/games/{game}?client=load", {"Cookie": cookie}, messages, phase)
        for game, cookie, messages, phase in made
    ]


def _write_players(path: Path, number: int, acts: int) -> list[tuple[str, str, list[bytes], float]]:
    engine, random = create_engine(f"sqlite:///{path}"), Random(1)
    made = []
    with engine.begin() as connection:
        key = connection.execute(SECRETS.select()).one().value
        for place in range(number):
            player, game = new_id(), new_id()
            connection.execute(PLAYERS.insert().values(id=player, created_at=""))
            seed = place % BOARDS
            played = whole_game(seed)
            begin = random.randrange(1, len(played) - acts)
            insert_game(connection, game, player, game_after(seed, played[:begin]))
            messages = [message(*each) for each in enumerate(played[begin : begin + acts], 1)]
            made.append((game, f"demine={identity.signed(player, key)}", messages, random.random()))
    engine.dispose()
    return made


def message(number: int, act: Act) -> bytes:
    """Return what the page sends for an act."""
    stamp = act.t + 1_000_000
    sent = {"seq": number, "t": stamp, "verb": act.verb, "cell": (act.row, act.col)}
    return json.dumps(sent).encode()


def game_after(seed: int, acts: Sequence[Act]) -> Game:
    """Return the game of a seed after some acts."""
    game = Game(RULES, seed)
    for act in acts:
        game.play(act)
    return game


@cache
def whole_game(seed: int) -> list[Act]:
    """Return a won game as a player plays who flags and chords: near the last act, if possible."""
    game, random = Game(RULES, seed), Random(seed)
    acts = [Act(0, Verb.OPEN, 8, 15)]
    game.play(acts[0])
    while not game.status.over:
        row, col = acts[-1].row, acts[-1].col
        verb, cells = choices(game)
        distances = np.abs(cells - (row, col)).sum(axis=1) + [random.random() for _ in cells]
        row, col = cells[int(np.argmin(distances))].tolist()
        acts.append(Act(len(acts) * 1000, verb, row, col))
        game.play(acts[-1])
    return acts


def choices(game: Game) -> tuple[Verb, NDArray[np.intp]]:
    """Return what to do next, and on which cells: a chord, else a flag, else an opened number."""
    board = game.board
    opened, flags, mines = board.open_map, board.flag_map, board.mine_map
    free = ~opened & ~flags
    ready = opened & (around(flags) == board.hint_map) & (around(free) > 0)
    if ready.any():
        return Verb.CHORD, np.argwhere(ready)
    beside = around(opened) > 0
    full = opened & (around(~opened) == board.hint_map)
    certain = free & mines & (around(full) > 0)
    if certain.any():
        return Verb.FLAG, np.argwhere(certain)
    safe = free & ~mines
    return Verb.OPEN, np.argwhere(safe & beside if (safe & beside).any() else safe)


def around(cells: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return how many of the cells are beside each one."""
    height, width = cells.shape
    padded = np.pad(cells.astype(np.intp), 1)
    count = np.zeros(cells.shape, np.intp)
    for row, col in np.ndindex(3, 3):
        count += padded[row : row + height, col : col + width]
    return count - cells


def resident_kb(pid: int) -> float:
    """Return how much memory a process holds, in kilobytes."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return float(re.findall(r"VmRSS:\s+(\d+)", status)[0])


def processor_seconds(pid: int) -> float:
    """Return the processor time that a process has taken."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _allow_many_connections() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
