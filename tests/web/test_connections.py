"""Clients that hold a connection or pile up what is to be sent, at a whole server's real sockets.

The server is told to wait for a second where it waits for ten or more.
"""

from __future__ import annotations

import asyncio
import base64
import json
import select
import socket
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Self
from urllib.request import Request, urlopen

import pytest
from starlette.applications import Starlette
from starlette.responses import StreamingResponse
from starlette.routing import Route
from websockets.frames import Frame, Opcode

from demine.web import connections
from demine.web.connections import (
    CONNECTIONS_OF_ADDRESS,
    HttpConnection,
    OpenConnections,
    ReceivedMessages,
    short_text,
    text_frame,
)
from demine.web.websocket.game_connection import MOST_WAITING
from tests.web.browser.served_site import ServedSite
from tests.web.doors_app import serve

FOREIGN = "127.0.0.2"
"""An address of this computer that is no proxy's."""
CONNECTIONS = 600
SOCKETS_OF_ADDRESS = 12
SOCKETS_OF_PLAYER = 8
SHORTER = {
    "demine.web.connections:REQUEST_SECONDS": 1.0,
    "demine.web.connections:READ_SECONDS": 1.0,
    "demine.web.connections:PING_SECONDS": 1.0,
    "demine.web.connections:MOST_CONNECTIONS": CONNECTIONS,
    "demine.web.limits:BODY_SECONDS": 1.0,
    "demine.web.limits:SOCKETS_OF_ADDRESS": SOCKETS_OF_ADDRESS,
    "demine.web.limits:SOCKETS_OF_PLAYER": SOCKETS_OF_PLAYER,
}
PATIENCE = 15.0
"""Seconds after which a connection counts as held: a server by itself is done in a tenth of it."""
GET = b"GET / HTTP/1.1\r\nHost: localhost\r\n"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedSite]:
    served = ServedSite(tmp_path_factory.mktemp("site"), SHORTER)
    yield served
    served.stop()
    assert "Traceback" not in (served.folder / "server.log").read_text(encoding="utf-8")


class Raw:
    """A client that speaks as it likes; a frame is masked with zeros."""

    def __init__(self, site: ServedSite, address: str = "127.0.0.1") -> None:
        self.site = site
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.socket.settimeout(PATIENCE)
        self.socket.bind((address, 0))
        self.socket.connect(("127.0.0.1", site.port))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def hear(self, end: bytes) -> bytes:
        """All up to an end."""
        heard = b""
        while not heard.endswith(end):
            part = self.socket.recv(1)
            assert part, heard
            heard += part
        return heard

    def hear_answer(self) -> bytes:
        """A whole answer over HTTP; returns its first line."""
        head = self.hear(b"\r\n\r\n").lower()
        _, _, length = head.partition(b"content-length: ")
        self._take(int(length.split(b"\r\n")[0]))
        return head.split(b"\r\n")[0]

    def open_game(self, game: str, cookie: str, client: str) -> None:
        """Have the connection upgraded to the socket of a game."""
        key = base64.b64encode(b"0" * 16).decode()
        self.send(
            f"GET /ws/games/{game}?client={client} HTTP/1.1\r\nHost: localhost\r\n"
            f"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {key}\r\nCookie: {cookie}\r\n\r\n".encode()
        )
        assert b" 101 " in self.hear(b"\r\n\r\n")

    def say(self, message: object, opcode: int = 0x81) -> None:
        data = message if isinstance(message, bytes) else json.dumps(message).encode()
        assert len(data) < 126
        self.send(bytes([opcode, 0x80 | len(data)]) + bytes(4) + data)

    def hear_message(self) -> Any:
        """The next message; pings are answered."""
        while True:
            opcode, size = self._take(2)
            if size > 125:
                size = int.from_bytes(self._take(2 if size == 126 else 8))
            data = self._take(size)
            if opcode == 0x81:
                return json.loads(data)
            assert opcode == 0x89, (opcode, data)
            self.say(data, 0x8A)

    def _take(self, size: int) -> bytes:
        taken = b""
        while len(taken) < size:
            part = self.socket.recv(size - len(taken))
            assert part, taken
            taken += part
        return taken

    def is_cut_off(self) -> bool:
        """Hear the rest, to the end of the connection; a timeout fails."""
        try:
            while self.socket.recv(1 << 16):
                pass
        except ConnectionError:
            pass
        return True


