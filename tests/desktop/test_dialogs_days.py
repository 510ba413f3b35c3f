"""Progress by day, against plain arithmetic over the same wins."""

from __future__ import annotations

from datetime import date, timedelta
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
from demine.store.records import WinsOfDay
from tests.desktop.dialogs_desk import app, chinese, pixels, shown, until
from tests.desktop.dialogs_past import past, store

__all__ = ["app", "past", "store"]

START = date(2026, 3, 1)
Row = tuple[int, int, int, "float | None", "float | None"]
values = st.one_of(st.none(), st.floats(0.01, 9))
rows_by_day = st.lists(
    st.tuples(st.integers(0, 40), st.integers(1, 9), st.integers(1, 90_000), values, values),
    min_size=1,
    unique_by=lambda row: row[0],
).map(sorted)


def day(row: Row) -> WinsOfDay:
    """The wins of a day so many days after the start."""
    return WinsOfDay(START + timedelta(days=row[0]), *row[1:])


@given(rows_by_day)
def test_arrays_hold_the_days_with_wins(rows: list[Row]) -> None:
    days = daily_progress([day(row) for row in rows])
    assert days is not None
    assert days.first == START + timedelta(days=rows[0][0])
    assert days.at.tolist() == [row[0] - rows[0][0] for row in rows]
    assert days.count.tolist() == [row[1] for row in rows]
    assert days.best.tolist() == [row[2] / 1000 for row in rows]
    for found, place in ((days.bv_s, 3), (days.ioe, 4)):
        assert [None if np.isnan(each) else each for each in found] == [row[place] for row in rows]


def test_no_wins_are_no_days() -> None:
    assert daily_progress([]) is None


@given(st.lists(st.floats(0, 99), min_size=1), st.integers(1, 9))
def test_the_running_average_begins_at_once(found: list[float], count: int) -> None:
    means = trailing_mean(np.array(found), count)
    wanted = [fmean(found[max(0, end - count) : end]) for end in range(1, len(found) + 1)]
    assert means.tolist() == pytest.approx(wanted, abs=1e-9)


def test_charts_name_the_day_and_its_value(app: QApplication) -> None:
    days = daily_progress([day((0, 2, 8000, 3.0, 0.5)), day((3, 1, 7000, None, None))])
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
    days = daily_progress([day((0, 1, 9000, None, None))])
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
