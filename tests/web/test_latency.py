"""The correction of an act's time: what came late counts earlier, within bounds."""

from __future__ import annotations

import pytest

from demine.web.latency import MOST_MS, Latency


class Wire:
    """A server's clock, and a client whose clock is 5 s behind."""

    def __init__(self) -> None:
        self.server_ms = 100_000
        self.latency = Latency(lambda: self.server_ms / 1000)

    def round_trip(self, ms: int) -> None:
        pinged = self.latency.now_ms()
        self.server_ms += ms
        self.latency.hear_pong(pinged)

    def act(self, sent_ms: int, on_its_way_ms: int) -> int:
        """How much earlier an act counts that was sent at a time of the client's clock."""
        self.server_ms = sent_ms + 5000 + on_its_way_ms
        return self.latency.delay_ms(sent_ms)


def test_what_is_held_up_counts_as_sent() -> None:
    wire = Wire()
    wire.round_trip(80)
    assert wire.act(200_000, 40) == 0
    assert wire.act(201_000, 65) == 25
    assert wire.act(202_000, 40) == 0


@pytest.mark.parametrize(("trip", "bound"), [(30, 15), (2 * MOST_MS, MOST_MS), (5000, MOST_MS)])
def test_the_correction_is_bounded_by_what_the_server_measured(trip: int, bound: int) -> None:
    wire = Wire()
    wire.round_trip(trip)
    wire.act(200_000, 0)
    assert wire.act(201_000, 3000) == bound
    assert wire.act(1, 300_000) == bound


def test_nothing_is_corrected_that_was_not_measured() -> None:
    wire = Wire()
    wire.act(200_000, 0)
    assert wire.act(201_000, 90) == 0
    assert wire.latency.delay_ms(None) == 0


def test_a_round_trip_from_the_future_is_no_measurement() -> None:
    wire = Wire()
    wire.latency.hear_pong(wire.server_ms + 60_000)
    wire.act(200_000, 0)
    assert wire.act(201_000, 90) == 0
