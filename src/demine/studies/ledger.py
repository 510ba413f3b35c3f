"""The ledger of a study: an append-only file with a line for each chunk that is done.

Each line is the CRC-32 of its text in eight hexadecimal digits, a space, and the text, JSON. The
first line is the plan. A line is on the disk before its games are counted, so a study that is
interrupted at any moment can be resumed: an incomplete last line is cut off, a damaged line is left
out and its games are played again. The rows of games are in a second file; the line of a chunk has
the offset and the CRC-32 of its rows.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final
from zlib import crc32

import numpy as np

from demine import __version__
from demine.scene.atomic_file import fsync_folder
from demine.scene.system_errors import system_error_reason
from demine.scene.translation import mark
from demine.store.database_paths import set_aside_path
from demine.studies.chunk import Chunk, StudyCounts
from demine.studies.errors import StudyError
from demine.studies.finished_game_ranges import NumberRanges
from demine.studies.plan import StudyPlan
from demine.studies.play_games import GAME_DTYPE

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Self

    from numpy.typing import NDArray

FORMAT: Final = "demine study 1"
LONGEST_LINE: Final = 1 << 16
"""A longer line is damaged; it is never read as a whole."""
CANNOT_WRITE: Final = mark("games cannot be saved in {path}: {reason}")


@dataclass(frozen=True, slots=True)
class StoredRows:
    """Where the rows of consecutive games are in the file of rows."""

    first: int
    count: int
    offset: int


class Ledger:
    """The games done of a study, kept in a file; made by `Ledger.open`, a context manager.

    `counts` are the results of the games done, `done` their indices, `stored_rows` where their rows
    are, `damaged` how many lines were left out, `moved_to` the path to which an unfinished study
    was moved, if there was one.
    """

    def __init__(self, path: Path, plan: StudyPlan, *, rows: bool) -> None:
        self.path = path
        self.plan = plan
        self.counts = StudyCounts.empty(plan)
        self.done = NumberRanges()
        self.stored_rows: list[StoredRows] = []
        self.damaged = 0
        self.moved_to: Path | None = None
        self._rows_wanted = rows
        self._lines: BinaryIO | None = None
        self._rows: BinaryIO | None = None

    @classmethod
    def open(
        cls, path: Path, plan: StudyPlan, *, resume: bool = False, rows: bool = False
    ) -> Ledger:
        """Begin a ledger, or with `resume` go on with one that exists.

        Without `resume` an unfinished study at this path is moved aside. Raises `StudyError` if the
        file is the ledger of another study, is not a ledger, is in use by another process, or
        cannot be written.
        """
        ledger = cls(path, plan, rows=rows)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            ledger._open_or_begin(resume=resume)
        except OSError as error:
            ledger.close()
            raise StudyError(CANNOT_WRITE, path=path, reason=system_error_reason(error)) from error
        except BaseException:
            ledger.close()
            raise
        return ledger

    @property
    def rows_path(self) -> Path:
        """The path of the file of rows."""
        return rows_path(self.path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def add_chunk(self, chunk: Chunk) -> None:
        """Write a chunk to the disk and count it; ignore one whose games are done already.

        Raises `StudyError` if it cannot be written; chunks written before stay.
        """
        if not self.done.add_range(chunk.first, chunk.count):
            return
        try:
            at = _append_synced(self._open_rows, chunk.rows) if self._rows_wanted else 0
            facts = {
                "first": chunk.first,
                "count": chunk.count,
                "counts": chunk.counts.to_dict(),
                "rows": [at, crc32(chunk.rows)] if self._rows_wanted else None,
            }
            _append_synced(self._open_lines, _encode_line(facts))
        except OSError as error:
            raise StudyError(
                CANNOT_WRITE, path=self.path, reason=system_error_reason(error)
            ) from error
        self.counts += chunk.counts
        if self._rows_wanted:
            self.stored_rows.append(StoredRows(chunk.first, chunk.count, at))

    def read_rows(self, part: StoredRows) -> NDArray[np.void]:
        """Return the rows of these games, `GAME_DTYPE` of shape `(games, policies)`."""
        shape = part.count, len(self.plan.policies)
        self._open_rows.seek(part.offset)
        data = self._open_rows.read(shape[0] * shape[1] * GAME_DTYPE.itemsize)
        return np.frombuffer(data, GAME_DTYPE).reshape(shape)

    def close(self) -> None:
        """Close the files; closing twice is fine."""
        for file in (self._lines, self._rows):
            if file is not None:
                file.close()
        self._lines = self._rows = None

    def delete_files(self) -> None:
        """Close and delete the files of the ledger."""
        # Windows cannot delete open files.
        self.close()
        for path in (self.rows_path, self.path):
            path.unlink(missing_ok=True)

    @property
    def _open_lines(self) -> BinaryIO:
        if self._lines is None:
            raise StudyError("the ledger {path} is closed", path=self.path)
        return self._lines

    @property
    def _open_rows(self) -> BinaryIO:
        if self._rows is None:
            raise StudyError("the ledger {path} is closed", path=self.path)
        return self._rows

    def _open_or_begin(self, *, resume: bool) -> None:
        self._lines = _open_for_update(self.path)
        lock_or_raise(self._lines, self.path)
        if not resume and self._is_worth_keeping():
            self._move_aside()
        if self._rows_wanted:
            self._rows = _open_for_update(self.rows_path)
        if resume and self._open_lines.seek(0, os.SEEK_END):
            self._read_lines()
            return
        for file in (self._lines, self._rows):
            if file is not None:
                file.truncate(0)
        _append_synced(
            self._open_lines,
            _encode_line({"form": FORMAT, "demine": __version__, **self.plan.to_dict()}),
        )
        fsync_folder(self.path.parent)

    def _is_worth_keeping(self) -> bool:
        """Whether the file is the ledger of an unfinished study, or not a ledger at all."""
        with self.path.open("rb") as lines:
            head = _decode_line(lines.readline(LONGEST_LINE))
            if head is None or head.get("form") != FORMAT:
                return lines.seek(0, os.SEEK_END) > 0
            games = sum(
                count
                for line in iter(lambda: lines.readline(LONGEST_LINE), b"")
                if isinstance(count := (_decode_line(line) or {}).get("count"), int)
            )
        wanted = head.get("games")
        return 0 < games < (wanted if isinstance(wanted, int) else 0)

    def _move_aside(self) -> None:
        """Rename the files that exist and begin a new one."""
        self.close()
        self.moved_to = set_aside_path(self.path, "unfinished")
        # The rows are moved first: without a ledger nothing would refer to them.
        for old, new in ((self.rows_path, rows_path(self.moved_to)), (self.path, self.moved_to)):
            if old.exists():
                old.replace(new)
        self._lines = _open_for_update(self.path)
        lock_or_raise(self._lines, self.path)

    def _read_lines(self) -> None:
        """Count the chunks of all lines, and cut off an incomplete last line."""
        whole = 0
        with self.path.open("rb") as lines:
            self._check_head(_decode_line(lines.readline(LONGEST_LINE)))
            whole = lines.tell()
            while line := lines.readline(LONGEST_LINE):
                if line.endswith(b"\n"):
                    whole = lines.tell()
                    self._count_line(_decode_line(line))
        self._open_lines.truncate(whole)

    def _check_head(self, head: Mapping[str, Any] | None) -> None:
        """Raise `StudyError` unless this is a ledger of the same study."""
        if head is None or head.get("form") != FORMAT:
            raise StudyError(
                "{path} is not the ledger of a study, or its first line is damaged", path=self.path
            )
        wanted: dict[str, Any] = {"demine": __version__, **self.plan.to_dict()}
        for name, value in wanted.items():
            had = head.get(name)
            # A study may be resumed with more games.
            if had != value and name != "games":
                raise other_study_error(self.path, name, had, value)
        if not isinstance(head.get("games"), int) or head["games"] > wanted["games"]:
            raise other_study_error(self.path, "games", head.get("games"), wanted["games"])

    def _count_line(self, facts: Mapping[str, Any] | None) -> None:
        """Count the chunk of a line if it and its rows are undamaged.

        A chunk that reaches beyond the games wanted is left out and is no damage: a ledger that
        grew by `--resume` may be gone on with for fewer games.
        """
        try:
            if facts is None:
                raise ValueError  # noqa: TRY301 - as for every other damage
            first, count, counts = (
                facts["first"],
                facts["count"],
                StudyCounts.from_dict(facts["counts"]),
            )
            whole = 0 <= first < first + count and counts.games == count
            if not whole or len(counts.tallies) != len(self.plan.policies):
                raise ValueError  # noqa: TRY301
            if first + count > self.plan.games:
                return
            at = self._checked_rows(count, facts["rows"])
        except (KeyError, TypeError, ValueError):
            self.damaged += 1
            return
        if self.done.add_range(first, count):
            self.counts += counts
            if self._rows_wanted:
                self.stored_rows.append(StoredRows(first, count, at))

    def _checked_rows(self, count: int, rows: object) -> int:
        """Return the offset of a chunk's rows; raises ValueError or TypeError for damage."""
        if not self._rows_wanted:
            return 0
        if not isinstance(rows, list):
            raise TypeError(rows)
        at, check = rows
        file, size = self._open_rows, count * len(self.plan.policies) * GAME_DTYPE.itemsize
        file.seek(at)
        if crc32(file.read(size)) != check or file.tell() != at + size:
            raise ValueError(at)
        return int(at)


