"""Reading replay files, from a path to the events, beside ms_toollib's `parse()`."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Final

from benchmarks.measure import Row, Run, module_or_none, taking_turns
from demine.play import load_kernels
from demine.replay.errors import ReplayError
from demine.replay.limited_file_io import read_up_to_limit
from demine.replay.load_save import read_replay
from tests.samples import FOLDER

KINDS: Final = {".avf": "AvfVideo", ".rmv": "RmvVideo", ".mvf": "MvfVideo", ".evf": "EvfVideo"}
SECONDS: Final = 0.5


def rows(run: Run) -> list[Row]:
    """Return the milliseconds of some files of each format, plain and compiled."""
    files = sample_replays(run)
    found = [of_file(file, "", run) for file in files]
    if load_kernels.load_common_kernels():
        found += [of_file(file, ", compiled", run) for file in files]
    return found


def of_file(file: Path, way: str, run: Run) -> Row:
    """Return the row of one file."""
    peer = module_or_none("ms_toollib")
    works = [lambda: read_replay(read_up_to_limit(file))]
    if peer is not None:
        kind = getattr(peer, KINDS[file.suffix.lower()])
        works.append(lambda: kind(str(file)).parse())
    ours, *theirs = taking_turns(works, run, SECONDS, turn=10)
    replay = read_replay(file.read_bytes())
    what = f"{replay.format} {replay.version}, {replay.recording.t.size:,} events{way}"
    return Row(
        what, ours * 1e3, "ms",
        "ms_toollib" if theirs else "", theirs[0] * 1e3 if theirs else None,
        goal=3.0 if way else 1.5,
    )  # fmt: skip


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
    return chosen
