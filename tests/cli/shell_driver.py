"""A real shell on a pseudo-terminal, at which keys are pressed."""

from __future__ import annotations

import os
import re
import select
import signal
import struct
import time
from pathlib import Path
from typing import Final, Self

START: Final = {
    "bash": ["bash", "--noprofile", "-i"],
    "zsh": ["zsh", "-i"],
    "fish": ["fish", "-i"],
}
"""How each shell is started by a player: with its start-up file."""
_PATIENCE_S: Final = 20


class ShellAtKeyboard:
    """A shell with a home folder of its own; leave its context to end it."""

    def __init__(self, name: str, home: Path) -> None:
        import fcntl  # Windows has none of these
        import pty
        import termios

        programs = home / "bin"
        programs.mkdir()
        program = programs / "demine"
        # No key press may start it; if one does, it leaves a trace.
        program.write_text('#!/bin/sh\necho "$@" >> "$HOME/started"\n')
        program.chmod(0o755)
        self._name = name
        self._count = 0
        environment = {
            "HOME": str(home),
            "PATH": f"{programs}:{os.environ['PATH']}",
            "TERM": "xterm" if name == "fish" else "dumb",
            "LANG": "C.UTF-8",
            "SHELL": f"/bin/{name}",
        }
        self._pid, self._ours = pty.fork()
        if self._pid == 0:
            os.chdir(home)
            os.execvpe(name, START[name], environment)
        fcntl.ioctl(self._ours, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 200, 0, 0))
        self.said("true")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.kill(self._pid, signal.SIGKILL)
        os.close(self._ours)
        os.waitpid(self._pid, 0)

    def said(self, command: str) -> str:
        """Enter a command; return all that the terminal shows until it has ended."""
        self._count += 1
        # The shell puts the mark together, so that what is typed does not look like it.
        self._press(f"{command}; echo 'en''d' {self._count}.\n")
        return self._read_until(f"end {self._count}\\.")

    def completed(self, typed: str) -> str:
        """Type the beginning of a line and press Tab; return the line that then stands there."""
        self._count += 1
        self._press(typed + "\t")
        # The line is made the argument of an echo: Ctrl-E and Ctrl-A go to its end and beginning.
        self._press(f"\x05' .{self._count}.\x01echo 'line: \n")
        seen = self._read_until(rf"\.{self._count}\.\r?\n")
        return str(re.findall(r"line: ([^\r\n]*)", seen)[-1])

    def _press(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    def _read_until(self, pattern: str) -> str:
        seen, end = "", time.monotonic() + _PATIENCE_S
        while not re.search(pattern, seen):
            ready, _, _ = select.select([self._ours], [], [], max(0, end - time.monotonic()))
            if not ready:
                raise AssertionError(f"{self._name} did not answer: {seen[-2000:]!r}")
            seen += os.read(self._ours, 65536).decode("utf-8", "replace")
        return seen
