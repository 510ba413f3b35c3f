"""Whole games in a real pseudo-terminal, by keys and by mouse, and every way out of it."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyte
import pytest
from numpy.typing import NDArray

from demine.game import Game
from demine.logic.event import Verb
from demine.logic.game import Status
from demine.logic.neighbours import count_around
from demine.logic.rules import BEGINNER, EXPERT, INTERMEDIATE
from demine.scene.cell_faces import Face
from demine.scene.sight import sight
from demine.store import Store
from demine.terminal.text_width import width
from tests.languages import TO_CHINESE
from tests.table import environment
from tests.terminal.conftest import Sit
from tests.terminal.teletype import LAST_CORNERS, LEFT, MIDDLE, RIGHT, Teletype

SEEDED = ("beginner", "--seed", "7")


def travel(table: Teletype, start: tuple[int, int], goal: tuple[int, int]) -> None:
    """Move the cursor by arrows."""
    down, right = goal[0] - start[0], goal[1] - start[1]
    table.keys(*["down" if down > 0 else "up"] * abs(down))
    table.keys(*["right" if right > 0 else "left"] * abs(right))


def first(cells: NDArray[np.bool_]) -> tuple[int, int]:
    """The first cell that is true."""
    row, col = np.argwhere(cells)[0]
    return int(row), int(col)


def begun(table: Teletype) -> None:
    """Open the middle of a beginner's board by mouse."""
    table.expect()
    table.click(LEFT, table.spot(4, 4))
    table.play(Verb.OPEN, 4, 4)
    table.expect()


def expert_begun(sit: Sit) -> Teletype:
    """An expert's board with its first cell opened."""
    table = sit("expert", "--seed", "5", game=Game(EXPERT, 5))
    table.expect()
    table.click(LEFT, table.spot(8, 15))
    table.play(Verb.OPEN, 8, 15)
    table.expect()
    return table


def test_a_game_won_by_keys(sit: Sit) -> None:
    game = Game(BEGINNER, 7)
    table = sit(*SEEDED, game=game)
    table.expect()
    assert game.status is Status.READY
    at = (4, 4)  # where the cursor is seen from the start
    while not game.status.over:
        safe = (
            ~game.board.open_map
            if not game.board.laid
            else ~(game.board.open_map | game.board.mine_map)
        )
        goal = at if safe[at] else first(safe)
        travel(table, at, goal)
        at = goal
        table.keys("space")
        table.play(Verb.OPEN, *at)
    # The cursor lies over one of the cells.
    table.wait_text("You won in ")
    table.wait(lambda: (table.faces() != sight(game)).sum() <= 1, "the won board")
    assert table.leave() == 0
    assert table.is_restored()
    with Store.open() as store:
        assert store.games()[0].status == "won"


def test_a_game_lost_by_mouse(sit: Sit) -> None:
    game = Game(INTERMEDIATE, 3)
    table = sit("intermediate", "--seed", "3", game=game)
    table.expect()
    table.click(LEFT, table.spot(8, 8))
    table.play(Verb.OPEN, 8, 8)
    table.expect()
    number = next(
        (int(row), int(col))
        for row, col in np.argwhere((game.board.hint_map == 1) & game.board.open_map)
        if (count_around(~game.board.open_map)[row, col]) > 1
    )
    near = np.zeros_like(game.board.mine_map)
    near[max(0, number[0] - 1) : number[0] + 2, max(0, number[1] - 1) : number[1] + 2] = True
    mine = first(near & game.board.mine_map)
    table.click(RIGHT, table.spot(*mine))
    table.play(Verb.FLAG, *mine)
    table.expect()
    assert "Mines  39" in table.text()
    # Both buttons, one released after the other.
    table.mouse(LEFT, table.spot(*number), down=True)
    table.mouse(RIGHT, table.spot(*number), down=True)
    table.wait_text(":-o")
    table.mouse(RIGHT, table.spot(*number), down=False)
    table.mouse(LEFT, table.spot(*number), down=False)
    table.play(Verb.CHORD, *number)
    table.expect()
    # A press that slides off the board opens nothing.
    covered = first(~game.board.open_map & ~game.board.flag_map)
    table.mouse(LEFT, table.spot(*covered), down=True)
    table.wait_text(":-o")
    table.mouse(LEFT, (0, 20), down=False)
    table.expect()
    # A wrong flag, and the middle button chords into a mine.
    table.click(RIGHT, table.spot(*mine))
    table.play(Verb.FLAG, *mine)
    wrong = next(
        (int(row), int(col), where)
        for row, col in np.argwhere(game.board.open_map & (game.board.hint_map == 1))
        if (where := chance_to_err(game, int(row), int(col))) is not None
    )
    table.click(RIGHT, table.spot(*wrong[2]))
    table.play(Verb.FLAG, *wrong[2])
    table.expect()
    table.click(MIDDLE, table.spot(wrong[0], wrong[1]))
    table.play(Verb.CHORD, wrong[0], wrong[1])
    assert game.status is Status.LOST
    table.wait_text("You hit a mine after ")
    table.wait_text("X-(")
    # What is marked as the mistake, and what proves it, looks otherwise.
    table.wait(lambda: bool((table.faces() == table.game_faces()).mean() > 0.9), "the lost board")


