"""Players at WebSockets who cost little themselves: frames are written and read by hand.

A client library takes several times as long over a message as the server that is measured, and
would take it from the same processors.
"""

from __future__ import annotations

import asyncio
import base64
import os
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

CONNECT_SECONDS: Final = 60.0
_AT_ONCE: Final = 50
"""How many players connect at the same time."""
_ADDRESSES: Final = 100
"""From how many addresses of this machine they come: one alone may not open so many."""
_PING: Final = 9
_TEXT: Final = 1


@dataclass
class Player(asyncio.Protocol):
    """One player, and the messages it will send, one a second at a moment of its own.

    Each message has one answer, in their order.
    """

    path: str
    headers: dict[str, str]
    messages: Sequence[bytes]
    phase: float
    """When in each second it acts, from 0 up to 1."""
    sent: int = 0
    waits: list[float] = field(default_factory=list)
    """How many seconds each answer took."""
    answers: list[bytes] = field(default_factory=list)
    """The answers themselves."""

    def __post_init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._asked: deque[float] = deque()
        self._received = bytearray()
        self._ready: asyncio.Future[None] = self._loop.create_future()
        self._shook_hands = False

    async def connect(self, address: str, number: int, *, greets: bool) -> None:
        """Open the connection; a server that `greets` says something first."""
        self._shook_hands, self._greets = False, greets
        parts = urlsplit(address)
        source = f"127.0.0.{number % _ADDRESSES + 1}", 0
        async with asyncio.timeout(CONNECT_SECONDS):
            transport, _ = await self._loop.create_connection(
                lambda: self, parts.hostname or "", parts.port or 80, local_addr=source
            )
            self._transport = transport
            lines = [
                f"GET {self.path} HTTP/1.1",
                f"Host: {parts.netloc}",
                "Connection: Upgrade",
                "Upgrade: websocket",
                "Sec-WebSocket-Version: 13",
                f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
                *(f"{name}: {value}" for name, value in self.headers.items()),
            ]
            transport.write("\r\n".join([*lines, "", ""]).encode())
            await self._ready

    def act_later(self, begin: float, end: float) -> None:
        """Send a message each second from `begin` to `end`, whether or not answers come."""
        if begin + self.phase < end:
            self._loop.call_at(begin + self.phase, self._act, begin, end)

    def _act(self, begin: float, end: float) -> None:
        self._asked.append(self._loop.time())
        self._transport.write(frame(_TEXT, self.messages[self.sent]))
        self.sent += 1
        self.act_later(begin + 1.0, end)

    async def answered(self) -> None:
        """Wait until all messages are answered."""
        while self._asked:
            self._ready = self._loop.create_future()
            await self._ready

    def close(self) -> None:
        """Leave without a word."""
        self._transport.abort()

    def data_received(self, data: bytes) -> None:
        """Take the handshake, then answers."""
        self._received += data
        if not self._shook_hands:
            head, found, rest = bytes(self._received).partition(b"\r\n\r\n")
            if not found:
                return
            assert head.startswith(b"HTTP/1.1 101"), head
            self._shook_hands, self._received = True, bytearray(rest)
            if not self._greets:
                self._ready.set_result(None)
        while (part := first_frame(self._received)) is not None:
            kind, payload, length = part
            del self._received[:length]
            self._hear(kind, payload)

    def _hear(self, kind: int, payload: bytes) -> None:
        if kind == _PING:
            self._transport.write(frame(10, payload))
            return
        assert kind == _TEXT, (kind, payload)
        if self._asked:
            self.waits.append(self._loop.time() - self._asked.popleft())
            self.answers.append(payload)
        if not self._ready.done():
            self._ready.set_result(None)

    def connection_lost(self, error: Exception | None) -> None:
        """Fail whoever waits for the connection."""
        if not self._ready.done():
            self._ready.set_exception(error or ConnectionError("the server hung up"))


def frame(kind: int, payload: bytes) -> bytes:
    """Return a client's frame of less than 64 kB; its mask is zero, which changes no byte."""
    size = len(payload)
    length = bytes([128 | size]) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
    return bytes([128 | kind]) + length + bytes(4) + payload


def first_frame(received: bytearray) -> tuple[int, bytes, int] | None:
    """Return kind, payload and length of a server's first frame; None if it is not all there."""
    if len(received) < 2:
        return None
    extra = {126: 2, 127: 8}.get(received[1], 0)
    begin = 2 + extra
    size = int.from_bytes(received[2:begin], "big") if extra else received[1]
    if len(received) < begin + size:
        return None
    return received[0] & 15, bytes(received[begin : begin + size]), begin + size


async def connect_all(players: Sequence[Player], address: str, *, greets: bool) -> None:
    """Connect all players to a server."""
    numbered = list(enumerate(players))
    for first in range(0, len(numbered), _AT_ONCE):
        some = numbered[first : first + _AT_ONCE]
        await asyncio.gather(*(each.connect(address, at, greets=greets) for at, each in some))


async def act_for(players: Sequence[Player], seconds: float) -> None:
    """Let all players act for some seconds, and wait for the last answers."""
    begin = asyncio.get_running_loop().time()
    for each in players:
        each.act_later(begin, begin + seconds)
    await asyncio.sleep(seconds)
    async with asyncio.timeout(CONNECT_SECONDS):
        for each in players:
            await each.answered()
