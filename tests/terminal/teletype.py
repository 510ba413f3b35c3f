"""A real pseudo-terminal with the game in it: keys and mouse go in, a screen comes out."""

from __future__ import annotations

import os
import select
import signal
import struct
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import pyte
import pytest
from numpy.typing import NDArray

from demine.game import Game
from demine.logic.event import Act, Verb
from demine.scene.cell_faces import Face
from demine.scene.sight import sight
from demine.scene.themes import Theme, theme
from demine.terminal.screen_layout import ScreenLayout
from demine.terminal.terminal_theme import CellState, TerminalTheme
from demine.terminal.text_style import TextStyle
from tests.table import environment

PATIENCE: Final = 40.0
KEYS: Final = {
    "up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D",
    "enter": "\r", "space": " ", "escape": "\x1b", "f1": "\x1bOP", "f2": "\x1bOQ",
    "shift+f2": "\x1b[1;2Q", "home": "\x1b[H", "end": "\x1b[F", "pagedown": "\x1b[6~",
    **{f"ctrl+{letter}": chr(ord(letter) - 96) for letter in "chlnopqrz"},
}  # fmt: skip
"""What a terminal sends for a key."""
LEFT, MIDDLE, RIGHT = 0, 1, 2
LAST_CORNERS: Final = "▀┘"
"""The lower right corner of a board, with and without colours."""