def chance_to_err(game: Game, row: int, col: int) -> tuple[int, int] | None:
    """A safe covered cell beside a 1 that has no flag yet, to be flagged by mistake."""
    top, left = max(0, row - 1), max(0, col - 1)
    block = np.s_[top : row + 2, left : col + 2]
    board = game.board
    if board.flag_map[block].any():
        return None
    safe = np.argwhere(~board.open_map[block] & ~board.mine_map[block])
    return (top + int(safe[0][0]), left + int(safe[0][1])) if len(safe) else None


def test_expert_fits_and_a_resize_never_corrupts_it(sit: Sit) -> None:
    table = expert_begun(sit)
    for size in ((40, 12), (9, 3), (1, 1), (200, 50), (50, 60)):
        table.raw.clear()
        table.resize(*size)
        table.wait(lambda: bool(table.raw), f"something at {size}")
    table.resize(80, 24)
    table.expect()
    assert "Help F1" in table.screen.display[0]
    assert table.screen.display[2].strip() == "Expert · chosen seed"
    assert table.leave() == 0


def test_a_terminal_that_has_its_size_again_shows_all_of_the_board(sit: Sit) -> None:
    table = expert_begun(sit)
    # Another size and back, so soon that only the last is seen: what stood there is gone.
    table.screen.erase_in_display(2)
    table.send(signal.SIGWINCH)
    table.expect()


def test_a_big_board_scrolls_with_its_edges_seen(sit: Sit) -> None:
    table = sit("60x40/300", "--new")
    table.wait_text("rows 1-")
    assert "columns 1-39 of 60" in table.text()
    top = table.screen.display[3]
    assert top.strip().startswith("▄▄")
    assert top.strip().endswith("▄▄")
    assert table.screen.display[8].rstrip().endswith(">")
    assert table.screen.display[8].lstrip().startswith("█")
    table.keys("up", "end")
    table.wait_text("columns 22-60 of 60")
    assert table.screen.display[8].rstrip().endswith("█")
    assert table.screen.display[8].lstrip().startswith("<")
    table.write("\x1b[1;5F")  # Ctrl+End: the bottom of the column
    table.wait_text("-40 of 40")
    assert "▀" in table.text()
    table.write("\x1b[<64;40;10M" * 60)  # the wheel, up
    table.wait_text("rows 1-")


def test_no_colours(sit: Sit) -> None:
    game = Game(BEGINNER, 7)
    table = sit(*SEEDED, game=game, NO_COLOR="1")
    begun(table)
    assert not re.search(rb"\x1b\[(?:\d+;)*(?:3[0-8]|4[0-8]|9[0-7])[;m]", table.raw)
    table.keys("up")
    x, y = table.spot(3, 4)
    table.wait(lambda: table.screen.buffer[y][x].reverse, "the cursor")
    assert table.screen.buffer[y][x - 1].data == "["