def rows_path(path: Path) -> Path:
    """Return the path of the file of rows that belongs to a ledger."""
    return path.with_name(path.name + "-rows")


def describe_kept_study(path: Path) -> str | None:
    """Return rules, policies and seed of the study in a ledger; None if it cannot be read."""
    try:
        with path.open("rb") as lines:
            head = _decode_line(lines.readline(LONGEST_LINE)) or {}
        return f"{head['rules']} {_short_text(head['policies'])} --seed {head['seed']}"
    except (KeyError, OSError):
        return None


def other_study_error(path: object, name: str, saved: object, wanted: object) -> StudyError:
    """Return the error for a file of another study, which differs in the parameter `name`."""
    return StudyError(
        "the study in {path} is a different one ({name}: {had} there, {wanted} here)",
        path=path,
        name=StudyError(_PARAMETER_NAMES[name]),
        had=_short_text(saved),
        wanted=_short_text(wanted),
    )


_PARAMETER_NAMES: Final = {
    "demine": mark("the version of demine"),
    "rules": mark("the rules"),
    "start": mark("the first cell"),
    "policies": mark("the policy"),
    "versions": mark("the code of the policy"),
    "seed": mark("the seed"),
    "games": mark("the number of games"),
}


def _short_text(value: object) -> str:
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return text[:60]


