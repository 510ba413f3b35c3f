"""The main window: menus, panel, board, and what the player chooses."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QSize, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QIcon, QPixmap

from demine.desktop.host import Host
from demine.scene.keys import Command
from demine.scene.messages import language, languages, tr
from demine.scene.theme import THEMES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PySide6.QtGui import QCloseEvent

    from demine.desktop.accessible import Teller
    from demine.desktop.language import Interpreter
    from demine.desktop.player import Player
    from demine.scene.wishes import Preferences
    from demine.store.store import Store

NARROWEST: Final = 300


class MainWindow(Host):
    """One player's window. Closing it leaves the game to be gone on with.

    It is made empty, which takes no time, and furnished when everything else has been loaded.
    """

    closing = Signal()
    """The window is about to close, and still shows what it showed."""

    def __init__(self) -> None:
        super().__init__()
        self.furnished = False
        self.setMinimumWidth(NARROWEST)

    def furnish(
        self, player: Player, store: Store, preferences: Preferences, interpreter: Interpreter
    ) -> None:
        """Put menus, panel and board of a player in."""
        from demine.desktop import scheme
        from demine.desktop.actions import Menus
        from demine.desktop.inside import Inside

        self.player = player
        self.store = store
        self.preferences = preferences
        self._interpreter = interpreter
        self.keys = preferences.key_map()
        self.theme = scheme.follow(preferences)
        self.inside = Inside(player, self.theme, self.keys)
        self.board, self.panel, self.minimap = (
            self.inside.board,
            self.inside.panel,
            self.inside.minimap,
        )
        self._teller: Teller | None = None
        self._menus = Menus(self.menuBar(), self.do, self.choose)
        self._clock = QTimer(self)
        self.setCentralWidget(self.inside)
        self.board.setFocus()
        self._connect()
        self._menus.bind(self.keys)
        self._menus.show(preferences)
        self._wear()
        self._retitle()
        self.furnished = True

    def _connect(self) -> None:
        # Qt's own names are built when the first of them is used, and there are very many.
        from PySide6.QtCore import Qt

        player = self.player
        player.game_changed.connect(self._game_changed)
        self.panel.said.connect(self._announce)
        self.board.commanded.connect(self.do)
        self._clock.setSingleShot(True)
        self._clock.timeout.connect(self._tick)
        player.faces_changed.connect(self._wind)
        self.board.first_painted.connect(self.complete, Qt.ConnectionType.QueuedConnection)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._wear)
        self._wind()

    # The clock

    def _wind(self) -> None:
        """Wake up when the next second comes, and only then."""
        self._clock.start(int(self.player.sitting.until_next_second() * 1000) + 1)

    def _tick(self) -> None:
        self.player.tick()
        self._wind()

    def _announce(self, text: str) -> None:
        if self._teller is not None:
            self._teller.announce(text)

    def complete(self) -> None:
        """Do what could wait until the board stood on the screen."""
        from demine.desktop import accessible, pages  # noqa: F401  (the first page opens sooner)
        from demine.desktop.glass import image
        from demine.picture.emblem import icon

        accessible.install()
        self._teller = accessible.Teller(self.board)
        made = QIcon()
        for size in (32, 64, 128):
            made.addPixmap(QPixmap.fromImage(image(icon(size))))
        self.setWindowIcon(made)

    # Size and place

    def open(self, *, fullscreen: bool, as_asked: bool = False) -> None:
        """Show the window where it was and as it was, or as large as another board wants.

        `as_asked`: the size of a cell was asked for just now, so the board decides in any case.
        """
        from demine.desktop.place import PLACE, Place

        kept = Place.read(self.store.settings.get(PLACE))
        same = kept.apply_to(self) and (kept.rows, kept.cols) == self.player.faces.shape
        if same and not as_asked:
            self._show_cells(kept.cell)
        else:
            self._fit_window(self.preferences.cell)
        if fullscreen:
            self.showFullScreen()
        else:
            self.show()

    @property
    def _free(self) -> bool:
        """Whether the window may choose its size."""
        return not (self.isMaximized() or self.isFullScreen())

    def _chrome(self) -> QSize:
        """What the window needs beside the board."""
        return self.inside.room_beside() + QSize(0, self.menuBar().sizeHint().height())

    def _room(self) -> QSize:
        """The largest window the screen has room for."""
        room = self.screen().availableGeometry().size()
        frame = self.frameSize() - self.size()
        return QSize(room.width() - frame.width(), room.height() - max(frame.height(), 32))

    def _fit_window(self, cell: int) -> None:
        """Take the size that shows the board in cells of so many pixels; 0 chooses them."""
        if not self._free:
            self._show_cells(0)
            return
        room, chrome = self._room(), self._chrome()
        cell = cell or self._comfortable(room - chrome)
        wanted = (self.board.size_for(cell) + chrome).expandedTo(QSize(NARROWEST, 0))
        self.resize(wanted.boundedTo(room))
        self._show_cells(cell)
        self._keep_on_screen()

    def _show_cells(self, cell: int) -> None:
        """Show the board in cells of this size, from its corner; every part gets its place now."""
        for _ in range(2):  # the overview may come or go, and changes the room
            layout = self.layout()
            if layout is not None:
                layout.activate()
            self.inside.settle()
            self.board.show_cells(cell)
            self.inside.place_minimap()

    def _comfortable(self, room: QSize) -> int:
        """A thirty-fourth of the screen; smaller if the board needs it, but not below 16 pixels."""
        cell = min(max(self.screen().size().height() // 34, 20), 64)
        while cell > 16:
            size = self.board.size_for(cell)
            if size.width() <= room.width() and size.height() <= room.height():
                break
            cell -= 1
        return cell

    def _keep_on_screen(self) -> None:
        screen, frame = self.screen().availableGeometry(), self.frameGeometry()
        x = max(screen.x(), min(frame.x(), screen.right() - frame.width()))
        y = max(screen.y(), min(frame.y(), screen.bottom() - frame.height()))
        if self.isVisible() and (x, y) != (frame.x(), frame.y()):
            self.move(x, y)

    # Commands

    def do(self, command: Command | str) -> None:
        """Carry out a command of a menu or a key."""
        if isinstance(command, Command) and self.player.do(command):
            return
        deed = self._deeds().get(command)
        if deed is not None:
            deed()
        else:
            from demine.desktop.pages import Pages

            Pages(self, self.player, self.store, self.choose).show(command)

    def _deeds(self) -> Mapping[Command | str, Callable[[], object]]:
        return {
            Command.ZOOM_IN: lambda: self._zoom(1),
            Command.ZOOM_OUT: lambda: self._zoom(-1),
            Command.ZOOM_RESET: self._zoom_reset,
            Command.THEME: self._next_theme,
            Command.LANGUAGE: self._next_language,
            Command.SOUND: self._toggle_sound,
            Command.FULLSCREEN: self._toggle_fullscreen,
            Command.QUIT: self.close,
        }

    def _zoom(self, steps: int) -> None:
        if self._free and self.board.view.whole:
            self._fit_window(round(self.board.view.stepped(steps).cell / self.board.ratio))
        else:
            self.board.zoom(steps)
        self.choose({"cell": self.board.cell})

    def _zoom_reset(self) -> None:
        self.board.show_cells(0)
        self.choose({"cell": 0})

    def _toggle_fullscreen(self) -> None:
        if self.isFullScreen():
            self.showNormal()
        else:
            self.showFullScreen()

    def _toggle_sound(self) -> None:
        on = not self.preferences.sound
        if on and not self.player.speaker.works():
            self.player.say(tr("No sound on this machine"))
            return
        self.choose({"sound": on})
        self.player.say(tr("Sound on") if on else tr("Sound off"))

    def _next_theme(self) -> None:
        names = list(THEMES)
        name = names[(names.index(self.theme.name) + 1) % len(names)]
        self.choose({"theme": name})
        self.player.say(tr(self.theme.title))

    def _next_language(self) -> None:
        codes = list(languages())
        code = codes[(codes.index(language()) + 1) % len(codes)]
        self.choose({"language": code})
        self.player.say(languages()[code])

    def _game_changed(self) -> None:
        self.board.forget_fingers()
        rows, cols = self.player.faces.shape
        if (rows, cols) != (self.board.view.rows, self.board.view.cols):
            self._fit_window(self.preferences.cell)
        self._retitle()
        self._wind()

    # Choices

    def choose(self, changes: Mapping[str, object]) -> None:
        """Take up what the player chose, at once and for good."""
        before = self.preferences
        self.preferences = replace(before, **changes)  # type: ignore[arg-type]
        self.player.sitting.remember(changes)
        self.player.preferences = self.preferences
        self.player.apply()
        self.board.forget_fingers()
        if self.preferences.language != before.language:
            self._speak()
        if self.preferences.key_map() != self.keys:
            self.keys = self.board.keys = self.preferences.key_map()
            self._menus.bind(self.keys)
        self._menus.show(self.preferences)
        self._wear()
        self.inside.place_minimap()
        if {"first", "goal"} & set(changes) and not self.player.sitting.game.begun:
            self.player.begin(self.preferences.level(self.player.sitting.game.rules))

    def _speak(self) -> None:
        """Speak the language chosen; a menu bar of another height takes no room from the board."""
        cell = self.board.cell if self._free and self.board.view.whole else 0
        self._interpreter.speak(self.preferences.language)
        if cell:
            QTimer.singleShot(0, lambda: self._fit_window(cell))

    def _wear(self) -> None:
        """Take the colours of the look chosen, the window's own parts included."""
        from demine.desktop import scheme

        self.theme = scheme.follow(self.preferences)
        self.inside.wear(self.theme, self.preferences.digits)
        self.inside.overview = self.preferences.minimap

    def _retitle(self) -> None:
        self.setWindowTitle(f"{self.player.sitting.title()} — demine")

    def changeEvent(self, event: QEvent) -> None:
        """Say everything again in another language."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.LanguageChange and self.furnished:
            self._menus.retranslate()
            self.inside.retranslate()
            self._retitle()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Remember the place."""
        if self.furnished:
            from demine.desktop.place import PLACE, Place

            view = self.board.view
            kept = Place.of(self, view.rows, view.cols, 0 if view.fitted else self.board.cell)
            self.player.sitting.remember({PLACE: asdict(kept)})
            self.closing.emit()
        super().closeEvent(event)
