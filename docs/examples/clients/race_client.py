"""Has two players of the solver race on a server: race_client.py [ADDRESS [RULES]]."""

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.request import Request, urlopen

import numpy as np
from websockets.sync.client import ClientConnection, connect

import demine


class Racer:
    """A player, whom the cookie of the first answer names."""

    def __init__(self, server: str) -> None:
        self.server, self.cookie = server, ""

    def ask(self, path: str, **wanted: str) -> dict[str, Any]:
        """Ask for something of a race; return how the race stands then."""
        headers = {"Content-Type": "application/json", "Cookie": self.cookie}
        url, body = f"{self.server}/api/races{path}", json.dumps(wanted).encode()
        with urlopen(Request(url, body, headers), timeout=60) as answer:  # noqa: S310 - as told
            self.cookie = answer.headers.get("Set-Cookie", self.cookie).partition(";")[0]
            state: dict[str, Any] = json.load(answer)
            return state

    def connect(self, path: str) -> ClientConnection:
        """Open a socket in this player's name."""
        address = f"{self.server.replace('http', 'ws', 1)}{path}"
        return connect(address, additional_headers={"Cookie": self.cookie}, compression=None)

    def race(self, race: str) -> dict[str, Any]:
        """Be there and ready, play when the race begins; return how it stands when it is over."""
        with self.connect(f"/ws/races/{race}") as looking:
            self.ask(f"/{race}/wish", do="ready")
            state = wait_for("running", looking)
            with self.connect(f"/ws/games/{state['game']}?client=example") as socket:
                play(socket)
            return wait_for("over", looking)


def main(server: str = "http://127.0.0.1:8080", rules: str = "beginner") -> None:
    """Race once, and say who came when."""
    first, second = Racer(server), Racer(server)
    race = first.ask("", rules=rules)["race"]
    second.ask(f"/{race}/wish", do="join")
    with ThreadPoolExecutor() as threads:
        over, _ = threads.map(lambda racer: racer.race(race), (first, second))
    for seat in over["seats"]:
        print(f"{seat['place']}. seat {seat['seat']}: {seat['total_ms']} ms")


def wait_for(phase: str, looking: ClientConnection) -> dict[str, Any]:
    """Return how a race stands in a phase, once it is there."""
    while True:
        state: dict[str, Any] = json.loads(looking.recv())
        if state.get("phase") == phase:
            return state


def play(socket: ClientConnection) -> None:
    """Open what is safe until the game is over: on these boards something always is."""
    hello = json.loads(socket.recv())["hello"]
    number, state, rows = hello["next_seq"], hello, hello["faces"]
    faces = np.array([[int(face, 16) for face in row] for row in rows], np.uint8)
    while state["status"] == "running":
        move = demine.best_move(faces, hello["mines"])
        act = {"seq": number, "verb": "open", "cell": [move.row, move.col]}
        socket.send(json.dumps(act))
        while (state := json.loads(socket.recv())).get("ack") != number:
            pass
        for row, line in enumerate(state.get("faces", ())):
            faces[row] = [int(face, 16) for face in line]
        for row, col, face in state.get("cells", ()):
            faces[row, col] = face
        number += 1


if __name__ == "__main__":
    main(*sys.argv[1:])
