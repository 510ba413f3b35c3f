"""Motion on the board of a window: what is painted meanwhile, and that no act ever waits for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QImage, QPaintEvent, QRegion
from PySide6.QtWidgets import QApplication

from demine.desktop.board.widget import BoardWidget
from demine.desktop.window.main_window import MainWindow
from demine.game import Game
from demine.logic.event import Act, Verb
from demine.logic.game import Status
from demine.logic.rules import BEGINNER, EXPERT
from demine.scene.cell_faces import Face
from demine.scene.key_bindings import Command
from demine.scene.motion import LANDING_MS, LONGEST_MS, LOSS_MS, OTHER_MINES_MS, WAVE_MS
from demine.scene.sight import sight
from tests.desktop.desk import CELL, Desk
from tests.desktop.room import click, middle, room

pytestmark = pytest.mark.usefixtures("app")

RIGHT = Qt.MouseButton.RightButton
START = (8, 15)
Sit = Callable[..., Desk]


class Film:
    """A board whose frames come when a test asks for them."""

    def __init__(self, window: MainWindow) -> None:
        self.window, self.board = window, window.board
        self._now = 1000.0
        self.board.motion.clock_ms = lambda: self._now
        self.board.motion.timer.timeout.disconnect()

    def after(self, ms: float) -> NDArray[np.uint8]:
        """The faces on the glass so many milliseconds later."""
        self._now += ms
        self.board.motion.show_next_frame()
        return self.glass()

    def glass(self) -> NDArray[np.uint8]:
        """The faces that are painted now."""
        QApplication.processEvents()
        return self.board.painted_faces

    def picture(self) -> QImage:
        """The board as it is painted."""
        return self.board.grab().toImage()


@pytest.fixture
def film() -> Iterator[Film]:
    """An expert board in which things move."""
    with room("30x16/99", motion=True) as opened:
        yield Film(opened)


@pytest.fixture
def large_film() -> Iterator[Film]:
    """The same in large cells, in which a flag flies higher."""
    with room("30x16/99", motion=True, cell=32) as opened:
        yield Film(opened)


def truth(film: Film) -> NDArray[np.uint8]:
    return sight(film.window.controller.session.game)


def covered_mine(film: Film, number: int = 0) -> tuple[int, int]:
    row, col = np.argwhere(film.window.controller.session.game.board.mine_map)[number]
    return int(row), int(col)


def play_until_one_is_left(film: Film) -> tuple[int, int]:
    """Open all but one cell without mines, and stand still; return that cell."""
    game = film.window.controller.session.game
    click(film.window, *START)
    while True:
        left = np.argwhere(~(game.board.mine_map | game.board.open_map)).tolist()
        film.after(LONGEST_MS)
        if len(left) == 1:
            return left[0][0], left[0][1]
        film.window.controller.act_at(Command.ACT, (left[0][0], left[0][1]))


def test_an_opening_shows_its_cell_at_once_and_the_rest_in_time(film: Film) -> None:
    click(film.window, *START)
    first, whole = film.glass(), truth(film)
    assert first[START] == whole[START]
    assert np.count_nonzero(first != whole) > 9
    later = film.after(LONGEST_MS / 5)
    assert 0 < np.count_nonzero(later != whole) < np.count_nonzero(first != whole)
    assert (film.after(LONGEST_MS) == whole).all()
    assert not film.board.motion.is_running


def test_after_motion_the_picture_is_that_of_a_board_without(film: Film) -> None:
    with room("30x16/99") as still:
        click(film.window, *START)
        click(still, *START)
        assert (still.board.painted_faces == truth(film)).all()
        assert film.picture() != still.board.grab().toImage()
        film.after(LONGEST_MS)
        assert film.picture() == still.board.grab().toImage()


@pytest.fixture
def painted(monkeypatch: pytest.MonkeyPatch) -> list[QRegion]:
    """The regions that boards of windows opened later paint."""
    regions: list[QRegion] = []
    paint = BoardWidget.paintEvent

    def watch(board: BoardWidget, event: QPaintEvent) -> None:
        regions.append(QRegion(event.region()))
        paint(board, event)

    monkeypatch.setattr(BoardWidget, "paintEvent", watch)
    return regions


def test_what_is_painted_piece_by_piece_is_the_whole_in_the_end(
    painted: list[QRegion], large_film: Film
) -> None:
    film = large_film
    screen = film.picture()
    painted.clear()

    def show(ms: float) -> None:
        """Paint on the screen what the board asks for, as a window does."""
        film.after(ms)
        for region in list(painted):
            film.board.render(screen, region.boundingRect().topLeft(), region)
        painted.clear()

    click(film.window, *START)
    for _ in range(10):
        show(15)
    board = film.window.controller.session.game.board
    below_numbers = board.mine_map[1:] & board.open_map[:-1]
    for row, col in np.argwhere(below_numbers).tolist():
        click(film.window, row + 1, col, RIGHT)  # the number above may fade in the same moment
        show(10)
    for _ in range(10):
        show(20)
    click(film.window, *covered_mine(film, 50))
    for _ in range(30):
        show(20)
    assert screen == film.picture()


def test_an_act_in_motion_is_judged_by_the_truth(film: Film) -> None:
    click(film.window, *START)
    hidden = np.argwhere((film.glass() == Face.COVERED) & (truth(film) == Face.COVERED))
    opened = np.argwhere((film.glass() == Face.COVERED) & (truth(film) < Face.COVERED))
    row, col = (int(at) for at in opened[-1])
    click(film.window, row, col, RIGHT)  # it looks covered still, but is open
    mine = next(
        (int(row), int(col))
        for row, col in hidden
        if film.window.controller.session.game.board.mine_map[row, col]
    )
    click(film.window, *mine, RIGHT)
    game = film.window.controller.session.game
    assert game.board.flags == 1
    assert game.board.flag_map[mine]
    assert (film.after(LONGEST_MS) == truth(film)).all()


def test_a_flag_lands_and_can_be_taken_off_in_the_air(film: Film) -> None:
    click(film.window, *START)
    film.after(LONGEST_MS)
    mine = covered_mine(film)
    click(film.window, *mine, RIGHT)
    first = film.picture()
    film.after(LANDING_MS)
    assert film.glass()[mine] == Face.FLAG
    assert film.picture() != first
    click(film.window, *mine, RIGHT)
    click(film.window, *mine, RIGHT)
    click(film.window, *mine, RIGHT)
    assert film.glass()[mine] == Face.COVERED
    assert truth(film)[mine] == Face.COVERED


def test_a_loss_shows_the_hit_mine_first(film: Film) -> None:
    click(film.window, *START)
    film.after(LONGEST_MS)
    mine = covered_mine(film, 50)
    click(film.window, *mine)
    for shown in (film.glass(), film.after(OTHER_MINES_MS - 1)):
        assert shown[mine] == Face.BLOWN
        assert not (shown == Face.MINE).any()
    assert (film.after(LOSS_MS) == truth(film)).all()


def test_a_win_is_flagged_at_once_and_shines(film: Film) -> None:
    last = play_until_one_is_left(film)
    click(film.window, *last)
    assert film.window.controller.session.game.status is Status.WON
    assert (film.glass() == truth(film)).all()
    dark = film.picture()
    film.after(WAVE_MS / 2)
    assert film.picture() != dark
    film.after(WAVE_MS / 2)
    assert film.picture() == dark
    assert not film.board.motion.is_running


def test_nothing_moves_when_a_game_is_brought_back_begun_or_resumed(film: Film) -> None:
    click(film.window, *START)
    film.after(LONGEST_MS)
    for command in (Command.PAUSE, Command.PAUSE, Command.NEW, Command.UNDO):
        film.window.run_command(command)
        assert not film.board.motion.is_running, command
        assert (film.glass() == film.window.controller.faces).all()


@pytest.mark.parametrize("why", ["preference", "system"])
def test_nothing_moves_when_it_is_switched_off(film: Film, why: str) -> None:
    if why == "preference":
        film.window.change_preferences({"motion": False})
    else:
        film.board.set_motion_reduced(True)
    click(film.window, *START)
    assert (film.glass() == truth(film)).all()
    assert not film.board.motion.is_running


def test_scrolling_and_zooming_end_all_motion(film: Film) -> None:
    click(film.window, *START)
    film.board.zoom(2, QPointF(middle(film.window, *START)))
    assert not film.board.motion.is_running
    assert (film.glass() == truth(film)).all()


def test_a_board_of_very_many_visible_cells_does_not_move() -> None:
    with room("1000x1000/1000", motion=True) as window:
        window.resize(1200, 900)
        window.board.set_cell_size_or_fit(4)
        QApplication.processEvents()
        window.controller.act_at(Command.ACT, (100, 100))
        assert not window.board.motion.is_running


def test_of_a_huge_board_only_what_is_seen_moves() -> None:
    with room("1000x1000/20000", motion=True, cell=32) as window:
        window.controller.act_at(Command.ACT, window.board.cell_at(QPointF(200, 200)))
        assert window.board.motion.is_running
        shown = window.board.painted_faces != window.controller.faces
        rows, cols = window.board.view.visible_rows_and_cols()
        seen = np.zeros(shown.shape, np.bool_)
        seen[rows.start : rows.stop, cols.start : cols.stop] = True
        assert shown.any()
        assert not (shown & ~seen).any()


def test_the_timer_runs_only_while_something_moves() -> None:
    with room("30x16/99", motion=True) as window:
        assert not window.board.motion.timer.isActive()
        click(window, *START)
        assert window.board.motion.timer.isActive()
        while window.board.motion.is_running:
            QApplication.processEvents()
        assert not window.board.motion.timer.isActive()
        assert (window.board.painted_faces == window.controller.faces).all()


# At a real display, with a real mouse


def expert(sit: Sit) -> Desk:
    return sit("expert", "--seed", "7", "--cell", "24", "--theme", "light", game=Game(EXPERT, 7))


def test_acts_during_ripples_are_all_done(sit: Sit) -> None:
    desk = expert(sit)
    desk.open(*START)
    x, y = desk.middle(0, 0)
    board = desk.game.board
    empty = (board.hint_map == 0) & ~board.mine_map & ~board.open_map
    openings = [(Verb.OPEN, row, col) for row, col in np.argwhere(empty).tolist()]
    flags = [(Verb.FLAG, row, col) for row, col in np.argwhere(board.mine_map)[:10].tolist()]
    acts = [act for pair in zip(openings, flags, strict=False) for act in pair]
    assert len(acts) == 20
    for verb, row, col in acts:  # one upon the other, without a look at the screen
        desk.hand.click(x + col * CELL, y + row * CELL, 3 if verb is Verb.FLAG else 1)
    for verb, row, col in acts:
        act = Act(desk.game.time_ms, verb, row, col)
        if desk.game.can(act):
            desk.game.play(act)
    assert board.flags == 10
    desk.expect()


def test_no_frame_shows_more_than_the_cell_that_was_clicked_without_it(sit: Sit) -> None:
    desk = expert(sit)
    x, y = desk.middle(*START)
    begun, frames = Game(EXPERT, 7), []
    begun.play(Act(0, Verb.OPEN, *START))
    desk.hand.click(x, y)
    while not desk.shows(sight(begun)):
        frames.append(desk.board()[0])
    opened = [frame for frame in frames if (frame < Face.COVERED).any()]
    assert all(frame[START] < Face.COVERED for frame in opened)


def test_win_and_loss_come_to_rest_on_a_real_screen(sit: Sit) -> None:
    desk = sit()
    desk.open(4, 4)
    desk.win()
    assert desk.game.status is Status.WON
    desk.hand.key("f2")
    desk.game = Game(BEGINNER, 8)  # not that board, but as untouched
    desk.expect()
