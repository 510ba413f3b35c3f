"""The main window: menus, panel and board, commands and preferences."""

from __future__ import annotations

from dataclasses import asdict, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QTimer, Signal
from PySide6.QtGui import QGuiApplication

from demine.desktop.window.auto_sized_window import AutoSizedWindow
from demine.desktop.window.saved_geometry import GEOMETRY_SETTING, SavedGeometry
from demine.desktop.window.titles import window_title
from demine.scene.key_bindings import Command

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent

    from demine.desktop.accessibility import ScreenReaderNotifier
    from demine.desktop.controller import QtController
    from demine.desktop.install_translations import TranslationInstaller
    from demine.desktop.window.dialog_opener import DialogOpener
    from demine.desktop.window.file_opener import FileOpener
    from demine.desktop.window.game_central_widget import GameCentralWidget
    from demine.desktop.window.live_counters import LiveCounters
    from demine.game import Game
    from demine.scene.key_bindings import KeyMap
    from demine.scene.preferences import Preferences
    from demine.scene.themes import Theme
    from demine.store.store import Store

_PRESENCE: Final = frozenset(
    {
        QEvent.Type.ActivationChange,
        QEvent.Type.WindowStateChange,
        QEvent.Type.Show,
        QEvent.Type.Hide,
        QEvent.Type.WindowBlocked,
        QEvent.Type.WindowUnblocked,
    }
)
"""The events after which the player may see the board no more, or look elsewhere."""
_INPUT_FIRST_MS: Final = 30
"""How long after the first painting the start is finished: presses that wait are answered first."""
_QUIET_MS: Final = 400
"""How long after the end of a game its statistics are computed: the board is painted first."""


