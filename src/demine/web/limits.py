"""How much one client may ask for: token buckets, sizes of bodies and the time to send them."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, OrderedDict
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from math import ceil, floor
from typing import TYPE_CHECKING, Final

from demine.scene.translation import mark
from demine.web.errors import TooLarge, TooMany, TooSlow

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from starlette.requests import HTTPConnection, Request

BODY_SECONDS: Final = 30.0
"""How long a body may take to arrive."""
JSON_BYTES: Final = 1 << 16
"""The largest body of a request in JSON."""
SOCKETS_OF_PLAYER: Final = 16
"""How many sockets of games one player may have open: pages, devices, programs."""
SOCKETS_OF_ADDRESS: Final = 256
"""The same of one address: a class behind one router."""
OVERLAYS_OF_PLAYER: Final = 8
"""How many sockets may show the games of one player in overlays."""
WATCHERS_OF_RACE: Final = 128
"""How many sockets may tell of one race: those of its players and of spectators."""
_MOST_CLIENTS: Final = 1 << 16
"""How many clients are remembered; who has not been seen for longest is forgotten first."""


@dataclass(frozen=True, slots=True)
class Rate:
    """How much a client may do: `burst` at once, and `per_minute` in the long run."""

    burst: float
    per_minute: float


ADDRESS_RATE: Final = Rate(burst=1200, per_minute=6000)
"""Of one address: a class behind one router plays at once. A plain request costs 1."""
PLAYER_RATE: Final = Rate(burst=120, per_minute=240)
NEW_PLAYER_RATE: Final = Rate(burst=120, per_minute=6)
"""New players of one address."""
MESSAGE_RATE: Final = Rate(burst=2000, per_minute=6000)
"""Messages of one player over the sockets of games."""
SIGNAL_RATE: Final = Rate(burst=6, per_minute=60)
"""Cells that one player of a co-op game has everybody look at."""
HELP_RATE: Final = Rate(burst=30, per_minute=30)
"""Questions of one player to the solver."""
WORK_RATE: Final = Rate(burst=20, per_minute=6)
"""Files to read, reviews and downloads of one player."""
DEAL_RATE: Final = Rate(burst=60, per_minute=60)
"""Guess-free boards that are searched for one player."""
SOLVER_RATE: Final = Rate(burst=30, per_minute=20)
"""Seconds for which the solver works for one player."""
SOLVER_ADDRESS_RATE: Final = Rate(burst=300, per_minute=120)
"""The same for one address."""
QUESTIONS_OF_PLAYER: Final = 4
"""How many questions of one player may wait for the solver."""
QUESTIONS_OF_ADDRESS: Final = 32


class Buckets:
    """One token bucket for each client: full at first, refilled with time.

    `now` tells the time in seconds; `refusal` is what somebody hears whose bucket is empty.
    """

    def __init__(
        self,
        rate: Rate,
        now: Callable[[], float] = time.monotonic,
        refusal: str = mark("too many requests: try again in {seconds} s"),
    ) -> None:
        self._rate = rate
        self._now = now
        self._refusal = refusal
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """What is left in each bucket, and when that was worked out."""

    def take(self, client: str, cost: float = 1.0) -> None:
        """Take `cost` out of a client's bucket; raises `TooMany` if there is not as much in it."""
        level, now = self._level(client)
        if level < cost:
            wait = ceil((cost - level) * 60 / self._rate.per_minute)
            raise TooMany(self._refusal, seconds=wait)
        self._levels[client] = level - cost, now

    def allows(self, client: str) -> bool:
        """Do as `take`, and return whether there was as much in the bucket."""
        try:
            self.take(client)
        except TooMany:
            return False
        return True

    def require(self, client: str) -> None:
        """Take nothing; raises `TooMany` if nothing is left in a client's bucket."""
        level, _ = self._level(client)
        if level <= 0:
            wait = floor(-level * 60 / self._rate.per_minute) + 1
            raise TooMany(self._refusal, seconds=wait)

    def charge(self, client: str, cost: float) -> None:
        """Take out what a client has used, be there as much or not."""
        level, now = self._level(client)
        self._levels[client] = level - cost, now

    def share_left(self, client: str) -> float:
        """Return how full a client's bucket is: 1 if it is full, negative for one who owes."""
        level, _ = self._level(client)
        return level / self._rate.burst

    def _level(self, client: str) -> tuple[float, float]:
        """Return what is in a client's bucket now, and the time; it counts as seen now."""
        now, most = self._now(), self._rate.burst
        known = self._levels.get(client)
        if known is None:
            self._levels[client] = most, now
            if len(self._levels) > _MOST_CLIENTS:
                self._levels.popitem(last=False)
            return most, now
        self._levels.move_to_end(client)
        level, since = known
        return min(most, level + (now - since) * self._rate.per_minute / 60), now


