"""Daily boards played: attempts, what they add up to, and the line of text to show to others.

The first attempt at a board, begun on its own day (UTC), counts; later ones, and those at boards of
other days, are practice. A board begun keeps its date, however late it is finished. Help makes an
attempt one that is not won.
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
"""A day in the row of symbols; the last one is a day without a result."""
ASCII_SYMBOLS: Final = str.maketrans({"✅": "+", "❌": "x", "➖": "-"})
"""Signs that every font has, for where the line is shown rather than copied."""
DAYS_SHARED: Final = 7
"""How many days the row has."""
_ONE_DAY: Final = timedelta(days=1)


class NoDailyResult(DailyError):
    """There is nothing to show to others yet."""


@dataclass(frozen=True, slots=True)
class DailyAttempt:
    """One attempt at a daily board that was begun.

    `outcome` is won, lost, resigned or helped, None while it goes on. `opened_at` is when its first
    cell was opened (ISO text, UTC). `counts` says that it is the day's one; others are practice.
    """

    daily: Daily
    game_id: str
    outcome: str | None
    time_ms: int
    opened_at: str
    counts: bool


@dataclass(frozen=True, slots=True)
class DailyStanding:
    """What the attempts that count add up to at one level, on one day.

    `played` counts those that are over. `streak` is the row of days won up to now, the longest ever
    is `best_streak`; a day that is not over, or whose attempt is under way, does not end it yet.
    `days` has the attempt that counts for every day with one.
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
        """Today's board."""
        return Daily(self.today, self.level)

    @property
    def todays_attempt(self) -> DailyAttempt | None:
        """Today's attempt that counts, if it was begun."""
        return self.days.get(self.today)


def today_utc() -> date:
    """Return the date in UTC, by which daily boards go."""
    return datetime.now(UTC).date()


def read_attempts(
    connection: sqlite3.Connection, level: str | None = None
) -> Iterator[DailyAttempt]:
    """Yield the attempts that were begun, in that order; rows that name no board are left out."""
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
    played: Iterable[DailyAttempt], level: str, day: date | None = None
) -> DailyStanding:
    """Return what attempts add up to at a level on a day, without one today."""
    day = day or today_utc()
    days = {
        each.daily.day: each
        for each in played
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
    """Return how many days in a row were won up to now."""
    day = last
    while last - day < 2 * _ONE_DAY and _may_still_be_won(days.get(day), is_today=day == last):
        day -= _ONE_DAY
    streak = 0
    while (attempt := days.get(day)) is not None and attempt.outcome == "won":
        streak += 1
        day -= _ONE_DAY
    return streak


def _may_still_be_won(attempt: DailyAttempt | None, *, is_today: bool) -> bool:
    """Whether a day may still be won: today until it is, another one while it is being played."""
    return is_today if attempt is None else attempt.outcome is None


def _streak_lengths(won: set[date]) -> Iterator[int]:
    """Yield the lengths of all rows of days won."""
    for day in won:
        if day - _ONE_DAY not in won:
            length = 1
            while day + length * _ONE_DAY in won:
                length += 1
            yield length


def practice_reason(
    daily: Daily, game_id: str, played: Iterable[DailyAttempt], opened: bool
) -> str:
    """Return why a game on a daily board is practice, as a message; empty for the one that counts.

    `opened` says whether its first cell is open, from when on nothing changes that any more.
    """
    for each in played:
        if each.game_id == game_id:
            if each.counts:
                return ""
            break
    before = any(each.daily == daily and each.game_id != game_id for each in played)
    if before:
        return mark("practice: played before")
    if opened or daily.day != today_utc():
        return mark("practice: another day's board")
    return ""


# For others


def result_line_to_share(game: Game, attempt: DailyAttempt, played: Iterable[DailyAttempt]) -> str:
    """Return one line about an attempt that is over: nothing in it tells where a mine lies.

    Raises `NoDailyResult` for one that goes on.
    """
    found = standing_at_level(played, attempt.daily.level, attempt.daily.day)
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
        said += [tr("streak {n}", n=found.streak), symbols_of_last_days(found, attempt.daily.day)]
    else:
        said += [tr("practice")]
    return "  ".join(filter(None, said))


def _seconds(attempt: DailyAttempt) -> str:
    # Cut off, not rounded: 59.96 s is no minute.
    return f"{attempt.time_ms // 100 / 10:.1f}"


def _speed_or_progress(game: Game, attempt: DailyAttempt) -> str:
    """Return the speed of a win, else how much of the board was open."""
    from demine.statistics.board_3bv import three_bv

    if attempt.outcome != "won":
        percent = 100 * game.board.opened // game.rules.safe_cells
        return tr("{percent} % open", percent=percent)
    if not attempt.time_ms:
        return ""
    return f"3BV/s {1000 * three_bv(game.board.mine_map) / attempt.time_ms:.2f}"


def symbols_of_last_days(found: DailyStanding, last: date) -> str:
    """Return the days up to one as symbols, the oldest first."""
    days = (last - n * _ONE_DAY for n in reversed(range(DAYS_SHARED)))
    return "".join(
        OUTCOME_SYMBOLS[a.outcome if (a := found.days.get(day)) else None] for day in days
    )


def standing_at_each_level(
    played: Iterable[DailyAttempt], day: date | None = None
) -> list[DailyStanding]:
    """Return what attempts add up to at each level."""
    played = tuple(played)
    return [standing_at_level(played, level, day) for level in LEVELS]
