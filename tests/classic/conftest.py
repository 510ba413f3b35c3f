"""Real windows for the tests of the classic scene; none is left behind."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from typing import Any

import pygame
import pytest

from demine.classic.window import Window
from demine.scene.translation import set_language
from tests.classic.desk import BEGINNER_7, Table

Sit = Callable[..., Table]


@pytest.fixture(autouse=True)
def letters() -> None:
    """Let the tests write what they expect to read."""
    pygame.font.init()


@pytest.fixture
def sit(xvfb: str) -> Iterator[Sit]:
    """A function that opens a window: `sit(*options, game=...)`; seeded beginner without any."""
    tables: list[Table] = []

    def start(*options: str, **how: Any) -> Table:
        table = Table(xvfb, *(options or BEGINNER_7.options), **how)
        tables.append(table)
        table.appear()
        return table

    yield start
    for table in tables:
        table.end()


@pytest.fixture
def window(xvfb: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Window]:
    """A window of the test's own process; in the end signals do what they did before."""
    monkeypatch.setenv("DISPLAY", xvfb)
    monkeypatch.setenv("SDL_VIDEODRIVER", "x11")
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield Window("demine")
    pygame.display.quit()
    signal.set_wakeup_fd(-1)
    for number, handler in before.items():
        signal.signal(number, handler)
    set_language("en")