class Player:
    """A player who has one game."""

    def __init__(self, site: ServedSite, rules: str = "9x9/10") -> None:
        self.site = site
        headers = {"Content-Type": "application/json"}
        body = json.dumps({"rules": rules, "seed": 1}).encode()
        with urlopen(Request(f"{site.address}/api/games", body, headers), timeout=60) as answer:
            self.game: str = json.load(answer)["id"]
            self.cookie: str = answer.headers["Set-Cookie"].partition(";")[0]

    def connect(self, client: str = "a", address: str = "127.0.0.1") -> Raw:
        raw = Raw(self.site, address)
        raw.open_game(self.game, self.cookie, client)
        return raw


def drip(raw: Raw, data: bytes, over: threading.Event) -> None:
    """Send a byte at a time for as long as the connection is there."""
    try:
        for byte in data:
            raw.send(bytes([byte]))
            if over.wait(0.05):
                return
    except OSError:
        return


def silent(_: Raw) -> bytes:
    return b""


def endless_header(raw: Raw) -> bytes:
    raw.send(GET)
    return b"X-A: b\r\n" * 500


def second_header_that_does_not_end(raw: Raw) -> bytes:
    raw.send(GET + b"\r\n")
    raw.hear_answer()
    return GET * 50


def body_that_nobody_reads(raw: Raw) -> bytes:
    raw.send(GET + b"Content-Length: 1000000\r\n\r\n")
    raw.hear_answer()
    return b"x" * 1000


POST = GET.replace(b"GET /", b"POST /api/games") + b"Content-Type: application/json\r\n"


def body_byte_by_byte(raw: Raw) -> bytes:
    raw.send(POST + b"Content-Length: 1000\r\n\r\n")
    return b" " * 900


def chunk_that_does_not_end(raw: Raw) -> bytes:
    raw.send(POST + b"Transfer-Encoding: chunked\r\n\r\nffff\r\n")
    return b" " * 900


def answer_that_is_not_read(raw: Raw) -> bytes:
    raw.send((GET.replace(b" / ", b" /api/openapi.json ") + b"\r\n") * 40)
    return b""


def frame_byte_by_byte(raw: Raw) -> bytes:
    player = Player(raw.site)
    raw.open_game(player.game, player.cookie, "a")
    raw.hear_message()
    raw.send(b"\x81\xfe\x0f\x00" + bytes(4))
    return b" " * 0xF00


HOLDERS = (
    silent, endless_header, second_header_that_does_not_end, body_that_nobody_reads,
    body_byte_by_byte, chunk_that_does_not_end, answer_that_is_not_read, frame_byte_by_byte,
)  # fmt: skip


@pytest.mark.parametrize("begin", HOLDERS, ids=lambda begin: begin.__name__)
def test_nobody_holds_a_connection(site: ServedSite, begin: Callable[[Raw], bytes]) -> None:
    over = threading.Event()
    with Raw(site) as raw:
        dripping = threading.Thread(target=drip, args=(raw, begin(raw), over))
        dripping.start()
        try:
            assert site.text("/"), "others are served meanwhile"
            if begin is answer_that_is_not_read:
                until_reset(raw)
            else:
                assert raw.is_cut_off()
        finally:
            over.set()
            dripping.join()


def until_reset(raw: Raw) -> None:
    """Wait for the end of a connection without reading from it; a timeout fails."""
    poll = select.poll()
    poll.register(raw.socket, 0)  # an error or a hang-up is told of unasked
    assert poll.poll(PATIENCE * 1000), "the connection is held"


@pytest.mark.parametrize(("part", "is_heard"), [(1 << 14, True), (1 << 7, False)])
def test_a_slow_download_is_left_alone_and_a_trickle_is_not(
    monkeypatch: pytest.MonkeyPatch, part: int, is_heard: bool
) -> None:
    """Of an answer that is sent line by line only the last line ever waits."""
    monkeypatch.setattr(connections, "READ_SECONDS", 1.0)
    line = b" " * 1023 + b"\n"

    async def lines() -> AsyncIterator[bytes]:
        for _ in range(2500):
            yield line
        yield b"end"

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[dict[str, OpenConnections]]:
        yield OpenConnections().as_state()

    async def download(_: object) -> StreamingResponse:
        return StreamingResponse(lines())

    app = Starlette(routes=[Route("/", download)], lifespan=lifespan)
    with serve(app, HttpConnection) as address, socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 14)
        client.settimeout(PATIENCE)
        client.connect(("127.0.0.1", int(address.rpartition(":")[2])))
        client.sendall(GET + b"\r\n")
        heard = b""
        over = threading.Event()
        try:
            while b"end" not in heard and not over.wait(0.015):
                got = client.recv(part)
                assert got, "the connection was ended in order"
                heard = heard[-2:] + got
        except ConnectionError:
            assert not is_heard
        else:
            assert is_heard


