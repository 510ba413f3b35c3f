"""The window itself: sizes, zoom, full screen, signals, kills, and screens that are not there."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from demine.game import Game
from demine.logic.rules import BEGINNER, Rules
from demine.scene.board_geometry import MAX_CELL, MIN_CELL
from demine.scene.sight import sight
from demine.scene.themes import theme
from demine.scene.window_layout import Layout
from demine.store import Store, StoreError
from tests.classic.desk import BEGINNER_7, CELL, SECONDS, Table, remaining
from tests.hand import wait_for
from tests.table import environment

Sit = Callable[..., Table]


def play(*options: str, **changes: str | None) -> subprocess.CompletedProcess[str]:
    """Run the game where no window can come of it."""
    return subprocess.run(
        [sys.executable, "-m", "demine", "play", "--scene", "classic", *options],
        env=environment(**changes),
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


# Sizes


def fitting(table: Table) -> int:
    """The size of the largest cells that the window has room for, found by trying them all."""
    size, shape = table.hand.size(), table.game.rules.shape
    return max(
        cell
        for cell in range(MIN_CELL, MAX_CELL + 1)
        if Layout.with_cell_size(size, shape, cell).view.shows_whole_board
    )


@pytest.mark.parametrize("size", [(700, 900), (1200, 500), (240, 330), (130, 170)])
def test_the_board_follows_the_window(sit: Sit, size: tuple[int, int]) -> None:
    table = sit()
    table.open(4, 4)
    table.hand.resize(*size)
    wait_for(lambda: table.hand.size() == size, "the new size")
    table.measure(fitting(table))
    table.expect()
    table.open(*remaining(table.game)[0])


def has_size(table: Table, size: tuple[int, int]) -> bool:
    """Whether the window has this size."""
    return table.hand.size() == size


def test_no_size_is_too_small_or_too_odd(sit: Sit) -> None:
    table = sit()
    table.open(4, 4)
    start = table.hand.size()
    sizes = [(50, 50), (1, 1), (2, 700), (1500, 3), (64, 200), (17, 31), (1600, 1200), (90, 90)]
    for size in sizes:
        for key in ("f1", "down", "escape", "up"):
            table.hand.key(key)
        table.hand.resize(*size)
        wait_for(partial(has_size, table, size), f"the size {size}")
        table.hand.click(size[0] // 2, size[1] - 1, 2)
    table.hand.resize(*start)
    wait_for(lambda: table.hand.size() == start, "the first size")
    table.hand.click(*table.middle(4, 4), 2)  # hides the cursor
    table.expect()


def test_the_narrowest_window_still_counts_the_mines(sit: Sit) -> None:
    table = sit()
    for width in (110, 70):
        table.hand.resize(width, 160)
        wait_for(partial(has_size, table, (width, 160)), f"the width {width}")
        table.counts("010")


def test_a_chosen_size_is_kept_for_the_next_start(sit: Sit) -> None:
    table = sit(*BEGINNER_7.options, "--cell", "32", cell=32)
    table.expect()
    assert table.stop() == 0
    again = sit("beginner", "--seed", "7", cell=32)
    again.expect()


def test_a_large_board_pans_and_shows_its_edge(sit: Sit) -> None:
    rules = Rules(500, 500, 50_000)
    table = sit("500x500/50000", "--cell", str(CELL), game=Game(rules))
    size = table.hand.size()
    assert size[0] <= 1600
    assert size[1] <= 1200
    layout = table.layout
    port, edge = layout.view.viewport, theme("light").edge
    before = table.picture()
    # The top left corner: the edge is left of and above the first cell.
    assert (before[port.y - 2, port.x + 5] == edge).all()
    assert (before[port.y + 5, port.x - 2] == edge).all()
    assert not (before[port.y + 5, port.right + 1] == edge).all()
    table.hand.point(port.x + 100, port.y + 100)
    table.hand.press(5)
    table.hand.release(5)
    wait_for(lambda: not np.array_equal(table.picture(), before), "a panned board")
    table.hand.key("end")
    table.hand.key("ctrl+end")
    table.hand.key("end")

    def at_the_end() -> bool:
        view = table.picture()
        right = (view[port.y + port.height // 2, port.x : port.right + layout.edge] == edge).all(1)
        below = (view[port.y : port.bottom + layout.edge, port.x + port.width // 2] == edge).all(1)
        return bool(right.any() and below.any())

    wait_for(at_the_end, "the edge at the far corner")
    table.hand.key("space")
    wait_for(lambda: (table.picture() == theme("light").opened).all(2).sum() > 400, "an opening")
    counter = table.picture()[layout.counters.y : layout.counters.bottom, layout.counters.x :]
    assert (counter[:, : 5 * layout.counters.height // 2] == theme("light").led_on).all(2).any()


def test_full_screen_and_back(sit: Sit) -> None:
    table = sit()
    table.open(4, 4)
    size = table.hand.size()
    table.hand.key("f11")
    wait_for(lambda: table.hand.size() == (1600, 1200), "the whole screen")
    table.measure(fitting(table))
    table.expect()
    # Zoom is the desktop's: the key says so, and the cells stay as large as fits.
    table.hand.key("-")
    wait_for(lambda: table.says("Only in the desktop window"), "the word about zoom")
    table.expect()
    table.hand.key("f11")
    wait_for(lambda: table.hand.size() == size, "the window")
    table.measure(CELL)
    table.expect()


def test_it_can_begin_in_full_screen(sit: Sit) -> None:
    table = sit("--fullscreen", "beginner", game=Game(BEGINNER))
    wait_for(lambda: table.hand.size() == (1600, 1200), "the whole screen")
    table.measure(fitting(table))
    table.expect()


# Ends


def test_the_close_button_leaves_an_unfinished_game(sit: Sit) -> None:
    table = sit()
    table.open(4, 4)
    table.hand.ask_to_close()
    assert table.process.wait(SECONDS) == 0
    again = sit("--cell", str(CELL), game=table.game)
    again.hand.key("p")
    again.expect()


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 0)], ids=["ctrl-c", "terminate"]
)
def test_signals_close_it_at_once(sit: Sit, number: int, code: int) -> None:
    table = sit()
    assert table.stop(number) == code
    assert table.process.communicate() == ("", "")
    again = sit()
    again.open(4, 4)
    assert again.stop(number) == code
    assert again.process.communicate() == ("", "")


def seconds(table: Table) -> int:
    """The seconds kept in the store, as an export tells them."""
    with Store.open() as store:
        rows = store.games(status="running")
    return rows[0].time_ms


def test_kills_lose_nothing(sit: Sit) -> None:
    table = sit()
    table.open(4, 4)
    clock = 0
    for _ in range(3):
        cells = remaining(table.game)
        table.flag(*cells[0])
        table.open(*cells[1])
        table.kill()
        kept = seconds(table)
        assert kept >= clock
        clock = kept
        table = sit("--cell", str(CELL), game=table.game)
        table.hand.key("p")
        table.expect()
        table.counts(f"{10 - table.game.board.flags:03d}")


def test_the_clock_loses_little_to_a_kill(sit: Sit) -> None:
    table = sit()
    table.open(4, 4)
    start = table.picture()
    row = table.layout.counters

    def ticked() -> bool:
        now = table.picture()
        return bool((now[row.y : row.bottom] != start[row.y : row.bottom]).any())

    wait_for(ticked, "the first second")
    table.kill()
    assert seconds(table) >= 1000


def test_two_windows_play_two_games(sit: Sit) -> None:
    one = sit()
    one.open(4, 4)
    assert one.hand.window is not None
    two = sit(*BEGINNER_7.options, besides=[one.hand.window.id], game=BEGINNER_7.game())
    two.open(8, 0)
    # The second covers the first until it is closed.
    assert two.hand.window is not None
    two.hand.ask_to_close()
    assert two.process.wait(SECONDS) == 0
    one.hand.focus()
    one.hidden()  # it was paused when the second took the keyboard
    one.hand.key("p")
    one.expect()
    one.open(*remaining(one.game)[0])


# Where it cannot be


@pytest.mark.parametrize(
    "changes",
    [
        {"DISPLAY": None},
        {"DISPLAY": ""},
        {"DISPLAY": ":98765"},
        {"DISPLAY": "no such display"},
        {"DISPLAY": ":98765", "WAYLAND_DISPLAY": ""},
        {"SDL_VIDEODRIVER": "nothing"},
    ],
)
def test_no_display_is_one_sentence(changes: dict[str, str | None]) -> None:
    done = play(**changes)
    assert done.returncode == 2
    assert done.stdout == ""
    assert re.fullmatch(r"demine[^:]*: cannot open a window: .+\n", done.stderr)
    assert done.stderr.count("\n") == 1


def test_no_display_is_told_in_the_language_asked_for() -> None:
    done = play("--lang", "zh_CN", DISPLAY=None)
    assert done.returncode == 2
    assert "DISPLAY" in done.stderr
    assert "no window" not in done.stderr


def refusal(folder: Path) -> str:
    """What the store says of a folder it cannot use."""
    with pytest.raises(StoreError) as caught:
        Store.open(folder / "demine.db")
    return str(caught.value)


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_folder_that_cannot_be_written_is_told(sit: Sit, tmp_path: Path) -> None:
    locked = tmp_path / "locked"
    locked.mkdir(0o500)
    assert_told(sit(*BEGINNER_7.options, DEMINE_DATA_DIR=str(locked)), refusal(locked))


def test_a_folder_that_is_none_is_told(sit: Sit, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    assert_told(sit(*BEGINNER_7.options, DEMINE_DATA_DIR=str(blocked)), refusal(blocked))


def test_damaged_records_are_kept_and_told(sit: Sit, data_dir: Path) -> None:
    data_dir.mkdir()
    (data_dir / "demine.db").write_bytes(b"SQLite format 3\0" + b"nonsense" * 900)
    assert_told(sit(), f"The records at {data_dir / 'demine.db'} were damaged")
    kept = [path for path in data_dir.iterdir() if "damaged" in path.name]
    assert [path.read_bytes()[:24] for path in kept] == [b"SQLite format 3\0nonsense"]


def assert_told(table: Table, trouble: str) -> None:
    """The line tells of trouble from the first picture on, however long it is; play goes on."""
    # The line has room for the beginning only, in its smallest letters.
    line = trouble.ljust(300, "x")
    assert table.says(line, "… (F1)")
    table.open(4, 4)
    wait_for(lambda: table.says(line, "… (F1)"), "the trouble, still there")
    table.hand.key("f1")
    wait_for(lambda: not table.shows(sight(table.game)), "the page of keys")
    table.hand.key("escape")
    table.hidden()  # the page covered the board: the game was paused
    table.hand.key("p")
    table.expect()
    assert table.stop() == 0
