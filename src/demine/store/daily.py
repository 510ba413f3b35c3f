"""Daily boards: attempts, streaks and totals, and the line to share.

The first attempt at a board counts if it is begun on the board's own day (UTC), however late it is
finished; all others are practice. An attempt with help is not won.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Final

from demine.logic.daily_board import LEVELS, Daily, DailyError
from demine.scene.translation import mark, tr
from demine.store.damage_checks import check_types

if TYPE_CHECKING:
    from demine.game import Game

LEVEL_NAMES: Final[Mapping[str, str]] = {
    "beginner": mark("Beginner"),
    "intermediate": mark("Intermediate"),
    "expert": mark("Expert"),
}
"""The levels in the player's words."""
OUTCOME_NAMES: Final[Mapping[str | None, str]] = {
    "won": mark("won"),
    "lost": mark("lost"),
    "resigned": mark("given up"),
    "helped": mark("helped"),
    None: mark("under way"),
}
"""How an attempt came out, by `Attempt.outcome`."""
OUTCOME_SYMBOLS: Final[Mapping[str | None, str]] = {
    "won": "✅", "lost": "❌", "resigned": "❌", "helped": "❌", None: "➖",
}  # fmt: skip
"""The symbol of a day by its outcome; None is a day without a result."""
ASCII_SYMBOLS: Final = str.maketrans({"✅": "+", "❌": "x", "➖": "-"})
"""Symbols that every font has, for a line that is shown rather than copied."""
DAYS_SHARED: Final = 7
"""How many days have a symbol."""
_ONE_DAY: Final = timedelta(days=1)


class NoDailyResult(DailyError):
    """There is no result to share yet."""


@dataclass(frozen=True, slots=True)
class DailyAttempt:
    """One attempt at a daily board that was begun.

    `outcome` is won, lost, resigned or helped, None while it runs. `opened_at` is when its first
    cell was opened (ISO text, UTC). `counts` is False for practice.
    """

    daily: Daily
    game_id: str
    outcome: str | None
    time_ms: int
    opened_at: str
    counts: bool


@dataclass(frozen=True, slots=True)
class DailyStanding:
    """Totals and streaks of the attempts that count, at one level and up to one day.

    `played` counts those that are over. `streak` is the number of consecutive days won until now,
    `best_streak` the highest ever; a day that is not over, or whose attempt is under way, does not
    end it yet. `days` maps each day to its attempt that counts.
    """

    level: str
    today: date
    played: int = 0
    won: int = 0
    best_ms: int | None = None
    streak: int = 0
    best_streak: int = 0
    days: Mapping[date, DailyAttempt] = field(default_factory=dict)

    @property
    def todays_board(self) -> Daily:
        """The level's daily board of `today`."""
        return Daily(self.today, self.level)

    @property
    def todays_attempt(self) -> DailyAttempt | None:
        """Today's attempt that counts; None if it was not begun."""
        return self.days.get(self.today)


def today_utc() -> date:
    """Return the date in UTC, which decides about daily boards."""
    return datetime.now(UTC).date()


def read_attempts(
    connection: sqlite3.Connection, level: str | None = None
) -> Iterator[DailyAttempt]:
    """Yield the attempts that were begun, in that order; rows without a valid board are skipped."""
    found = connection.execute(
        "SELECT day, level, id, outcome, time_ms, opened_at FROM dailies JOIN games USING (num)"
        " WHERE opened_at IS NOT NULL AND status <> 'damaged'"
        " AND (:level IS NULL OR level = :level)"
        " ORDER BY opened_at, num",
        {"level": level},
    ).fetchall()
    first: set[Daily] = set()
    for row in found:
        check_types(row, str, str, str, (str, type(None)), int, str)
        day, name, game_id, outcome, time_ms, opened_at = row
        try:
            daily = Daily.parse(f"{day} {name}")
        except DailyError:
            continue
        counts = daily not in first and opened_at[:10] == day
        first.add(daily)
        yield DailyAttempt(daily, game_id, outcome, time_ms, opened_at, counts)


