"""The argument and the options that choose the position of a verb, and their help."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, TypedDict

from demine.cli.game_input import game_option
from demine.cli.options import Option, Switch, argument, under_heading
from demine.cli.param_types import CELL, POSITION_FILE, Number
from demine.scene.translation import tr

if TYPE_CHECKING:
    import click

Cell: TypeAlias = tuple[int, int]


class PositionChoice(TypedDict):
    """The values of `position_params`."""

    file: str | None
    paste: bool
    mines: int | None
    open_cell: Cell | None
    game: int | None


def position_params() -> list[click.Parameter]:
    """Return the argument and the options that choose a position, for `read_position`."""
    return [
        argument("file", POSITION_FILE, tr("[FILE[@MOMENT]]")),
        *under_heading(
            tr("Position"),
            Switch("--paste", tr("Read the text in the clipboard.")),
            Option("--mines", Number(0), tr("The mine count of a diagram that does not tell it.")),
            Option(
                "--open open_cell",
                CELL,
                tr("Where to begin on a board that nobody has played; rows and columns from 0."),
            ),
            game_option(),
        ),
    ]


def position_help() -> str:
    """Return what a position may be, for the help of a verb."""
    return tr(
        "FILE is a diagram, a replay or journal of any format that is read, or a share code; "
        "without it, or with -, standard input is read. After @ comes a moment of a game: seconds "
        "(game.avf@12.5), a part of its time (@50%), the position in which a move was made (@#17), "
        "start or end. Without one it is the position before the game's last move, and of a board "
        "that nobody has played the one after its first click."
    )