class MainWindow(AutoSizedWindow):
    """The window of the game. A game that is open when it closes can be resumed.

    It is created empty, which takes no time, and set up when everything else has been loaded.
    """

    closing = Signal()
    """The window is about to close, but still shows the game."""
    startup_finished = Signal()
    """The board is on the screen, and all that waited for it is done."""
    controller: QtController
    store: Store
    preferences: Preferences
    keys: KeyMap
    theme: Theme
    central: GameCentralWidget

    def __init__(self) -> None:
        super().__init__()
        self.is_set_up = False
        self._title = ""
        self._is_blocked = False
        """Whether a dialog keeps input from the window."""

    def setup_ui(
        self,
        controller: QtController,
        store: Store,
        preferences: Preferences,
        translations: TranslationInstaller,
    ) -> None:
        """Create menus, panel and board for a game."""
        from demine.desktop import colour_scheme
        from demine.desktop.accessible_factory import install_accessible_factory
        from demine.desktop.window.game_central_widget import GameCentralWidget
        from demine.desktop.window.menus import MainMenus, clear_menu_bar
        from demine.desktop.window.unsaved_games_guard import UnsavedGamesGuard

        install_accessible_factory()
        self.controller = controller
        self.store = store
        self.preferences = preferences
        self._translations = translations
        self.keys = preferences.key_map()
        self.theme = colour_scheme.apply_colour_scheme(preferences)
        self.set_central(GameCentralWidget(controller, self.theme, self.keys))
        self.board, self.panel, self.minimap = (
            self.central.board,
            self.central.panel,
            self.central.minimap,
        )
        self.board.set_motion_reduced(True)  # until the system was asked
        self._notifier: ScreenReaderNotifier | None = None
        self._live_counters: LiveCounters | None = None
        game = controller.session.game
        self._counted: Game | None = game if game.begun else None
        clear_menu_bar(self.menuBar())
        self._menus = MainMenus(
            self.menuBar(),
            self.run_command,
            self.change_preferences,
            lambda menu: self.files.fill_recent_menu(menu),  # noqa: PLW0108 - made when needed
        )
        self._clock = QTimer(self)
        self._close_guard = UnsavedGamesGuard(
            self, store, controller.session, controller.show_trouble
        )
        self.board.setFocus()
        self._connect()
        self._menus.set_shortcuts(self.keys)
        self._menus.show_preferences(preferences)
        self._apply_theme()
        self._show_counters()
        self._update_title()
        self.is_set_up = True

    def _connect(self) -> None:
        controller = self.controller
        controller.game_changed.connect(self._game_changed)
        controller.preferences_changed.connect(self._preferences_changed)
        self.panel.command_triggered.connect(self.run_command)
        self.central.message_strip.text_changed.connect(self._announce)
        self.central.message_strip.command_triggered.connect(self.run_command)
        controller.hints_changed.connect(self._update_title)
        controller.words_changed.connect(self._update_title)
        controller.faces_changed.connect(self._update_menu_states)
        self._update_menu_states()
        self.board.command_triggered.connect(self.run_command)
        self._clock.setSingleShot(True)
        self._clock.timeout.connect(self._tick)
        controller.words_changed.connect(self._schedule_tick)
        self.board.first_painted.connect(
            lambda: QTimer.singleShot(_INPUT_FIRST_MS, self, self.finish_startup)
        )
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._apply_theme)
        self._schedule_tick()

    # The clock

    def _schedule_tick(self) -> None:
        """Start the timer for the next change of the picture, such as a new second."""
        self._clock.start(int(self.controller.seconds_until_redraw() * 1000) + 1)

    def _tick(self) -> None:
        self.controller.tick()
        self._schedule_tick()

    def _announce(self, text: str) -> None:
        if self._notifier is not None:
            self._notifier.announce(text)

    def finish_startup(self) -> None:
        """Do what could wait until the board was on the screen: accessibility, hints, icon."""
        from demine.desktop import accessibility
        from demine.desktop.board.qt_board_painting import application_icon
        from demine.desktop.reduced_motion import SystemMotion
        from demine.desktop.window import dialog_opener  # noqa: F401  (the first page opens sooner)

        self._notifier = accessibility.ScreenReaderNotifier(self.board)
        self.controller.hints.drop_outdated_hints()
        self.setAcceptDrops(True)
        self.setWindowIcon(application_icon())
        system = SystemMotion(self)
        self.board.set_motion_reduced(system.is_reduced)
        system.changed.connect(self.board.set_motion_reduced)
        self.startup_finished.emit()

    # Size and position

    def open(self, *, fullscreen: bool, ignore_saved_size: bool = False) -> None:
        """Show the window with its saved geometry, or sized for the board if that is another one.

        With `ignore_saved_size` it is sized for the board in any case.
        """
        self.show_restored(
            SavedGeometry.from_setting(self.store.settings.get(GEOMETRY_SETTING)),
            self.preferences.cell,
            fullscreen=fullscreen,
            ignore_saved_size=ignore_saved_size,
        )
        self.board.centre_initially_on(self.controller.last_acted_cell)

    # Commands

    def run_command(self, command: Command | str) -> None:
        """Run a command of a menu or a key; a hint that waits out of sight is only scrolled to."""
        if command is Command.HINT and self.board.show_hint_out_of_sight():
            return
        action = self._actions.get(command)
        if action is not None:
            action()
        elif not (isinstance(command, Command) and self.controller.run_command(command)):
            self._dialogs.open_dialog_of(command)

    @cached_property
    def _dialogs(self) -> DialogOpener:
        from demine.desktop.window.dialog_opener import DialogOpener

        return DialogOpener(self, self.controller, self.store, self.change_preferences)

    @property
    def files(self) -> FileOpener:
        """What opens recordings and boards over this window."""
        return self._dialogs.files

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept files and texts."""
        if self.files.can_open_drop(event.mimeData()):
            _accept_as_copy(event)

    def dropEvent(self, event: QDropEvent) -> None:
        """Open what was dropped."""
        _accept_as_copy(event)
        self.files.open_drop(event.mimeData())

    @cached_property
    def _actions(self) -> Mapping[Command | str, Callable[[], object]]:
        from demine.desktop.window.menus import DAILY

        return {
            **{
                name: partial(self.controller.resume_or_begin_todays_daily, Command(level))
                for level, name in DAILY.items()
            },
            Command.CANCEL: self._cancel,
            Command.ZOOM_IN: lambda: self._zoom(1),
            Command.ZOOM_OUT: lambda: self._zoom(-1),
            Command.ZOOM_RESET: self._zoom_reset,
            Command.FULLSCREEN: self._toggle_fullscreen,
            Command.QUIT: self.close,
        }

    def _cancel(self) -> None:
        """Cancel what the mouse has begun, or if there is nothing, dismiss the message."""
        self.controller.dismiss_old_news()
        begun = self.controller.mouse.is_holding_cell or self.controller.touched_cells
        self.controller.cancel_input()
        if not begun:
            self.central.message_strip.dismiss()

    def _update_menu_states(self) -> None:
        """Enable and check menu entries by the state of the game and its hints."""
        game = self.controller.session.game
        is_over = game.status.over
        self._menus.set_command_states(
            (Command.DRAFT, self.controller.drafting.is_on, True),
            (Command.CHANCES, self.controller.hints.is_showing_chances, True),
            (Command.PROVE, False, game.board.laid),
            (Command.STATISTICS, False, is_over),
        )
        if is_over and self._counted is not game:
            self._counted = game
            QTimer.singleShot(_QUIET_MS, self._compute_statistics)

    def _compute_statistics(self) -> None:
        """Start computing the statistics of the game that has just ended."""
        from demine.desktop.dialogs.statistics_backfill import compute_newest_in_thread

        compute_newest_in_thread(self.store)

    def _zoom(self, steps: int) -> None:
        if self._can_resize and self.board.view.shows_whole_board:
            self._resize_to_cells(
                round(self.board.view.zoomed_by_steps(steps).cell / self.board.ratio)
            )
        else:
            self.board.zoom(steps)
        if self.board.view.cell_size_is_worth_saving(self.board.ratio):
            self.change_preferences({"cell": self.board.logical_cell_size})

    def _zoom_reset(self) -> None:
        self.board.set_cell_size_or_fit(0)
        self.change_preferences({"cell": 0})

    def _toggle_fullscreen(self) -> None:
        if self.isFullScreen():
            self.showNormal()
        else:
            self.showFullScreen()

    def _game_changed(self) -> None:
        self.board.reset_touch()
        rows, cols = self.controller.faces.shape
        if (rows, cols) != (self.board.view.rows, self.board.view.cols):
            self._resize_for_another_board(self.preferences.cell)
        self._update_title()
        self._schedule_tick()

    # Preferences

    def change_preferences(self, changes: Mapping[str, object]) -> None:
        """Change preferences, {name: value}, at once, and save them."""
        self.controller.apply_preferences(changes)

    def _preferences_changed(self) -> None:
        before, self.preferences = self.preferences, self.controller.preferences
        kept = replace(before, rules=self.preferences.rules, start_tip=self.preferences.start_tip)
        if kept == self.preferences:
            return
        self.board.reset_touch()
        if self.preferences.language != before.language:
            self._apply_language()
        if self.preferences.key_map() != self.keys:
            self.keys = self.board.keys = self.preferences.key_map()
            self.central.message_strip.keys = self.keys
            self.panel.set_keys(self.keys)
            self._menus.set_shortcuts(self.keys)
        self._menus.show_preferences(self.preferences)
        self._apply_theme()
        if self.preferences.counters != before.counters:
            self._show_counters()
        self.central.update_scrolling()

    def _show_counters(self) -> None:
        """Show or hide the counters beside the board, and resize the window for them."""
        on = self.preferences.counters
        if self._live_counters is None and not on:
            return
        whole = self.is_set_up and self._can_resize and self.board.view.shows_whole_board
        cell = self.board.logical_cell_size if whole else 0
        if self._live_counters is None:
            from demine.desktop.window.live_counters import LiveCounters

            self._live_counters = LiveCounters(self.controller, self.store, self)
            self.central.set_counters_panel(self._live_counters.panel)
        self._live_counters.panel.setVisible(on)
        self._live_counters.schedule_update()
        if cell:
            self._resize_to_cells(cell)

    def _apply_language(self) -> None:
        """Switch to the chosen language; resize the window if the menu bar has another height."""
        cell = (
            self.board.logical_cell_size
            if self._can_resize and self.board.view.shows_whole_board
            else 0
        )
        self._translations.install_language(self.preferences.language)
        if cell:
            QTimer.singleShot(0, lambda: self._resize_to_cells(cell))

    def _apply_theme(self) -> None:
        """Apply the chosen theme to the window and its parts."""
        from demine.desktop import colour_scheme

        self.theme = colour_scheme.apply_colour_scheme(self.preferences)
        self.central.apply_theme(
            self.theme, led_digits=self.preferences.shows_led_digits(self.theme)
        )
        self.central.overview = self.preferences.minimap

    def _update_title(self) -> None:
        title = window_title(self.controller.title_with_difficulty())
        if title != self._title:
            self._title = title
            self.setWindowTitle(title)

    def changeEvent(self, event: QEvent) -> None:
        """Set all texts again after a language change."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.LanguageChange and self.is_set_up:
            self._menus.texts.retranslate()
            self.central.retranslate_ui()
            if self._live_counters is not None:
                self._live_counters.panel.retranslate_ui()
            self._update_title()

    def event(self, event: QEvent) -> bool:
        """Tell the controller whether the player is at the board."""
        handled = super().event(event)
        kind = event.type()
        if kind in _PRESENCE and self.is_set_up:
            if kind in (QEvent.Type.WindowBlocked, QEvent.Type.WindowUnblocked):
                self._is_blocked = kind is QEvent.Type.WindowBlocked
            self.controller.report_presence(
                shown=self.isVisible() and not self.isMinimized(),
                covered=self._is_blocked,
                focused=self.isActiveWindow(),
            )
        return handled

    def closeEvent(self, event: QCloseEvent) -> None:
        """Save games and geometry, or keep the window open while games cannot be saved."""
        if self.is_set_up and not self._close_guard.may_close_or_start_saving():
            event.ignore()
            return
        if self.is_set_up:
            # The next start shows no message.
            self.central.message_strip.dismiss()
            view = self.board.view
            kept = SavedGeometry.of(
                self, view.rows, view.cols, 0 if view.is_fitted else self.board.logical_cell_size
            )
            self.controller.session.save_settings({GEOMETRY_SETTING: asdict(kept)})
            # The picture for the next start is taken now, so scroll as that will.
            self._set_cell_size_or_fit(kept.cell)
            self.board.centre_initially_on(self.controller.last_acted_cell)
            self.closing.emit()
        super().closeEvent(event)


def _accept_as_copy(event: QDropEvent) -> None:
    """Accept what is dragged, but never as moved: its program would then delete it."""
    from PySide6.QtCore import Qt

    event.setDropAction(Qt.DropAction.CopyAction)
    event.accept()
