"""What a server has open and waiting, as figures for Prometheus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prometheus_client.core import Metric

    from demine.web.services import Services


class ServerState(Collector):
    """Reads the figures when somebody asks for the metrics in whose registry it is."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def collect(self) -> Iterator[Metric]:
        """Return one value of each kind."""
        services = self._services
        gauges = (
            ("connections", "Open connections of clients.", len(services.connections)),
            (
                "relayed_sockets",
                "Sockets between whose clients and home this process stands.",
                len(services.relay),
            ),
            ("open_games", "Games in memory.", len(services.open_games)),
            ("races", "Races in memory.", len(services.races)),
            ("solver_waiting", "Questions that wait for the solver.", services.solver.waiting),
            ("database_waiting", "Changes that wait to be written.", services.database.waiting),
        )
        for name, about, value in gauges:
            yield GaugeMetricFamily(f"demine_{name}", about, value=value)
        commits = services.database.commits
        yield CounterMetricFamily("demine_commits", "Transactions written.", value=commits.count)
        yield CounterMetricFamily(
            "demine_changes", "Changes that these transactions held.", value=commits.changes
        )
        yield CounterMetricFamily(
            "demine_commit_seconds", "Time it took to write them.", value=commits.seconds
        )