def _encode_line(facts: Mapping[str, Any]) -> bytes:
    text = json.dumps(facts, separators=(",", ":")).encode("ascii")
    return b"%08x %s\n" % (crc32(text), text)


def _decode_line(line: bytes) -> dict[str, Any] | None:
    """Return the facts of a line, or None if it is damaged."""
    check, _, text = line.rstrip(b"\n").partition(b" ")
    try:
        if len(check) != 8 or int(check, 16) != crc32(text):
            return None
        facts = json.loads(text)
    except ValueError:
        return None
    return facts if isinstance(facts, dict) else None


def _open_for_update(path: Path) -> BinaryIO:
    """Open a file for reading and appending; it is created if it does not exist."""
    return open(path, "r+b" if path.exists() else "x+b", buffering=0)  # noqa: PTH123


def _append_synced(file: BinaryIO, data: bytes) -> int:
    """Append data to a file, through to the disk, and return its offset.

    If that fails, the file is restored and OSError is raised.
    """
    at = file.seek(0, os.SEEK_END)
    view = memoryview(data)
    try:
        while view:
            view = view[file.write(view) :]
        os.fsync(file.fileno())
    except OSError:
        file.truncate(at)
        raise
    return at


if sys.platform == "win32":
    import msvcrt

    _FAR = 1 << 40

    def _lock(file: BinaryIO) -> None:
        # A byte that the file will never reach, so that others may read what it has.
        file.seek(_FAR)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(file: BinaryIO) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def lock_or_raise(file: BinaryIO, path: Path) -> None:
    """Lock an open file until it is closed; raises `StudyError` if another process has it."""
    try:
        _lock(file)
    except (BlockingIOError, PermissionError) as error:
        raise StudyError("another study is writing to {path}", path=path) from error
    except OSError:
        # This file system has no locks.
        return
