"""What systemd, and whoever speaks as it does, gives a service and wants to hear from it.

The protocols are those of `sd_listen_fds(3)` and `sd_notify(3)`.
"""

from __future__ import annotations

import os
import socket
from typing import Final, Literal

_FIRST_FD: Final = 3


def inherited_listener() -> socket.socket | None:
    """Return the socket that listens for this process already; None if it has to make its own.

    Whoever connects to it while a server is started again waits, and is not refused.
    """
    if os.environ.get("LISTEN_PID") != str(os.getpid()) or os.environ.get("LISTEN_FDS") != "1":
        return None
    listener = socket.socket(fileno=_FIRST_FD)
    listener.setblocking(False)
    os.set_inheritable(_FIRST_FD, False)
    return listener


def tell_service_manager(state: Literal["READY=1", "STOPPING=1"]) -> None:
    """Tell it how far this service is, if one listens."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    name = f"\0{address[1:]}" if address.startswith("@") else address
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        sender.sendto(state.encode(), name)
