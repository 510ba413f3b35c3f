"""Reads the text on the clipboard with the programs that the platform has for it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from threading import Timer
from typing import Final, NamedTuple

from demine.logic.errors import DemineError

_SECONDS: Final = 10.0
"""How long to wait for the program that owns the clipboard."""


class ClipboardError(DemineError):
    """A clipboard that cannot be read, or holds no text; the message says what helps."""


class _Reader(NamedTuple):
    """A program that writes the clipboard's text to its standard output."""

    command: tuple[str, ...]
    package: str
    """What to install where the program is missing."""


_WAYLAND: Final = (_Reader(("wl-paste", "--no-newline", "--type", "text"), "wl-clipboard"),)
_X11: Final = (
    _Reader(("xclip", "-selection", "clipboard", "-out"), "xclip"),
    _Reader(("xsel", "--clipboard", "--output"), "xsel"),
)
_MACOS: Final = (_Reader(("pbpaste",), "pbpaste"),)
_POWERSHELL: Final = "[Console]::OutputEncoding=[Text.Encoding]::UTF8; Get-Clipboard -Raw"
_WINDOWS: Final = tuple(
    _Reader((program, "-NoProfile", "-Command", _POWERSHELL), "PowerShell")
    for program in ("powershell.exe", "pwsh")
)


def read_clipboard(most_bytes: int, platform: str = sys.platform) -> bytes:
    """Return the text on the clipboard as UTF-8, at most one byte more than `most_bytes`.

    Raises `ClipboardError` if no program can read it, or it holds no text.
    """
    readers = _readers_on(platform)
    if not readers:
        raise ClipboardError("no clipboard available: there is no screen")
    reader = next((each for each in readers if shutil.which(each.command[0])), None)
    if reader is None:
        raise ClipboardError(
            "no program here reads the clipboard: install {packages}",
            packages=" / ".join(dict.fromkeys(each.package for each in readers)),
        )
    data = _output_of(reader.command, most_bytes + 1)
    if not data.strip():
        raise ClipboardError("the clipboard holds no text")
    return data


def _readers_on(platform: str) -> tuple[_Reader, ...]:
    """Return the programs that suit a system, the best first; none without a screen."""
    if platform == "win32":
        return _WINDOWS
    if platform == "darwin":
        return _MACOS
    readers: tuple[_Reader, ...] = ()
    if os.environ.get("WAYLAND_DISPLAY"):
        readers += _WAYLAND
    if os.environ.get("DISPLAY"):
        readers += _X11
    # Linux within Windows runs the programs of Windows.
    return readers + (_WINDOWS[:1] if os.environ.get("WSL_DISTRO_NAME") else ())


def _output_of(command: tuple[str, ...], most_bytes: int) -> bytes:
    """Return the beginning of what a program writes; nothing if it fails or takes too long."""
    try:
        process = subprocess.Popen(  # noqa: S603 - one of the commands above
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    except OSError as error:
        raise ClipboardError(
            "{program} does not start: {reason}", program=command[0], reason=error.strerror
        ) from error
    timer = Timer(_SECONDS, process.kill)
    timer.start()
    with process:
        data = process.stdout.read(most_bytes) if process.stdout else b""
        if len(data) == most_bytes:
            process.kill()
    timer.cancel()
    return data
