"""The menus of the main window: their definitions, and the class that builds them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from demine.desktop.qt_keys import key_sequences
from demine.desktop.retranslator import Retranslator
from demine.desktop.window.titles import MENU_TITLES
from demine.logic import daily_board as dailies
from demine.scene.key_bindings import Command, KeyMap
from demine.scene.preferences import DECLARATIONS, choices_of
from demine.scene.translation import mark

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMenuBar

    from demine.scene.preferences import Preferences


class CommandEntry(NamedTuple):
    """An entry that runs a command."""

    text: str
    command: Command | str
    """A command with keys, or the name of a dialog or action without any."""
    role: QAction.MenuRole = QAction.MenuRole.NoRole
    """Where macOS puts the entry."""
    checkable: bool = False
    """Whether the entry shows that it is on or off."""


class ChoiceMenu(NamedTuple):
    """A submenu of the values of one preference."""

    name: str
    values: tuple[tuple[object, str], ...] = ()
    """Each value with its message id; empty for those that the preference declares."""


class SwitchEntry(NamedTuple):
    """A checkable entry for a preference that is true or false."""

    name: str
    command: Command | None = None
    """The command that does the same, if there is one."""


class NoteEntry(NamedTuple):
    """A line of text that does nothing."""

    text: str


class Separator(NamedTuple):
    """A line between entries."""


class Submenu(NamedTuple):
    """A menu of entries under a title."""

    text: str
    entries: tuple[Entry, ...]


class RecentFilesMenu(NamedTuple):
    """A submenu of the files that were opened last, filled whenever it is shown."""

    text: str


Entry: TypeAlias = (
    "CommandEntry | ChoiceMenu | SwitchEntry | NoteEntry | Separator | Submenu | RecentFilesMenu"
)

_LINE: Final = Separator()
HOW_TO_PLAY: Final = "how-to-play"
ABOUT: Final = "about"
DAILY: Final = {level: f"daily-{level}" for level in dailies.LEVELS}
"""The names of the entries that play today's boards, by level."""

MENUS: Final = (
    Submenu(
        MENU_TITLES[0],
        (
            CommandEntry(mark("&New game"), Command.NEW),
            CommandEntry(mark("&Restart this board"), Command.AGAIN),
            CommandEntry(mark("&Pause or resume"), Command.PAUSE),
            _LINE,
            CommandEntry(mark("&Beginner"), Command.BEGINNER),
            CommandEntry(mark("&Intermediate"), Command.INTERMEDIATE),
            CommandEntry(mark("&Expert"), Command.EXPERT),
            CommandEntry(mark("Set&up…"), Command.SETUP),
            Submenu(
                mark("Dail&y board"),
                (
                    *(CommandEntry(text, DAILY[level]) for level, text in (
                        ("beginner", mark("&Beginner")),
                        ("intermediate", mark("&Intermediate")),
                        ("expert", mark("&Expert")),
                    )),
                    _LINE,
                    CommandEntry(mark("Copy &result"), Command.RESULT),
                    CommandEntry(mark("&Streaks and calendar…"), Command.DAILY),
                ),
            ),
            SwitchEntry("guess_free", Command.GUESS_FREE),
            _LINE,
            CommandEntry(mark("Un&do"), Command.UNDO),
            CommandEntry(mark("&Hint"), Command.HINT),
            Submenu(
                mark("&More help with this board"),
                (
                    CommandEntry(mark("Show ris&ks"), Command.CHANCES, checkable=True),
                    CommandEntry(mark("&Must I guess?"), Command.MAY_GUESS),
                    CommandEntry(mark("Draft mines and safe &cells"), Command.DRAFT,
                                 checkable=True),
                    CommandEntry(mark("Pro&ve no guess is needed"), Command.PROVE),
                ),
            ),
            _LINE,
            CommandEntry(mark("Open &file…"), Command.OPEN_FILE),
            RecentFilesMenu(mark("Recent fi&les")),
            Submenu(
                mark("Sh&are"),
                (
                    CommandEntry(mark("&Copy share code"), Command.SHARE),
                    CommandEntry(mark("&Open share code…"), Command.OPEN_SHARE),
                ),
            ),
            _LINE,
            CommandEntry(mark("S&tatistics of this game…"), Command.STATISTICS),
            CommandEntry(mark("Record&s…"), Command.RECORDS),
            CommandEntry(mark("Train on y&our games…"), Command.TRAIN),
            _LINE,
            CommandEntry(mark("&Quit"), Command.QUIT, QAction.MenuRole.QuitRole),
        ),
    ),
    Submenu(
        MENU_TITLES[1],
        (
            CommandEntry(mark("&Larger cells"), Command.ZOOM_IN),
            CommandEntry(mark("&Smaller cells"), Command.ZOOM_OUT),
            CommandEntry(mark("Fit the board to the &window"), Command.ZOOM_RESET),
            _LINE,
            ChoiceMenu("theme"),
            ChoiceMenu("palette"),
            ChoiceMenu("digits"),
            _LINE,
            SwitchEntry("minimap"),
            SwitchEntry("counters"),
            CommandEntry(mark("F&ull screen"), Command.FULLSCREEN),
            _LINE,
            CommandEntry(mark("&Analyse a position…"), Command.ANALYSE),
        ),
    ),
    Submenu(
        MENU_TITLES[2],
        (
            ChoiceMenu("first"),
            ChoiceMenu("goal"),
            _LINE,
            SwitchEntry("questions"),
            Submenu(
                mark("Ways to &chord"),
                (
                    NoteEntry(mark("Always: both buttons, middle click, Shift + left click")),
                    SwitchEntry("left_chord"),
                ),
            ),
            Submenu(
                mark("&Touch and pen"),
                (
                    ChoiceMenu("tap"),
                    ChoiceMenu(
                        "hold_ms", tuple((ms, mark("{ms} ms")) for ms in (200, 300, 500, 800))
                    ),
                ),
            ),
            _LINE,
            SwitchEntry("sound"),
            ChoiceMenu("language"),
            _LINE,
            CommandEntry(mark("&All settings…"), Command.SETTINGS,
                         QAction.MenuRole.PreferencesRole),
        ),
    ),
    Submenu(
        MENU_TITLES[3],
        (
            CommandEntry(mark("How to &play"), HOW_TO_PLAY),
            CommandEntry(mark("&Keys"), Command.HELP),
            _LINE,
            CommandEntry(mark("&About demine"), ABOUT, QAction.MenuRole.AboutRole),
        ),
    ),
)  # fmt: skip


