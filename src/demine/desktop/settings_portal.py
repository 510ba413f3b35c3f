"""Asks the settings portal of a Linux or BSD desktop, over D-Bus, whether to move less."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import SLOT, QObject, Signal, Slot
from PySide6.QtDBus import QDBusConnection, QDBusMessage, QDBusPendingCallWatcher, QDBusVariant

if TYPE_CHECKING:
    from collections.abc import Mapping

_PORTAL: Final = "org.freedesktop.portal.Desktop"
_PATH: Final = "/org/freedesktop/portal/desktop"
_SETTINGS: Final = "org.freedesktop.portal.Settings"
_TIMEOUT_MS: Final = 2000
_QUIET_VALUES: Final[Mapping[tuple[str, str], object]] = {
    ("org.freedesktop.appearance", "reduced-motion"): 1,
    ("org.gnome.desktop.interface", "enable-animations"): False,
}
"""The settings of the portal, by namespace and key, and the value that asks for less motion."""


class SettingsPortal(QObject):
    """Follows what the portal says about motion; nothing waits for its answer."""

    motion_changed = Signal()
    """The portal asks for less motion, or no longer does."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._quiet: set[tuple[str, str]] = set()
        bus = QDBusConnection.sessionBus()
        bus.connect(  # type: ignore[call-overload]  # PySide's stubs want the slot as bytes
            "", _PATH, _SETTINGS, "SettingChanged", self, SLOT("_note_change(QDBusMessage)")
        )
        for namespace, key in _QUIET_VALUES:
            question = QDBusMessage.createMethodCall(_PORTAL, _PATH, _SETTINGS, "ReadOne")
            question.setArguments([namespace, key])
            watcher = QDBusPendingCallWatcher(bus.asyncCall(question, _TIMEOUT_MS), self)
            watcher.setProperty("setting", [namespace, key])
            watcher.finished.connect(self._note_answer)

    @property
    def reduces_motion(self) -> bool:
        """Whether less motion is asked for, as far as is known yet."""
        return bool(self._quiet)

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
        before = self.reduces_motion
        self._quiet.discard((namespace, key))
        if isinstance(value, QDBusVariant) and value.variant() == quiet:
            self._quiet.add((namespace, key))
        if self.reduces_motion != before:
            self.motion_changed.emit()
