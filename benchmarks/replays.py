"""Reading replay files, and counting their games, beside ms_toollib's `parse()` and `analyse()`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Final

import numpy as np

from benchmarks.measure import Row, Run, module_or_none, taking_turns
from demine.kernels.kernel_set import KernelSet
from demine.play import load_kernels
from demine.replay.errors import ReplayError
from demine.replay.limited_file_io import read_up_to_limit
from demine.replay.load_save import load, read_replay
from demine.replay.model import Replay
from demine.statistics.compute import stats
from demine.statistics.recording_type import Recording
from tests.samples import FOLDER

KINDS: Final = {".avf": "AvfVideo", ".rmv": "RmvVideo", ".mvf": "MvfVideo", ".evf": "EvfVideo"}
SECONDS: Final = 0.5
FIGURES: Final = {
    "bv": "bbbv", "openings": "op", "islands": "isl", **{f"cells{n}": f"cell{n}" for n in range(9)},
    "zini": "zini", "hzini": "hzini", "time": "rtime", "bv_solved": "bbbv_solved", "bv_s": "bbbv_s",
    "left": "left", "right": "right", "double": "double", "clicks": "cl",
    "left_s": "left_s", "right_s": "right_s", "double_s": "double_s", "clicks_s": "cl_s",
    "left_effective": "lce", "right_effective_strict": "rce", "double_effective": "dce",
    "effective_strict": "ce", "effective_strict_s": "ce_s", "flags": "flag", "path": "path",
    "ioe": "ioe", "corr_strict": "corr", "thrp_strict": "thrp",
    "stnb": "stnb", "rqp_square": "rqp", "qg": "qg",
}  # fmt: skip
"""The statistics that both have, by demine's name: the peer's."""


def rows(run: Run) -> list[Row]:
    """Return the times of some files of each format, plain and compiled."""
    KernelSet.loads_in_background = False  # plain is to stay plain
    files = sample_replays(run)
    found = [floor(files[0], run)] if files else []
    found += of_files(files, "", run)
    if load_kernels.load_common_kernels():
        found += of_files(files, ", compiled", run)
    return found


def of_files(files: list[Path], way: str, run: Run) -> list[Row]:
    """Return the rows of files in one way."""
    found = [reading(file, way, run) for file in files]
    found += [text_beside_bytes(way, run)] if files else []
    return found + [counting(file, way, run) for file in files]


def floor(file: Path, run: Run) -> Row:
    """Return the row of what no reader in Python does without: the file's bytes, and objects."""

    def least() -> Replay:
        read_up_to_limit(file)
        times, signals = np.empty(1, np.int64), np.empty(1, np.uint8)
        x, y = np.empty(1, np.int32), np.empty(1, np.int32)
        board = np.empty((8, 8), np.bool_)
        return Replay("", "", Recording(board, times, signals, x, y))

    works = [least, *peers_reading(file)]
    ours, *theirs = taking_turns(works, run, SECONDS, turn=10)
    what = f"the floor, {name_of(file)}"
    return Row(what, ours * 1e3, "ms", *beside(theirs))


def reading(file: Path, way: str, run: Run) -> Row:
    """Return the row of reading one file."""
    works = [lambda: read_replay(read_up_to_limit(file)), *peers_reading(file)]
    ours, *theirs = taking_turns(works, run, SECONDS, turn=10)
    return Row(f"{name_of(file)}{way}", ours * 1e3, "ms", *beside(theirs), goal=3.0 if way else 1.5)


def counting(file: Path, way: str, run: Run) -> Row:
    """Return the row of the figures of a file's game that both have, from its path."""

    def count() -> list[object]:
        found = stats(load(file))
        return [found[name] for name in FIGURES]

    works = [count]
    peer = module_or_none("ms_toollib")
    if peer is not None:
        works.append(lambda: peers_figures(peer, file))
    ours, *theirs = taking_turns(works, run, SECONDS, turn=3)
    what = f"stats(load(file)), {name_of(file)}{way}"
    return Row(what, ours * 1e3, "ms", *beside(theirs), goal=3.0 if way else 1.0)


def text_beside_bytes(way: str, run: Run) -> Row:
    """Return the row of reading the longest RawVF file, an event, beside the longest RMV file."""
    longest = [
        max(FOLDER.rglob(pattern), key=lambda file: file.stat().st_size).read_bytes()
        for pattern in ("*.rawvf", "*.rmv")
    ]
    times = taking_turns([partial(read_replay, data) for data in longest], run)
    text, records = (
        seconds * 1e9 / read_replay(data).recording.t.size
        for seconds, data in zip(times, longest, strict=True)
    )
    return Row(f"RawVF, an event{way}", text, "ns", "RMV", records, goal=0.2)


def peers_reading(file: Path) -> list[Callable[[], object]]:
    """Return the peer's way to read a file, nothing without the peer."""
    peer = module_or_none("ms_toollib")
    if peer is None:
        return []
    kind = getattr(peer, KINDS[file.suffix.lower()])
    return [lambda: kind(str(file)).parse()]


def peers_figures(peer: ModuleType, file: Path) -> list[object]:
    """Return the peer's figures of a file's game."""
    video = getattr(peer, KINDS[file.suffix.lower()])(str(file))
    video.parse()
    video.analyse()
    return [getattr(video, name) for name in FIGURES.values()]


def beside(theirs: list[float]) -> tuple[str, float | None]:
    """Return the peer's name and milliseconds, for a row."""
    return ("ms_toollib", theirs[0] * 1e3) if theirs else ("", None)


def name_of(file: Path) -> str:
    """Return the format and length of a file, for a row."""
    replay = read_replay(file.read_bytes())
    return f"{replay.format} {replay.version}, {replay.recording.t.size:,} events"


def sample_replays(run: Run) -> list[Path]:
    """Return the shortest and the longest sample of each version of each format.

    The samples are real games that lie beside the repository, never in it; without them nothing is
    measured.
    """
    kinds: dict[tuple[str, str], list[tuple[int, Path]]] = defaultdict(list)
    for file in sorted(FOLDER.rglob("*")):
        if file.suffix.lower() in KINDS and "generated" not in file.parts:
            try:
                replay = read_replay(file.read_bytes())
            except ReplayError:  # some are damaged on purpose
                continue
            kinds[replay.format, replay.version].append((replay.recording.t.size, file))
    chosen = []
    for found in kinds.values():
        found.sort()
        chosen += [found[0][1]] if run.quick else sorted({found[0][1], found[-1][1]})
    return sorted(chosen, key=lambda file: file.stat().st_size)
