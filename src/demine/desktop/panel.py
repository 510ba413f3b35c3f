"""The header over the board: mines left, the face, the time, and tools.

Without a game it stands over the board of the first frame, drawn without NumPy.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, QRect, QSize, Signal
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPalette
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from demine.desktop.board.qt_board_painting import focus_ring_image, use_device_pixels
from demine.desktop.colour_scheme import to_qcolor
from demine.desktop.header_images import (
    header_icon_image,
    led_image,
    restart_button_image,
    tool_ground_image,
)
from demine.picture import seven_segment
from demine.picture.header_shapes import AT_REST, ToolLook, tool_colours
from demine.scene.board_title import level_name
from demine.scene.face_mood import FaceMood
from demine.scene.header_layout import (
    FACE,
    FIGURE,
    GAP,
    ICON,
    LAMPS,
    HeaderWidths,
    Tool,
    header_height,
    place_header,
    tool_height,
)
from demine.scene.key_bindings import Command, KeyMap, key_label
from demine.scene.led_text import led_text
from demine.scene.translation import mark, tr

if TYPE_CHECKING:
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QEnterEvent, QPaintEvent, QResizeEvent
    from PySide6.QtWidgets import QMenu

    from demine.desktop.controller import QtController
    from demine.logic.rules import Rules
    from demine.picture.header_shapes import IconName
    from demine.scene.panel import Panel
    from demine.scene.themes import Theme

MOODS: Final = {
    FaceMood.IDLE: mark("smiling"),
    FaceMood.PRESSED: mark("pressed"),
    FaceMood.WORRIED: mark("worried"),
    FaceMood.WON: mark("won"),
    FaceMood.LOST: mark("lost"),
}
"""What the face shows, for screen readers: message ids."""
CENTRE: Final = 0x0084
MIDDLE_LEFT: Final = 0x0081
"""Qt's flags as numbers: the header is painted before Qt's enumerations are built."""
_TOOL_ICON: Final = 20
_ARROW: Final = 16


class NumberDisplay(QWidget):
    """A number with an icon, in type or on lamps, with a name for screen readers."""

    def __init__(
        self,
        name: str,
        icon: IconName,
        theme: Theme,
        *,
        icon_last: bool = False,
    ) -> None:
        super().__init__()
        self._name = name
        self._icon = icon
        self._icon_last = icon_last
        self._value = 0
        self._digits = 3
        self._theme = theme
        self._lamps = False
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_value(self, value: int, largest_expected: int) -> bool:
        """Show a number, in digits enough for the largest; return whether the width changed."""
        digits = max(3, len(str(value)), len(str(largest_expected)))
        wider = digits != self._digits
        if wider:
            self._digits = digits
            self.updateGeometry()
        if value != self._value:
            self._value = value
            self.retranslate_ui()
            self.update()
        return wider

    def apply_theme(self, theme: Theme, *, led_digits: bool) -> None:
        """Apply a theme, and show the number on lamps or in type."""
        self._theme, self._lamps = theme, led_digits
        self.updateGeometry()
        self.update()

    def retranslate_ui(self) -> None:
        """Set name and value in the current language."""
        # Screen readers read only the name of a widget without a role of its own.
        self.setAccessibleName(f"{tr(self._name)}: {self._value}")
        self.setToolTip(tr(self._name))

    def sizeHint(self) -> QSize:
        """Return room for the icon and three digits or more."""
        return QSize(ICON + 2 * GAP + self._digits * self._digit_width(), FACE)

    def _digit_width(self) -> int:
        if self._lamps:
            ratio = self.devicePixelRatioF()
            return -int(-seven_segment.digit_width(round(LAMPS * ratio)) // ratio)
        return QFontMetrics(self._figure_font()).horizontalAdvance("0")

    def _figure_font(self) -> QFont:
        font = QFont(self.font())
        font.setPixelSize(FIGURE)
        font.setBold(True)
        return font

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw icon and number: the icon outside, the number beside it."""
        del event
        painter = QPainter(self)
        ratio, theme = self.devicePixelRatioF(), self._theme
        painter.save()
        use_device_pixels(painter, ratio)
        side, high = round(ICON * ratio), round(self.height() * ratio)
        wide = round(self.width() * ratio)
        icon = header_icon_image(self._icon, theme.panel_text, theme.panel, side)
        painter.drawImage(wide - side if self._icon_last else 0, (high - side) // 2, icon)
        if self._lamps:
            lamps = round(LAMPS * ratio)
            image = led_image(led_text(self._value, self._digits), theme, lamps)
            beside = side + round(2 * GAP * ratio)
            x = wide - beside - image.width() if self._icon_last else beside
            painter.drawImage(x, (high - lamps) // 2, image)
        painter.restore()
        if not self._lamps:
            self._paint_figure(painter)
        painter.end()

    def _paint_figure(self, painter: QPainter) -> None:
        """Write the number, every digit in a column of the same width."""
        painter.setFont(self._figure_font())
        text, wide, beside = str(self._value), self._digit_width(), ICON + 2 * GAP
        x = self.width() - beside - len(text) * wide if self._icon_last else beside
        for sign in text:
            painter.drawText(QRect(x, 0, wide, self.height()), CENTRE, sign)
            x += wide


class FaceButton(QAbstractButton):
    """A button with the face of the game."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme = theme
        self.key = ""
        """The key that does the same, for its tool tip."""
        self._mood = FaceMood.IDLE
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_mood(self, mood: FaceMood) -> None:
        """Show the face of a mood."""
        if mood is not self._mood:
            self._mood = mood
            self.setAccessibleDescription(tr(MOODS[mood]))
            self.update()

    def retranslate_ui(self) -> None:
        """Set name and mood in the current language."""
        self.setAccessibleName(tr("New game"))
        self.setAccessibleDescription(tr(MOODS[self._mood]))
        self.setToolTip(name_with_key(tr("New game"), self.key))

    def sizeHint(self) -> QSize:
        """Return a square."""
        return QSize(FACE, FACE)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the button, with a ring when it has the keyboard focus."""
        del event
        painter = QPainter(self)
        ratio = self.devicePixelRatioF()
        size = round(self.height() * ratio)
        mood = FaceMood.PRESSED if self.isDown() else self._mood
        use_device_pixels(painter, ratio)
        painter.drawImage(0, 0, restart_button_image(mood, self.theme, size, self.isDown()))
        if self.hasFocus():
            painter.drawImage(0, 0, focus_ring_image(self.theme, size))
        painter.end()


class RestartButton(FaceButton):
    """A face button that Tab reaches."""

    def __init__(self, theme: Theme) -> None:
        from PySide6.QtCore import Qt

        super().__init__(theme)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)


class ToolButton(QAbstractButton):
    """A button with an icon, with a text, or with both."""

    def __init__(
        self,
        icon: IconName,
        theme: Theme,
        *,
        opens_menu: bool = False,
    ) -> None:
        """Show an icon; that of a button that opens a menu is an arrow behind the text."""
        super().__init__()
        self.theme = theme
        self.accented = False
        """Whether it is what to do next."""
        self.icon_name: IconName = icon
        self._opens_menu = opens_menu
        self._icon_side = _ARROW if opens_menu else _TOOL_ICON

    def set_icon_name(self, name: IconName) -> None:
        """Show another icon."""
        if name != self.icon_name:
            self.icon_name = name
            self.update()

    def set_accented(self, accented: bool) -> None:
        """Show whether it is what to do next."""
        if accented != self.accented:
            self.accented = accented
            self.update()

    def sizeHint(self) -> QSize:
        """Return the size that icon and text need."""
        metrics = self.fontMetrics()
        high = tool_height(metrics.height())
        if not self.text():
            return QSize(high + GAP, high)
        icon = self._icon_side
        return QSize(5 * GAP + icon + GAP + metrics.horizontalAdvance(self.text()), high)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw ground, icon and text."""
        del event
        look = ToolLook(
            self.isEnabled(), self.underMouse(), self.isDown(), self.hasFocus(), self.accented
        )
        ground, ink = tool_colours(self.theme, look)
        painter = QPainter(self)
        painter.save()
        ratio = self.devicePixelRatioF()
        use_device_pixels(painter, ratio)
        wide, high = round(self.width() * ratio), round(self.height() * ratio)
        painter.drawImage(0, 0, tool_ground_image(self.theme, look, wide, high))
        side = round(self._icon_side * ratio)
        icon = header_icon_image(self.icon_name, ink, ground, side)
        painter.drawImage(self._icon_left(wide, side, ratio), (high - side) // 2, icon)
        painter.restore()
        if self.text():
            if look != AT_REST:  # the palette's pen is that of a tool at rest
                painter.setPen(to_qcolor(ink))
            left = 3 * GAP if self._opens_menu else 3 * GAP + self._icon_side
            painter.drawText(self.rect().adjusted(left, 0, 0, 0), MIDDLE_LEFT, self.text())
        painter.end()

    def _icon_left(self, wide: int, side: int, ratio: float) -> int:
        """Return where the icon begins: before the text, as an arrow behind it, or alone."""
        if not self.text():
            return (wide - side) // 2
        margin = round(2 * GAP * ratio)
        return wide - side - margin if self._opens_menu else margin

    def enterEvent(self, event: QEnterEvent) -> None:
        """Light up under the pointer."""
        super().enterEvent(event)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        """Go out again."""
        super().leaveEvent(event)
        self.update()


class PanelWidget(QWidget):
    """The parts of a header and their layout, without a game."""

    def __init__(self, theme: Theme, face: FaceButton) -> None:
        super().__init__()
        self.mines = NumberDisplay(mark("Mines left"), "mine", theme)
        self.time = NumberDisplay(mark("Seconds"), "clock", theme, icon_last=True)
        self.face = face
        self.tools = {
            tool: ToolButton(tool.value, theme, opens_menu=tool.command is None) for tool in Tool
        }
        self._over = 0, 0
        for part in (self.mines, self.face, *self.tools.values(), self.time):
            part.setParent(self)
        for idle in (Tool.UNDO, Tool.PAUSE):
            self.tools[idle].setEnabled(False)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAutoFillBackground(True)
        self.apply_theme(theme, led_digits=False)

    def show_level(self, name: str) -> None:
        """Show the name of the level that is played."""
        self.tools[Tool.LEVEL].setText(name)
        self._place_parts()

    def show_mines(self, value: int, largest_expected: int) -> None:
        """Show how many mines are left, of at most `largest_expected`."""
        if self.mines.show_value(value, largest_expected):
            self._place_parts()

    def place_over(self, left: int, width: int) -> None:
        """Stand over a board that begins at an x of the window, and is so wide."""
        if (left, width) != self._over:
            self._over = left, width
            self._place_parts()

    @property
    def span(self) -> tuple[int, int]:
        """Where the header begins and ends, in pixels from the left."""
        return self.mines.x(), self.time.x() + self.time.width()

    def apply_theme(self, theme: Theme, *, led_digits: bool) -> None:
        """Apply a theme; `led_digits` says whether the numbers are on lamps."""
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Window, to_qcolor(theme.panel))
        palette.setColor(QPalette.ColorRole.WindowText, to_qcolor(theme.panel_text))
        self.setPalette(palette)
        for part in (self.mines, self.time):
            part.apply_theme(theme, led_digits=led_digits)
        self.face.theme = theme
        for button in self.tools.values():
            button.theme = theme
        self.update()
        self._place_parts()

    def retranslate_ui(self) -> None:
        """Set the names in the current language."""
        for part in (self.mines, self.time, self.face):
            part.retranslate_ui()
        for tool, button in self.tools.items():
            button.setAccessibleName(tr(tool.label))
        self.tools[Tool.NEW].setText(tr("New"))
        self._place_parts()

    def hasHeightForWidth(self) -> bool:
        """Return that narrow windows have a second row."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height in a window of some width."""
        return header_height(width, self.fontMetrics().height())

    def sizeHint(self) -> QSize:
        """Return the size in the present window."""
        return QSize(200, self.heightForWidth(self.width()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place all parts anew."""
        super().resizeEvent(event)
        self._place_parts()

    def _place_parts(self) -> None:
        widths = HeaderWidths(
            self.mines.sizeHint().width(),
            self.time.sizeHint().width(),
            {tool: button.sizeHint().width() for tool, button in self.tools.items()},
        )
        line = self.fontMetrics().height()
        places = place_header(self.width(), self._over, widths, line)
        self.mines.setGeometry(*places.mines)
        self.face.setGeometry(*places.face)
        self.time.setGeometry(*places.time)
        for tool, button in self.tools.items():
            if tool in places.tools:
                button.setGeometry(*places.tools[tool])
            button.setVisible(tool in places.tools)


class GamePanel(PanelWidget):
    """The header of the game that a controller plays."""

    command_triggered = Signal(object)
    """A tool was pressed; with its `Command`."""

    def __init__(self, controller: QtController, theme: Theme, keys: KeyMap) -> None:
        from PySide6.QtCore import Qt

        super().__init__(theme, RestartButton(theme))
        self._controller = controller
        self._keys = keys
        self._shown: Panel | None = None
        self._rules: Rules | None = None
        self._levels: QMenu | None = None
        self.face.clicked.connect(controller.begin_new_game)
        self.face.pressed.connect(self.refresh)
        self.face.released.connect(self.refresh)
        for tool, button in self.tools.items():
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            if tool.command is None:
                button.clicked.connect(self.open_levels)
            else:
                button.clicked.connect(partial(self.command_triggered.emit, tool.command))
        controller.panel_changed.connect(self.refresh)
        controller.game_changed.connect(self._show_rules)
        self.retranslate_ui()

    def set_keys(self, keys: KeyMap) -> None:
        """Name these keys in the tool tips."""
        self._keys = keys
        self._update_tool_tips()

    def refresh(self) -> None:
        """Show the current mines left, time and face, and what the tools can do."""
        shown = self._controller.panel()
        if shown != self._shown:
            self._shown = shown
            self.show_mines(shown.mines_left, self._controller.session.game.rules.mines)
            if self.time.show_value(shown.seconds, 0):
                self._place_parts()
            self.face.show_mood(shown.mood)
            self._show_what_tools_can(shown)

    def _show_what_tools_can(self, shown: Panel) -> None:
        tools = self.tools
        tools[Tool.NEW].set_accented(shown.over)
        tools[Tool.UNDO].setEnabled(shown.can_undo)
        tools[Tool.HINT].setEnabled(shown.can_hint)
        tools[Tool.PAUSE].setEnabled(shown.can_pause or shown.can_resume)
        icon: IconName = "resume" if shown.can_resume else "pause"
        if icon != tools[Tool.PAUSE].icon_name:
            tools[Tool.PAUSE].set_icon_name(icon)
            self._update_tool_tips()

    def _show_rules(self) -> None:
        self.show_level(level_name(self._controller.session.game.rules))

    def retranslate_ui(self) -> None:
        """Set all texts in the current language."""
        super().retranslate_ui()
        self._show_rules()
        self._update_tool_tips()
        self.refresh()

    def _update_tool_tips(self) -> None:
        """Name every button and its key."""
        for tool, button in self.tools.items():
            name = tr("Resume") if button.icon_name == "resume" else tr(tool.label)
            button.setAccessibleName(name)
            button.setToolTip(name_with_key(name, self._key(tool.command)))
        level = self.tools[Tool.LEVEL]
        level.setAccessibleName(f"{tr(Tool.LEVEL.label)}: {level.text()}")
        self.face.key = self._key(Command.NEW)
        self.face.retranslate_ui()

    def _key(self, command: Command | None) -> str:
        keys = () if command is None else self._keys.keys(command)
        return key_label(keys[0]) if keys else ""

    def open_levels(self) -> None:
        """Open the menu of levels below its button."""
        from demine.scene.preferences import LEVELS

        menu = self._new_menu()
        button = self.tools[Tool.LEVEL]
        for command, rules in LEVELS.items():
            self._add_level(menu, level_name(rules), command)
        menu.addSeparator()
        self._add_level(menu, tr("Set&up…"), Command.SETUP)
        menu.popup(button.mapToGlobal(QPoint(0, button.height())))

    def _new_menu(self) -> QMenu:
        from PySide6.QtWidgets import QMenu

        if self._levels is not None:
            self._levels.deleteLater()
        self._levels = QMenu(self)
        return self._levels

    def _add_level(self, menu: QMenu, name: str, command: Command) -> None:
        action = menu.addAction(f"{name}\t{self._key(command)}")
        action.setCheckable(True)
        action.setChecked(name == self.tools[Tool.LEVEL].text())
        action.triggered.connect(lambda: self.command_triggered.emit(command))


def name_with_key(name: str, key: str) -> str:
    """Return the tool tip of a button: its name, and the key that does the same if there is one."""
    return f"{name} ({key})" if key else name
