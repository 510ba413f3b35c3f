"""The sight of a game: what the player sees, derived from the true board here alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from demine.logic.errors import NotAGame
from demine.logic.event import Act
from demine.logic.game import BaseGame, Status
from demine.scene.cell_faces import Face

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from demine.logic.board_state import Board
    from demine.logic.game import Cell

_COVERED, _FLAG, _QUESTION, _BLOWN = map(int, (Face.COVERED, Face.FLAG, Face.QUESTION, Face.BLOWN))


def sight(game: BaseGame) -> NDArray[np.uint8]:
    """Return what the player sees: a new uint8 array of `Face`, shape (height, width).

    A running game shows no mines but those that only cost a life, and a paused game shows nothing.
    A won board is flagged; a lost one shows all mines, those that blew, and the wrong flags.

    >>> import demine
    >>> demine.sight(demine.Game("3x1/1")).tolist()
    [[9, 9, 9]]
    """
    if not isinstance(game, BaseGame):
        raise NotAGame.of(game)
    return sight_of_board(game.board, game.status)


def sight_of_board(board: Board, status: Status) -> NDArray[np.uint8]:
    """Return what the player sees of a board in a game of this status, as `sight` does."""
    if status is Status.PAUSED:
        return np.full(board.rules.shape, Face.COVERED, dtype=np.uint8)
    faces = sight_while_running(board)
    if status is Status.WON:
        faces[board.mine_map & (faces != Face.BLOWN)] = Face.FLAG
    elif status is Status.LOST:
        _uncover(faces, board)
    return faces


def cell_to_resume_at(game: BaseGame) -> Cell | None:
    """Return the (row, col) of the last act, to show first when a game is resumed.

    None for a game that is over, or has no act yet.
    """
    return None if game.status.over else last_acted_cell(game)


def last_acted_cell(game: BaseGame) -> Cell | None:
    """Return the (row, col) of the last act at a cell; None before the first."""
    acts = (event for event in reversed(game.events) if isinstance(event, Act) and event.row >= 0)
    last = next(acts, None)
    return None if last is None else (last.row, last.col)


def sight_while_running(board: Board) -> NDArray[np.uint8]:
    """Return what the player sees of a board in a running game, as `sight` does."""
    faces = np.where(board.open_map, board.hint_map, np.uint8(Face.COVERED))
    if board.flags:
        faces[board.flag_map] = Face.FLAG
    faces[board.question_map] = Face.QUESTION
    if board.rules.lives > 1:
        _show_blown(faces, board)
    return faces


def faces_of_cells(board: Board, cells: Iterable[int]) -> list[int]:
    """Return what the player sees of some cells, `row * width + col`, while a game is running.

    That is what `sight_while_running` has there; for a few cells it takes a tenth of the time.
    """
    width = board.rules.width
    blown = {row * width + col for row, col in board.blown}
    # The same is called for a mine as for a number, so that neither takes longer.
    return [_face_of(cell in blown, *board.cell_state(cell)) for cell in cells]


def _face_of(is_blown: bool, is_open: int, hint: int, flag: int, question: int) -> int:
    if is_blown:
        return _BLOWN
    if is_open:
        return hint
    return _FLAG if flag else _QUESTION if question else _COVERED


def _uncover(faces: NDArray[np.uint8], board: Board) -> None:
    faces[board.mine_map & ~board.flag_map] = Face.MINE
    faces[board.flag_map & ~board.mine_map] = Face.WRONG
    _show_blown(faces, board)


def _show_blown(faces: NDArray[np.uint8], board: Board) -> None:
    for row, col in board.blown:
        faces[row, col] = Face.BLOWN
