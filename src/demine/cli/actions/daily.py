"""What `demine daily` does: the results at the daily boards, and the line to share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from demine.cli.actions.records import left_aligned_table
from demine.cli.exit_codes import DONE, print_message, print_negative_answer
from demine.cli.text_table import terminal_width, text_width, wrapped_lines
from demine.logic.daily_board import DailyError, parse_day
from demine.logic.json_text import to_json
from demine.play import daily_page
from demine.play.daily_game import latest_daily_result_line
from demine.scene.translation import explain, tr
from demine.store import Store
from demine.store.daily import LEVEL_NAMES, NoDailyResult, standing_at_each_level, today_utc

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from demine.store.daily import DailyStanding


def run_daily(level: str | None, date: str | None, share: bool, as_json: bool) -> int:
    """Carry out `demine daily` and return the exit code."""
    if share and as_json:
        raise click.UsageError(tr("--share and --json do not go together"))
    day = day_of_option(date)
    with Store.open() as store:
        for notice in store.take_notices():
            print_message("daily", explain(notice))
        if share:
            return _print_line_to_share(store, level, day)
        found = [
            each
            for each in standing_at_each_level(store.daily_attempts(), day)
            if level in (None, each.level)
        ]
    if as_json:
        click.echo(to_json(_json_of_levels(found)))
    else:
        _print_page(found, day, is_today=date is None)
    return DONE


def day_of_option(date: str | None) -> date:
    """Return the day of `--date`, by default today in UTC; raises `DailyError` for a later one."""
    day = today_utc() if date is None else parse_day(date)
    if day > today_utc():
        later = day.isoformat()
        raise DailyError("the daily board of {day} appears at 0:00 UTC on that day", day=later)
    return day


def _print_line_to_share(store: Store, level: str | None, day: date) -> int:
    try:
        click.echo(latest_daily_result_line(store, level, day))
    except NoDailyResult as error:
        return print_negative_answer("daily", error)
    return DONE


def _json_of_levels(found: Sequence[DailyStanding]) -> dict[str, object]:
    return {each.level: _json_of_level(each) for each in found}


def _json_of_level(found: DailyStanding) -> dict[str, object]:
    board, now = found.todays_board, found.todays_attempt
    return {
        "date": found.today.isoformat(),
        "rules": str(board.rules),
        "seed": board.seed,
        "start": list(board.start),
        "result": None if now is None else now.outcome or "running",
        "time_ms": None if now is None else now.time_ms,
        "streak": found.streak,
        "best_streak": found.best_streak,
        "games": found.played,
        "won": found.won,
        "best_ms": found.best_ms,
        "days": {
            day.isoformat(): {"result": each.outcome or "running", "time_ms": each.time_ms}
            for day, each in sorted(found.days.items())
        },
    }


def _print_wrapped(text: str) -> None:
    width = terminal_width()
    fits = width is None or text_width(text) <= width
    click.echo(text if fits else "\n".join(wrapped_lines(text, width or 1)))


def _calendar_lines(found: Sequence[DailyStanding], width: int | None) -> list[str]:
    """Return the calendars of the levels, side by side where the terminal is wide enough."""
    names = [tr(LEVEL_NAMES[each.level]) for each in found]
    calendars = daily_page.calendars_side_by_side(found)
    lines = [daily_page.calendar_heading(names), *calendars, ""]
    if width is None or len(found) == 1 or max(map(text_width, lines)) <= width:
        return lines
    return [line for each in found for line in _calendar_lines([each], width)]


def _print_page(found: Sequence[DailyStanding], day: date, *, is_today: bool) -> None:
    when = f"{day.isoformat()} UTC"
    _print_wrapped(f"{when} · {daily_page.next_boards_countdown()}" if is_today else when)
    click.echo()
    click.echo(
        left_aligned_table(
            daily_page.level_table_headings(), [daily_page.level_table_row(each) for each in found]
        )
    )
    click.echo()
    for line in _calendar_lines(found, terminal_width()):
        click.echo(line)
    for text in (tr(daily_page.OUTCOME_LEGEND), tr("Play with `demine play --daily LEVEL`.")):
        _print_wrapped(text)
