"""Real windows and widgets for the tests of the desktop; none is left behind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from demine.desktop.window.main_window import MainWindow
from demine.play.unsaved_games_at_exit import opened_store
from demine.store import Store
from tests.desktop.desk import Desk, seeded
from tests.desktop.dialogs_desk import app  # noqa: F401  (a fixture of every test here)
from tests.desktop.room import room

Sit = Callable[..., Desk]


@pytest.fixture
def sit(xvfb: str) -> Iterator[Sit]:
    """A function that opens a window: `sit(*options, game=...)`; seeded beginner without any."""
    desks: list[Desk] = []

    def start(*options: str, **how: Any) -> Desk:
        desk = Desk(xvfb, *(options or seeded()), **how)
        desks.append(desk)
        desk.appear()
        return desk

    yield start
    for desk in desks:
        desk.end()


@pytest.fixture
def lamps() -> None:
    """Counter and clock on lamps, which a test can read off the screen."""
    with opened_store() as (store, _):
        store.settings.set("digits", "led")


@pytest.fixture
def store() -> Iterator[Store]:
    """A new player's records, in memory."""
    with Store.memory() as store:
        yield store


@pytest.fixture
def window() -> Iterator[MainWindow]:
    """The window with an untouched beginner's board, in this process."""
    with room() as opened:
        yield opened
