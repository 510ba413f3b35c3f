"""Enumerating all guess-free layouts of some rules, where few layouts among very many are.

Layouts that look the same are gone through together: from what is open all that is proven safe
is opened, whatever it may show. Where nothing is, none of these layouts is guess-free. So the cost
is how many boards are seen on the way, not how many layouts there are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from demine.logic.neighbours import count_around
from demine.logic.rules import First
from demine.scene.cell_faces import Face
from demine.solver.errors import InconsistentBoard, TooComplex
from demine.solver.exact.deduce import deduce

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from demine.logic.rules import Rules
    from demine.solver.exact.prepared_position import CertainCells


def enumerate_guess_free(
    rules: Rules, first: tuple[int, int], max_scenes: int
) -> Iterator[list[NDArray[np.bool_]] | None]:
    """Go through up to `max_scenes` scene boards: yield None for each, then all guess-free layouts.

    If there are more scene boards, the last is missing. What is too complex counts as a guess; if
    none but such might be guess-free, the last is missing too.
    """
    covered = np.full(rules.shape, Face.COVERED, np.uint8)
    found: list[NDArray[np.bool_]] = []
    sure = True
    waiting = list(
        _scenes_with_numbers(covered, first, range(1 if rules.first is First.ZERO else 9))
    )
    while waiting:
        if not max_scenes:
            return
        max_scenes -= 1
        yield None
        faces = waiting.pop()
        try:
            known = deduce(faces, rules.mines)
        except InconsistentBoard:
            continue
        except TooComplex:
            sure = False
            continue
        if known.safe.any():
            waiting.extend(_next_scenes(faces, known))
        elif np.count_nonzero(faces == Face.COVERED) == rules.mines:
            found.append(known.mines)
    if found or sure:
        yield found


def _next_scenes(faces: NDArray[np.uint8], known: CertainCells) -> Iterator[NDArray[np.uint8]]:
    """Yield what may be seen next: the safe cells of known number opened, and one of the others."""
    least = count_around(known.mines)
    open_to = count_around((faces == Face.COVERED) & ~known.safe & ~known.mines)
    told = known.safe & (open_to == 0)
    faces = np.where(told, least, faces).astype(np.uint8)
    rest = np.flatnonzero(known.safe & ~told)
    if not rest.size:
        yield faces
        return
    at = int(rest[np.argmin(open_to.flat[rest])])
    cell = divmod(at, faces.shape[1])
    yield from _scenes_with_numbers(
        faces, cell, range(least[cell], least[cell] + open_to[cell] + 1)
    )


def _scenes_with_numbers(
    faces: NDArray[np.uint8], cell: tuple[int, int], numbers: range
) -> Iterator[NDArray[np.uint8]]:
    """Yield a copy of the board with each of these numbers in a cell."""
    for number in numbers:
        shown = faces.copy()
        shown[cell] = number
        yield shown
