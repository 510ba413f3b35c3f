"""The processes that serve a database of PostgreSQL together, in its own terms.

A member holds an advisory lock with its number. The lock goes with the connection that took it, so
that whoever is killed takes no part any more, at once on the same computer and after some seconds
on another one that lost its power.
"""

from __future__ import annotations

import socket
from ipaddress import ip_address
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import psycopg

from demine.store.utc_text import utc_now_text
from demine.web.cluster.news import CHANNEL
from demine.web.database.postgres import KEEPALIVE
from demine.web.errors import DatabaseError
from demine.web.homes import Member

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import LiteralString

    from psycopg import Connection
    from sqlalchemy import URL

LOOK_AGAIN: Final = ""
"""Told at `CHANNEL` when somebody comes or goes; every other text is news."""
_LOCK_CLASS: Final = 0x644D5376
_OWN_KEEPALIVE: Final = {
    "keepalives_idle": "5",
    "keepalives_interval": "2",
    "keepalives_count": "3",
    "tcp_user_timeout": "10000",
}
"""How soon a process notices that it is cut off, and that others take over: not much later."""
_CONNECT_S: Final = 10
_INSERT: Final = """
    INSERT INTO members (num, address, computer, since) VALUES (%s, %s, %s, %s)
"""
_WITH_LOCKED: Final = """
    WITH locked AS (
        SELECT objid::bigint AS num FROM pg_locks
        WHERE locktype = 'advisory' AND classid = %s::oid AND objsubid = 2 AND granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    )
"""
_ALIVE: Final = f"""{_WITH_LOCKED}
    SELECT num, address, computer FROM members JOIN locked USING (num) ORDER BY num
"""  # noqa: S608 - of constants
# In one statement, and members lock before they insert: nobody deletes who is about to join.
_FORGET_DEAD: Final = f"""{_WITH_LOCKED}
    DELETE FROM members WHERE num NOT IN (SELECT num FROM locked)
"""  # noqa: S608 - of constants


def connect(url: URL) -> Connection:
    """Return a connection of its own for a member; raises `psycopg.Error`."""
    own = url.set(drivername="postgresql").update_query_dict(_OWN_KEEPALIVE)
    return psycopg.connect(
        own.render_as_string(hide_password=False),
        autocommit=True,
        connect_timeout=_CONNECT_S,
        application_name="demine member",
        options=KEEPALIVE,
    )


def join(connection: Connection, address: str) -> int:
    """Take part from now on, and forget those who are dead; return one's number.

    Raises `DatabaseError` if another computer takes part, and they cannot reach each other.
    """
    sequence = "SELECT nextval(pg_get_serial_sequence('members', 'num'))"
    num = _number(connection, sequence)
    connection.execute("SELECT pg_advisory_lock(%s, %s)", [_LOCK_CLASS, num])
    connection.execute(_INSERT, [num, address, socket.gethostname(), utc_now_text()])
    others = connection.execute(_ALIVE, [_LOCK_CLASS]).fetchall()
    try:
        _check_reach(address, ((str(row[1]), str(row[2])) for row in others))
    except DatabaseError:
        leave(connection, num)
        raise
    connection.execute(_FORGET_DEAD, [_LOCK_CLASS])
    connection.execute(f"LISTEN {CHANNEL}")
    _notify(connection)
    return num


def members_alive(connection: Connection) -> tuple[Member, ...]:
    """Return who takes part, by numbers."""
    return tuple(Member(row[0], row[1]) for row in connection.execute(_ALIVE, [_LOCK_CLASS]))


def leave(connection: Connection, num: int) -> None:
    """Take part no more."""
    connection.execute("DELETE FROM members WHERE num = %s", [num])
    connection.execute("SELECT pg_advisory_unlock(%s, %s)", [_LOCK_CLASS, num])
    _notify(connection)


def _notify(connection: Connection) -> None:
    connection.execute("SELECT pg_notify(%s, %s)", [CHANNEL, LOOK_AGAIN])


def _number(connection: Connection, query: LiteralString) -> int:
    row = connection.execute(query).fetchone()
    return 0 if row is None else int(row[0])


def _check_reach(address: str, others: Iterable[tuple[str, str]]) -> None:
    """Raise `DatabaseError` if one of two computers can only be reached from itself."""
    for other, computer in others:
        is_far = computer != socket.gethostname()
        if is_far and (_is_loopback(address) or _is_loopback(other)):
            raise DatabaseError(
                "the computer {computer} serves this database too: start both with --peer-host and "
                "the address at which each reaches the other",
                computer=computer,
            )


def _is_loopback(address: str) -> bool:
    host = urlsplit(address).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
