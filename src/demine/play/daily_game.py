"""A game on a daily board as its player sits at it, and the line about a game that was kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.logic.daily_board import Daily
from demine.scene.translation import current_language, tr
from demine.store.daily import (
    LEVEL_NAMES,
    NoDailyResult,
    practice_reason,
    result_line_to_share,
    standing_at_level,
    today_utc,
)

if TYPE_CHECKING:
    from datetime import date

    from demine.game import Game
    from demine.store.store import Store


class DailyGame:
    """A game on a daily board, as its player sits at it: whether it counts, and what it adds up to.

    Call `update` when the board is begun and when it is over.
    """

    def __init__(self, store: Store, daily: Daily) -> None:
        self.daily = daily
        self._store = store
        self._id = self._practice = ""
        self._standing = standing_at_level((), daily.level, daily.day)
        self._line = ("", "")

    def update(self, game: Game, game_id: str) -> None:
        """Look how things stand with this game now."""
        played = self._store.daily_attempts(self.daily.level)
        self._id, self._line = game_id, ("", "")
        self._practice = practice_reason(self.daily, game_id, played, game.begun)
        self._standing = standing_at_level(played, self.daily.level, self.daily.day)

    def title(self, helped: str) -> str:
        """Return what is being played; `helped` is why help made it practice, as a message."""
        day, level = self.daily.day.isoformat(), tr(LEVEL_NAMES[self.daily.level])
        title = tr("Daily board {day}, {level}", day=day, level=level)
        reason = helped or self._practice
        return tr("{title} · {reason}", title=title, reason=tr(reason)) if reason else title

    def win_meaning(self, helped: str) -> str:
        """Return what a win means."""
        reason = helped or self._practice
        return tr(reason) if reason else tr("streak {n}", n=self._standing.streak)

    def result_line(self, game: Game) -> str:
        """Return the line to show to others; raises `NoDailyResult` where there is none."""
        # It is looked at with every frame, and is a matter of reading the whole game.
        if not game.status.over or self._line[0] != current_language():
            self._line = current_language(), daily_result_line(self._store, game_id=self._id)
        return self._line[1]


def is_missed_daily_game(game: Game) -> bool:
    """Whether a game is a daily board that nobody began on its day."""
    daily = None if game.begun else Daily.of(game)
    return daily is not None and daily.day != today_utc()


def daily_result_line(
    store: Store, level: str | None = None, day: date | None = None, *, game_id: str | None = None
) -> str:
    """Return the line about the last attempt that counts, of a level and a day, or about one game.

    Raises `NoDailyResult` where there is none, or it goes on.
    """
    played = store.daily_attempts(level)
    found = [
        each
        for each in played
        if (each.game_id == game_id if game_id else each.counts and day in (None, each.daily.day))
    ]
    if not found:
        raise NoDailyResult("there is no result of a daily board yet")
    return result_line_to_share(store.load_game(found[-1].game_id), found[-1], played)
