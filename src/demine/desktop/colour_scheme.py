"""Light and dark: the theme follows the system, menus and dialogs follow the theme."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from demine.scene.colours import mix
from demine.scene.themes import SYSTEM

if TYPE_CHECKING:
    from demine.scene.colours import RGB
    from demine.scene.preferences import Preferences
    from demine.scene.themes import Theme

_DARK = ("dark", "contrast")
_ROLE = QPalette.ColorRole
_LIGHT = 128
_WORN = "demine-palette"
_OUTLINED = ("QMenu", "QCheckBox", "QRadioButton", "QComboBox", "QAbstractSpinBox", "QLineEdit")
"""Controls that use the colour `Window` for their outline only."""


def system_is_dark() -> bool:
    """Return whether the system asks for dark colours; False where it does not say."""
    from PySide6.QtCore import Qt

    return QGuiApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark


def current_theme(preferences: Preferences) -> Theme:
    """Return the chosen theme: the system's light or dark one if the choice is "system"."""
    return preferences.chosen_theme(dark=system_is_dark())


def apply_colour_scheme(preferences: Preferences) -> Theme:
    """Make menus and dialogs light or dark like the chosen theme, and return that theme."""
    # Building all of Qt's enumerations takes a tenth of a start, and the first frame needs none.
    from PySide6.QtCore import Qt

    hints = QGuiApplication.styleHints()
    if preferences.theme == SYSTEM:
        hints.unsetColorScheme()
        theme = preferences.chosen_theme(dark=system_is_dark())
    else:
        theme = preferences.chosen_theme()
        dark = theme.name in _DARK
        hints.setColorScheme(Qt.ColorScheme.Dark if dark else Qt.ColorScheme.Light)
    # A plain X11 desktop has no schemes, and no desktop has one for the theme "contrast".
    unsupported = theme.name in _DARK and not system_is_dark()
    _set_application_palette(theme if unsupported or theme.name == "contrast" else None)
    return theme


def apply_colour_scheme_unless_light(preferences: Preferences) -> Theme:
    """Do what `apply_colour_scheme` does, but return at once if system and theme are both light."""
    light = QGuiApplication.palette().window().color().lightness() >= _LIGHT
    if light and preferences.theme not in _DARK:
        return preferences.chosen_theme()
    return apply_colour_scheme(preferences)


def _set_application_palette(theme: Theme | None) -> None:
    """Give all widgets the colours of a theme, or with None those of the platform."""
    app = QApplication.instance()
    name = "" if theme is None else theme.name
    if app is not None and (app.property(_WORN) or "") != name:
        app.setProperty(_WORN, name)
        QApplication.setPalette(QPalette() if theme is None else _theme_palette(theme))
        if theme is not None and QApplication.style().name() == "fusion":
            _strengthen_outlines()
            _strengthen_scroll_bars(theme)


def _strengthen_outlines() -> None:
    """Make the outline of controls visible: Fusion draws it darker than the background."""
    palette = QPalette(QApplication.palette())
    palette.setColor(_ROLE.Window, QColor("white"))
    for control in _OUTLINED:
        # PySide wants a str here, whatever its stubs say.
        QApplication.setPalette(palette, control)  # type: ignore[arg-type]


def _strengthen_scroll_bars(theme: Theme) -> None:
    """Make the handle of a scroll bar stand out from its groove; Fusion mixes both colours."""
    palette = QPalette(QApplication.palette())
    palette.setColor(_ROLE.Button, to_qcolor(mix(theme.panel, theme.panel_text, 0.75)))
    # As above.
    QApplication.setPalette(palette, "QScrollBar")  # type: ignore[arg-type]


def to_qcolor(rgb: RGB) -> QColor:
    """Return a colour as a QColor."""
    return QColor(*rgb)


def with_panel_colours(palette: QPalette, theme: Theme) -> QPalette:
    """Return a copy of a palette with the colours of a theme's panel."""
    made = QPalette(palette)
    made.setColor(_ROLE.Window, to_qcolor(theme.panel))
    for role in (_ROLE.WindowText, _ROLE.ButtonText):
        made.setColor(role, to_qcolor(theme.panel_text))
    return made


def _theme_palette(theme: Theme) -> QPalette:
    """Return a palette for widgets in the colours of a dark theme."""
    ground, ink = theme.panel, theme.panel_text
    quiet = mix(ink, ground, 0.5)
    made = QPalette(to_qcolor(mix(ground, ink, 0.12)), to_qcolor(ground))
    for role, rgb in {
        _ROLE.Window: ground,
        _ROLE.WindowText: ink,
        _ROLE.Base: mix(ground, ink, 0.2),
        _ROLE.AlternateBase: mix(ground, ink, 0.15),
        _ROLE.Text: ink,
        _ROLE.ButtonText: ink,
        _ROLE.BrightText: ink,
        _ROLE.ToolTipBase: mix(ground, ink, 0.1),
        _ROLE.ToolTipText: ink,
        _ROLE.PlaceholderText: quiet,
        _ROLE.Link: theme.cursor,
        _ROLE.Highlight: theme.cursor,
        _ROLE.HighlightedText: theme.cursor_halo,
        _ROLE.Accent: theme.cursor,
    }.items():
        made.setColor(role, to_qcolor(rgb))
    for role in (_ROLE.WindowText, _ROLE.Text, _ROLE.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, role, to_qcolor(quiet))
    return made
