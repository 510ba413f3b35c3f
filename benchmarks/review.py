"""Reviews of replays, beside the luck that `ms_toollib` works out for the same files, in one run.

    why         `demine.review`, kernels compiled (see `warm`): every act judged, with reasons
    bare        the same without reasons
    plain       with reasons, before anything is compiled or without Numba
    peer        `analyse_for_features(["pluck"])` of ms_toollib: the product of the chances alone

Times are the median of the passes, which take turns; parsing is left out. The last columns are the
two figures of luck (`pluck`).

    python benchmarks/review.py [--json] FILE ...
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from demine.play.load_kernels import load_common_kernels
from demine.replay.load_save import load
from demine.reviews.review import review
from demine.reviews.review_result import Review

PASSES = 7
VIDEOS = {
    ".avf": "AvfVideo", ".evf": "EvfVideo", ".mvf": "MvfVideo", ".rmv": "RmvVideo",
}  # fmt: skip


def main() -> None:
    """Print a table, or all of it as JSON."""
    parser = argparse.ArgumentParser(description="Reviews beside a peer, in one run.")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("files", nargs="+")
    arguments = parser.parse_args()
    plain = {file: best(partial(judged, file), 1) for file in arguments.files}
    load_common_kernels()
    rows = [measured(file) | {"plain_ms": plain[file]} for file in arguments.files]
    if arguments.json:
        print(json.dumps(rows))
        return
    for row in rows:
        print("  ".join(f"{name} {shown(value)}" for name, value in row.items()))


def measured(file: str) -> dict[str, Any]:
    """Return the figures of one replay."""
    game = load(file)
    times: dict[str, list[float]] = {"why_ms": [], "bare_ms": [], "peer_ms": []}
    luck = math.nan
    for _ in range(PASSES):
        times["why_ms"].append(best(lambda: review(game), 1))
        times["bare_ms"].append(best(lambda: review(game, why=False), 1))
        spent, luck = peer(file)
        times["peer_ms"].append(spent)
    found = review(game)
    middle = {name: float(np.median(each)) for name, each in times.items()}
    return {
        "format": Path(file).suffix,
        "rules": str(game.rules),
        "acts": len(found.acts),
        **middle,
        "times_as_fast": middle["peer_ms"] / middle["bare_ms"],
        "pluck": found.luck.pluck,
        "peer_pluck": luck,
    }


def peer(file: str) -> tuple[float, float]:
    """Return the milliseconds ms_toollib takes for its pluck, and what it says."""
    import ms_toollib

    video = getattr(ms_toollib, VIDEOS[Path(file).suffix.lower()])(file)
    video.parse()
    video.analyse()
    spent = best(lambda: video.analyse_for_features(["pluck"]), 1)
    video.current_time = 1e9
    return spent, video.pluck


def judged(file: str) -> Review:
    """Return the review of a file."""
    return review(load(file))


def best(work: Callable[[], object], passes: int) -> float:
    """Return the milliseconds of the fastest pass."""
    times = []
    for _ in range(passes):
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return min(times) * 1000


def shown(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    main()