def standing_at_level(
    attempts: Iterable[DailyAttempt], level: str, day: date | None = None
) -> DailyStanding:
    """Return totals and streaks of a level up to a day; None for today."""
    day = day or today_utc()
    days = {
        each.daily.day: each
        for each in attempts
        if each.counts and each.daily.level == level and each.daily.day <= day
    }
    over = [each for each in days.values() if each.outcome is not None]
    won = [each for each in over if each.outcome == "won"]
    return DailyStanding(
        level,
        day,
        played=len(over),
        won=len(won),
        best_ms=min((each.time_ms for each in won), default=None),
        streak=_current_streak(days, day),
        best_streak=max(_streak_lengths({each.daily.day for each in won}), default=0),
        days=days,
    )


def _current_streak(days: Mapping[date, DailyAttempt], last: date) -> int:
    """Return how many consecutive days up to `last` were won."""
    day = last
    while last - day < 2 * _ONE_DAY and _may_still_be_won(days.get(day), is_today=day == last):
        day -= _ONE_DAY
    streak = 0
    while (attempt := days.get(day)) is not None and attempt.outcome == "won":
        streak += 1
        day -= _ONE_DAY
    return streak


def _may_still_be_won(attempt: DailyAttempt | None, *, is_today: bool) -> bool:
    """Return whether a day may still be won: today before an attempt, any day during one."""
    return is_today if attempt is None else attempt.outcome is None


def _streak_lengths(won: set[date]) -> Iterator[int]:
    """Yield the lengths of all runs of consecutive days won."""
    for day in won:
        if day - _ONE_DAY not in won:
            length = 1
            while day + length * _ONE_DAY in won:
                length += 1
            yield length


def practice_reason(
    daily: Daily, game_id: str, attempts: Iterable[DailyAttempt], is_opened: bool
) -> str:
    """Return why a game on a daily board is practice, as a message; empty if it counts.

    `is_opened` says whether its first cell is open, which decides that for good.
    """
    for each in attempts:
        if each.game_id == game_id:
            if each.counts:
                return ""
            break
    before = any(each.daily == daily and each.game_id != game_id for each in attempts)
    if before:
        return mark("practice: played before")
    if is_opened or daily.day != today_utc():
        return mark("practice: another day's board")
    return ""


# To share


def result_line_to_share(
    game: Game, attempt: DailyAttempt, attempts: Iterable[DailyAttempt]
) -> str:
    """Return one line about an attempt that is over, which betrays no mine.

    Raises `NoDailyResult` for an attempt that is under way.
    """
    standing = standing_at_level(attempts, attempt.daily.level, attempt.daily.day)
    if attempt.outcome is None:
        raise NoDailyResult("this daily board is not over yet")
    said = [
        f"demine {attempt.daily.day.isoformat()} {tr(LEVEL_NAMES[attempt.daily.level]).lower()}",
        tr(
            "{outcome} {time} s", outcome=tr(OUTCOME_NAMES[attempt.outcome]), time=_seconds(attempt)
        ),
        _speed_or_progress(game, attempt),
    ]
    if attempt.counts:
        symbols = symbols_of_last_days(standing, attempt.daily.day)
        said += [tr("streak {n}", n=standing.streak), symbols]
    else:
        said += [tr("practice")]
    return "  ".join(filter(None, said))


def _seconds(attempt: DailyAttempt) -> str:
    # Truncated, not rounded: 59.96 s is less than a minute.
    return f"{attempt.time_ms // 100 / 10:.1f}"


def _speed_or_progress(game: Game, attempt: DailyAttempt) -> str:
    """Return the speed of a win, else how much of the board was open."""
    from demine.statistics.board_3bv import three_bv

    if attempt.outcome != "won":
        percent = 100 * game.board.opened // game.rules.safe_cells
        return tr("{percent}% open", percent=percent)
    if not attempt.time_ms:
        return ""
    return f"3BV/s {1000 * three_bv(game.board.mine_map) / attempt.time_ms:.2f}"


def symbols_of_last_days(standing: DailyStanding, last_day: date) -> str:
    """Return the symbols of the `DAYS_SHARED` days up to `last_day`, the oldest first."""
    days = (last_day - n * _ONE_DAY for n in reversed(range(DAYS_SHARED)))
    return "".join(
        OUTCOME_SYMBOLS[a.outcome if (a := standing.days.get(day)) else None] for day in days
    )


def standing_at_each_level(
    attempts: Iterable[DailyAttempt], day: date | None = None
) -> list[DailyStanding]:
    """Return totals and streaks of each level up to a day; None for today."""
    attempts = tuple(attempts)
    return [standing_at_level(attempts, level, day) for level in LEVELS]
