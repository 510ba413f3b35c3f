"""Daily boards in the small window: the key, the menu, the board, and the line in the clipboard."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from demine.logic.daily_board import Daily
from demine.logic.event import Lay
from demine.scene.face import Face
from demine.solver.deal.make import make
from demine.store.daily import today
from tests.classic.desk import Table
from tests.hand import wait_for

Sit = Callable[..., Table]


def test_a_daily_board_is_chosen_and_begins_at_its_cell(sit: Sit) -> None:
    table = sit("beginner", "--new", "--cell", "24")
    words = table.words()
    table.hand.key("d")
    wait_for(lambda: bool((table.words() != words).any()), "the menu")
    table.hand.key("1")
    board = Daily(today(), "beginner")
    table.game = board.game()
    table.game.lay(Lay(0, make(board.rules, board.seed, board.start)))
    covered = np.full(board.rules.shape, Face.COVERED, np.uint8)
    covered[board.start] = 255  # the ring of the cell to begin with
    wait_for(lambda: table.shows(covered), "the board of the day")
    table.hand.key("shift+d")
    wait_for(
        lambda: table.says("There is no result of a daily board yet"), "that there is no result"
    )
    table.open(*board.start)
