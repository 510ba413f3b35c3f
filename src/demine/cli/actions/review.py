"""What `demine review` does: judges a game act by act."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from demine.cli.board_output import print_coloured, should_colour
from demine.cli.exit_codes import DONE, print_negative_answer
from demine.cli.game_input import read_chosen_game
from demine.cli.progress_line import Progress
from demine.cli.text_table import (
    aligned_lines,
    padded,
    rows_as_name_value_lines,
    table_width,
    terminal_width,
    text_width,
    with_column_cut,
    wrapped_lines,
)
from demine.cli.theme_options import chosen_theme
from demine.logic.event_log import acts
from demine.logic.json_text import to_json
from demine.play import load_kernels
from demine.replay.limited_file_io import atomic_write
from demine.replay.model import MODES
from demine.reviews.review import ReviewError, review
from demine.reviews.review_result import (
    JUDGED,
    MISTAKES,
    NAMES,
    WRONG,
    JudgedAct,
    Review,
    Verdict,
    format_time_to_thousandths,
)
from demine.scene.cell_names import cell_pair
from demine.scene.translation import mark, tr
from demine.solver.hint import format_percent

if TYPE_CHECKING:
    from demine.game import Game
    from demine.scene.themes import Theme


_TABLE_HEADS: Final = (
    mark("Time"), mark("Move"), mark("Cell"), mark("Verdict"), mark("Risk"), mark("Best"),
)  # fmt: skip
_VERB_NAMES: Final = {
    "open": mark("open"), "flag": mark("flag"), "question": mark("question"),
    "chord": mark("chord"), "undo": mark("undo"), "hint": mark("hint"), "resign": mark("give up"),
}  # fmt: skip
_REMARKS: Final = {"undone": mark("taken back"), "blew": mark("blew up")}
_MODES_WITH_MOVING_MINES: Final = frozenset(MODES[number] for number in range(6, 11))
"""The modes in which mines may move under a guess."""
_DRAWN_WIDTH: Final = 960
"""The width of a drawn board in pixels, within the limits of its cells' sizes."""
_CELLS_TO_LOAD_SOLVER: Final = 400_000
"""With this many cells in all positions together, about some expert games, loading pays."""
_WIDTH_OF_FILES: Final = 96
"""How wide texts are where they go to no terminal."""
_BOLD, _RED, _YELLOW, _DIM = "1", "1;31", "33", "2"


def run_review(
    file: str,
    game: int | None,
    every: bool,
    as_json: bool,
    output: str | None,
    theme: str,
    palette: str | None,
    color: str,
) -> int:
    """Carry out `demine review` and return the exit code."""
    if output is not None and not output.lower().endswith((".png", ".svg")):
        raise click.UsageError(tr("a picture's name must end in .png or .svg"))
    judged = read_chosen_game(file, game)
    if output is not None:
        _check_size(judged, chosen_theme(theme, palette))
    _load_solver_if_worth_it(judged)
    try:
        with Progress(len(judged.events), "moves") as progress:
            found = review(judged, progress=progress.update)
    except ReviewError as error:
        return print_negative_answer("review", error)
    if output is not None:
        _draw(judged, found, output, chosen_theme(theme, palette))
    colour = should_colour(color)
    if as_json:
        click.echo(to_json(found.to_dict()))
    else:
        mode = str(judged.facts.get("mode", ""))
        print_coloured(_report_text(found, every, colour, mode), keep_colours=colour)
    return DONE


def _load_solver_if_worth_it(game: Game) -> None:
    """Load the compiled solver if that saves time; compiling it first never does."""
    if (
        len(acts(game.events)) * game.rules.cells >= _CELLS_TO_LOAD_SOLVER
        and load_kernels.kernels_are_cached()
    ):
        load_kernels.load_common_kernels()


def _check_size(game: Game, theme: Theme) -> None:
    """Raise `PictureError` if the game is too large to be drawn, before it is judged."""
    from demine.notebook.review_drawing import check_size

    check_size(game, theme, _cell_size(game))


