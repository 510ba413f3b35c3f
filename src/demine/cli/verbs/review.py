"""`demine review`: a game judged act by act."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Final

import click

from demine.cli.diagram_input import COLOURS
from demine.cli.errors_and_exit_codes import DONE, say_no
from demine.cli.json_output import to_json
from demine.cli.one_game_input import chosen_game, game_option
from demine.cli.path_params import FILE_NAME
from demine.cli.position_report import coloured, print_coloured
from demine.cli.progress_and_interrupt import Progress
from demine.cli.theme_options import look_options, looked
from demine.logic.event_log import acts
from demine.play import warm_up
from demine.replay.file_io import atomic_write
from demine.replay.model import MODES
from demine.reviews.review import ReviewError, review
from demine.reviews.review_result import (
    JUDGED,
    MISTAKES,
    NAMES,
    WRONG,
    Judged,
    Review,
    Verdict,
    clock,
)
from demine.scene.translation import mark, tr
from demine.solver.hint import format_percent

if TYPE_CHECKING:
    from demine.game import Game
    from demine.scene.themes import Theme

ABOUT = mark("Judge a game: guesses, mistakes, luck, and where its time went.")
HELP_ORDER = 60

_HEAD: Final = (
    mark("Time"), mark("Act"), mark("Cell"), mark("Verdict"), mark("Risk"), mark("Best"),
)  # fmt: skip
_VERBS: Final = {
    "open": mark("open"), "flag": mark("flag"), "question": mark("question"),
    "chord": mark("chord"), "undo": mark("undo"), "hint": mark("hint"), "resign": mark("resign"),
}  # fmt: skip
_MARKS: Final = {"undone": mark("taken back"), "blew": mark("blew up")}
_MOVING: Final = frozenset(MODES[number] for number in range(6, 11))
"""The modes in which whether a guess lives is for their rules to say."""
_WIDE: Final = 960
"""So wide a board is drawn, in pixels, as far as its cells allow."""
_LARGE: Final = 400_000
"""From so many cells of positions on the compiled solver is loaded: some expert games together."""
_BOLD, _RED, _YELLOW, _DIM = "1", "1;31", "33", "2"


def command() -> click.Command:
    """Return the verb."""
    return click.Command(
        "review",
        callback=_review,
        help=tr(
            "Judge a game: what was proven, which guesses were forced and which were not, how "
            "lucky it was, and where its time went.\n\n"
            "FILE holds a game: a journal or a replay; - is standard input. Every act is judged by "
            "what could be known just before it. Exit code 1: there is nothing to judge."
        ),
        params=[
            click.Argument(["file"], type=FILE_NAME, metavar=tr("FILE")),
            game_option(),
            click.Option(
                ["--all", "every"], is_flag=True, help=tr("List every act, proven ones too.")
            ),
            click.Option(["--json", "as_json"], is_flag=True, help=tr("Print as JSON.")),
            click.Option(
                ["--output", "-o", "output"],
                type=FILE_NAME,
                metavar=tr("FILE"),
                help=tr("Draw the game and its risks: a name that ends in .png or .svg."),
            ),
            *look_options("light"),
            click.Option(
                ["--color"],
                type=click.Choice(COLOURS),
                default="auto",
                show_default=True,
                help=tr("Whether to colour; auto does on a terminal unless NO_COLOR is set."),
            ),
        ],
    )


def _review(
    file: str,
    game: int | None,
    every: bool,
    as_json: bool,
    output: str | None,
    theme: str,
    palette: str | None,
    color: str,
) -> int:
    if output is not None and not output.lower().endswith((".png", ".svg")):
        raise click.UsageError(tr("a picture's name ends in .png or .svg"))
    judged = chosen_game(file, game)
    if output is not None:
        _check_size(judged, looked(theme, palette))
    _wake_solver(judged)
    progress = Progress(len(judged.events))
    try:
        found = review(judged, progress=progress.reach)
    except ReviewError as error:
        return say_no("review", error)
    finally:
        progress.close()
    if output is not None:
        _draw(judged, found, output, looked(theme, palette))
    colour = coloured(color)
    if as_json:
        click.echo(to_json(found.json()))
    else:
        mode = str(judged.facts.get("mode", ""))
        print_coloured(_text(found, every, colour, mode), colour=colour)
    return DONE


def _wake_solver(game: Game) -> None:
    """Load the compiled solver where that takes less time than it saves; compiling never does."""
    if len(acts(game.events)) * game.rules.cells >= _LARGE and warm_up.cached():
        warm_up.warm()


def _check_size(game: Game, theme: Theme) -> None:
    """Raise PictureError where the game is too large to be drawn, before it is judged."""
    from demine.notebook.review_drawing import check_size

    check_size(game, theme, _cell(game))


def _cell(game: Game) -> int:
    return min(48, max(12, _WIDE // game.rules.width))


def _draw(game: Game, found: Review, output: str, theme: Theme) -> None:
    from demine.notebook.review_drawing import drawing
    from demine.picture import png_bytes

    picture = drawing(game, found, theme, _cell(game))
    is_svg = output.lower().endswith(".svg")
    data = picture.svg().encode("utf-8") if is_svg else png_bytes(picture.pixels())
    with atomic_write(output) as stream:
        stream.write(data)


def _text(found: Review, every: bool, colour: bool, mode: str) -> str:
    head, *_ = found.summary.splitlines()
    rows = found.lines()
    if mode in _MOVING:
        note = tr(
            "{mode}: there the mines may move under a guess; risks and luck are told here as if "
            "they could not",
            mode=mode,
        )
        rows.append((tr("Mode"), note))
    wide = max(_columns(word) for word, _ in rows)
    lines = [_styled(head, _BOLD, colour), ""]
    for word, said in rows:
        lines += _wrapped(word + " " * (wide - _columns(word)) + "  ", said, wide + 2)
    pauses = _pauses(found)
    if pauses:
        word = tr("Pauses")
        lines += _wrapped(word + " " * max(0, wide - _columns(word)) + "  ", pauses, wide + 2)
    acts = [act for act in found.acts if every or act.worth_reading]
    if acts:
        lines += ["", *_table(acts, colour)]
    elif not every and found.count(*JUDGED):
        lines += ["", tr("Every opening act was proven, and no flag was wrong.")]
    return "\n".join(lines)


def _pauses(found: Review) -> str:
    """Return before which acts the player thought longest."""
    return ", ".join(
        tr(
            "{time} before ({row}, {col}) {what}",
            time=clock(act.think_ms),
            row=act.row,
            col=act.col,
            what=_what(act),
        )
        for act in found.pauses[:3]
        if act.row >= 0
    )


def _what(act: Judged) -> str:
    return tr(NAMES[act.verdict])


def _table(acts: list[Judged], colour: bool) -> list[str]:
    rows = [[tr(word) for word in _HEAD], *map(_cells, acts)]
    wide = [max(_columns(row[at]) for row in rows) for at in range(len(_HEAD))]
    lines = []
    for row, act in zip(rows, [None, *acts], strict=True):
        words = [
            " " * (width - _columns(word)) + word
            if at in (0, 4)
            else word + " " * (width - _columns(word))
            for at, (word, width) in enumerate(zip(row, wide, strict=True))
        ]
        lines.append(_styled("  ".join(words).rstrip(), _style(act), colour))
        if act is not None and act.reason is not None:
            lines += _wrapped("", act.reason.text(), wide[0] + 2)
    return lines


def _cells(act: Judged) -> list[str]:
    best = act.best
    verdict = [_what(act), *(tr(said) for name, said in _MARKS.items() if getattr(act, name))]
    return [
        clock(act.t),
        tr(_VERBS[act.verb.value]),
        "" if act.row < 0 else f"({act.row}, {act.col})",
        ", ".join(verdict),
        "" if act.chance is None else format_percent(act.chance),
        "" if best is None else f"({best.row}, {best.col}) {format_percent(best.risk)}",
    ]


def _style(act: Judged | None) -> str:
    if act is None:
        return _BOLD
    if act.verdict in (*MISTAKES, *WRONG) or act.blew:
        return _RED
    return _YELLOW if act.verdict is Verdict.FORCED else _DIM


def _styled(text: str, style: str, colour: bool) -> str:
    return f"\x1b[{style}m{text}\x1b[0m" if colour else text


def _wrapped(head: str, text: str, indent: int) -> list[str]:
    """Return a text below each other in lines of a terminal's width."""
    # Letters may take two columns each; the wrapper counts letters.
    room = (96 - indent) * len(text) // max(1, _columns(text))
    lines = textwrap.wrap(text, room)
    heads = [head or " " * indent] + [" " * indent] * len(lines)
    return [first + line for first, line in zip(heads, lines, strict=False)]


def _columns(text: str) -> int:
    """Return how many columns of a terminal a text takes: Chinese letters take two."""
    from unicodedata import east_asian_width

    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)
