"""Connections that one process passes to another on the same computer."""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import socket
import sys
from collections.abc import AsyncIterator, Iterator

import pytest

from demine.web.cluster import passed_sockets
from demine.web.cluster.passed_sockets import PassedSockets, abstract_name, pass_socket

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux passes connections")
ADDRESS = "http://127.0.0.1:4000"
REQUEST = b"GET /ws/games/x HTTP/1.1\r\n\r\n"


@pytest.fixture
def name() -> bytes:
    return abstract_name(secrets.token_bytes(32), ADDRESS)


@pytest.fixture
def connected() -> Iterator[tuple[socket.socket, socket.socket]]:
    """A server's end of a connection, and its client's."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        client = socket.create_connection(listener.getsockname())
        served, _ = listener.accept()
    with client, served:
        client.settimeout(30)
        yield served, client


class Taken:
    """What a process was passed."""

    def __init__(self) -> None:
        self.connections: list[socket.socket] = []
        self.requests: list[bytes] = []
        self._heard = asyncio.Event()

    def __call__(self, connection: socket.socket, request: bytes) -> None:
        self.connections.append(connection)
        self.requests.append(request)
        self._heard.set()

    async def until(self, count: int) -> None:
        async with asyncio.timeout(30):
            while len(self.requests) < count:
                self._heard.clear()
                await self._heard.wait()


@contextlib.asynccontextmanager
async def taking(name: bytes) -> AsyncIterator[Taken]:
    taken = Taken()
    passed = PassedSockets(name, taken)
    try:
        yield taken
    finally:
        passed.close()
        for each in taken.connections:
            each.close()


def test_a_connection_goes_on_in_the_other_process(
    name: bytes, connected: tuple[socket.socket, socket.socket]
) -> None:
    served, client = connected

    async def test() -> None:
        async with taking(name) as taken:
            assert pass_socket(name, served.fileno(), REQUEST)
            served.close()
            await taken.until(1)
            (passed,) = taken.connections
            assert taken.requests == [REQUEST]
            assert passed.getpeername() == client.getsockname()
            assert not os.get_inheritable(passed.fileno())
            client.sendall(b"ping")
            assert passed.recv(4) == b"ping"
            passed.sendall(b"pong")
            assert client.recv(4) == b"pong"
            passed.close()
            assert client.recv(1) == b""

    asyncio.run(test())


def test_a_thousand_at_once_are_all_taken(
    name: bytes, connected: tuple[socket.socket, socket.socket]
) -> None:
    served, _ = connected

    async def test() -> None:
        async with taking(name) as taken:
            for number in range(1000):
                assert pass_socket(name, served.fileno(), b"%d" % number)
            await taken.until(1000)
            assert taken.requests == [b"%d" % number for number in range(1000)]

    asyncio.run(test())


def test_what_was_passed_is_taken_at_the_end_and_nothing_afterwards(
    name: bytes, connected: tuple[socket.socket, socket.socket]
) -> None:
    served, _ = connected

    async def test() -> None:
        async with taking(name) as taken:
            assert pass_socket(name, served.fileno(), REQUEST)
        assert taken.requests == [REQUEST]
        assert not pass_socket(name, served.fileno(), REQUEST)

    asyncio.run(test())


def test_a_connection_stays_where_nobody_takes_it(
    name: bytes, connected: tuple[socket.socket, socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    served, client = connected

    async def test() -> None:
        async with taking(name) as taken:
            assert not pass_socket(abstract_name(b"another key", ADDRESS), served.fileno(), REQUEST)
            assert not pass_socket(name, served.fileno(), b"x" * (1 << 20))
            monkeypatch.setattr(os, "getuid", lambda: 12345)
            assert not pass_socket(name, served.fileno(), REQUEST)
            await asyncio.sleep(0.01)
            assert not taken.requests

    asyncio.run(test())
    client.sendall(b"ping")
    assert served.recv(4) == b"ping"


def test_what_somebody_else_passes_is_not_taken(
    name: bytes, connected: tuple[socket.socket, socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    served, client = connected
    is_asked = iter([True, False])
    monkeypatch.setattr(passed_sockets, "_is_own", lambda _: next(is_asked))

    async def test() -> None:
        async with taking(name) as taken:
            assert pass_socket(name, served.fileno(), REQUEST)
            served.close()
            async with asyncio.timeout(30):
                assert await asyncio.get_running_loop().run_in_executor(None, client.recv, 1) == b""
            assert not taken.requests

    asyncio.run(test())


def test_one_who_connects_and_passes_nothing_holds_up_nobody(
    name: bytes, connected: tuple[socket.socket, socket.socket]
) -> None:
    served, _ = connected

    async def test() -> None:
        async with taking(name) as taken:
            with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as silent:
                silent.connect(name)
                assert pass_socket(name, served.fileno(), REQUEST)
                await taken.until(1)
                silent.sendall(b"no connection")
            assert pass_socket(name, served.fileno(), b"")
            with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as gone:
                gone.connect(name)
            assert pass_socket(name, served.fileno(), REQUEST)
            await taken.until(2)

    asyncio.run(test())


def test_a_name_that_is_taken_is_told_and_does_without(
    name: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    async def test() -> None:
        async with taking(name), taking(name):
            assert "handed on, not passed" in caplog.text

    asyncio.run(test())
