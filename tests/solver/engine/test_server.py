"""`demine engine`: a real process that is talked to through pipes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest

from demine.logic.rules import Rules
from demine.scene.diagram import parse_position
from demine.solver.player.choose_cell import best_move
from tests.docs.pages import DOCS, fences
from tests.table import environment

# The first search with playouts compiles the player.
pytestmark = pytest.mark.timeout(400)
GUESS = "newgame 5x5/8", "position 1####/#####/#####/#####/#####"
"""Rules and a position in which nothing is certain, and more than a thousand layouts are left."""


class Talk:
    """A running engine."""

    def __init__(self, *options: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "demine", "engine", *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(),
        )

    def say(self, *lines: str) -> None:
        self.send("".join(f"{line}\n" for line in lines).encode())

    def send(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def hear(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line.endswith(b"\n"), line
        return line[:-1].decode()

    def ask(self, *lines: str) -> str:
        """The last thing said before the engine is ready again."""
        self.say(*lines, "isready")
        heard = [""]
        while (line := self.hear()) != "readyok":
            heard.append(line)
        return heard[-1]

    def move(self, *lines: str) -> list[str]:
        """What is said up to the move."""
        self.say(*lines)
        heard = [self.hear()]
        while not heard[-1].startswith(("bestmove", "error")):
            heard.append(self.hear())
        return heard

    def end(self) -> int:
        out, err = self.process.communicate()
        assert (out, err) == (b"", b"")
        return self.process.returncode


@pytest.fixture(scope="module")
def talk() -> Iterator[Talk]:
    """One engine for many tests, as it stays alive whatever it is told."""
    found = Talk()
    yield found
    found.say("quit")
    assert found.end() == 0


def test_the_handshake(talk: Talk) -> None:
    talk.say("umi")
    heard = [talk.hear() for _ in range(4)]
    assert heard[0].startswith("id name demine ")
    assert heard[1] == "id author the demine authors"
    assert heard[2].startswith("option name Policy type combo default best var logic var safest")
    assert heard[3] == "umiok"


def test_a_safe_cell_is_found(talk: Talk) -> None:
    heard = talk.move("newgame 4x3/2", "position ####/#2##/####", "go")
    assert heard == ["info risk 0", "bestmove 0 3"]
    # Spaces more than one, and ends of lines as on Windows.
    assert talk.move("  newgame   4x3/2 first=any\r", "position ####/#2##/####  ", " go ")[-1:] == [
        "bestmove 0 3"
    ]


def test_the_first_cell_is_that_of_a_study(talk: Talk) -> None:
    covered = "/".join(["#" * 9] * 9)
    assert talk.move("newgame 9x9/10", f"position {covered}", "go") == [
        "info risk 0",
        "bestmove 2 2",
    ]
    heard = talk.move("newgame 9x9/10 first=any", f"position {covered}", "go movetime 50")
    assert heard == ["info risk 0.123457", "bestmove 0 0"]


def test_a_guess_is_that_of_the_policy(talk: Talk) -> None:
    rules = Rules.parse("5x5/8")
    move = best_move(parse_position(GUESS[1].split()[1], rules), 8, policy="best")
    heard = talk.move(*GUESS, "go")
    assert heard == [f"info risk {move.risk:.6g}", f"bestmove {move.row} {move.col}"]


def test_playouts_tell_the_chance_to_win(talk: Talk) -> None:
    info, move = talk.move(*GUESS, "go playouts 300")
    words = info.split()
    assert words[1::2] == ["risk", "win", "playouts"]
    assert int(words[words.index("playouts") + 1]) <= 300
    assert 0 < float(words[words.index("win") + 1]) < 1 - float(words[words.index("risk") + 1])
    assert talk.move(*GUESS, "go playouts 300") == [info, move]


def test_few_layouts_are_searched_exactly(talk: Talk) -> None:
    heard = talk.move("newgame 2x2/1 first=any", "position 1#/##", "go playouts 5")
    assert heard == ["info risk 0.333333 win 0.333333", "bestmove 0 1"]


@pytest.mark.parametrize("limit", ["go movetime 1", "go movetime 150", "go movetime 50 playouts 9"])
def test_a_time_limit_gives_a_covered_cell(talk: Talk, limit: str) -> None:
    heard = talk.move(*GUESS, limit)[-1].split()
    row, col = map(int, heard[1:])
    assert GUESS[1].split()[1].split("/")[row][col] == "#"


def test_stop_ends_a_search(talk: Talk) -> None:
    """The limit would take many minutes, the time limit a day."""
    talk.say(*GUESS, "go playouts 1000000 movetime 86400000", "isready", "go", "stop")
    assert talk.hear() == "readyok"
    assert talk.hear() == "error a search is under way: send stop first"
    assert talk.move()[-1].startswith("bestmove")
    assert talk.ask("stop") == ""
    assert talk.move(*GUESS, "go")[-1].startswith("bestmove")


def test_a_policy_can_be_set(talk: Talk) -> None:
    assert talk.move("setoption name Policy value logic", *GUESS, "go") == ["bestmove none"]
    assert talk.move("setoption name policy value safest", "go")[-1].startswith("bestmove ")
    assert talk.ask("setoption name Policy value nobody").startswith("error Policy is one of logic")
    assert talk.ask("setoption name Hash value 1") == "error there is no option 'Hash'"
    assert talk.ask("setoption name Policy value best") == ""


def test_a_won_board_has_no_move(talk: Talk) -> None:
    assert talk.move("newgame 2x1/1 first=any", "position 1#", "go") == ["bestmove none"]
    assert talk.move("newgame 2x1/0", "position ..", "go") == ["bestmove none"]


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (["hello world"], "unknown command: 'hello world'"),
        (["GO"], "unknown command: 'GO'"),
        (["\x1b[31mred"], r"unknown command: '\x1b[31mred'"),
        (["newgame"], "no rules given: write WIDTHxHEIGHT/MINES"),
        (["newgame 9x9/99"], "error "),
        (["newgame 99999x99999/9"], "error "),
        (["newgame x", "position ##", "go"], "go needs a position"),
        (["newgame x", "position ##"], "position needs the rules: send newgame first"),
        (["newgame 2x2/1", "position ##"], "the position has 1 rows, the rules 2x2/1"),
        (["newgame 2x2/1", "position"], "the position has 1 rows"),
        (["newgame 2x2/1", "position ##/###"], "row 1 of the position has 3 cells"),
        (["newgame 2x2/1", "position ##/#9"], "row 1 of the position: '9' is not a face"),
        (["newgame 2x2/1", "position ##/#é"], "row 1 of the position: 'é' is not a face"),
        (["newgame 2x2/1", "position ##/##", "position ?"], "error "),
        (["newgame 2x2/1", "position ##/##", "position ?", "go"], "go needs a position"),
        (["newgame 2x2/1", "position ##/##", "go infinite"], "go does not know 'infinite'"),
        (["newgame 2x2/1", "position ##/##", "go movetime"], "movetime is a whole number"),
        (["newgame 2x2/1", "position ##/##", "go movetime -1"], "from 1 to 86400000, not '-1'"),
        (["newgame 2x2/1", "position ##/##", "go playouts " + "9" * 5000], "from 1 to 1000000"),
        (["newgame 2x2/1", "position ##/##", "go playouts 0"], "from 1 to 1000000, not '0'"),
    ],
)
def test_what_cannot_be_obeyed_is_an_error_line(talk: Talk, lines: list[str], why: str) -> None:
    heard = talk.ask(*lines)
    assert heard.startswith("error ")
    assert why in heard
    assert len(heard) < 320


def test_an_impossible_position_has_no_move(talk: Talk) -> None:
    (heard,) = talk.move("newgame 3x1/1 first=any", "position 2##", "go")
    assert heard.startswith("error ")
    assert talk.ask() == ""


def test_lines_without_end_and_bytes_without_sense(talk: Talk) -> None:
    talk.send(b"x" * 3_000_000 + b"\n" + bytes(range(11, 256)) + b"\n\n\r\n \n")
    assert talk.hear() == "error a line has more than 1048576 bytes"
    assert talk.hear().startswith("error unknown command: ")
    assert talk.ask() == ""


def test_a_huge_board(talk: Talk) -> None:
    """A million cells are answered within their time; the rules alone cost nothing."""
    assert talk.ask("newgame 8192x8192/9") == ""
    rows = [list("#" * 1000) for _ in range(1000)]
    for row in range(2, 1000, 5):
        for col in range(2, 1000, 5):
            rows[row][col] = "2"
    heard = talk.move(
        "newgame 1000x1000/200000",
        "position " + "/".join(map("".join, rows)),
        "go movetime 100",
    )
    row, col = map(int, heard[-1].split()[1:])
    assert rows[row][col] == "#"


def test_the_end_of_its_input_ends_it() -> None:
    engine = Talk("--policy", "safest")
    engine.say("newgame 4x3/2", "position ####/#2##/####", "go")
    assert engine.process.stdin is not None
    engine.process.stdin.close()
    assert engine.process.stdout is not None
    assert engine.process.stdout.read() == b"info risk 0\nbestmove 0 3\n"
    assert engine.process.wait() == 0
    engine.process.stdout.close()
    assert engine.process.stderr is not None
    assert engine.process.stderr.read() == b""
    engine.process.stderr.close()


def test_quit_waits_for_no_search() -> None:
    engine = Talk()
    engine.ask()
    engine.say(*GUESS, "go playouts 1000000", "quit")
    assert engine.end() == 0


def test_the_page_shows_what_is_said() -> None:
    """The conversation of docs/engine.md, line by line."""
    (block,) = [text for text in fences(DOCS / "engine.md", "text") if text.startswith("> umi")]
    lines = block.splitlines()
    engine = Talk()
    for line in lines:
        if line.startswith("> "):
            engine.say(line[2:])
        else:
            assert engine.hear() == line
    assert engine.end() == 0
