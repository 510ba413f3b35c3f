"""What `demine hint` does: the next move of a position, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Unpack

import click

from demine.cli.board_output import board_width, print_coloured, should_colour
from demine.cli.exit_codes import DONE, print_negative_answer
from demine.cli.marked_board import ANSWER, BECAUSE, format_marked_board
from demine.cli.position_options import PositionChoice
from demine.cli.read_position import read_position
from demine.cli.solved_position import SolvedPosition
from demine.cli.text_table import wrapped_lines
from demine.logic.json_text import to_json
from demine.logic.rules import First
from demine.scene.translation import tr
from demine.solver.errors import InconsistentBoard, TooComplex
from demine.solver.exact.parse_board import covered_map
from demine.solver.hint import find_hint

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from demine.logic.rules import Rules
    from demine.solver.hint import Hint


def run_hint(as_json: bool, color: str, whole: bool, **chosen: Unpack[PositionChoice]) -> int:
    """Carry out `demine hint` and return the exit code."""
    position = read_position("hint", **chosen)
    try:
        found = find_hint(position.seen())
    except (InconsistentBoard, TooComplex) as error:
        return print_negative_answer("hint", error, position.source)
    rules, faces = position.rules, position.faces
    text = _sentence(found, rules, faces)
    if as_json:
        facts = _NO_HINT_FACTS if found is None else found.to_dict()
        if found is not None and covered_map(faces).all():
            # What the rules promise for the first cell is no part of the probabilities.
            facts = {**facts, "best": [found.row, found.col], "risk": found.risk}
        click.echo(to_json({**_solver_facts(found, rules, faces), **facts, "text": text}))
        return DONE
    colour = should_colour(color)
    width = board_width(whole=whole)
    lines = [text] if width is None else wrapped_lines(text, width)
    if found is not None:
        lines += ["", *_diagram(found, faces, width, colour=colour)]
    print_coloured("\n".join(lines), keep_colours=colour)
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


def _diagram(
    found: Hint, faces: NDArray[np.uint8], width: int | None, *, colour: bool
) -> list[str]:
    """Return the board with the cell in `[ ]` and the numbers that prove it in `( )`."""
    because = () if found.reason is None else found.reason.because
    marks = {**dict.fromkeys(because, BECAUSE), (found.row, found.col): ANSWER}
    return format_marked_board(
        faces, marks, width, found.col, colour=colour, is_guess=not found.safe
    )
