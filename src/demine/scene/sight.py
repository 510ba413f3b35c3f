"""The only bridge from truth to sight."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from demine.logic.game import Status
from demine.scene.face import Face

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demine.logic.board import Board
    from demine.logic.game import Game


def sight(game: Game) -> NDArray[np.uint8]:
    """Return what the player sees: a new uint8 array of `Face`, shape `(height, width)`.

    A running game never shows a mine, a paused one shows nothing. A won board is flagged; a lost
    one shows the mines, the one that blew and the flags that were wrong.
    """
    status = game.status
    if status is Status.PAUSED:
        return np.full(game.rules.shape, Face.COVERED, dtype=np.uint8)
    faces = _running(game.board)
    if status is Status.WON:
        faces[game.board.mine_map] = Face.FLAG
    elif status is Status.LOST:
        _uncover(faces, game.board)
    return faces


def _running(board: Board) -> NDArray[np.uint8]:
    faces = np.where(board.open_map, board.hint_map, np.uint8(Face.COVERED))
    if board.flags:
        faces[board.flag_map] = Face.FLAG
    faces[board.question_map] = Face.QUESTION
    return faces


def _uncover(faces: NDArray[np.uint8], board: Board) -> None:
    faces[board.mine_map & ~board.flag_map] = Face.MINE
    faces[board.flag_map & ~board.mine_map] = Face.WRONG
    for row, col in board.blown:
        faces[row, col] = Face.BLOWN
