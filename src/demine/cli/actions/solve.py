"""What `demine solve` does: the probability of a mine in every covered cell."""

from __future__ import annotations

from typing import Unpack

import click

from demine.cli.board_output import board_width, print_coloured, should_colour
from demine.cli.exit_codes import DONE, print_negative_answer
from demine.cli.position_options import PositionChoice
from demine.cli.read_position import read_position
from demine.cli.solved_position import SolvedPosition, format_large_count
from demine.cli.text_table import wrapped_lines
from demine.logic.json_text import to_json
from demine.scene.board_title import board_title
from demine.scene.translation import ntr, tr
from demine.solver.errors import InconsistentBoard, TooComplex
from demine.solver.hint import format_trimmed_percent


def run_solve(as_json: bool, color: str, whole: bool, **chosen: Unpack[PositionChoice]) -> int:
    """Carry out `demine solve` and return the exit code."""
    position = read_position("solve", **chosen)
    try:
        answer = SolvedPosition.solve(position.rules, position.faces)
    except (InconsistentBoard, TooComplex) as error:
        return print_negative_answer("solve", error, position.source)
    colour = should_colour(color)
    if as_json:
        click.echo(to_json(answer.to_dict()))
    else:
        lines = _report_lines(answer, board_width(whole=whole), colour=colour)
        print_coloured("\n".join(lines), keep_colours=colour)
    return DONE


def _report_lines(answer: SolvedPosition, width: int | None, *, colour: bool) -> list[str]:
    fitting = ntr(
        "{count} layout fits", "{count} layouts fit", min(answer.solutions, 2),
        count=format_large_count(answer.solutions),
    )  # fmt: skip
    board = answer.board_lines(width, colour=colour)
    title, best = f"{board_title(answer.rules)}: {fitting}", _best_move_text(answer)
    if width is None:
        return [title, "", *board, best]
    return [*wrapped_lines(title, width), "", *board, *wrapped_lines(best, width)]


def _best_move_text(answer: SolvedPosition) -> str:
    best = answer.best
    if best is None:
        return tr("Every safe cell is open.")
    if best.risk == 0.0:
        return tr("Best move: row {row}, column {col}, which is safe", row=best.row, col=best.col)
    return tr(
        "Best guess: row {row}, column {col}, {risk} risk",
        row=best.row,
        col=best.col,
        risk=format_trimmed_percent(best.risk),
    )