class Places:
    """How many of something each client may hold at the same time.

    `refusal` says so in a sentence, with `{most}`.
    """

    def __init__(self, most: int, refusal: str) -> None:
        self._most = most
        self._refusal = refusal
        self._held: Counter[str] = Counter()

    def hold(self, client: str) -> AbstractContextManager[None]:
        """Return a context that holds one more for a client; to enter it raises `TooMany`."""
        return _HeldPlace(self, client)

    def take(self, client: str) -> None:
        """Hold one more for a client; raises `TooMany`."""
        if self._held[client] >= self._most:
            raise TooMany(self._refusal, most=self._most)
        self._held[client] += 1

    def give_back(self, client: str) -> None:
        """Hold one less for a client."""
        self._held[client] -= 1
        if not self._held[client]:
            del self._held[client]


class _HeldPlace:
    """One place; no generator, which takes several times the memory for as long as it is held."""

    __slots__ = ("_client", "_places")

    def __init__(self, places: Places, client: str) -> None:
        self._places = places
        self._client = client

    def __enter__(self) -> None:
        self._places.take(self._client)

    def __exit__(self, *_: object) -> None:
        self._places.give_back(self._client)


class Limits:
    """All buckets and places of a server."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self.addresses = Buckets(ADDRESS_RATE, now)
        self.players = Buckets(PLAYER_RATE, now)
        self.new_players = Buckets(NEW_PLAYER_RATE, now)
        self.messages = Buckets(MESSAGE_RATE, now)
        self.signals = Buckets(SIGNAL_RATE, now)
        self.help = Buckets(HELP_RATE, now)
        self.work = Buckets(WORK_RATE, now)
        self.deals = Buckets(DEAL_RATE, now)
        used_up = mark("the solver has worked enough for you: try again in {seconds} s")
        self.solver_of_players = Buckets(SOLVER_RATE, now, used_up)
        self.solver_of_addresses = Buckets(SOLVER_ADDRESS_RATE, now, used_up)
        waiting = mark("at most {most} questions to the solver can wait for an answer")
        self.questions_of_players = Places(QUESTIONS_OF_PLAYER, waiting)
        self.questions_of_addresses = Places(QUESTIONS_OF_ADDRESS, waiting)
        self.sockets_of_players = Places(
            SOCKETS_OF_PLAYER, mark("at most {most} connections of one player can be open")
        )
        self.sockets_of_addresses = Places(
            SOCKETS_OF_ADDRESS, mark("at most {most} connections of one address can be open")
        )
        self.overlays_of_players = Places(
            OVERLAYS_OF_PLAYER, mark("at most {most} overlays of one player can be open")
        )
        self.watchers_of_races = Places(
            WATCHERS_OF_RACE, mark("at most {most} can look at a race at the same time")
        )
        self.large_bodies = asyncio.Semaphore(4)
        """Held while a body larger than `JSON_BYTES` is read, so that few are in memory."""


def address_of(connection: HTTPConnection) -> str:
    """Return what the address of a client is counted by, as `counted_address` does."""
    return counted_address("" if connection.client is None else connection.client.host)


def counted_address(host: str) -> str:
    """Return what an address is counted by: of IPv6 the network that one customer has."""
    try:
        address = ip_address(host)
    except ValueError:  # a socket in the file system
        return host
    if not isinstance(address, IPv6Address):
        return str(address)
    mapped = address.ipv4_mapped
    return str(mapped) if mapped else address.exploded[:19]


async def read_body(request: Request, most: int, seconds: float | None = None) -> bytes:
    """Return the body of a request.

    Raises `TooLarge` before reading what says that it has more than `most` bytes, and as soon as it
    has; `TooSlow` if it is not there after `seconds`, which are `BODY_SECONDS` if not said.
    """
    seconds = BODY_SECONDS if seconds is None else seconds
    said = request.headers.get("content-length", "0")
    if not said.isdecimal() or int(said[:20]) > most:
        raise _too_large(most)
    body = bytearray()
    try:
        async with asyncio.timeout(seconds):
            async for part in request.stream():
                body += part
                if len(body) > most:
                    raise _too_large(most)
    except TimeoutError:
        raise TooSlow("this took too long to arrive: {seconds:.0f} s", seconds=seconds) from None
    return bytes(body)


def _too_large(most: int) -> TooLarge:
    if most >= 1 << 20:
        return TooLarge("this is too large: at most {size} MB", size=most >> 20)
    return TooLarge("this is too large: at most {size} kB", size=most >> 10)
