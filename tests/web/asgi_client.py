"""A browser that speaks to an application in this process: requests, and the socket of a game."""

from __future__ import annotations

import asyncio
import json
from collections.abc import MutableMapping
from contextlib import suppress
from typing import Any, Self

import httpx
from starlette.applications import Starlette

ANSWER_SECONDS = 20.0


class AsgiClient:
    """A client at an address of its own, which keeps all that it is sent."""

    def __init__(self, app: Starlette, host: str, cookie: str) -> None:
        self.app = app
        self.cookie = cookie
        self.heard: list[str] = []
        self._http = httpx.AsyncClient(
            transport=httpx.ASGITransport(app, client=(host, 1)),
            base_url="http://localhost",
            headers={"Cookie": cookie, "Accept-Language": "en"},
        )

    async def get(self, path: str) -> int:
        """Ask for something; returns the status."""
        answer = await self._http.get(path)
        self.heard.append(f"{answer.status_code} {answer.text}")
        return answer.status_code

    async def post(self, path: str, **body: object) -> httpx.Response:
        """Ask for something to be done."""
        answer = await self._http.post(path, json=body)
        self.heard.append(f"{answer.status_code} {answer.text}")
        return answer

    async def close(self) -> None:
        await self._http.aclose()


class AsgiSocket:
    """A connection to the socket of a game, without a network."""

    def __init__(self, client: AsgiClient, path: str, query: str) -> None:
        self._client = client
        self._to_app: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._from_app: asyncio.Queue[MutableMapping[str, Any]] = asyncio.Queue()
        self._scope = {
            "type": "websocket", "scheme": "ws", "path": path, "raw_path": path.encode(),
            "root_path": "", "query_string": query.encode(), "client": ("127.0.0.1", 1),
            "server": ("localhost", 80), "subprotocols": [], "http_version": "1.1",
            "asgi": {"version": "3.0"}, "extensions": {},
            "headers": [
                (b"host", b"localhost"), (b"origin", b"http://localhost"),
                (b"cookie", client.cookie.encode()), (b"accept-language", b"en"),
            ],
        }  # fmt: skip
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._to_app.put_nowait({"type": "websocket.connect"})
        self._task = asyncio.ensure_future(
            self._client.app(self._scope, self._to_app.get, self._take)
        )
        assert (await self._from_app.get())["type"] == "websocket.accept"
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._task is not None
        self._to_app.put_nowait({"type": "websocket.disconnect", "code": 1000})
        with suppress(asyncio.CancelledError):
            await self._task

    async def _take(self, message: MutableMapping[str, Any]) -> None:
        self.taken()
        await self._from_app.put(message)

    def taken(self) -> None:
        """Called for each message before it is heard; a test may look."""

    def say(self, **message: object) -> None:
        self._to_app.put_nowait({"type": "websocket.receive", "text": json.dumps(message)})

    async def hear(self) -> dict[str, Any]:
        """The next message."""
        text = (await asyncio.wait_for(self._from_app.get(), ANSWER_SECONDS))["text"]
        self._client.heard.append(text)
        heard: dict[str, Any] = json.loads(text)
        return heard
