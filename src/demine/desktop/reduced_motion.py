"""Whether the system asks for less motion: what its style, Windows, macOS or a portal say."""

from __future__ import annotations

import ctypes
import os
import sys
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication, QStyle

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from demine.desktop.settings_portal import SettingsPortal

_GET_CLIENT_AREA_ANIMATION: Final = 0x1042
"""SPI_GETCLIENTAREAANIMATION of `SystemParametersInfoW`."""


class SystemMotion(QObject):
    """Follows what the system says; nothing waits for the portal's answer."""

    changed = Signal(bool)
    """The system asks for less motion, or no longer does."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._platform_asks = _style_asks() or _SYSTEMS.get(sys.platform, bool)()
        self._portal: SettingsPortal | None = None
        if "DBUS_SESSION_BUS_ADDRESS" in os.environ:
            from demine.desktop.settings_portal import SettingsPortal

            self._portal = SettingsPortal(self)
            self._portal.motion_changed.connect(lambda: self.changed.emit(self.is_reduced))

    @property
    def is_reduced(self) -> bool:
        """Whether less motion is asked for, as far as is known yet."""
        return self._platform_asks or bool(self._portal and self._portal.reduces_motion)


def _style_asks() -> bool:
    """Return whether the style moves nothing, as KDE's does when animations are off."""
    return QApplication.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration) == 0


def _windows_asks() -> bool:
    libraries: Any = ctypes
    moves = ctypes.c_int(1)
    libraries.windll.user32.SystemParametersInfoW(
        _GET_CLIENT_AREA_ANIMATION, 0, ctypes.byref(moves), 0
    )
    return not moves.value


def _macos_asks() -> bool:
    """Return `NSWorkspace.sharedWorkspace.accessibilityDisplayShouldReduceMotion`."""
    objc: Any = ctypes.CDLL("/usr/lib/libobjc.dylib")
    objc.objc_getClass.restype = objc.sel_registerName.restype = ctypes.c_void_p

    def send(kind: type, receiver: int | None, message: bytes) -> Any:  # noqa: ANN401
        call = ctypes.CFUNCTYPE(kind, ctypes.c_void_p, ctypes.c_void_p)(("objc_msgSend", objc))
        return call(receiver, objc.sel_registerName(message))

    workspace = send(ctypes.c_void_p, objc.objc_getClass(b"NSWorkspace"), b"sharedWorkspace")
    return bool(send(ctypes.c_bool, workspace, b"accessibilityDisplayShouldReduceMotion"))


_SYSTEMS: Final[Mapping[str, Callable[[], bool]]] = {
    "win32": _windows_asks,
    "darwin": _macos_asks,
}
