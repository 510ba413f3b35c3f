"""Local time of other zones."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

has_zones = pytest.mark.skipif(
    not hasattr(time, "tzset"), reason="only POSIX changes the zone of a process"
)


@contextmanager
def local_time(zone: str) -> Iterator[None]:
    """The local time of a zone, for this process."""
    before = os.environ.get("TZ")
    os.environ["TZ"] = zone
    time.tzset()
    try:
        yield
    finally:
        os.environ.pop("TZ")
        if before is not None:
            os.environ["TZ"] = before
        time.tzset()
