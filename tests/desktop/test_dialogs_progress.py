"""The plots: what they hold, and how they look."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, QRectF
from PySide6.QtGui import QFont, QHelpEvent, QImage, QPainter, QPolygonF
from PySide6.QtWidgets import QApplication, QToolTip

from demine.desktop.dialogs import plot
from demine.desktop.dialogs.plot import Floats, Plot, axis_ticks, decimate_to_pixels
from demine.desktop.dialogs.progress_charts_by_day import trailing_mean
from demine.desktop.dialogs.progress_page import AVERAGED, RATED
from demine.desktop.dialogs.records import RecordsDialog
from demine.logic.rules import BEGINNER, EXPERT
from demine.play import record_table
from demine.scene.themes import THEMES
from demine.store import Store
from tests.desktop.dialogs_desk import (
    app,
    pixels,
    shown,
)
from tests.desktop.dialogs_past import LIGHT, dialog, fill, past, store
from tests.pictures import compare

__all__ = ["app", "dialog", "past", "store"]


def test_progress_begins_with_the_rules_being_played(app: QApplication, store: Store) -> None:
    dialog = RecordsDialog(None, store, EXPERT, LIGHT)
    assert dialog.progress._rules.currentText() == "Expert"
    record = store.record_of(EXPERT)
    said = dialog.progress._summary.text()
    assert said == (
        f"{record.games} games, {record_table.format_percent(record.win_rate)} won, "
        f"best {record_table.format_seconds(record.best_ms)} s"
    )
    assert dialog.progress._times.accessibleDescription() == said


def test_the_plots_hold_what_was_played(dialog: RecordsDialog, store: Store) -> None:
    chart = dialog.progress._times._chart
    assert chart is not None
    record = store.record_of(BEGINNER)
    dots, best, average = chart.series
    assert dots.x.size == record.wins
    assert best.y[-1] == record.best_ms / 1000 == dots.y.min()  # type: ignore[operator]
    assert average.y[-1] * 1000 == pytest.approx(record.average_10)
    assert len({series.shape for series in chart.series}) == 3
    won = dialog.progress._rates._chart
    assert won is not None
    last = store.counted_games(BEGINNER)[-RATED:]
    assert won.series[1].y[-1] == pytest.approx(
        100 * sum(game[1] == "won" for game in last) / RATED
    )
    assert chart.hint(1).startswith("Win 1: ")
    assert (chart.hint(0), won.hint(10_000)) == ("", "")
    assert (chart.hint(record.wins)[:4], chart.hint(record.wins + 1)) == ("Win ", "")
    store.close()
    assert chart.hint(1) == ""  # what it cannot read it does not tell


def test_a_running_mean_is_the_mean_of_each_ten() -> None:
    values = np.random.default_rng(1).random(57)
    wanted = [values[at : at + AVERAGED].mean() for at in range(57 - AVERAGED + 1)]
    assert trailing_mean(values, AVERAGED)[AVERAGED - 1 :] == pytest.approx(wanted)
    assert trailing_mean(values[:9], AVERAGED)[AVERAGED - 1 :].size == 0


def test_a_running_rate_takes_what_there_is_until_there_are_fifty() -> None:
    won = np.random.default_rng(2).integers(0, 2, 130).astype(np.float64)
    wanted = [won[max(0, end - RATED) : end].mean() for end in range(1, 131)]
    assert trailing_mean(won, RATED) == pytest.approx(wanted)


@pytest.mark.parametrize("top", [0.1, 1.0, 2.0, 3.7, 14.2, 59.0, 100.0, 999.0, 12345.0])
def test_axes_have_three_to_seven_round_values_within_them(top: float) -> None:
    found = axis_ticks(top, "")
    assert 3 <= len(found) <= 7
    assert found[0][0] == 0
    assert found[-1][0] <= top * 1.0001
    assert [float(text) for _, text in found] == pytest.approx([value for value, _ in found])


def test_whole_axes_have_whole_values() -> None:
    assert all(value == int(value) for value, _ in axis_ticks(2.0, "", whole_numbers=True))


def test_a_thinned_line_keeps_its_heights_in_every_column() -> None:
    rng = np.random.default_rng(3)
    x = np.sort(rng.random(5000) * 40)
    y = rng.random(5000)
    few_x, few_y = decimate_to_pixels(x, y)
    assert few_x.size <= 80
    for at in range(40):
        inside, kept = y[np.floor(x) == at], few_y[np.floor(few_x) == at]
        assert (kept.min(), kept.max()) == (inside.min(), inside.max())
    same = decimate_to_pixels(x[::500], y[::500])
    assert (same[0] == x[::500]).all()


def test_plots_of_a_hundred_thousand_games_have_no_more_points_than_pixels(
    app: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines: list[int] = []
    polygon = plot._polygon

    def watch(x: Floats, y: Floats) -> QPolygonF:
        lines.append(x.size)
        return polygon(x, y)

    monkeypatch.setattr(plot, "_polygon", watch)
    with Store.memory() as store:
        fill(store, 100_000)
        dialog = RecordsDialog(None, store, BEGINNER, LIGHT)
        dialog.tabs.setCurrentWidget(dialog.progress)
        shown(dialog)
        dialog.progress._times.grab()
        dialog.progress._rates.grab()
        widest = max(dialog.progress._times.width(), dialog.progress._rates.width())
        assert 2 < max(lines) <= 2 * widest


def test_a_pixel_shows_one_dot(app: QApplication) -> None:
    dots: list[QPointF] = []

    class Watched(QPainter):
        def drawEllipse(self, *args: Any) -> None:  # noqa: N802 - a name of Qt
            dots.append(args[0])

    x = np.linspace(0, 99, 100_000)
    picture = QImage(100, 10, QImage.Format.Format_RGB32)
    painter = Watched(picture)
    plot._paint_dots(painter, x, x % 3)
    painter.end()
    assert 100 <= len(dots) <= 100 * 4


def test_the_pointer_asks_the_plot_what_stands_there(dialog: RecordsDialog, store: Store) -> None:
    dialog.tabs.setCurrentWidget(dialog.progress)
    plot = dialog.progress._times
    chart = plot._chart
    assert chart is not None
    at = plot._plot_area(chart).bottomRight().toPoint()
    event = QHelpEvent(QEvent.Type.ToolTip, at, plot.mapToGlobal(at))
    QApplication.sendEvent(plot, event)
    wins = store.record_of(BEGINNER).wins
    assert QToolTip.text().startswith(f"Win {wins}: ")


@pytest.mark.parametrize("look", ["light", "dark"])
def test_the_plots_look_as_they_did(
    app: QApplication, store: Store, look: str, regenerate: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lines and dots only: words and their room are each machine's own."""
    monkeypatch.setattr(Plot, "_paint_axes", lambda *_: None)
    monkeypatch.setattr(Plot, "_paint_legend", lambda *_: None)
    monkeypatch.setattr(Plot, "_plot_area", lambda *_: QRectF(20, 20, 440, 180))
    dialog = RecordsDialog(None, store, BEGINNER, THEMES[look])
    plot = dialog.progress._times
    plot.setFont(QFont("Sans", 9))
    plot.resize(480, 220)
    seen = pixels(plot)
    theme = THEMES[look]
    colours = {tuple(colour) for colour in seen.reshape(-1, 3).tolist()}
    assert {theme.opened, theme.digit_colour(2)} <= colours
    compare(seen, f"desktop_dialogs/plot-{look}", regenerate, mean=1.0, worst=255)


def test_the_plots_write_their_axes_in_the_ink_of_the_theme(
    app: QApplication, store: Store
) -> None:
    dialog = RecordsDialog(None, store, BEGINNER, THEMES["contrast"])
    dialog.progress._rates.resize(480, 220)
    seen = pixels(dialog.progress._rates).reshape(-1, 3).tolist()
    colours = {tuple(colour) for colour in seen}
    assert THEMES["contrast"].mine in colours
    assert THEMES["contrast"].opened in colours
