"""The patterns of drills, by the names that players give them: 1-2-1, reduction, 50/50, and where.

A proof is named by the numbers that it compares, less the mines that single numbers show. Numbers
that do no more than show such a mine do not count.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple, Self

import numpy as np

from demine.scene.translation import mark, tr
from demine.solver.exact.parse_board import parse_board
from demine.solver.proof.difficulty_levels import Pattern

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from demine.solver.exact.parse_board import ParsedBoard
    from demine.solver.proof.explain import Reason

    Cell = tuple[int, int]


class PatternName(StrEnum):
    """What players call a pattern, with its words for the screen.

    >>> import demine
    >>> demine.PatternName("1-2-1").words
    '1-2-1'
    """

    SINGLE = "single", mark("one number")
    ONE_ONE = "1-1", mark("1-1")
    ONE_TWO = "1-2", mark("1-2")
    ONE_TWO_ONE = "1-2-1", mark("1-2-1")
    ONE_TWO_TWO_ONE = "1-2-2-1", mark("1-2-2-1")
    REDUCTION = "reduction", mark("reduction")
    """One of these four once the known mines are taken off."""
    SUBSET = "subset", mark("subset")
    """Two numbers of another kind, of which one has cells of its own."""
    CHAIN = "chain", mark("longer chain")
    COUNT = "count", mark("mine count")
    CASES = "cases", mark("case by case")
    FIFTY_FIFTY = "50-50", mark("50/50")
    BESIDE_NUMBERS = "guess-beside", mark("guess beside numbers")
    AWAY_FROM_NUMBERS = "guess-away", mark("guess away from numbers")

    words: str

    def __new__(cls, value: str, words: str = "") -> Self:
        """Create a name from its text and its words, a message id."""
        name = str.__new__(cls, value)
        name._value_ = value
        name.words = words
        return name


class PatternPlace(StrEnum):
    """Where a pattern stands on the board.

    >>> import demine
    >>> [place.name for place in demine.PatternPlace]
    ['MIDDLE', 'EDGE', 'CORNER']
    """

    MIDDLE = ""
    EDGE = "edge"
    CORNER = "corner"


LINES: Final = (
    PatternName.ONE_ONE,
    PatternName.ONE_TWO,
    PatternName.ONE_TWO_ONE,
    PatternName.ONE_TWO_TWO_ONE,
)
"""The patterns of numbers in a line, named by what each of these still needs."""
_PLACED: Final = frozenset({*LINES, PatternName.REDUCTION, PatternName.SUBSET})
"""The patterns that look different at an edge; the others are told without a place."""
_GUESSES: Final = frozenset(
    {PatternName.FIFTY_FIFTY, PatternName.BESIDE_NUMBERS, PatternName.AWAY_FROM_NUMBERS}
)
_LONG_PROOFS: Final = frozenset({PatternName.CHAIN, PatternName.COUNT, PatternName.CASES})
_BY_LEVEL: Final = {
    Pattern.SATISFIED: PatternName.SINGLE,
    Pattern.CHAIN: PatternName.CHAIN,
    Pattern.COUNT: PatternName.COUNT,
    Pattern.CASES: PatternName.CASES,
}


class DrillPattern(NamedTuple):
    """A pattern and where it stands; `code` is its text in files, which `parse` reads.

    >>> import demine
    >>> pattern = demine.DrillPattern.parse("1-2-1/edge")
    >>> print(pattern)
    1-2-1 at an edge
    """

    name: PatternName
    place: PatternPlace = PatternPlace.MIDDLE

    @property
    def code(self) -> str:
        """The name and the place: `1-2-1/edge`, or `1-2-1` in the midst of the board."""
        return f"{self.name.value}/{self.place.value}" if self.place else self.name.value

    @property
    def is_guess(self) -> bool:
        """Whether no cell is certain in it."""
        return self.name in _GUESSES

    @property
    def is_quick(self) -> bool:
        """Whether a practised player sees it at once: one number, or two compared."""
        return self.name not in _GUESSES | _LONG_PROOFS

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the pattern of a code; raises `ValueError` for any other text."""
        name, slash, place = text.partition("/")
        if bool(slash) != bool(place):
            raise ValueError(text)
        return cls(PatternName(name), PatternPlace(place))

    def __str__(self) -> str:
        """Return it in words, in the current language: "1-2-1 at an edge"."""
        pattern = tr(self.name.words)
        if self.place is PatternPlace.EDGE:
            return tr("{pattern} at an edge", pattern=pattern)
        if self.place is PatternPlace.CORNER:
            return tr("{pattern} in a corner", pattern=pattern)
        return pattern