def _cell_size(game: Game) -> int:
    return min(48, max(12, _DRAWN_WIDTH // game.rules.width))


def _draw(game: Game, found: Review, output: str, theme: Theme) -> None:
    from demine.notebook.review_drawing import drawing
    from demine.picture import png_bytes

    picture = drawing(game, found, theme, _cell_size(game))
    is_svg = output.lower().endswith(".svg")
    data = picture.svg().encode("utf-8") if is_svg else png_bytes(picture.pixels())
    with atomic_write(output) as stream:
        stream.write(data)


def _report_text(found: Review, every: bool, colour: bool, mode: str) -> str:
    head, *_ = str(found).splitlines()
    rows = found.summary_rows()
    if mode in _MODES_WITH_MOVING_MINES:
        note = tr(
            "{mode}: in this mode mines may move under a guess; risks and luck are shown as if "
            "they could not",
            mode=mode,
        )
        rows.append((tr("Mode"), note))
    wide = max(text_width(word) for word, _ in rows)
    lines = [_styled(head, _BOLD, colour), ""]
    for word, said in rows:
        lines += _wrapped(padded(word, wide) + "  ", said, wide + 2)
    pauses = _longest_pauses(found)
    if pauses:
        word = tr("Pauses")
        lines += _wrapped(padded(word, wide) + "  ", pauses, wide + 2)
    acts = [act for act in found.acts if every or act.worth_reading]
    if acts:
        lines += ["", *_table_of_acts(acts, colour)]
    elif not every and found.count(*JUDGED):
        lines += ["", tr("Every move that opened a cell was proven, and no flag was wrong.")]
    return "\n".join(lines)


def _longest_pauses(found: Review) -> str:
    """Return the longest pauses as text, with the act that followed each."""
    return ", ".join(
        tr(
            "{time} before ({row}, {col}) {what}",
            time=format_time_to_thousandths(act.think_ms),
            row=act.row,
            col=act.col,
            what=_verdict_name(act),
        )
        for act in found.pauses[:3]
        if act.row >= 0
    )


def _verdict_name(act: JudgedAct) -> str:
    return tr(NAMES[act.verdict])


def _table_of_acts(acts: list[JudgedAct], colour: bool) -> list[str]:
    rows = [[tr(word) for word in _TABLE_HEADS], *map(_table_row, acts)]
    width = terminal_width()
    if width is not None:
        rows = with_column_cut(rows, _TABLE_HEADS.index("Verdict"), width)
        if table_width(rows) > width:
            return [line for act in acts for line in _act_on_its_side(act, width, colour)]
    indent = max(text_width(row[0]) for row in rows) + 2
    lines = []
    for line, act in zip(aligned_lines(rows, right_columns=(0, 4)), [None, *acts], strict=True):
        lines.append(_styled(line, _style_of_act(act), colour))
        if act is not None and act.reason is not None:
            lines += _wrapped("", str(act.reason), indent)
    return lines


def _act_on_its_side(act: JudgedAct, width: int, colour: bool) -> list[str]:
    """Return what a row of the table says as lines of a name and a value, and a blank line."""
    lines = rows_as_name_value_lines([[tr(word) for word in _TABLE_HEADS], _table_row(act)], width)
    reason = [] if act.reason is None else _wrapped("", str(act.reason), 2)
    return [*(_styled(line, _style_of_act(act), colour) for line in lines), *reason, ""]


def _table_row(act: JudgedAct) -> list[str]:
    best = act.best
    verdict = [
        _verdict_name(act),
        *(tr(said) for name, said in _REMARKS.items() if getattr(act, name)),
    ]
    return [
        format_time_to_thousandths(act.t),
        tr(_VERB_NAMES[act.verb.value]),
        "" if act.row < 0 else cell_pair(act.row, act.col),
        ", ".join(verdict),
        "" if act.chance is None else format_percent(act.chance),
        "" if best is None else f"{cell_pair(best.row, best.col)} {format_percent(best.risk)}",
    ]


def _style_of_act(act: JudgedAct | None) -> str:
    if act is None:
        return _BOLD
    if act.verdict in (*MISTAKES, *WRONG) or act.blew:
        return _RED
    return _YELLOW if act.verdict is Verdict.FORCED else _DIM


def _styled(text: str, style: str, colour: bool) -> str:
    return f"\x1b[{style}m{text}\x1b[0m" if colour else text


def _wrapped(head: str, text: str, indent: int) -> list[str]:
    """Wrap a text; the first line starts with `head`, the others are indented by `indent`."""
    lines = wrapped_lines(text, max((terminal_width() or _WIDTH_OF_FILES) - indent, 20))
    heads = [head or " " * indent] + [" " * indent] * len(lines)
    return [first + line for first, line in zip(heads, lines, strict=False)]
