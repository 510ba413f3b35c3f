"""The page of progress charts in Records: game by game, or day by day."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtWidgets import QComboBox, QWidget

from demine.desktop.dialogs import formatting
from demine.desktop.dialogs.base import MessageLabel
from demine.desktop.dialogs.empty_state import PageOrEmptyState
from demine.desktop.dialogs.plot import Chart, Plot, Series, Shape
from demine.desktop.dialogs.progress_charts_by_day import (
    daily_charts,
    daily_progress,
    trailing_mean,
)
from demine.desktop.widget_builders import fill_combo_box, hbox, vbox
from demine.play import record_table
from demine.scene.board_title import board_title
from demine.scene.translation import mark, ntr, tr
from demine.store.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from demine.desktop.retranslator import Retranslator
    from demine.scene.themes import Theme
    from demine.store import Store
    from demine.store.records import CountedResults

AVERAGED: Final = 10
"""Wins in the moving average of times."""
RATED: Final = 50
"""Games in the moving win rate."""


class ProgressPage(QWidget):
    """Plots of the ranked games under the chosen rules: two by game, three by day."""

    def __init__(self, store: Store, theme: Theme, texts: Retranslator) -> None:
        super().__init__()
        self._store = store
        self._rules, self._kind = QComboBox(), QComboBox()
        self._summary = MessageLabel()
        self._times, self._rates = Plot(theme), Plot(theme)
        self.days = (Plot(theme), Plot(theme), Plot(theme))
        rules = texts.make_label(mark("&Rules:"), self._rules)
        kind = texts.make_label(mark("&Show:"), self._kind)
        head = hbox(rules, self._rules, kind, self._kind, (self._summary, 1))
        page = QWidget()
        vbox(head, *((plot, 1) for plot in self._plots), parent=page)
        self.content = PageOrEmptyState(
            page,
            texts,
            mark("No ranked games yet"),
            mark("Your times and your win rate will be drawn here, game by game and day by day."),
        )
        vbox(self.content, parent=self).setContentsMargins(0, 0, 0, 0)
        self._rules.currentIndexChanged.connect(self.reload)
        self._kind.currentIndexChanged.connect(self._show_kind)
        self._list_kinds()

    @property
    def _plots(self) -> tuple[Plot, ...]:
        return self._times, self._rates, *self.days

    def _list_kinds(self) -> None:
        kinds = (tr("game by game"), False), (tr("day by day"), True)
        fill_combo_box(self._kind, kinds, self._kind.currentData())
        self._show_kind()

    def _show_kind(self) -> None:
        by_day = bool(self._kind.currentData())
        for plot in self._plots:
            plot.setVisible(by_day is (plot in self.days))

    def show_rules(self, played_rules: Sequence[str], chosen_rules: str) -> None:
        """Offer the rules that were played, select one and draw its plots."""
        self.content.show_page(filled=bool(played_rules))
        offered = [(board_title(text), text) for text in played_rules]
        fill_combo_box(self._rules, offered, chosen_rules)
        self._list_kinds()
        self.reload()

    @property
    def chosen_rules(self) -> str | None:
        """The chosen rules as text; None if there are none."""
        found: str | None = self._rules.currentData()
        return found

    def reload(self) -> None:
        """Read the games again, and draw the plots in the current language."""
        rules = self.chosen_rules
        summary, charts = self._read(rules) if rules else ("", (None,) * len(self._plots))
        self._summary.set_message(summary)
        for plot, chart in zip(self._plots, charts, strict=True):
            plot.show_chart(chart)
            plot.setAccessibleDescription(summary)

    def _read(self, rules: str) -> tuple[str, tuple[Chart | None, ...]]:
        """Return the summary and the charts of the games by some rules."""
        results = self._store.counted_results(rules)
        days = daily_progress(self._store.wins_by_day(rules))
        return _summary_text(results), (
            self._times_chart(rules, results.win_times_ms) if results.win_times_ms.size else None,
            _rates_chart(results.is_won) if results.is_won.size else None,
            *((None,) * len(self.days) if days is None else daily_charts(days)),
        )

    def _times_chart(self, rules: str, times_ms: NDArray[np.int64]) -> Chart:
        times = times_ms / 1000
        at = np.arange(1, times.size + 1, dtype=np.float64)
        best_at = np.flatnonzero(np.diff(np.minimum.accumulate(times), prepend=np.inf) < 0)
        average = trailing_mean(times, AVERAGED)[AVERAGED - 1 :]

        def hint(place: int) -> str:
            if not 1 <= place <= times.size:
                return ""
            try:
                win = self._store.counted_win(rules, place - 1)
            except StoreError:  # a tip is no place to tell
                return ""
            if win is None:
                return ""
            _, ended, ms, *_ = win
            return tr("Win {number}: {time} s, {moment}", number=place,
            time=record_table.format_seconds(ms),
                      moment=formatting.format_local_time(ended))  # fmt: skip

        return Chart(
            tr("Time of each win, in seconds"),
            tr("wins, oldest first"),
            (
                Series(tr("a win"), Shape.DOTS, at, times),
                Series(tr("best so far"), Shape.STEPS, at[best_at], times[best_at]),
                Series(
                    tr("average of the last {n}", n=AVERAGED),
                    Shape.DASHES,
                    at[AVERAGED - 1 :],
                    average,
                ),
            ),
            x_top=max(float(at[-1]), 2.0),
            y_top=max(float(times.max()) * 1.05, 0.1),
            unit="",
            hint=hint,
        )


def _summary_text(results: CountedResults) -> str:
    if not results.is_won.size:
        return ""
    games = ntr("{n} game", "{n} games", results.is_won.size)
    times = results.win_times_ms
    if not times.size:
        return tr("{games}, none won yet", games=games)
    share = record_table.format_percent(times.size / results.is_won.size)
    best = record_table.format_seconds(int(times.min()))
    return tr("{games}, {share} won, best {best} s", games=games, share=share, best=best)


def _rates_chart(is_won: NDArray[np.bool_]) -> Chart:
    won = is_won.astype(np.float64)
    at = np.arange(1, won.size + 1, dtype=np.float64)
    rate = trailing_mean(won, RATED) * 100
    whole = float(won.mean()) * 100

    def hint(place: int) -> str:
        if not 1 <= place <= rate.size:
            return ""
        share = record_table.format_percent(rate[place - 1] / 100)
        return tr("Game {number}: {share}", number=place, share=share)

    return Chart(
        tr("Games won, in percent"),
        tr("games, oldest first"),
        (
            Series(tr("of all games"), Shape.LEVEL, np.array([0.0, max(at[-1], 2.0)]),
                   np.array([whole, whole])),
            Series(tr("of the last {n}", n=RATED), Shape.LINE, at, rate),
        ),
        x_top=max(float(at[-1]), 2.0),
        y_top=100.0,
        unit=" %",
        hint=hint,
    )  # fmt: skip
