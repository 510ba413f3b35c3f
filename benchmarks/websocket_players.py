"""Players at WebSockets who cost little themselves: frames are written and read by hand.

A client library takes several times as long over a message as the server that is measured, and
would take it from the same processors.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final
from urllib.parse import urlsplit

from benchmarks.expert_acts import RULES, messages_from

CONNECT_SECONDS: Final = 120.0
_AT_ONCE: Final = 50
"""How many players connect at the same time."""
_ADDRESSES: Final = 100
"""From how many addresses of this machine they come: one alone may not open so many."""
_PING: Final = 9
_TEXT: Final = 1
_ANSWER: Final = b'"seq":'
"""What stands in every answer to an act, and in nothing that the server says by itself."""
_THINKING: Final = 4.0
"""The shape of the pauses, which follow a gamma distribution: a quarter are below 0.63 of their
mean, a quarter above 1.28."""
_MOST_UNANSWERED: Final = 3
"""Who has waited for so many answers stops acting until one comes."""


@dataclass
class Measured:
    """What the players of a load noted, in seconds."""

    waits: list[float] = field(default_factory=list)
    """How long each answer took, from the moment before its act was sent."""
    lags: list[float] = field(default_factory=list)
    """How much later than meant each act was sent: the players' own loop was busy."""
    games: int = 0
    """How many games were begun."""
    lost: int = 0
    """How many connections the server ended while it owed an answer."""

    def clear(self) -> None:
        """Forget all that was noted."""
        self.waits, self.lags, self.games = [], [], 0

    def copy(self) -> Measured:
        """Return what was noted so far."""
        return Measured(self.waits, self.lags, self.games)


@dataclass(eq=False)
class Player(asyncio.Protocol):
    """One player, and the messages of the present game that are still to be sent.

    Each act has one answer, in their order. After the last one the player begins the game of `seed`
    anew, as the page does: by a request, and then another connection.
    """

    address: str
    source: str
    """The address of this machine that the player comes from."""
    path: str
    cookie: str
    messages: Sequence[bytes]
    seed: int | None
    """None for one who begins to send the same messages again instead."""
    noted: Measured
    random: Random
    pause: float = 1.0
    """How many seconds lie between two acts on average."""

    def __post_init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._asked: deque[float] = deque()
        self._received = bytearray()
        self._ready: asyncio.Future[None] = self._loop.create_future()
        self._shook_hands = False
        self._sent = 0
        self._due = self._end = 0.0
        self._next: asyncio.TimerHandle | None = None
        self._beginning: asyncio.Task[None] | None = None

    async def connect(self) -> None:
        """Open the connection; the server of a game says something first."""
        self._ready, self._shook_hands = self._loop.create_future(), False
        self._received.clear()
        parts = urlsplit(self.address)
        async with asyncio.timeout(CONNECT_SECONDS):
            self._transport, _ = await self._loop.create_connection(
                lambda: self, parts.hostname or "", parts.port or 80, local_addr=(self.source, 0)
            )
            key = base64.b64encode(os.urandom(16)).decode()
            self._transport.write(
                f"GET {self.path} HTTP/1.1\r\nHost: {parts.netloc}\r\nConnection: Upgrade\r\n"
                "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                f"Sec-WebSocket-Key: {key}\r\nCookie: {self.cookie}\r\n\r\n".encode()
            )
            await self._ready

    def act_until(self, end: float) -> None:
        """Send acts until a moment of the loop's clock, whether or not answers come."""
        self._end = end
        # Between any moment and the next act lies a part of a pause, more often of a long one.
        pause = self.random.gammavariate(_THINKING + 1, self.pause / _THINKING)
        self._due = self._loop.time() + self.random.random() * pause
        if self._next is not None:  # what was due after the end of the round before
            self._next.cancel()
        self._next = self._loop.call_at(self._due, self._act)

    def _act(self) -> None:
        if self._due >= self._end:
            return
        if len(self._asked) >= _MOST_UNANSWERED:
            pass
        elif self._sent < len(self.messages):
            now = self._loop.time()
            self.noted.lags.append(now - self._due)
            self._asked.append(now)
            self._transport.write(frame(_TEXT, self.messages[self._sent]))
            self._sent += 1
        elif self.seed is None:
            self._sent = 0
        elif self._beginning is None:
            self._beginning = self._loop.create_task(self._begin_anew(self.seed))
        self._due += self.random.gammavariate(_THINKING, self.pause / _THINKING)
        self._next = self._loop.call_at(self._due, self._act)

    async def _begin_anew(self, seed: int) -> None:
        await self._rest()
        self._transport.abort()
        game = await made_game(self.address, self.source, self.cookie, seed)
        self.path = f"/ws/games/{game}?client=load"
        await self.connect()
        self.messages, self._sent = messages_from(seed, 0), 0
        self.noted.games += 1
        self._beginning = None

    async def _rest(self) -> None:
        """Wait until all acts are answered."""
        if self._asked:
            self._ready = self._loop.create_future()
            await self._ready

    async def finish(self) -> None:
        """Wait until all acts are answered, and a new game has begun if the last one ended."""
        if self._beginning is not None:
            await self._beginning
        await self._rest()

    def second_connection(self) -> Player:
        """Return another tab of the same player, with the same game."""
        path = self.path.replace("load", "second")
        return replace(self, path=path, messages=())

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
            if self.seed is None:
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
        if self._asked and _ANSWER in payload:
            self.noted.waits.append(self._loop.time() - self._asked.popleft())
            assert b'"refused"' not in payload, payload
        if not self._asked and not self._ready.done():
            self._ready.set_result(None)

    def connection_lost(self, error: Exception | None) -> None:
        """Fail whoever waits for the connection."""
        self.noted.lost += bool(self._asked)
        self._asked.clear()
        if not self._ready.done():
            self._ready.set_exception(error or ConnectionError("the server hung up"))


async def made_game(address: str, source: str, cookie: str, seed: int) -> str:
    """Make a game as the page does, and return its id."""
    parts = urlsplit(address)
    body = json.dumps({"rules": RULES, "seed": seed})
    reader, writer = await asyncio.open_connection(
        parts.hostname, parts.port, local_addr=(source, 0)
    )
    writer.write(
        f"POST /api/games HTTP/1.1\r\nHost: {parts.netloc}\r\nConnection: close\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        f"Cookie: {cookie}\r\n\r\n{body}".encode()
    )
    head, _, answer = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    assert head.startswith(b"HTTP/1.1 201"), head
    return str(json.loads(answer)["id"])


def source_of(number: int) -> str:
    """Return the address from which a player comes."""
    return f"127.0.0.{number % _ADDRESSES + 1}"


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


async def connect_all(players: Sequence[Player]) -> None:
    """Connect all players to their servers."""
    for first in range(0, len(players), _AT_ONCE):
        await asyncio.gather(*(each.connect() for each in players[first : first + _AT_ONCE]))


async def act_for(players: Sequence[Player], seconds: float) -> None:
    """Let all players act for some seconds, and wait for the last answers."""
    end = asyncio.get_running_loop().time() + seconds
    for each in players:
        each.act_until(end)
    await asyncio.sleep(seconds)
    async with asyncio.timeout(CONNECT_SECONDS):
        for each in players:
            await each.finish()
    assert not any(each.noted.lost for each in players), "the server hung up"
