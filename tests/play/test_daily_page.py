"""The daily boards in words: the table, a sentence for each level, the month."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from unicodedata import east_asian_width

import pytest

from demine.logic.daily_board import Daily
from demine.play import daily_page
from demine.scene.translation import set_language
from demine.store.daily import DailyAttempt, standing_at_each_level, standing_at_level

DAY = date(2026, 11, 21)
NAMES = ("Beginner", "Intermediate", "Expert")


def attempts(*outcomes: str | None) -> list[DailyAttempt]:
    """Attempts of the days up to `DAY`, the last of them today."""
    days = [DAY - timedelta(days=n) for n in reversed(range(len(outcomes)))]
    return [
        DailyAttempt(Daily(day, "expert"), str(day), outcome, 74300, f"{day}T10:00", counts=True)
        for day, outcome in zip(days, outcomes, strict=True)
    ]


def test_a_row_of_the_table() -> None:
    played = attempts("won", "won", "lost", "won")
    found = standing_at_level(played, "expert", DAY)
    assert daily_page.level_table_row(found) == (
        "Expert",
        "won",
        "74.300",
        "1",
        "2",
        "4",
        "3",
        "74.300",
    )
    assert len(daily_page.level_table_headings()) == len(daily_page.level_table_row(found))
    empty = standing_at_level([], "beginner", DAY)
    assert daily_page.level_table_row(empty) == ("Beginner", "–", "–", "0", "0", "0", "0", "–")


def test_a_month_has_every_day_under_its_weekday() -> None:
    lines = daily_page.calendar_lines(
        standing_at_level(attempts("won", "helped", "lost", None), "expert", DAY)
    )
    assert lines == [
        "Mo Tu We Th Fr Sa Su ",
        "                   1 ",
        " 2  3  4  5  6  7  8 ",
        " 9 10 11 12 13 14 15 ",
        "16 17 18+19~20x21?22 ",
        "23 24 25 26 27 28 29 ",
        "30                   ",
    ]
    february = daily_page.calendar_lines(standing_at_level([], "expert", date(2027, 2, 3)))
    assert february[1:] == [f"{n:2} {n + 1:2} {n + 2:2} {n + 3:2} {n + 4:2} {n + 5:2} {n + 6:2} "
                            for n in (1, 8, 15, 22)]  # fmt: skip


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_months_stand_side_by_side_in_eighty_columns(language: str) -> None:
    set_language(language)
    try:
        lines = [
            daily_page.calendar_heading(NAMES),
            *daily_page.calendars_side_by_side(standing_at_each_level(attempts("won"), DAY)),
        ]
    finally:
        set_language("en")
    assert max(map(columns, lines)) <= 71
    assert lines[0].index("Intermediate") == 25
    assert lines[2].startswith("                   1 ")


def columns(text: str) -> int:
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def test_the_time_until_the_next_boards() -> None:
    now = datetime(2026, 11, 21, 22, 56, 30, tzinfo=UTC)
    assert daily_page.next_boards_countdown(now) == "next boards in 1 h 4 min"
    assert daily_page.next_boards_countdown(now.replace(hour=23)) == "next boards in 4 min"
    assert (
        daily_page.next_boards_countdown(now.replace(hour=0, minute=0))
        == "next boards in 24 h 0 min"
    )
