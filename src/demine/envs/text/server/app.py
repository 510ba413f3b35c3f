"""The addresses of the server: what OpenEnv's servers have over HTTP, and its WebSocket."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from demine import __version__
from demine.envs.text.server.errors import (
    Invalid,
    NoSuchEpisode,
    RequestError,
    TooLarge,
    TooSlow,
    UnknownKind,
)
from demine.envs.text.server.messages import (
    MESSAGE_SECONDS,
    MOST_BYTES,
    SCHEMAS,
    action_message,
    episode_id,
    error_message,
    object_field,
    parse_object,
    reset_request,
    step_message,
)
from demine.logic.errors import quoted

if TYPE_CHECKING:
    from demine.envs.text.server.sessions import Session, Sessions

_GOING_AWAY: Final = 1001
_TRY_AGAIN_LATER: Final = 1013
_METADATA: Final = {
    "name": "demine",
    "description": "Minesweeper in text, by exactly the rules of the game.",
    "version": __version__,
}


def make_app(sessions: Sessions) -> Starlette:
    """Return the application that serves these sessions."""
    app = Starlette(
        routes=[
            Route("/reset", _reset, methods=["POST"]),
            Route("/step", _step, methods=["POST"]),
            Route("/state", _state),
            Route("/health", _health),
            Route("/metadata", _metadata),
            Route("/schema", _schema),
            WebSocketRoute("/ws", _websocket),
        ],
        exception_handlers={
            RequestError: _refused,
            HTTPException: _no_route,
            Exception: _failed,
        },
    )
    app.state.sessions = sessions
    return app


async def _reset(request: Request) -> JSONResponse:
    wanted = reset_request(await _body(request))
    return JSONResponse(_sessions(request).open(wanted.episode_id).reset(wanted.seed))


async def _step(request: Request) -> JSONResponse:
    body = await _body(request)
    message = step_message(body)
    return JSONResponse(_session(request, body).step(message))


async def _state(request: Request) -> JSONResponse:
    return JSONResponse(_session(request, dict(request.query_params)).state())


async def _health(_request: Request) -> JSONResponse:
    return JSONResponse({"status": "healthy"})


async def _metadata(_request: Request) -> JSONResponse:
    return JSONResponse(_METADATA)


async def _schema(_request: Request) -> JSONResponse:
    return JSONResponse(SCHEMAS)


def _sessions(connection: Request | WebSocket) -> Sessions:
    sessions: Sessions = connection.app.state.sessions
    return sessions


def _session(request: Request, fields: dict[str, Any]) -> Session:
    """Return the session that a request names; raises `RequestError`."""
    wanted = episode_id(fields)
    if not wanted:
        raise Invalid("which episode? Send the episode_id of the answer to its reset")
    return _sessions(request).find(wanted)


async def _body(request: Request) -> dict[str, Any]:
    """Return the JSON object that a client sends; raises `RequestError`."""
    body = bytearray()
    try:
        async with asyncio.timeout(MESSAGE_SECONDS):
            async for part in request.stream():
                body += part
                if len(body) > MOST_BYTES:
                    raise TooLarge("a message has at most {most} bytes", most=MOST_BYTES)
    except (TimeoutError, ClientDisconnect):
        raise TooSlow("the message did not arrive in time") from None
    return parse_object(bytes(body))


async def _refused(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestError)  # noqa: S101 - the handler of these alone
    return JSONResponse(error_message(error), error.status)


async def _no_route(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)  # noqa: S101 - the handler of these alone
    told = UnknownKind(
        "there is no {method} {path}", method=request.method, path=quoted(request.url.path)
    )
    return JSONResponse(error_message(told), error.status_code, error.headers)


async def _failed(_request: Request, _error_of_ours: Exception) -> JSONResponse:
    return JSONResponse(error_message(RequestError("the server has failed; its log says why")), 500)


async def _websocket(socket: WebSocket) -> None:
    """Play with one client until it leaves, or is silent for as long as a session may be."""
    await socket.accept()
    sessions = _sessions(socket)
    try:
        session = sessions.open()
    except RequestError as error:
        await _send(socket, "error", error_message(error))
        await socket.close(_TRY_AGAIN_LATER)
        return
    try:
        with suppress(WebSocketDisconnect):
            await _converse(socket, sessions, session)
            await socket.close()
    except TimeoutError:
        await socket.close(_GOING_AWAY)
    finally:
        sessions.close(session)


async def _converse(socket: WebSocket, sessions: Sessions, session: Session) -> None:
    """Answer messages until the client wants to close."""
    while True:
        async with asyncio.timeout(sessions.idle_seconds):
            text = await _receive(socket)
        try:
            message = parse_object(text)
            if message.get("type") == "close":
                return
            sessions.find(session.key)
            kind, data = _answer(session, message)
        except NoSuchEpisode as error:
            await _send(socket, "error", error_message(error))
            return
        except RequestError as error:
            kind, data = "error", error_message(error)
        await _send(socket, kind, data)


async def _receive(socket: WebSocket) -> str | bytes:
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect
    text: str | bytes = message.get("text") or message.get("bytes") or b""
    return text


def _answer(session: Session, message: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the type and the data of the answer to a message; raises `RequestError`."""
    kind = message.get("type")
    if kind == "reset":
        wanted = reset_request(object_field(message, "data", {}))
        session.episode_id = wanted.episode_id or session.key
        return "observation", session.reset(wanted.seed)
    if kind == "step":
        return "observation", session.step(action_message(object_field(message, "data")))
    if kind == "state":
        return "state", session.state()
    raise UnknownKind("there is no message of the type {kind}", kind=quoted(kind))


async def _send(socket: WebSocket, kind: str, data: dict[str, Any]) -> None:
    async with asyncio.timeout(MESSAGE_SECONDS):
        await socket.send_text(json.dumps({"type": kind, "data": data}, ensure_ascii=False))
