"""Nothing that was answered is lost: a real server is killed under load, and started again."""

from __future__ import annotations

import json
import sqlite3
import threading
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import numpy as np
import pytest
from sqlalchemy import select
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import ClientConnection, connect

from demine.game import Game
from demine.web.database.database import open_beside_server
from demine.web.database.games import journal_text
from demine.web.database.place import DatabasePlace
from demine.web.database.schema import GAMES
from tests.web.browser.served_site import ServedSite

PLAYERS = 4
ANSWERS_BEFORE_KILL = (1, 40, 160)


@dataclass
class Player:
    """Somebody who opens cell after cell of one game, and notes what was answered."""

    site: ServedSite
    seed: int
    game: str = ""
    cookie: str = ""
    sent: int = 0
    answered: int = 0
    seq: int = 0
    """The number of events at the last answer."""
    state: dict[str, Any] = field(default_factory=dict)

    def make_game(self) -> None:
        body = json.dumps({"rules": "30x16/40", "seed": self.seed}).encode()
        headers = {"Content-Type": "application/json"}
        request = Request(f"{self.site.address}/api/games", body, headers)
        with urlopen(request, timeout=60) as answer:
            self.game = json.load(answer)["id"]
            self.cookie = answer.headers["Set-Cookie"].partition(";")[0]

    def connect(self) -> ClientConnection:
        address = self.site.address.replace("http", "ws", 1)
        return connect(
            f"{address}/ws/games/{self.game}?client=p{self.seed}",
            additional_headers={"Cookie": self.cookie},
            compression=None,
        )

    def hello(self) -> dict[str, Any]:
        with self.connect() as socket:
            found: dict[str, Any] = json.loads(socket.recv(timeout=60))["hello"]
            return found

    def play_until_cut_off(self, answered: threading.Semaphore) -> None:
        """Flag and unflag cells as fast as answers come; ends with the connection."""
        try:
            with self.connect() as socket:
                json.loads(socket.recv(timeout=60))
                while True:
                    self.sent += 1
                    verb, cell = ("open", [8, 15]) if self.sent == 1 else ("flag", self._cell())
                    socket.send(json.dumps({"seq": self.sent, "verb": verb, "cell": cell}))
                    answer = json.loads(socket.recv(timeout=60))
                    if answer.get("ack") != self.sent:
                        continue
                    self.answered, self.seq, self.state = self.sent, answer["seq"], answer
                    answered.release()
        except (ConnectionClosed, InvalidHandshake, OSError):
            return

    def _cell(self) -> list[int]:
        return [self.sent % 16, self.sent * 7 % 30]


@pytest.fixture
def site(tmp_path: Path, place: DatabasePlace) -> ServedSite:
    return ServedSite(tmp_path, database=str(place))


@pytest.mark.parametrize("answers", ANSWERS_BEFORE_KILL)
def test_a_killed_server_loses_no_answered_act(site: ServedSite, answers: int) -> None:
    players = [Player(site, seed) for seed in range(PLAYERS)]
    for player in players:
        player.make_game()
    answered = threading.Semaphore(0)
    threads = [
        threading.Thread(target=player.play_until_cut_off, args=[answered]) for player in players
    ]
    for thread in threads:
        thread.start()
    for _ in range(answers):
        assert answered.acquire(timeout=60)
    site.kill()
    for thread in threads:
        thread.join()
    site.start()
    try:
        for player in players:
            resume(player)
    finally:
        site.stop()
    if isinstance(site.place, Path):
        with closing(sqlite3.connect(site.place)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def resume(player: Player) -> None:
    """Go on with a game after the restart: at most the act that was not answered is unknown."""
    hello = player.hello()
    assert hello["seq"] >= player.seq
    played = hello["next_seq"] - 1
    # A refused act leaves no trace, and is not an act that was answered as played.
    assert played <= player.sent
    if player.state:
        assert abs(hello["mines_left"] - player.state["mines_left"]) <= 1
    lines = journal_lines(player)
    assert len(lines) - 1 == hello["seq"]
    faces = np.array([[int(face, 16) for face in row] for row in hello["faces"]], np.uint8)
    game = Game.from_journal("\n".join(lines) + "\n")
    assert game.board.open_map.sum() == (faces <= 8).sum()
    with player.connect() as socket:
        socket.recv(timeout=60)
        socket.send(json.dumps({"seq": hello["next_seq"], "verb": "flag", "cell": [0, 0]}))
        answer = json.loads(socket.recv(timeout=60))
        assert answer["ack"] == hello["next_seq"]


def journal_lines(player: Player) -> list[str]:
    """The journal of a player's game as the database has it."""
    readers, _ = open_beside_server(player.site.place)
    with readers.connect() as connection:
        num = connection.execute(select(GAMES.c.num).where(GAMES.c.id == player.game)).scalar_one()
        text = journal_text(connection, num)
    readers.dispose()
    return text.splitlines()
