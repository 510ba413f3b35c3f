"""The window of the replay player: what it shows, and what its buttons and keys do."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QElapsedTimer, QEvent, QSize, Qt, QTimer
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QGuiApplication,
)
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QVBoxLayout, QWidget

from demine.desktop import colour_scheme
from demine.desktop.board.counters_panel import BackgroundStatistics, CountersPanel
from demine.desktop.colour_scheme import with_panel_colours
from demine.desktop.focus_ring_menu_bar import FocusRingMenuBar
from demine.desktop.panel import NumberDisplay, RestartButton
from demine.desktop.status_line import StatusLine
from demine.desktop.watch.background_analysis import BackgroundRisks
from demine.desktop.watch.image_export import ReplayExporter
from demine.desktop.watch.jumps import JumpFinder
from demine.desktop.watch.menus import Menus
from demine.desktop.watch.replay_board import ReplayBoard
from demine.desktop.watch.seek_bar import SeekBar
from demine.desktop.watch.transport import TransportBar
from demine.reviews import watch_text
from demine.reviews.watch_review import distinct_clamped_times, with_judged_act
from demine.reviews.watch_text import LAST_MS, PATHS, format_time_to_tenths
from demine.scene.overlay import Overlay
from demine.scene.playback import Playback
from demine.scene.playback_commands import commands_by_name
from demine.scene.translation import explain, mark, tr
from demine.statistics.chosen_counters import COUNTERS_SETTING, counters_to_setting, parse_counters

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QCloseEvent

    from demine.game import Game
    from demine.reviews.review_result import JudgedAct
    from demine.scene.playback import Snapshot, Trail
    from demine.scene.preferences import Preferences
    from demine.store.store import Store

VIEW: Final = "watch_view"
"""The name of the setting for the pointer trail and the counters."""
_FRAME_MS: Final = 16
_LEAST_CELL: Final = 12
_LEAST_BOARD: Final = QSize(400, 400)
"""The least size of the board: a small one gets large cells, so that the counters fit."""
_PREPARED_AT_ONCE: Final = 40
"""Acts that are folded ahead at once."""
_COUNTERS_MS: Final = 80
"""Counters are updated no more often while playing."""


class PlayPauseFace(RestartButton):
    """The face of the panel as a button that plays and pauses."""

    def retranslate_ui(self) -> None:
        """Set the name in the current language."""
        self.setAccessibleName(tr("Play or pause"))
        self.setToolTip(tr("Play or pause"))


class ReplayWindow(QMainWindow):
    """The window that plays back one game, from its first input to its last."""

    def __init__(
        self,
        game: Game,
        preferences: Preferences,
        *,
        name: str = "",
        store: Store | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        if parent is not None:
            self.setWindowFlag(Qt.WindowType.Window)
            self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        watch_text.set_contradiction_notes(game)
        self.playback = Playback(game, fade_finished=preferences.fade_finished)
        self.preferences, self.name, self._store = preferences, name, store
        self.theme = colour_scheme.apply_colour_scheme(preferences)
        self.playing = False
        self._open = True
        self.shows_risks = False
        self.path = "last"
        self._judged_act: JudgedAct | None = None
        self.risks = BackgroundRisks(game.rules.mines)
        self.statistics = BackgroundStatistics(game)
        self.jumps = JumpFinder(self.playback)
        self._timer, self._since_frame, self._since_count = (
            QTimer(self),
            QElapsedTimer(),
            QElapsedTimer(),
        )
        self._create_widgets()
        self._connect()
        self._restore_view_settings()
        self.apply_theme()
        self.retranslate_ui()
        self.refresh()

    def _create_widgets(self) -> None:
        game, theme = self.playback.game, self.theme
        still = self.playback.snapshot()
        self.board = ReplayBoard(still, theme)
        self.mines, self.seconds = (
            NumberDisplay(mark("Mines left"), "mine", theme),
            NumberDisplay(mark("Seconds"), "clock", theme, icon_last=True),
        )
        self.face, self.line = PlayPauseFace(theme), StatusLine()
        start, end = self.playback.start, self.playback.end
        times = self.playback.times[self.playback.acts]
        self.seek_bar = SeekBar(
            start, end, distinct_clamped_times(times.tolist(), start, end), theme
        )
        self.transport = TransportBar(theme)
        setting = None if self._store is None else self._store.settings.get(COUNTERS_SETTING)
        self.counters = CountersPanel(parse_counters(setting))
        self.exporter = ReplayExporter(self, self)
        self.setMenuBar(FocusRingMenuBar())
        self.menus = Menus(self.menuBar(), self.board, self.run_command)
        self.mines.show_value(game.rules.mines, game.rules.mines)
        self._lay_out()
        self.board.setFocus()

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setContentsMargins(8, 8, 8, 0)
        for part in (self.mines, None, self.face, None, self.seconds):
            if part is None:
                top.addStretch(1)
            else:
                top.addWidget(part)
        middle = QHBoxLayout()
        middle.setContentsMargins(6, 0, 0, 0)
        middle.setSpacing(6)
        middle.addWidget(self.board, 1)
        middle.addWidget(self.counters)
        below = QWidget()
        column = QVBoxLayout(below)
        column.setContentsMargins(8, 2, 8, 0)
        column.setSpacing(2)
        column.addWidget(self.seek_bar)
        column.addWidget(self.transport)
        column.addWidget(self.line)
        self._inside = QWidget()
        self._inside.setAutoFillBackground(True)
        whole = QVBoxLayout(self._inside)
        whole.setContentsMargins(0, 0, 0, 4)
        whole.setSpacing(6)
        whole.addLayout(top)
        whole.addLayout(middle, 1)
        whole.addWidget(below)
        self.setCentralWidget(self._inside)

    def _connect(self) -> None:
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._advance)
        self.face.clicked.connect(lambda: self.run_command("play"))
        self.board.clicked.connect(lambda: self.run_command("play"))
        self.seek_bar.seek_requested.connect(self.seek)
        self.transport.pressed.connect(self.run_command)
        self.transport.speed_chosen.connect(self.set_speed)
        self.counters.choose_requested.connect(lambda: self.run_command("choose"))
        self.risks.arrived.connect(self.refresh)
        self.risks.failed.connect(self._say)
        self.jumps.message.connect(self._say)
        self.jumps.jump_found.connect(self._show_judged_act)
        self.jumps.all_judged.connect(self.seek_bar.set_judged_times)
        self.exporter.message.connect(self._say)
        self.statistics.ready.connect(self._update_counters)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self.apply_theme)

    # Display

    def refresh(self) -> None:
        """Show the current moment: board, panel, seek bar, text, counters and menus."""
        still = self.playback.snapshot()
        self.board.show_snapshot(still, self.shown_trail(), self.shown_overlay(still))
        self.mines.show_value(still.mines_left, self.playback.game.rules.mines)
        self.seconds.show_value(still.seconds, 0)
        self.face.show_mood(still.mood)
        self.seek_bar.set_time(self.playback.ms)
        now, end = format_time_to_tenths(self.playback.ms), format_time_to_tenths(self.playback.end)
        self.transport.show_state(
            playing=self.playing, speed=self.playback.speed, time_text=f"{now} / {end}"
        )
        if not self.jumps.waiting:
            told = "" if self._judged_act is None else watch_text.verdict_text(self._judged_act)
            self._say(told or watch_text.playback_line(self.playback, still.faces))
        if (
            not self.playing
            or not self._since_count.isValid()
            or self._since_count.elapsed() > _COUNTERS_MS
        ):
            self._update_counters()
        self.menus.show_view_state(
            self.path, chances=self.shows_risks, counters=self.counters.isVisibleTo(self)
        )

    def _say(self, text: str) -> None:
        """Show a message, and have it read out unless the game plays."""
        if self.line.set_text_if_new(text) and not self.playing and QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self.board, text))

    def shown_overlay(self, still: Snapshot | None = None) -> Overlay | None:
        """Return the overlay of a moment, by default the current one: risks and the judged act."""
        still = still or self.playback.snapshot()
        found = self.risks.overlay_if_known(still) if self.shows_risks else None
        if self._judged_act is not None:
            rows, cols = still.faces.shape
            found = with_judged_act(found or Overlay.empty((rows, cols)), self._judged_act)
        return found

    def shown_trail(self) -> Trail | None:
        """Return the part of the pointer trail that is shown, or None."""
        if self.path == "off":
            return None
        return self.playback.trail(LAST_MS if self.path == "last" else None)

    def _update_counters(self) -> None:
        if self.counters.isVisibleTo(self):
            self._since_count.start()
            ms = None if self.playback.ended else round(self.playback.ms)
            self.counters.show_values(self.statistics.counter_values(self.counters.counters, ms))

    # Commands

    def run_command(self, name: str) -> None:
        """Run a command of a button, key or menu by its name, such as `play` or `zoom-in`."""
        commands: dict[str, Callable[[], object]] = {
            **commands_by_name(self),
            "chances": self._toggle_risks,
            "analyse": self._analyse_position,
            "path": lambda: self.set_path_mode(PATHS[(PATHS.index(self.path) + 1) % len(PATHS)]),
            **{f"path-{each}": partial(self.set_path_mode, each) for each in PATHS},
            "counters": self._toggle_counters,
            "choose": self._choose_counters,
            "zoom-in": lambda: self.board.zoom(1),
            "zoom-out": lambda: self.board.zoom(-1),
            "zoom-fit": lambda: self.board.set_cell_size_or_fit(0),
            "fullscreen": self._toggle_fullscreen,
            "png": self.exporter.ask_to_save_frame,
            "gif": self.exporter.ask_to_save_animation,
            "help": self._show_keys,
            "close": self._leave_full_screen_or_close,
        }
        commands[name]()

    def toggle_playing(self) -> None:
        """Play or pause; at the end, play from the start."""
        if not self.playing and self.playback.ended:
            self.playback.seek(self.playback.start)
        self._play(not self.playing)

    def _play(self, on: bool) -> None:
        self.playing = on
        self._judged_act = None
        if on:
            self._since_frame.start()
            self._timer.start(_FRAME_MS)
        else:
            self._timer.stop()
        self.refresh()

    def _advance(self) -> None:
        self.playback.advance(self._since_frame.restart())
        if self.playback.ended:
            self._play(False)
        else:
            self.refresh()

    def seek(self, ms: float) -> None:
        """Go to a time in milliseconds, and go on playing or stay paused."""
        self._forget_jump()
        self.playback.seek(ms)
        self.refresh()

    def step(self, acts: int) -> None:
        """Go forward by acts, or back if negative, and pause."""
        self._forget_jump()
        self.playback.step(acts)
        if self.playing:
            self._play(False)
        self._judged_act = self.jumps.notable_act
        self.refresh()

    def _forget_jump(self) -> None:
        """Forget the act of the last jump, and a jump that still waits."""
        self._judged_act = None
        self.jumps.waiting = ""

    def set_speed(self, speed: float) -> None:
        """Set the factor of speed."""
        self.playback.speed = speed
        self.refresh()

    def change_speed(self, steps: int) -> None:
        """Change to a higher speed of the list by steps, or to a lower one if negative."""
        self.playback.change_speed(steps)
        self.refresh()

    def jump_to_next(self, kind: str) -> None:
        """Pause, and go to the next `guess` or `mistake` as soon as the game is reviewed."""
        if self.playing:
            self._play(False)
        self.jumps.request_jump(kind)

    def start_review(self) -> None:
        """Have every move judged, and go to the first mistake; later steps show the others."""
        self.jumps.request_review()

    def _show_judged_act(self, place: int) -> None:
        """Go to just before a judged act, and show the verdict."""
        self.playback.seek_before_event(place)
        self._judged_act = self.jumps.judged[place]
        if self._judged_act.row >= 0:
            self.board.scroll_to_cell(self._judged_act.row, self._judged_act.col)
        self.refresh()

    # View

    def _toggle_risks(self) -> None:
        self.shows_risks = not self.shows_risks
        self.refresh()

    def set_path_mode(self, mode: str) -> None:
        """Show the pointer trail by a mode, `off`, `last` or `whole`, and save that."""
        self.path = mode
        self._save_view_settings()
        self.refresh()

    def _toggle_counters(self) -> None:
        on = not self.counters.isVisibleTo(self)
        self.counters.setVisible(on)
        if on:
            self.statistics.start()
        self._save_view_settings()
        self.refresh()

    def _choose_counters(self) -> None:
        from demine.desktop.dialogs.choose_counters import CountersDialog

        dialog = CountersDialog(self, self.counters.counters)
        if dialog.exec():
            self.counters.set_counters(dialog.counters)
            self._save_setting(COUNTERS_SETTING, counters_to_setting(dialog.counters))
            self._update_counters()

    def _analyse_position(self) -> None:
        from demine.desktop.dialogs.analysis_board import AnalysisDialog

        page = AnalysisDialog(self, self.theme)
        page.begin_with(self.playback.snapshot().faces, self.playback.game.rules.mines)
        page.exec()

    def _show_keys(self) -> None:
        from demine.desktop.watch.keys_help import KeysDialog

        KeysDialog(self).exec()

    def _toggle_fullscreen(self) -> None:
        if self.isFullScreen():
            self.showNormal()
        else:
            self.showFullScreen()

    def _leave_full_screen_or_close(self) -> None:
        if self.isFullScreen():
            self.showNormal()
        else:
            self.close()

    def _restore_view_settings(self) -> None:
        setting = None if self._store is None else self._store.settings.get(VIEW)
        view = setting if isinstance(setting, dict) else {}
        if view.get("path") in PATHS:
            self.path = str(view["path"])
        shown = view.get("counters", True) is not False
        self.counters.setVisible(shown)
        if shown:
            self.statistics.start()

    def _save_view_settings(self) -> None:
        self._save_setting(VIEW, {"path": self.path, "counters": self.counters.isVisibleTo(self)})

    def _save_setting(self, name: str, value: object) -> None:
        from demine.store.errors import StoreError

        if self._store is not None:
            try:
                self._store.settings.set(name, value)
            except StoreError as error:
                self._say(explain(error))

    # Size, theme, language

    def open(self, *, fullscreen: bool = False) -> None:
        """Show the window, as large as the board needs and the screen allows."""
        room = self.screen().availableGeometry().size() * 0.92
        chrome = self.sizeHint() - self.board.sizeHint()
        cell = self.board.comfortable_cell_size(room - chrome, _LEAST_CELL)
        wanted = self.board.size_for_cell(cell).expandedTo(_LEAST_BOARD) + chrome
        self.resize(wanted.expandedTo(self.minimumSizeHint()).boundedTo(room))
        if fullscreen:
            self.showFullScreen()
        else:
            self.show()
        self._prepare_playback()

    def _prepare_playback(self) -> None:
        """Preload positions while idle, so that seeking never takes long."""
        if not self._open:
            return
        self.playback.preload(_PREPARED_AT_ONCE)
        if not self.playback.is_preloaded:
            QTimer.singleShot(0, self, self._prepare_playback)

    def apply_theme(self) -> None:
        """Apply the chosen theme."""
        theme = self.theme = colour_scheme.apply_colour_scheme(self.preferences)
        self._inside.setPalette(with_panel_colours(self._inside.palette(), theme))
        for part in (self.mines, self.seconds):
            part.apply_theme(theme, led_digits=self.preferences.shows_led_digits(theme))
        self.face.theme = theme
        self.face.update()
        self.line.setPalette(with_panel_colours(self.line.palette(), theme))
        self.board.theme = theme
        self.seek_bar.apply_theme(theme)
        self.transport.apply_theme(theme)

    def retranslate_ui(self) -> None:
        """Set all texts in the current language."""
        game = self.playback.game
        title = watch_text.replay_title(game, self.name)
        self.setWindowTitle(f"{title} — demine")
        for part in (
            self.mines,
            self.seconds,
            self.face,
            self.seek_bar,
            self.transport,
            self.counters,
        ):
            part.retranslate_ui()
        rows, cols = self.playback.game.rules.shape
        self.board.setAccessibleName(
            tr("Board of {rows} rows and {cols} columns", rows=rows, cols=cols)
        )
        self.menus.texts.retranslate()

    def changeEvent(self, event: QEvent) -> None:
        """Set all texts again after a language change."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.LanguageChange:
            self.retranslate_ui()
            self.refresh()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop all analysis and export."""
        self._timer.stop()
        self._open = False
        self.exporter.close()
        self.risks.close()
        self.jumps.close()
        self.statistics.ignore_result()
        super().closeEvent(event)
