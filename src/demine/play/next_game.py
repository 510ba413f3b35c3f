"""The games of one seat, one after the other: what begins the next one, and by which rules."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from demine.logic.daily_board import Daily
from demine.logic.errors import RulesError
from demine.scene.preferences import LEVELS
from demine.scene.translation import tr
from demine.store.daily import today

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from demine.logic.rules import Rules
    from demine.play.session import Session
    from demine.scene.key_bindings import Command
    from demine.scene.preferences import Preferences
    from demine.scene.status_line import News


class Games:
    """Begins games at a session.

    `changed` is called with the shape of the board before, whenever another game has begun; `keep`
    keeps choices by the names of `Preferences`, which `preferences` gives as they are now.
    """

    def __init__(
        self,
        session: Session,
        news: News,
        preferences: Callable[[], Preferences],
        keep: Callable[..., object],
        changed: Callable[[tuple[int, int]], object],
    ) -> None:
        self._session = session
        self._news = news
        self._preferences = preferences
        self._keep = keep
        self._changed = changed
        self._coming: Rules | None = None

    @property
    def coming(self) -> Rules:
        """The rules of the next game."""
        return self._coming or self._session.next_rules(self._preferences())

    @contextmanager
    def _beginning(self) -> Iterator[None]:
        game = self._session.game
        yield
        if self._session.game is not game:
            self._coming = None
            self._changed(game.rules.shape)

    def new(self) -> None:
        """Begin another game by the same rules, or by those chosen meanwhile."""
        self.begin(self.coming)

    def level(self, command: Command) -> None:
        """Begin a level, as the player's settings have it."""
        self.begin(self._preferences().level(LEVELS[command]))

    def begin(self, rules: Rules) -> None:
        """Begin a game by these rules, and remember them."""
        with self._beginning():
            self._session.new(rules)
            self._keep(rules=str(rules))

    def again(self) -> None:
        """Begin the same board once more, as practice."""
        with self._beginning():
            self._session.again()

    def daily(self, level: Command) -> None:
        """Go on with today's daily board of a level, or begin it."""
        with self._beginning():
            self._session.play_daily(Daily(today(), level.value))

    def open_share(self, code: str) -> None:
        """Begin the board of a share code; raises `ShareError` for one that opens none."""
        with self._beginning():
            self._session.open_share(code)

    def toggle_guess_free(self) -> None:
        """Play boards that need no guess, or any: now if nothing is lost, else from the next on."""
        rules, begun = self.coming, self._session.game.begun
        on = not rules.guess_free
        try:
            changed = replace(rules, guess_free=on)
        except RulesError:
            self._news.say(tr("Where the first click may be a mine, no board is guess-free"))
            return
        if begun:
            said = tr("Guess-free from the next game") if on else tr("Guesses from the next game")
            self._coming = changed
        else:
            said = tr("Guess-free boards") if on else tr("Boards that may need a guess")
            self.begin(changed)
        self._news.say(said)
        self._keep(guess_free=on)
