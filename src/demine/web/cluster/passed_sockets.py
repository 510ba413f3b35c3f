"""Passes a client's connection to another process of the same computer, which goes on with it.

A process that is asked for what lives in another one need not stand between for hours: as long as
nothing is answered, it gives the connection away, and the other process answers as if the client
had come there. Both are of one user, and meet at a name that follows from the server's key and the
address of the other. Linux has what that takes (unix(7)): file descriptors in messages (SCM_RIGHTS)
that stay apart (`SOCK_SEQPACKET`), and abstract names, for which there is no file. Elsewhere, and
between computers, a `Relay` stands between.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import os
import socket
import struct
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

_LOG: Final = logging.getLogger("demine.web")
_IS_POSSIBLE: Final = sys.platform == "linux"
_PURPOSE: Final = b"demine passed sockets 1\0"
_BACKLOG: Final = 2048
_LONGEST: Final = 1 << 17
"""Bytes of the longest request that is passed with its connection."""
_CREDENTIALS: Final = struct.Struct("3i")
"""A process, its user and its group."""


def abstract_name(key: bytes, address: str) -> bytes:
    """Return the name at which the process with an address listens to those with its key."""
    return b"\0demine " + hmac.digest(key, _PURPOSE + address.encode(), "sha256").hex().encode()


def pass_socket(name: bytes, file: int, request: bytes) -> bool:
    """Pass an open connection with the request that came on it to the process of a name.

    Return False if it is not there, has much to do or is somebody else's: the connection is still
    here then. Otherwise, the caller closes `file`, which does not end the connection.
    """
    if not _IS_POSSIBLE or len(request) > _LONGEST:
        return False
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as sending, suppress(OSError):
        sending.setblocking(False)
        sending.connect(name)
        if _is_own(sending):
            socket.send_fds(sending, [request], [file])
            return True
    return False


class PassedSockets:
    """What other processes pass to the one of a name; `take` goes on with each connection.

    Nothing is passed where the system cannot do it.
    """

    def __init__(self, name: bytes, take: Callable[[socket.socket, bytes], None]) -> None:
        self._take = take
        self._loop = asyncio.get_running_loop()
        self._listener: socket.socket | None = None
        if _IS_POSSIBLE:
            try:
                self._listener = self._listen(name)
            except OSError as error:
                _LOG.warning("connections are handed on, not passed: %s", error)

    def close(self) -> None:
        """Take what was passed already, and nothing more."""
        if self._listener is not None:
            self._loop.remove_reader(self._listener)
            self._accept_all()
            self._listener.close()

    def _listen(self, name: bytes) -> socket.socket:
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            listener.bind(name)
            listener.listen(_BACKLOG)
        except OSError:
            listener.close()
            raise
        listener.setblocking(False)
        self._loop.add_reader(listener, self._accept_all)
        return listener

    def _accept_all(self) -> None:
        with suppress(OSError):  # there are no more
            while self._listener is not None:
                passing, _ = self._listener.accept()
                passing.setblocking(False)
                # What is passed comes right after, if it is not here yet.
                self._loop.add_reader(passing, self._receive, passing)
                self._receive(passing)

    def _receive(self, passing: socket.socket) -> None:
        try:
            request, files, *_ = socket.recv_fds(passing, _LONGEST, 1)
        except BlockingIOError:
            return
        except OSError:
            request, files = b"", []
        self._loop.remove_reader(passing)
        for file in files:
            os.set_inheritable(file, False)
            connection = socket.socket(fileno=file)
            if request and _is_own(passing):
                self._take(connection, request)
            else:
                connection.close()
        passing.close()


def _is_own(other: socket.socket) -> bool:
    """Return whether the other end belongs to the user of this process."""
    found = other.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    _, user, _ = _CREDENTIALS.unpack(found)
    return bool(user == os.getuid())
