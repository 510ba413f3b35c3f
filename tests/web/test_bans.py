"""What whoever runs a server has decided about a player holds, whatever is on its way."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from demine.web.api.door import AnyDoor
from demine.web.app import DOORS, make_app
from demine.web.database.administration import Administration
from tests.web.doors_app import browser, serve

SECONDS = 60.0
ASK_ONLY = {
    "POST /api/analyse", "POST /api/recover", "POST /api/forms/setup/check",
    "POST /api/forms/share/check",
}  # fmt: skip
"""What is sent to be answered, and kept nowhere."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "server.sqlite"


@pytest.fixture
def client(path: Path) -> Iterator[httpx.Client]:
    with serve(make_app(path)) as address, browser(address) as opened:
        yield opened


@contextmanager
def held_back(
    client: httpx.Client, method: str, target: str, body: object
) -> Iterator[Callable[[], int]]:
    """A request whose body the server waits for; yields what sends it and returns the status."""
    address, content = urlsplit(str(client.base_url)), json.dumps(body).encode()
    cookies = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
    head = (
        f"{method} {target} HTTP/1.1\r\nHost: {address.netloc}\r\nCookie: {cookies}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n"
        "Expect: 100-continue\r\nConnection: close\r\n\r\n"
    )
    assert address.hostname is not None
    with socket.create_connection((address.hostname, address.port or 80), SECONDS) as sent:
        sent.sendall(head.encode())
        assert sent.recv(1 << 16).startswith(b"HTTP/1.1 100 ")

        def finish() -> int:
            sent.sendall(content)
            return int(sent.recv(1 << 16).split()[1])

        yield finish


def player_of(client: httpx.Client, name: str = "Rude") -> str:
    """Make a player with a name; return the id."""
    return str(client.put("/api/me", json={"name": name}).json()["id"])


def test_a_deleted_name_does_not_come_back_with_other_changes(
    client: httpx.Client, path: Path
) -> None:
    player = player_of(client)
    with (
        held_back(client, "PUT", "/api/me", {"preferences": {"theme": "classic"}}) as finish,
        Administration.open(path) as opened,
    ):
        opened.delete_name(player)
        assert finish() == 200
    found = client.get("/api/me").json()
    assert (found["name"], found["preferences"]["theme"]) == ("", "classic")


def test_changes_that_come_together_are_all_kept(client: httpx.Client) -> None:
    player_of(client)
    with held_back(client, "PUT", "/api/me", {"preferences": {"theme": "classic"}}) as finish:
        client.put("/api/me", json={"name": "Ada", "preferences": {"sound": False}})
        assert finish() == 200
    found = client.get("/api/me").json()
    chosen = found["preferences"]
    assert (found["name"], chosen["theme"], chosen["sound"]) == ("Ada", "classic", False)


@pytest.mark.parametrize(
    ("method", "target", "body"),
    [
        ("PUT", "/api/me", {"name": "Worse"}),
        ("POST", "/api/games", {"rules": "9x9/10"}),
        ("POST", "/api/games/GAME/position", {}),
        ("POST", "/api/train/answer", {"id": "x", "cell": None}),
    ],
)
def test_a_ban_holds_for_what_is_on_its_way(
    client: httpx.Client, path: Path, method: str, target: str, body: object
) -> None:
    player = player_of(client)
    game = client.post("/api/games", json={"rules": "9x9/10"}).json()["id"]
    with (
        held_back(client, method, target.replace("GAME", game), body) as finish,
        Administration.open(path) as opened,
    ):
        opened.ban(player)
        assert finish() == 403
    assert client.get("/api/me").json()["name"] == "Rude"


def status_at(client: httpx.Client, door: AnyDoor, game: str) -> int:
    """Knock at a door with next to nothing; return the status."""
    target = re.sub(r"\{\w+\}", game, door.path)
    kind = "application/octet-stream" if door.takes_file else "application/json"
    content = b"{}" if door.method in {"POST", "PUT"} else None
    headers = {"content-type": kind} if content else {}
    return client.request(door.method, target, content=content, headers=headers).status_code


def test_a_banned_player_looks_and_deletes_but_changes_nothing(
    client: httpx.Client, path: Path
) -> None:
    player = player_of(client)
    game = client.post("/api/games", json={"rules": "9x9/10"}).json()["id"]
    with Administration.open(path) as opened:
        opened.ban(player)
    last = "DELETE /api/me"  # after that there is no player any more
    doors = sorted(DOORS, key=lambda door: f"{door.method} {door.path}" == last)
    let_in = {
        f"{each.method} {each.path}" for each in doors if status_at(client, each, game) != 403
    }
    changing = {f"{each.method} {each.path}" for each in doors if each.method in {"POST", "PUT"}}
    assert let_in & changing == ASK_ONLY
    assert let_in >= {f"{each.method} {each.path}" for each in doors} - changing
    assert client.get("/api/me").json()["id"] is None
