"""What follows from a position: as numbers, as JSON, as a table."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass
from decimal import Decimal
from math import isnan
from typing import TYPE_CHECKING, Any, Final

import click
import numpy as np

from demine.cli.suggestions import Choice
from demine.scene.cell_names import cell_pair
from demine.scene.diagram import FACE_LETTERS
from demine.scene.sanitized_console import escape_except_colours, raw_stream
from demine.scene.translation import tr
from demine.solver.exact.probability import count_layouts, mine_probability
from demine.solver.hint import format_percent
from demine.solver.player.choose_cell import best_move_given

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demine.logic.rules import Rules
    from demine.solver.player.move import Move

    Cell = tuple[int, int]

_COLOUR_CHOICES: Final = ("auto", "always", "never")
_DIM, _BOLD, _REVERSE = "2", "1", "7"
_GREEN, _YELLOW, _RED = "32", "33", "31"
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
            rules, faces, chance, count_layouts(faces, mines), best_move_given(faces, mines, chance)
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

    def table_text(self, *, colour: bool, decimals: int) -> str:
        """Return the board as text: the risk of a covered cell in per cent, or an opened number."""
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


def cells_where(mask: NDArray[np.bool_]) -> list[Cell]:
    """Return the cells (row, col) where a map is true, in order."""
    return [(row, col) for row, col in np.argwhere(mask).tolist()]


def format_grid(texts: list[list[str]], sgr_codes: list[list[str]] | None = None) -> str:
    """Return the texts of cells in aligned columns, with row and column numbers from 1.

    `sgr_codes` holds the ANSI style of each cell, such as `1;32`.
    """
    height, width = len(texts), len(texts[0])
    head = len(str(height))
    wide = max(len(str(width)), *(len(word) for row in texts for word in row))
    lines = [" " * head + "".join(f" {col:>{wide}}" for col in range(1, width + 1))]
    for place, row in enumerate(texts):
        padded = [f"{word:>{wide}}" for word in row]
        if sgr_codes is not None:
            padded = [
                f"\x1b[{style}m{word}\x1b[0m"
                for style, word in zip(sgr_codes[place], padded, strict=True)
            ]
        lines.append(" ".join([f"{place + 1:>{head}}", *padded]).rstrip())
    return "\n".join(lines)


def _risk_style(risk: float) -> str:
    if isnan(risk):
        return _DIM
    if risk in {0.0, 1.0}:
        return f"{_BOLD};{_RED if risk else _GREEN}"
    return _GREEN if risk <= _LOW_RISK else _RED if risk >= _HIGH_RISK else _YELLOW


def percent_decimals_that_fit(board_width: int) -> int:
    """Return 1, or 0 if a table of that many columns would be wider than the terminal."""
    if not sys.stdout.isatty():
        return 1
    return 1 if 4 + 6 * board_width <= shutil.get_terminal_size().columns else 0


def colour_option() -> click.Option:
    """Return the option `--color`, whose value is for `should_colour`."""
    return click.Option(
        ["--color"],
        type=Choice(_COLOUR_CHOICES),
        default="auto",
        show_default=True,
        help=tr("Use colour; auto: on a terminal, unless NO_COLOR is set."),
    )


def should_colour(choice: str) -> bool:
    """Return whether to colour: by `always` or `never`, else on a terminal without NO_COLOR."""
    if choice != "auto":
        return choice == "always"
    wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return wanted and sys.stdout.isatty()


def print_coloured(text: str, *, keep_colours: bool) -> None:
    """Print a text with its control sequences made harmless, except colours if they are kept."""
    if keep_colours:
        click.echo(escape_except_colours(text), file=raw_stream(sys.stdout), color=True)
    else:
        click.echo(text)


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
