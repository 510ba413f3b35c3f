"""`demine hint`: the next move of a position, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from demine.cli.exit_codes import DONE, print_negative_answer
from demine.cli.json_output import json_option, to_json
from demine.cli.position_input import position_argument, read_position
from demine.cli.position_report import (
    SolvedPosition,
    colour_option,
    format_grid,
    print_coloured,
    should_colour,
)
from demine.logic.rules import First
from demine.scene.diagram import FACE_LETTERS
from demine.scene.translation import mark, tr
from demine.solver.errors import InconsistentBoard, TooComplex
from demine.solver.exact.parse_board import covered_map
from demine.solver.hint import find_hint

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from demine.logic.rules import Rules
    from demine.solver.hint import Hint

ABOUT = mark("Show the next safe move of a position and why, or the best guess.")
HELP_ORDER = 30

_PLAIN, _CELL, _BECAUSE = "0", "1;32", "1;36"
_GUESS = "1;33"


def command() -> click.Command:
    """Return the Click command of `demine hint`."""
    return click.Command(
        "hint",
        callback=_hint,
        help=tr(
            "Show the safe cell that is easiest to find, and why it is safe; if no cell is safe, "
            "the best guess and its risk.\n\nFILE is a diagram or the journal of a game under "
            "way; without it, or with -, standard input is read. [ ] marks the cell, ( ) the "
            "numbers that prove it. Exit code 1: no layout fits, or the position is too complex."
        ),
        params=[position_argument(), json_option(), colour_option()],
    )


def _hint(file: str | None, as_json: bool, color: str) -> int:
    rules, faces = read_position(file)
    try:
        found = find_hint(faces, rules.mines)
    except (InconsistentBoard, TooComplex) as error:
        return print_negative_answer("hint", error)
    text = _sentence(found, rules, faces)
    if as_json:
        facts = _NO_HINT_FACTS if found is None else found.to_dict()
        click.echo(to_json({**_solver_facts(found, rules, faces), **facts, "text": text}))
        return DONE
    colour = should_colour(color)
    shown = "" if found is None else f"\n\n{_diagram(found, faces, colour)}"
    print_coloured(text + shown, keep_colours=colour)
    return DONE


_NO_HINT_FACTS: Final[dict[str, Any]] = {
    "cell": None, "is_safe": None, "pattern": None, "because": [], "uses_mine_count": False,
}  # fmt: skip
"""The facts in JSON if every safe cell is open."""


def _solver_facts(found: Hint | None, rules: Rules, faces: NDArray[np.uint8]) -> dict[str, Any]:
    """Return the facts of `solve`; of a position that is too complex, those of the hint only."""
    try:
        return SolvedPosition.solve(rules, faces).to_dict()
    except TooComplex:
        best = None if found is None else [found.row, found.col]
        risk = None if found is None else found.risk
        unknown = dict.fromkeys(("solutions", "probability", "safe", "mines"))
        return {"rules": str(rules), **unknown, "best": best, "risk": risk}


def _sentence(found: Hint | None, rules: Rules, faces: NDArray[np.uint8]) -> str:
    if found is None:
        return tr("Every safe cell is open.")
    if rules.first is not First.ANY and covered_map(faces).all():
        # The solver knows only the board and would call the first click a risk.
        return tr("Nothing is open yet: under these rules the first cell you open is never a mine.")
    return str(found)


def _diagram(found: Hint, faces: NDArray[np.uint8], colour: bool) -> str:
    """Return the board with the cell in `[ ]` and the numbers that prove it in `( )`."""
    words = [[f" {FACE_LETTERS[face]} " for face in row] for row in faces.tolist()]
    styles = [[_PLAIN] * len(row) for row in words]
    for row, col in () if found.reason is None else found.reason.because:
        words[row][col] = f"({words[row][col].strip()})"
        styles[row][col] = _BECAUSE
    words[found.row][found.col] = f"[{words[found.row][found.col].strip()}]"
    styles[found.row][found.col] = _CELL if found.safe else _GUESS
    return format_grid(words, styles if colour else None)
