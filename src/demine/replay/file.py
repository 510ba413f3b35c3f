"""Games to files and back: what a file holds tells what it is, its name does not."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import stat
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO, Final, TypeAlias

from demine.logic import journal
from demine.logic.errors import DemineError, TextError
from demine.logic.event import Lay
from demine.logic.game import Game, Origin
from demine.logic.layout import parse_layout
from demine.logic.rules import First, Rules
from demine.replay.errors import ReplayError

AnyPath: TypeAlias = str | os.PathLike[str]

MAX_BYTES: Final = 1 << 27
"""Largest file that is read: the largest board as a layout is half as long."""
_CODE: Final = re.compile(r"\d+\.\d+x\d+\.\S*", re.ASCII)


def load(path: AnyPath) -> Game:
    """Read the game in a file: a journal, a share code or a layout.

    Raises `ReplayError` with the path and the reason.
    """
    try:
        with Path(path).open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise _failed(path, error) from error
    try:
        return read(data)
    except DemineError as error:
        raise ReplayError("{path}: {reason}", path=os.fspath(path), reason=error) from error


def read(data: bytes) -> Game:
    """Read the game that bytes hold: a journal, a share code or a layout, as UTF-8 text.

    A layout names no first cell, so the game on it promises nothing about it (`first=any`).
    Raises `DemineError` with the reason.
    """
    if len(data) > MAX_BYTES:
        raise TextError("more than {most} bytes are no game", most=MAX_BYTES)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise TextError("no text in UTF-8: byte {place} does not fit", place=error.start) from None
    body = text.strip()
    if not body:
        raise TextError("nothing in it")
    if body.startswith("{"):
        return journal.loads(text.lstrip())
    if _CODE.fullmatch(body):
        return Game.from_share(body)
    return _read_layout(body)


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


def save(game: Game, path: AnyPath) -> None:
    """Write a game's journal to a file, whole or not at all.

    The journal is on the disk before it takes the place of what was there. Raises `ReplayError`
    with the path and the reason.
    """
    with written(path) as file:
        file.write(journal.dumps(game).encode("utf-8"))


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
    reason = error.strerror if isinstance(error, OSError) and error.strerror else error
    return ReplayError("{path}: {reason}", path=os.fspath(path), reason=reason)
