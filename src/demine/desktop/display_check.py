"""Checks whether a window can be shown, before Qt tries: Qt would end the process."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import sys
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from demine.scene.display_error import NO_ANSWER, NO_SCREEN, DisplayError, no_window_error
from demine.scene.python_program import python_program
from demine.scene.translation import mark

if TYPE_CHECKING:
    from collections.abc import Sequence

_SCREENS: Final = {"xcb": "DISPLAY", "wayland": "WAYLAND_DISPLAY"}
"""Qt's visible platforms on Linux, with the environment variable that names the display."""
_UNSEEN: Final = ("offscreen", "minimal")
"""Qt's platforms that need no display, for programs that look at a window."""
_PLATFORM: Final = "QT_QPA_PLATFORM"
_TRIAL: Final = """
from demine.desktop import qt_bytecode_cache
qt_bytecode_cache.import_qt_bindings()
from PySide6.QtGui import QGuiApplication
app = QGuiApplication(["demine"])
raise SystemExit(app.primaryScreen() is None)
"""
_PATIENCE: Final = 20.0
"""After so many seconds a platform counts as one that does not open."""
_NOT_LOADED: Final = mark("Qt cannot be loaded: {text}")
_WRONG: Final = mark("Qt cannot use the platform {name!r} set in QT_QPA_PLATFORM")


def find_display_error() -> DisplayError | None:
    """Return why Qt cannot open a window here, or None if it can.

    Sets `QT_QPA_PLATFORM` to the platforms that work, because Qt would try others too.
    """
    asked = os.environ.get(_PLATFORM, "")
    if asked:
        return _qt_import_error() or _select_platforms(asked.split(";"))
    if not sys.platform.startswith("linux"):
        return _qt_import_error()
    found = [name for name, variable in _SCREENS.items() if os.environ.get(variable)]
    if not found:
        return no_window_error(NO_SCREEN)
    if os.environ.get("XDG_SESSION_TYPE") == "wayland":
        found.reverse()
    return _qt_import_error() or _select_platforms(found)


def _select_platforms(platforms: Sequence[str]) -> DisplayError | None:
    """Restrict Qt to the platforms that can open; return why none can, or None."""
    obstacles = {name: _platform_error(name) for name in platforms}
    usable = [name for name, lost in obstacles.items() if lost is None]
    if not usable:
        return next(iter(obstacles.values()))
    os.environ[_PLATFORM] = ";".join(usable)
    return None


def _qt_import_error() -> DisplayError | None:
    """Return why Qt itself does not load, or None."""
    from demine.desktop import qt_bytecode_cache

    try:
        qt_bytecode_cache.import_qt_bindings()
        import PySide6.QtWidgets  # noqa: F401
    except ImportError as error:
        return no_window_error(_NOT_LOADED, text=_first_line(error))
    return None


def _platform_error(asked: str) -> DisplayError | None:
    """Return why a platform of Qt, such as `xcb` or `xcb:option`, cannot open, or None."""
    platform = asked.partition(":")[0].lower()
    plugin = _platform_plugins() / f"libq{platform}.so"
    if platform not in {*_SCREENS, *_UNSEEN} or not plugin.exists():
        return None if _opens_in_subprocess(asked) else no_window_error(_WRONG, name=asked)
    try:
        ctypes.CDLL(str(plugin))
    except OSError as error:
        return no_window_error(_NOT_LOADED, text=_first_line(error))
    probe = {"xcb": _x_server_answers, "wayland": _wayland_answers}.get(platform)
    if probe is None or probe():
        return None
    name = os.environ.get(_SCREENS[platform], "")
    return no_window_error(NO_ANSWER, name=name)


@lru_cache
def _opens_in_subprocess(platform: str) -> bool:
    """Whether Qt opens a platform that cannot be probed; tried in a process that may die."""
    import subprocess  # most platforms can be probed without

    try:
        ended = subprocess.run(  # noqa: S603 - no outside input
            [python_program(), "-c", _TRIAL],
            env={**os.environ, _PLATFORM: platform},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=_PATIENCE,
            check=False,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return False
    return ended.returncode == 0


def _platform_plugins() -> Path:
    spec = importlib.util.find_spec("PySide6")
    home = Path(spec.origin).parent if spec is not None and spec.origin else Path()
    return home / "Qt" / "plugins" / "platforms"


def _x_server_answers() -> bool:
    """Whether the X server accepts a connection; the plugin has loaded its library already."""
    xcb = ctypes.CDLL("libxcb.so.1")
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connection_has_error.argtypes = [ctypes.c_void_p]
    xcb.xcb_disconnect.argtypes = [ctypes.c_void_p]
    connection = xcb.xcb_connect(None, None)
    refused = bool(xcb.xcb_connection_has_error(connection))
    xcb.xcb_disconnect(connection)
    return not refused


def _wayland_answers() -> bool:
    try:
        wayland = ctypes.CDLL("libwayland-client.so.0")
    except OSError:
        return True  # the plugin brings its own library, and reports errors itself
    wayland.wl_display_connect.restype = ctypes.c_void_p
    wayland.wl_display_disconnect.argtypes = [ctypes.c_void_p]
    display = wayland.wl_display_connect(None)
    if display:
        wayland.wl_display_disconnect(display)
    return bool(display)


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]
