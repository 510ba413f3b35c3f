"""Racers against a server of races: what one player's page does, over real sockets."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any, Self

import httpx
import numpy as np
from numpy.typing import NDArray
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from demine.logic.event import Lay
from demine.web.database.place import DatabasePlace
from tests.web.stored_rows import rows
from tests.web.waiting import SECONDS


class Racer:
    """A player with a cookie; `heard` is all that the server ever said to them."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.heard: list[str] = []
        self._sockets = ExitStack()
        self.http = httpx.Client(base_url=address, timeout=SECONDS)
        self.race = ""
        self.looking: ClientConnection | None = None
        self.playing: ClientConnection | None = None
        self.number = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._sockets.close()
        self.http.close()

    def ask(self, method: str, path: str, **body: object) -> httpx.Response:
        """Ask for something over HTTP."""
        sent = {"json": body} if method == "POST" else {}
        answer = self.http.request(method, path, **sent)  # type: ignore[arg-type]
        self.heard.append(answer.text)
        return answer

    def make(self, **chosen: object) -> str:
        """Make a race; returns its id."""
        answer = self.ask("POST", "/api/races", **chosen)
        assert answer.status_code == 201, answer.text
        self.race = answer.json()["race"]
        return self.race

    def wish(self, do: str, race: str = "") -> httpx.Response:
        """Want something of a race, one's own unless another is named."""
        self.race = race or self.race
        return self.ask("POST", f"/api/races/{self.race}/wish", do=do)

    def look(self) -> None:
        """Connect to the race."""
        self.looking = self.socket(f"/ws/races/{self.race}")

    def come_and_be_ready(self, race: str) -> None:
        """Join a race, look at it, and be ready."""
        self.race = race
        for do in ("join", "ready"):
            answer = self.wish(do)
            assert answer.status_code == 200, answer.text
        self.look()

    def until(self, is_so: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Look at the race until something is so; returns how it stands then."""
        assert self.looking is not None
        while True:
            state = self.hear(self.looking)
            if "phase" in state and is_so(state):
                return state

    def until_phase(self, phase: str) -> dict[str, Any]:
        return self.until(lambda state: state["phase"] == phase)

    def play(self, game: str) -> dict[str, Any]:
        """Connect to one's game; returns the first message."""
        self.playing = self.socket(f"/ws/games/{game}?client=a")
        hello: dict[str, Any] = self.hear(self.playing)["hello"]
        self.number = hello["next_seq"] - 1
        return hello

    def act(self, verb: str, *cell: int) -> dict[str, Any]:
        """Play an act; returns the answer."""
        assert self.playing is not None
        self.number += 1
        where = {"cell": cell} if cell else {}
        self.playing.send(json.dumps({"seq": self.number, "verb": verb, **where}))
        while True:
            answer = self.hear(self.playing)
            if answer.get("ack") == self.number:
                return answer

    def win(self, mines: NDArray[np.bool_]) -> dict[str, Any]:
        """Open what is safe until the game is over; returns the last answer."""
        answer: dict[str, Any] = {}
        for row, col in np.argwhere(~mines):
            answer = self.act("open", int(row), int(col))
            if answer["status"] != "running":
                return answer
        raise AssertionError(answer)

    def socket(self, path: str) -> ClientConnection:
        cookie = "; ".join(f"{each.name}={each.value}" for each in self.http.cookies.jar)
        address = self.address.replace("http", "ws", 1) + path
        # Without a bound, since a connection with a full queue hears no farewell, and its end
        # waits ten seconds for one.
        connecting = connect(
            address, additional_headers={"Cookie": cookie}, compression=None, max_queue=None
        )
        return self._sockets.enter_context(connecting)

    def hear(self, socket: ClientConnection) -> dict[str, Any]:
        text = str(socket.recv(timeout=SECONDS))
        self.heard.append(text)
        found: dict[str, Any] = json.loads(text)
        return found

    def last_word(self, socket: ClientConnection) -> dict[str, Any]:
        """What the server says before it closes a connection."""
        word: dict[str, Any] = {}
        try:
            while True:
                word = self.hear(socket)
        except ConnectionClosed:
            return word


def mines_of(place: DatabasePlace, race: str) -> NDArray[np.bool_]:
    """The mines of a race, which only the server's database has."""
    ((line,),) = rows(place, "SELECT lay FROM races WHERE id=?", race)
    return Lay.parse(line).mine_map
