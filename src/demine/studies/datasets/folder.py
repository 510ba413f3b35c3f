"""The folder of a dataset: its files and the manifest that names them.

Each file is written as a whole or not at all. The manifest is renewed as files are done, so that
what was interrupted can go on; files that it does not name, or that are not as it says, are made
again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from demine.replay.limited_file_io import atomic_write
from demine.scene.system_errors import system_error_reason
from demine.studies.errors import StudyError
from demine.studies.finished_game_ranges import NumberRanges

if TYPE_CHECKING:
    from pathlib import Path

    from demine.studies.datasets.plan import DatasetPlan
    from demine.studies.datasets.shard import Shard

MANIFEST: Final = "_manifest.json"
"""Readers of folders of Parquet files leave out names that begin like this."""
MAX_MANIFEST: Final = 1 << 26
_SECONDS_BETWEEN_MANIFESTS: Final = 1.0
_HASHED_AT_ONCE: Final = 1 << 20


@dataclass
class ShardCounts:
    """How many files are done, as `games`, and the processor time of those made now."""

    games: int = 0
    cpu_ns: int = 0


class DatasetFolder:
    """The folder of a dataset that is being made; `DatasetFolder.open` begins it or goes on."""

    def __init__(self, path: Path, plan: DatasetPlan) -> None:
        self.path = path
        self.plan = plan
        self.counts = ShardCounts()
        self.done = NumberRanges()
        self._sums: dict[int, str] = {}
        self._written = 0.0

    @classmethod
    def open(cls, path: Path, plan: DatasetPlan, *, resume: bool = False) -> DatasetFolder:
        """Begin a dataset in a new or empty folder, or with `resume` go on with the same one.

        Raises `StudyError` if the folder holds anything else, or cannot be written.
        """
        folder = cls(path, plan)
        try:
            path.mkdir(parents=True, exist_ok=True)
            if (path / MANIFEST).exists():
                folder._go_on(resume=resume)
            elif any(path.iterdir()):
                raise StudyError("{path} is not a dataset, and not empty", path=path)
            elif resume:
                raise StudyError("there is nothing to resume: {path} is empty", path=path)
        except OSError as error:
            raise StudyError(
                "{path}: {reason}", path=path, reason=system_error_reason(error)
            ) from error
        folder.write_manifest()
        return folder

    @property
    def is_complete(self) -> bool:
        """Whether all files are there."""
        return self.counts.games == self.plan.shards

    @property
    def positions(self) -> int:
        """How many positions are in the files."""
        return sum(map(self.plan.positions_of, self._sums))

    def add_chunk(self, shard: Shard) -> None:
        """Write a file; ignore one that is there already.

        Raises `ReplayError` if it cannot be written; what was written before stays.
        """
        if not self.done.add_range(shard.first, 1):
            return
        with atomic_write(self.path / self.plan.file_name(shard.first)) as file:
            file.write(shard.data)
        self._sums[shard.first] = hashlib.sha256(shard.data).hexdigest()
        self.counts.games += 1
        self.counts.cpu_ns += shard.cpu_ns
        if time.monotonic() - self._written > _SECONDS_BETWEEN_MANIFESTS:
            self.write_manifest()

    def write_manifest(self) -> None:
        """Write which files are done."""
        plan = self.plan
        files = [
            {"file": plan.file_name(shard), "positions": plan.positions_of(shard), "sha256": digest}
            for shard, digest in sorted(self._sums.items())
        ]
        facts = {**plan.to_dict(), "complete": self.is_complete, "shards": files}
        with atomic_write(self.path / MANIFEST) as file:
            file.write(json.dumps(facts, indent=1).encode("ascii") + b"\n")
        self._written = time.monotonic()

    def _go_on(self, *, resume: bool) -> None:
        """Find out which files of the manifest are there and whole."""
        had = read_manifest(self.path)
        if not resume:
            raise StudyError(
                "{path} has a dataset already; --resume goes on with it", path=self.path
            )
        for name, value in self.plan.to_dict().items():
            if had.get(name) != value:
                raise StudyError(
                    "the dataset in {path} is a different one ({name}: {had} there, {wanted} here)",
                    path=self.path,
                    name=name,
                    had=str(had.get(name))[:60],
                    wanted=str(value)[:60],
                )
        self._remove_unfinished_files()
        self._refuse_other_files()
        named = {each["file"]: each["sha256"] for each in had["shards"]}
        for shard in range(self.plan.shards):
            name = self.plan.file_name(shard)
            if name in named and _sha256(self.path / name) == named[name]:
                self.done.add_range(shard, 1)
                self._sums[shard] = named[name]
        self.counts.games = len(self._sums)

    def _remove_unfinished_files(self) -> None:
        """Remove what a killed process left of files that it was writing."""
        for prefix in (MANIFEST, "positions-"):
            for left in self.path.glob(f".{prefix}*.*"):
                left.unlink(missing_ok=True)

    def _refuse_other_files(self) -> None:
        """Raise `StudyError` for what the dataset does not have: readers take whole folders."""
        own = {MANIFEST, *map(self.plan.file_name, range(self.plan.shards))}
        others = sorted({each.name for each in self.path.iterdir()} - own)
        if others:
            raise StudyError(
                "{path} holds {name}, which is not of this dataset: move it away first",
                path=self.path,
                name=repr(others[0])[:60],
            )


def read_manifest(folder: Path) -> dict[str, Any]:
    """Return the manifest of a dataset; raises `StudyError` if there is none, or it is damaged."""
    path = folder / MANIFEST
    try:
        with path.open("rb") as file:
            facts: dict[str, Any] = json.loads(file.read(MAX_MANIFEST))
        named = [text for each in facts["shards"] for text in (each["file"], each["sha256"])]
    except OSError as error:
        raise StudyError(
            "{path}: {reason}", path=path, reason=system_error_reason(error)
        ) from error
    except (KeyError, TypeError, ValueError, RecursionError):
        facts, named = {}, [None]
    if not all(isinstance(text, str) for text in named):
        raise StudyError("{path} is damaged, or not the manifest of a dataset", path=path)
    return facts


def _sha256(path: Path) -> str | None:
    """Return the SHA-256 of a file in hexadecimal digits, None if it cannot be read."""
    digest = hashlib.sha256()
    with contextlib.suppress(OSError), path.open("rb") as file:
        while part := file.read(_HASHED_AT_ONCE):
            digest.update(part)
        return digest.hexdigest()
    return None
