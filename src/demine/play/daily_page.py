"""The page of the daily boards as plain text, for every scene and the command line."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from itertools import zip_longest
from typing import TYPE_CHECKING, Final
from unicodedata import east_asian_width

from demine.play.record_table import format_seconds
from demine.scene.translation import mark, tr
from demine.store.daily import LEVEL_NAMES, OUTCOME_NAMES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from demine.store.daily import DailyAttempt, DailyStanding

OUTCOME_MARKS: Final = {"won": "+", "lost": "x", "resigned": "x", "helped": "~", None: "?"}
"""The mark after a day of a month, by the outcome of its attempt."""
OUTCOME_LEGEND: Final = mark("+ won   x lost or given up   ~ helped   ? under way")
DAILY_RULES_TEXT: Final = mark(
    "The same board for everybody, new at 0:00 UTC. It needs no guess and starts at the marked "
    "cell. Only your first attempt on the day counts; later ones, and boards of other days, are "
    "practice."
)
WEEKDAYS: Final = (
    mark("Mo"), mark("Tu"), mark("We"), mark("Th"), mark("Fr"), mark("Sa"), mark("Su"),
)  # fmt: skip
_MONTH_COLUMNS: Final = 21
_GAP: Final = "    "
_ONE_DAY: Final = timedelta(days=1)


def level_table_headings() -> tuple[str, ...]:
    """Return the column headings of the table of levels."""
    return (
        tr("Level"), tr("Today"), tr("Time"), tr("Streak"), tr("Longest"), tr("Played"), tr("Won"),
        tr("Best"),
    )  # fmt: skip


def level_table_row(standing: DailyStanding) -> tuple[str, ...]:
    """Return one level's row of the table, a cell for each of `level_table_headings`."""
    now = standing.todays_attempt
    return (
        tr(LEVEL_NAMES[standing.level]),
        "–" if now is None else tr(OUTCOME_NAMES[now.outcome]),
        "–" if now is None else format_seconds(now.time_ms),
        str(standing.streak),
        str(standing.best_streak),
        str(standing.played),
        str(standing.won),
        format_seconds(standing.best_ms),
    )


def calendar_lines(standing: DailyStanding) -> list[str]:
    """Return this month at a level as lines of 21 columns: the weekdays, then a line a week."""
    first = standing.today.replace(day=1)
    day = first - first.weekday() * _ONE_DAY
    last = (first + 31 * _ONE_DAY).replace(day=1)
    weeks = []
    while day < last:
        weeks.append(
            "".join(_day_of_month(standing, day + n * _ONE_DAY, first.month) for n in range(7))
        )
        day += 7 * _ONE_DAY
    return ["".join(f"{tr(name)} " for name in WEEKDAYS), *weeks]


def _day_of_month(standing: DailyStanding, day: date, month: int) -> str:
    if day.month != month:
        return "   "
    attempt: DailyAttempt | None = standing.days.get(day)
    return f"{day.day:2}{' ' if attempt is None else OUTCOME_MARKS[attempt.outcome]}"


def calendars_side_by_side(standings: Sequence[DailyStanding]) -> list[str]:
    """Return the lines of this month at each level, side by side."""
    blank = " " * _MONTH_COLUMNS
    return [
        _GAP.join(lines).rstrip()
        for lines in zip_longest(*map(calendar_lines, standings), fillvalue=blank)
    ]


def calendar_heading(level_names: Sequence[str]) -> str:
    """Return the line of level names that stands above `calendars_side_by_side`."""
    return _GAP.join(
        name + " " * (_MONTH_COLUMNS - _terminal_columns(name)) for name in level_names
    ).rstrip()


def _terminal_columns(text: str) -> int:
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def next_boards_countdown(now: datetime | None = None) -> str:
    """Return a text saying how long it is until the next boards come, at midnight UTC."""
    now = now or datetime.now(UTC)
    minutes = 24 * 60 - 60 * now.hour - now.minute
    hours, minutes = divmod(minutes, 60)
    if not hours:
        return tr("next boards in {minutes} min", minutes=minutes)
    return tr("next boards in {hours} h {minutes} min", hours=hours, minutes=minutes)
