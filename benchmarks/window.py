"""The classic window beside GNOME Mines and a bare pygame window, on one display in one run.

Measured are the milliseconds from starting the program to the first picture with something in it,
memory after three seconds, processor time while nobody touches anything, and the time from a real
mouse press (XTest) to the pixel that another program of the display sees change. GNOME Mines shows
a choice of sizes first, which counts as its picture; what is not installed is left out. `demine`
begins as a player does, where it was left, with the picture it kept; `demine --new` and the very
first start, which finds no records, paint an untouched board before there is a game.

    python benchmarks/window.py [--json]

Needs Xvfb and python-xlib.
"""

from __future__ import annotations

import json
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
from typing import Any, Final

import numpy as np
from Xlib import X, display
from Xlib.error import BadDrawable, BadMatch, BadWindow

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from demine.game import Game  # noqa: E402
from demine.logic.event import Act, Verb  # noqa: E402 (the tests' hand lies beside the benchmarks)
from demine.logic.rules import EXPERT  # noqa: E402
from demine.picture import tile  # noqa: E402
from demine.scene.cell_faces import Face  # noqa: E402
from demine.scene.cell_highlights import Look  # noqa: E402
from demine.scene.themes import theme  # noqa: E402
from demine.scene.window_layout import Layout  # noqa: E402
from tests.hand import Hand  # noqa: E402

STARTS: Final = 9
PRESSES: Final = 120
IDLE_SECONDS: Final = 10
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
        pygame.display.update(surface.fill((255, 0, 0) if down else (90, 120, 90), cell))
    elif event.type == pygame.QUIT:
        break
"""


@dataclass(frozen=True)
class Program:
    """Something that opens a window."""

    name: str
    command: tuple[str, ...]
    changes: dict[str, str]
    forgets: bool = False
    """Whether each start is the very first: the player's folder is emptied before it."""


def main() -> None:
    """Measure everything and print it."""
    with tempfile.TemporaryDirectory() as folder, screen() as name:
        programs = candidates(Path(folder))
        found = {
            **starts(name, programs),
            "idle": {program.name: idle(name, program) for program in programs},
            "press_ms": {
                "demine": demine_presses(name, Path(folder) / "presses"),
                "pygame, unaccelerated": bare_presses(name, programs),
            },
            "help_ms": helps(),
        }
    if "--json" in sys.argv[1:]:
        print(json.dumps(found))
    else:
        print_tables(found)


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
        Program("pygame, unaccelerated", (sys.executable, "-c", BARE), quick),
        Program("pygame, as it comes", (sys.executable, "-c", BARE), home),
    ]
    gnome = shutil.which("gnome-mines", path=f"{os.environ.get('PATH', '')}:/usr/games")
    if gnome:
        programs.insert(3, Program("gnome-mines", (gnome,), home))
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


def starts(name: str, programs: list[Program]) -> dict[str, dict[str, list[float]]]:
    """Milliseconds to the first picture, and those a processor worked for it.

    The programs take turns; a first round only warms up.
    """
    eye = display.Display(name)
    took: dict[str, list[float]] = {program.name: [] for program in programs}
    work: dict[str, list[float]] = {program.name: [] for program in programs}
    for turn in range(STARTS + 1):
        for program in programs:
            quiet(eye)
            if program.forgets:
                shutil.rmtree(program.changes["DEMINE_DATA_DIR"], ignore_errors=True)
            begin = time.perf_counter()
            with running(name, program) as process:
                wait(lambda: painted(eye), f"a picture of {program.name}")
                found = (time.perf_counter() - begin) * 1000, worked(process.pid)
                time.sleep(LOADED_SECONDS)  # a player stays until everything is there
            if turn:
                took[program.name].append(found[0])
                work[program.name].append(found[1])
    eye.close()
    return {"start_ms": took, "start_work_ms": work}


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


# Print


def print_tables(found: dict[str, Any]) -> None:
    """Print ratios first: they travel from machine to machine."""
    median = {name: statistics.median(took) for name, took in found["start_ms"].items()}
    work = {name: statistics.median(took) for name, took in found["start_work_ms"].items()}
    peer = "gnome-mines" if "gnome-mines" in median else "demine"
    print(f"Times are those of {peer}.\n")
    print("| program | first picture | ms (min - max) | work until it | RSS MB | PSS MB | idle |")
    print("|---|---|---|---|---|---|---|")
    for name, took in found["start_ms"].items():
        rest = found["idle"][name]
        print(
            f"| {name} | {median[name] / median[peer]:.2f} "
            f"| {median[name]:.0f} ({min(took):.0f} - {max(took):.0f}) "
            f"| {work[name] / work[peer]:.2f} "
            f"| {rest['rss']:.0f} | {rest['pss']:.0f} | {rest['cpu']:.1f} % |"
        )
    clock = found["idle"]["demine"]["cpu_clock_running"]
    print(f"\nWhile its clock runs, demine uses {clock:.1f} %.\n")
    print("| window | press to pixel, median ms | p95 | release to pixel, median ms | p95 |")
    print("|---|---|---|---|---|")
    for name, kinds in found["press_ms"].items():
        figures = " | ".join(
            f"{statistics.median(kinds[kind]):.1f} | {np.percentile(kinds[kind], 95):.1f}"
            for kind in ("press", "release")
        )
        print(f"| {name} | {figures} |")
    took, nothing = (statistics.median(each) for each in found["help_ms"].values())
    print(f"\n`demine --help`: {took:.0f} ms; Python doing nothing: {nothing:.0f} ms.")


if __name__ == "__main__":
    main()
