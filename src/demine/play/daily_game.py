"""The game on a daily board that is being played, and the line to share about one."""

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
    from collections.abc import Callable
    from datetime import date

    from demine.game import Game
    from demine.store.daily import DailyAttempt
    from demine.store.store import Store


class DailyGame:
    """The game on a daily board that is being played: whether it counts, and the streak.

    Call `refresh` when the board is begun and when it is over.
    """

    def __init__(self, store: Store, daily: Daily) -> None:
        self.daily = daily
        self._store = store
        self._id = self._practice = ""
        self._standing = standing_at_level((), daily.level, daily.day)
        self._line = ("", "")

    def refresh(self, game: Game, game_id: str) -> None:
        """Read from the store how this game counts and what the streak is."""
        played = self._store.daily_attempts(self.daily.level)
        self._id, self._line = game_id, ("", "")
        self._practice = practice_reason(self.daily, game_id, played, game.begun)
        self._standing = standing_at_level(played, self.daily.level, self.daily.day)

    def counts_for_streak(self, help_reason: str) -> bool:
        """Whether this is the attempt that counts, and no help has spoilt it."""
        return not (help_reason or self._practice)

    def game_title(self, help_reason: str) -> str:
        """Return day and level, and why the game is practice if it is.

        `help_reason` says that help made it practice (a message to be translated); empty if not.
        """
        day, level = self.daily.day.isoformat(), tr(LEVEL_NAMES[self.daily.level])
        title = tr("Daily board {day}, {level}", day=day, level=level)
        reason = help_reason or self._practice
        return tr("{title} · {reason}", title=title, reason=tr(reason)) if reason else title

    def win_meaning(self, help_reason: str) -> str:
        """Return what a win means: the streak, or why the game is practice."""
        reason = help_reason or self._practice
        return tr(reason) if reason else tr("streak {n}", n=self._standing.streak)

    def result_line(self, game: Game) -> str:
        """Return the line to share; raises `NoDailyResult` while the game is not over."""
        # Every frame asks for it, and making it reads the whole game.
        if not game.status.over or self._line[0] != current_language():
            self._line = current_language(), daily_result_line(self._store, self._id)
        return self._line[1]


def is_missed_daily_game(game: Game) -> bool:
    """Whether a game is the daily board of another day and has no opened cell."""
    daily = None if game.begun else Daily.of(game)
    return daily is not None and daily.day != today_utc()


def latest_daily_result_line(
    store: Store, level: str | None = None, day: date | None = None
) -> str:
    """Return the line to share about the latest counted attempt, at this level and day if given.

    Raises `NoDailyResult` if there is none or it is not over.
    """
    return _result_line(store, level, lambda each: each.counts and day in (None, each.daily.day))


def daily_result_line(store: Store, game_id: str) -> str:
    """Return the line to share about one game on a daily board.

    Raises `NoDailyResult` if it is not one or not over.
    """
    return _result_line(store, None, lambda each: each.game_id == game_id)


def _result_line(store: Store, level: str | None, is_wanted: Callable[[DailyAttempt], bool]) -> str:
    attempts = store.daily_attempts(level)
    found = [each for each in attempts if is_wanted(each)]
    if not found:
        raise NoDailyResult("there is no daily result yet")
    return result_line_to_share(store.load_game(found[-1].game_id), found[-1], attempts)
