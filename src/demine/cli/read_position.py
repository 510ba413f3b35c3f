"""Reads the position that a verb works on: a diagram, or a moment of a game.

This is the grammar of the argument of `demine hint`, `solve` and `analyse`: a file, `-`, or a share
code, and after an `@` a moment as `demine.scene.moment` reads it. What is in a file decides what it
is. A replay is read by `demine.replay`, any other text as `demine.scene.pasted_diagram` does.
"""

from __future__ import annotations

import os
import re
import sys
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple, Unpack

import click
import numpy as np

from demine.cli.exit_codes import print_message
from demine.cli.game_input import is_share_code_itself
from demine.logic.errors import DemineError, TextError
from demine.logic.rules import First, Rules
from demine.replay import limited_file_io
from demine.replay.errors import ReplayError
from demine.replay.limited_file_io import read_up_to_limit_or_oserror
from demine.scene.cell_faces import Face
from demine.scene.diagram import FACE_LETTERS, MineCountMissing
from demine.scene.pasted_diagram import NoDiagram, parse_pasted
from demine.scene.seen_position import SeenPosition
from demine.scene.system_errors import system_error_reason
from demine.scene.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from demine.cli.position_options import Cell, PositionChoice
    from demine.game import Game

MAX_CELLS: Final = 1 << 16
"""The largest board that is solved here; the worst diagram takes a minute."""
MAX_BYTES: Final = 1 << 21
"""The longest diagram that is read."""
_UTF16_BYTE_ORDER_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")
_UNLIKE_TEXT: Final = re.compile(rb"[\0-\x08\x0e-\x1a]")
_STDIN: Final = "-"
_DIAGRAM_LETTERS: Final = frozenset(f"{FACE_LETTERS} \t\r\n")


class Position(NamedTuple):
    """A position to work on."""

    rules: Rules
    faces: NDArray[np.uint8]
    """What the player sees, `(height, width)` of `Face`."""
    start: Cell | None = None
    """Where the game must begin, or None for any cell."""
    source: str = ""
    """What its file is called, or where else it is from."""

    def seen(self) -> SeenPosition:
        """Return the position as the solver takes it."""
        return SeenPosition(self.faces, self.rules.mines, self.rules.first, self.start)


def read_position(verb: str, **chosen: Unpack[PositionChoice]) -> Position:
    """Return the position that the options of `demine.cli.position_options` choose.

    Says on standard error which position it is if that of a finished game was not chosen. Raises
    `ReplayError` with the source and the reason.
    """
    source = _find_source(chosen["file"], paste=chosen["paste"])
    try:
        data = source.read()
        if not _is_own_diagram(data) and _holds_games(data):
            found = _position_in_recorded_game(data, source.moment, verb, chosen)
            return found._replace(source=source.name)
        _check_diagram_options(source.moment, chosen)
        found = _position_of_diagram(_decode(data), chosen["mines"])
        return found._replace(source=source.name)
    except DemineError as error:
        raise ReplayError("{path}: {reason}", path=source.name, reason=error) from error


def _check_diagram_options(moment: str | None, chosen: PositionChoice) -> None:
    """Raise `TextError` for what chooses among positions, for a diagram is one."""
    given = {
        f"@{moment}": moment,
        "--open": chosen["open_cell"],
        "--game": chosen["game"],
    }
    for option, value in given.items():
        if value is not None:
            raise TextError(
                "it is a diagram, which is one position: {option} is for games", option=option
            )


# Where it is


class _Source(NamedTuple):
    """Where a position is: what to call it, how to read it, and the moment that was named."""

    name: str
    read: Callable[[], bytes]
    moment: str | None = None


def _find_source(word: str | None, *, paste: bool) -> _Source:
    if paste and word is not None:
        raise click.UsageError(tr("--paste reads the clipboard, so it takes no file"))
    if paste:
        from demine.cli.clipboard import read_clipboard

        return _Source(tr("the clipboard"), partial(read_clipboard, MAX_BYTES))
    name, moment = _split_moment(word or _STDIN)
    if name == _STDIN:
        return _Source(tr("standard input"), _read_standard_input, moment)
    if _is_text(name):
        return _Source(name, name.encode, moment)
    return _Source(name, partial(_read_file, name), moment)


def _split_moment(word: str) -> tuple[str, str | None]:
    """Return a name and the moment after its last `@`, which may also be part of the name.

    Without a name it is a moment of the game on standard input, for `-@12.5` would be an option.
    """
    name, at, moment = word.rpartition("@")
    if not at or _exists(word):
        return word, None
    name = name or _STDIN
    if not (name == _STDIN or _is_text(name) or _exists(name)):
        from demine.scene.moment import Moment, MomentError

        try:
            Moment.parse(moment)
        except MomentError:
            return word, None
    return name, moment


def _is_text(word: str) -> bool:
    """Whether a word is the board itself, a share code or a link, and no name of a file."""
    return is_share_code_itself(word) or ("://" in word and not _exists(word))


def _exists(word: str) -> bool:
    return os.path.exists(word)  # noqa: PTH110 - a path may hold what Path refuses


def _read_file(file: str) -> bytes:
    try:
        return read_up_to_limit_or_oserror(file)
    except (OSError, ValueError) as error:
        reason = system_error_reason(error)
        raise (
            reason if isinstance(reason, DemineError) else TextError("{reason}", reason=reason)
        ) from error


def _read_standard_input() -> bytes:
    if sys.stdin is None:
        raise TextError("it is empty")
    if sys.stdin.isatty():
        return _read_typed_diagram().encode("utf-8", "surrogatepass")
    return sys.stdin.buffer.read(limited_file_io.MAX_BYTES + 1)


