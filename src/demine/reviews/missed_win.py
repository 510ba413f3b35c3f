"""The missed win of a lost game: since when no guess was needed to win it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from demine.logic.board_state import Board, board_after_events, board_events_not_undone
from demine.logic.event import Act, Lay, Verb
from demine.logic.game import Status
from demine.reviews.positions import OPENING
from demine.reviews.review_result import MissedWin
from demine.scene.sight import sight_while_running
from demine.solver.errors import TooComplex
from demine.solver.exact.probability import mine_probability

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from demine.logic.game import BaseGame
    from demine.logic.rules import Rules


def missed_win(game: BaseGame) -> MissedWin | None:
    """Return from when on a lost game could be won without guessing; None if it never could.

    Once no guess is needed none will be, so the moment is found by bisection. Undone acts are left
    out. In a position that is too complex to solve a guess counts as needed.
    """
    if game.status is not Status.LOST:
        return None
    standing = board_events_not_undone(game.events)
    ends = [at for at, event in enumerate(standing) if _is_opening_act(event)]
    if not game.resigned:
        last = ends.pop()
        standing = standing[:last]
    if not ends or not _logic_alone_wins(game.rules, standing):
        return None
    low, high = 0, len(ends) - 1
    while low < high:
        middle = (low + high) // 2
        if _logic_alone_wins(game.rules, standing[: ends[middle] + 1]):
            high = middle
        else:
            low = middle + 1
    board = board_after_events(game.rules, standing)
    left = ~(board.open_map | board.mine_map)
    certain = _provably_safe_cells(board)[left]
    return MissedWin(standing[ends[low]].t, int(np.count_nonzero(left)), bool(certain.all()))


def _is_opening_act(event: Act | Lay) -> bool:
    return isinstance(event, Act) and event.verb in OPENING


def _logic_alone_wins(rules: Rules, events: Sequence[Act | Lay]) -> bool:
    """Whether opening only proven cells clears the board after these events."""
    board = _without_notes(board_after_events(rules, events))
    while board.opened < rules.safe_cells:
        try:
            safe = _provably_safe_cells(board)
        except TooComplex:
            return False
        if not board.opened or not safe.any():
            return False
        _open_cells(board, safe)
    return True


def _without_notes(board: Board) -> Board:
    """Return the board with the same open cells and without flags, which would block opening."""
    clean = Board(board.rules)
    clean.apply_unless_refused(Lay(0, board.mine_map))
    _open_cells(clean, board.open_map)
    return clean


def _open_cells(board: Board, cells: NDArray[np.bool_]) -> None:
    for row, col in np.argwhere(cells & ~board.open_map).tolist():
        board.apply_unless_refused(Act(0, Verb.OPEN, row, col))


def _provably_safe_cells(board: Board) -> NDArray[np.bool_]:
    safe: NDArray[np.bool_] = mine_probability(sight_while_running(board), board.rules.mines) == 0.0
    return safe
