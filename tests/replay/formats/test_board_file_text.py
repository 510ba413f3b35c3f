"""`.board` texts: read, written, and refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demine.logic.game import Status
from demine.replay import Layout, ReplayError
from demine.replay.formats import board_file_text
from tests import samples
from tests.replay.others import BOARD


def test_a_whole_file() -> None:
    data = BOARD.encode()
    assert board_file_text.recognises(data)
    layout = board_file_text.read(data)
    assert (layout.format, layout.version) == ("board", "0.1")
    assert layout.mine_map.astype(int).tolist() == [[1, 0, 0], [0, 0, 0]]
    assert dict(layout.facts) == {
        "format": "board 0.1",
        "level": "custom",
        "mode": "standard",
        "author": "Ada",
        "comment": "a: b",
    }
    assert board_file_text.write(layout) == data
    game = layout.game()
    assert game.status is Status.READY
    assert game.board.laid


@given(st.integers(1, 9), st.integers(1, 9), st.integers(0, 1 << 30))
def test_boards_are_read_as_they_were_written(height: int, width: int, seed: int) -> None:
    board = np.random.default_rng(seed).random((height, width)) < 0.3
    board.flat[0] = False
    facts = {"author": "a\nb", "mode": "win7", "player": "x"}
    made = Layout("", "", board, facts)
    layout = board_file_text.read(board_file_text.write(made))
    assert np.array_equal(layout.mine_map, board)
    assert (layout.facts["author"], layout.facts["mode"]) == ("a b", "win7")
    assert [str(loss) for loss in board_file_text.losses(made)] == ["these facts: player"]


def test_emoji_and_other_systems() -> None:
    text = BOARD.replace("ascii", "emoji").replace(
        "*10\n", "\U0001f4a31\ufe0f\u20e30\ufe0f\u20e3\n"
    )
    layout = board_file_text.read(("\ufeff" + text.replace("\n", "\r\n")).encode())
    assert layout.mine_map.astype(int).tolist() == [[1, 0, 0], [0, 0, 0]]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "this is not a .board file"),
        (BOARD.replace("[real]", "[unreal]"), "it does not say where the mines are"),
        (BOARD.replace("rows", "lines"), "rows, columns and mines are not all given"),
        (BOARD.replace("rows: 2", "rows: ²"), "rows, columns and mines are not all given"),
        (BOARD.replace("rows: 2", "rows: 3"), "the board is not 3x3"),
        (BOARD.replace("rows: 2", "rows: 99999"), "the board is too large"),
        (BOARD.replace("*10", "*1"), "the board is not 3x2"),
        (BOARD.replace("*10", "*1x"), "'x' is not a cell"),
        (BOARD.replace("mines: 1", "mines: 2"), "there are 1 mines instead of 2"),
        (BOARD.replace("mines: 1", "mines: 6").replace("*10\n110", "***\n***"), "no safe cell"),
    ],
    ids=lambda value: value[-20:],
)
def test_what_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ReplayError) as caught:
        board_file_text.read(text.encode())
    assert reason in str(caught.value)
    assert caught.value.format == "board"


def test_the_last_space_of_a_text_is_a_part_of_it() -> None:
    made = Layout("", "", np.array([[True, False]]), {"author": "Ada ", "comment": "a  b\t"})
    assert dict(board_file_text.read(board_file_text.write(made)).facts)["author"] == "Ada "
    assert dict(board_file_text.read(board_file_text.write(made)).facts)["comment"] == "a  b\t"


def test_what_is_no_text() -> None:
    data = BOARD.encode() + b"\xff"
    with pytest.raises(ReplayError, match="not UTF-8") as caught:
        board_file_text.read(data)
    assert caught.value.offset == len(data) - 1


@pytest.mark.parametrize("name", samples.names("generated/*.board"))
def test_samples(name: str) -> None:
    data = samples.data(name)
    layout = board_file_text.read(data)
    assert board_file_text.write(Layout("", "", layout.mine_map, {"author": "test"})) == data


def test_a_description_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    before, _, behind = BOARD.partition("rows:")
    data = f"{before}{'a: b' * 9}\nrows:{behind}".encode()
    assert board_file_text.read(data).mine_map.any()
    monkeypatch.setattr(board_file_text, "_HEAD", len(before) + 20)
    with pytest.raises(ReplayError, match="not all given"):
        board_file_text.read(data)
