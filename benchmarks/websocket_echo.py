"""What a WebSocket itself costs: a bare uvicorn that sends every message back.

`python -m benchmarks.websocket_echo` prints its address. It is set up as `demine serve` is.
"""

from __future__ import annotations

import socket
from typing import Any

import uvicorn

from demine.web.websocket.protocol import MAX_MESSAGE


async def echo(scope: dict[str, Any], receive: Any, send: Any) -> None:  # noqa: ANN401 - ASGI
    """Send every message back, as the plainest application does it."""
    if scope["type"] != "websocket":
        return
    await receive()
    await send({"type": "websocket.accept"})
    while (message := await receive())["type"] == "websocket.receive":
        await send({"type": "websocket.send", "text": message["text"]})


def main() -> None:
    """Serve at a free port until the process is ended."""
    with socket.create_server(("127.0.0.1", 0), backlog=2048) as listener:
        config = uvicorn.Config(
            echo,
            ws="websockets-sansio",
            ws_max_size=MAX_MESSAGE,
            ws_per_message_deflate=False,
            lifespan="off",
            log_level="warning",
            access_log=False,
        )
        print(f"http://127.0.0.1:{listener.getsockname()[1]}/", flush=True)
        uvicorn.Server(config).run([listener])


if __name__ == "__main__":
    main()
