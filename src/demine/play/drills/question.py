"""A drill as it is asked: on a board that is rotated or mirrored, with its answer and its proof."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from demine.logic.json_text import ToJson
from demine.logic.neighbours import count_around
from demine.logic.rules import Rules
from demine.play.drills.find_or_make import DrillError
from demine.play.drills.made_games import is_made
from demine.play.drills.patterns import PatternName
from demine.scene.board_turn import turned, turned_cell
from demine.scene.cell_faces import Face
from demine.scene.cell_names import cell_name
from demine.scene.diagram import format_scene
from demine.scene.overlay import Mark, Overlay
from demine.scene.translation import ntr, tr
from demine.solver.exact.parse_board import (
    covered_map,
    covered_neighbours_of_numbers,
    numbers_beside_cells,
)
from demine.solver.exact.probability import mine_probability
from demine.solver.hint import explain_if_feasible, format_trimmed_percent, join_sentences
from demine.solver.player.choose_cell import EQUAL_WITHIN, best_move_by_probability
from demine.solver.win_chances import exact_win_chances

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from demine.play.drills.drill import Drill
    from demine.solver.proof.explain import Reason

    Cell = tuple[int, int]


@dataclass(frozen=True, eq=False)
class DrillSolution(ToJson):
    """The answer of a question, on the board as it is asked.

    `right` are the cells of which any is a right answer: all that are proven safe, or the best
    guesses. It is empty if nothing is proven and the right answer is that it is a guess. `cell` is
    the one to show, and `reason` why it is safe; None for a guess, and where that takes too much
    work to find. `risk` is how likely it is a mine, `win` how likely the game is won with it, if
    that is known exactly.

    >>> import demine
    >>> drill = demine.drills("9x9/10", seed=1)[0]
    >>> solution = demine.DrillQuestion(drill).solution
    >>> solution.cell in solution.right, solution.risk
    (True, 0.0)
    """

    right: frozenset[Cell]
    cell: Cell
    reason: Reason | None
    risk: float
    win: float | None = None

    def __str__(self) -> str:
        """Return the answer in sentences, in the current language."""
        if self.risk == 0.0 and self.reason is None:
            return self._safe_sentence()
        if self.reason is not None:
            return join_sentences([self._safe_sentence(), str(self.reason)])
        risk = format_trimmed_percent(self.risk)
        if not self.right:
            row, col = self.cell
            return tr(
                "It is a guess: no cell is certain. "
                "Row {row}, column {col} has the least risk, {risk}.",
                row=row,
                col=col,
                risk=risk,
            )
        where = cell_name(*self.cell)
        if self.win is None:
            said = tr("The best guess is {cell}, with a risk of {risk}.", cell=where, risk=risk)
            return join_sentences([said, *self._equals_sentence()])
        said = tr(
            "The best guess is {cell}: it wins {win} of all layouts, at a risk of {risk}.",
            cell=where,
            risk=risk,
            win=format_trimmed_percent(self.win),
        )
        return join_sentences([said, *self._equals_sentence()])

    def _equals_sentence(self) -> list[str]:
        """Return how many other guesses are as good, as a sentence; none if there is no other."""
        others = len(self.right) - 1
        equal = ntr("{n} other cell is as good.", "{n} other cells are as good.", others)
        return [equal] * bool(others)

    def _safe_sentence(self) -> str:
        others = len(self.right) - 1
        where = cell_name(*self.cell)
        if not others:
            return tr("Safe: {cell}.", cell=where)
        return ntr(
            "Safe: {cell}, and {n} other cell.", "Safe: {cell}, and {n} other cells.", others,
            cell=where,
        )  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as plain values, with its sentences as `text`."""
        return {
            "right": [list(cell) for cell in sorted(self.right)],
            "cell": list(self.cell),
            "reason": None if self.reason is None else self.reason.to_dict(),
            "risk": self.risk,
            "win": self.win,
            "text": str(self),
        }


