"""Puzzles to solve on paper: boards with certain mines, and moments of guess-free games."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from demine.boards import make
from demine.logic.errors import DemineError
from demine.logic.neighbours import count_around
from demine.logic.rules import Rules
from demine.scene.cell_faces import Face
from demine.scene.overlay import Mark, Overlay
from demine.scene.translation import mark
from demine.solver.errors import TooComplex
from demine.solver.exact.deduce import deduce
from demine.solver.proof.cell_levels import grade_cells
from demine.solver.proof.explain import explain
from demine.solver.proof.rating import prove_step_by_step, rate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from demine.solver.proof.difficulty_levels import Pattern
    from demine.solver.proof.explain import Reason

TRIES: Final = 400
"""How many layouts are looked at for one puzzle, on average."""


MOST_COLUMNS: Final = 30
MOST_ROWS: Final = 36
"""The largest board whose cells are large enough to write in on a page."""
MOST_REASONS: Final = 8
"""Of how many proofs the shortest is printed."""


class BookError(DemineError, ValueError):
    """A book that cannot be made; the message says why.

    >>> from demine.books.puzzles import BookError
    >>> print(BookError("{n} puzzles are too many", n=9))
    9 puzzles are too many
    """


class PuzzleKind(StrEnum):
    """What is asked of the reader."""

    BOARDS = "boards"
    """Find every mine: some numbers are shown, and all covered cells follow from them."""
    POSITIONS = "positions"
    """Find a safe cell in a game that needs no guess."""

    @property
    def task(self) -> str:
        """What to do, as a message id."""
        return _TASKS[self]


_TASKS = {
    PuzzleKind.BOARDS: mark(
        "Find all mines. Every cell follows from the numbers; no guess is needed."
    ),
    PuzzleKind.POSITIONS: mark("Find a cell that is certainly safe, and say why."),
}


class Solution(NamedTuple):
    """The scene of a solved puzzle, uint8 (height, width) of `Face`, and its hardest step."""

    faces: NDArray[np.uint8]
    reason: Reason

    @property
    def marks(self) -> Overlay:
        """What the hardest step looks at, and the cell that it proves."""
        reason = self.reason
        marks = Overlay.empty((self.faces.shape[0], self.faces.shape[1]))
        if (self.faces == Face.COVERED).any():
            marks = marks.with_marks(Mark.ABOUT, reason.cells)
        marks = marks.with_marks(Mark.BECAUSE, reason.because)
        return marks.with_marks(Mark.SAFE if reason.safe else Mark.MINE, [reason.cell])


@dataclass(frozen=True, eq=False)
class Puzzle:
    """A puzzle and its solution.

    `faces` is uint8 (height, width) of `Face`: what is printed. `mines` is the mine count, which
    the reader is told. `seed` makes the same layout again.
    """

    faces: NDArray[np.uint8]
    mines: int
    seed: int
    solution: Solution


class BookPlan(NamedTuple):
    """What a book has: so many puzzles of a kind, by rules, whose hardest step is of a pattern.

    The same plan makes the same book; `paper` is "a4" or "letter".
    """

    kind: PuzzleKind
    rules: Rules
    pattern: Pattern
    puzzle_count: int
    seed: int
    paper: str

    @property
    def command(self) -> str:
        """The command that makes the same book."""
        return (
            f"demine book {self.rules} --kind {self.kind} --rating {self.pattern} "
            f"-n {self.puzzle_count} --seed {self.seed} --paper {self.paper}"
        )


def checked_rules(text: str) -> Rules:
    """Return the rules of puzzles; raises `RulesError`, and `BookError` where paper is too small.

    What only matters in play, such as the first click, is left out.
    """
    rules = Rules.parse(text)
    if not (rules.width <= MOST_COLUMNS and rules.height <= MOST_ROWS and rules.mines):
        raise BookError(
            "a board in a book has at most {columns} columns and {rows} rows, and a mine",
            columns=MOST_COLUMNS,
            rows=MOST_ROWS,
        )
    return Rules(rules.width, rules.height, rules.mines)


def find_puzzles(
    plan: BookPlan, tried: Callable[[int], object] = lambda _: None
) -> Iterator[Puzzle]:
    """Yield the puzzles of a book.

    `tried` is told how many layouts did not do since the last puzzle. Raises `BookError` if a
    puzzle takes more than `TRIES` layouts on average, those of the puzzles before it included:
    a rare kind comes at long and short intervals.
    """
    next_seed = plan.seed
    for number in range(1, plan.puzzle_count + 1):
        puzzle = _next_puzzle(plan, range(next_seed, plan.seed + number * TRIES), tried)
        next_seed = puzzle.seed + 1
        yield puzzle


def _next_puzzle(plan: BookPlan, seeds: range, tried: Callable[[int], object]) -> Puzzle:
    make_puzzle = _MAKERS[plan.kind]
    for failed, seed in enumerate(seeds, 1):
        try:
            puzzle = make_puzzle(plan.rules, plan.pattern, seed)
        except TooComplex:  # so it would be for a reader
            puzzle = None
        if puzzle is not None:
            return puzzle
        tried(failed)
    raise BookError(
        "no puzzle {rules} with the rating {rating} in {tries} boards",
        rules=str(plan.rules),
        rating=plan.pattern.value,
        tries=len(seeds),
    )


def _board_puzzle(rules: Rules, pattern: Pattern, seed: int) -> Puzzle | None:
    """Return a board with as few numbers as its pattern allows, or None if it became easier."""
    mine_map = make(rules, seed)
    faces = np.where(mine_map, np.uint8(Face.COVERED), count_around(mine_map)).astype(np.uint8)
    if not _all_follow(faces, rules.mines, pattern):
        return None
    shown = np.flatnonzero(~mine_map)
    for cell in np.random.Generator(np.random.PCG64(seed)).permutation(shown).tolist():
        number = faces.flat[cell]
        faces.flat[cell] = Face.COVERED
        if not _all_follow(faces, rules.mines, pattern):
            faces.flat[cell] = number
    grades = grade_cells(faces, rules.mines)
    hardest = [cell for cell, grade in grades.items() if grade.level == pattern.level]
    reason = _shortest_reason(faces, rules.mines, hardest, pattern)
    if reason is None:
        return None
    solved = np.where(mine_map, np.uint8(Face.MINE), count_around(mine_map)).astype(np.uint8)
    return Puzzle(faces, rules.mines, seed, Solution(solved, reason))


def _shortest_reason(
    faces: NDArray[np.uint8], mines: int, cells: list[int], pattern: Pattern
) -> Reason | None:
    """Return the shortest of some proofs of a pattern that a cell is certain, or None."""
    width = faces.shape[1]
    found: list[Reason] = []
    for cell in sorted(cells):
        reason = explain(faces, mines, divmod(cell, width))
        # The smallest proof of a cell may be of fewer numbers but harder than need be.
        found += [reason] if reason.pattern is pattern else []
        if len(found) == MOST_REASONS:
            break
    return min(found, key=lambda one: len(one.because), default=None)


def _all_follow(faces: NDArray[np.uint8], mines: int, pattern: Pattern) -> bool:
    """Return whether all covered cells are certain, by steps no harder than a pattern."""
    covered = int(np.count_nonzero(faces == Face.COVERED))
    try:
        certain = deduce(faces, mines)
        if int(certain.safe.sum() + certain.mines.sum()) < covered:
            return False
        return len(grade_cells(faces, mines, pattern.level)) == covered
    except TooComplex:
        return False


def _position_puzzle(rules: Rules, pattern: Pattern, seed: int) -> Puzzle | None:
    """Return the first moment of a guess-free game at which nothing easier than a pattern helps."""
    first = rules.height // 2, rules.width // 2
    mine_map = make(rules, seed, first, guess_free=True)
    # A rating costs a tenth of the proofs, and most boards need no such step.
    if pattern not in rate(mine_map, first).times:
        return None
    numbers = count_around(mine_map).astype(np.uint8)
    faces = np.full(mine_map.shape, Face.COVERED, np.uint8)
    for step in prove_step_by_step(mine_map, first):
        if step.reason is not None and step.reason.pattern is pattern:
            return Puzzle(faces, rules.mines, seed, Solution(faces, step.reason))
        for cell in step.opened:
            faces[cell] = numbers[cell]
    return None


_MAKERS = {PuzzleKind.BOARDS: _board_puzzle, PuzzleKind.POSITIONS: _position_puzzle}
