"""Shows the first frame in the terminal while Textual is being loaded.

Loading Textual takes longer than the game itself. What is typed meanwhile waits; when Textual takes
the terminal over, it changes no cell.
"""

from __future__ import annotations

import signal
import sys
from contextlib import contextmanager, suppress
from threading import Lock
from typing import TYPE_CHECKING, Final

from demine.terminal.palette256 import xterm_colours

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import FrameType

    from demine.scene.colours import RGB
    from demine.terminal.styled_text import Line, TextStyle

ALTERNATE: Final = "\x1b[?1049h"
"""Makes the terminal show another screen, and clears that."""
_MOUSE: Final = (1000, 1003, 1015, 1006)
_HEAR: Final = "".join(f"\x1b[?{mode}h" for mode in _MOUSE)
_BACK: Final = "".join(f"\x1b[?{mode}l" for mode in _MOUSE) + "\x1b[?25h\x1b[?1049l"
_ENDS: Final = ("SIGINT", "SIGTERM", "SIGHUP")


class StartupScreen:
    """The first frame, shown in the terminal until Textual takes it over."""

    def __init__(self, lines: Sequence[Line], colours: int) -> None:
        self.lines = list(lines)
        self.standing = False
        """Whether the other screen is shown already."""
        self.ended_by = 0
        """The signal that asked for the end meanwhile; Textual, once it is there, obeys it."""
        self._colours = colours
        self._lock = Lock()
        self._held: list[object] | None = []
        self._before: list[object] | None = None

    @contextmanager
    def showing(self) -> Iterator[StartupScreen]:
        """Show it; whatever happens before Textual takes over, the terminal is left as it was."""
        with self._noting_signals():
            self._show()
            try:
                yield self
            finally:
                if self.standing:
                    self._restore_terminal()
                    _write_to_terminal(_BACK)

    def _show(self) -> None:
        if sys.platform == "win32":
            return
        import termios

        with suppress(OSError, ValueError, termios.error, AttributeError):
            fd = sys.__stdin__.fileno()  # type: ignore[union-attr]
            self._before = termios.tcgetattr(fd)
            quiet = termios.tcgetattr(fd)
            # As Textual has it: Ctrl+Q and Ctrl+C are keys like any other.
            quiet[0] &= ~(termios.IXON | termios.IXOFF | termios.ICRNL | termios.INLCR)
            quiet[3] &= ~(termios.ECHO | termios.ICANON | termios.IEXTEN | termios.ISIG)
            termios.tcsetattr(fd, termios.TCSANOW, quiet)
        self.standing = True
        _write_to_terminal(
            f"{ALTERNATE}\x1b[?25l{_HEAR}\x1b[H{ansi_text(self.lines, self._colours)}"
        )

    def hand_terminal_over(self) -> list[object] | None:
        """Let Textual have the terminal, with the picture in it; return how it is to be left."""
        self.standing = False
        return self._before

    def _restore_terminal(self) -> None:
        if self._before is None or sys.platform == "win32":
            return
        import termios

        with suppress(OSError, ValueError, termios.error, AttributeError):
            fd = sys.__stdin__.fileno()  # type: ignore[union-attr]
            termios.tcsetattr(fd, termios.TCSANOW, self._before)  # type: ignore[arg-type]

    @contextmanager
    def _noting_signals(self) -> Iterator[None]:
        """Take note of signals that end the program: half loaded, nobody could clean up."""

        def hear(number: int, _frame: FrameType | None) -> None:
            self.ended_by = number

        before = {}
        for name in _ENDS:
            number = getattr(signal, name, None)
            with suppress(ValueError):  # not the main thread
                if number is not None:
                    before[number] = signal.signal(number, hear)
        try:
            yield
        finally:
            for number, handler in before.items():
                with suppress(ValueError, TypeError):
                    signal.signal(number, handler)

    def hold_message(self, message: object) -> bool:
        """Keep what was heard for later, from any thread; return False once nobody waits for it."""
        with self._lock:
            if self._held is None:
                return False
            self._held.append(message)
            return True

    def release_messages(self) -> list[object]:
        """Return what was kept, the oldest first; from now on nothing is."""
        with self._lock:
            held, self._held = self._held or [], None
            return held


def ansi_text(lines: Sequence[Line], colours: int) -> str:
    """Return lines as a terminal of so many colours reads them."""
    return "\x1b[0m\r\n".join(
        "".join(f"\x1b[0;{_style_codes(style, colours)}m{text}" for text, style in line)
        for line in lines
    )


def _style_codes(style: TextStyle, colours: int) -> str:
    """Return what selects a style."""
    codes = [
        code for code, on in (("1", style.bold), ("4", style.underline), ("7", style.reverse)) if on
    ]
    if colours == 256:
        pairs = zip(("38", "48"), xterm_colours(style), strict=True)
        codes += [f"{kind};5;{found}" for kind, found in pairs if found is not None]
    elif colours:
        pair = (("38", style.fg), ("48", style.bg))
        codes += [_colour_code(kind, rgb, colours) for kind, rgb in pair if rgb is not None]
    return ";".join(codes) or "0"


def _colour_code(kind: str, rgb: RGB, colours: int) -> str:
    if colours > 256:
        return f"{kind};2;{rgb[0]};{rgb[1]};{rgb[2]}"
    # Which of 16 colours is nearest, Rich says here as it says to Textual.
    from rich.color import Color, ColorSystem

    found = Color.from_rgb(*rgb).downgrade(ColorSystem.STANDARD)
    return ";".join(found.get_ansi_codes(foreground=kind == "38"))


def _write_to_terminal(text: str) -> None:
    stream = sys.__stderr__
    if stream is not None:
        stream.write(text)
        stream.flush()
