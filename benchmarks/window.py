"""The classic window beside GNOME Mines and a bare pygame window, on one display in one run.

Measured are the milliseconds from starting the program to the first picture with something in it,
memory after three seconds, processor time while nobody touches anything, and the time from a real
mouse press (XTest) to the pixel that another program of the display sees change. GNOME Mines shows
a choice of sizes first, which counts as its picture; what is not installed is left out. `demine`
begins as a player does, where it was left, with the picture it kept; `demine --new` and the very
first start, which finds no records, paint an untouched board before there is a game.

Needs Xvfb and python-xlib.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from Xlib import X, display
from Xlib.error import BadDrawable, BadMatch, BadWindow
from Xlib.ext import xtest

from benchmarks.measure import Row, Run
from demine.game import Game
from demine.logic.event import Act, Verb
from demine.logic.rules import EXPERT
from demine.picture import tile
from demine.scene.cell_faces import Face
from demine.scene.cell_highlights import Look
from demine.scene.themes import theme
from demine.scene.window_layout import Layout
from tests.hand import Hand

STARTS: Final = 6
PRESSES: Final = 60
ANSWER_SECONDS: Final = 3
AROUND: Final = 200
"""The side of the square of pixels in which a press is answered."""
PEER: Final = "gnome-mines"
OWN: Final = ("demine", "desktop", "classic")
KINDS: Final = {
    "start_ms": "first picture",
    "start_work_ms": "work until it",
    "answer_ms": "first press answered",
    "answer_work_ms": "work until the answer",
}
CHOICE: Final = (0.3, 0.35)
"""Where GNOME Mines shows the first of its sizes."""
BESIDE_CELL: Final = (0.2, 0.2)
"""Where a press is near what it changes in a bare pygame window."""
IDLE_SECONDS: Final = 5
SETTLED_SECONDS: Final = 3
LOADED_SECONDS: Final = 0.7
PATIENCE: Final = 20.0
CELL: Final = 32
SCREEN: Final = ("-screen", "0", "1600x1200x24")
PLAY: Final = ("play", "--scene", "classic")

BARE = """
import pygame
pygame.display.init()
surface = pygame.display.set_mode((339, 431), pygame.RESIZABLE)
surface.fill((200, 200, 200))
surface.fill((90, 120, 90), (50, 50, 200, 200))
pygame.display.flip()
cell = pygame.Rect(50, 50, 32, 32)
while True:
    event = pygame.event.wait()
    if event.type in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
        down = event.type == pygame.MOUSEBUTTONDOWN
        pygame.display.update(surface.fill((255, 0, 0) if down else (60, 60, 160), cell))
    elif event.type == pygame.QUIT:
        break
"""


@dataclass(frozen=True)
class Program:
    """Something that opens a window."""

    name: str
    command: tuple[str, ...]
    changes: dict[str, str]
    press: tuple[float, float] = (0.5, 0.5)
    """Where in the window the first press goes, as shares of its width and height."""
    forgets: bool = False
    """Whether each start is the very first: the player's folder is emptied before it."""


def rows(run: Run) -> list[Row]:
    """Return the times of starts and presses, and memory and work at rest."""
    with tempfile.TemporaryDirectory() as folder, screen() as name:
        programs = candidates(Path(folder))
        found = start_rows(starts(name, programs, run.often(STARTS)), 1.0)
        for program in programs:
            if program.name in {"demine", PEER} and not run.quick:
                found += rest_rows(program.name, idle(name, program))
        ours = demine_presses(name, Path(folder) / "presses")
        theirs = bare_presses(name, programs)
    return [
        *found,
        *(
            Row(f"{kind} to pixel", statistics.median(ours[kind]), "ms", "bare pygame window",
                statistics.median(theirs[kind]))
            for kind in ours
        ),
        *(Row(f"`{way}`", statistics.median(took), "ms") for way, took in helps().items()),
    ]  # fmt: skip


def start_rows(found: dict[str, dict[str, list[float]]], goal: float) -> list[Row]:
    """Return the rows of starts: medians beside GNOME Mines', where it is installed.

    The goal is that of the first press answered, for windows of the game.
    """
    middle = {
        key: {name: statistics.median(took) for name, took in each.items() if took}
        for key, each in found.items()
    }
    return [
        Row(
            f"{name}: {what}", middle[key][name], "ms",
            PEER if PEER in middle[key] else "", middle[key].get(PEER),
            goal=goal if key == "answer_ms" and name.startswith(OWN) else None,
        )
        for name in found["start_ms"]
        for key, what in KINDS.items()
        if name != PEER and name in middle[key]
    ]  # fmt: skip


