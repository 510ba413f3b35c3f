"""Share codes by way of the system's clipboard, from one window to another."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from demine.logic.game import Game
from demine.scene.face import Face
from tests.classic.desk import Kind, Table
from tests.hand import wait_for

Sit = Callable[..., Table]
BOARD = Kind("12x8/12", 3)


def test_a_board_goes_from_window_to_window(sit: Sit) -> None:
    one = sit(*BOARD.options, game=BOARD.game())
    one.open(4, 4)
    one.hand.key("ctrl+c")
    wait_for(lambda: one.says("Share code copied"), "the word about it")
    window = one.hand.window
    assert window is not None
    two = sit("beginner", "--seed", "7", "--cell", "24", "--new", besides=[window.id])
    two.hand.key("ctrl+o")
    two.game = Game.from_share(one.game.share())
    covered = np.full(two.game.rules.shape, Face.COVERED, np.uint8)
    covered[4, 4] = 255  # the ring of the cell to begin with
    wait_for(lambda: two.shows(covered), "the board that was shared")
    two.open(4, 4)
    row, col = np.argwhere(two.game.board.mine_map)[0]
    two.flag(int(row), int(col))


def test_without_a_board_there_is_nothing_to_copy(sit: Sit) -> None:
    table = sit(*BOARD.options, game=BOARD.game())
    words = table.words()
    table.hand.key("ctrl+c")
    wait_for(lambda: bool((table.words() != words).any()), "why nothing was copied")
    assert not table.says("Share code copied")
    table.open(4, 4)
    table.hand.key("ctrl+c")
    wait_for(lambda: table.says("Share code copied"), "the word about it")
    table.hand.key("ctrl+o")
    table.game = Game.from_share(table.game.share())
    table.open(4, 4)


def test_a_clipboard_without_a_code_is_told(sit: Sit) -> None:
    table = sit()
    table.open(4, 4)
    table.hand.key("ctrl+o")
    wait_for(lambda: table.says("No share code in the clipboard"), "the word about it")
    row, col = np.argwhere(table.game.board.mine_map)[0]
    table.flag(int(row), int(col))