def all_patterns() -> tuple[DrillPattern, ...]:
    """Return every pattern that there is, in every place where it is told apart."""
    return tuple(
        DrillPattern(name, place)
        for name in PatternName
        for place in (PatternPlace if name in _PLACED else (PatternPlace.MIDDLE,))
    )


def pattern_of_proof(faces: NDArray[np.uint8], mines: int, reason: Reason) -> DrillPattern:
    """Return the pattern of a proof on a checked scene board."""
    if reason.pattern in (Pattern.SATISFIED, Pattern.COUNT, Pattern.CASES):
        return DrillPattern(_BY_LEVEL[reason.pattern])
    board = parse_board(faces, mines)
    numbers = _unsettled_numbers(board)
    core = sorted(cell for cell in reason.because if cell in numbers)
    name = _name_of_line(core, numbers)
    if name in LINES and any(numbers[cell].need != faces[cell] for cell in core):
        name = PatternName.REDUCTION
    elif name is None:
        is_chain = reason.pattern is Pattern.CHAIN or len(core) > 2
        name = PatternName.CHAIN if is_chain else PatternName.SUBSET
    return DrillPattern(name, _place(core, faces.shape) if name in _PLACED else PatternPlace.MIDDLE)


def pattern_of_guess(faces: NDArray[np.uint8], cell: Cell, risk: float) -> DrillPattern:
    """Return the pattern of a position without a proof, whose best guess has this cell and risk."""
    if abs(risk - 0.5) < _EQUAL:
        return DrillPattern(PatternName.FIFTY_FIFTY)
    row, col = cell
    around = faces[max(0, row - 1) : row + 2, max(0, col - 1) : col + 2]
    beside = bool((around <= 8).any())
    return DrillPattern(PatternName.BESIDE_NUMBERS if beside else PatternName.AWAY_FROM_NUMBERS)


_EQUAL: Final = 1e-9


class _Unsettled(NamedTuple):
    """What a number still needs, and the covered cells beside it that are not settled."""

    need: int
    cells: tuple[Cell, ...]


def _unsettled_numbers(board: ParsedBoard) -> dict[Cell, _Unsettled]:
    """Return the numbers beside cells that single numbers do not settle."""
    width = board.shape[1]
    cells: dict[int, list[int]] = {}
    for box in board.boxes:
        for number in box.numbers:
            cells.setdefault(number, []).extend(box.cells)
    return {
        divmod(number, width): _Unsettled(
            board.needs[number], tuple(divmod(cell, width) for cell in beside)
        )
        for number, beside in cells.items()
    }


def _name_of_line(core: Sequence[Cell], numbers: Mapping[Cell, _Unsettled]) -> PatternName | None:
    """Return the name of numbers that stand beside one another in a line, None if they do not.

    A 1-2 along a wall of covered cells that goes on as a 1-2-1 or a 1-2-2-1 has the longer name.
    """
    if len(core) < 2:
        return None
    (row, col), (second_row, second_col) = core[:2]
    step = second_row - row, second_col - col
    if step not in ((0, 1), (1, 0)) or any(
        cell != _moved(core[0], step, n) for n, cell in enumerate(core)
    ):
        return None
    found = _line_name(core, step, numbers)
    if found is PatternName.ONE_TWO:
        for length, first in ((4, -2), (4, -1), (4, 0), (3, -1), (3, 0)):
            line = [_moved(core[0], step, n) for n in range(first, first + length)]
            if (longer := _line_name(line, step, numbers)) is not None:
                return longer
    return found


def _line_name(
    line: Sequence[Cell], step: Cell, numbers: Mapping[Cell, _Unsettled]
) -> PatternName | None:
    """Return the name of a line of numbers by what they need, read from either end."""
    if not all(cell in numbers for cell in line):
        return None
    across = 0 if step == (0, 1) else 1
    wall = {cell[across] for each in line for cell in numbers[each].cells}
    if len(line) > 2 and len(wall) > 1:
        return None
    needs = [str(numbers[cell].need) for cell in line]
    both = ("-".join(needs), "-".join(reversed(needs)))
    return next((PatternName(text) for text in both if text in LINES), None)


def _moved(cell: Cell, step: Cell, times: int) -> Cell:
    return cell[0] + step[0] * times, cell[1] + step[1] * times


def _place(core: Sequence[Cell], shape: tuple[int, ...]) -> PatternPlace:
    """Return whether one of the numbers stands at an edge of the board, or several at two."""
    at_edge = [any(cell[axis] in (0, shape[axis] - 1) for cell in core) for axis in range(2)]
    if all(at_edge):
        return PatternPlace.CORNER
    return PatternPlace.EDGE if any(at_edge) else PatternPlace.MIDDLE
