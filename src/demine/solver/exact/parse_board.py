"""Parsing a scene board: cells that single numbers settle, and boxes of the others."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, SupportsIndex

import numpy as np

from demine.logic.neighbours import count_around, neighbours
from demine.scene.cell_faces import Face
from demine.scene.seen_position import position_of_object
from demine.solver.errors import InconsistentBoard, SceneError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import ArrayLike, NDArray

    from demine.scene.seen_position import HasPosition

_AROUND: Final = tuple((row - 1, col - 1) for row, col in neighbours(1, 1, 3, 3))


class Box(NamedTuple):
    """Covered cells that have the same neighbouring numbers; both are flat indices."""

    cells: tuple[int, ...]
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ParsedBoard:
    """A parsed scene board. Cells are flat indices, row by row.

    `covered` are the cells that show neither a number nor a mine that blew. `settled` maps the
    cells that follow from single numbers to whether they are mines. `boxes` are the other covered
    cells beside numbers, and `needs` says how many mines each number needs in them. `sea` are the
    covered cells beside no number, and `mines_left` is how many mines lie in boxes and sea
    together.
    """

    shape: tuple[int, int]
    mines: int
    covered: NDArray[np.bool_]
    settled: Mapping[int, bool]
    boxes: tuple[Box, ...]
    needs: Mapping[int, int]
    sea: NDArray[np.intp]
    mines_left: int

    @property
    def unsettled_cells(self) -> int:
        """How many cells the boxes and the sea have."""
        return int(self.sea.size) + sum(len(box.cells) for box in self.boxes)


def checked_scene(
    scene: ArrayLike | HasPosition, mines: SupportsIndex | None = None
) -> tuple[NDArray[np.uint8], int]:
    """Return a scene board as a uint8 array and its number of mines as an int.

    A game tells both itself, a diagram may tell the mines, an array needs them. Raises `SceneError`
    if they are not those of a running game, in which a mine that blew may have been forgiven: wrong
    shape, type or face, or an impossible number of mines.
    """
    position = position_of_object(scene, mines)
    if position is not None:
        if mines is not None and not isinstance(scene, str):
            raise SceneError("a game tells its number of mines itself")
        scene, mines, *_ = position
    if mines is None:
        raise SceneError("a scene needs the number of mines of its board")
    try:
        faces = np.asarray(scene)
    except (TypeError, ValueError):
        raise SceneError("a scene is a table of faces, all its rows of the same length") from None
    if faces.ndim != 2 or 0 in faces.shape:
        raise SceneError(
            "a scene has the shape (height, width), not {shape}", shape=tuple(faces.shape)
        )
    if faces.dtype.kind not in "iu":
        raise SceneError("a scene holds whole numbers, not {dtype}", dtype=faces.dtype)
    strange = (faces < Face.ZERO) | (faces > Face.QUESTION) & (faces != Face.BLOWN)
    if strange.any():
        raise _bad_face_error(faces, int(np.flatnonzero(strange)[0]))
    return np.ascontiguousarray(faces, dtype=np.uint8), _checked_mines(mines, faces.size)


def checked_covered_cell(
    cell: tuple[SupportsIndex, SupportsIndex], faces: NDArray[np.uint8]
) -> tuple[int, int]:
    """Return a cell as integers; raises `SceneError` unless it is a covered one of `faces`."""
    height, width = faces.shape
    try:
        row, col = map(operator.index, cell)
    except (TypeError, ValueError):
        raise SceneError("a cell is a row and a column, not {cell!r}", cell=cell) from None
    if not (0 <= row < height and 0 <= col < width):
        raise SceneError(
            "row {row}, column {col} is outside the {width}x{height} board",
            row=row,
            col=col,
            width=width,
            height=height,
        )
    if faces[row, col] < Face.COVERED or faces[row, col] == Face.BLOWN:
        raise SceneError("row {row}, column {col} is open already", row=row, col=col)
    return row, col


def _bad_face_error(faces: NDArray[np.integer], place: int) -> SceneError:
    row, col = divmod(place, faces.shape[1])
    value = int(faces[row, col])
    if not Face.ZERO <= value <= Face.WRONG:
        return SceneError(
            "row {row}, column {col} holds {value}, which is not a face",
            row=row,
            col=col,
            value=value,
        )
    return SceneError(
        "row {row}, column {col} shows {face}: this game has ended",
        row=row,
        col=col,
        face=Face(value).name,
    )


def _checked_mines(mines: SupportsIndex, cells: int) -> int:
    try:
        number = operator.index(mines)
    except TypeError:
        raise SceneError("{mines!r} is not a number of mines", mines=mines) from None
    if not 0 <= number <= cells or isinstance(mines, bool | np.bool_):
        raise SceneError("{mines!r} mines cannot lie in {cells} cells", mines=mines, cells=cells)
    return number


def parse_board(faces: NDArray[np.uint8], mines: int) -> ParsedBoard:
    """Parse a checked scene board; flags and question marks are read as covered cells.

    Raises `InconsistentBoard` if settling by single numbers leads to a contradiction.
    """
    covered = covered_map(faces)
    covered_beside = covered_neighbours_of_numbers(faces, covered)
    needs = mines_needed(faces, covered_beside)
    numbers_beside = numbers_beside_cells(covered_beside)
    settled = settle_by_single_numbers(faces, covered_beside, needs, numbers_beside)
    sea = np.flatnonzero(covered)
    if numbers_beside:
        shore = np.fromiter(numbers_beside, np.intp, len(numbers_beside))
        sea = np.setdiff1d(sea, shore, assume_unique=True)
    return ParsedBoard(
        shape=(faces.shape[0], faces.shape[1]),
        mines=mines,
        covered=covered,
        settled=settled,
        boxes=group_into_boxes(numbers_beside, settled),
        needs=needs,
        sea=sea,
        mines_left=mines - blown_count(faces) - sum(settled.values()),
    )


def covered_map(faces: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return the cells that are neither open nor blown, whatever mark is on them, as a bool map."""
    covered: NDArray[np.bool_] = (faces >= Face.COVERED) & (faces != Face.BLOWN)
    return covered


