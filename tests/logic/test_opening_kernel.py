"""The kernel that opens by words: the cells, the marks and the work of the plain ways."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from demine.logic import undoable_openings
from demine.logic.board_state import Board
from demine.logic.errors import WorkError
from demine.logic.event import Act, Lay, Verb
from demine.logic.flood import WALL
from demine.logic.flood_by_rows import OpenedRows
from demine.logic.kernels import OPENING_KERNELS
from demine.logic.kernels.opening import open_by_words
from demine.logic.layout import deal
from demine.logic.neighbours import count_around
from demine.logic.rules import Rules
from demine.logic.undoable_openings import WorkLimit
from tests.logic.boards import Hints
from tests.logic.test_flood import comb, serpentine, spiral


class Opened(NamedTuple):
    """What an opening did."""

    cells: list[int]
    open_map: bytes
    work: int
    by_rows: int
    refused: bool


def interpreted(*arguments: Any) -> tuple[NDArray[np.int32], int, int, int, int]:
    with np.errstate(over="ignore"):
        return open_by_words(*arguments)


def opening(
    kernel: Any,
    hints: Hints,
    start: int,
    before: bytes = b"",
    limit: float = 1e9,
    large: int = 4096,
) -> Opened:
    """Open an opening by a kernel, or plainly."""
    opened = bytearray(before or hints.size)
    mixed = bool(before) or bool((hints > 8).any())
    work = WorkLimit(limit)
    cells: list[int] = []
    refused = False
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(OPENING_KERNELS, "loaded", {"open_by_words": kernel} if kernel else {})
        patch.setattr(undoable_openings, "_LARGE", large)
        try:
            found = undoable_openings.open_opening(
                bytearray(hints.tobytes()), opened, hints.shape, start, work, mixed=mixed
            )
        except WorkError:
            refused = True
        else:
            cells = cells_of(found, hints.shape[1])
    # What is refused is left unfinished, and counted until somewhere on its way.
    kept = (b"", 0, 0) if refused else (bytes(opened), work.done, work.by_rows)
    return Opened(cells, *kept, refused)


def cells_of(found: NDArray[np.int32] | OpenedRows, width: int) -> list[int]:
    if isinstance(found, OpenedRows):
        cells: list[int] = (np.flatnonzero(found.flags(width)) + found.first * width).tolist()
        assert len(cells) == found.size
        return cells
    assert found.dtype == np.int32
    return sorted(found.tolist())


@st.composite
def openings(draw: st.DrawFn, most: int = 20) -> dict[str, Any]:
    """Numbers, walls, open cells and a covered zero among them."""
    shapes = [(1, 90), (90, 1), (2, 70), (17, 64), (8, 129), (3, 65), (9, 9), (5, 13), (16, 30)]
    sizes = st.tuples(st.integers(1, most), st.integers(1, most))
    height, width = draw(st.sampled_from(shapes) | sizes)
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    hints = (rng.random((height, width)) > rng.uniform(0.3, 0.95)).astype(np.uint8)
    before = b""
    if draw(st.booleans()):
        hints *= rng.integers(1, WALL + 1, hints.shape).astype(np.uint8)
        before = (rng.random(hints.shape) < 0.05).tobytes()
    zeros = np.flatnonzero(hints == 0)
    zeros = zeros[np.frombuffer(before, np.uint8)[zeros] == 0] if before else zeros
    if not zeros.size:
        hints[0, 0], before, zeros = 0, b"", np.zeros(1, np.int64)
    start = int(draw(st.sampled_from(zeros.tolist())))
    limit = draw(st.sampled_from([1e9, 1e9, 20.0, 200.0]))
    large = draw(st.sampled_from([0, 5, 4096]))
    return {"hints": hints, "start": start, "before": before, "limit": limit, "large": large}


@settings(max_examples=60)
@given(openings())
def test_interpreted_it_opens_and_counts_what_the_plain_ways_do(case: dict[str, Any]) -> None:
    assert opening(interpreted, **case) == opening(None, **case)


@pytest.fixture(scope="module")
def compiled() -> Any:
    pytest.importorskip("numba")
    OPENING_KERNELS.load()
    return OPENING_KERNELS.compiled_kernel("open_by_words")


@settings(max_examples=200)
@given(case=openings(80))
def test_compiled_too(compiled: Any, case: dict[str, Any]) -> None:
    assert opening(compiled, **case) == opening(None, **case)


@pytest.mark.parametrize("hints", [serpentine(61, 40), spiral(141), comb(30, 31), comb(300, 301)])
@pytest.mark.parametrize("limit", [1e9, 5_000.0])
def test_mazes_that_rows_give_up_cost_the_same(compiled: Any, hints: Hints, limit: float) -> None:
    assert opening(compiled, hints, 0, limit=limit) == opening(None, hints, 0, limit=limit)


@pytest.mark.parametrize("percent", [5, 10, 16])
@pytest.mark.parametrize("size", [(700, 701), (64, 1500), (2000, 31)])
def test_large_boards(compiled: Any, percent: int, size: tuple[int, int]) -> None:
    rules = Rules(size[1], size[0], size[0] * size[1] * percent // 100)
    hints = count_around(deal(rules, percent, (5, 5)))
    start = 5 * size[1] + 5
    assert opening(compiled, hints, start) == opening(None, hints, start)


def test_a_board_opens_closes_and_opens_by_it(
    compiled: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = Rules(90, 70, 300)
    mines = deal(rules, 3, (30, 30))
    boards = []
    for loaded in ({}, {"open_by_words": compiled}):
        monkeypatch.setattr(OPENING_KERNELS, "loaded", loaded)
        board = Board(rules)
        board.apply_unless_refused(Lay(0, mines))
        for verb in (Verb.FLAG, Verb.QUESTION):
            for cell in range(0, 70, 3):
                board.apply_unless_refused(Act(0, verb, cell, cell + (verb is Verb.FLAG)))
        covered = board.copy()
        change = board.apply_unchecked(Act(0, Verb.OPEN, 31, 30))
        opened = board.copy()
        board.take_back(change)
        assert board == covered
        board.apply_unchecked(Act(0, Verb.OPEN, 31, 30))
        assert board == opened
        boards.append(board)
    assert boards[0] == boards[1]
    assert boards[0].opened > 1000
    assert (boards[0].opened, boards[0].flags) == (boards[1].opened, boards[1].flags)
