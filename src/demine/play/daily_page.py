"""The page of the daily boards in words, for every scene and the command line: text, no colours."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from itertools import zip_longest
from typing import TYPE_CHECKING, Final
from unicodedata import east_asian_width

from demine.scene.translation import mark, tr
from demine.store.daily import LEVEL_NAMES, OUTCOME_NAMES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from demine.store.daily import DailyAttempt, DailyStanding

OUTCOME_MARKS: Final = {"won": "+", "lost": "x", "resigned": "x", "helped": "~", None: "?"}
"""What stands behind a day in a month, by how its attempt came out."""
OUTCOME_LEGEND: Final = mark("+ won   x lost or given up   ~ helped   ? under way")
DAILY_RULES_TEXT: Final = mark(
    "The same board for everybody, from 0:00 UTC on. It needs no guess and begins at the marked "
    "cell. The first attempt begun on its day counts; later ones, and boards of other days, are "
    "practice."
)
WEEKDAYS: Final = (
    mark("Mo"), mark("Tu"), mark("We"), mark("Th"), mark("Fr"), mark("Sa"), mark("Su"),
)  # fmt: skip
_WIDE: Final = 21
_GAP: Final = "    "
_ONE: Final = timedelta(days=1)


def table_heads() -> tuple[str, ...]:
    """Return the heads of the table of levels."""
    return (
        tr("Level"), tr("Today"), tr("Time"), tr("Streak"), tr("Longest"), tr("Played"), tr("Won"),
        tr("Best"),
    )  # fmt: skip


def level_row(found: DailyStanding) -> tuple[str, ...]:
    """Return one level's row of the table."""
    now = found.todays_attempt
    return (
        tr(LEVEL_NAMES[found.level]),
        "–" if now is None else tr(OUTCOME_NAMES[now.outcome]),
        "–" if now is None else format_seconds(now.time_ms),
        str(found.streak),
        str(found.best_streak),
        str(found.played),
        str(found.won),
        format_seconds(found.best_ms),
    )


def format_seconds(ms: int | None) -> str:
    """Return a time in seconds to the millisecond, with a dash for none."""
    return "–" if ms is None else f"{ms / 1000:.3f}"


def level_sentence(found: DailyStanding) -> str:
    """Return how things stand at a level, where there is no room for a table."""
    now, name = found.todays_attempt, tr(LEVEL_NAMES[found.level])
    if now is None:
        said = tr("not played today")
    elif now.outcome is None:
        said = tr("under way")
    else:
        outcome, time = tr(OUTCOME_NAMES[now.outcome]), format_seconds(now.time_ms)
        said = tr("{outcome} {time} s", outcome=outcome, time=time)
    streak = tr("streak {n}, longest {most}", n=found.streak, most=found.best_streak)
    return tr("{level}: {said} · {streak}", level=name, said=said, streak=streak)


def month_lines(found: DailyStanding) -> list[str]:
    """Return this month at a level as lines of 21 columns: its name, the weekdays, the weeks."""
    first = found.today.replace(day=1)
    day = first - first.weekday() * _ONE
    last = (first + 31 * _ONE).replace(day=1)
    weeks = []
    while day < last:
        weeks.append("".join(_day_of_month(found, day + n * _ONE, first.month) for n in range(7)))
        day += 7 * _ONE
    return ["".join(f"{tr(name)} " for name in WEEKDAYS), *weeks]


def _day_of_month(found: DailyStanding, day: date, month: int) -> str:
    if day.month != month:
        return "   "
    attempt: DailyAttempt | None = found.days.get(day)
    return f"{day.day:2}{' ' if attempt is None else OUTCOME_MARKS[attempt.outcome]}"


def months_side_by_side(all_levels: Sequence[DailyStanding]) -> list[str]:
    """Return this month at every level, side by side, without their names."""
    blank = " " * _WIDE
    return [
        _GAP.join(lines).rstrip()
        for lines in zip_longest(*map(month_lines, all_levels), fillvalue=blank)
    ]


def names_above_months(names: Sequence[str]) -> str:
    """Return names in one line, as the months stand that they belong to."""
    return _GAP.join(name + " " * (_WIDE - _terminal_columns(name)) for name in names).rstrip()


def _terminal_columns(text: str) -> int:
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def time_until_next_boards(now: datetime | None = None) -> str:
    """Return how long it is until the next boards come."""
    now = now or datetime.now(UTC)
    minutes = 24 * 60 - 60 * now.hour - now.minute
    hours, minutes = divmod(minutes, 60)
    if not hours:
        return tr("the next boards in {minutes} min", minutes=minutes)
    return tr("the next boards in {hours} h {minutes} min", hours=hours, minutes=minutes)
