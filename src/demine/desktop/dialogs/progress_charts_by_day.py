"""Charts of progress by day: best times, 3BV/s and IOE with their moving averages."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, Final

import numpy as np

from demine.desktop.dialogs import formatting
from demine.desktop.dialogs.plot import Chart, Floats, Series, Shape
from demine.scene.translation import ntr, tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from demine.store.records import WinsOfDay

AVERAGED: Final = 7
"""Days with a value in the moving average."""


@dataclass(frozen=True, slots=True)
class DailyProgress:
    """Wins by day under some rules. All arrays have the same length, the oldest day first."""

    first: date
    at: Floats
    """Days since the first one."""
    count: Floats
    """Wins on each day."""
    best: Floats
    """The best time in seconds."""
    bv_s: Floats
    """The mean 3BV/s; NaN where there is none."""
    ioe: Floats
    """The mean IOE; NaN where there is none."""


def daily_progress(days: Sequence[WinsOfDay]) -> DailyProgress | None:
    """Return the wins of days as arrays; None without a win."""
    if not days:
        return None
    first = days[0].day
    columns = [[(each.day - first).days, *each[1:]] for each in days]
    at, count, best, bv_s, ioe = np.array(columns, np.float64).T  # None becomes NaN
    return DailyProgress(first, at, count, best / 1000, bv_s, ioe)


def daily_charts(days: DailyProgress) -> tuple[Chart | None, ...]:
    """Return the charts of best times, 3BV/s and IOE, each None without a value."""
    return (
        _chart(days, days.best, tr("Best time of each day, in seconds"), tr("best of the day"), 3),
        _chart(days, days.bv_s, tr("3BV/s by day"), tr("mean of the day"), 2),
        _chart(days, days.ioe, tr("IOE by day"), tr("mean of the day"), 2),
    )


def _chart(days: DailyProgress, values: Floats, title: str, name: str, places: int) -> Chart | None:
    there = ~np.isnan(values)
    at, found = days.at[there], values[there]
    if not found.size:
        return None

    def hint(place: int) -> str:
        rows = np.flatnonzero(days.at == place)
        if not rows.size or np.isnan(values[rows[0]]):
            return ""
        wins = ntr("{n} win", "{n} wins", int(days.count[rows[0]]))
        value = formatting.format_decimal(float(values[rows[0]]), places)
        return tr("{day}: {value}, {wins}", day=_date_text(days, place), value=value, wins=wins)

    average = Series(
        tr("average of the last {n} days", n=AVERAGED),
        Shape.LINE,
        at,
        trailing_mean(found, AVERAGED),
    )
    return Chart(
        title,
        tr("days with wins, by date"),
        (Series(name, Shape.DOTS, at, found), average),
        x_top=max(float(days.at[-1]), 1.0),
        y_top=max(float(found.max()) * 1.05, 0.1),
        unit="",
        hint=hint,
        x_text=lambda place: _date_text(days, place),
    )


def _date_text(days: DailyProgress, place: float) -> str:
    return (days.first + timedelta(days=round(place))).isoformat()


def trailing_mean(values: Floats, window: int) -> Floats:
    """Return at each place the mean of the last `window` values, or of all so far if fewer."""
    sums = np.cumsum(np.concatenate([[0.0], values]))
    end = np.arange(1, values.size + 1)
    begin = np.maximum(end - window, 0)
    means: Floats = (sums[end] - sums[begin]) / (end - begin)
    return means
