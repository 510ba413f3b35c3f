"""Plays one game on a server with the solver's moves: web_client.py [ADDRESS [RULES]]."""

import json
import sys
from typing import Any
from urllib.request import Request, urlopen

import numpy as np
from numpy.typing import NDArray
from websockets.sync.client import ClientConnection, connect

import demine


def main(server: str = "http://127.0.0.1:8080", rules: str = "beginner") -> None:
    """Play one game, and say how it ended."""
    game, cookie = make_game(server, rules)
    address = f"{server.replace('http', 'ws', 1)}/ws/games/{game}?client=example"
    with connect(address, additional_headers={"Cookie": cookie}, compression=None) as socket:
        print(play(socket))


def make_game(server: str, rules: str) -> tuple[str, str]:
    """Make a game; return its id, and the cookie that names its player."""
    body = json.dumps({"rules": rules}).encode()
    url = f"{server}/api/games"
    request = Request(url, body, {"Content-Type": "application/json"})  # noqa: S310 - as told
    with urlopen(request, timeout=30) as answer:  # noqa: S310 - as told
        return json.load(answer)["id"], answer.headers["Set-Cookie"].partition(";")[0]


def play(socket: ClientConnection) -> str:
    """Play until the game is over; return how it ended."""
    hello = json.loads(socket.recv())["hello"]
    faces = faces_of(hello["faces"])
    number, state = hello["next_seq"], hello
    while state["status"] in {"ready", "running"}:
        move = demine.best_move(faces, hello["mines"])
        state = ask(socket, {"seq": number, "verb": "open", "cell": [move.row, move.col]})
        show(faces, state)
        number += 1
    return f"{state['status']} after {number - 1} acts and {state['clock_ms']} ms"


def ask(socket: ClientConnection, act: dict[str, Any]) -> dict[str, Any]:
    """Send an act; return the answer, which comes when the act is on the server's disk."""
    socket.send(json.dumps(act))
    while True:
        message: dict[str, Any] = json.loads(socket.recv())
        if message.get("ack") == act["seq"]:
            return message


def show(faces: NDArray[np.uint8], state: dict[str, Any]) -> None:
    """Change the faces as an answer says: all of them, or some cells."""
    if "faces" in state:
        faces[:] = faces_of(state["faces"])
    for row, col, face in state.get("cells", ()):
        faces[row, col] = face


def faces_of(rows: list[str]) -> NDArray[np.uint8]:
    """Return the faces of rows of hexadecimal digits."""
    return np.array([[int(face, 16) for face in row] for row in rows], np.uint8)


if __name__ == "__main__":
    main(*sys.argv[1:])
