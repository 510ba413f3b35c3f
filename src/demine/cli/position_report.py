"""What can be said of a position, for `solve` and `hint`: as numbers, as JSON, as a table."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass
from decimal import Decimal
from math import isnan
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from demine.scene.diagram import FACE_LETTERS
from demine.scene.sanitized_console import bare_stream, inert_but_colours
from demine.scene.translation import tr
from demine.solver.exact.probability import count_layouts, mine_probability
from demine.solver.hint import format_percent
from demine.solver.player.choose_cell import best_move_given

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demine.logic.rules import Rules
    from demine.solver.player.choose_cell import Move

    Cell = tuple[int, int]

_DIM, _BOLD, _REVERSE = "2", "1", "7"
_GREEN, _YELLOW, _RED = "32", "33", "31"
_LOW_RISK, _HIGH_RISK = 0.1, 0.35
"""Up to here a risk is green, from there on red."""


@dataclass(frozen=True)
class SolvedPosition:
    """A scene board and what follows from it; `chance` is that of `mine_probability`."""

    rules: Rules
    faces: NDArray[np.uint8]
    chance: NDArray[np.float64]
    solutions: int
    best: Move | None

    @classmethod
    def solve(cls, rules: Rules, faces: NDArray[np.uint8]) -> SolvedPosition:
        """Solve a position; errors are those of `mine_probability`."""
        mines = rules.mines
        chance = mine_probability(faces, mines)
        return cls(
            rules, faces, chance, count_layouts(faces, mines), best_move_given(faces, mines, chance)
        )

    @property
    def safe_cells(self) -> list[Cell]:
        """The covered cells that are certainly safe, by row and column."""
        return cells_where(self.chance == 0.0)

    @property
    def mine_cells(self) -> list[Cell]:
        """The certain mines, by row and column."""
        return cells_where(self.chance == 1.0)

    def facts(self) -> dict[str, Any]:
        """Return what `--json` prints; opened cells are null."""
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

    def table_text(self, *, colour: bool, decimals: int) -> str:
        """Return the board: the percentage of each covered cell, the number of each opened one."""
        words = [
            [
                FACE_LETTERS[face] if isnan(risk) else format_percent(risk, decimals)
                for face, risk in zip(faces, risks, strict=True)
            ]
            for faces, risks in zip(self.faces.tolist(), self.chance.tolist(), strict=True)
        ]
        if not colour:
            return format_grid(words)
        styles = [[_risk_style(risk) for risk in row] for row in self.chance.tolist()]
        if self.best is not None:
            styles[self.best.row][self.best.col] += f";{_REVERSE}"
        return format_grid(words, styles)


def cells_where(chosen: NDArray[np.bool_]) -> list[Cell]:
    """Return the cells of a map, by row and column."""
    return [(row, col) for row, col in np.argwhere(chosen).tolist()]


def format_grid(words: list[list[str]], styles: list[list[str]] | None = None) -> str:
    """Return rows of words in straight columns under their numbers, in colours if styles are."""
    height, width = len(words), len(words[0])
    head = len(str(height - 1))
    wide = max(len(str(width - 1)), *(len(word) for row in words for word in row))
    lines = [" " * head + "".join(f" {col:>{wide}}" for col in range(width))]
    for number, row in enumerate(words):
        padded = [f"{word:>{wide}}" for word in row]
        if styles is not None:
            padded = [
                f"\x1b[{style}m{word}\x1b[0m"
                for style, word in zip(styles[number], padded, strict=True)
            ]
        lines.append(" ".join([f"{number:>{head}}", *padded]).rstrip())
    return "\n".join(lines)


def _risk_style(risk: float) -> str:
    if isnan(risk):
        return _DIM
    if risk in {0.0, 1.0}:
        return f"{_BOLD};{_RED if risk else _GREEN}"
    return _GREEN if risk <= _LOW_RISK else _RED if risk >= _HIGH_RISK else _YELLOW


def decimals_that_fit(width: int) -> int:
    """Return 1, or 0 where a table of so many columns would be wider than the terminal."""
    if not sys.stdout.isatty():
        return 1
    return 1 if 4 + 6 * width <= shutil.get_terminal_size().columns else 0


def use_colour(choice: str) -> bool:
    """Return whether to colour: `always`, `never`, or for eyes on a terminal that want it."""
    if choice != "auto":
        return choice == "always"
    wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return wanted and sys.stdout.isatty()


def print_coloured(text: str, *, colour: bool) -> None:
    """Print what is for eyes; with `colour` the colours in it pass, and nothing else that acts."""
    if colour:
        click.echo(inert_but_colours(text), file=bare_stream(sys.stdout), color=True)
    else:
        click.echo(text)


def format_count(count: int) -> str:
    """Return a count for eyes: whole as far as anybody reads it, then its magnitude."""
    if count < 10**12:
        return f"{count:,}"
    digits, _, power = f"{Decimal(count):.3E}".partition("E+")
    return f"{digits} × 10^{power}"


def format_cells(cells: list[Cell], most: int = 12) -> str:
    """Return the first cells of a list as words, and how many more there are."""
    words = [f"({row}, {col})" for row, col in cells[:most]]
    if len(cells) > most:
        words.append(tr("and {count} more", count=len(cells) - most))
    return " ".join(words)
