"""How a player gets on under some rules: game by game, or day by day."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from demine.desktop.dialogs import formatting
from demine.desktop.dialogs.base import MessageLabel
from demine.desktop.dialogs.plot import Chart, Floats, Plot, Series, Shape
from demine.desktop.dialogs.progress_by_day import charts, daily_progress
from demine.scene.translation import mark, ntr, tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from demine.desktop.dialogs.base import Retranslator
    from demine.desktop.dialogs.progress_by_day import DailyProgress
    from demine.scene.themes import Theme
    from demine.store import Store
    from demine.store.records import CountedGame

AVERAGED: Final = 10
"""Wins in the running average of times."""
RATED: Final = 50
"""Games in the running win rate."""


class ProgressPage(QWidget):
    """Plots of the games that count under the rules chosen: two by games, three by days."""

    def __init__(self, store: Store, theme: Theme, texts: Retranslator) -> None:
        super().__init__()
        self._store = store
        self._games: tuple[CountedGame, ...] = ()
        self._rules = QComboBox()
        label = QLabel()
        label.setBuddy(self._rules)
        texts.say(label.setText, mark("&Rules:"))
        self._shown = QComboBox()
        shown = QLabel()
        shown.setBuddy(self._shown)
        texts.say(shown.setText, mark("&Show:"))
        self._summary = MessageLabel()
        self._times, self._rates = Plot(theme), Plot(theme)
        self.days = (Plot(theme), Plot(theme), Plot(theme))
        self._gathered: DailyProgress | None = None
        head = QHBoxLayout()
        head.addWidget(label)
        head.addWidget(self._rules)
        head.addWidget(shown)
        head.addWidget(self._shown)
        head.addWidget(self._summary, 1)
        layout = QVBoxLayout(self)
        layout.addLayout(head)
        for plot in (self._times, self._rates, *self.days):
            layout.addWidget(plot, 1)
        self._rules.currentIndexChanged.connect(self._chosen)
        self._shown.currentIndexChanged.connect(self._choose_plots)
        self._offer_plots()

    def _offer_plots(self) -> None:
        """Say in the language set what can be shown."""
        blocker = QSignalBlocker(self._shown)
        place = max(self._shown.currentIndex(), 0)
        self._shown.clear()
        self._shown.addItems([tr("game by game"), tr("day by day")])
        self._shown.setCurrentIndex(place)
        del blocker
        self._choose_plots()

    def _choose_plots(self) -> None:
        by_days = self._shown.currentIndex() == 1
        for plot in (self._times, self._rates):
            plot.setVisible(not by_days)
        for plot in self.days:
            plot.setVisible(by_days)

    def show_rules(self, played: Sequence[str], chosen: str) -> None:
        """Offer the rules that were played, and show those chosen."""
        blocker = QSignalBlocker(self._rules)
        self._rules.clear()
        for text in played:
            self._rules.addItem(formatting.title(text), text)
        self._rules.setCurrentIndex(max(self._rules.findData(chosen), 0) if played else -1)
        del blocker
        self._offer_plots()
        self._chosen()

    def reload(self) -> None:
        """Read the games again: statistics may have been worked out meanwhile."""
        self._chosen()

    @property
    def chosen(self) -> str | None:
        """The rules chosen; None where there are none."""
        found: str | None = self._rules.currentData()
        return found

    def _chosen(self) -> None:
        text = self._rules.currentData()
        self._games = self._store.counted_games(text) if text else ()
        self._gathered = daily_progress(self._store.counted_wins(text)) if text else None
        self.say()

    def say(self) -> None:
        """Draw the plots in the language set now."""
        wins = [game for game in self._games if game[1] == "won"]
        self._times.show_chart(self._times_chart(wins) if wins else None)
        self._rates.show_chart(self._rates_chart() if self._games else None)
        found = (None,) * 3 if self._gathered is None else charts(self._gathered)
        for plot, chart in zip(self.days, found, strict=True):
            plot.show_chart(chart)
        for plot in (self._times, self._rates, *self.days):
            plot.setAccessibleDescription(self._summary_text(wins))
        self._summary.tell(self._summary_text(wins))

    def _summary_text(self, wins: Sequence[CountedGame]) -> str:
        if not self._games:
            return tr("No game that counts has ended yet.")
        games = ntr("{n} game", "{n} games", len(self._games))
        share = formatting.percent(len(wins) / len(self._games))
        if not wins:
            return tr("{games}, none won yet", games=games)
        best = formatting.seconds(min(game[2] for game in wins))
        return tr("{games}, {share} won, best {best} s", games=games, share=share, best=best)

    def _times_chart(self, wins: Sequence[CountedGame]) -> Chart:
        times = np.array([game[2] for game in wins], np.float64) / 1000
        at = np.arange(1, times.size + 1, dtype=np.float64)
        best_at = np.flatnonzero(np.diff(np.minimum.accumulate(times), prepend=np.inf) < 0)
        average = running(times, AVERAGED)

        def hint(place: int) -> str:
            if not 1 <= place <= len(wins):
                return ""
            _, _, ms, ended = wins[place - 1]
            return tr("Win {number}: {time} s, {moment}", number=place, time=formatting.seconds(ms),
                      moment=formatting.moment(ended))  # fmt: skip

        return Chart(
            tr("Time of each win, in seconds"),
            tr("wins, the oldest first"),
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

    def _rates_chart(self) -> Chart:
        won = np.array([game[1] == "won" for game in self._games], np.float64)
        at = np.arange(1, won.size + 1, dtype=np.float64)
        rate = rates(won) * 100
        whole = float(won.mean()) * 100

        def hint(place: int) -> str:
            if not 1 <= place <= rate.size:
                return ""
            share = formatting.percent(rate[place - 1] / 100)
            return tr("Game {number}: {share}", number=place, share=share)

        return Chart(
            tr("Games won, in percent"),
            tr("games, the oldest first"),
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


def running(values: Floats, count: int) -> Floats:
    """Return the mean of each `count` values in a row: `count - 1` fewer than there are values."""
    if values.size < count:
        return np.empty(0, np.float64)
    sums = np.cumsum(np.concatenate([[0.0], values]))
    means: Floats = (sums[count:] - sums[:-count]) / count
    return means


def rates(won: Floats) -> Floats:
    """Return the share won (0 to 1) of the last `RATED` games, of all so far while fewer."""
    sums = np.cumsum(np.concatenate([[0.0], won]))
    end = np.arange(1, won.size + 1)
    begin = np.maximum(end - RATED, 0)
    shares: Floats = (sums[end] - sums[begin]) / (end - begin)
    return shares
