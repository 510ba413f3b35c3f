"""Boards of lessons: a diagram that claims something, held to the solver, drawn by demine.

A board is a diagram of `demine.scene.diagram` with two letters more: `s` is a covered cell that the
lesson calls safe, `m` one that it calls a mine. The word before it is the hardest step that finding
all of them needs, a `Pattern`, or

* `guess`: no cell is certainly safe, so nothing is claimed;
* `picture`: nothing is claimed, the board is shown as it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from demine.scene.cell_faces import Face
from demine.scene.diagram import parse_scene
from demine.scene.overlay import Mark, Overlay, least_risky_cells
from demine.solver.exact.deduce import deduce
from demine.solver.exact.probability import mine_probability
from demine.solver.proof.cell_levels import levels
from demine.solver.proof.difficulty_levels import Pattern
from demine.solver.proof.explain import Reason, explain

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demine.logic.rules import Rules
    from demine.scene.themes import Theme

GUESS, PICTURE = "guess", "picture"
CLAIMS = (*(pattern.value for pattern in Pattern), GUESS, PICTURE)
CELL_SIZE, EDGE_SIZE = 34, 18
"""Pixels of a cell, and of the edge with the numbers of rows and columns."""

Cell = tuple[int, int]
"""Row and column."""


class ClaimError(ValueError):
    """A board that claims what the solver does not say."""


@dataclass(frozen=True)
class LessonBoard:
    """A board of a lesson; `safe` and `mines` are what it claims, bool (H, W)."""

    rules: Rules
    scene: NDArray[np.uint8]
    safe: NDArray[np.bool_]
    mines: NDArray[np.bool_]
    kind: str
    explained_cell: Cell | None = None
    """The cell whose reason is told below the board."""
    shows_risks: bool = False
    """Whether every covered cell shows its risk."""
    text: str = ""

    @classmethod
    def parse(cls, text: str, kind: str, why: str = "", *, risk: bool = False) -> LessonBoard:
        """Read a board; `why` is `row,col`. Raises ClaimError for what is none."""
        if kind not in CLAIMS:
            raise ClaimError(f"{kind!r} is none of {', '.join(CLAIMS)}")
        head, *rows = text.strip().splitlines()
        letters = [row.split() for row in rows]
        plain = "\n".join([head, *(" ".join(row) for row in rows)])
        rules, scene = parse_scene("\n".join([head, *map(_cover_claimed_cells, rows)]))
        claims = np.array(letters)
        if claims.shape != rules.shape:
            raise ClaimError(f"the cells of a board are spaced: {plain}")
        cell = tuple(int(word) for word in why.split(",")) if why else None
        return cls(
            rules, scene, claims == "s", claims == "m", kind,
            None if cell is None else (cell[0], cell[1]), risk, text.strip(),
        )  # fmt: skip

    def check_claims(self) -> None:
        """Raise ClaimError unless the solver says what the board claims, no more and no less."""
        self._check_openings()
        if self.kind == PICTURE:
            self._check_no_claims()
            return
        certain = deduce(self.scene, self.rules.mines)
        if self.kind == GUESS:
            if certain.safe.any():
                raise ClaimError(f"no guess is needed: {_cells_where(certain.safe)}\n{self.text}")
            self._check_no_claims(mines=certain.mines)
            return
        flagged = self.scene == Face.FLAG
        for what, claimed, true in (
            ("safe", self.safe, certain.safe),
            ("mines", self.mines | flagged, certain.mines),
        ):
            if not np.array_equal(claimed, true):
                raise ClaimError(
                    f"{what} is said {_cells_where(claimed)}, is {_cells_where(true)}\n{self.text}"
                )
        hardest = int(levels(self.scene, self.rules.mines).max())
        if hardest != Pattern(self.kind).level:
            raise ClaimError(f"this is {Pattern.of(hardest)}, not {self.kind}\n{self.text}")
        reason = self.reason()
        if reason is not None and reason.pattern.level > hardest:
            raise ClaimError(f"row, column {reason.cell} is {reason.pattern}\n{self.text}")

    def _check_openings(self) -> None:
        """Raise ClaimError for a cell without mines around that did not open its neighbours."""
        zeros = self.scene == Face.ZERO
        padded = np.pad(zeros, 1)
        high, wide = self.rules.shape
        for row, col in product(range(3), range(3)):
            beside = padded[row : row + high, col : col + wide]
            if (beside & (self.scene >= Face.COVERED)).any():
                raise ClaimError(f"an opening would have gone on\n{self.text}")

    def _check_no_claims(self, mines: NDArray[np.bool_] | None = None) -> None:
        told = np.zeros_like(self.mines) if mines is None else mines
        if self.safe.any() or not np.array_equal(self.mines, told):
            raise ClaimError(f"{self.kind} claims too much or too little\n{self.text}")

    def reason(self) -> Reason | None:
        """Why the cell that the lesson speaks of is what it is."""
        return (
            None
            if self.explained_cell is None
            else explain(self.scene, self.rules.mines, self.explained_cell)
        )

    def overlay(self) -> Overlay:
        """What is laid over the board: the cells claimed, the numbers that prove one, the risks."""
        over = Overlay.empty(self.rules.shape)
        over = over.with_marks(Mark.SAFE, _cells_where(self.safe)).with_marks(
            Mark.MINE, _cells_where(self.mines)
        )
        reason = self.reason()
        if reason is not None:
            over = over.with_marks(Mark.BECAUSE, reason.because)
        if not self.shows_risks:
            return over
        chance = mine_probability(self.scene, self.rules.mines)
        if self.kind == GUESS:
            over = over.with_marks(Mark.GUESS, _cells_where(least_risky_cells(chance)))
        return over.with_risks(chance)

    def svg_text(self, theme: Theme) -> str:
        """The board as an SVG document, its rows and columns numbered as the sentences do."""
        from demine.picture import svg

        board = svg(self.scene, theme, CELL_SIZE, advice=self.overlay())
        wide, high = self.size
        colour = "#5b6472" if theme.name == "light" else "#a4adba"
        names = [
            *(
                (EDGE_SIZE + CELL_SIZE * (col + 0.5), EDGE_SIZE * 0.5, col)
                for col in range(self.rules.width)
            ),
            *(
                (EDGE_SIZE * 0.5, EDGE_SIZE + CELL_SIZE * (row + 0.5), row)
                for row in range(self.rules.height)
            ),
        ]
        texts = "".join(f'<text x="{x:g}" y="{y + 4:g}">{name}</text>' for x, y, name in names)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}"'
            f' viewBox="0 0 {wide} {high}"><g fill="{colour}" font-family="sans-serif"'
            f' font-size="11" text-anchor="middle">{texts}</g>'
            f'{board.replace("<svg ", f"""<svg x="{EDGE_SIZE}" y="{EDGE_SIZE}" """, 1)}</svg>'
        )

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the drawing, in pixels."""
        return EDGE_SIZE + CELL_SIZE * self.rules.width, EDGE_SIZE + CELL_SIZE * self.rules.height


def _cover_claimed_cells(row: str) -> str:
    return row.replace("s", "#").replace("m", "#")


def _cells_where(where: NDArray[np.bool_]) -> list[Cell]:
    return [(int(row), int(col)) for row, col in np.argwhere(where)]
