"""Doors: the requests of the HTTP part, each declared once as a `Door`.

A door says what it takes and what it answers, as msgspec types, how much it costs and how large its
body may be. `route` makes a Starlette route of it, which does the same at every door: it takes the
cost out of the client's buckets, reads no more than the door allows, decodes that, finds the player
and the language, and answers in JSON. `demine.web.api.openapi` describes the same table.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Generic, Literal, TypeAlias, TypeVar

import msgspec
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from demine.logic.errors import DemineError
from demine.scene.translation import speaking
from demine.web import identity, players
from demine.web.cluster.peers import hops_of
from demine.web.errors import (
    ClientLeft,
    Malformed,
    NotFound,
    TryLater,
    explain_to_client,
    status_of,
    what_of,
)
from demine.web.homes import Elsewhere
from demine.web.limits import JSON_BYTES, address_of, read_body
from demine.web.solver_queue import Asker

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request

    from demine.web.players import Player
    from demine.web.services import Services

Method: TypeAlias = Literal["GET", "POST", "PUT", "DELETE"]
JSON_TYPE: Final = "application/json"
ANY_BYTES: Final = "application/octet-stream"


class Nothing(msgspec.Struct, frozen=True):
    """Nothing is asked, or nothing is answered."""


Asked = TypeVar("Asked", bound=msgspec.Struct)
T = TypeVar("T")


@dataclass(slots=True)
class Visit(Generic[Asked]):
    """One request at a door: what is asked, by whom, in which language."""

    request: Request
    services: Services
    asked: Asked
    language: str
    known_player: Player | None
    body: bytes | None = None
    """What was sent, once it is read."""
    sends_cookie: str | None = None
    """The player whom the answer names to the browser; empty to forget the present one."""

    @property
    def player(self) -> Player:
        """The player; only at doors that need one."""
        if self.known_player is None:
            raise NotFound("there is no player yet: the first game makes one")
        return self.known_player

    @property
    def file(self) -> bytes:
        """The bytes of a file that was sent."""
        return self.body or b""

    @property
    def player_id(self) -> str:
        """The id of the player, empty if there is none."""
        return "" if self.known_player is None else self.known_player.id

    def path(self, name: str) -> str:
        """Return a part of the path."""
        return str(self.request.path_params[name])

    @property
    def asker(self) -> Asker:
        """Who asks, as the solver's queue counts them: their address stands for who is unknown."""
        address = address_of(self.request)
        return Asker(self.known_player.id if self.known_player else address, address)

    async def in_thread(self, function: Callable[..., T], *args: Any) -> T:  # noqa: ANN401 - the function's own
        """Return what a function returns that takes long; raises as `turn` does."""
        async with self.turn():
            return await asyncio.to_thread(function, *args)

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for one's turn to do what takes long; raises `TooMany`, and `ClientLeft`."""
        async with self.services.long_work.turn(self.asker):
            if await self.request.is_disconnected():
                raise _client_left()
            yield

    async def ask_solver(self, name: str, *args: object, **kwargs: object) -> object:
        """Return what the solver answers, as `SolverQueue.ask` does.

        Raises `ClientLeft` as soon as the client no longer waits for the answer.
        """
        question = self.services.solver.ask(self.asker, name, *args, kwargs=kwargs)
        asking, leaving = asyncio.ensure_future(question), asyncio.ensure_future(self._leave())
        try:
            await asyncio.wait({asking, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if not asking.done():
                raise _client_left()
            return await asking
        finally:
            asking.cancel()
            leaving.cancel()

    async def _leave(self) -> None:
        """Wait until the client has gone."""
        while (await self.request.receive())["type"] != "http.disconnect":
            pass

    @property
    def is_secure(self) -> bool:
        """Whether the browser speaks to the server over TLS."""
        return self.request.url.scheme == "https"


@dataclass(frozen=True, slots=True)
class File:
    """An answer that is no JSON: a text or a file to keep, whole or part by part."""

    content: bytes | AsyncIterator[bytes]
    media_type: str
    name: str = ""
    """The name to save it under; plain letters, digits, points and hyphens."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """An answer that is JSON already; the door's type says of what."""

    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Door(Generic[Asked]):
    """A request that the server answers, with all that holds for it."""

    method: Method
    path: str
    summary: str
    handler: Callable[[Visit[Asked]], Awaitable[object]]
    asks: type[Asked]
    """Of `GET`, `DELETE` and a file: from the query; else from the body."""
    answers: type | str
    """A msgspec type, or the media type of what is no JSON."""
    player: Literal["known", "made"] | None = None
    """Whether it needs a player: one who is there, or one who is made now."""
    takes_file: int = 0
    """The most bytes of a file that is its body; 0 for JSON."""
    most_json: int = JSON_BYTES
    """The most bytes of a body that is JSON."""
    cost: float = 1.0
    work: float = 0.0
    """What it takes out of the bucket for heavy work of one client."""
    status: int = 200

    @property
    def changes_what_is_kept(self) -> bool:
        """Whether it writes for a player; one who is banned still looks, and deletes."""
        return self.player is not None and self.method in {"POST", "PUT"}

    @property
    def reads_query(self) -> bool:
        """Whether what it asks stands in the query."""
        return bool(self.takes_file) or self.method in {"GET", "DELETE"}


AnyDoor: TypeAlias = Door[Any]


class Failure(msgspec.Struct, frozen=True):
    """Why a request was not answered."""

    what: str
    """A name for programs, such as `too_large`."""
    message: str
    """A sentence in the player's language."""


class Failed(msgspec.Struct, frozen=True):
    """The body of every answer with a status from 400 on."""

    error: Failure


def route(door: AnyDoor) -> Route:
    """Return the Starlette route of a door; `Services` must be `app.state.services`."""

    async def endpoint(request: Request) -> Response:
        return await _answer(door, request)

    return Route(door.path, endpoint, methods=[door.method], name=f"{door.method} {door.path}")


async def _answer(door: AnyDoor, request: Request) -> Response:
    services: Services = request.app.state.services
    language = players.language_of(None, request)
    with speaking(language):
        visit = Visit(request, services, Nothing(), language, None)
        try:
            response = await _handle_at_home(door, visit)
        except DemineError as error:
            with speaking(visit.language):
                response = failure_response(error)
    if visit.sends_cookie:
        identity.set_cookie(response, request, visit.sends_cookie, services.key)
    elif visit.sends_cookie is not None:
        identity.delete_cookie(response, request)
    return response


async def _admit(door: AnyDoor, visit: Visit[Any]) -> None:
    """Charge the client, and find out who it is, before anything is read.

    What was handed on has paid for its address already.
    """
    services, request = visit.services, visit.request
    address = address_of(request)
    if not hops_of(request):
        services.limits.addresses.take(address, door.cost)
    claimed = identity.player_of(request, services.key)
    if claimed is not None:
        if not hops_of(request):
            services.homes.require(claimed)
        services.limits.players.take(claimed, door.cost)
    if door.work:
        services.limits.work.take(claimed or address, door.work)
    await _find_player(door, visit, claimed)


async def _find_player(door: AnyDoor, visit: Visit[Any], claimed: str | None) -> None:
    """Set the player as the database has them now; raises `Banned` and `NotFound`."""
    database = visit.services.database
    visit.known_player = None if claimed is None else await players.find(database, claimed)
    if visit.known_player is not None:
        visit.language = visit.known_player.language or visit.language
        if door.changes_what_is_kept:
            players.refuse_banned(visit.known_player)
    elif door.player == "known":
        raise NotFound("there is no player yet: the first game makes one")


async def _handle_at_home(door: AnyDoor, visit: Visit[Any]) -> Response:
    """Answer a request here, or have the process answer it where its subject lives."""
    services, request = visit.services, visit.request
    try:
        await _admit(door, visit)
        with speaking(visit.language):
            return _response(door, await _handle(door, visit))
    except Elsewhere as to:
        async with _room_for_body(door, visit):
            if visit.body is None:
                visit.body = await _body(door, visit)
            if visit.sends_cookie:  # the player who was made here
                identity.add_cookie(request, visit.sends_cookie, services.key)
            return await services.relay.answer(request, to, visit.body)


async def _handle(door: AnyDoor, visit: Visit[Any]) -> object:
    async with _room_for_body(door, visit):
        await _read(door, visit)
        await _make_player(door, visit)
        return await door.handler(visit)


def _room_for_body(
    door: AnyDoor, visit: Visit[Any]
) -> asyncio.Semaphore | AbstractAsyncContextManager[None]:
    """Return what is held while a body is in memory; the process that handed it on has room."""
    needs_room = door.takes_file and not hops_of(visit.request)
    return visit.services.limits.large_bodies if needs_room else nullcontext()


async def _body(door: AnyDoor, visit: Visit[Any]) -> bytes:
    if door.method in {"GET", "DELETE"}:
        return b""
    return await read_body(visit.request, door.takes_file or door.most_json)


async def _read(door: AnyDoor, visit: Visit[Any]) -> None:
    request = visit.request
    visit.body = await _body(door, visit)
    if visit.known_player is not None and door.changes_what_is_kept:
        # It may have been held back until the player was banned, renamed or deleted.
        await _find_player(door, visit, visit.known_player.id)
    visit.asked = (
        decoded_query(request.query_params, door.asks)
        if door.reads_query
        else decoded_body(visit.body, request.headers.get("content-type", ""), door.asks)
    )


async def _make_player(door: AnyDoor, visit: Visit[Any]) -> None:
    """Make a player if the door needs one and there is none."""
    if door.player == "made" and visit.known_player is None:
        visit.services.limits.new_players.take(address_of(visit.request))
        visit.known_player = await players.create(visit.services.database)
        visit.sends_cookie = visit.known_player.id


def decoded_query(query: Mapping[str, str], kind: type[Asked]) -> Asked:
    """Return what a query asks; raises `Malformed`."""
    try:
        return msgspec.convert(dict(query), kind, strict=False)
    except msgspec.ValidationError as error:
        raise _malformed(error) from error


def decoded_body(body: bytes, content_type: str, kind: type[Asked]) -> Asked:
    """Return what a JSON body asks; raises `Malformed`. No body is an empty object."""
    if body and content_type.partition(";")[0].strip().lower() != JSON_TYPE:
        raise Malformed("this request must be JSON (application/json)")
    try:
        return msgspec.json.decode(body or b"{}", type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _malformed(error) from error


def _client_left() -> ClientLeft:
    return ClientLeft("whoever asked for this has gone")


def _malformed(error: Exception) -> Malformed:
    return Malformed("this request is not as the server expects it: {reason}", reason=str(error))


def _response(door: AnyDoor, found: object) -> Response:
    if isinstance(found, Response):
        return found
    if isinstance(found, File):
        # The name is the program's own: nothing of a player gets into a header.
        kept = f'attachment; filename="{found.name}"' if found.name else "inline"
        headers = {"content-disposition": kept}
        if isinstance(found.content, bytes):
            return Response(found.content, media_type=found.media_type, headers=headers)
        return StreamingResponse(found.content, media_type=found.media_type, headers=headers)
    content = found.content if isinstance(found, Encoded) else msgspec.json.encode(found)
    return Response(content, status_code=door.status, media_type=JSON_TYPE)


def failure_response(error: DemineError) -> Response:
    """Return the answer that tells of an error, in the present language."""
    body = msgspec.json.encode(Failed(Failure(what_of(error), explain_to_client(error))))
    headers = {"retry-after": str(error.seconds)} if isinstance(error, TryLater) else {}
    return Response(body, status_of(error), headers, media_type=JSON_TYPE)
