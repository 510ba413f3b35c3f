"""Progress by day, against plain arithmetic over the same wins."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtWidgets import QApplication

from demine.desktop.dialogs.progress_charts_by_day import (
    daily_charts,
    daily_progress,
    trailing_mean,
)
from demine.desktop.dialogs.records import RecordsDialog
from demine.logic.rules import BEGINNER
from demine.scene.themes import THEMES
from demine.store import Store
from demine.store.records import CountedWin
from demine.store.utc_text import utc_text
from tests.desktop.dialogs_desk import app, chinese, pixels, shown, until
from tests.desktop.dialogs_past import past, store

__all__ = ["app", "past", "store"]

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
values = st.one_of(st.none(), st.floats(0.01, 9))
Row = tuple[int, int, float | None, float | None]
wins = st.lists(st.tuples(st.integers(0, 40), st.integers(1, 90_000), values, values), min_size=1)


def win(row: Row) -> CountedWin:
    """A win at noon, so many days after the start."""
    day, ms, bv_s, ioe = row
    return "id", utc_text(START + timedelta(days=day)), ms, bv_s, ioe


def mean(found: list[float | None]) -> float:
    """The mean of the values there are."""
    there = [value for value in found if value is not None]
    return fmean(there) if there else float("nan")


@given(wins)
def test_days_are_the_wins_gathered(
    rows: list[Row],
) -> None:
    days = daily_progress([win(row) for row in rows])
    assert days is not None
    played = sorted({row[0] for row in rows})
    assert days.first == (START + timedelta(days=played[0])).astimezone().date()
    assert days.at.tolist() == [day - played[0] for day in played]
    for place, day in enumerate(played):
        of_day = [row for row in rows if row[0] == day]
        assert days.count[place] == len(of_day)
        assert days.best[place] == min(row[1] for row in of_day) / 1000
        assert days.bv_s[place] == pytest.approx(mean([row[2] for row in of_day]), nan_ok=True)
        assert days.ioe[place] == pytest.approx(mean([row[3] for row in of_day]), nan_ok=True)


def test_no_wins_are_no_days() -> None:
    assert daily_progress([]) is None


@given(st.lists(st.floats(0, 99), min_size=1), st.integers(1, 9))
def test_the_running_average_begins_at_once(found: list[float], count: int) -> None:
    means = trailing_mean(np.array(found), count)
    wanted = [fmean(found[max(0, end - count) : end]) for end in range(1, len(found) + 1)]
    assert means.tolist() == pytest.approx(wanted, abs=1e-9)


def test_charts_name_the_day_and_its_value(app: QApplication) -> None:
    rows = [win((0, 9000, 2.0, 0.5)), win((0, 8000, 4.0, None)), win((3, 7000, None, None))]
    days = daily_progress(rows)
    assert days is not None
    best, speed, ioe = daily_charts(days)
    assert best is not None
    assert speed is not None
    assert ioe is not None
    assert best.hint(0) == f"{days.first.isoformat()}: 8.000, 2 wins"
    assert best.hint(3).endswith(": 7.000, 1 win")
    assert speed.hint(0).endswith(": 3.00, 2 wins")
    assert (speed.hint(3), best.hint(1)) == ("", "")
    assert ioe.series[0].y.tolist() == [0.5]
    assert best.x_text is not None
    assert date.fromisoformat(best.x_text(3.0)) == days.first + timedelta(days=3)


def test_without_figures_only_the_times_are_drawn(app: QApplication) -> None:
    days = daily_progress([win((0, 9000, None, None))])
    assert days is not None
    found = daily_charts(days)
    assert found[0] is not None
    assert found[1:] == (None, None)


@pytest.mark.parametrize("look", THEMES)
def test_the_page_shows_days_in_every_look_and_language(
    app: QApplication, store: Store, look: str
) -> None:
    dialog = RecordsDialog(None, store, BEGINNER, THEMES[look])
    shown(dialog)
    dialog.tabs.setCurrentWidget(dialog.progress)
    until(lambda: not dialog.backfill.running)
    dialog.progress.reload()
    dialog.progress._kind.setCurrentIndex(1)
    app.processEvents()
    assert not dialog.progress._times.isVisible()
    for plot in dialog.progress.days:
        assert plot.isVisible()
        assert plot._chart is not None
        seen = {tuple(colour) for colour in pixels(plot).reshape(-1, 3)[::7].tolist()}
        assert THEMES[look].opened in seen
        assert len(seen) > 3
    with chinese():
        dialog.update_composed_texts()
        assert dialog.progress._kind.currentIndex() == 1
        assert dialog.progress.days[0].isVisible()