class DrillQuestion(ToJson):
    """A drill on a turned board (`demine.scene.board_turn`): what is seen, and the right answers.

    Turn 0 leaves the board as it is. Raises `MomentError` if the game has no such act, `TooComplex`
    if the answer takes too much work to find, and `DrillError` if the drill does not fit the
    position: its cell is no covered one, or its kind or pattern has another answer.

    >>> import demine
    >>> drill = demine.drills("9x9/10", seed=1)[0]
    >>> plain, mirrored = demine.DrillQuestion(drill), demine.DrillQuestion(drill, turn=1)
    >>> mirrored.faces.tolist() == plain.faces[:, ::-1].tolist()
    True
    """

    def __init__(self, drill: Drill, turn: int = 0) -> None:
        self.drill = drill
        self.turn = turn
        self._plain = drill.faces()
        self.faces: NDArray[np.uint8] = turned(self._plain, turn).copy()
        """The board to show, uint8 `(height, width)` of `Face`."""
        if not self._fits():
            raise DrillError("the drill does not fit the position")

    def _fits(self) -> bool:
        """Return whether the drill asks what can be asked about the position."""
        drill, (row, col), (height, width) = self.drill, self.drill.cell, self._shape()
        if not (0 <= row < height and 0 <= col < width and self._plain[row, col] == Face.COVERED):
            return False
        is_safe = self.solution.risk == 0.0
        has_answer = not is_safe or self._turned_cell(drill.cell) in self.solution.right
        return (
            has_answer
            and drill.kind.is_proven in (None, is_safe)
            and (drill.pattern.is_guess != is_safe)
        )

    @property
    def mines(self) -> int:
        """How many mines the board has."""
        return self.drill.mines

    @property
    def text(self) -> str:
        """The question, in the current language."""
        return tr(self.drill.kind.question)

    @property
    def origin(self) -> str:
        """Where the position is from and how many mines its board has, in the current language."""
        drill = self.drill
        if is_made(drill.game_id):
            return tr("a made board with {mines} mines", mines=drill.mines)
        return tr("your own game before move {n}, {mines} mines", n=drill.act, mines=drill.mines)

    @property
    def may_be_a_guess(self) -> bool:
        """Whether "it is a guess" is one of the answers."""
        return self.drill.kind.is_proven is None

    def is_right(self, answer: Cell | None) -> bool:
        """Return whether an answer is right: a cell of the shown board, or None for a guess."""
        right = self.solution.right
        return not right if answer is None else answer in right

    @cached_property
    def solution(self) -> DrillSolution:
        """The answer."""
        mines, is_guess_asked = self.mines, self.drill.kind.is_proven is False
        risks = mine_probability(self._plain, mines)
        if np.nanmin(risks) == 0.0:
            right = {(int(row), int(col)) for row, col in np.argwhere(risks == 0.0)}
            cell = self._turned_cell(self.drill.cell)
            reason = explain_if_feasible(self.faces, mines, cell)
            return DrillSolution(self._turned_cells(right), cell, reason, 0.0)
        right, win = _best_guesses(self._plain, mines, risks)
        cell = self.drill.cell if self.drill.cell in right else min(right)
        return DrillSolution(
            self._turned_cells(right if is_guess_asked else ()),
            self._turned_cell(cell),
            None,
            float(risks[cell]),
            win,
        )

    @cached_property
    def faded(self) -> NDArray[np.bool_]:
        """The cells that cannot matter, bool `(height, width)`.

        Of a question for a proof, all that are not in its part of the border between opened and
        covered cells, unless the proof uses the mine count; of any other, the opened cells that
        touch no covered one.
        """
        matters = covered_map(self._plain)
        if self.drill.kind.is_proven and self.drill.pattern.name is not PatternName.COUNT:
            matters = _part_of_border(self._plain, self.drill.cell)
        else:
            matters |= count_around(matters) > 0
        return ~turned(matters, self.turn)

    def overlay(self, answer: Cell | None) -> Overlay:
        """Return the marks to show after an answer: the proof, what was right, and a mistake."""
        found, shown = self.solution, Overlay.empty(self._shape(self.turn))
        if found.reason is not None:
            shown = shown.with_marks(Mark.ABOUT, found.reason.cells)
            shown = shown.with_marks(Mark.BECAUSE, found.reason.because)
        mark_of_answer = Mark.SAFE if found.risk == 0.0 else Mark.GUESS
        shown = shown.with_marks(mark_of_answer, found.right or [found.cell])
        wrong = [] if answer is None or self.is_right(answer) else [answer]
        return shown.with_marks(Mark.MISTAKE, wrong)

    def _shape(self, turn: int = 0) -> tuple[int, int]:
        height, width = turned(self._plain, turn).shape
        return height, width

    def _turned_cell(self, cell: Cell) -> Cell:
        return turned_cell(cell, self._shape(), self.turn)

    def _turned_cells(self, cells: Iterable[Cell]) -> frozenset[Cell]:
        return frozenset(map(self._turned_cell, cells))

    def to_dict(self) -> dict[str, Any]:
        """Return the question as plain values, without its answer or its pattern."""
        height, width = self._shape(self.turn)
        return {
            "kind": self.drill.kind.value,
            "question": self.text,
            "game": self.drill.game_id,
            "act": self.drill.act,
            "turn": self.turn,
            "position": format_scene(Rules(width, height, self.mines), self.faces),
        }

    def __str__(self) -> str:
        """Return the question and the turned diagram, in the current language."""
        height, width = self._shape(self.turn)
        return f"{self.text}\n{format_scene(Rules(width, height, self.mines), self.faces)}".rstrip()


def _best_guesses(
    faces: NDArray[np.uint8], mines: int, risks: NDArray[np.float64]
) -> tuple[set[Cell], float | None]:
    """Return the best cells of a position without a certain one, and their exact win chance.

    Where that is unknown they are the least risky cells, and the one that `best_move` advises.
    """
    covered = [(int(row), int(col)) for row, col in np.argwhere(risks < 1.0)]
    wins = exact_win_chances(faces, mines, covered)
    if wins is not None:
        most = max(wins)
        return {
            cell for cell, win in zip(covered, wins, strict=True) if win >= most - EQUAL_WITHIN
        }, most
    least = float(np.nanmin(risks)) * (1 + EQUAL_WITHIN)
    best = {cell for cell in covered if risks[cell] <= least}
    move = best_move_by_probability(faces, mines, risks)
    return best if move is None else best | {(move.row, move.col)}, None


def _part_of_border(faces: NDArray[np.uint8], cell: Cell) -> NDArray[np.bool_]:
    """Return the numbers and covered cells that hang together with a covered cell, a bool map.

    Two numbers hang together if a covered cell touches both.
    """
    beside = covered_neighbours_of_numbers(faces, covered_map(faces))
    numbers = numbers_beside_cells(beside)
    found = np.zeros(faces.size, np.bool_)
    waiting = [cell[0] * faces.shape[1] + cell[1]]
    while waiting:
        place = waiting.pop()
        if not found[place]:
            found[place] = True
            waiting += beside.get(place, ()) or numbers.get(place, ())
    return found.reshape(faces.shape)