def test_plain_ascii_is_remembered(sit: Sit) -> None:
    table = sit("beginner", "--new", NO_COLOR="1")
    table.wait_text("▪ ▪ ▪")
    table.keys("a")
    table.wait_text("# # #")
    table.wait(lambda: table.text().isascii(), "a plain screen")
    assert table.leave() == 0
    again = sit("beginner", "--new", NO_COLOR="1")
    again.wait_text("# # #")


def test_chinese_at_once(sit: Sit) -> None:
    table = sit(*SEEDED)
    table.wait_text("Beginner")
    table.keys(*TO_CHINESE)
    table.wait_text("雷数")
    table.keys("f1")
    table.wait_text("按键")
    table.keys("f1")
    table.wait(lambda: "按键" not in table.text(), "the board again")
    table.keys("h")
    table.wait_text("从哪里开始都行")
    assert all(sum(map(width, line)) <= 80 for line in table.screen.display)
    edges = [line.index("█") for line in table.screen.display if "█" in line]
    assert len(edges) == 9
    assert len(set(edges)) == 1


def test_a_hint_with_its_reason(sit: Sit) -> None:
    game = Game(BEGINNER, 7)
    table = sit(*SEEDED, game=game)
    begun(table)
    table.keys("h")
    # Row 3, column 8 is as easy to prove, but farther from the click in the middle.
    table.wait_text("Row 5, column 8 is safe.")
    x, y = table.spot(4, 7)
    assert table.screen.buffer[y][x - 1].data == "+"
    table.wait_text("practice: helped")
    table.keys("H")
    table.wait_text("Lowest risk 0%; point at a cell to see its own  ")
    table.wait(
        lambda: all(
            re.fullmatch(r"\d\d|\*\*|  ", cell(table, row, col))
            for row, col in np.argwhere(table.game_faces() == Face.COVERED)
        ),
        "the risks of covered cells, some by colour alone",
    )


def cell(table: Teletype, row: int, col: int) -> str:
    """The two letters of a cell."""
    x, y = table.spot(row, col)
    return str(table.screen.buffer[y][x - 1].data + table.screen.buffer[y][x].data)


def test_a_killed_game_goes_on(sit: Sit) -> None:
    game = Game(BEGINNER, 7)
    table = sit(*SEEDED, game=game)
    begun(table)
    table.send(signal.SIGKILL)
    assert table.ended() == -signal.SIGKILL
    again = sit(game=game)
    again.resume()
    again.expect()
    assert again.leave() == 0
    # Where a window would find it.
    with Store.open() as store:
        live = store.resume()
        assert live is not None
        assert np.array_equal(sight(live.game), sight(game))


def test_a_killed_daily_board_goes_on_and_keeps_its_date(sit: Sit) -> None:
    table = sit("--daily", "expert")
    table.wait_text("Daily board")
    table.keys("space")  # the cursor stands where the board begins
    table.wait(lambda: re.search("█.*1.*█", table.text()) is not None, "the opening")
    title = next(line.strip() for line in table.text().split("\n") if "Daily board" in line)
    table.send(signal.SIGKILL)
    assert table.ended() == -signal.SIGKILL
    again = sit()
    again.wait_text(title.split(" · ")[0])
    assert "practice" not in again.text()
    assert again.leave() == 0
    with Store.open() as store:
        (attempt,) = store.daily_attempts("expert")
        assert attempt.outcome is None
        live = store.resume(attempt.daily)
        assert live is not None
        assert live.game.begun


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_signals_restore_the_terminal(sit: Sit, number: signal.Signals) -> None:
    table = sit("beginner")
    table.wait_text("Quit")
    table.send(number)
    assert table.ended() == (130 if number is signal.SIGINT else 0)
    assert table.is_restored()


