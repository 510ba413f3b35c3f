"""Real terminals for the tests of the terminal scene; none is left behind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.terminal.teletype import Teletype

Sit = Callable[..., Teletype]


@pytest.fixture
def sit() -> Iterator[Sit]:
    """A function that starts the game at a terminal: `sit(*options, game=..., size=...)`."""
    tables: list[Teletype] = []

    def start(*options: str, **how: Any) -> Teletype:
        table = Teletype(*options, **how)
        tables.append(table)
        return table

    yield start
    for table in tables:
        table.end()
