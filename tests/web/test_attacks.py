"""What strangers try at the whole server: each is refused, and the server goes on."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import shutil
import socket
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from demine.game import Game
from demine.web.api.replays import MOST_UPLOAD
from demine.web.app import make_app
from demine.web.errors import TooMuchWork
from demine.web.page import files
from demine.web.page.files import page_files, version
from demine.web.page.messages import STATIC
from demine.web.sandbox import process as sandbox
from tests.web.doors_app import browser, new_player, serve

SQL = ("'; DROP TABLE games; --", "' OR '1'='1", '" UNION SELECT value FROM secrets --', "%", "_")
OUTSIDE = (
    "../routes.py", "..%2froutes.py", "%2e%2e/routes.py", "%252e%252e/routes.py", "..%5croutes.py",
    "..%c0%afroutes.py", "....//routes.py", "js/../../routes.py", "js/..%5c..%5croutes.py", "./..",
    "/etc/passwd", "%2fetc%2fpasswd", "file:///etc/passwd", "C:%5cWindows%5cwin.ini", "%00", "",
    ".", "index.html%00.js", "index.html/", "index.html/../../routes.py", "index.html;.js",
    "INDEX.HTML", "js", "js/", "js//main.js", "js/./main.js", "~root/.profile", "con", "x" * 5000,
)  # fmt: skip
PATHS = (
    *(f"/static/{path}" for path in OUTSIDE),
    *(f"/static/{version()}/{path}" for path in OUTSIDE),
    *(f"/static/{path}/index.html" for path in OUTSIDE if path),
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("site")
    with serve(make_app(folder / "server.sqlite")) as address:
        yield address


@pytest.fixture
def owner(site: str) -> Iterator[httpx.Client]:
    with new_player(site) as opened:
        yield opened


@pytest.fixture
def stranger(site: str) -> Iterator[httpx.Client]:
    with new_player(site) as opened:
        yield opened


def new_game(player: httpx.Client) -> str:
    made: str = player.post("/api/games", json={"rules": "9x9/10"}).json()["id"]
    return made


def open_socket(player: httpx.Client, game: str) -> ClientConnection:
    address = str(player.base_url).rstrip("/")
    cookie = "; ".join(f"{name}={value}" for name, value in player.cookies.items())
    return connect(
        f"{address.replace('http', 'ws')}/ws/games/{game}?client=test",
        origin=Origin(address),
        additional_headers={"cookie": cookie},
    )


def is_closed(connection: ClientConnection) -> None:
    """Hear the rest of what the server says, up to the end; a timeout fails."""
    with contextlib.suppress(ConnectionClosed):
        while connection.recv(timeout=30):
            pass


def test_nobody_plays_or_sees_somebody_elses_game(
    owner: httpx.Client, stranger: httpx.Client, site: str
) -> None:
    game = new_game(owner)
    with open_socket(owner, game) as mine:
        assert "hello" in json.loads(mine.recv())
        with browser(site) as nobody:
            for other in (stranger, nobody):
                assert other.get(f"/api/games/{game}").status_code == 404
                with open_socket(other, game) as theirs:
                    assert "bye" in json.loads(theirs.recv())
                    with pytest.raises(ConnectionClosed):
                        theirs.recv()
    for player in (owner, stranger):
        for door in ("watch", "review", "statistics", "journal", "chances?act=0"):
            answer = player.get(f"/api/games/{game}/{door}")
            assert answer.status_code == 409, "the mines of a game under way are for nobody"


def test_sql_is_text_everywhere(owner: httpx.Client) -> None:
    game = new_game(owner)
    for text in SQL:
        for door, names in (
            ("/api/history", ("rules", "find", "sort", "order", "result", "page")),
            ("/api/plots", ("rules",)),
        ):
            for name in names:
                status = owner.get(door, params={name: text}).status_code
                assert status in {200, 400, 422}, (door, name, text)
        assert owner.get("/api/history", params={"find": text}).json()["count"] == 0
        assert owner.get(f"/api/games/{httpx.QueryParams({'x': text})}").status_code == 404
        assert owner.post("/api/games", json={"rules": text}).status_code in {400, 422}
        assert owner.post("/api/games", json={"again": text}).status_code == 404
    assert owner.get(f"/api/games/{game}").status_code == 200


def test_paths_lead_nowhere_else(site: str) -> None:
    place = urlsplit(site)

    def head_of(path: str) -> bytes:
        # As it stands: clients tidy paths up.
        with socket.create_connection((place.hostname, place.port or 80), timeout=30) as raw:
            raw.sendall(f"GET {path} HTTP/1.1\r\nHost: {place.netloc}\r\n\r\n".encode())
            return raw.recv(65536)

    assert head_of(f"/static/{version()}/index.html").startswith(b"HTTP/1.1 200")
    for path in PATHS:
        head = head_of(path)
        if head.startswith(b"HTTP/1.1 307"):  # to the same with a slash at its end
            to = re.search(rb"location: http://([^/]+)(/static/\S+)", head)
            assert to is not None
            assert to[1].decode() == place.netloc
            head = head_of(to[2].decode())
        assert head.startswith((b"HTTP/1.1 404", b"HTTP/1.1 400")), (path[:60], head[:80])


def test_linked_folders_are_no_part_of_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside, static = tmp_path / "outside", tmp_path / "static"
    shutil.copytree(STATIC, static)
    outside.mkdir()
    (outside / "secret.txt").write_text("secret", encoding="utf-8")
    (static / "js" / "link").symlink_to(outside, target_is_directory=True)
    (static / "up").symlink_to("..", target_is_directory=True)
    monkeypatch.setattr(files, "STATIC", static)
    found = page_files.__wrapped__()  # as it is read at a server's start
    assert "index.html" in found
    assert not [name for name in found if "secret" in name or name.startswith("up")]


def test_nothing_of_a_player_gets_into_a_header(owner: httpx.Client) -> None:
    replay = Game("9x9/10", seed=7)
    replay.open(4, 4)
    name = "a\r\nSet-Cookie: demine=x\r\n\r\n<script>.avf"
    sent = owner.post("/api/replays", params={"name": name}, content=replay.journal().encode())
    assert sent.status_code == 201
    game = sent.json()["id"]
    for door in ("watch", "journal"):
        headers = owner.get(f"/api/games/{game}/{door}").headers
        assert "set-cookie" not in headers
        assert "<script>" not in str(headers.raw)
    link = owner.post("/api/me/recovery", headers={"host": "evil.example"})
    assert link.status_code == 403, "links are made with names of this server alone"


def test_script_in_a_replay_stays_text(owner: httpx.Client) -> None:
    script = "<script>alert(1)</script>\u202e"
    game = Game("9x9/10", seed=7, facts={"player": script, "comment": script})
    game.open(4, 4)
    sent = owner.post("/api/replays", params={"name": script}, content=game.journal().encode())
    answer = owner.get(f"/api/games/{sent.json()['id']}/watch")
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "\u202e" not in answer.json()["title"]
    page = owner.get(f"/w/{sent.json()['id']}").text
    # Its title stands in the head, for those who are shown the link elsewhere.
    assert "&lt;script&gt;alert(1)" in page
    assert "<script>alert" not in page
    assert "\u202e" not in page


def test_oversize_bodies_are_refused_before_they_are_read(site: str) -> None:
    place = urlsplit(site)
    with socket.create_connection((place.hostname, place.port or 80), timeout=30) as raw:
        raw.sendall(
            f"POST /api/replays HTTP/1.1\r\nHost: {place.netloc}\r\n"
            f"Content-Length: {MOST_UPLOAD + 1}\r\n\r\n".encode()
        )
        assert raw.recv(65536).startswith(b"HTTP/1.1 413")


def test_oversize_and_malformed_frames_end_a_connection(owner: httpx.Client) -> None:
    game = new_game(owner)
    for frame in ("x" * (1 << 20), "{", "[]", '{"seq": 1e9}', '{"verb": "cheat"}', b"\0\1"):
        with open_socket(owner, game) as mine:
            mine.recv()
            mine.send(frame)
            is_closed(mine)
    assert owner.get(f"/api/games/{game}").json()["seq"] == 0


@pytest.mark.parametrize(
    "data",
    [
        b"", b"\0" * 100_000, b"*.rmv\r\n" + b"\xff" * 50_000, b"1.30000x30000.5.zo.0-0..abcd",
        b'{"demine": "journal", "version": 1, "rules": "99999999x99999999/1"}\n',
        b"\x27\x0f\x27\x0f" + b"\xff" * 1000,
    ],
)  # fmt: skip
def test_hostile_files_are_refused_in_words(owner: httpx.Client, data: bytes) -> None:
    answer = owner.post("/api/replays", content=data)
    assert (answer.status_code, answer.json()["error"]["what"]) == (422, "unreadable")


def fill_memory(data: bytes) -> bytes:
    """A reader that would take four gigabytes."""
    return bytes(1 << 32)[: len(data)]


def never_end(_data: bytes) -> bytes:
    """A reader that would never be done."""
    while True:
        pass


def give_back(data: bytes) -> bytes:
    """A reader of good will."""
    return data


@pytest.mark.parametrize("reader", ["fill_memory", "never_end"])
def test_what_takes_too_much_is_ended(reader: str) -> None:
    kept = asyncio.run(sandbox.Sandbox().read(f"{__name__}:give_back", b"x", seconds=20))
    assert kept == b"x"
    with pytest.raises(TooMuchWork):
        asyncio.run(sandbox.Sandbox().read(f"{__name__}:{reader}", b"x", seconds=1))


def test_a_deleted_player_can_do_nothing_more(owner: httpx.Client) -> None:
    game = new_game(owner)
    cookies = dict(owner.cookies)
    owner.delete("/api/me")
    owner.cookies.update(cookies)
    assert owner.get("/api/me").json()["id"] is None
    assert owner.get("/api/me/export").status_code == 404
    assert owner.get(f"/api/games/{game}").status_code == 404


def test_a_deleted_players_socket_reaches_nobody_elses_game(
    owner: httpx.Client, stranger: httpx.Client, site: str
) -> None:
    with open_socket(owner, new_game(owner)) as mine:
        mine.recv()
        for number in range(1, 5):
            mine.send(json.dumps({"seq": number, "verb": "flag", "cell": [0, number]}))
            mine.recv()
        owner.delete("/api/me")
        # Its row may be the one of the deleted game.
        theirs = stranger.post("/api/games", json={"rules": "16x16/40"}).json()["id"]
        assert json.loads(mine.recv(timeout=30))["bye"] == "not_found"
        is_closed(mine)
    with open_socket(stranger, theirs) as connection:
        hello = json.loads(connection.recv())["hello"]
        assert (hello["width"], hello["seq"]) == (16, 0)


def test_the_same_board_tells_nothing_of_a_game_under_way(owner: httpx.Client) -> None:
    game = new_game(owner)
    assert owner.post("/api/games", json={"again": game}).json()["id"] == game
    with open_socket(owner, game) as mine:
        mine.recv()
        mine.send(json.dumps({"seq": 1, "verb": "open", "cell": [4, 4]}))
        mine.recv()
        copy = owner.post("/api/games", json={"again": game}).json()["id"]
        assert copy != game
        assert json.loads(mine.recv(timeout=30))["status"] == "lost"
    assert owner.get(f"/api/games/{game}").json()["over"]
    assert owner.get(f"/api/games/{copy}").json()["unranked"] == "again"
