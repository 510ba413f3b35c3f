"""The connections of clients, with the bounds that uvicorn does not have.

A connection is ended at once, with nothing more sent, if its request is not there in time, if its
client does not read, or if it is one too many. A request that is being answered has the bounds of
its door instead, and an idle connection those of uvicorn.
"""

from __future__ import annotations

import struct
import sys
from asyncio import Event, get_running_loop
from collections import Counter
from socket import SO_LINGER, SO_SNDBUF, SOL_SOCKET
from typing import TYPE_CHECKING, Final

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

from demine.web.limits import counted_address

if TYPE_CHECKING:
    from asyncio import BaseTransport, Future, TimerHandle, Transport
    from collections.abc import Callable, Mapping

    from h11 import Request
    from starlette.requests import HTTPConnection
    from uvicorn._types import ASGIReceiveEvent, ASGISendEvent
    from websockets.http11 import Request as HandshakeRequest

PROXIES: Final = ("127.0.0.1", "::1")
"""Addresses that say for whom they speak. Connections of theirs are not counted by address."""
MOST_CONNECTIONS: Final = 12_000
"""Of all clients together; fewer where the system allows a process fewer open files."""
MANY_CONNECTIONS: Final = 1_000
"""Whoever runs a server that may have fewer is told so."""
CONNECTIONS_OF_ADDRESS: Final = 512
"""A page holds one for its game, and up to six more for a moment."""
REQUEST_SECONDS: Final = 10.0
"""How long a client may take to send a request, apart from a body that somebody waits for."""
FIRST_REQUEST_SECONDS: Final = 0.5
"""How long a client that has just connected has for its request when the server stops."""
READ_SECONDS: Final = 20.0
"""How often it is looked at whether a client reads what it is sent."""
READ_BYTES: Final = 20 << 10
"""What a client has to read in that time, if as much waits for it."""
KEEP_ALIVE_SECONDS: Final = 5
"""How long a connection stays open after an answer, for the next request."""
GOODBYE_SECONDS: Final = 2.0
"""How long a client has to hear that the server stops, before its connection is ended."""
PING_SECONDS: Final = 20.0
"""How often a WebSocket is asked for a sign of life, and how long that may take."""
_UNSENT: Final = 4 << 20
"""The most bytes that may wait to be sent: the answers to pings wait for nobody."""
_FRAMES: Final = 64
"""Into how many frames a message may be cut."""
_SEND_BUFFER: Final = 1 << 17
"""What the system keeps for one connection, and in what steps it takes more."""
OTHER_FILES: Final = 100
"""Files that a server has open besides its connections."""
_WRITABLE: Final = Event()
"""That of all connections whose clients read: each would take nearly a kilobyte."""
_WRITABLE.set()
_WHOLE_TEXT: Final = 0x81
"""The first byte of a text in one frame."""
_MASKED: Final = 0x80
_SHORT: Final = 125
"""The longest payload whose length is one byte."""
_HEAD: Final = 6
"""The bytes before the payload of a client's short frame: kind, length and mask."""
_MASKS: Final = _SHORT // 4 + 1
"""How many masks cover the longest of them."""
_NO_LINGER: Final = struct.pack("hh" if sys.platform == "win32" else "ii", 1, 0)
_STATE: Final = "connections"
_PASSING: Final = "demine.passing"
"""The extension of ASGI with which the application passes a connection on."""
_METHOD: Final = "pass_on"
_TOO_MANY: Final = (
    b"HTTP/1.1 429 Too Many Requests\r\nretry-after: 5\r\nconnection: close\r\n"
    b"content-length: 0\r\n\r\n"
)


