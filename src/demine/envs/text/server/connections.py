"""The connections of clients, which may not wait for a request for ever."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from uvicorn.protocols.http.h11_impl import H11Protocol

from demine.envs.text.server.errors import ServerFull
from demine.envs.text.server.messages import MESSAGE_SECONDS, error_message

if TYPE_CHECKING:
    from asyncio import TimerHandle, Transport

    from h11 import Request


class HttpConnection(H11Protocol):
    """A connection that is closed if the head of a request does not arrive in time.

    What comes first over one connection too many is answered as an error of ours is, in JSON.
    """

    _deadline: TimerHandle | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request."""
        super().connection_made(transport)
        # uvicorn's own refusal is no JSON.
        self._most, self.limit_concurrency = self.limit_concurrency, None
        self._watch_request()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        super().connection_lost(exc)
        self._end_watch()

    def data_received(self, data: bytes) -> None:
        """Take a part of a request, or refuse it."""
        is_first = self.cycle is None
        if is_first and self._most is not None and len(self.connections) > self._most:
            self.transport.write(_refusal(self._most))
            self.transport.close()
            return
        super().data_received(data)
        self._watch_request()

    def handle_websocket_upgrade(self, event: Request) -> None:
        """Hand the connection over to a WebSocket."""
        self._end_watch()
        super().handle_websocket_upgrade(event)

    def _watch_request(self) -> None:
        """Close the connection later if no request is being answered by then."""
        is_answered = self.cycle is None or self.cycle.response_complete  # type: ignore[redundant-expr]
        is_handed_over = self.transport.get_protocol() is not self
        if is_handed_over or not is_answered:
            self._end_watch()
        elif self._deadline is None and not self.transport.is_closing():
            self._deadline = self.loop.call_later(MESSAGE_SECONDS, self.transport.close)

    def _end_watch(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


def _refusal(most: int) -> bytes:
    """Return the answer to a request over one connection more than `most`."""
    error = ServerFull("the server keeps {most} connections, and all are in use", most=most)
    body = json.dumps(error_message(error)).encode()
    head = (
        f"HTTP/1.1 {error.status} Service Unavailable\r\ncontent-type: application/json\r\n"
        f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
    )
    return head.encode() + body
