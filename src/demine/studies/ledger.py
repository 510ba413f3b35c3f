"""The ledger of a study: a file with a line for each chunk that is done, only ever appended to.

Each line is the CRC-32 of its text in eight digits, a space, and the text, JSON. The first one is
the plan. A line is on the disk before its games are counted, so a study that is cut off at any
moment goes on where it was: a last line that was torn is cut away, a damaged one is left out and
its games are played again. The rows of games lie in a second file, those of a chunk in one piece,
whose place and CRC-32 the chunk's line has.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final
from zlib import crc32

import numpy as np

from demine import __version__
from demine.scene.atomic_file import sync_folder
from demine.scene.system_errors import reason_of
from demine.scene.translation import mark
from demine.store.database_paths import set_aside_path
from demine.studies.chunk import Chunk, StudyCounts
from demine.studies.errors import StudyError
from demine.studies.file_lock import hold
from demine.studies.number_ranges import NumberRanges
from demine.studies.plan import StudyPlan
from demine.studies.play_games import GAME_DTYPE

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType
    from typing import Self

    from numpy.typing import NDArray

FORMAT: Final = "demine study 1"
LONGEST_LINE: Final = 1 << 16
"""A longer line is damage: it is never read at once."""
CANNOT_WRITE: Final = mark("what is played cannot be kept in {path}: {reason}")


@dataclass(frozen=True, slots=True)
class StoredRows:
    """Where the rows of some games lie."""

    first: int
    count: int
    offset: int


class Ledger:
    """What is done of a study, kept in a file; made by `Ledger.open`, a context manager.

    `counts` is what the games done came to, `done` which they are, `stored_rows` where their rows
    are, `damaged` how many lines were left out, `moved_to` where another study was moved, if there
    was one here.
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
        """Begin a ledger, or go on with the one that lies there if `resume` and it is one.

        Without `resume` an unfinished study that lies there is moved aside. Raises `StudyError` if
        the ledger is of another study, is none, is in use by another process, or cannot be written.
        """
        ledger = cls(path, plan, rows=rows)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            ledger._open_or_begin(resume=resume)
        except OSError as error:
            ledger.close()
            raise StudyError(CANNOT_WRITE, path=path, reason=reason_of(error)) from error
        except BaseException:
            ledger.close()
            raise
        return ledger

    @property
    def rows_path(self) -> Path:
        """The file of the rows."""
        return rows_path(self.path)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def add_chunk(self, chunk: Chunk) -> None:
        """Keep a chunk, on the disk, then count it; games that are done already are not counted.

        Raises `StudyError` if it cannot be kept; what was kept before stays.
        """
        if not self.done.add_range(chunk.first, chunk.count):
            return
        try:
            at = _append_synced(self._open_rows, chunk.rows) if self._rows_wanted else 0
            facts = {
                "first": chunk.first,
                "count": chunk.count,
                "counts": chunk.counts.facts(),
                "rows": [at, crc32(chunk.rows)] if self._rows_wanted else None,
            }
            _append_synced(self._open_lines, _encode_line(facts))
        except OSError as error:
            raise StudyError(CANNOT_WRITE, path=self.path, reason=reason_of(error)) from error
        self.counts += chunk.counts
        if self._rows_wanted:
            self.stored_rows.append(StoredRows(chunk.first, chunk.count, at))

    def read_game_files(self, part: StoredRows) -> NDArray[np.void]:
        """Return the rows of some games, an array of `GAME_DTYPE`, shape `(games, policies)`."""
        shape = part.count, len(self.plan.policies)
        self._open_rows.seek(part.offset)
        data = self._open_rows.read(shape[0] * shape[1] * GAME_DTYPE.itemsize)
        return np.frombuffer(data, GAME_DTYPE).reshape(shape)

    def close(self) -> None:
        """Let go of the files."""
        for file in (self._lines, self._rows):
            if file is not None:
                file.close()
        self._lines = self._rows = None

    def delete_files(self) -> None:
        """Remove the files: all that was in them is elsewhere."""
        # Windows removes no file that is open.
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
        hold(self._lines, self.path)
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
            _encode_line({"form": FORMAT, "demine": __version__, **self.plan.facts()}),
        )
        sync_folder(self.path.parent)

    def _is_worth_keeping(self) -> bool:
        """Whether an unfinished study lies here, or something that is none of ours."""
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
        """Give what lies here another name, and begin a file of our own."""
        self.close()
        self.moved_to = set_aside_path(self.path, "unfinished")
        # The rows go first: without a ledger nobody would look for them.
        for old, new in ((self.rows_path, rows_path(self.moved_to)), (self.path, self.moved_to)):
            if old.exists():
                old.replace(new)
        self._lines = _open_for_update(self.path)
        hold(self._lines, self.path)

    def _read_lines(self) -> None:
        """Take in what is done, and cut away a line that was torn."""
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
                "{path} is no ledger of a study, or its first line is damaged", path=self.path
            )
        wanted: dict[str, Any] = {"demine": __version__, **self.plan.facts()}
        for name, value in wanted.items():
            had = head.get(name)
            # More games of the same study go on where it ended.
            if had != value and name != "games":
                raise other_study_error(self.path, name, had, value)
        if not isinstance(head.get("games"), int) or head["games"] > wanted["games"]:
            raise other_study_error(self.path, "games", head.get("games"), wanted["games"])

    def _count_line(self, facts: Mapping[str, Any] | None) -> None:
        """Count a chunk that a line tells of, if all of it is there."""
        try:
            if facts is None:
                raise ValueError  # noqa: TRY301 - as for every other damage
            first, count, counts = (
                facts["first"],
                facts["count"],
                StudyCounts.from_facts(facts["counts"]),
            )
            inside = 0 <= first < first + count <= self.plan.games and counts.games == count
            if not inside or len(counts.tallies) != len(self.plan.policies):
                raise ValueError  # noqa: TRY301
            at = self._checked_rows(count, facts["rows"])
        except (KeyError, TypeError, ValueError):
            self.damaged += 1
            return
        if self.done.add_range(first, count):
            self.counts += counts
            if self._rows_wanted:
                self.stored_rows.append(StoredRows(first, count, at))

    def _checked_rows(self, count: int, rows: object) -> int:
        """Return where the rows of a chunk begin; raises ValueError or TypeError without them."""
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
    """Return where the rows of a ledger lie."""
    return path.with_name(path.name + "-rows")


