"""How long the messages of one connection were on their way, within bounds that help no cheat.

A client stamps its acts with a clock of its own. What came fastest shows how far that clock is from
the server's; whatever came later than that was held up, and counts as played as much earlier. It
is corrected by no more than half of the shortest round trip that the server measured itself, and
never by more than `MOST_MS`: somebody who lies about the stamps, or delays the round trips, gains
that much in a game at most.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

MOST_MS: Final = 100
"""The largest correction in milliseconds."""


class Latency:
    """The latency of one connection; `now` returns seconds of a monotonic clock."""

    __slots__ = ("_least_lag", "_least_round_trip", "_now")

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._least_round_trip: int | None = None
        self._least_lag: int | None = None
        """The least that a message came after its stamp; the two clocks differ by about that."""

    def now_ms(self) -> int:
        """Return the server's clock in milliseconds, which a ping carries."""
        return int(self._now() * 1000)

    def hear_pong(self, pinged_ms: int) -> None:
        """Note the answer to a ping that was sent at `pinged_ms`."""
        trip = self.now_ms() - pinged_ms
        if trip >= 0 and (self._least_round_trip is None or trip < self._least_round_trip):
            self._least_round_trip = trip

    def delay_ms(self, sent_ms: int | None) -> int:
        """Return how long ago an act with a client's stamp counts as played; 0 without a stamp."""
        if sent_ms is None:
            return 0
        lag = self.now_ms() - sent_ms
        if self._least_lag is None or lag < self._least_lag:
            self._least_lag = lag
        bound = min(MOST_MS, (self._least_round_trip or 0) // 2)
        return min(lag - self._least_lag, bound)