def test_who_waits_and_plays_is_left_alone(site: ServedSite) -> None:
    with Player(site).connect() as playing, Raw(site) as clock:
        playing.hear_message()
        with Raw(site) as reading:
            reading.send(GET + b"\r\n")
            reading.hear_answer()
            # The server has waited in vain for this one: the others are older than that.
            assert clock.is_cut_off()
            reading.send(GET + b"\r\n")
            assert b" 200 " in reading.hear_answer()
        playing.say({"seq": 1, "verb": "open", "cell": [4, 4]})
        assert playing.hear_message()["ack"] == 1


def test_an_address_has_so_many_connections(site: ServedSite) -> None:
    refused = b""
    for _ in range(5):
        with ExitStack() as held:
            for _ in range(CONNECTIONS_OF_ADDRESS):
                held.enter_context(Raw(site, FOREIGN)).send(GET)
            one_too_many = held.enter_context(Raw(site, FOREIGN))
            # On a busy machine the first ones may have taken too long to send their request.
            with suppress(ConnectionError):
                refused = one_too_many.hear(b"\r\n\r\n")
                assert one_too_many.is_cut_off()
            with Raw(site, "127.0.0.3") as other:
                other.send(GET + b"\r\n")
                assert b" 200 " in other.hear_answer()
        if refused:
            break
    assert b" 429 " in refused
    while True:  # they are counted no more once the server has seen them go
        with Raw(site, FOREIGN) as again:
            again.send(GET + b"\r\n")
            if b" 200 " in again.hear_answer():
                return


def test_a_player_and_an_address_have_so_many_sockets(site: ServedSite) -> None:
    one, other = Player(site), Player(site)

    def first_word(player: Player, held: ExitStack) -> dict[str, Any]:
        heard: dict[str, Any] = held.enter_context(player.connect()).hear_message()
        return heard

    with ExitStack() as held:
        for _ in range(SOCKETS_OF_PLAYER):
            assert "hello" in first_word(one, held)
        bye = first_word(one, held)
        assert bye["bye"] == "too_many"
        assert f"at most {SOCKETS_OF_PLAYER} connections of one player" in bye["message"]
        for _ in range(SOCKETS_OF_ADDRESS - SOCKETS_OF_PLAYER):
            assert "hello" in first_word(other, held)
        bye = first_word(other, held)
        assert f"at most {SOCKETS_OF_ADDRESS} connections of one address" in bye["message"]
        with other.connect(address=FOREIGN) as elsewhere:
            assert "hello" in elsewhere.hear_message()
    while True:
        with one.connect() as again:
            if "hello" in again.hear_message():
                return


def test_who_does_not_read_is_cut_off_at_the_64th_message(site: ServedSite) -> None:
    player = Player(site, "256x256/6000")
    with player.connect("deaf") as deaf, player.connect("b") as playing:
        deaf.hear_message()
        playing.hear_message()
        playing.say({"seq": 1, "verb": "open", "cell": [99, 99]})
        # The whole board is sent each time.
        for number in range(2, 2 * MOST_WAITING):
            playing.hear_message()
            playing.say({"seq": number, "verb": "resume" if number % 2 else "pause"})
        playing.hear_message()
        until_reset(deaf)
        playing.say({"seq": 2 * MOST_WAITING, "verb": "flag", "cell": [0, 0]})
        assert playing.hear_message()["ack"] == 2 * MOST_WAITING


@pytest.mark.parametrize(
    ("opcode", "data"), [(0x89, bytes(125)), (0x00, b"")], ids=["pings", "endless message"]
)
def test_control_frames_fill_no_memory(site: ServedSite, opcode: int, data: bytes) -> None:
    with Player(site).connect() as raw:
        raw.hear_message()
        raw.say(b"", 0x01)
        for _ in range(400_000):
            try:
                raw.say(data, opcode)
            except ConnectionError:
                return
        pytest.fail("all of it was taken")


def test_a_server_has_so_many_connections(site: ServedSite) -> None:
    with ExitStack() as held:
        for _ in range(CONNECTIONS):
            held.enter_context(Raw(site)).send(GET)
        with Raw(site, FOREIGN) as one_too_many:
            assert b" 429 " in one_too_many.hear(b"\r\n\r\n")


