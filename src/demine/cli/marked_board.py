"""Boards on which some cells are marked by brackets: the answer, what proves it, and a mistake."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from demine.cli.board_grid import (
    CUT_UNLESS_ALL,
    StyledText,
    format_sign_grid,
    format_word_grid,
    width_of_words,
)
from demine.scene.diagram import FACE_LETTERS

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    Cell = tuple[int, int]

UNMARKED, BECAUSE, ANSWER, MISTAKE = "  ", "()", "[]", "!!"
"""What stands around a cell: nothing, or the brackets of a mark; a later mark comes before."""
STYLES: Final = {UNMARKED: "", BECAUSE: "1;36", ANSWER: "1;32", MISTAKE: "1;31"}
"""The ANSI style of each mark; an answer that is a guess has `GUESS_STYLE`."""
GUESS_STYLE: Final = "1;33"
_FADED: Final = "2"
_ORDER: Final = tuple(STYLES)


def format_marked_board(
    faces: NDArray[np.uint8],
    marks: Mapping[Cell, str],
    width: int | None,
    near: int,
    *,
    colour: bool,
    is_guess: bool = False,
    faded: NDArray[np.bool_] | None = None,
    cut_note: str = CUT_UNLESS_ALL,
) -> list[str]:
    """Return a board with brackets around marked cells, under and beside the cells' numbers.

    Where it is wider than `width`, neighbours that are marked alike share their brackets, and the
    columns around the column `near` are shown. Cells of `faded` are dim where there is colour.
    `cut_note` is that of `format_sign_grid`.
    """
    styles = STYLES | ({ANSWER: GUESS_STYLE} if is_guess else {})
    rows = [
        [marks.get((row, col), UNMARKED) for col in range(faces.shape[1])]
        for row in range(faces.shape[0])
    ]

    def styled(cell: Cell, mark: str, letter: str) -> StyledText:
        dim = faded is not None and faded[cell] and mark == UNMARKED
        return StyledText(letter, _FADED if dim else styles[mark])

    signs = [
        [styled((row, col), mark, FACE_LETTERS[faces[row, col]]) for col, mark in enumerate(found)]
        for row, found in enumerate(rows)
    ]
    words = [
        [sign._replace(text=mark[0] + sign.text + mark[1]) for sign, mark in zip(*row, strict=True)]
        for row in zip(signs, rows, strict=True)
    ]
    if width is None or width_of_words(words) <= width:
        return format_word_grid(words, colour=colour)
    gaps = [
        [
            StyledText(text, styles[mark])
            for text, mark in (
                _bracket_between(left, right)
                for left, right in pairwise([UNMARKED, *row, UNMARKED])
            )
        ]
        for row in rows
    ]
    return format_sign_grid(signs, gaps, width, near, colour=colour, cut_note=cut_note)


def _bracket_between(left: str, right: str) -> tuple[str, str]:
    """Return what stands between two cells with these marks, and the mark it belongs to."""
    if left == right:
        return " ", UNMARKED
    mark = max(left, right, key=_ORDER.index)
    return (mark[0] if right == mark else mark[1]), mark
