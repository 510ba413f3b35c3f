"""Dates and times in facts: ISO texts, which any file or hand may have written."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from demine.logic.metadata import Fact


def parse_datetime(fact: Fact) -> datetime | None:
    """Return the date and time that a fact says; None for what is none."""
    try:
        return datetime.fromisoformat(str(fact))
    except ValueError:
        return None


def parse_utc_datetime(fact: Fact) -> datetime | None:
    """Return the same with a time zone: UTC where the fact names none."""
    moment = parse_datetime(fact)
    return moment.replace(tzinfo=UTC) if moment is not None and moment.tzinfo is None else moment
