"""The figures of all processes of a server in one text, each with the number of its process."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from prometheus_client import CollectorRegistry
from prometheus_client.core import Metric
from prometheus_client.exposition import generate_latest
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.registry import Collector

from demine.web.cluster.peers import hops_of
from demine.web.homes import Elsewhere

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from starlette.requests import Request

    from demine.web.homes import Member
    from demine.web.services import Services

_LABEL: Final = "process"


async def figures(request: Request, services: Services) -> bytes:
    """Return the figures of all processes that answer; those of this one if another one asks."""
    own, me = services.metrics.text(), services.homes.me
    if me is None or hops_of(request):
        return own
    texts = {me: own}

    async def ask(member: Member) -> None:
        with suppress(Elsewhere):
            texts[member.num] = await services.relay.read(request, member, "/metrics")

    await asyncio.gather(*(ask(each) for each in services.homes.members if each.num != me))
    return merge(texts)


def merge(texts: Mapping[int, bytes]) -> bytes:
    """Return the figures of processes, by their numbers, as one text."""
    found: dict[str, Metric] = {}
    for num, text in sorted(texts.items()):
        for family in text_string_to_metric_families(text.decode()):
            kept = found.setdefault(
                family.name, Metric(family.name, family.documentation, family.type)
            )
            for each in family.samples:
                kept.add_sample(each.name, {**each.labels, _LABEL: str(num)}, each.value)
    registry = CollectorRegistry()
    registry.register(_Found(found.values()))
    return generate_latest(registry)


class _Found(Collector):
    """Families that were read already."""

    def __init__(self, families: Iterable[Metric]) -> None:
        self._families = list(families)

    def collect(self) -> Iterable[Metric]:
        return self._families
