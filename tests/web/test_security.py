"""Hosts and origins that are refused, and the headers of every answer."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from tests.web.doors_app import browser, serve, simple_app

PAGES = ("/", "/w/x", "/embed/x", "/api/x", "/static/x.js")


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    async def page(request: Request) -> PlainTextResponse:
        return PlainTextResponse("page")

    async def socket(websocket: WebSocket) -> None:
        await websocket.accept()
        await websocket.send_text("hello")
        await websocket.close()

    methods = ["GET", "POST", "PUT", "DELETE"]
    routes = [
        *(Route(path, page, methods=methods) for path in PAGES),
        WebSocketRoute("/ws", socket),
    ]
    with serve(simple_app(routes)) as address, browser(address) as opened:
        yield opened


def own_origin(client: httpx.Client) -> str:
    return str(client.base_url).rstrip("/")


@pytest.mark.parametrize(
    "host",
    ["localhost", "localhost:8000", "LOCALHOST", "127.0.0.1:8000", "[::1]:8000", "192.168.1.7",
     "mines.example", "mines.example.:443", "game.localhost"],
)  # fmt: skip
def test_own_hosts(client: httpx.Client, host: str) -> None:
    assert client.get("/", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "localhost.evil.example", "mines.example.evil.example",
     "127.0.0.1.evil.example",
     "evil.example#localhost", "user@localhost", "localhost/path", "localhost:port", "",
     "[::1", "a b"],
)  # fmt: skip
def test_a_name_that_points_here_is_not_enough(client: httpx.Client, host: str) -> None:
    answer = client.get("/", headers={"host": host})
    assert answer.status_code == 403
    assert "page" not in answer.text


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "https://127.0.0.1"},
        {"origin": "http://127.0.0.1:1"},
        {"origin": "http://127.0.0.1.evil.example"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_other_sites_change_nothing(
    client: httpx.Client, method: str, headers: dict[str, str]
) -> None:
    assert client.request(method, "/api/x", headers=headers).status_code == 403


def test_own_pages_and_programs_may_change_things(client: httpx.Client) -> None:
    assert client.post("/api/x", headers={"origin": own_origin(client)}).status_code == 200
    assert client.post("/api/x").status_code == 200
    for_name = {"host": "mines.example:8000", "origin": "http://mines.example:8000"}
    assert client.post("/api/x", headers=for_name).status_code == 200


def test_two_origins_or_hosts_are_refused(client: httpx.Client) -> None:
    twice = [("origin", own_origin(client)), ("origin", "http://evil.example")]
    assert client.post("/api/x", headers=twice).status_code == 403


def test_socket_of_another_site_is_refused(client: httpx.Client) -> None:
    url = own_origin(client).replace("http", "ws") + "/ws"
    with connect(url, origin=Origin(own_origin(client))) as socket:
        assert socket.recv() == "hello"
    for origin in ("http://evil.example", "null", own_origin(client).replace("http", "ws")):
        with pytest.raises(InvalidStatus) as refused, connect(url, origin=Origin(origin)):
            pass
        assert refused.value.response.status_code == 403


@pytest.mark.parametrize("path", PAGES)
def test_headers_of_every_answer(client: httpx.Client, path: str) -> None:
    headers = client.get(path).headers
    policy = dict(
        part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";")
    )
    assert policy["default-src"] == policy["base-uri"] == "'none'"
    assert policy["script-src"] == policy["connect-src"] == policy["form-action"] == "'self'"
    assert "unsafe" not in headers["content-security-policy"]
    assert policy["frame-ancestors"] == ("*" if path.startswith("/embed/") else "'none'")
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert (headers.get("cache-control") == "no-store") == path.startswith("/api/")


def test_command_names_hosts(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "demine", "serve", "--port", "0"]
    command += ["--host-name", "mines.example", "--database", str(tmp_path / "server.sqlite")]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stderr=subprocess.STDOUT, stdout=subprocess.PIPE, text=True,
                          env=environment) as server:  # fmt: skip
        try:
            assert server.stdout is not None
            found = re.search(r"http://[^/ ]+", server.stdout.readline())
            assert found is not None
            codes = [
                httpx.get(f"{found[0]}/api/me", headers={"host": host}).status_code
                for host in ("mines.example", "other.example")
            ]
            assert codes == [200, 403]
        finally:
            server.terminate()
