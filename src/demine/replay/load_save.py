"""Games to files and back: what a file holds tells what it is, its name does not.

`demine.replay.registry` lists the formats of other programs.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import stat
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO, Final, TypeAlias, TypeGuard, TypeVar, overload

import numpy as np

from demine.logic import journal
from demine.logic.errors import DemineError, JournalError, TextError, WorkError
from demine.logic.event import Lay
from demine.logic.game import Game, Origin
from demine.logic.layout import parse_layout
from demine.logic.rules import First, Rules
from demine.replay.claimed_statistics import contradictions
from demine.replay.errors import Flaw, Loss, ReplayError
from demine.replay.format import AnyFormat
from demine.replay.model import Layout, Replay
from demine.replay.registry import JOURNAL, format_of, plugin_errors, recognised, writable_format
from demine.scene.system_errors import why
from demine.statistics.recording import Signal

_Found = TypeVar("_Found")
_Read = TypeVar("_Read", Replay, Layout, Replay | Layout)

AnyPath: TypeAlias = str | os.PathLike[str]
Source: TypeAlias = "AnyPath | bytes"

MAX_BYTES: Final = 1 << 27
"""Largest file that is read: the largest board as a layout is half as long."""
MOST_BUTTONS: Final = 200_000
"""Presses and releases of a game that is read: six clicks a second for as long as RMV files go."""
_PART: Final = 1 << 20
_BINARY: Final = getattr(os, "O_BINARY", 0)
"""Windows would read text."""
_CODE: Final = re.compile(r"\d+\.\d+x\d+\.\S*", re.ASCII)


def load(source: Source, *, trusted: bool = False) -> Game:
    """Read the game in a file, or in its bytes: what they hold tells what they are.

    A journal, a share code, a layout, or a replay or board file of another program. Raises
    `ReplayError` with the path and the reason; also for a file of several games, which `load_all`
    reads. What the file claims and its events contradict stands in the game's `notes`. A file that
    is trusted is played however long that takes; others are refused when it
    takes much longer than any game on a board of up to 500x500.
    """
    return _named(source, lambda data: read(data, trusted=trusted))


def load_all(source: Source, *, trusted: bool = False) -> Sequence[Game]:
    """Read every game in a file, or in its bytes: those of an EVFS file, the one of any other.

    The games of an EVFS file are played when they are asked for, and only then refused as `load`
    refuses them.
    """
    return _named(source, lambda data: _read_all(source, data, trusted=trusted))


def _read_all(source: Source, data: bytes, *, trusted: bool) -> Sequence[Game]:
    known = recognised(data)
    if known is None or known.read_all is None:
        return [_read_as(known, data, trusted=trusted)]

    def play(replay: Replay | Layout) -> Game:
        return _telling(source, lambda: _played(replay, trusted=trusted))

    return Games(known.read_all(data), play)


class Games(Sequence[Game]):
    """The games of a file, each of them played when it is asked for first."""

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
        """Return a game, or some of them; raises `ReplayError` for one that cannot be played."""
        if isinstance(at, slice):
            return Games(self._replays[at], self._play)
        place = range(len(self))[at]
        if place not in self._games:
            self._games[place] = self._play(self._replays[place])
        return self._games[place]


def _named(source: Source, reads: Callable[[bytes], _Found]) -> _Found:
    """Return what a file holds; an error then says which file."""
    data = source if isinstance(source, bytes) else contents(source)
    return _telling(source, lambda: reads(data))


def _telling(source: Source, does: Callable[[], _Found]) -> _Found:
    """Do it; an error then says which file."""
    try:
        return does()
    except DemineError as error:
        if isinstance(source, bytes):
            if isinstance(error, ReplayError):
                raise
            raise ReplayError("{reason}", reason=error) from error
        place = {"format": error.format, "offset": error.offset} if _is_placed(error) else {}
        raise ReplayError(
            "{path}: {reason}", path=os.fspath(source), reason=error, **place
        ) from error


def contents(path: AnyPath) -> bytes:
    """Return the bytes of a file, of one that is too large its first; raises `ReplayError`."""
    try:
        return bytes_of(path)
    except (OSError, ValueError) as error:
        raise _failed(path, error) from error


def bytes_of(path: AnyPath) -> bytes:
    """Return the same; raises `OSError`, and `ValueError` for what is no path."""
    # Most replays are so small that to open them by Python's file objects takes as long as to read
    # what is in them.
    file = os.open(path, os.O_RDONLY | _BINARY)
    try:
        size = os.fstat(file).st_size
        parts = [os.read(file, min(size, MAX_BYTES) + 1)]
        left = MAX_BYTES + 1 - len(parts[0])
        # Pipes say no size, and come in parts.
        while len(parts[0]) != size and left and parts[-1]:
            parts.append(os.read(file, min(left, _PART)))
            left -= len(parts[-1])
    finally:
        os.close(file)
    return b"".join(parts)


def _is_placed(error: DemineError) -> TypeGuard[ReplayError]:
    return isinstance(error, ReplayError) and bool(error.format)


def read(data: bytes, *, trusted: bool = False) -> Game:
    """Read the game that bytes hold; as `load`.

    A layout names no first cell, so the game on it promises nothing about it (`first=any`).
    Raises `DemineError` with the reason.
    """
    return _read_as(recognised(data), data, trusted=trusted)


def _read_as(known: AnyFormat | None, data: bytes, *, trusted: bool) -> Game:
    if known is None:
        return _read_text(data, trusted=trusted)
    return _played(known.read(data), trusted=trusted)


def read_replay(data: bytes, *, trusted: bool = False) -> Replay:
    """Read bytes as a replay, with all that its format says besides the game.

    A journal is one too, whose format is empty. Raises `DemineError`; also for a mere board.
    """
    known = recognised(data)
    if known is None:
        return Replay.of(_read_text(data, trusted=trusted))
    found = known.read(data)
    if isinstance(found, Layout):
        raise ReplayError("{format} files hold a board and no game", format=found.format)
    return found if trusted else _handmade(found)


def _played(found: Replay | Layout, *, trusted: bool) -> Game:
    """Return the game of a file."""
    try:
        return (found if trusted else _handmade(found)).game(trusted=trusted)
    except WorkError as error:
        raise _too_much(found.format, error) from error


def _handmade(found: _Read) -> _Read:
    """Refuse what would take seconds to play, and no hand can have played.

    Movements are as many as a mouse sends in a second, and cost nothing; clicks are played one by
    one.
    """
    if isinstance(found, Replay):
        signal = found.recording.signal
        if signal.size > MOST_BUTTONS < np.count_nonzero(signal != Signal.MV):
            raise _too_much(found.format, Flaw(
                "nobody presses and releases buttons more than {most} times in a game; in Python "
                "demine.load(path, trusted=True) reads a file that you trust all the same",
                most=MOST_BUTTONS,
            ))  # fmt: skip
    return found


def _too_much(format: str, reason: DemineError) -> ReplayError:  # noqa: A002 - its name
    # The whole file is what is wrong.
    return ReplayError("{format}: {reason}", format=format, offset=0, reason=reason)


def _read_text(data: bytes, *, trusted: bool) -> Game:
    """Return the game in a journal, a share code or a layout."""
    try:
        return _read_own(data, trusted=trusted)
    except DemineError as error:
        for broken in plugin_errors(data):
            raise ReplayError("{reason}; {other}", reason=error, other=broken) from error
        raise


def _read_own(data: bytes, *, trusted: bool) -> Game:
    if len(data) > MAX_BYTES:
        raise TextError("more than {most} bytes are no game", most=MAX_BYTES)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        flaw = TextError("no text in UTF-8: byte {place} does not fit", place=error.start)
        raise _at(flaw, "text", error.start) from None
    body = text.strip()
    if body.startswith("{"):
        return _read_journal(data, text.lstrip(), trusted=trusted)
    try:
        if not body:
            raise TextError("nothing in it")
        return Game.from_share(body) if _CODE.fullmatch(body) else _read_layout(body)
    except DemineError as error:
        raise _at(error, "text", 0) from error


def _read_journal(data: bytes, text: str, *, trusted: bool) -> Game:
    try:
        game = journal.loads(text, trusted=trusted)
    except JournalError as error:
        line = error.params.get("line", 1)
        raise _at(error, JOURNAL, _line_at(data, line if isinstance(line, int) else 1)) from error
    game.notes = contradictions(game)
    return game


def _line_at(data: bytes, line: int) -> int:
    """Return the byte where a line begins, counted from the first that is not blank."""
    first = data.index(b"{")
    if line == 1:
        return first
    ends = np.flatnonzero(np.frombuffer(data, np.uint8, offset=first) == ord("\n"))
    return first + int(ends[line - 2]) + 1


def _at(reason: DemineError, format: str, offset: int) -> ReplayError:  # noqa: A002 - its name
    """Return an error of one of our own formats."""
    return ReplayError("{reason}", format=format, offset=offset, reason=reason)


def _read_layout(text: str) -> Game:
    head, _, rows = text.partition("\n")
    try:
        Rules.parse(head)
    except DemineError as error:
        raise TextError(
            "neither a journal nor a share code nor a layout, whose first line would be its rules: "
            "{reason}",
            reason=error,
        ) from error
    if "#" in rows:
        raise TextError("a diagram: it shows what a player sees, and not where the mines are")
    rules, mine_map = parse_layout(text)
    game = Game(replace(rules, first=First.ANY, guess_free=False), 0, origin=Origin.SHARE)
    game.lay(Lay(0, mine_map))
    return game


def save(
    game: Game | Replay,
    path: AnyPath,
    *,
    format: str | None = None,  # noqa: A002 - its name
    strict: bool = False,
) -> tuple[Loss, ...]:
    """Write a game to a file, whole or not at all; return what the file does not hold of it.

    `format` is a name from `registry.writable_formats` or `"journal"`; without it the path's
    ending decides, and any that is not known means a journal, which holds everything. The file is
    on the disk before it takes the place of what was there. Raises `ReplayError` with the path and
    the reason: also for what can only be read, and with `strict` for whatever would get lost.
    """
    try:
        data, lost = convert(game, format or format_of(path))
        if lost and strict:
            raise ReplayError("it would not hold {losses}", losses=listed(lost))
    except DemineError as error:
        raise ReplayError("{path}: {reason}", path=os.fspath(path), reason=error) from error
    with written(path) as file:
        file.write(data)
    return lost


def convert(game: Game | Replay, format: str) -> tuple[bytes, tuple[Loss, ...]]:  # noqa: A002
    """Return a game as the bytes of a format, and what these do not hold of it.

    Raises `DemineError` for what the format cannot hold at all.
    """
    if format.lower() == JOURNAL:
        game = game.game() if isinstance(game, Replay) else game
        return journal.dumps(game).encode("utf-8"), ()
    return writable_format(format).encode(game)


def listed(lost: tuple[Loss, ...]) -> Loss:
    """Return losses as one; there is at least one."""
    listed = lost[0]
    for other in lost[1:]:
        listed = Loss("{losses}; {other}", losses=listed, other=other)
    return listed


@contextlib.contextmanager
def written(path: AnyPath) -> Iterator[BinaryIO]:
    """Yield a new file that takes the place of `path` when it is whole, and never before.

    Raises `ReplayError` with the path and the reason.
    """
    try:
        # The file that a link means is replaced, not the link.
        target = Path(os.path.realpath(path))
        mode = _mode(target)
    except (OSError, ValueError) as error:
        raise _failed(path, error) from error
    try:
        with _draft(target, mode) as file:
            yield file
    except OSError as error:
        raise _failed(path, error) from error


def _mode(target: Path) -> int | None:
    """Return the permissions of the file to be replaced, None when there is none yet."""
    try:
        found = target.stat().st_mode
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(found):
        raise TextError("there is something that is no file")
    return stat.S_IMODE(found)


@contextlib.contextmanager
def _draft(target: Path, mode: int | None) -> Iterator[BinaryIO]:
    draft = target.with_name(f".{target.name[:64]}.{secrets.token_hex(6)}")
    try:
        with draft.open("xb") as file:
            if mode is not None:
                draft.chmod(mode)
            yield file
            file.flush()
            os.fsync(file.fileno())
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)
    _sync_folder(target.parent)


def _sync_folder(folder: Path) -> None:
    """Put the new name on the disk too, where a system lets a folder be synchronised."""
    if os.name == "nt":
        return
    # Some network file systems cannot; the file itself is safe by now.
    with contextlib.suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def _failed(path: AnyPath, error: OSError | ValueError) -> ReplayError:
    return ReplayError("{path}: {reason}", path=os.fspath(path), reason=why(error))
