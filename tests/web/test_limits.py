"""Token buckets, and bodies that are too large or too slow."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from starlette.requests import Request

from demine.web import limits
from demine.web.errors import TooLarge, TooMany, TooSlow
from demine.web.limits import Buckets, Rate, address_of, read_body


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_bucket_is_emptied_and_fills_again() -> None:
    clock = Clock()
    buckets = Buckets(Rate(burst=3, per_minute=60), clock)
    for _ in range(3):
        buckets.take("one")
    with pytest.raises(TooMany, match="try again in 1 s") as refused:
        buckets.take("one")
    assert refused.value.seconds == 1
    buckets.take("other")
    clock.now += 0.5
    with pytest.raises(TooMany):
        buckets.take("one")
    clock.now += 0.5
    buckets.take("one")
    clock.now += 3600
    for _ in range(3):
        buckets.take("one")
    with pytest.raises(TooMany):
        buckets.take("one")


def test_refused_requests_cost_nothing() -> None:
    clock = Clock()
    buckets = Buckets(Rate(burst=2, per_minute=60), clock)
    buckets.take("one", 2)
    for _ in range(100):
        with pytest.raises(TooMany):
            buckets.take("one", 2)
    clock.now += 2
    buckets.take("one", 2)


def test_few_clients_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_MOST_CLIENTS", 10)
    buckets = Buckets(Rate(burst=1, per_minute=1), Clock())
    for number in range(1000):
        buckets.take(str(number))
    assert len(buckets._levels) == 10


def request(*parts: bytes, host: str = "127.0.0.1", wait: float = 0, **headers: str) -> Request:
    async def messages() -> AsyncIterator[dict[str, object]]:
        for part in parts:
            await asyncio.sleep(wait)
            yield {"type": "http.request", "body": part, "more_body": True}
        yield {"type": "http.request", "body": b"", "more_body": False}

    stream = messages()
    named = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return Request(
        {"type": "http", "method": "POST", "headers": named, "client": (host, 1)},
        stream.__anext__,
    )


def test_body_within_the_limit() -> None:
    assert asyncio.run(read_body(request(b"ab", b"cd"), 4)) == b"abcd"


def test_too_large_body_is_refused_at_the_limit() -> None:
    with pytest.raises(TooLarge, match="at most 1 MB"):
        asyncio.run(read_body(request(*[b"x" * 1024] * 1025), 1 << 20))


@pytest.mark.parametrize("length", ["65537", "9" * 5000, "-1", "1e3", "", "٣"])
def test_said_length_is_judged_before_anything_is_read(length: str) -> None:
    async def never() -> dict[str, object]:
        raise AssertionError("read")

    scope = {"type": "http", "headers": [(b"content-length", length.encode("utf-8"))]}
    with pytest.raises(TooLarge, match="at most 64 kB"):
        asyncio.run(read_body(Request(scope, never), 1 << 16))


def test_slow_body_is_given_up() -> None:
    with pytest.raises(TooSlow):
        asyncio.run(read_body(request(*[b"x"] * 1000, wait=0.05), 4096, seconds=0.2))


@pytest.mark.parametrize(
    ("host", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:0db8:0001:0002"),
        ("2001:db8:1:2:ffff::1", "2001:0db8:0001:0002"),
        ("not an address", "not an address"),
    ],
)
def test_addresses_of_one_customer_count_together(host: str, counted: str) -> None:
    assert address_of(request(host=host)) == counted