class OpenConnections:
    """All connections of a server, counted by address."""

    def __init__(self) -> None:
        self.peer_port: int | None = None
        """The port at which other processes of this server connect, who are not counted."""
        self._address_of: dict[BaseTransport, str] = {}
        self._counts: Counter[str] = Counter()
        self._most = most_connections()

    @staticmethod
    def of(state: Mapping[str, object]) -> OpenConnections:
        """Return those of the server whose lifespan has this state."""
        found = state[_STATE]
        if not isinstance(found, OpenConnections):
            raise TypeError(found)
        return found

    def __len__(self) -> int:
        return len(self._address_of)

    def as_state(self) -> dict[str, OpenConnections]:
        """Return the state of a lifespan in which `of` finds this."""
        return {_STATE: self}

    def add(self, transport: BaseTransport) -> bool:
        """Count a new connection; return False if it is one too many."""
        peer = transport.get_extra_info("peername")
        host = str(peer[0]) if isinstance(peer, tuple) else ""
        address = counted_address(host)
        own = transport.get_extra_info("sockname")
        is_peer = isinstance(own, tuple) and own[1] == self.peer_port
        is_known = is_peer or host in PROXIES or self._counts[address] < CONNECTIONS_OF_ADDRESS
        if not is_known or len(self._address_of) >= self._most:
            return False
        self._address_of[transport] = address
        self._counts[address] += 1
        return True

    def remove(self, transport: BaseTransport) -> None:
        """Count a connection no more that is lost."""
        address = self._address_of.pop(transport, None)
        if address is not None:
            self._counts[address] -= 1
            if not self._counts[address]:
                del self._counts[address]


