"""Links that hold a board: read, written, and refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demine.replay import Layout, ReplayError
from demine.replay.formats import ptta_link
from tests import samples

PAGE = b"https://pttacgfans.github.io/Minesweeper-ZiNi-Calculator/"


@given(st.integers(1, 12), st.integers(1, 120), st.integers(0, 1 << 30))
def test_boards_are_read_as_they_were_written(height: int, width: int, seed: int) -> None:
    board = np.random.default_rng(seed).random((height, width)) < 0.3
    board.flat[0] = False
    link = ptta_link.write(Layout("", "", board))
    assert ptta_link.recognises(link)
    layout = ptta_link.read(link)
    assert np.array_equal(layout.mine_map, board)
    assert ptta_link.write(layout) == link


@pytest.mark.parametrize(
    ("size", "shape"),
    [("1", (9, 9)), ("2", (16, 16)), ("3", (16, 30)), ("100005", (5, 100)), ("005100", (100, 5))],
)
def test_sizes(size: str, shape: tuple[int, int]) -> None:
    cells = "0" * -(-shape[0] * shape[1] // 5)
    link = f"  https://example.org/x?m={cells}&b={size}&c=AAAA\n".encode()
    layout = ptta_link.read(link)
    assert layout.mine_map.shape == shape
    assert ptta_link.write(layout) == link
    assert f"?b={size}&".encode() in ptta_link.write(Layout("", "", layout.mine_map))
    assert ptta_link.FORMAT.losses(layout) == ()


def test_five_cells_a_character() -> None:
    layout = ptta_link.read(PAGE + b"?b=32&m=Hg")
    assert layout.mine_map.astype(int).tolist() == [[1, 0, 0], [0, 1, 1]]
    board = ptta_link.read(PAGE + b"?b=52&m=k1").mine_map
    assert board.astype(int).tolist() == [[1, 0, 1, 0, 0], [0, 0, 0, 0, 1]]


@pytest.mark.parametrize(
    ("data", "offset", "reason"),
    [
        (b"", 0, "this is not a link"),
        (PAGE + b"?b=52", 0, "this is not a link"),
        (PAGE + b"?b=4&m=0", 60, "'4' is not a size"),
        (PAGE + b"?b=0505&m=", 67, "5x5 needs 5 characters, not 0"),
        (PAGE + b"?b=0005&m=", 60, "0x5 has no cells"),
        (PAGE + b"?b=9999999999&m=", 60, "the board is too large"),
        (PAGE + b"?b=52&m=w0", 65, "'w' does not stand for five cells"),
        (PAGE + b"?b=22&m=01", 65, "needs 1 characters, not 2"),
        (PAGE + b"?b=22&m=1", 65, "mines after the last cell"),
        (PAGE + b"?b=22&m=u", 65, "4 mines leave no safe cell"),
    ],
    ids=lambda value: str(value)[-12:],
)
def test_what_is_refused(data: bytes, offset: int, reason: str) -> None:
    with pytest.raises(ReplayError) as caught:
        ptta_link.read(data)
    assert reason in str(caught.value)
    assert (caught.value.format, caught.value.offset) == ("PTTA", offset)


@pytest.mark.parametrize("name", samples.names("generated/*.ptta.txt"))
def test_samples(name: str) -> None:
    data = samples.data(name)
    layout = ptta_link.read(data)
    assert ptta_link.write(Layout("", "", layout.mine_map)) == data
