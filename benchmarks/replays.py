"""Milliseconds to read replay files, beside ms_toollib.

    python benchmarks/replays.py [--json] [--warm] FILE ...

Both are given a path and read it themselves: demine as `demine.load` does up to the events, before
the game is played, ms_toollib by `parse()`, which makes no statistics yet. They take turns of ten;
the best times are told, and how many times as fast demine is by these and by the medians. With
`--warm` demine has loaded its compiled kernels before, one of which reads RMV files. Only files
that ms_toollib reads too are compared (AVF, EVF, RMV, MVF); it ends the whole process at a damaged
one.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ms_toollib

from demine.play import load_kernels
from demine.replay import read_replay
from demine.replay.limited_file_io import read_up_to_limit

SECONDS, TURN = 0.6, 10
READERS: dict[str, Any] = {
    ".avf": ms_toollib.AvfVideo,
    ".evf": ms_toollib.EvfVideo,
    ".rmv": ms_toollib.RmvVideo,
    ".mvf": ms_toollib.MvfVideo,
}


def main() -> None:
    """Print a table, or one JSON object for each file."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--warm", action="store_true")
    parser.add_argument("files", nargs="+", type=Path)
    options = parser.parse_args()
    if options.warm and not load_kernels.load_common_kernels():
        parser.error("there is no Numba")
    if not options.json:
        print(
            "| file | events | demine, ms | ms_toollib, ms | times as fast | by medians |"
            "\n|---|---|---|---|---|---|"
        )
    for path in options.files:
        row = compared(path)
        if options.json:
            print(json.dumps(row))
        else:
            print(
                f"| {path.name} | {row['events']} | {row['demine_ms']:.3f} "
                f"| {row['ms_toollib_ms']:.3f} | {row['ratio']:.1f} "
                f"| {row['median_ratio']:.1f} |"
            )


def compared(path: Path) -> dict[str, str | float]:
    """The times of both readers on one file."""
    reader = READERS[path.suffix.lower()]

    def other() -> None:
        reader(str(path)).parse()

    def own() -> None:
        read_replay(read_up_to_limit(path))

    times, others = taking_turns(own, other)
    best, other_best = min(times), min(others)
    replay = read_replay(path.read_bytes())
    return {
        "file": path.name,
        "format": f"{replay.format} {replay.version}",
        "events": int(replay.recording.t.size),
        "demine_ms": best,
        "ms_toollib_ms": other_best,
        "ratio": other_best / best,
        "median_ratio": statistics.median(others) / statistics.median(times),
    }


def taking_turns(*works: Callable[[], object]) -> list[list[float]]:
    """Milliseconds of each one's runs."""
    times: list[list[float]] = [[] for _ in works]
    end = time.perf_counter() + SECONDS * len(works)
    while time.perf_counter() < end:
        for number, work in enumerate(works):
            for _ in range(TURN):
                start = time.perf_counter()
                work()
                times[number].append(1000 * (time.perf_counter() - start))
    return times


if __name__ == "__main__":
    main()
