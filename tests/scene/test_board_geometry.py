"""Zoom, pan, and the way between pixels and cells."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from demine.logic.metadata import FIELD_CELL
from demine.scene.board_geometry import MAX_CELL, MIN_CELL, ZOOM_STEPS, Rect, View

PORT = Rect(10, 50, 640, 400)
SHAPES = st.tuples(st.integers(1, 60), st.integers(1, 60))
PORTS = st.builds(
    Rect, st.integers(0, 50), st.integers(0, 99), st.integers(1, 900), st.integers(1, 700)
)
CELLS = st.integers(MIN_CELL, MAX_CELL)
PIXELS = st.integers(-50, 1000)
STEPS = st.integers(-3000, 3000)


@st.composite
def views(draw: st.DrawFn) -> View:
    view = View.with_cell_size(draw(SHAPES), draw(PORTS), draw(CELLS))
    return view.panned(draw(STEPS), draw(STEPS))


def test_expert_fits_and_stands_in_the_middle() -> None:
    view = View.fitted((16, 30), PORT)
    assert view.cell == 21
    assert view.board_rect == Rect(15, 82, 630, 336)
    assert view.shows_whole_board
    assert view.is_fitted
    assert view.cell_at(15, 82) == (0, 0)
    assert view.cell_at(14, 82) is None
    assert view.cell_at(644, 417) == (15, 29)
    assert view.cell_at(645, 417) is None


def test_fit_keeps_its_bounds() -> None:
    assert View.fitted((1, 1), PORT).cell == MAX_CELL
    assert View.fitted((1, 1), PORT, max_cell=40).cell == 40
    huge = View.fitted((4000, 4000), PORT)
    assert huge.cell == MIN_CELL
    assert (huge.left, huge.top) == (PORT.x, PORT.y)
    assert View.fitted((9, 9), Rect(0, 0, 0, 0)).cell == MIN_CELL


def test_an_empty_viewport_shows_nothing() -> None:
    view = View.with_cell_size((9, 9), Rect(5, 5, 0, 0), 16)
    assert view.visible_rows_and_cols() == (range(0), range(0))
    assert view.cell_at(5, 5) is None
    assert not view.shows_whole_board


def test_what_is_panned_under_the_panel_cannot_be_hit() -> None:
    view = View.with_cell_size((100, 100), PORT, 32).panned(-100, -100)
    assert view.cell_rect(0, 0).y < PORT.y
    assert view.cell_at(PORT.x, PORT.y - 1) is None
    assert view.cell_at(PORT.x, PORT.y) == (3, 3)


def test_overscroll_ends() -> None:
    view = View.with_cell_size((100, 100), PORT, 32)
    far = view.panned(10**6, 10**6)
    assert (far.left, far.top) == (PORT.x + 64, PORT.y + 64)
    far = view.panned(-(10**6), -(10**6))
    assert (far.board_rect.right, far.board_rect.bottom) == (PORT.right - 64, PORT.bottom - 64)


def test_zoom_steps_go_up_and_down_again() -> None:
    assert tuple(sorted(set(ZOOM_STEPS))) == ZOOM_STEPS
    assert (ZOOM_STEPS[0], ZOOM_STEPS[-1]) == (MIN_CELL, MAX_CELL)
    view = View.with_cell_size((16, 30), PORT, 21)
    assert view.zoomed_by_steps(1).cell == 24
    assert view.zoomed_by_steps(-1).cell == 20
    assert view.zoomed_by_steps(2).zoomed_by_steps(-1).cell == 24
    assert view.zoomed_by_steps(99).cell == MAX_CELL
    assert view.zoomed_by_steps(-99).cell == MIN_CELL
    assert view.zoomed_by_steps(0) == view


def test_scroll_to_shows_the_neighbours_too() -> None:
    view = View.with_cell_size((100, 100), PORT, 32)
    assert view.scrolled_to(3, 3) is view
    lower = view.scrolled_to(12, 3)
    assert lower.left == view.left
    assert lower.cell_rect(13, 3).bottom == PORT.bottom
    assert lower.scrolled_to(0, 3).cell_rect(0, 3).y == PORT.y + 32


def test_turning_to_a_cell_out_of_sight_shows_what_is_around_it() -> None:
    view = View.with_cell_size((100, 100), PORT, 32)
    assert view.scrolled_or_centred_on(3, 3) is view
    assert view.scrolled_or_centred_on(50, 60) == view.centred_on(50, 60)
    edge = view.visible_rows_and_cols()[0][-1]
    assert view.scrolled_or_centred_on(edge, 3) == view.scrolled_to(edge, 3)


def test_a_resize_keeps_the_middle() -> None:
    view = View.with_cell_size((100, 100), PORT, 32).panned(-500, -500)
    middle = view.cell_at(330, 250)
    smaller = view.resized(Rect(0, 0, 320, 200))
    assert smaller.cell_at(160, 100) == middle


def test_minimap() -> None:
    view = View.with_cell_size((100, 200), PORT, 32).panned(-3200, -1600)
    board, seen = view.minimap_rects(Rect(0, 0, 100, 100))
    assert board == Rect(0, 25, 100, 50)
    assert seen == Rect(50, 50, 10, 6)
    board, seen = View.fitted((9, 9), PORT).minimap_rects(Rect(0, 0, 90, 60))
    assert board == seen == Rect(15, 0, 60, 60)


@given(views(), st.data())
def test_cells_and_pixels_are_inverse(view: View, data: st.DataObject) -> None:
    row = data.draw(st.integers(0, view.rows - 1))
    col = data.draw(st.integers(0, view.cols - 1))
    spot = view.cell_rect(row, col)
    seen = spot.intersection(view.viewport)
    rows, cols = view.visible_rows_and_cols()
    assert (row in rows and col in cols) == (seen.width > 0)
    if seen.width:
        for x, y in ((seen.x, seen.y), (seen.right - 1, seen.bottom - 1)):
            assert view.cell_at(x, y) == (row, col)


@given(views(), PIXELS, PIXELS)
def test_what_is_hit_is_there(view: View, x: int, y: int) -> None:
    cell = view.cell_at(x, y)
    assert (cell is None) == (not (view.viewport.contains(x, y) and view.board_rect.contains(x, y)))
    if cell is not None:
        assert view.cell_rect(*cell).contains(x, y)
        board_x, board_y = view.to_field_pixels(x, y)
        assert (board_y // FIELD_CELL, board_x // FIELD_CELL) == cell


@given(views())
def test_a_board_is_never_lost(view: View) -> None:
    board, port = view.board_rect, view.viewport
    for start, size, low, room in (
        (board.x, board.width, port.x, port.width),
        (board.y, board.height, port.y, port.height),
    ):
        if size <= room:
            assert start - low in ((room - size) // 2, (room - size + 1) // 2)
        else:
            assert start <= low + room // 3
            assert start + size >= low + room - room // 3
    assert view.visible_rect.width
    assert view.panned(0, 0) == view


@given(views(), CELLS, PIXELS, PIXELS)
def test_zoom_keeps_the_cell_under_the_anchor(view: View, cell: int, x: int, y: int) -> None:
    zoomed = view.zoomed(cell, x, y)
    assert zoomed.cell == cell
    free_x = x - (x - view.left) * cell // view.cell
    free_y = y - (y - view.top) * cell // view.cell
    under = view.cell_at(x, y)
    if under is not None and (zoomed.left, zoomed.top) == (free_x, free_y):
        assert zoomed.cell_at(x, y) == under
    # On the board's own scale the anchor moves by less than a pixel, unless an edge stops it.
    for now, then, at, free in (
        (zoomed.left, view.left, x, free_x),
        (zoomed.top, view.top, y, free_y),
    ):
        if now == free:
            assert 0 <= (at - then) * cell - (at - now) * view.cell < view.cell


def test_zoom_about_a_cell_in_the_middle_of_a_large_board() -> None:
    view = View.with_cell_size((500, 500), PORT, 32).panned(-5000, -5000)
    under = view.cell_at(200, 200)
    for cell in (16, 24, 48, 128):
        assert view.zoomed(cell, 200, 200).cell_at(200, 200) == under


@given(views(), st.data())
def test_a_cell_scrolled_or_centred_to_is_seen(view: View, data: st.DataObject) -> None:
    row = data.draw(st.integers(0, view.rows - 1))
    col = data.draw(st.integers(0, view.cols - 1))
    for moved in (view.scrolled_to(row, col), view.centred_on(row, col)):
        rows, cols = moved.visible_rows_and_cols()
        assert row in rows
        assert col in cols
        port = moved.viewport
        if min(port.width, port.height) >= moved.cell:
            spot = moved.cell_rect(row, col)
            assert spot.intersection(port) == spot


@given(views(), st.integers(4, 200), st.integers(4, 200))
def test_the_minimap_stays_in_its_box(view: View, width: int, height: int) -> None:
    box = Rect(7, 9, width, height)
    board, seen = view.minimap_rects(box)
    assert board.intersection(box) == board
    assert seen.intersection(board) == seen


@given(views(), CELLS, CELLS)
def test_a_board_is_opened_on_a_cell_with_nothing_beyond_its_edges(
    view: View, row: int, col: int
) -> None:
    cell = min(row, view.rows - 1), min(col, view.cols - 1)
    opened = view.initially_centred_on(cell)
    board, port = opened.board_rect, opened.viewport
    for start, size, room, end in (
        (board.x, board.width, port.x, port.right),
        (board.y, board.height, port.y, port.bottom),
    ):
        if size >= end - room:
            assert start <= room
            assert start + size >= end
    rows, cols = opened.visible_rows_and_cols()
    assert cell[0] in rows
    assert cell[1] in cols
    assert opened == opened.panned(20, -30).initially_centred_on(cell)


def test_a_board_is_opened_on_a_cell_in_the_middle() -> None:
    view = View.with_cell_size((500, 500), PORT, 16)
    assert view.initially_centred_on(None) == view
    spot = view.initially_centred_on((250, 260)).cell_rect(250, 260)
    assert (spot.x + 8, spot.y + 8) == (PORT.x + 320, PORT.y + 200)
    assert view.initially_centred_on((3, 5)) == view
    last = view.initially_centred_on((499, 499)).cell_rect(499, 499)
    assert (last.right, last.bottom) == (PORT.right, PORT.bottom)


@given(SHAPES, PORTS, PORTS)
def test_a_fitted_board_fits_another_viewport(
    shape: tuple[int, int], port: Rect, other: Rect
) -> None:
    view, wanted = View.fitted(shape, port).refitted(other), View.fitted(shape, other)
    assert (view.cell, view.shows_whole_board) == (wanted.cell, wanted.shows_whole_board)
    assert view == wanted or not view.shows_whole_board


def test_a_board_too_large_for_any_window_stays_where_it_was() -> None:
    view = View.fitted((500, 500), PORT).initially_centred_on((250, 260))
    grown = view.refitted(Rect(10, 50, 900, 700))
    assert grown.cell_at(10 + 450, 50 + 350) == (250, 260)


def test_small_cells_are_a_choice_only_where_the_board_is_seen_whole() -> None:
    port = Rect(0, 0, 640, 480)
    assert View.with_cell_size((9, 9), port, 4).cell_size_is_worth_saving()
    assert not View.with_cell_size((500, 500), port, 15).cell_size_is_worth_saving()
    assert View.with_cell_size((500, 500), port, 16).cell_size_is_worth_saving()
    assert not View.with_cell_size((500, 500), port, 16).cell_size_is_worth_saving(2.0)
