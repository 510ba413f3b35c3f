"""The start of a session, the same for every scene."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from demine.play.game_session import GameSession
from demine.play.unsaved_games_at_exit import opened_store
from demine.scene.preferences import Preferences, language_at_start
from demine.scene.translation import set_language

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from demine.scene.preferences import StartOptions
    from demine.store.settings import Json
    from demine.store.store import Store


class StartedSession(NamedTuple):
    """A session, and what a scene needs besides."""

    session: GameSession
    preferences: Preferences
    store: Store
    settings: Mapping[str, Json]
    """All stored settings, including those of single scenes."""

    @property
    def next_start_resumes_game(self) -> bool:
        """Whether the next start resumes this game as it is now."""
        store = self.store
        return (
            store.path is not None
            and not store.retry_queue
            and not self.session.is_unbegun_daily_game
        )


@contextmanager
def start_session(
    options: StartOptions, use_language: Callable[[str], object] = set_language
) -> Iterator[StartedSession]:
    """Open the player's records and yield the session that the options ask for, in its language.

    The records are closed at the end, as by `opened_store`. Raises what `GameSession.begin` raises.
    """
    with opened_store() as (store, troubles):
        settings = store.settings.all()
        preferences = Preferences.from_settings({**settings, **options.settings_to_save})
        use_language(language_at_start(preferences, options))
        session = GameSession.begin(store, options, preferences)
        session.troubles[:0] = troubles
        session.save_settings(options.settings_to_save)
        yield StartedSession(session, preferences, store, settings)