def other_study_error(path: object, name: str, had: object, wanted: object) -> StudyError:
    """Return the error that a study cannot go on, and which of its parameters is another one."""
    return StudyError(
        "the study in {path} is another one, it differs in {name}: {had} there, {wanted} here",
        path=path,
        name=StudyError(_PARAMETER_NAMES[name]),
        had=_short_text(had),
        wanted=_short_text(wanted),
    )


_PARAMETER_NAMES: Final = {
    "demine": mark("the version of demine"),
    "rules": mark("the rules"),
    "start": mark("the first cell"),
    "policies": mark("the policy"),
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
    """Return what a line says, or None if it is damaged."""
    check, _, text = line.rstrip(b"\n").partition(b" ")
    try:
        if len(check) != 8 or int(check, 16) != crc32(text):
            return None
        facts = json.loads(text)
    except ValueError:
        return None
    return facts if isinstance(facts, dict) else None


def _open_for_update(path: Path) -> BinaryIO:
    """Open a file to read and to add to; it is made if there is none."""
    return open(path, "r+b" if path.exists() else "x+b", buffering=0)  # noqa: PTH123


def _append_synced(file: BinaryIO, data: bytes) -> int:
    """Write data at the end, down to the disk, and return where it begins.

    If it cannot be written whole, the file is as it was and OSError is raised.
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
