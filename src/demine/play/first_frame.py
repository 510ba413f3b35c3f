"""What a window shows first at a start, before NumPy, SQLite and the game are loaded.

Two kinds of first frame are known so early: the picture that the window was closed with, while
nothing that it shows can have changed since; and a board that nobody has touched, which follows
from the settings. A scene draws the first of them that it can; its own drawing replaces it without
a changed pixel once everything is loaded.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from demine import __version__
from demine.logic.errors import DemineError
from demine.logic.rules import Rules
from demine.play.game_title import game_title
from demine.scene.preferences import Preferences, start_language
from demine.scene.translation import detect_language
from demine.store.database_paths import FILE_NAME, default_path
from demine.store.quick_look import read_settings_and_games

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from demine.scene.preferences import StartOptions


class SavedPicture(NamedTuple):
    """The content of a window as it was closed."""

    png: bytes
    geometry: bytes = b""
    """Place and size of the window, as its toolkit writes them; empty when it does not."""


class UntouchedBoard(NamedTuple):
    """A new board: every cell covered, no flag, a time of 0, an idle restart button."""

    rules: Rules
    preferences: Preferences
    settings: Mapping[str, object]
    """All stored settings, those of one scene too, with those asked for at this start over them."""
    wishes: StartOptions

    @property
    def start_language(self) -> str:
        """The language that the scene begins in."""
        return start_language(self.preferences, self.wishes)

    @property
    def panel_line(self) -> str:
        """The line of words in the panel, in the language that is set now."""
        return game_title(self.rules, "" if self.wishes.seed is None else "seed")


class PictureFile:
    """The picture of one scene's window, kept from its end to its next start.

    It is valid while the program, the player's records, the language and the other `conditions`
    are the same. It is stored as three files: picture, geometry of the window, conditions.
    """

    def __init__(self, scene: str, *conditions: object) -> None:
        self._scene = scene
        self._conditions = (detect_language(), os.environ.get("DEMINE_LANG", ""), *conditions)

    def take_if_valid(self) -> SavedPicture | None:
        """Return the picture if it is still valid. Only once: a killed window leaves no old one."""
        try:
            conditions = self._path("txt").read_text(encoding="utf-8")
            self._path("txt").unlink()
            if conditions != self._current_conditions():
                return None
            geometry = self._path("place")
            return SavedPicture(
                self._path("png").read_bytes(), geometry.read_bytes() if geometry.exists() else b""
            )
        except (OSError, ValueError, DemineError):
            return None  # there is none, or somebody else wrote there

    def save(self, picture: SavedPicture) -> None:
        """Keep a picture. Call it when the records are closed, or it is out of date at once."""
        with suppress(OSError, DemineError):
            self._path("png").parent.mkdir(parents=True, exist_ok=True)
            self._path("png").write_bytes(picture.png)
            if picture.geometry:
                self._path("place").write_bytes(picture.geometry)
            self._path("txt").write_text(self._current_conditions(), encoding="utf-8")

    def _path(self, suffix: str) -> Path:
        return cache_folder() / f"{self._scene}.{suffix}"

    def _current_conditions(self) -> str:
        """Return everything that the picture depends on, one a line."""
        found: list[object] = [__version__, *self._conditions]
        records = default_path()
        for file in (records, records.with_name(f"{FILE_NAME}-wal")):
            with suppress(OSError):
                status = file.stat()
                found.append((file.name, status.st_size, status.st_mtime_ns))
        return "\n".join(map(str, found))


def cache_folder() -> Path:
    """Return the folder for files that may be deleted at any time.

    Raises `StoreError` for a chosen folder below the home of somebody who is not known here.
    """
    if os.environ.get("DEMINE_DATA_DIR"):
        return default_path().with_name("cache")
    from platformdirs import user_cache_path

    return user_cache_path("demine", appauthor=False)


def first_frame_candidates(
    file: PictureFile, wishes: StartOptions
) -> Iterator[SavedPicture | UntouchedBoard]:
    """Yield what the window may show first, the best first; nothing where it is not known."""
    picture = file.take_if_valid()
    if picture is not None and wishes == type(wishes)():
        yield picture
    board = None if wishes.fullscreen else untouched_board(wishes)
    if board is not None:
        yield board


def untouched_board(wishes: StartOptions, path: Path | None = None) -> UntouchedBoard | None:
    """Return the board that a session with these wishes begins, if it is a plain, untouched one.

    None for an unfinished game, a shared or daily board, a guess-free one, and for records that
    cannot be read. `path` is that of the player's database.
    """
    if wishes.share_code is not None or wishes.daily is not None:
        return None
    try:
        settings, running = read_settings_and_games(path or default_path())
        settings.update(wishes.lasting_settings)
        preferences = Preferences.from_settings(settings)
        rules = Rules.parse(preferences.rules)
    except (OSError, ValueError, RecursionError, DemineError):
        return None
    resumed = running if wishes.resumes else []
    if rules.guess_free or any(game != (str(rules), "", 0) for game in resumed):
        return None
    return UntouchedBoard(rules, preferences, settings, wishes)