class Teletype:
    """One process of the game at a terminal of its own; `game` is played along beside it."""

    def __init__(
        self,
        *options: str,
        game: Game | None = None,
        size: tuple[int, int] = (80, 24),
        look: str = "dark",
        scene: str | None = "terminal",
        program: Sequence[str] = ("-m", "demine"),
        **changes: str | None,
    ) -> None:
        self.game = game
        self.theme: Theme = theme(look)
        cols, rows = size
        self.screen: Any = pyte.Screen(cols, rows)
        self._stream = pyte.ByteStream(self.screen)
        self.raw = bytearray()
        self.environment = environment(
            **{"TERM": "xterm-256color", "COLORTERM": "truecolor", "COLORFGBG": "15;0", **changes}
        )
        named = ["--scene", scene] if scene else []
        arguments = [sys.executable, *program, "play", *named, *options]
        pty = pytest.importorskip("pty", reason="Windows has no pseudo-terminals of Unix")
        self.pid, self.fd = pty.fork()
        if self.pid == 0:  # pragma: no cover (another process)
            os.execve(sys.executable, arguments, self.environment)
        self.code: int | None = None
        self._winsize(cols, rows)

    # The hand

    def keys(self, *names: str) -> None:
        """Press keys, one after the other."""
        self.write("".join(KEYS.get(name, name) for name in names))

    def write(self, text: str) -> None:
        """Let the terminal send something."""
        data = text.encode()
        while data:
            data = data[os.write(self.fd, data) :]
            self.listen(0.0)

    def mouse(self, button: int, at: tuple[int, int], *, down: bool) -> None:
        """Press or release a button at a column and a row."""
        self.write(f"\x1b[<{button};{at[0] + 1};{at[1] + 1}{'M' if down else 'm'}")

    def click(self, button: int, at: tuple[int, int]) -> None:
        """Press and release a button."""
        self.mouse(button, at, down=True)
        self.mouse(button, at, down=False)

    def resize(self, cols: int, rows: int) -> None:
        """Give the terminal another size."""
        self.screen.resize(rows, cols)
        self._winsize(cols, rows)

    def _winsize(self, cols: int, rows: int) -> None:
        import fcntl
        import termios

        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))

    def resume(self) -> None:
        """Go on with a game that is paused, as one that was left is."""
        self.wait_text("Paused")
        self.keys("p")

    # Playing along

    def play(self, verb: Verb, row: int, col: int) -> None:
        """Play an act beside the screen."""
        assert self.game is not None
        self.game.play(Act(0, verb, row, col))

    @property
    def layout(self) -> ScreenLayout:
        """Where things are while nothing has been scrolled."""
        assert self.game is not None
        colours = not self.environment.get("NO_COLOR")
        size = self.screen.columns, self.screen.lines
        return ScreenLayout(*size, self.game.rules.shape, may_grow=colours)

    def spot(self, row: int, col: int) -> tuple[int, int]:
        """The column and row of the terminal where the letter of a cell is."""
        cols, rows = self.layout.cell
        x = self.layout.border_x + 1 + cols * col + cols // 2
        return x, self.layout.first_row_y + rows * row + (rows - 1) // 2

    # The eye

    def text(self) -> str:
        """All of the screen, of which a part may be old: it is read while it is written.

        Half of a wide letter that is written over has it is empty.
        """
        rows, cols = range(self.screen.lines), range(self.screen.columns)
        cells = self.screen.buffer
        return "\n".join("".join(cells[row][col].data for col in cols) for row in rows)

    def faces(self) -> NDArray[np.uint8]:
        """The faces read off the screen; 255 where no face is recognised.

        Under the cursor, whose colours hide those of a face, only the letter can be compared.
        """
        known, cursor = self._known(), _ground(TextStyle(bg=self.theme.cursor))
        layout, (x, y) = self.layout, self.spot(0, 0)
        faces = np.full(layout.shape, 255, np.uint8)
        for row, col in np.ndindex(layout.visible_rows, layout.visible_cols):
            letter = self.screen.buffer[y + layout.cell.rows * row][x + layout.cell.cols * col]
            faces[row, col] = known.get((letter.data, letter.bg), 255)
            if letter.bg == cursor and self.game is not None:
                under = Face(int(self.game_faces()[row, col]))
                if any(known[each] is under for each in known if each[0] == letter.data):
                    faces[row, col] = under
        return faces

    def _known(self) -> dict[tuple[str, str], Face]:
        """Every letter on its ground and what it means."""
        colours = 0 if self.environment.get("NO_COLOR") else 1 << 24
        terminal_theme = TerminalTheme(self.theme, colours=colours, ascii_only=False)
        known = {}
        for face in Face:
            for odd in (False, True):
                ((text, style),) = terminal_theme.cell(CellState(face, odd_square=odd))
                known[text[1], _ground(style)] = face
        return known

    def expect(self) -> None:
        """Wait until the screen shows the game that was played along."""
        self.wait(lambda: np.array_equal(self.faces(), self.game_faces()), "the board of the game")

    def game_faces(self) -> NDArray[np.uint8]:
        """What the game that was played along shows."""
        assert self.game is not None
        return sight(self.game)

    def wait_text(self, text: str) -> None:
        """Wait for words on the screen."""
        self.wait(lambda: text in self.text(), repr(text))

    def wait(self, true: Callable[[], bool], what: str) -> None:
        """Read what the game writes until something is true."""
        end = time.monotonic() + PATIENCE
        while not true():
            if time.monotonic() > end or not self.listen(0.05):
                raise AssertionError(f"{what} did not come:\n{self.text()}")

    def listen(self, seconds: float) -> bool:
        """Take what there is; return False when the game is gone."""
        if not select.select([self.fd], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self.fd, 1 << 16)
        except OSError:
            return False
        self.raw += data
        self._stream.feed(data)
        return bool(data)

    def shows_whole_board(self) -> bool:
        """Whether the last corner of a board has been written."""
        return any(corner.encode() in self.raw for corner in LAST_CORNERS)

    # The end

    def send(self, number: signal.Signals) -> None:
        """Send the process a signal."""
        os.kill(self.pid, number)

    def leave(self) -> int:
        """Quit by the key, and return the exit code."""
        self.keys("ctrl+q")
        return self.ended()

    def ended(self) -> int:
        """Wait for the process to end; return its exit code, negative for a signal."""
        end = time.monotonic() + PATIENCE
        while self.code is None and time.monotonic() < end:
            if self.fd >= 0:
                self.listen(0.02)
            found, status = os.waitpid(self.pid, os.WNOHANG)
            self.code = os.waitstatus_to_exitcode(status) if found else None
        assert self.code is not None, f"it goes on:\n{self.text()}"
        while self.fd >= 0 and select.select([self.fd], [], [], 0)[0] and self.listen(0.0):
            pass
        return self.code

    def hang_up(self) -> None:
        """Take the terminal away."""
        os.close(self.fd)
        self.fd = -1

    def is_restored(self) -> bool:
        """Whether the last word was to leave the other screen, the mouse, and hide no cursor."""
        return all(
            self.raw.rfind(f"\x1b[?{mode}{off}".encode())
            > self.raw.rfind(f"\x1b[?{mode}{on}".encode())
            for mode, on, off in ((1049, "h", "l"), (1003, "h", "l"), (25, "l", "h"))
        )

    def end(self) -> None:
        """Leave nothing behind."""
        if self.code is None:
            os.kill(self.pid, signal.SIGKILL)
            self.ended()
        if self.fd >= 0:
            self.hang_up()


def _ground(style: TextStyle) -> str:
    return "default" if style.bg is None else "".join(f"{part:02x}" for part in style.bg)