def _read_typed_diagram() -> str:
    """Return a diagram typed or pasted into the terminal.

    Its first line gives its height; without such a line an empty one ends it.
    """
    click.echo(
        tr(
            "Type or paste a diagram: the rules first, such as 9x9/10, then one row per line; # "
            "covered, F flag, ? question mark, . or 0 and 1 to 8 opened."
        ),
        err=True,
    )
    lines: list[str] = []
    rows = None
    while rows is None or len(lines) <= rows:
        line = sys.stdin.readline()
        if not line or (lines and rows is None and not line.strip()):
            break
        if line.strip():
            rows = rows if lines else _height_in_rules(line)
            lines.append(line)
    return "".join(lines)


def _height_in_rules(line: str) -> int | None:
    try:
        return Rules.parse(line).height
    except DemineError:
        return None


# What it is


def _is_own_diagram(data: bytes) -> bool:
    """Whether bytes are rules and rows of demine's letters, with a covered cell.

    They are no game of any format then, and no format has to be imported to see that.
    """
    head, _, rows = data[:MAX_BYTES].decode("utf-8", "replace").partition("\n")
    covered = FACE_LETTERS[Face.COVERED]
    return _height_in_rules(head) is not None and covered in rows and set(rows) <= _DIAGRAM_LETTERS


def _holds_games(data: bytes) -> bool:
    """Whether bytes are a replay, a board with its mines or one of demine's texts of games.

    Raises `UnsupportedFileError` or `TextError` if they are neither that nor text.
    """
    from demine.replay.format import Evidence
    from demine.replay.read_demine_text import is_demine_text
    from demine.replay.registry import recognised_format
    from demine.scene.unsupported_files import unsupported_file_error

    other = unsupported_file_error(data)
    if other is not None:
        raise other
    known = recognised_format(data)
    if _UNLIKE_TEXT.search(data) and data[:2] not in _UTF16_BYTE_ORDER_MARKS:
        if known is None:
            raise TextError("it is neither a diagram nor a replay of a format that demine knows")
        return True
    # Few numbers are enough for some formats, and a diagram may have them.
    return is_demine_text(data) or (known is not None and known.evidence <= Evidence.STRUCTURE)


def _decode(data: bytes) -> str:
    if len(data) > MAX_BYTES:
        raise TextError("a diagram has at most {most} bytes", most=MAX_BYTES)
    # Windows PowerShell writes UTF-16 with >.
    encoding = "utf-16" if data[:2] in _UTF16_BYTE_ORDER_MARKS else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise TextError("not UTF-8 text: byte {place} is invalid", place=error.start) from None


def _position_of_diagram(text: str, mines: int | None) -> Position:
    try:
        rules, faces = parse_pasted(text, mines)
    except MineCountMissing as error:
        raise TextError("{reason}, or add --mines N", reason=error) from error
    except NoDiagram as error:
        raise TextError("it is neither a diagram nor a game: {reason}", reason=error) from error
    _check_size(rules)
    return _checked_unfinished(rules, faces)


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
    return Position(rules, faces)


def _check_size(rules: Rules) -> None:
    """Raise `TextError` for a board that is too large to be solved here."""
    if rules.cells > MAX_CELLS:
        raise TextError(
            "a position has at most {most} cells, not {cells}", most=MAX_CELLS, cells=rules.cells
        )


# In a recorded game: what reads one is imported here, because a diagram needs nothing of it


def _position_in_recorded_game(
    data: bytes, moment: str | None, verb: str, chosen: PositionChoice
) -> Position:
    """Return the chosen position of the chosen game in a file's bytes."""
    from demine.cli.game_input import choose_game
    from demine.logic.event_log import acts
    from demine.replay.load_save import load_all
    from demine.scene.moment import START, Moment, last_move, position_at

    game = choose_game(load_all(data), chosen["game"])
    _check_size(game.rules)
    if chosen["mines"] is not None:
        raise TextError("its mine count comes with it, so --mines is for diagrams only")
    wanted = last_move(game) if moment is None else Moment.parse(moment)
    if not any(acts(game.events)):
        if wanted != START:
            raise TextError("nobody has played this board, so @start is its only moment")
        first = game.start if moment is None else None
        return _position_of_unplayed_board(game, chosen["open_cell"] or first)
    if chosen["open_cell"] is not None:
        raise TextError("--open is for boards that nobody has played")
    seen = position_at(game, wanted)
    if moment is None and game.status.over:
        print_message(
            verb, tr("this is the position before the last move, {moment}", moment=wanted)
        )
    return Position(game.rules, seen.scene, game.start)


def _position_of_unplayed_board(game: Game, first: Cell | None) -> Position:
    """Return a board that nobody has played, after its first click if one is known."""
    from demine.logic.event import Lay
    from demine.scene.sight import sight, sight_while_running

    if first is None:
        return Position(game.rules, sight(game))
    row, col = first
    if not (row < game.rules.height and col < game.rules.width):
        raise TextError(
            "row {row}, column {col} is outside the {width}x{height} board (--open {cell})",
            row=row, col=col, width=game.rules.width, height=game.rules.height, cell=f"{row},{col}",
        )  # fmt: skip
    if game.board.laid and game.board.mine_map[row, col]:
        raise TextError(
            "row {row}, column {col} is a mine (--open {cell})",
            row=row, col=col, cell=f"{row},{col}",
        )  # fmt: skip
    played = type(game)(replace(game.rules, first=First.ANY, guess_free=False), game.seed)
    if game.board.laid:
        played.lay(Lay(0, game.board.mine_map))
    played.open(row, col)
    return Position(game.rules, sight_while_running(played.board))
