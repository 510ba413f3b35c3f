"""Live counters beside the board: the statistics of a game that is being played.

They are not updated during an act but a moment later, ten times a second at most, and less often
where computing them takes long.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QElapsedTimer, QObject, QTimer

from demine.desktop.board.counters_panel import CountersPanel
from demine.logic.errors import DemineError
from demine.logic.event import BOARD_VERBS, Act, Touch
from demine.logic.rules import Flags
from demine.statistics.chosen_counters import counters_to_setting, format_value, parse_counters
from demine.statistics.compute import stats
from demine.statistics.cumulative_counts import CumulativeCounts
from demine.statistics.definitions import Statistics
from demine.statistics.figures import LayoutFigures, MomentFigures
from demine.statistics.layout_regions import LayoutRegions
from demine.statistics.mouse_event_signals import ACT_SIGNALS, signal_of_touch
from demine.statistics.play_recording import RecordingPlayer, resolved_signals
from demine.statistics.recording_type import Recording, Signal

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from demine.desktop.controller import QtController
    from demine.game import Game
    from demine.logic.event import Event, Verb
    from demine.statistics.chosen_counters import Counter
    from demine.statistics.definitions import Value
    from demine.store.store import Store

COUNTERS_SETTING: Final = "live_counters"
"""The name of the setting: a list of pairs, a name and a formula."""
DEFAULT_COUNTERS: Final = tuple(("", name) for name in (
    "time", "clicks", "left", "right", "double", "clicks_s", "corr_arbiter", "flags", "path",
    "bv_solved", "bv", "bv_s", "ioe",
))  # fmt: skip
"""The counters until the player chooses others, as pairs of name and formula."""
SHOWN_IN_RANKED_GAMES: Final = frozenset({
    "time", "time_legacy", "left", "left_inside", "right", "double", "clicks", "left_effective",
    "double_effective", "right_effective_arbiter", "effective_arbiter", "wasted_arbiter",
    "left_wasted", "double_wasted", "left_s", "right_s", "double_s", "clicks_s",
    "effective_arbiter_s", "corr_arbiter", "flags", "flags_set", "flags_wasted", "unflags",
    "half_clicks", "half_clicks_rawvf", "path", "path_manhattan", "click_path", "mov",
})  # fmt: skip
"""Statistics that reveal nothing about covered cells, shown in ranked games before the end."""
_LARGE: Final = 1 << 13
"""Above this many cells nothing is computed from ZiNi: it would block the window."""
_PAUSE_MS: Final = 100
_AFTER_MS: Final = 30
"""Delay of an update, so that the board is painted first."""
_SHARE: Final = 10
"""Updates may take one part in so many of the time."""


class LiveStatistics:
    """The statistics of a running game; each event is read once."""

    def __init__(self, game: Game, *, questions: bool, chords: bool) -> None:
        self._game = game
        self._read_events = 0
        self._first: Event | None = None
        self._t, self._signal = array("q"), array("B")
        self._x, self._y = array("q"), array("q")
        self._held: list[int] = []
        self._awaited: tuple[Verb, int, int] | None = None
        self._is_astray = False
        """Whether the acts differ from those that the touches cause; then nothing is reused."""
        empty = np.empty(0, np.int64)
        points = np.empty(0, np.int32)
        mines = game.board.mine_map.copy()
        self._blank = Recording(
            mines, empty, np.empty(0, np.uint8), points, points, cell=game.cell_px,
            questions=questions, left_chords=chords, flags_hold=game.rules.flags is Flags.HOLD,
        )  # fmt: skip
        self._play = RecordingPlayer(self._blank)
        self._regions = LayoutRegions.of(mines)
        self._layout = LayoutFigures(self._regions)

    def statistics(self, clock_ms: int) -> Statistics:
        """Return the statistics at a time of the game clock, in milliseconds.

        Raises `LayoutError` before the mines are laid.
        """
        self._follow()
        if self._is_astray or self._game.undone:
            return stats(self._game)
        over = self._game.status.over
        recording = self._recording(None if over else clock_ms)
        self._play.recording = recording
        cumulative = CumulativeCounts(recording, self._play.result(), self._regions)
        return Statistics(self._layout, MomentFigures(cumulative, self._layout))

    def _follow(self) -> None:
        events = self._game.events
        for event in events[self._read_events :]:
            if isinstance(event, Touch):
                self._add_touch(event)
            elif isinstance(event, Act) and event.verb in BOARD_VERBS:
                self._add_act(event)
        self._read_events = len(events)

    def _add_touch(self, touch: Touch) -> None:
        signal = signal_of_touch(touch.button, touch.action)
        self._append_signal(touch.t, signal, touch.x, touch.y)
        if signal == Signal.MV:
            return
        self._note_detour(self._awaited is not None)
        clicks = self._play.clicks
        self._follow_signal(
            self._resolve_modifiers(signal),
            touch.y // self._blank.cell,
            touch.x // self._blank.cell,
        )
        if self._play.clicks > clicks:
            self._awaited = self._play.last_act()

    def _add_act(self, act: Act) -> None:
        if self._awaited is not None:
            self._note_detour(self._awaited != (act.verb, act.row, act.col))
            self._awaited = None
            return
        signal = ACT_SIGNALS[act.verb]
        cell = self._blank.cell
        x, y = (cell * at + cell // 2 for at in (act.col, act.row))
        self._append_signal(act.t, signal, x, y)
        self._follow_signal(signal, act.row, act.col)

    def _note_detour(self, lost: bool) -> None:
        self._is_astray = self._is_astray or lost

    def _resolve_modifiers(self, signal: int) -> int:
        """Return a signal with its modifiers resolved, by the signals since no button was held."""
        self._held.append(signal)
        plain = resolved_signals(self._held)[-1]
        ups = sum(signal in (Signal.LR, Signal.RR, Signal.MR) for signal in self._held)
        if 2 * ups >= len(self._held):
            self._held.clear()
        return plain

    def _follow_signal(self, signal: int, row: int, col: int) -> None:
        height, width = self._blank.mine_map.shape
        inside = 0 <= row < height and 0 <= col < width
        if self._play.end < 0:
            cell = row * width + col if inside else -1
            self._play.play_events([len(self._t) - 1], [signal], [cell])

    def _append_signal(self, t: int, signal: int, x: int, y: int) -> None:
        far = np.iinfo(np.int32)
        self._t.append(t)
        self._signal.append(signal)
        self._x.append(min(max(x, far.min), far.max))
        self._y.append(min(max(y, far.min), far.max))

    def _recording(self, clock_ms: int | None) -> Recording:
        """Return the recording so far; with a clock, the pointer stays there until that time."""
        t, signal = np.array(self._t, np.int64), np.array(self._signal, np.uint8)
        x, y = np.array(self._x, np.int32), np.array(self._y, np.int32)
        if clock_ms is not None and t.size:
            t = np.append(t, max(clock_ms, int(t[-1])))
            signal = np.append(signal, np.uint8(Signal.MV))
            x, y = np.append(x, x[-1]), np.append(y, y[-1])
        return replace(self._blank, t=t, signal=signal, x=x, y=y)


class PermittedStatistics(Mapping[str, "Value"]):
    """Statistics with None in place of those that must not or cannot be shown now."""

    def __init__(self, found: Mapping[str, Value], *, all_told: bool, large: bool) -> None:
        self._found, self._all, self._large = found, all_told, large

    def __getitem__(self, name: str) -> Value:
        if not (self._all or name in SHOWN_IN_RANKED_GAMES) or (self._large and _is_heavy(name)):
            return None
        return self._found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)


def _is_heavy(name: str) -> bool:
    return "zini" in name or name.startswith(("zn", "hzn"))


class LiveCounters(QObject):
    """Keeps a panel of counters up to date; `panel` is to be put beside the board."""

    def __init__(self, controller: QtController, store: Store, window: QWidget) -> None:
        super().__init__(window)
        self._controller, self._store, self._window = controller, store, window
        self.panel = CountersPanel(
            parse_counters(store.settings.get(COUNTERS_SETTING), DEFAULT_COUNTERS)
        )
        self.panel.choose_requested.connect(self._choose_counters)
        self._live_statistics: LiveStatistics | None = None
        self._game: Game | None = None
        self._timer, self._passed = QTimer(self), QElapsedTimer()
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.update_values)
        self._cost = 0
        controller.faces_changed.connect(self.schedule_update)
        controller.panel_changed.connect(self.schedule_update)
        self.panel.show_values(["–"] * len(self.panel.counters))
        self.schedule_update()

    def schedule_update(self) -> None:
        """Update the values soon, unless an update is scheduled already or the panel is hidden."""
        if self._timer.isActive() or self.panel.isHidden():
            return
        since = self._passed.elapsed() if self._passed.isValid() else _PAUSE_MS
        pause = max(_PAUSE_MS, _SHARE * self._cost)
        self._timer.start(max(pause - since, _AFTER_MS))

    def update_values(self) -> None:
        """Update the values now."""
        self._passed.start()
        self.panel.show_values(self.current_values())
        self._cost = self._passed.elapsed()

    def current_values(self) -> list[str]:
        """Return the counter values as text, with a dash for what is not known or hidden yet."""
        session = self._controller.session
        game, counters = session.game, self.panel.counters
        if not game.begun or not game.board.laid:
            self._live_statistics = self._game = None
            return ["–"] * len(counters)
        if self._live_statistics is None or game is not self._game:
            chosen = self._controller.preferences
            self._live_statistics = LiveStatistics(
                game, questions=chosen.questions, chords=chosen.left_chord
            )
            self._game = game
        try:
            found = self._live_statistics.statistics(session.clock_ms)
        except DemineError:
            return ["–"] * len(counters)
        all_told = game.status.over or bool(game.unranked)
        told = PermittedStatistics(found, all_told=all_told, large=game.rules.cells > _LARGE)
        return [format_value(each.formula.value(told)) for each in counters]

    def _choose_counters(self) -> None:
        from demine.desktop.dialogs.choose_counters import CountersDialog

        dialog = CountersDialog(self._window, self.panel.counters, DEFAULT_COUNTERS)
        if dialog.exec():
            self.set_counters(dialog.counters)

    def set_counters(self, counters: list[Counter]) -> None:
        """Replace the counters, and save them as a setting."""
        self.panel.set_counters(counters)
        self._controller.session.save_settings({COUNTERS_SETTING: counters_to_setting(counters)})
        self.update_values()
