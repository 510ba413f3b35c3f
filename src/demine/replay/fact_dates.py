"""Dates and times in facts: ISO texts, which may be wrong."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from demine.logic.metadata import Fact


def parse_datetime(fact: Fact) -> datetime | None:
    """Parse the ISO date and time of a fact; None if it is not one."""
    try:
        return datetime.fromisoformat(str(fact))
    except ValueError:
        return None


def parse_utc_datetime(fact: Fact) -> datetime | None:
    """Parse the date and time of a fact, taken as UTC if it has no time zone; None if not one."""
    moment = parse_datetime(fact)
    return moment.replace(tzinfo=UTC) if moment is not None and moment.tzinfo is None else moment
