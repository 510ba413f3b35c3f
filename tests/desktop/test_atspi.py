"""The board as screen readers on Linux find it: through AT-SPI, on a bus of the test's own."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any

import numpy as np
import pytest

from demine.game import Game
from demine.logic.event import Act, Verb
from demine.logic.game import Status
from demine.logic.rules import BEGINNER, Rules
from demine.scene.cell_faces import Face
from demine.scene.sight import sight
from tests.conftest import IN_CI
from tests.desktop.desk import SEED, Desk, environment
from tests.hand import wait_for

Sit = Callable[..., Desk]
SYSTEM_PYTHON = "/usr/bin/python3"
PACKAGES = "dbus at-spi2-core python3-pyatspi"
WIDTH = BEGINNER.width
WORDS = {
    Face.ZERO: "empty",
    Face.COVERED: "covered",
    Face.FLAG: "flag",
    Face.MINE: "mine",
    Face.BLOWN: "the mine that went off",
}


class Reader:
    """A screen reader in a process of its own."""

    def __init__(self, bus: str) -> None:
        self._process = subprocess.Popen(
            [SYSTEM_PYTHON, str(Path(__file__).with_name("screen_reader.py"))],
            env=environment(DBUS_SESSION_BUS_ADDRESS=bus, PYTHONPATH=None),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._heard: list[tuple[str, str]] = []
        assert self._answer() == "ready"

    def ask(self, question: str, *arguments: object) -> Any:
        """Ask what a function of `screen_reader.py` returns."""
        assert self._process.stdin is not None
        print(json.dumps([question, *arguments]), file=self._process.stdin, flush=True)
        return self._answer()

    def _answer(self) -> Any:
        out: IO[str] | None = self._process.stdout
        assert out is not None
        return json.loads(out.readline())

    def hears(self, kind: str, words: str) -> bool:
        """Whether an event of this kind that begins with these words was heard so far."""
        self._heard += map(tuple, self.ask("heard"))
        return any(each == kind and said.startswith(words) for each, said in self._heard)

    def forget(self) -> None:
        """Forget what was heard so far."""
        self.ask("heard")
        self._heard.clear()

    def end(self) -> None:
        """Leave nothing behind."""
        self._process.kill()
        self._process.communicate()


@pytest.fixture
def bus() -> Iterator[str]:
    """The address of a session bus, on which AT-SPI starts when it is asked for."""
    daemon = shutil.which("dbus-daemon")
    if daemon is None or not _has_atspi():
        sentence = f"no AT-SPI on this machine (on Debian: apt install {PACKAGES})"
        if IN_CI:
            pytest.fail(sentence)
        pytest.skip(sentence)
    with TemporaryDirectory(prefix="at-spi-") as folder:  # sockets have short paths
        server = subprocess.Popen(
            [daemon, "--session", "--nofork", "--print-address"],
            env=environment(
                XDG_RUNTIME_DIR=folder, GSETTINGS_BACKEND="memory", DBUS_SESSION_BUS_ADDRESS=None
            ),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert server.stdout is not None
        try:
            yield server.stdout.readline().strip()
        finally:
            server.terminate()
            server.communicate()


def _has_atspi() -> bool:
    tried = [SYSTEM_PYTHON, "-c", "import pyatspi"]
    return (
        Path(SYSTEM_PYTHON).exists()
        and not subprocess.run(
            tried, env=environment(PYTHONPATH=None), stderr=subprocess.DEVNULL, check=False
        ).returncode
    )


@pytest.fixture
def reader(bus: str) -> Iterator[Reader]:
    """A reader that is there before the game."""
    reader = Reader(bus)
    yield reader
    reader.end()


@pytest.fixture
def desk(sit: Sit, bus: str, reader: Reader) -> Desk:
    """A beginner's board in the window, which the reader has found."""
    desk = sit(game=Game(BEGINNER, SEED), DBUS_SESSION_BUS_ADDRESS=bus)
    expect(desk, reader)
    return desk


def names(game: Game) -> list[str]:
    """What the cells of a game are called, row by row."""
    return [
        f"row {row + 1}, column {col + 1}: {WORDS.get(Face(int(face)), str(face))}"
        for (row, col), face in np.ndenumerate(sight(game))
    ]