def rest_rows(name: str, found: dict[str, float]) -> list[Row]:
    """Return the rows of a window at rest."""
    units = {"rss": ("RSS", "MB"), "pss": ("PSS", "MB"), "cpu": ("processor time at rest", "%"),
             "cpu_clock_running": ("processor time while the clock runs", "%")}  # fmt: skip
    return [Row(f"{name}: {units[key][0]}", value, units[key][1]) for key, value in found.items()]


def candidates(folder: Path) -> list[Program]:
    """The programs that can be started here; each with a home of its own."""
    home = {"HOME": str(folder), "GSETTINGS_BACKEND": "memory", "LC_ALL": "C.UTF-8"}
    own = {**home, "DEMINE_DATA_DIR": str(folder / "player")}
    quick = {**home, "SDL_FRAMEBUFFER_ACCELERATION": "0"}
    programs = [
        Program("demine", (*own_command(), *PLAY), own),
        Program("demine --new", (*own_command(), *PLAY, "--new"), own),
        Program(
            "demine, the very first start",
            (*own_command(), *PLAY),
            {**home, "DEMINE_DATA_DIR": str(folder / "nobody")},
            forgets=True,
        ),
        Program("pygame, unaccelerated", (sys.executable, "-c", BARE), quick, BESIDE_CELL),
        Program("pygame, as it comes", (sys.executable, "-c", BARE), home, BESIDE_CELL),
    ]
    gnome = shutil.which("gnome-mines", path=f"{os.environ.get('PATH', '')}:/usr/games")
    if gnome:
        programs.insert(3, Program(PEER, (gnome,), home, CHOICE))
    return programs


def own_command() -> tuple[str, ...]:
    """The installed `demine`, or this folder's where it is not installed."""
    here = Path(sys.executable).with_name("demine")
    return (str(here),) if here.exists() else (sys.executable, "-m", "demine")


@contextmanager
def screen() -> Iterator[str]:
    """An X server of 1600 x 1200 pixels."""
    reader, writer = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writer), "-nolisten", "tcp", "-noreset", *SCREEN],
        pass_fds=[writer],
        stderr=subprocess.DEVNULL,
    )
    os.close(writer)
    try:
        with os.fdopen(reader) as pipe:
            yield f":{int(pipe.readline())}"
    finally:
        server.terminate()
        server.wait()


