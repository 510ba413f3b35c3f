"""Enumerating all guess-free layouts of some rules where such layouts are very rare.

Layouts that look the same to the player are searched together. Every cell that is proven safe is
opened, once for each number that it may show; where no cell is proven safe, none of the layouts
that look like this is guess-free. So the cost grows with the number of scene boards that can be
reached, not with the number of layouts.
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
    from typing import TypeAlias

    from numpy.typing import NDArray

    from demine.logic.rules import Rules
    from demine.solver.exact.prepared_position import CertainCells

    AllGuessFreeLayouts: TypeAlias = list[NDArray[np.bool_]]


def enumerate_guess_free(
    rules: Rules, first: tuple[int, int], max_scenes: int
) -> Iterator[AllGuessFreeLayouts | None]:
    """Yield None for each scene board searched, and at the end the list of all guess-free layouts.

    The list is missing if there are more than `max_scenes` scene boards. A board that is too
    complex for `deduce` counts as one that needs a guess; if there was such a board and no layout
    was found, the list is missing too.
    """
    covered = np.full(rules.shape, Face.COVERED, np.uint8)
    found: AllGuessFreeLayouts = []
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
    """Yield the scene boards that may follow when safe cells are opened.

    All safe cells whose number is known are opened, and one of the others with every number that it
    may show.
    """
    least = count_around(known.mines)
    undecided = count_around((faces == Face.COVERED) & ~known.safe & ~known.mines)
    number_known = known.safe & (undecided == 0)
    faces = np.where(number_known, least, faces).astype(np.uint8)
    rest = np.flatnonzero(known.safe & ~number_known)
    if not rest.size:
        yield faces
        return
    at = int(rest[np.argmin(undecided.flat[rest])])
    cell = divmod(at, faces.shape[1])
    yield from _scenes_with_numbers(
        faces, cell, range(least[cell], least[cell] + undecided[cell] + 1)
    )


def _scenes_with_numbers(
    faces: NDArray[np.uint8], cell: tuple[int, int], numbers: range
) -> Iterator[NDArray[np.uint8]]:
    """Yield one copy of the board for each of these numbers, shown in the cell."""
    for number in numbers:
        shown = faces.copy()
        shown[cell] = number
        yield shown
