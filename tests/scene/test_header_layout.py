"""Where the parts of the header stand, in windows of every width."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest

from demine.scene.header_layout import (
    FACE,
    LEAST_WINDOW,
    MARGIN,
    ONE_ROW_FROM,
    HeaderParts,
    HeaderWidths,
    Tool,
    has_one_row,
    header_height,
    place_header,
)

LINE = 17
WIDTHS = HeaderWidths(
    86,
    86,
    {Tool.NEW: 71, Tool.LEVEL: 118, Tool.UNDO: 36, Tool.HINT: 36, Tool.PAUSE: 36},
)


def placed(window: int, board: int | None = None) -> HeaderParts:
    """The header of a window with a board of some width in its middle."""
    wide = window - 2 * MARGIN if board is None else board
    return place_header(window, ((window - wide) // 2, wide), WIDTHS, LINE)


@pytest.mark.parametrize("window", [*range(300, 1300, 7), LEAST_WINDOW, ONE_ROW_FROM])
@pytest.mark.parametrize("board", [40, 294, 700, 1200])
def test_parts_stand_in_the_window_apart_from_each_other(window: int, board: int) -> None:
    parts = placed(window, min(board, window - 2 * MARGIN))
    rects = (parts.mines, parts.face, parts.time, *parts.tools.values())
    for rect in rects:
        assert rect.x >= MARGIN
        assert rect.right <= window - MARGIN
        # Nothing that ends a game is nearer to the board than this.
        assert header_height(window, LINE) + MARGIN - rect.bottom >= 24
    for one, other in combinations(rects, 2):
        assert not one.intersection(other).width
    assert abs(2 * parts.face.x + FACE - window) <= 1


@pytest.mark.parametrize("window", [LEAST_WINDOW, 500, ONE_ROW_FROM, 1280])
def test_every_tool_has_room(window: int) -> None:
    assert set(placed(window).tools) == set(Tool)


def test_the_least_important_tools_give_way_first() -> None:
    shown = [set(placed(window).tools) for window in range(LEAST_WINDOW, 120, -1)]
    for more, less in pairwise(shown):
        assert less <= more
    order = [next(iter(a - b)) for a, b in pairwise(shown) if len(a - b) == 1]
    assert order == [Tool.PAUSE, Tool.UNDO, Tool.HINT, Tool.LEVEL][: len(order)]
    assert len(order) >= 3


def test_rows_follow_from_the_window_alone() -> None:
    assert [has_one_row(window) for window in (ONE_ROW_FROM - 1, ONE_ROW_FROM)] == [False, True]
    for window, rows in ((ONE_ROW_FROM - 1, 2), (ONE_ROW_FROM, 1)):
        for board in (40, 300, window - 2 * MARGIN):
            parts = placed(window, board)
            below = parts.tools[Tool.NEW].y >= parts.face.bottom
            assert below == (rows == 2)


def test_the_header_is_as_wide_as_the_board_within_limits() -> None:
    for board, wide in ((1200, 1040), (800, 800)):
        parts = placed(1280, board)
        assert parts.time.right - parts.mines.x == wide


def test_a_board_that_is_not_in_the_middle_has_its_header_over_it() -> None:
    parts = place_header(1280, (8, 800), WIDTHS, LINE)
    assert (parts.mines.x, parts.time.right) == (8, 808)
    assert parts.face.x + FACE // 2 == 408