@contextmanager
def running(name: str, program: Program, *more: str) -> Iterator[subprocess.Popen[bytes]]:
    """The program on the display; asked to end at the end, as its player would close it."""
    environment = {**os.environ, **program.changes, "DISPLAY": name}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed program has its bytecode
    process = subprocess.Popen(
        [*program.command, *more],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(PATIENCE)
        finally:
            process.kill()


# Start


def starts(name: str, programs: list[Program], turns: int) -> dict[str, dict[str, list[float]]]:
    """Milliseconds to the first picture and to the first press answered, and what they worked.

    The programs take turns; a first round only warms up. The pointer lies where it will press
    before the window appears, so that nothing but the press changes what is there; a program whose
    window shows nothing of a press is left out.
    """
    eye = display.Display(name)
    found: dict[str, dict[str, list[float]]] = {
        key: {program.name: [] for program in programs} for key in KINDS
    }
    spots: dict[str, tuple[int, int]] = {}
    for turn in range(turns + 1):
        for program in programs:
            quiet(eye)
            if program.forgets:
                shutil.rmtree(program.changes["DEMINE_DATA_DIR"], ignore_errors=True)
            spot = spots.get(program.name, (0, 0))
            eye.screen().root.warp_pointer(*spot)
            eye.sync()
            begin = time.perf_counter()
            with running(name, program) as process:
                wait(lambda: painted(eye), f"a picture of {program.name}")
                took = [(time.perf_counter() - begin) * 1000, worked(process.pid)]
                if turn:
                    answered = press_answered(eye, spot)
                    took += [(time.perf_counter() - begin) * 1000, worked(process.pid)] * answered
                time.sleep(LOADED_SECONDS)  # a player stays until everything is there
                spots[program.name] = spot_in_window(eye, program.press)
            if turn:
                for key, value in zip(KINDS, took, strict=False):
                    found[key][program.name].append(value)
    eye.close()
    return found


def spot_in_window(eye: display.Display, share: tuple[float, float]) -> tuple[int, int]:
    """Return a spot of the largest window that is shown, in pixels of the screen."""
    root = eye.screen().root
    shown = [
        window.get_geometry()
        for window in root.query_tree().children
        if window.get_attributes().map_state == X.IsViewable
    ]
    size = max(shown, key=lambda each: each.width * each.height)
    return int(size.x + share[0] * size.width), int(size.y + share[1] * size.height)


def press_answered(eye: display.Display, spot: tuple[int, int]) -> bool:
    """Click at a place; return whether anything around it changes within three seconds."""
    corner = max(0, spot[0] - AROUND // 2), max(0, spot[1] - AROUND // 2)

    def look() -> bytes:
        image = eye.screen().root.get_image(*corner, AROUND, AROUND, X.ZPixmap, 0xFFFFFF)
        return bytes(image.data)

    before = look()
    for kind in (X.ButtonPress, X.ButtonRelease):
        xtest.fake_input(eye, kind, 1)
    eye.sync()
    end = time.monotonic() + ANSWER_SECONDS
    while look() == before:
        if time.monotonic() > end:
            return False
        time.sleep(0.001)
    return True


def worked(pid: int) -> float:
    """Milliseconds that processors have worked for a process so far, all its threads together."""
    threads = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(each.read_text().split()[0]) for each in threads) / 1e6


def painted(eye: display.Display) -> bool:
    """Whether any window shows more than one colour."""
    for window in eye.screen().root.query_tree().children:
        try:
            if window.get_attributes().map_state != X.IsViewable:
                continue
            size = window.get_geometry()
            image = window.get_image(0, 0, size.width, size.height, X.ZPixmap, 0xFFFFFFFF)
        except (BadWindow, BadDrawable, BadMatch):
            continue
        # The fourth byte of a pixel is no colour.
        pixels = np.frombuffer(image.data, np.uint32) & 0xFFFFFF
        if (pixels != pixels[0]).any():
            return True
    return False


def quiet(eye: display.Display) -> None:
    """Wait until nothing is shown."""
    wait(lambda: not painted(eye), "an empty screen")


def wait(look: Callable[[], object], what: str) -> None:
    """Look every millisecond."""
    end = time.monotonic() + PATIENCE
    while not look():
        if time.monotonic() > end:
            raise TimeoutError(f"waited {PATIENCE:.0f} s for {what}")
        time.sleep(0.001)


# Idle


def idle(name: str, program: Program) -> dict[str, float]:
    """Memory in MB, and processor time in per cent of one core while nobody touches anything."""
    eye = display.Display(name)
    quiet(eye)
    with running(name, program) as process:
        wait(lambda: painted(eye), f"a picture of {program.name}")
        time.sleep(SETTLED_SECONDS)
        found = {**memory(process.pid), "cpu": usage(process.pid)}
        if program.name == "demine":
            hand = Hand(name)
            hand.find("demine")
            wide, high = hand.size()
            hand.click(wide // 2, high - 60)
            found["cpu_clock_running"] = usage(process.pid)
            hand.close()
    eye.close()
    return found


def memory(pid: int) -> dict[str, float]:
    """Resident memory, and its share where pages are shared, in MB."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
    kilobytes = {line.split()[0]: int(line.split()[1]) for line in lines}
    return {"rss": kilobytes["Rss:"] / 1024, "pss": kilobytes["Pss:"] / 1024}


def usage(pid: int) -> float:
    """Per cent of one core used while waiting."""
    before = ticks(pid)
    time.sleep(IDLE_SECONDS)
    return 100 * (ticks(pid) - before) / os.sysconf("SC_CLK_TCK") / IDLE_SECONDS


def ticks(pid: int) -> int:
    """Processor time so far, user's and system's, in clock ticks."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


# Presses


def demine_presses(name: str, folder: Path) -> dict[str, list[float]]:
    """Milliseconds from press to the sunk cell, from release to the opened one."""
    game = Game(EXPERT, 7)
    first = (8, 15)
    game.play(Act(0, Verb.OPEN, *first))
    # Cells that open alone, so that each press is one of many alike.
    alone = ~(game.board.mine_map | game.board.open_map) & (game.board.hint_map > 0)
    cells = [(int(row), int(col)) for row, col in np.argwhere(alone)][:PRESSES]
    options = (*PLAY, "expert", "--seed", "7", "--cell", str(CELL), "--theme", "light")
    own = Program("demine", own_command(), {"DEMINE_DATA_DIR": str(folder)})
    with running(name, own, *options):
        hand = Hand(name)
        hand.find("demine")
        wait(lambda: hand.look().std() > 1, "the board")
        hand.focus()
        view = Layout.with_cell_size(hand.size(), EXPERT.shape, CELL).view
        centre = view.cell_rect(*first)
        hand.click(centre.x + CELL // 2, centre.y + CELL // 2)
        time.sleep(0.5)
        found: dict[str, list[float]] = {"press": [], "release": []}
        for cell in cells:
            spot = view.cell_rect(*cell)
            sunk = telling_pixel(Face.COVERED, Look.PLAIN, Face.COVERED, Look.PRESSED)
            number = Face(int(game.board.hint_map[cell]))
            opened = telling_pixel(Face.COVERED, Look.PRESSED, number, Look.PLAIN)
            approach(hand, spot.x + CELL // 2, spot.y + CELL // 2)
            found["press"].append(delay(hand, hand.press, (spot.x + sunk[0], spot.y + sunk[1])))
            time.sleep(0.03)
            found["release"].append(
                delay(hand, hand.release, (spot.x + opened[0], spot.y + opened[1]))
            )
        hand.close()
    return found


def bare_presses(name: str, programs: list[Program]) -> dict[str, list[float]]:
    """The same of a window that only fills a rectangle."""
    program = next(each for each in programs if each.name == "pygame, unaccelerated")
    with running(name, program):
        eye = display.Display(name)
        wait(lambda: painted(eye), "the bare window")
        hand = Hand(name)
        hand.window = next(
            window
            for window in eye.screen().root.query_tree().children
            if window.get_attributes().map_state == X.IsViewable
        )
        hand.focus()
        found: dict[str, list[float]] = {"press": [], "release": []}
        for number in range(PRESSES):
            approach(hand, 60 + number % 7, 60 + number % 5)
            found["press"].append(delay(hand, hand.press, (66, 66)))
            time.sleep(0.03)
            found["release"].append(delay(hand, hand.release, (66, 66)))
        hand.close()
        eye.close()
    return found


def approach(hand: Hand, x: int, y: int) -> None:
    """Move to a pixel as a hand does, in many small steps, and rest there for a moment."""
    for step in range(12, -1, -1):
        hand.point(x + step * 3 % 17, y + step)
        time.sleep(0.004)
    time.sleep(0.02)


def delay(hand: Hand, act: Callable[[int], None], spot: tuple[int, int]) -> float:
    """Milliseconds from an act of the left button until a pixel changes."""
    before = hand.pixel(*spot)
    begin = time.perf_counter()
    act(1)
    while hand.pixel(*spot) == before:
        if time.perf_counter() - begin > PATIENCE:
            raise TimeoutError(f"the pixel {spot} never changed")
    return (time.perf_counter() - begin) * 1000


def telling_pixel(before: Face, dress: Look, after: Face, other: Look) -> tuple[int, int]:
    """The pixel of a cell, x and y, in which two tiles differ most."""
    look = theme("light")
    old, new = tile(look, before, dress, CELL), tile(look, after, other, CELL)
    apart = np.abs(old.astype(int) - new).sum(axis=2)
    row, col = np.unravel_index(int(apart.argmax()), apart.shape)
    return int(col), int(row)


# Help


def helps() -> dict[str, list[float]]:
    """Milliseconds of `demine --help`, and of Python doing nothing, taking turns."""
    own = own_command()
    ways = {"demine --help": (*own, "--help"), "python -c pass": (sys.executable, "-c", "pass")}
    found: dict[str, list[float]] = {way: [] for way in ways}
    for turn in range(2 * STARTS + 1):
        for way, command in ways.items():
            begin = time.perf_counter()
            subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
            if turn:
                found[way].append((time.perf_counter() - begin) * 1000)
    return found
