"""Whether the system asks for less motion, asked of a portal on a session bus of the test's own."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys

import pytest

from tests.conftest import IN_CI
from tests.desktop.desk import environment

PORTAL = """
import json, sys
from PySide6.QtCore import ClassInfo, QObject, QTimer, Slot
from PySide6.QtDBus import QDBusConnection, QDBusMessage, QDBusVariant
from PySide6.QtWidgets import QApplication
from demine.desktop.reduced_motion import SystemMotion

PATH, NAME = "/org/freedesktop/portal/desktop", "org.freedesktop.portal.Settings"
namespace, key, first, second, told = json.loads(sys.argv[1])
asked = set()

@ClassInfo({"D-Bus Interface": NAME})
class Portal(QObject):
    @Slot(str, str, result=QDBusVariant)
    def ReadOne(self, asked_namespace, asked_key):
        asked.add(asked_key)
        if len(asked) == 2:
            QTimer.singleShot(0, change)
        known = (asked_namespace, asked_key) == (namespace, key)
        return QDBusVariant(first if known else "another setting")

def change():
    signal = QDBusMessage.createSignal(PATH, NAME, "SettingChanged")
    signal.setArguments([namespace, key, QDBusVariant(second)])
    bus.send(signal)

def note(reduced):
    said.append(reduced)
    if len(said) > told:
        app.quit()

app = QApplication([])
bus = QDBusConnection.connectToBus(QDBusConnection.BusType.SessionBus, "portal")
portal = Portal()
assert bus.registerObject(PATH, portal, QDBusConnection.RegisterOption.ExportAllSlots)
assert bus.registerService("org.freedesktop.portal.Desktop")
system = SystemMotion()
said = [system.is_reduced]
system.changed.connect(note)
QTimer.singleShot(30_000, app.quit)
app.exec()
print(json.dumps([*said, system.is_reduced]))
"""
GNOME = ("org.gnome.desktop.interface", "enable-animations")
APPEARANCE = ("org.freedesktop.appearance", "reduced-motion")


@pytest.mark.parametrize(
    ("setting", "first", "second", "said"),
    [
        (GNOME, False, True, [False, True, False, False]),
        (GNOME, True, False, [False, True, True]),
        (APPEARANCE, 1, 0, [False, True, False, False]),
        (APPEARANCE, 0, 1, [False, True, True]),
    ],
)
def test_the_portal_is_asked_and_followed(
    setting: tuple[str, str], first: object, second: object, said: list[bool]
) -> None:
    run = shutil.which("dbus-run-session")
    if run is None:
        sentence = "no dbus-run-session on this machine (on Debian: apt install dbus)"
        if IN_CI:
            pytest.fail(sentence)
        pytest.skip(sentence)
    asked = json.dumps([*setting, first, second, len(said) - 2])
    done = subprocess.run(
        [run, "--", sys.executable, "-c", PORTAL, asked],
        env=environment(QT_QPA_PLATFORM="offscreen"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == said


def test_without_a_session_bus_nobody_is_asked() -> None:
    code = (
        "from PySide6.QtWidgets import QApplication; app = QApplication([]);"
        "from demine.desktop.reduced_motion import SystemMotion; print(SystemMotion().is_reduced);"
        "import sys; print('PySide6.QtDBus' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=environment(QT_QPA_PLATFORM="offscreen", DBUS_SESSION_BUS_ADDRESS=None),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["False", "False"]
