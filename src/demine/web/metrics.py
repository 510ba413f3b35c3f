"""The figures of a server, in the form that Prometheus reads."""

from __future__ import annotations

import asyncio
import time
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Histogram, Info
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
from prometheus_client.process_collector import ProcessCollector

from demine import __version__

MEDIA_TYPE: Final = CONTENT_TYPE_PLAIN_0_0_4
_BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
"""Upper bounds of durations in seconds; what players notice lies in the middle."""
_LOOK_S: Final = 0.25
"""How often the delay of the event loop is measured."""


class Metrics:
    """What is counted and timed while a server works. Names and units follow Prometheus."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.act_seconds = Histogram(
            "demine_act_seconds",
            "Time from the arrival of an act to its answer, which comes once it is on the disk.",
            registry=self.registry,
            buckets=_BUCKETS,
        )
        self.request_seconds = Histogram(
            "demine_request_seconds",
            "Time of requests over HTTP, by their door.",
            ["method", "path"],
            registry=self.registry,
            buckets=_BUCKETS,
        )
        self.responses = Counter(
            "demine_responses",
            "Answers to requests over HTTP, by their door and status.",
            ["method", "path", "status"],
            registry=self.registry,
        )
        self.event_loop_delay_seconds = Histogram(
            "demine_event_loop_delay_seconds",
            "How much later than asked for the event loop came back to a task.",
            registry=self.registry,
            buckets=_BUCKETS,
        )
        program = Info("demine", "The program that serves.", registry=self.registry)
        program.info({"version": __version__})
        ProcessCollector(registry=self.registry)

    def count_response(self, method: str, path: str, status: int, seconds: float) -> None:
        """Count the answer to a request; `path` is the door's, with `{}` where ids stand."""
        self.request_seconds.labels(method, path).observe(seconds)
        self.responses.labels(method, path, status).inc()

    async def watch_event_loop(self) -> None:
        """Measure the delay of the event loop, until cancelled."""
        while True:
            due = time.perf_counter() + _LOOK_S
            await asyncio.sleep(_LOOK_S)
            self.event_loop_delay_seconds.observe(max(0.0, time.perf_counter() - due))

    def text(self) -> bytes:
        """Return all figures as they are now."""
        return generate_latest(self.registry)