def expect(desk: Desk, reader: Reader) -> None:
    """Wait until the reader finds the names that the cells should have; it hears of new ones."""
    wait_for(lambda: reader.ask("cells") == names(desk.game), "the names of the cells")


def play(desk: Desk, reader: Reader, action: str, row: int, col: int) -> None:
    """Have the reader act at the cell that has the name it should have."""
    verb = {"Open": Verb.OPEN, "Flag": Verb.FLAG}[action]
    index = row * WIDTH + col
    assert reader.ask("act", index, action) == names(desk.game)[index]
    desk.game.play(Act(desk.game.time_ms, verb, row, col))


def first(cells: Any) -> tuple[int, int]:
    """The first cell, row by row, where an array is true."""
    row, col = np.argwhere(cells)[0].tolist()
    return row, col


def test_a_board_is_won_by_names_and_actions(desk: Desk, reader: Reader) -> None:
    roles = reader.ask("roles")
    assert roles.count("table") == 1
    # Qt's own two that hold the panel and all of the window, and none of a first frame.
    assert roles.count("filler") == 2
    play(desk, reader, "Open", 4, 4)
    board = desk.game.board
    play(desk, reader, "Flag", *first(board.mine_map))
    expect(desk, reader)
    while not desk.game.status.over:
        play(desk, reader, "Open", *first(~(board.mine_map | board.open_map)))
    assert desk.game.status is Status.WON
    expect(desk, reader)
    wait_for(lambda: reader.hears("says", "You won"), "the end, announced")


def test_a_loss_is_announced(desk: Desk, reader: Reader) -> None:
    play(desk, reader, "Open", 4, 4)
    reader.forget()
    row, col = first(desk.game.board.mine_map)
    play(desk, reader, "Open", row, col)
    assert desk.game.status is Status.LOST
    said = f"row {row + 1}, column {col + 1}: the mine that went off"
    wait_for(lambda: reader.hears("name", said), "the new name of the cell")
    wait_for(lambda: reader.hears("says", "You hit a mine"), "the end, announced")


def test_a_reader_may_come_later(sit: Sit, bus: str) -> None:
    desk = sit(game=Game(BEGINNER, SEED), DBUS_SESSION_BUS_ADDRESS=bus)
    desk.open(4, 4)
    reader = Reader(bus)
    try:
        expect(desk, reader)
        row, col = first(desk.game.board.mine_map)
        play(desk, reader, "Flag", row, col)
        wait_for(lambda: reader.hears("says", "flag"), "the flag, said")
    finally:
        reader.end()


def test_the_focus_follows_the_cursor_and_what_it_finds_is_said(desk: Desk, reader: Reader) -> None:
    desk.hand.key("down")
    wait_for(lambda: reader.hears("focus", "row 5, column 5: covered"), "the focus")
    desk.hand.key("right")
    wait_for(lambda: reader.hears("focus", "row 5, column 6: covered"), "the next focus")
    desk.hand.key("f")
    wait_for(lambda: reader.hears("says", "flag"), "the flag, said")
    wait_for(lambda: reader.hears("name", "row 5, column 6: flag"), "the new name")
    desk.hand.key("h")
    wait_for(lambda: reader.hears("says", "Start anywhere"), "the hint, said")


def test_a_large_board_is_found_row_by_row(sit: Sit, bus: str, reader: Reader) -> None:
    """All its cells at once would be a million objects."""
    size = ("1000x1000/9000", "--seed", "7", "--cell", "16", "--theme", "light", "--new")
    desk = sit(*size, game=Game(Rules.parse(size[0]), 7), cell=16, DBUS_SESSION_BUS_ADDRESS=bus)
    wait_for(lambda: "table" in reader.ask("roles"), "the board")
    assert reader.ask("rows", 2, 3) == [1000, "table row", "Row 3", "row 3, column 4: covered"]
    assert reader.ask("act_in_row", 2, 3, "Open") == "row 3, column 4: covered"
    wait_for(lambda: reader.ask("rows", 2, 3)[3] != "row 3, column 4: covered", "the opened cell")
    assert desk.process.poll() is None