def blown_count(faces: NDArray[np.uint8]) -> int:
    """Return how many mines blew and were forgiven."""
    return int(np.count_nonzero(faces == Face.BLOWN))


def mines_needed(faces: NDArray[np.uint8], numbers: Iterable[int]) -> dict[int, int]:
    """Return how many mines each of these numbers needs besides those that blew beside it."""
    found = count_around(faces == Face.BLOWN).reshape(-1)
    return {number: int(faces.flat[number]) - int(found[number]) for number in numbers}


def covered_neighbours_of_numbers(
    faces: NDArray[np.uint8], covered: NDArray[np.bool_]
) -> dict[int, list[int]]:
    """Return the covered neighbours of each opened cell that has any, all as flat indices.

    Raises `InconsistentBoard` if an opened cell shows a number that its neighbours cannot have.
    """
    height, width = covered.shape
    around = count_around(covered)
    numbers = faces < Face.COVERED
    found = count_around(faces == Face.BLOWN)
    wrong = numbers & ((faces > around + found) | (faces < found))
    if wrong.any():
        raise contradiction_error(faces, int(np.flatnonzero(wrong)[0]))
    # A rim of opened cells, so that no cell has to be checked for being at the edge.
    stride = width + 2
    padded = np.zeros((height + 2, stride), dtype=np.bool_)
    padded[1:-1, 1:-1] = covered
    hidden = padded.tobytes()
    steps = [(row * stride + col, row * width + col) for row, col in _AROUND]
    rows, cols = np.nonzero(numbers & (around > 0))
    places = zip(
        ((rows + 1) * stride + cols + 1).tolist(), (rows * width + cols).tolist(), strict=True
    )
    return {
        number: [number + step for wide, step in steps if hidden[place + wide]]
        for place, number in places
    }


def numbers_beside_cells(covered_beside: Mapping[int, Iterable[int]]) -> dict[int, list[int]]:
    """Return the numbers beside each cell, given the covered cells beside each number."""
    numbers_beside: dict[int, list[int]] = {}
    for number, cells in covered_beside.items():
        for cell in cells:
            numbers_beside.setdefault(cell, []).append(number)
    return numbers_beside


def settle_by_single_numbers(
    faces: NDArray[np.uint8],
    covered_beside: Mapping[int, list[int]],
    needs: dict[int, int],
    numbers_beside: Mapping[int, list[int]],
) -> dict[int, bool]:
    """Return the cells that single numbers settle, and whether each is a mine.

    Settled mines are subtracted from `needs`. Raises `InconsistentBoard` at a contradiction.
    """
    settled: dict[int, bool] = {}
    space = {number: len(cells) for number, cells in covered_beside.items()}
    waiting = list(covered_beside)
    while waiting:
        number = waiting.pop()
        need = needs[number]
        if not 0 <= need <= space[number]:
            raise contradiction_error(faces, number)
        if not space[number] or 0 < need < space[number]:
            continue
        is_mine = need > 0
        for cell in covered_beside[number]:
            if cell not in settled:
                settled[cell] = is_mine
                for other in numbers_beside[cell]:
                    space[other] -= 1
                    needs[other] -= is_mine
                    waiting.append(other)
    return settled


def group_into_boxes(
    numbers_beside: Mapping[int, Iterable[int]], settled: Mapping[int, bool]
) -> tuple[Box, ...]:
    """Group the cells that are not settled into boxes."""
    together: dict[tuple[int, ...], list[int]] = {}
    for cell, numbers in numbers_beside.items():
        if cell not in settled:
            together.setdefault(tuple(numbers), []).append(cell)
    return tuple(Box(tuple(cells), numbers) for numbers, cells in together.items())


def contradiction_error(faces: NDArray[np.uint8], number: int) -> InconsistentBoard:
    """Return the error for a number, given as a flat index, that cannot be satisfied."""
    row, col = divmod(number, faces.shape[1])
    return InconsistentBoard(
        "the {number} at row {row}, column {col} cannot be satisfied",
        number=int(faces.flat[number]),
        row=row,
        col=col,
    )
