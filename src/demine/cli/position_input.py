"""Reads the position that a verb works on, from a file, a pipe or the terminal."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
import numpy as np

from demine.cli.path_params import FILE_NAME
from demine.game import Game
from demine.logic.errors import DemineError, TextError
from demine.logic.game import Status
from demine.logic.rules import Rules
from demine.replay.errors import ReplayError
from demine.scene.cell_faces import Face
from demine.scene.diagram import parse_scene
from demine.scene.sight import sight
from demine.scene.system_errors import reason_of
from demine.scene.translation import tr

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Position = tuple[Rules, NDArray[np.uint8]]

MAX_BYTES: Final = 1 << 21
"""The longest text that is read, enough for the journal of a very long game."""
MAX_CELLS: Final = 1 << 16
"""The largest board that is solved here; the worst diagram takes a minute."""
_UTF16_BYTE_ORDER_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")


def position_argument() -> click.Argument:
    """Return the optional argument that names the file of a position."""
    return click.Argument(["file"], required=False, type=FILE_NAME, metavar=tr("[FILE]"))


def read_position(file: str | None) -> Position:
    """Return the rules and the faces in a diagram, or in the journal of a game under way.

    None and `-` are standard input. Raises `ReplayError` or `TextError` with the source and the
    reason.
    """
    if file is None or file == "-":
        try:
            return _parse_position(_read_standard_input())
        except DemineError as error:
            raise TextError("standard input: {reason}", reason=error) from error
    data = _read_file(file)
    try:
        return _parse_position(_decode(data))
    except DemineError as error:
        raise ReplayError("{path}: {reason}", path=file, reason=error) from error


def _read_file(file: str) -> bytes:
    try:
        with Path(file).open("rb") as stream:
            return stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise ReplayError("{path}: {reason}", path=file, reason=reason_of(error)) from error


def _read_standard_input() -> str:
    if sys.stdin is None:
        raise TextError("it is empty")
    if sys.stdin.isatty():
        return _read_typed_diagram()
    return _decode(sys.stdin.buffer.read(MAX_BYTES + 1))


def _read_typed_diagram() -> str:
    """Return a diagram typed or pasted into the terminal; its first line gives its height."""
    click.echo(
        tr(
            "Type or paste a diagram: the rules first, such as 9x9/10, then one row per line; # "
            "covered, F flag, ? question mark, . or 0 and 1 to 8 opened."
        ),
        err=True,
    )
    lines: list[str] = []
    rows = 0
    while len(lines) <= rows:
        line = sys.stdin.readline()
        if not line:
            break
        if line.strip():
            lines.append(line)
            rows = rows or Rules.parse(line).height
    return "".join(lines)


def _decode(data: bytes) -> str:
    if len(data) > MAX_BYTES:
        raise TextError("a diagram has at most {most} bytes", most=MAX_BYTES)
    # Windows PowerShell writes UTF-16 with >.
    encoding = "utf-16" if data[:2] in _UTF16_BYTE_ORDER_MARKS else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise TextError("not UTF-8 text: byte {place} is invalid", place=error.start) from None


def _parse_position(text: str) -> Position:
    body = text.strip()
    if not body:
        raise TextError("it is empty")
    if not body.startswith("{"):
        _check_size(Rules.parse(body.partition("\n")[0]))
        return _checked_unfinished(*parse_scene(body))
    game = Game.from_journal(body + "\n")
    _check_size(game.rules)
    if game.status is Status.PAUSED:
        raise TextError("this game is paused, so its board is hidden")
    return _checked_unfinished(game.rules, sight(game))


def _checked_unfinished(rules: Rules, faces: NDArray[np.uint8]) -> Position:
    """Return a position; raise `TextError` if its blown mines have cost every life."""
    blown = faces == Face.BLOWN
    if np.count_nonzero(blown) >= rules.lives:
        row, col = np.argwhere(blown)[-1].tolist()
        raise TextError(
            "row {row}, column {col} shows {face}: this game has ended",
            row=row,
            col=col,
            face=Face.BLOWN.name,
        )
    return rules, faces


def _check_size(rules: Rules) -> None:
    if rules.cells > MAX_CELLS:
        raise TextError(
            "a position has at most {most} cells, not {cells}", most=MAX_CELLS, cells=rules.cells
        )
