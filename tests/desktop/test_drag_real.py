"""Files and texts dragged from another program onto the window, as an X server has it done."""

from __future__ import annotations

import itertools
import json
import select
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.desktop.desk import Desk, environment
from tests.hand import Hand, wait_for

Sit = Callable[..., Desk]
HERE = Path(__file__).parent
REPLAY = HERE.parent / "golden" / "beginner-lost-by-a-chord.jsonl"
STEPS = 8


@contextmanager
def program(name: str, display: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Run a program of this folder on a display meanwhile."""
    process = subprocess.Popen(
        [sys.executable, str(HERE / name), *arguments],
        env=environment(DISPLAY=display, QT_QPA_PLATFORM="xcb"),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def line(process: subprocess.Popen[str]) -> str:
    """The next line that a program prints."""
    assert process.stdout is not None
    return process.stdout.readline().strip()


class Dragging:
    """What another program drags, and the hand that does it."""

    def __init__(self, display: str, source: subprocess.Popen[str]) -> None:
        self._source = source
        self._hand = Hand(display)
        assert line(source) == "ready"
        self._hand.find("drag-source")

    def drop_on(self, target: Hand, *held: str) -> str:
        """Drag to the middle of the hand's window with keys held; return what became of it."""
        self._hand.point(60, 30)
        self._hand.press(1)
        width, height = target.size()
        steps = itertools.cycle(range(STEPS))

        def is_welcome() -> bool:
            # The window is asked with each move over it, and answers later.
            target.point(width // 2 + next(steps), height // 2)
            assert self._source.stdout is not None
            return bool(select.select([self._source.stdout], [], [], 0.05)[0])

        with self._hand.holding(*held):
            wait_for(is_welcome, "a window that takes what is dragged")
            assert line(self._source).startswith("over")
            self._hand.release(1)
            return line(self._source)

    def close(self) -> None:
        """Leave the display."""
        self._hand.close()


@contextmanager
def dragging(display: str, **content: Any) -> Iterator[Dragging]:
    """Another program with `urls` or a `text` to drag. It gives them out until it is ended."""
    with program("drag_source.py", display, json.dumps(content)) as source:
        found = Dragging(display, source)
        yield found
        found.close()


def test_a_dragged_replay_opens_beside_the_game_under_way(xvfb: str, sit: Sit) -> None:
    desk = sit()
    desk.open(4, 4)
    board = desk.hand.window
    assert board is not None
    with dragging(xvfb, urls=[REPLAY.as_uri()]) as dragged:
        assert dragged.drop_on(desk.hand) == "CopyAction"
        desk.hand.find("demine", besides={board.id})
    desk.hand.focus()
    desk.hand.ask_to_close()
    wait_for(desk.hand.gone, "the end of the player")
    desk.hand.window = board
    desk.hand.focus()
    desk.resume()
    desk.expect()


def test_what_is_moved_by_its_own_program_is_only_copied(xvfb: str, sit: Sit) -> None:
    desk = sit()
    with dragging(xvfb, urls=[REPLAY.as_uri()]) as dragged:
        assert dragged.drop_on(desk.hand, "shift") == "CopyAction"


@pytest.fixture
def target(xvfb: str) -> Iterator[tuple[Hand, subprocess.Popen[str]]]:
    """A window that tells what it says, with an opening open."""
    with ExitStack() as stack:
        process = stack.enter_context(program("drop_target.py", xvfb))
        hand = Hand(xvfb)
        stack.callback(hand.close)
        assert json.loads(line(process))[0] == ""
        hand.find("drop-target")
        yield hand, process


def test_what_cannot_be_opened_is_told_and_nothing_is_lost(
    xvfb: str, target: tuple[Hand, subprocess.Popen[str]], tmp_path: Path
) -> None:
    hand, process = target
    diary, folder, gone = tmp_path / "diary.txt", tmp_path / "games", tmp_path / "gone.avf"
    diary.write_text("Dear diary,\n", encoding="utf-8")
    folder.mkdir()
    strange = "“diary.txt” is neither a replay nor a board that demine knows"
    hostile: list[tuple[dict[str, Any], list[str]]] = [
        ({"urls": [folder.as_uri()]}, ["“games” cannot be opened: it is a folder"]),
        ({"urls": [gone.as_uri()]}, ["“gone.avf” cannot be opened: there is no such file"]),
        ({"urls": [diary.as_uri()]}, [strange]),
        (
            {"urls": [diary.as_uri(), gone.as_uri()]},
            ["Opened the first of 2 files", strange],
        ),
        ({"text": "hello"}, ["This text is neither a share code nor a board"]),
    ]
    opened: set[int] = set()
    for content, sentences in hostile:
        with dragging(xvfb, **content) as dragged:
            assert dragged.drop_on(hand) == "CopyAction"
            for sentence in sentences:
                said, cells = json.loads(line(process))
                opened.add(cells)
                assert said.startswith(sentence)
    assert len(opened) == 1
    assert opened.pop() > 1
