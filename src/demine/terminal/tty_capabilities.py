"""What the terminal can do: whether there is one, its colours, letters and background."""

from __future__ import annotations

import os
import select
import sys
from typing import TYPE_CHECKING, Final

from demine.logic.errors import DemineError

if TYPE_CHECKING:
    from collections.abc import Mapping

_PLAIN: Final = ("linux", "vt", "ansi", "cons25", "sun")
"""Beginnings of the names of terminals that lack signs such as flags and stars."""
_MANY: Final = ("xterm-kitty", "alacritty", "foot", "xterm-ghostty", "wezterm", "rio", "contour")
"""Terminals of 256 colours or more whose names do not say so."""
_NARROW: Final = ("C", "POSIX")
"""Locales without letters beyond ASCII."""
_COERCED: Final = ("C.UTF-8", "C.utf8", "UTF-8")
"""The values that Python gives LC_CTYPE if the locale is C."""
SYSTEMS: Final = {0: "standard", 16: "standard", 256: "256", 1 << 24: "truecolor"}
"""Textual's names of colour systems, by the number of colours."""


class TerminalError(DemineError):
    """There is no terminal here to play in."""


class _Reason(DemineError):
    """The reason, as a part of that sentence."""


def terminal_obstacle(environ: Mapping[str, str] | None = None) -> TerminalError | None:
    """Return the error why no game can be played in a terminal here, or None."""
    env = os.environ if environ is None else environ
    if not (_is_terminal(sys.__stdin__) and _is_terminal(sys.__stderr__)):
        return _terminal_error(_Reason("standard input and standard error must both be terminals"))
    if env.get("TERM", "") == "dumb" and sys.platform != "win32":
        return _terminal_error(
            _Reason("TERM is {name!r}, which cannot move its cursor", name="dumb")
        )
    return None


def terminal_hung_up() -> bool:
    """Return whether the terminal is gone, which not every system reports by a signal."""
    if sys.platform == "win32" or sys.__stdin__ is None:
        return False
    poll = select.poll()
    try:
        poll.register(sys.__stdin__.fileno(), 0)
        return any(event & (select.POLLHUP | select.POLLNVAL) for _, event in poll.poll(0))
    except (OSError, ValueError):  # no descriptor: there never was a terminal
        return False


def _terminal_error(reason: _Reason) -> TerminalError:
    return TerminalError("there is no terminal to play in: {reason}", reason=reason)


def _is_terminal(stream: object) -> bool:
    try:
        return stream is not None and os.isatty(stream.fileno())  # type: ignore[attr-defined]
    except (OSError, ValueError):
        return False


def colour_count(environ: Mapping[str, str]) -> int:
    """Return how many colours the terminal shows: 0, 16, 256 or 2 ** 24."""
    if environ.get("NO_COLOR"):
        return 0
    name = environ.get("TERM", "").lower()
    if name in ("dumb", "unknown") or name.startswith(("vt1", "vt2", "vt3", "vt5")):
        return 0
    if environ.get("COLORTERM", "").strip().lower() in ("truecolor", "24bit"):
        return 1 << 24
    if sys.platform == "win32" or name.endswith(("-direct", "-truecolor")):
        return 1 << 24
    return 256 if name.endswith("256color") or name in _MANY else 16


def needs_ascii(environ: Mapping[str, str]) -> bool:
    """Return whether to use ASCII signs: for an old terminal, or a locale without Unicode.

    Without any locale, as in many containers, a modern terminal is assumed.
    """
    if environ.get("TERM", "").lower().startswith(_PLAIN):
        return True
    # If the locale is C, Python sets an LC_CTYPE of its own (PEP 538), which nobody chose.
    names = ["LC_ALL", "LC_CTYPE", "LANG"]
    if environ.get("LC_CTYPE") in _COERCED and environ.get("LANG") in _NARROW:
        names.remove("LC_CTYPE")
    locale = next((environ[name] for name in names if environ.get(name)), "")
    if locale in _NARROW:
        return True
    charset = locale.partition(".")[2].partition("@")[0].lower().replace("-", "")
    return charset not in ("", "utf8")


def has_dark_background(environ: Mapping[str, str]) -> bool:
    """Return whether the background is dark, as most are, unless COLORFGBG says otherwise."""
    ground = environ.get("COLORFGBG", "").rpartition(";")[2]
    return ground not in ("7", "15")
