"""What follows from a position: as numbers, as JSON, as a table."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from math import isnan
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from demine.cli.board_grid import (
    StyledText,
    format_sign_grid,
    format_word_grid,
    join_within_width,
    width_of_words,
)
from demine.scene.cell_names import cell_pair
from demine.scene.diagram import FACE_LETTERS
from demine.scene.translation import tr
from demine.solver.exact.probability import count_layouts, mine_probability
from demine.solver.hint import format_percent
from demine.solver.player.choose_cell import best_move_by_probability

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from demine.logic.rules import Rules
    from demine.solver.player.move import Move

    Cell = tuple[int, int]

_DIM, _BOLD, _REVERSE = "2", "1", "7"
_GREEN, _YELLOW, _RED = "32", "33", "31"
_SAFE_SIGN, _MINE_SIGN = "+", "*"
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyzABCDEGIJKLNOPQRSTVWYZ"
"""What stands for risks in a narrow table; capitals that are faces elsewhere are left out."""
_LOW_RISK, _HIGH_RISK = 0.1, 0.35
"""A risk is green up to the first and red from the second on."""


@dataclass(frozen=True)
class SolvedPosition:
    """A scene board and what follows from it; `chance` is the result of `mine_probability`."""

    rules: Rules
    faces: NDArray[np.uint8]
    chance: NDArray[np.float64]
    solutions: int
    best: Move | None

    @classmethod
    def solve(cls, rules: Rules, faces: NDArray[np.uint8]) -> SolvedPosition:
        """Solve a position; raises the errors of `mine_probability`."""
        mines = rules.mines
        chance = mine_probability(faces, mines)
        return cls(
            rules,
            faces,
            chance,
            count_layouts(faces, mines),
            best_move_by_probability(faces, mines, chance),
        )

    @property
    def safe_cells(self) -> list[Cell]:
        """The covered cells that are certainly safe, in order of row and column."""
        return cells_where(self.chance == 0.0)

    @property
    def mine_cells(self) -> list[Cell]:
        """The covered cells that are certainly mines, in order of row and column."""
        return cells_where(self.chance == 1.0)

    def to_dict(self) -> dict[str, Any]:
        """Return the values that `--json` prints; the probability of an opened cell is None."""
        rows = self.chance.tolist()
        return {
            "rules": str(self.rules),
            "solutions": self.solutions,
            "probability": [[None if isnan(risk) else risk for risk in row] for row in rows],
            "safe": self.safe_cells,
            "mines": self.mine_cells,
            "best": None if self.best is None else [self.best.row, self.best.col],
            "risk": None if self.best is None else self.best.risk,
        }

    def board_lines(self, width: int | None, *, colour: bool) -> list[str]:
        """Return the board as lines: the risk of a covered cell, or the number of an opened one.

        Where the risks in per cent are wider than `width`, which None never is, letters stand for
        them, and lines below say for which.
        """
        rows = self._rows_of_words(width)
        if rows is None:
            return self._lines_of_signs(width or 0, colour=colour)
        return [*format_word_grid(rows, colour=colour), *self._certain_cells(width)]

    def _rows_of_words(self, width: int | None) -> list[list[StyledText]] | None:
        """Return the risks in per cent, as exactly as they fit; None if they do not fit at all."""
        for decimals in (1, 0):
            rows = self._cells(partial(format_percent, decimals=decimals))
            if width is None or width_of_words(rows) <= width:
                return rows
        return None

    def _certain_cells(self, width: int | None) -> list[str]:
        """Return the list of safe cells and that of mines, after an empty line."""
        lists = [tr("Safe: {cells}", cells=format_cells(self.safe_cells))] * bool(self.safe_cells)
        lists += [tr("Mines: {cells}", cells=format_cells(self.mine_cells))] * bool(self.mine_cells)
        if width is not None:
            parts = (re.split(r"(?<=\)) ", said) for said in lists)
            lists = [line for cells in parts for line in join_within_width(cells, width, " ")]
        return ["", *lists]

    def _lines_of_signs(self, width: int, *, colour: bool) -> list[str]:
        risks = np.unique(self.chance[(self.chance > 0.0) & (self.chance < 1.0)]).tolist()
        meanings = _meanings_that_fit(risks)
        letters = dict(zip(dict.fromkeys(meanings.values()), _LETTERS, strict=False))
        signs = {risk: letters[meaning] for risk, meaning in meanings.items()}
        rows = self._cells({0.0: _SAFE_SIGN, 1.0: _MINE_SIGN, **signs}.__getitem__)
        near = 0 if self.best is None else self.best.col
        gaps = [[StyledText(" ")] * (len(row) + 1) for row in rows]
        lines = format_sign_grid(rows, gaps, width, near, colour=colour)
        return [*lines, *join_within_width(self._legend(letters), width)]

    def _legend(self, letters: Mapping[str, str]) -> list[str]:
        """Return each sign with what it means."""
        proven = [
            (_SAFE_SIGN, tr("safe ({count})", count=len(self.safe_cells)), self.safe_cells),
            (_MINE_SIGN, tr("mine ({count})", count=len(self.mine_cells)), self.mine_cells),
        ]
        parts = [f"{sign} {said}" for sign, said, cells in proven if cells]
        return [*parts, *(f"{letter} {meaning}" for meaning, letter in letters.items())]

    def _cells(self, written: Callable[[float], str]) -> list[list[StyledText]]:
        """Return the cells, the risk of a covered one as `written`, with their styles."""
        best = None if self.best is None else (self.best.row, self.best.col)
        return [
            [
                StyledText(
                    FACE_LETTERS[face] if isnan(risk) else written(risk),
                    _risk_style(risk) + (f";{_REVERSE}" if (row, col) == best else ""),
                )
                for col, (face, risk) in enumerate(zip(faces, risks, strict=True))
            ]
            for row, (faces, risks) in enumerate(
                zip(self.faces.tolist(), self.chance.tolist(), strict=True)
            )
        ]


def _meanings_that_fit(risks: Sequence[float]) -> dict[float, str]:
    """Return what to say of each risk, as exactly as there are letters to stand for them."""
    for decimals in (1, 0):
        found = {risk: format_percent(risk, decimals) for risk in risks}
        if len(set(found.values())) <= len(_LETTERS):
            return found
    steps = {risk: int(risk * 20) * 5 for risk in risks}
    return {risk: f"{step}..{step + 5}%" for risk, step in steps.items()}


def cells_where(mask: NDArray[np.bool_]) -> list[Cell]:
    """Return the cells (row, col) where a map is true, in order."""
    return [(row, col) for row, col in np.argwhere(mask).tolist()]


def _risk_style(risk: float) -> str:
    if isnan(risk):
        return _DIM
    if risk in {0.0, 1.0}:
        return f"{_BOLD};{_RED if risk else _GREEN}"
    return _GREEN if risk <= _LOW_RISK else _RED if risk >= _HIGH_RISK else _YELLOW


def format_large_count(count: int) -> str:
    """Return a count as `1,234`; from 10**12 on as `1.234 × 10^15`."""
    if count < 10**12:
        return f"{count:,}"
    digits, _, power = f"{Decimal(count):.3E}".partition("E+")
    return f"{digits} × 10^{power}"


def format_cells(cells: list[Cell], max_shown: int = 12) -> str:
    """Return the first cells as people count them, and how many more there are."""
    words = [cell_pair(row, col) for row, col in cells[:max_shown]]
    if len(cells) > max_shown:
        words.append(tr("and {count} more", count=len(cells) - max_shown))
    return " ".join(words)
