"""Reads what a verb works on: a file, standard input, or a share code in place of a name."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Final

from demine.cli.options import Option
from demine.cli.param_types import COUNT
from demine.logic.errors import DemineError, TextError
from demine.scene.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from demine.game import Game
    from demine.replay.format import AnyFormat

STDIN: Final = "-"


class NoSuchGame(DemineError):
    """A file holds several games and none was chosen, or it has no game of that number."""


def format_names(formats: Sequence[AnyFormat]) -> str:
    """Return the names of formats in one line, with a note on unverified ones."""
    return ", ".join(
        known.name if known.verified else tr("{format} (unverified)", format=known.name)
        for known in formats
    )


def game_option() -> Option:
    """Return the option `--game`, the number of a game in its file, counted from 1."""
    return Option("--game", COUNT, tr("Which game of a file that holds several, from 1 on."))


def is_share_code_itself(word: str) -> bool:
    """Whether a word is a share code, and no name of a file."""
    from demine.logic.share_code import is_share_code

    return is_share_code(word) and not os.path.exists(word)  # noqa: PTH110 - too long for Path


def read_bytes(word: str, read_file: Callable[[str], bytes]) -> bytes:
    """Return what `read_file` reads, the bytes of standard input for `-`, or a share code."""
    if word == STDIN:
        from demine.replay.limited_file_io import MAX_BYTES

        return sys.stdin.buffer.read(MAX_BYTES + 1)
    if is_share_code_itself(word):
        return word.encode("utf-8", "surrogatepass")
    return read_file(word)


def read_chosen_game(file: str, game_number: int | None) -> Game:
    """Return the game of this number, from 1, or the only one; for the words see `read_bytes`.

    Raises `NoSuchGame` with the file's name, or the errors of reading.
    """
    games = _read_games(file)
    try:
        return choose_game(games, game_number)
    except NoSuchGame as error:
        source = tr("standard input") if file == STDIN else file
        raise NoSuchGame("{path}: {reason}", path=source, reason=error) from error


def choose_game(games: Sequence[Game], game_number: int | None) -> Game:
    """Return the game of this number, from 1, or the only one; raises `NoSuchGame`."""
    if game_number is None and len(games) > 1:
        raise NoSuchGame("it holds {count} games: choose one with --game", count=len(games))
    if game_number is not None and game_number > len(games):
        raise NoSuchGame(
            "it has no game {number}, only {count}", number=game_number, count=len(games)
        )
    return games[(game_number or 1) - 1]


def _read_games(file: str) -> Sequence[Game]:
    from demine.replay.limited_file_io import read_up_to_limit
    from demine.replay.load_save import load_all

    if file != STDIN and not is_share_code_itself(file):
        return load_all(file)
    try:
        return load_all(read_bytes(file, read_up_to_limit))
    except DemineError as error:
        if file == STDIN:
            raise TextError("standard input: {reason}", reason=error) from error
        raise TextError("{path}: {reason}", path=file, reason=error) from error