@pytest.mark.parametrize("agrees", [True, False])
def test_who_is_told_that_the_server_stops_may_finish_its_sentence(
    tmp_path: Path, agrees: bool
) -> None:
    """A socket that is closed too early takes away what its client has not read yet."""
    seconds = PATIENCE if agrees else 0.5
    site = ServedSite(tmp_path, {"demine.web.connections:GOODBYE_SECONDS": seconds})
    assert site.process is not None
    with Player(site).connect() as raw:
        raw.hear_message()
        site.process.terminate()
        assert raw.hear_message() == {"bye": "restart", "message": ""}
        opcode, size = raw._take(2)
        reason = raw._take(size)
        assert (opcode, reason) == (0x88, (1012).to_bytes(2) + b"restart")
        if agrees:
            raw.say({"seq": 1, "verb": "open", "cell": [4, 4]})
            assert not select.select([raw.socket], [], [], 0.5)[0]
            raw.say(reason, 0x88)
        assert raw.socket.recv(1) == b"", "the connection was reset"
    site.process.wait(PATIENCE)


def test_what_a_client_said_is_not_lost_when_nobody_waits_any_more() -> None:
    async def work() -> list[object]:
        messages = ReceivedMessages()
        waiting = asyncio.create_task(messages.get())
        await asyncio.sleep(0)
        messages.put_nowait({"type": "websocket.receive", "text": "one"})
        waiting.cancel()
        await asyncio.wait({waiting})
        messages.put_nowait({"type": "websocket.receive", "text": "two"})
        taken = [await messages.get(), await messages.get()]
        assert messages.empty()
        later = asyncio.create_task(messages.get())
        await asyncio.sleep(0)
        messages.put_nowait({"type": "websocket.receive", "text": "three"})
        return [each.get("text") for each in (*taken, await later)]

    assert asyncio.run(work()) == ["one", "two", "three"]


@pytest.mark.parametrize("text", ["", "a", "\u00e9\u96f7" * 20, "x" * 125])
def test_a_short_text_is_read_as_the_library_writes_it(text: str) -> None:
    frame = Frame(Opcode.TEXT, text.encode()).serialize(mask=True)
    assert short_text(frame) == text


@pytest.mark.parametrize(
    "frame",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(Frame(Opcode.TEXT, b"ab").serialize(mask=False), id="no mask"),
        pytest.param(Frame(Opcode.TEXT, b"ab").serialize(mask=True)[:-1], id="cut"),
        pytest.param(Frame(Opcode.TEXT, b"ab").serialize(mask=True) + b"\x81", id="more"),
        pytest.param(Frame(Opcode.TEXT, b"ab", fin=False).serialize(mask=True), id="a part"),
        pytest.param(Frame(Opcode.CONT, b"ab").serialize(mask=True), id="the rest"),
        pytest.param(Frame(Opcode.BINARY, b"ab").serialize(mask=True), id="bytes"),
        pytest.param(Frame(Opcode.PING, b"ab").serialize(mask=True), id="ping"),
        pytest.param(Frame(Opcode.TEXT, b"\xff").serialize(mask=True), id="no UTF-8"),
        pytest.param(Frame(Opcode.TEXT, b"x" * 126).serialize(mask=True), id="long"),
        pytest.param(
            b"\xc1" + Frame(Opcode.TEXT, b"ab").serialize(mask=True)[1:], id="a reserved bit"
        ),
    ],
)
def test_whatever_else_comes_is_left_to_the_library(frame: bytes) -> None:
    assert short_text(frame) is None


@pytest.mark.parametrize("size", [0, 125, 126, 65535, 65536])
def test_a_text_is_written_as_the_library_writes_it(size: int) -> None:
    assert text_frame("x" * size) == Frame(Opcode.TEXT, b"x" * size).serialize(mask=False)


def test_messages_cut_anywhere_are_answered_in_their_order(site: ServedSite) -> None:
    pings = [json.dumps({"ping": number}).encode() for number in range(12)]
    whole = b"".join(Frame(Opcode.TEXT, each).serialize(mask=True) for each in pings[4:8])
    parts = [Frame(Opcode.TEXT, each).serialize(mask=True) for each in pings[:4]]
    parts += [whole[:3], whole[3:20], whole[20:]]
    for each in pings[8:]:
        parts.append(Frame(Opcode.TEXT, each[:5], fin=False).serialize(mask=True))
        parts.append(Frame(Opcode.CONT, each[5:]).serialize(mask=True))
    with Player(site).connect() as raw:
        raw.hear_message()
        raw.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for part in parts:
            raw.send(part)
            time.sleep(0.01)
        assert [raw.hear_message()["pong"] for _ in pings] == list(range(12))
