"""Reviews of replays, beside the luck that `ms_toollib` works out for the same files, in one run.

    why         `demine.review`, kernels compiled (see `warm`): every act judged, with reasons
    bare        the same without reasons
    plain       with reasons, before anything is compiled or without Numba
    peer        `analyse_for_features(["pluck"])` of ms_toollib: the product of the chances alone

Times are the median of the passes, which take turns; parsing is left out.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.measure import Row, Run
from benchmarks.replays import sample_replays
from demine.play.load_kernels import load_common_kernels
from demine.replay.load_save import load
from demine.reviews.review import review
from demine.reviews.review_result import Review

PASSES = 7
SECONDS = 4.0
"""A file gets no further pass after so long."""
VIDEOS = {
    ".avf": "AvfVideo", ".evf": "EvfVideo", ".mvf": "MvfVideo", ".rmv": "RmvVideo",
}  # fmt: skip


def rows(run: Run) -> list[Row]:
    """Return the milliseconds of the review of some replays, beside the peer's luck alone."""
    files = [str(file) for file in sample_replays(run) if file.suffix.lower() in VIDEOS]
    plain = {file: best(partial(judged, file), 1) for file in files}
    load_common_kernels()
    return [row for file in files for row in of_file(file, plain[file], run)]


def of_file(file: str, plain: float, run: Run) -> list[Row]:
    """Return the rows of one replay."""
    game = load(file)
    times: dict[str, list[float]] = {"why": [], "bare": [], "peer": []}
    end = time.perf_counter() + run.seconds(SECONDS)
    for _ in range(run.often(PASSES)):
        times["why"].append(best(lambda: review(game), 1))
        times["bare"].append(best(lambda: review(game, why=False), 1))
        times["peer"].append(peer(file)[0])
        if time.perf_counter() > end:
            break
    middle = {name: float(np.median(each)) for name, each in times.items()}
    what = f"{Path(file).suffix[1:].upper()}, {game.rules}, {len(review(game).acts)} acts"
    return [
        Row(f"{what}, without reasons", middle["bare"], "ms", "ms_toollib", middle["peer"]),
        Row(f"{what}, with reasons", middle["why"], "ms"),
        Row(f"{what}, with reasons, without Numba", plain, "ms"),
    ]


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
