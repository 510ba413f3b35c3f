"""The terminal scene beside a bare Textual application and freesweep, in one run.

Measured are the milliseconds from starting the program to the first picture and until it answers a
key, memory once it stands still, processor time while nobody touches anything, and for the game the
time from a key or a mouse press to the changed cell, and the bytes that go over the line for it.
freesweep, a game of Debian's in C for terminals, and the two windows of demine stand beside; what
is not installed is left out. The windows need Xvfb and python-xlib.

"""

from __future__ import annotations

import os
import pty
import select
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from benchmarks.measure import Row, Run
from demine.game import Game
from demine.logic.event import Verb
from demine.logic.rules import EXPERT
from tests.terminal.teletype import LEFT, RIGHT, Teletype

STARTS: Final = 7
TOUCHES: Final = 60
IDLE_SECONDS: Final = 5.0
FREESWEEP: Final = shutil.which("freesweep", path=f"{os.environ.get('PATH', '')}:/usr/games") or ""
BARE: Final = """
from textual.app import App
from textual.widgets import Static
class Bare(App):
    def compose(self):
        yield Static("ready")
Bare().run()
"""


def first_sight(program: Sequence[str], sign: bytes, leave: bytes) -> float:
    """Milliseconds until a program has written something; then it is left by some keys."""
    begin = time.perf_counter()
    pid, fd = pty.fork()
    if pid == 0:
        os.execvpe(program[0], list(program), {**os.environ, "TERM": "xterm"})
    seen = b""
    while sign not in seen:
        if select.select([fd], [], [], 20)[0]:
            seen += os.read(fd, 1 << 16)
    took = 1000 * (time.perf_counter() - begin)
    for key in leave:
        os.write(fd, bytes([key]))
        time.sleep(0.1)
    while True:
        try:
            if not os.read(fd, 1 << 16):
                break
        except OSError:
            break
    os.waitpid(pid, 0)
    os.close(fd)
    return took


def bare_start() -> float:
    """Milliseconds until a bare application has shown its word."""
    return first_sight([sys.executable, "-c", BARE], b"ready", b"\x11")


def freesweep_start() -> float:
    """Milliseconds until freesweep has drawn an expert's board."""
    board = ["-f", "-w", "30", "-h", "16", "-m", "99"]
    return first_sight([FREESWEEP, *board], b"FreeSweep -=-", b"qy")


def game_start() -> tuple[float, float]:
    """Milliseconds until the game has shown its board, and until it has answered a key."""
    begin = time.perf_counter()
    table = Teletype("expert", "--new", game=Game(EXPERT))
    table.wait(table.shows_whole_board, "the last of the board")
    took = 1000 * (time.perf_counter() - begin)
    table.keys("f1")
    table.wait_text("Keys")
    answered = 1000 * (time.perf_counter() - begin)
    table.keys("escape")
    table.leave()
    table.end()
    return took, answered


def ticks(pid: int) -> float:
    """Seconds of processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(pid: int) -> float:
    """Megabytes that a process holds."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def timed(table: Teletype, act: Callable[[], None]) -> tuple[float, int]:
    """Milliseconds until an act is seen, and the bytes written for it."""
    before, begin = len(table.raw), time.perf_counter()
    act()
    table.expect()
    return 1000 * (time.perf_counter() - begin), len(table.raw) - before


def touches() -> dict[str, float]:
    """The game under a hand."""
    game = Game(EXPERT, 5)
    table = Teletype("expert", "--seed", "5", game=game)
    table.expect()
    table.click(LEFT, table.spot(8, 15))
    table.play(Verb.OPEN, 8, 15)
    table.expect()
    covered = [(row, col) for row, col in zip(*(~game.board.open_map).nonzero(), strict=True)]
    found = []
    for row, col in covered[:TOUCHES]:
        table.play(Verb.FLAG, int(row), int(col))
        spot = table.spot(int(row), int(col))
        found.append(timed(table, partial(table.click, RIGHT, spot)))
    before, end = ticks(table.pid), time.monotonic() + IDLE_SECONDS
    while time.monotonic() < end:
        table.listen(0.2)
    idle = 100 * (ticks(table.pid) - before) / IDLE_SECONDS
    held = memory(table.pid)
    table.leave()
    table.end()
    return {
        "press_to_cell_ms": round(float(np.median([ms for ms, _ in found])), 1),
        "bytes_per_flag": int(np.median([count for _, count in found])),
        "running_percent": round(idle, 1),
        "memory_mb": round(held, 1),
    }


def rows(run: Run) -> list[Row]:
    """Return what a player waits for in a terminal."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["DEMINE_DATA_DIR"] = folder
        # Warm the caches of the disk, then take turns.
        bare_start(), game_start()
        turns = [(bare_start(), *game_start()) for _ in range(run.often(STARTS))]
        bare, game, answered = np.median(np.array(turns), axis=0).tolist()
        found = [Row("first board", game, "ms", "a bare Textual application", bare, goal=0.8)]
        if FREESWEEP:
            swept = float(np.median([freesweep_start() for _ in range(run.often(STARTS))]))
            found.append(Row("first board", game, "ms", "freesweep", swept))
        touched = touches()
    return [
        *found,
        Row("the first key answered", answered, "ms"),
        Row("from the press to the flag on the screen", touched["press_to_cell_ms"], "ms"),
        Row("bytes for it, clock included", touched["bytes_per_flag"], "bytes"),
        Row("processor time while the clock runs", touched["running_percent"], "%"),
        Row("memory", touched["memory_mb"], "MB"),
    ]