class HttpConnection(H11Protocol):
    """A connection that speaks HTTP."""

    _reader: ReaderWatch
    _deadline: TimerHandle | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Begin, unless there are too many."""
        super().connection_made(transport)
        self._reader = ReaderWatch(transport)
        if OpenConnections.of(self.app_state).add(transport):
            self._watch_request()
        else:
            transport.write(_TOO_MANY)
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Count it no more."""
        super().connection_lost(exc)
        self._end_watch()
        OpenConnections.of(self.app_state).remove(self.transport)

    def shutdown(self) -> None:
        """End the connection once nothing is answered; its first request may still be on its way.

        Whoever connected just before the server was told to stop would else be cut off, where the
        next server already waits at the same address.
        """
        # uvicorn has no `cycle` before the first request.
        is_new = self.cycle is None
        if is_new:
            self.loop.call_later(FIRST_REQUEST_SECONDS, super().shutdown)
        else:
            super().shutdown()

    def data_received(self, data: bytes) -> None:
        """Take a part of a request."""
        super().data_received(data)
        self._watch_request()

    def handle_websocket_upgrade(self, event: Request) -> None:
        """Hand the connection over to a `WebSocketConnection`."""
        self._end_watch()
        super().handle_websocket_upgrade(event)

    def pause_writing(self) -> None:
        """Wait for the client to read."""
        super().pause_writing()
        self._reader.watch()

    def resume_writing(self) -> None:
        """Go on: the client has read."""
        super().resume_writing()
        self._reader.rest()

    def _watch_request(self) -> None:
        """End the connection later if no request is being answered by then.

        What somebody sends after an answer counts as the next request, if it belongs to the last
        one or not.
        """
        # uvicorn has no `cycle` before the first request.
        is_answered = self.cycle is None or self.cycle.response_complete  # type: ignore[redundant-expr]
        is_handed_over = self.transport.get_protocol() is not self
        if is_handed_over or not is_answered:
            self._end_watch()
        elif self._deadline is None and not self.transport.is_closing():
            self._deadline = self.loop.call_later(REQUEST_SECONDS, _reset, self.transport)

    def _end_watch(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


class WebSocketConnection(WebSocketsSansIOProtocol):
    """A connection that speaks WebSocket; it was an `HttpConnection` for one request."""

    _reader: ReaderWatch

    def connection_made(self, transport: BaseTransport) -> None:
        """Take over a connection."""
        super().connection_made(transport)
        self.queue = ReceivedMessages()  # type: ignore[assignment]  # has all that is used of it
        self.writable = _WRITABLE
        self._reader = ReaderWatch(self.transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Count it no more."""
        super().connection_lost(exc)
        OpenConnections.of(self.app_state).remove(self.transport)

    def handle_connect(self, event: HandshakeRequest) -> None:
        """Take the request for a socket; until it is answered, the connection may be passed on."""
        super().handle_connect(event)
        if not self.handshake_complete:
            self.scope["extensions"][_PASSING] = {_METHOD: self.pass_on}

    def pass_on(self, send: Callable[[int], bool]) -> bool:
        """Give the connection, whose socket is not accepted yet, to whom `send` sends its file.

        `send` returns whether that worked; if it did not, the connection is still here.
        """
        transport = self.transport
        if transport.is_closing() or transport.get_write_buffer_size():
            return False
        transport.pause_reading()  # what comes from now on is for the other process
        if not send(transport.get_extra_info("socket").fileno()):
            transport.resume_reading()
            return False
        self.handshake_complete = True  # as far as this process is concerned
        transport.abort()
        return True

    def shutdown(self) -> None:
        """End the connection; a client that was told so has a moment to hear it and to agree.

        Otherwise, what the client still sends would meet a closed socket, and both ends would drop
        what they have not read yet.
        """
        if self.close_timer is None:
            super().shutdown()
            return
        self.stop_keepalive()
        self.close_timer.cancel()
        self.close_timer = self.loop.call_later(GOODBYE_SECONDS, self.transport.close)

    def send_receive_event_to_app(self) -> None:
        """Hand a message over; reading stops only where the one before still waits.

        uvicorn stops it at every message and goes on at once, which asks the system twice.
        """
        is_alone = self.queue.empty() and not self.read_paused
        self.read_paused = self.read_paused or is_alone
        super().send_receive_event_to_app()
        if is_alone:
            self.read_paused = False

    def data_received(self, data: bytes) -> None:
        """Take frames, or end a connection that piles them up."""
        # Nearly all that comes is one short message, which needs no parser that may wait for more.
        text = short_text(data) if self._is_between_messages else None
        if text is not None:
            self.queue.put_nowait({"type": "websocket.receive", "text": text})
            return
        super().data_received(data)
        if len(self.frames) > _FRAMES or self.transport.get_write_buffer_size() > _UNSENT:
            _reset(self.transport)

    @property
    def _is_between_messages(self) -> bool:
        """Whether the next byte begins a message, which nothing keeps from being handed over."""
        parser = self.conn
        return (
            parser.state is State.OPEN
            and not parser.reader.buffer
            and parser.current_size is None
            and not self.read_paused
            and self.queue.empty()
        )

    def pause_writing(self) -> None:
        """Wait for the client to read."""
        self.writable = Event()
        super().pause_writing()
        self._reader.watch()

    def resume_writing(self) -> None:
        """Go on: the client has read."""
        super().resume_writing()
        self._reader.rest()

    async def send(self, message: ASGISendEvent) -> None:
        """Send a message; a client that does not read gets no last word, which would wait too."""
        is_open = self.conn.state is State.OPEN and not self.disconnected
        text = message.get("text") if is_open and self.writable.is_set() else None
        if isinstance(text, str):
            self.transport.write(text_frame(text))
            return
        if message["type"] == "websocket.close" and not self.writable.is_set():
            _reset(self.transport)
        await super().send(message)
        if message["type"] == "websocket.accept":
            # What it says is in `scope`; the parser holds it for good.
            self.request.headers.clear()
            self.scope["extensions"].pop(_PASSING, None)


def pass_connection(connection: HTTPConnection, send: Callable[[int], bool]) -> bool:
    """Give away the connection of a socket that is not accepted yet: see `pass_on`.

    Return False if that is not possible.
    """
    pass_on = connection.scope["extensions"].get(_PASSING, {}).get(_METHOD)
    return pass_on is not None and pass_on(send)


def short_text(data: bytes) -> str | None:
    """Return the text of a client's message that is one short frame, and all that was received.

    None for anything else, be it allowed or not. RFC 6455, section 5.2, says what a frame is.
    """
    size = len(data) - _HEAD
    if size < 0 or size > _SHORT or data[0] != _WHOLE_TEXT or data[1] != _MASKED | size:
        return None
    # All bytes at once: as numbers they are masked in one step.
    mask = int.from_bytes(data[2:_HEAD] * _MASKS, "little") & ((1 << 8 * size) - 1)
    masked = int.from_bytes(data[_HEAD:], "little")
    try:
        return (masked ^ mask).to_bytes(size, "little").decode()
    except UnicodeDecodeError:
        return None


def text_frame(text: str) -> bytes:
    """Return a server's message as one frame."""
    payload = text.encode()
    size = len(payload)
    if size <= _SHORT:
        return bytes((_WHOLE_TEXT, size)) + payload
    if size < 1 << 16:
        return bytes((_WHOLE_TEXT, 126)) + size.to_bytes(2) + payload
    return bytes((_WHOLE_TEXT, 127)) + size.to_bytes(8) + payload


class ReceivedMessages:
    """What a client has said and nobody has taken yet; one task at a time takes it.

    In place of an `asyncio.Queue`, which reserves three kilobytes for each of ten thousand
    connections.
    """

    __slots__ = ("_arrival", "_messages")

    def __init__(self) -> None:
        self._messages: list[ASGIReceiveEvent] = []
        self._arrival: Future[None] | None = None

    def empty(self) -> bool:
        """Whether everything is taken."""
        return not self._messages

    def put_nowait(self, message: ASGIReceiveEvent) -> None:
        """Add a message."""
        self._messages.append(message)
        if self._arrival is not None and not self._arrival.done():
            self._arrival.set_result(None)

    async def get(self) -> ASGIReceiveEvent:
        """Wait for a message and take it; none is lost when the wait is cancelled."""
        while not self._messages:
            self._arrival = get_running_loop().create_future()
            await self._arrival
        return self._messages.pop(0)


class ReaderWatch:
    """Ends a connection whose client does not read, or so little that it may well be on purpose."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._left = 0
        self._next_look: TimerHandle | None = None
        # `pause_writing` is called whenever anything is left to be sent, `resume_writing` when
        # nothing is.
        transport.set_write_buffer_limits(0)
        if socket := transport.get_extra_info("socket"):
            socket.setsockopt(SOL_SOCKET, SO_SNDBUF, _SEND_BUFFER)

    def watch(self) -> None:
        """Look from time to time how much is read."""
        self._left = self._transport.get_write_buffer_size()
        self._next_look = get_running_loop().call_later(READ_SECONDS, self._look)

    def rest(self) -> None:
        """Look no more, as nothing is left to be sent.

        A trickle does not lead here: the system takes more only once a good part of what it keeps,
        which is more than `READ_BYTES`, is read.
        """
        if self._next_look is not None:
            self._next_look.cancel()

    def _look(self) -> None:
        left = self._transport.get_write_buffer_size()
        if left > max(0, self._left - READ_BYTES):
            _reset(self._transport)
        elif left:
            self.watch()


def _reset(transport: Transport) -> None:
    """End a connection at once; the system too drops what its client has not read."""
    if socket := transport.get_extra_info("socket"):
        socket.setsockopt(SOL_SOCKET, SO_LINGER, _NO_LINGER)
    transport.abort()


def most_connections() -> int:
    """Return how many connections this process may have at once."""
    if sys.platform == "win32":
        return MOST_CONNECTIONS
    import resource

    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    is_unlimited = files == resource.RLIM_INFINITY
    return MOST_CONNECTIONS if is_unlimited else min(MOST_CONNECTIONS, files - OTHER_FILES)