class MainMenus:
    """The menus of the main window.

    `choose` gets changed preferences; `fill_recent_files` fills that menu before it is shown.
    """

    def __init__(
        self,
        bar: QMenuBar,
        do: Callable[[Command | str], object],
        choose: Callable[[dict[str, object]], object],
        fill_recent_files: Callable[[QMenu], object],
    ) -> None:
        self._do = do
        self._fill_recent_files = fill_recent_files
        self._choose = choose
        self.texts = Retranslator()
        self._commands: list[tuple[Command, QAction]] = []
        self._values: list[tuple[str, object, QAction]] = []
        for menu in MENUS:
            self._fill(bar.addMenu(""), menu)

    def set_shortcuts(self, keys: KeyMap) -> None:
        """Give the entries of commands their keys."""
        for command, action in self._commands:
            action.setShortcuts(
                [found for key in keys.keys(command) for found in key_sequences(key)]
            )

    def show_preferences(self, preferences: Preferences) -> None:
        """Check the entries whose values the preferences have."""
        for name, value, action in self._values:
            action.setChecked(getattr(preferences, name) == value)

    def set_command_states(self, *states: tuple[Command, bool, bool]) -> None:
        """Set whether the entries of some commands are checked, and whether they are enabled."""
        for command, checked, enabled in states:
            for each, action in self._commands:
                if each is command:
                    action.setEnabled(enabled)
                    action.setChecked(checked)

    def _fill(self, menu: QMenu, content: Submenu) -> None:
        self.texts.bind(menu.setTitle, content.text)
        for entry in content.entries:
            if isinstance(entry, Separator):
                menu.addSeparator()
            elif isinstance(entry, NoteEntry):
                note = menu.addAction("")
                note.setEnabled(False)
                self.texts.bind(note.setText, entry.text)
            elif isinstance(entry, Submenu):
                self._fill(menu.addMenu(""), entry)
            elif isinstance(entry, ChoiceMenu):
                self._add_choice(menu.addMenu(""), entry)
            elif isinstance(entry, RecentFilesMenu):
                self._add_recent_files(menu.addMenu(""), entry)
            elif isinstance(entry, SwitchEntry):
                self._add_switch(menu, entry)
            else:
                self._add_command(menu, entry)

    def _add_command(self, menu: QMenu, entry: CommandEntry) -> None:
        action = menu.addAction("")
        action.setMenuRole(entry.role)
        action.setCheckable(entry.checkable)
        # A key that is held down must not repeat a command, least of all a new game.
        action.setAutoRepeat(False)
        action.triggered.connect(lambda: self._do(entry.command))
        self.texts.bind(action.setText, entry.text)
        if isinstance(entry.command, Command):
            self._commands.append((entry.command, action))

    def _add_switch(self, menu: QMenu, entry: SwitchEntry) -> None:
        action = self._checkable(menu, entry.name, True)
        self.texts.bind(action.setText, DECLARATIONS[entry.name].short)
        command = entry.command
        if command is None:
            action.triggered.connect(lambda on: self._switched(entry.name, on))
        else:
            action.setAutoRepeat(False)
            action.triggered.connect(lambda: self._do(command))
            self._commands.append((command, action))

    def _add_choice(self, menu: QMenu, entry: ChoiceMenu) -> None:
        self.texts.bind(menu.setTitle, DECLARATIONS[entry.name].short)
        group = QActionGroup(menu)
        for value, text in entry.values or choices_of(entry.name).items():
            action = self._checkable(menu, entry.name, value)
            group.addAction(action)
            params: dict[str, object] = {"ms": value} if entry.name == "hold_ms" else {}
            self.texts.bind(action.setText, text, **params)
            change = {entry.name: value}
            action.triggered.connect(lambda _on, change=change: self._choose(change))

    def _add_recent_files(self, menu: QMenu, entry: RecentFilesMenu) -> None:
        self.texts.bind(menu.setTitle, entry.text)
        menu.aboutToShow.connect(lambda: self._fill_recent_files(menu))

    def _checkable(self, menu: QMenu, name: str, value: object) -> QAction:
        action = menu.addAction("")
        action.setCheckable(True)
        action.setMenuRole(QAction.MenuRole.NoRole)
        self._values.append((name, value, action))
        return action

    def _switched(self, name: str, on: bool) -> None:
        self._choose({name: on})


def clear_menu_bar(bar: QMenuBar) -> None:
    """Remove all menus, which the first frame has put there."""
    bar.clear()
    for menu in bar.findChildren(QMenu):
        menu.deleteLater()
