"""Loads and saves games; the format of a file is recognised by its content, not its name.

`demine.replay.registry` lists the formats of other programs.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from os import PathLike
from typing import Final, TypeAlias, TypeGuard, TypeVar, overload

import numpy as np

from demine.game import Game
from demine.logic.errors import DemineError, NotAGame, WorkError
from demine.replay.errors import Flaw, Loss, ReplayError
from demine.replay.format import AnyFormat
from demine.replay.limited_file_io import AnyPath, atomic_write, read_up_to_limit
from demine.replay.model import Layout, Replay
from demine.replay.read_demine_text import read_demine_text
from demine.replay.registry import JOURNAL, format_name_of_path, recognised_format, writable_format
from demine.statistics.recording_type import Signal

_Found = TypeVar("_Found")
_Read = TypeVar("_Read", Replay, Layout, Replay | Layout)

Source: TypeAlias = AnyPath | bytes
MAX_BUTTON_EVENTS: Final = 200_000
"""The most presses and releases of an untrusted game: six clicks a second for over 4 hours."""


def load(source: str | PathLike[str] | bytes, *, trusted: bool = False) -> Game:
    """Read the game in a file, given by its path or its bytes; the content decides the format.

    It may be a journal, a share code, a layout, or a replay or board file of another program.
    Raises `ReplayError` with the path and the reason, also for a file of several games, which
    `load_all` reads. Claims that the events contradict are in the game's `notes`. A trusted file
    is played however long that takes; others are refused if it takes much longer than any game on
    a board of up to 500x500.

    >>> import demine
    >>> game = demine.Game("9x9/10", seed=7)
    >>> status = game.open(4, 4)
    >>> demine.load(game.journal().encode()) == game
    True
    """
    return _read_source(source, lambda data: read(data, trusted=trusted))


def load_all(source: str | PathLike[str] | bytes, *, trusted: bool = False) -> Sequence[Game]:
    """Read every game in a file, given by its path or its bytes; only EVFS files have several.

    The games of an EVFS file are played on first access, and only then refused as by `load`.

    >>> import demine
    >>> game = demine.Game("9x9/10", seed=7)
    >>> status = game.open(4, 4)
    >>> len(demine.load_all(game.journal().encode()))
    1
    """
    return _read_source(source, lambda data: _read_all(source, data, trusted=trusted))


def load_replay(source: str | PathLike[str] | bytes, *, trusted: bool = False) -> Replay:
    """Read a file, given by its path or its bytes, as a replay: all that its format states.

    That is the recorded hand, the format and its version, and what the file says of the player and
    the program, or claims of the game. `Replay.game` plays it. Errors and `trusted` are those of
    `load`; a board file of another program holds no game, and is refused.

    >>> import demine
    >>> game = demine.Game("9x9/10", seed=7)
    >>> status = game.open(4, 4)
    >>> data, lost = demine.convert(game, "rmv")
    >>> replay = demine.load_replay(data)
    >>> replay.format, replay.facts["program"] == f"demine {demine.__version__}"
    ('RMV', True)
    """
    return _read_source(source, lambda data: read_replay(data, trusted=trusted))


def read_replay(data: bytes, *, trusted: bool = False) -> Replay:
    """Read bytes as a replay, with everything that its format states besides the game.

    demine's own texts become a replay whose format is empty. Raises `DemineError`, also for a board
    file of another program.
    """
    known = recognised_format(data)
    if known is None:
        return Replay.of(read_demine_text(data, trusted=trusted))
    found = known.read(data)
    if isinstance(found, Layout):
        raise ReplayError("{format} files hold a board and no game", format=found.format)
    return found if trusted else _checked_playable(found)


def save(
    game: Game | Replay,
    path: str | PathLike[str],
    *,
    format: str | None = None,  # noqa: A002 - its name
    strict: bool = False,
) -> tuple[Loss, ...]:
    """Write a game to a file atomically; return what the file does not hold of it.

    `format` is a name such as `"evf"`, or `"journal"`, which holds everything; without it the
    path's extension decides, of which `.jsonl` and none mean a journal. The new file is on the disk
    before it replaces an old one. Raises `ReplayError` with the path and the reason, also for a
    format that cannot be written and, with `strict`, if anything would be lost.

    >>> import demine
    >>> game = demine.Game("9x9/10", seed=7)
    >>> status = game.open(4, 4)
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "game.jsonl")
    ...     lost = demine.save(game, path)
    ...     demine.load(path) == game
    True
    """
    try:
        data, lost = convert(game, format or format_name_of_path(path))
        if lost and strict:
            raise ReplayError("it cannot hold {losses}", losses=joined_losses(lost))
    except NotAGame:
        raise
    except DemineError as error:
        raise ReplayError("{path}: {reason}", path=os.fspath(path), reason=error) from error
    with atomic_write(path) as file:
        file.write(data)
    return lost


def convert(game: Game | Replay, format: str) -> tuple[bytes, tuple[Loss, ...]]:  # noqa: A002
    """Return a game as the bytes of a file, and what they do not hold of it.

    `format` is that of `save`. Raises `DemineError` if it cannot hold the game at all, and
    `ReplayError` with the names of all formats for one that is unknown.

    >>> import demine
    >>> game = demine.Game("9x9/10", seed=7)
    >>> status = game.open(4, 4)
    >>> data, lost = demine.convert(game, "rmv")
    >>> bool((demine.load(data).board.open_map == game.board.open_map).all())
    True
    """
    if not isinstance(game, Game | Replay):
        raise NotAGame.of(game)
    if format.lower() == JOURNAL:
        game = game.game() if isinstance(game, Replay) else game
        return game.journal().encode("utf-8"), ()
    return writable_format(format).encode(game)


def read(data: bytes, *, trusted: bool = False) -> Game:
    """Read the game in the bytes of a file, as `load` does.

    A layout names no first cell, so its game promises nothing about it (`first=any`). Raises
    `DemineError` with the reason.
    """
    return _read_game_as(recognised_format(data), data, trusted=trusted)


def _read_all(source: Source, data: bytes, *, trusted: bool) -> Sequence[Game]:
    known = recognised_format(data)
    if known is None or known.read_all is None:
        return [_read_game_as(known, data, trusted=trusted)]

    def play(replay: Replay | Layout) -> Game:
        return _with_source_in_errors(source, lambda: _playable_game(replay, trusted=trusted))

    return LazyGames(known.read_all(data), play)


class LazyGames(Sequence[Game]):
    """The games of a file, each played on first access."""

    def __init__(
        self, replays: Sequence[Replay | Layout], play: Callable[[Replay | Layout], Game]
    ) -> None:
        self._replays = replays
        self._play = play
        self._games: dict[int, Game] = {}

    def __len__(self) -> int:
        return len(self._replays)

    @overload
    def __getitem__(self, at: int) -> Game: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Game]: ...
    def __getitem__(self, at: int | slice) -> Game | Sequence[Game]:
        """Return a game or a slice; raises `ReplayError` for a game that cannot be played."""
        if isinstance(at, slice):
            return LazyGames(self._replays[at], self._play)
        place = range(len(self))[at]
        if place not in self._games:
            self._games[place] = self._play(self._replays[place])
        return self._games[place]


def _read_source(source: Source, reads: Callable[[bytes], _Found]) -> _Found:
    """Return what `reads` makes of a file; errors name the file."""
    data = source if isinstance(source, bytes) else read_up_to_limit(source)
    return _with_source_in_errors(source, lambda: reads(data))


def _with_source_in_errors(source: Source, does: Callable[[], _Found]) -> _Found:
    """Return the result of `does`; errors name the file."""
    try:
        return does()
    except DemineError as error:
        if isinstance(source, bytes):
            if isinstance(error, ReplayError):
                raise
            raise ReplayError("{reason}", reason=error) from error
        place = {"format": error.format, "offset": error.offset} if _has_offset(error) else {}
        raise ReplayError(
            "{path}: {reason}", path=os.fspath(source), reason=error, **place
        ) from error


def _has_offset(error: DemineError) -> TypeGuard[ReplayError]:
    return isinstance(error, ReplayError) and bool(error.format)


def _read_game_as(known: AnyFormat | None, data: bytes, *, trusted: bool) -> Game:
    if known is None:
        return read_demine_text(data, trusted=trusted)
    return _playable_game(known.read(data), trusted=trusted)


def _playable_game(found: Replay | Layout, *, trusted: bool) -> Game:
    """Return the game; raises `ReplayError` if it is too much work for an untrusted file."""
    try:
        return (found if trusted else _checked_playable(found)).game(trusted=trusted)
    except WorkError as error:
        raise _too_much_work_error(found.format, error) from error


def _checked_playable(found: _Read) -> _Read:
    """Return the content; raises `ReplayError` for more button events than any player makes.

    Button events are played one by one; moves cost nothing.
    """
    if isinstance(found, Replay):
        signal = found.recording.signal
        if signal.size > MAX_BUTTON_EVENTS < np.count_nonzero(signal != Signal.MV):
            raise _too_much_work_error(found.format, Flaw(
                "a game has at most {most} presses and releases of buttons; in Python, "
                "demine.load(path, trusted=True) reads a file you trust anyway",
                most=MAX_BUTTON_EVENTS,
            ))  # fmt: skip
    return found


def _too_much_work_error(format: str, reason: DemineError) -> ReplayError:  # noqa: A002 - its name
    # The file as a whole is wrong, not one byte.
    return ReplayError("{format}: {reason}", format=format, offset=0, reason=reason)


def joined_losses(lost: tuple[Loss, ...]) -> Loss:
    """Return one or more losses as one."""
    joined = lost[0]
    for other in lost[1:]:
        joined = Loss("{losses}; {other}", losses=joined, other=other)
    return joined
