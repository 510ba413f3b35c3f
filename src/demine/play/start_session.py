"""How a session starts and what its next start finds, the same for every scene."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from demine.play.game_session import GameSession
from demine.play.unsaved_games_at_exit import opened_store
from demine.scene.preferences import Preferences, start_language
from demine.scene.translation import set_language

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from demine.scene.preferences import StartOptions
    from demine.store.settings import Json
    from demine.store.store import Store


class StartedSession(NamedTuple):
    """A session, and what a scene needs beside it."""

    session: GameSession
    preferences: Preferences
    store: Store
    settings: Mapping[str, Json]
    """All stored settings, those of one scene too."""

    @property
    def goes_on(self) -> bool:
        """Whether the next start finds this game as it is left."""
        store = self.store
        return (
            store.path is not None
            and not store.retry_queue
            and not self.session.is_unbegun_daily_game
        )


@contextmanager
def start_session(
    wishes: StartOptions, speak: Callable[[str], object] = set_language
) -> Iterator[StartedSession]:
    """Open the player's records and begin the session that is wished for, in its language.

    The records are closed in the end, as by `opened_store`. Raises what `GameSession.begin` raises.
    """
    with opened_store() as (store, troubles):
        settings = store.settings.all()
        preferences = Preferences.from_settings({**settings, **wishes.lasting_settings})
        speak(start_language(preferences, wishes))
        session = GameSession.begin(store, wishes, preferences)
        session.troubles[:0] = troubles
        session.save_settings(wishes.lasting_settings)
        yield StartedSession(session, preferences, store, settings)
