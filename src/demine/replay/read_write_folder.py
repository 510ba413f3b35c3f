"""Reads all games in a folder, and writes games into one with a list of them."""

from __future__ import annotations

import errno
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from demine.logic.errors import DemineError
from demine.replay import limited_file_io, load_save
from demine.replay.errors import ReplayError
from demine.replay.model import Replay
from demine.replay.registry import JOURNAL_EXTENSION, recognised_format, usual_extension
from demine.scene.system_errors import system_error_reason

if TYPE_CHECKING:
    from demine.game import Game
    from demine.replay.errors import Loss

LIST_FILE: Final = "demine-games.json"
"""The file that lists a folder's journals: whose they are, and when they were played."""
MAX_LIST_BYTES: Final = 1 << 26
ListRow = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class FoundGame:
    """A game in a file of a folder; `number` counts those of one file from 0."""

    path: Path
    number: int
    game: Game
    listed: ListRow | None
    """Its row in the folder's list, if the file is still the one that was written."""


@dataclass(frozen=True, slots=True)
class SkippedFile:
    """A file or a game that was left out, and why."""

    name: str
    error: DemineError


@dataclass(frozen=True, slots=True)
class LossyFile:
    """A written file that does not hold everything of its game."""

    name: str
    lost: tuple[Loss, ...]


def list_files_recursively(folder: Path) -> list[Path]:
    """Return all files in a folder and its subfolders, sorted, except hidden ones and the list.

    Raises `ReplayError` if it is not a folder.
    """
    if not folder.is_dir():
        if folder.exists():
            raise _not_a_folder(folder)
        missing = system_error_reason(FileNotFoundError(errno.ENOENT, ""))
        raise ReplayError("{path}: {reason}", path=folder, reason=missing)
    found = (path for path in folder.rglob("*") if path.is_file())
    return sorted(
        path for path in found if path.name != LIST_FILE and not path.name.startswith(".")
    )


def _not_a_folder(path: Path) -> ReplayError:
    return ReplayError("{path}: it is not a folder", path=path)


def read_game_files(paths: Iterable[Path]) -> Iterator[list[FoundGame] | SkippedFile]:
    """Yield for each file the games in it, or why it was skipped."""
    lists: dict[Path, Mapping[str, ListRow]] = {}
    for path in paths:
        if path.parent not in lists:
            lists[path.parent] = _read_list(path.parent)
        try:
            yield _read_file(path, lists[path.parent].get(path.name))
        except DemineError as error:
            yield SkippedFile(str(path), error)


def _read_file(path: Path, row: ListRow | None) -> list[FoundGame]:
    data = limited_file_io.read_up_to_limit(path)
    if row is not None and row.get("sha256") != hashlib.sha256(data).hexdigest():
        row = None
    known = recognised_format(data)
    if known is not None and known.holds is not Replay:
        raise ReplayError("{format} files hold a board and no game", format=known.name)
    # A listed file was exported by this player, so it is trusted.
    games = load_save.load_all(data, trusted=row is not None)
    return [FoundGame(path, at, game, row) for at, game in enumerate(games)]


def _read_list(folder: Path) -> Mapping[str, ListRow]:
    """Return the rows of a folder's list by file name; empty if there is no readable list."""
    path = folder / LIST_FILE
    try:
        if not path.is_file() or path.stat().st_size > MAX_LIST_BYTES:
            return {}
        found = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    games = found.get("games") if isinstance(found, dict) else None
    if not isinstance(games, dict):
        return {}
    return {name: row for name, row in games.items() if isinstance(row, dict)}


class GameFolderWriter:
    """Writes games into a folder; `close` writes the list of its journals."""

    def __init__(self, path: Path, format_name: str) -> None:
        """Create the folder; the format is one of `load_save.convert`. Raises `ReplayError`."""
        self._path, self._format_name = path, format_name
        self._ending = usual_extension(format_name)
        try:
            path.mkdir(parents=True, exist_ok=True)
        except FileExistsError as error:
            raise _not_a_folder(path) from error
        except OSError as error:
            raise ReplayError(
                "{path}: {reason}", path=path, reason=system_error_reason(error)
            ) from error
        self._rows = dict(_read_list(path))

    def write_game(self, name_stem: str, game: Game, list_row: ListRow) -> LossyFile | None:
        """Write a game to a file named after `name_stem`; raises `DemineError`.

        Returns what the file does not hold of the game, None if it holds everything. A file with
        the same content is not written again; if another file has the name, a number is added.
        `list_row` goes into the list if the file is a journal.
        """
        data, lost = load_save.convert(game, self._format_name)
        name = self._free_name(name_stem, data)
        path = self._path / name
        if not path.exists():
            with limited_file_io.atomic_write(path) as out:
                out.write(data)
        if self._ending == JOURNAL_EXTENSION:
            self._rows[name] = {**list_row, "sha256": hashlib.sha256(data).hexdigest()}
        return LossyFile(name, lost) if lost else None

    def _free_name(self, stem: str, data: bytes) -> str:
        number, name = 1, stem + self._ending
        while (self._path / name).exists() and not _has_content(self._path / name, data):
            number += 1
            name = f"{stem}-{number}{self._ending}"
        return name

    def close(self) -> None:
        """Write the list, if it is not empty; raises `ReplayError`."""
        if self._rows:
            text = json.dumps(
                {"demine": "games", "version": 1, "games": self._rows},
                ensure_ascii=False, indent=0,
            )  # fmt: skip
            with limited_file_io.atomic_write(self._path / LIST_FILE) as out:
                out.write(text.encode())


def _has_content(path: Path, data: bytes) -> bool:
    try:
        return path.stat().st_size == len(data) and path.read_bytes() == data
    except OSError:
        return False
