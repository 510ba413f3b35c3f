"""`demine solve`: the probability of a mine in every covered cell."""

from __future__ import annotations

import click

from demine.cli.exit_codes import print_negative_answer
from demine.cli.json_output import json_option, to_json
from demine.cli.position_input import position_argument, read_position
from demine.cli.position_report import (
    SolvedPosition,
    colour_option,
    format_cells,
    format_large_count,
    percent_decimals_that_fit,
    print_coloured,
    should_colour,
)
from demine.scene.board_title import board_title
from demine.scene.translation import mark, ntr, tr
from demine.solver.errors import InconsistentBoard, TooComplex
from demine.solver.hint import format_trimmed_percent

ABOUT = mark("Show the mine probability of every covered cell.")
HELP_ORDER = 40


def command() -> click.Command:
    """Return the Click command of `demine solve`."""
    return click.Command(
        "solve",
        callback=_solve,
        help=tr(
            "Show the exact mine probability of every covered cell of a position.\n\nFILE is a "
            "diagram or the journal of a game under way; without it, or with -, standard input is "
            "read. 0% and 100% are proven. Exit code 1: no layout fits, or the position is too "
            "complex."
        ),
        params=[position_argument(), json_option(), colour_option()],
    )


def _solve(file: str | None, as_json: bool, color: str) -> int:
    rules, faces = read_position(file)
    try:
        answer = SolvedPosition.solve(rules, faces)
    except (InconsistentBoard, TooComplex) as error:
        return print_negative_answer("solve", error)
    colour = should_colour(color)
    if as_json:
        click.echo(to_json(answer.to_dict()))
    else:
        print_coloured(_report_text(answer, colour), keep_colours=colour)
    return 0


def _report_text(answer: SolvedPosition, colour: bool) -> str:
    fitting = ntr(
        "{count} layout fits", "{count} layouts fit", min(answer.solutions, 2),
        count=format_large_count(answer.solutions),
    )  # fmt: skip
    lines = [f"{board_title(answer.rules)}: {fitting}", ""]
    decimals = percent_decimals_that_fit(answer.rules.width)
    lines += [answer.table_text(colour=colour, decimals=decimals), ""]
    if answer.safe_cells:
        lines.append(tr("Safe: {cells}", cells=format_cells(answer.safe_cells)))
    if answer.mine_cells:
        lines.append(tr("Mines: {cells}", cells=format_cells(answer.mine_cells)))
    return "\n".join([*lines, _best_move_text(answer)])


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
