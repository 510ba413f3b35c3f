"""A WebSocket on which texts go to and fro, in few steps: there are thousands in a second."""

from __future__ import annotations

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState


class TextSocket(WebSocket):
    """Starlette's, which would look at the kind of each message several times on its way."""

    async def receive_text(self) -> str:
        """Return the next text of an accepted socket.

        Raises `WebSocketDisconnect` when the client leaves, and `KeyError` for a frame of bytes.
        """
        states = self.application_state, self.client_state
        if states != (WebSocketState.CONNECTED, WebSocketState.CONNECTED):
            return await super().receive_text()  # which says what is wrong
        message = await self._receive()
        if message["type"] == "websocket.disconnect":
            self.client_state = WebSocketState.DISCONNECTED
            raise WebSocketDisconnect(message["code"], message.get("reason"))
        text: str = message["text"]
        return text

    async def send_text(self, data: str) -> None:
        """Send a text; raises `WebSocketDisconnect` for a client who has gone."""
        if self.application_state is not WebSocketState.CONNECTED:
            await super().send_text(data)  # which says what is wrong
            return
        try:
            await self._send({"type": "websocket.send", "text": data})
        except OSError:
            self.application_state = WebSocketState.DISCONNECTED
            raise WebSocketDisconnect(code=1006) from None


async def accept_once(websocket: WebSocket) -> None:
    """Accept a socket, unless that was done before."""
    if websocket.application_state is WebSocketState.CONNECTING:
        await websocket.accept()
