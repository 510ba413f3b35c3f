"""Shows the first frame in the terminal while Textual is being loaded.

Loading Textual takes longer than loading the game. Input that arrives meanwhile waits; when Textual
takes the terminal over, no cell changes.
"""

from __future__ import annotations

import signal
import sys
from contextlib import contextmanager, suppress
from threading import Lock
from typing import TYPE_CHECKING, Final, TypeAlias

from demine.terminal.palette256 import xterm_colours

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import FrameType

    from demine.scene.colours import RGB
    from demine.terminal.text_style import Line, TextStyle

ALTERNATE: Final = "\x1b[?1049h"
"""Switches the terminal to its alternate screen, and clears that."""
_MOUSE_MODES: Final = (1000, 1003, 1015, 1006)
_MOUSE_ON: Final = "".join(f"\x1b[?{mode}h" for mode in _MOUSE_MODES)
_RESTORE: Final = "".join(f"\x1b[?{mode}l" for mode in _MOUSE_MODES) + "\x1b[?25h\x1b[?1049l"
_END_SIGNALS: Final = ("SIGINT", "SIGTERM", "SIGHUP")
TerminalAttributes: TypeAlias = "list[object]"
"""As `termios.tcgetattr` returns them."""


class StartupScreen:
    """The first frame, shown in the terminal until Textual takes it over."""

    def __init__(self, lines: Sequence[Line], colour_count: int) -> None:
        self.lines = list(lines)
        self.is_shown = False
        """Whether the alternate screen is shown and Textual has not taken over yet."""
        self.ended_by = 0
        """The signal that asked the program to end, or 0; Textual obeys it once loaded."""
        self._colours = colour_count
        self._lock = Lock()
        self._held: list[object] | None = []
        self._before: TerminalAttributes | None = None

    @contextmanager
    def showing(self) -> Iterator[StartupScreen]:
        """Show the frame; restore the terminal if Textual does not take it over."""
        with self._noting_signals():
            self._show()
            try:
                yield self
            finally:
                if self.is_shown:
                    self._restore_terminal()
                    _write_to_terminal(_RESTORE)

    def _show(self) -> None:
        if sys.platform == "win32":
            return
        import termios

        with suppress(OSError, ValueError, termios.error, AttributeError):
            fd = sys.__stdin__.fileno()  # type: ignore[union-attr]
            self._before = termios.tcgetattr(fd)
            quiet = termios.tcgetattr(fd)
            # As in Textual, Ctrl+Q and Ctrl+C are ordinary keys.
            quiet[0] &= ~(termios.IXON | termios.IXOFF | termios.ICRNL | termios.INLCR)
            quiet[3] &= ~(termios.ECHO | termios.ICANON | termios.IEXTEN | termios.ISIG)
            termios.tcsetattr(fd, termios.TCSANOW, quiet)
        self.is_shown = True
        _write_to_terminal(
            f"{ALTERNATE}\x1b[?25l{_MOUSE_ON}\x1b[H{ansi_text(self.lines, self._colours)}"
        )

    def release_terminal(self) -> TerminalAttributes | None:
        """Leave the terminal to Textual; return the attributes to restore at the end, if known."""
        self.is_shown = False
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
        """Note signals that end the program, since it cannot clean up while it is half loaded."""

        def on_signal(number: int, _frame: FrameType | None) -> None:
            self.ended_by = number

        before = {}
        for name in _END_SIGNALS:
            number = getattr(signal, name, None)
            with suppress(ValueError):  # not the main thread
                if number is not None:
                    before[number] = signal.signal(number, on_signal)
        try:
            yield
        finally:
            for number, handler in before.items():
                with suppress(ValueError, TypeError):
                    signal.signal(number, handler)

    def hold_message(self, message: object) -> bool:
        """Keep an early message, from any thread; return False if `release_messages` was called."""
        with self._lock:
            if self._held is None:
                return False
            self._held.append(message)
            return True

    def release_messages(self) -> list[object]:
        """Return the kept messages, oldest first, and stop keeping any."""
        with self._lock:
            held, self._held = self._held or [], None
            return held


def ansi_text(lines: Sequence[Line], colour_count: int) -> str:
    """Return lines as text with ANSI sequences for a terminal of that many colours."""
    return "\x1b[0m\r\n".join(
        "".join(f"\x1b[0;{_style_codes(style, colour_count)}m{text}" for text, style in line)
        for line in lines
    )


def _style_codes(style: TextStyle, colour_count: int) -> str:
    """Return the SGR codes of a style, joined by semicolons."""
    codes = [
        code for code, on in (("1", style.bold), ("4", style.underline), ("7", style.reverse)) if on
    ]
    if colour_count == 256:
        pairs = zip(("38", "48"), xterm_colours(style), strict=True)
        codes += [f"{kind};5;{found}" for kind, found in pairs if found is not None]
    elif colour_count:
        pair = (("38", style.fg), ("48", style.bg))
        codes += [_colour_code(kind, rgb, colour_count) for kind, rgb in pair if rgb is not None]
    return ";".join(codes) or "0"


def _colour_code(kind: str, rgb: RGB, colour_count: int) -> str:
    if colour_count > 256:
        return f"{kind};2;{rgb[0]};{rgb[1]};{rgb[2]}"
    # Rich chooses the nearest of 16 colours, as it does for Textual.
    from rich.color import Color, ColorSystem

    found = Color.from_rgb(*rgb).downgrade(ColorSystem.STANDARD)
    return ";".join(found.get_ansi_codes(foreground=kind == "38"))


def _write_to_terminal(text: str) -> None:
    stream = sys.__stderr__
    if stream is not None:
        stream.write(text)
        stream.flush()
