"""Whether the system asks for less motion: what its style, Windows, macOS or a portal say."""

from __future__ import annotations

import ctypes
import os
import sys
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import SLOT, QObject, Signal, Slot
from PySide6.QtDBus import QDBusConnection, QDBusMessage, QDBusPendingCallWatcher, QDBusVariant
from PySide6.QtWidgets import QApplication, QStyle

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_PORTAL: Final = "org.freedesktop.portal.Desktop"
_PATH: Final = "/org/freedesktop/portal/desktop"
_SETTINGS: Final = "org.freedesktop.portal.Settings"
_TIMEOUT_MS: Final = 2000
_QUIET_VALUES: Final[Mapping[tuple[str, str], object]] = {
    ("org.freedesktop.appearance", "reduced-motion"): 1,
    ("org.gnome.desktop.interface", "enable-animations"): False,
}
"""The settings of the portal, by namespace and key, and the value that asks for less motion."""
_GET_CLIENT_AREA_ANIMATION: Final = 0x1042
"""SPI_GETCLIENTAREAANIMATION of `SystemParametersInfoW`."""


class SystemMotion(QObject):
    """Follows what the system says; nothing waits for the portal's answer."""

    changed = Signal(bool)
    """The system asks for less motion, or no longer does."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._platform_asks = _style_asks() or _SYSTEMS.get(sys.platform, bool)()
        self._portal_asks: set[tuple[str, str]] = set()
        if "DBUS_SESSION_BUS_ADDRESS" in os.environ:
            self._ask_portal(QDBusConnection.sessionBus())

    @property
    def is_reduced(self) -> bool:
        """Whether less motion is asked for, as far as is known yet."""
        return self._platform_asks or bool(self._portal_asks)

    def _ask_portal(self, bus: QDBusConnection) -> None:
        bus.connect(  # type: ignore[call-overload]  # PySide's stubs want the slot as bytes
            "", _PATH, _SETTINGS, "SettingChanged", self, SLOT("_note_change(QDBusMessage)")
        )
        for namespace, key in _QUIET_VALUES:
            question = QDBusMessage.createMethodCall(_PORTAL, _PATH, _SETTINGS, "ReadOne")
            question.setArguments([namespace, key])
            watcher = QDBusPendingCallWatcher(bus.asyncCall(question, _TIMEOUT_MS), self)
            watcher.setProperty("setting", [namespace, key])
            watcher.finished.connect(self._note_answer)

    @Slot(QDBusPendingCallWatcher)
    def _note_answer(self, watcher: QDBusPendingCallWatcher) -> None:
        if not watcher.isError():
            namespace, key = watcher.property("setting")
            self._note(namespace, key, *watcher.reply().arguments())
        watcher.deleteLater()

    @Slot(QDBusMessage)
    def _note_change(self, message: QDBusMessage) -> None:
        if len(message.arguments()) == 3:
            self._note(*message.arguments())

    def _note(self, namespace: str, key: str, value: object) -> None:
        quiet = _QUIET_VALUES.get((namespace, key))
        if quiet is None:
            return
        before = self.is_reduced
        self._portal_asks.discard((namespace, key))
        if isinstance(value, QDBusVariant) and value.variant() == quiet:
            self._portal_asks.add((namespace, key))
        if self.is_reduced != before:
            self.changed.emit(self.is_reduced)


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
