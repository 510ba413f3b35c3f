"""Sessions played by the tests of saving: begun, won, and what is left of them in the store."""

from __future__ import annotations

from pathlib import Path
from typing import Final

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
