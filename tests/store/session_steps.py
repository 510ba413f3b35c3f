"""Sessions played by the tests of saving, and the fixtures that they share."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from demine.logic.event import Verb
from demine.play.clock import Clock
from demine.play.game_session import GameSession
from demine.scene.preferences import Preferences, StartOptions
from demine.store import Store
from tests.store.playing import SMALL, safe_cells

BLOCKED: Final = "nowhere/to/be/found"


class ManualTime:
    """Seconds that pass when told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait only briefly for a lock, for a file, or at the end of the program."""
    monkeypatch.setattr("demine.store.self_replacing_database._WRITE_WAIT_S", 0.05)
    monkeypatch.setattr("demine.store.self_replacing_database._RETRY_AFTER_S", 0.0)
    monkeypatch.setattr("demine.play.unsaved_games_at_exit.TRY_FOR_S", 0.3)


@pytest.fixture
def path(data_dir: Path) -> Path:
    """Where the player's database lies."""
    return data_dir / "demine.db"


@pytest.fixture
def time() -> ManualTime:
    """Time that a test moves on."""
    return ManualTime()


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for games that cannot be written beside their database."""
    monkeypatch.setenv("TMPDIR", str(tmp_path / "none"))
    return tmp_path / "state" / "demine"


def session_in_play(store: Store, time: ManualTime) -> GameSession:
    """Begin a session whose first game has an opening and is not over."""
    session = GameSession.begin(
        store, StartOptions(new=True), Preferences(rules=str(SMALL)), Clock(time)
    )
    session.begin_new_game(SMALL)
    session.play(Verb.OPEN, 0, 0)
    while session.game.status.over:
        session.begin_new_game(SMALL)
        session.play(Verb.OPEN, 0, 0)
    return session


def win_session(session: GameSession) -> None:
    """Open every safe cell."""
    while not session.game.status.over:
        session.play(Verb.OPEN, *safe_cells(session.game)[0])


def results_in(path: Path) -> list[str | None]:
    """Return how the games in a database count."""
    with Store.open(path) as store:
        return [row.result for row in store.games(limit=-1)]


def troubles_of(session: GameSession) -> list[str]:
    """Return the sentences about trouble that a session has for its player."""
    return [str(each) for each in session.troubles]
