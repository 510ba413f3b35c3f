"""What a player opens: a recording to watch or a board to play, and which files were open last."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from demine.logic.errors import DemineError
from demine.logic.event import Lay
from demine.logic.game import Origin
from demine.logic.sanitize import escape_to_one_line
from demine.replay.errors import ReplayError
from demine.replay.limited_file_io import read_up_to_limit_or_oserror
from demine.replay.load_save import load_all
from demine.replay.read_demine_text import UnknownContentError
from demine.replay.registry import JOURNAL_EXTENSION, all_formats, replay_formats
from demine.scene.system_errors import system_error_reason
from demine.scene.translation import tr

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from demine.game import Game

RECENT_FILES_SETTING: Final = "recent_files"
"""The name of the setting with the paths of the files that were opened last."""
MOST_RECENT: Final = 8
_LONGEST_NAME: Final = 48


class OpenError(DemineError):
    """A file or a text that cannot be opened; the message names it and says why."""


class Opened(NamedTuple):
    """What is in a file or a text."""

    name: str
    """The name of the file, safe to show in one line; empty for a text."""
    games: Sequence[Game]
    """At least one; only a few formats hold several."""

    @property
    def board(self) -> Game | None:
        """The board to play, as a new game that enters no best times; None for a recording."""
        game = self.games[0] if len(self.games) == 1 else None
        if game is None or any(not isinstance(event, Lay) for event in game.events):
            return None
        return game if game.origin is Origin.SHARE else game.again()


def read_file_to_open(path: str) -> Opened:
    """Read a recording or a board; raises `OpenError`."""
    name = shown_file_name(path)
    try:
        return Opened(name, _games_in(read_up_to_limit_or_oserror(path, waits=False)))
    except DemineError as error:
        raise _open_error(name, error) from error
    except (OSError, ValueError) as error:
        raise _open_error(name, system_error_reason(error)) from error


def read_text_to_open(text: str) -> Opened:
    """Read a recording or a board in a text, such as a share code; raises `OpenError`."""
    try:
        return Opened("", _games_in(text.strip().encode("utf-8", "surrogatepass")))
    except DemineError as error:
        raise OpenError(
            "This text is neither a share code nor a board: {reason}", reason=error
        ) from error


def _games_in(data: bytes) -> Sequence[Game]:
    games = load_all(data)
    if not games:
        raise OpenError("there is no game in it")
    if len(games) == 1:
        games[0]  # Some formats play a game only now, and refuse it.
    return games


def _open_error(name: str, reason: object) -> OpenError:
    if isinstance(reason, ReplayError) and isinstance(reason.reason, UnknownContentError):
        return OpenError("“{name}” is neither a replay nor a board that demine knows", name=name)
    return OpenError("“{name}” cannot be opened: {reason}", name=name, reason=reason)


def shown_file_name(path: str) -> str:
    """Return the name of a file, safe to show, on one line and not too long."""
    name = escape_to_one_line(Path(path).name or path)
    if len(name) <= _LONGEST_NAME:
        return name
    half = (_LONGEST_NAME - 1) // 2
    return f"{name[:half]}…{name[-half:]}"


def file_kinds(*, boards: bool) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the kinds of files to choose from, each with its name and patterns such as `*.avf`.

    Without `boards` only those that hold games.
    """
    games = (JOURNAL_EXTENSION, *(end for known in replay_formats() for end in known.extensions))
    kinds = [(tr("Replays"), games)]
    if boards:
        every = (JOURNAL_EXTENSION, *(end for known in all_formats() for end in known.extensions))
        only_boards = (*(end for end in every if end not in games), ".txt")
        kinds = [
            (tr("Replays and boards"), (*every, ".txt")),
            *kinds,
            (tr("Boards"), only_boards),
        ]
    return tuple((name, tuple(f"*{ending}" for ending in ends)) for name, ends in kinds)


def recent_files(setting: object) -> tuple[str, ...]:
    """Return the paths that a setting holds, the latest first; nothing else is trusted."""
    found = setting if isinstance(setting, list) else []
    paths = dict.fromkeys(each for each in found if isinstance(each, str) and each)
    return tuple(paths)[:MOST_RECENT]


def with_recent_file(paths: Iterable[str], opened: str) -> list[str]:
    """Return the setting after a file was opened: it comes first, and only once."""
    first = os.path.abspath(opened)  # noqa: PTH100 - it must not follow links
    return [first, *(each for each in paths if each != first)][:MOST_RECENT]


def without_missing_file(paths: Sequence[str], missing: str) -> list[str] | None:
    """Return the setting after a file could not be opened; None if the list stays as it is."""
    path = os.path.abspath(missing)  # noqa: PTH100 - as it was noted
    if path not in paths or os.path.lexists(path):
        return None
    return [each for each in paths if each != path]


def recent_file_labels(paths: Sequence[str]) -> tuple[str, ...]:
    """Return what to call each file: its name, with its folder where several have that name."""
    names = [shown_file_name(path) for path in paths]
    return tuple(
        name if names.count(name) == 1 else f"{name} ({shown_file_name(str(Path(path).parent))})"
        for name, path in zip(names, paths, strict=True)
    )