def test_an_error_restores_the_terminal_and_loses_nothing(sit: Sit, tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text(
        "import sys\n"
        "from demine.__main__ import main\n"
        "from demine.terminal.scene import Scene\n"
        "def fail(*_, **__): raise RuntimeError('a pipe burst')\n"
        "Scene.wheel = fail\n"
        "sys.exit(main())\n"
    )
    game = Game(BEGINNER, 7)
    table = sit(*SEEDED, game=game, program=(str(broken),))
    begun(table)
    table.write("\x1b[<64;40;10M")
    assert table.ended() == 1
    assert table.is_restored()
    assert b"a pipe burst" in table.raw
    again = sit(game=game)
    again.resume()
    again.expect()


def test_a_terminal_that_goes_away_ends_the_game(sit: Sit) -> None:
    game = Game(BEGINNER, 7)
    table = sit(*SEEDED, game=game)
    begun(table)
    table.hang_up()
    table.ended()
    with Store.open() as store:
        live = store.resume()
        assert live is not None
        assert live.game.begun


def test_without_a_display_the_terminal_opens_and_says_why(sit: Sit) -> None:
    table = sit(scene=None)
    table.wait_text("Beginner")
    said = b"cannot open a window: neither DISPLAY nor WAYLAND_DISPLAY is set"
    assert said + b"; opening the terminal scene" in bytes(table.raw)


@pytest.mark.parametrize(
    ("options", "language", "said"),
    [
        (["--scene", "terminal"], "en", "demine play: there is no terminal to play in: "),
        (["--scene", "terminal"], "zh_CN", "demine play: 这里没有可玩的终端："),
        ([], "en", "is set, and there is no terminal to play in: "),
    ],
)
def test_without_a_terminal_it_says_so(options: list[str], language: str, said: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "demine", "play", *options],
        env=environment(DEMINE_LANG=language),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "changes",
    [{}, {"COLORTERM": None}, {"TERM": "xterm", "COLORTERM": None}, {"NO_COLOR": "1"}],
    ids=["true", "256", "16", "none"],
)
def test_the_first_picture_stays_as_it_is_while_textual_is_loaded(
    sit: Sit, changes: dict[str, str | None]
) -> None:
    table = sit("beginner", "--seed", "7", **changes)
    table.wait(lambda: b"\x1b[?1004h" in table.raw, "Textual")
    table.wait(table.shows_whole_board, "the board")
    table.keys("f1")
    table.wait_text("Keys")
    table.keys("f1")
    table.wait(lambda: "Keys" not in table.text(), "the board again")
    raw = bytes(table.raw)
    assert raw.count(b"\x1b[?1049h") == 1
    last = max(raw.find(corner.encode()) for corner in LAST_CORNERS)
    assert 0 < last < raw.index(b"\x1b[?1004h")
    # Once the whole picture stands, every byte that follows leaves every cell as it is.
    end = raw.index(b"\x1b[?1004h")
    screen = pyte.Screen(80, 24)
    stream = pyte.ByteStream(screen)
    stream.feed(raw[:end])
    first_picture = cells(screen)
    assert any(set(LAST_CORNERS) & set(line) for line in screen.display)
    after = raw[end:]
    for at in range(0, len(after), 40):
        stream.feed(after[at : at + 40])
        if any("Keys" in line or "Esc" in line for line in screen.display):
            break
        if at < 3 * len(raw[:end]) // 4:
            assert cells(screen) == first_picture, at


def cells(screen: pyte.Screen) -> dict[tuple[int, int], tuple[object, ...]]:
    """Everything that is seen of each cell but the lamps of the clock, which runs."""
    return {
        (row, col): (seen.data, seen.fg, seen.bg, seen.bold, seen.underscore, seen.reverse)
        for row in range(24)
        for col in range(80)
        if row != 4
        for seen in [screen.buffer[row][col]]
    }


def test_what_is_typed_before_textual_is_there_is_heard(sit: Sit) -> None:
    table = sit(*SEEDED)
    table.wait(table.shows_whole_board, "the first picture")
    assert b"\x1b[?1004h" not in table.raw
    table.keys("f1")
    table.wait_text("Keys")
    assert "^[" not in table.text()


def test_ended_before_textual_is_there_the_terminal_is_restored(sit: Sit) -> None:
    table = sit(*SEEDED)
    table.wait(table.shows_whole_board, "the first picture")
    table.send(signal.SIGTERM)
    assert table.ended() in (0, 128 + signal.SIGTERM)
    assert table.is_restored()
