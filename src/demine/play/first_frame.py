"""The first frame that a window shows at a start, before NumPy and the game are loaded.

Two kinds of first frame are known so early: the picture of the window as it was closed, if nothing
in it can have changed since; and an untouched board, which follows from the settings. A scene draws
the first of them that it can. Once everything is loaded its own drawing replaces that frame without
changing a pixel.
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
from demine.scene.preferences import Preferences, language_at_start
from demine.scene.translation import detect_language
from demine.store.database_paths import FILE_NAME, default_path
from demine.store.quick_look import quick_look

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from demine.scene.preferences import StartOptions


class SavedPicture(NamedTuple):
    """The content of a window when it was closed."""

    png: bytes
    geometry: bytes = b""
    """Position and size of the window in its toolkit's own form; empty if it has none."""


class UntouchedBoard(NamedTuple):
    """A new board: every cell covered, no flag, a time of 0, an idle restart button."""

    rules: Rules
    preferences: Preferences
    settings: Mapping[str, object]
    """All stored settings, including those of single scenes, overridden by this start's options."""
    options: StartOptions

    @property
    def start_language(self) -> str:
        """The code of the language that the scene starts in."""
        return language_at_start(self.preferences, self.options)

    @property
    def status_text(self) -> str:
        """The panel's status line, in the current language."""
        return game_title(self.rules, "" if self.options.seed is None else "seed")


class PictureFile:
    """The picture of one scene's window, saved at its end for its next start.

    It is valid while the program's version, the player's records, the language and the other
    `conditions` stay the same. Its three files hold the picture, the window's geometry and the
    conditions.
    """

    def __init__(self, scene: str, *conditions: object) -> None:
        self._scene = scene
        self._conditions = (detect_language(), os.environ.get("DEMINE_LANG", ""), *conditions)

    def take_if_valid(self) -> SavedPicture | None:
        """Return the picture if it is still valid, and invalidate it.

        So a window that is killed leaves no old picture to the next start.
        """
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
            return None  # there is none, or another program wrote there

    def save(self, picture: SavedPicture) -> None:
        """Save a picture. Close the records first: what they write later invalidates it."""
        with suppress(OSError, DemineError):
            self._path("png").parent.mkdir(parents=True, exist_ok=True)
            self._path("png").write_bytes(picture.png)
            if picture.geometry:
                self._path("place").write_bytes(picture.geometry)
            self._path("txt").write_text(self._current_conditions(), encoding="utf-8")

    def _path(self, suffix: str) -> Path:
        return cache_folder() / f"{self._scene}.{suffix}"

    def _current_conditions(self) -> str:
        """Return everything that the picture depends on, one item a line."""
        found: list[object] = [__version__, *self._conditions]
        records = default_path()
        for file in (records, records.with_name(f"{FILE_NAME}-wal")):
            with suppress(OSError):
                status = file.stat()
                found.append((file.name, status.st_size, status.st_mtime_ns))
        return "\n".join(map(str, found))


def cache_folder() -> Path:
    """Return the folder for files that may be deleted at any time.

    Raises `StoreError` if `DEMINE_DATA_DIR` names the home folder of an unknown user.
    """
    if os.environ.get("DEMINE_DATA_DIR"):
        return default_path().with_name("cache")
    from platformdirs import user_cache_path

    return user_cache_path("demine", appauthor=False)


def first_frame_candidates(
    picture_file: PictureFile, options: StartOptions
) -> Iterator[SavedPicture | UntouchedBoard]:
    """Yield what the window may show first, the best first; nothing if neither kind is known."""
    picture = picture_file.take_if_valid()
    if picture is not None and options == type(options)():
        yield picture
    board = None if options.fullscreen else untouched_board(options)
    if board is not None:
        yield board


def untouched_board(options: StartOptions, path: Path | None = None) -> UntouchedBoard | None:
    """Return the board that a session with these options begins, if it is a plain, untouched one.

    None for an unfinished game, a shared, daily or guess-free board, and for records that cannot be
    read. `path` is that of the database; None for the player's.
    """
    if any(each is not None for each in (options.share_code, options.board, options.daily)):
        return None
    try:
        settings, running = quick_look(path or default_path())
        settings.update(options.settings_to_save)
        preferences = Preferences.from_settings(settings)
        rules = Rules.parse(preferences.rules)
    except (OSError, ValueError, RecursionError, DemineError):
        return None
    resumed = running if options.may_resume else []
    if rules.guess_free or any(game != (str(rules), "", 0) for game in resumed):
        return None
    return UntouchedBoard(rules, preferences, settings, options)
