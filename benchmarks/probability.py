"""Exact mine probabilities of mid-game expert boards, beside `ms_toollib`, in one run.

    one board   `demine.mine_probability`, one call a board, kernels compiled (see `warm`)
    batch       `demine.mine_probability_batch`, all boards in one call
    plain       the same before anything is compiled, or without Numba
    peer        `ms_toollib.cal_probability_onboard`; in a process of its own, since what it does
                not like ends the interpreter

The positions: expert boards whose first click, at the centre, opens an opening; safe cells are
opened, proven ones first, until a share of the board drawn at random is open; every other position
goes on until nothing more is proven. `stuck` are those that prove no safe cell. Every way is timed
call by call over all positions in turn, so that no position profits from just having been solved;
the best of the passes counts for each.

"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.measure import Row, Run
from demine.logic.flood import flood
from demine.logic.layout import deal
from demine.logic.neighbours import count_around
from demine.logic.rules import EXPERT
from demine.play.load_kernels import load_common_kernels
from demine.scene.cell_faces import Face
from demine.solver.exact.compiled_engine import interpreted_mine_probability
from demine.solver.exact.deduce import deduce
from demine.solver.exact.probability import mine_probability, mine_probability_batch

CENTRE = (8, 15)
PASSES = 3
NEAR = 1e-9
"""How far from ours the peer's answers may be: it works to about 12 digits."""


def rows(run: Run) -> list[Row]:
    """Return the microseconds of a position, beside the peer's."""
    boards, _ = midgame(run.often(1000) if run.quick else 1000)
    return list(measured(boards))


def midgame(boards: int) -> tuple[NDArray[np.uint8], dict[str, float]]:
    """Return positions of expert games, and how long the solver took to get ready."""
    begin = time.perf_counter()
    if not load_common_kernels():
        sys.exit("Numba is not installed: what is to be measured is in the extra `solver`")
    seconds = time.perf_counter() - begin
    return np.array([position(seed) for seed in range(boards)]), {"warm": seconds}


def position(seed: int) -> NDArray[np.uint8]:
    """Return one position."""
    random = np.random.default_rng(seed)
    layout = deal(EXPERT, seed, CENTRE)
    height, width = layout.shape
    hints = count_around(layout)
    numbers, opened = hints.tobytes(), bytearray(layout.size)
    goal = random.uniform(0.2, 0.8) * EXPERT.safe_cells
    waiting = [CENTRE[0] * width + CENTRE[1]]
    faces = np.full(layout.shape, Face.COVERED, np.uint8)
    while waiting:
        for cell in waiting:
            if numbers[cell] == 0 and not opened[cell]:
                flood(numbers, opened, width, height, cell)
            opened[cell] = 1
            if sum(opened) >= goal and seed % 2:
                break
        shown = np.frombuffer(bytes(opened), np.bool_).reshape(layout.shape)
        faces = np.where(shown, hints, Face.COVERED).astype(np.uint8)
        waiting = np.flatnonzero(deduce(faces, EXPERT.mines).safe).tolist()
        if shown.sum() >= goal and (seed % 2 or not waiting):
            return faces
        closed = np.flatnonzero(~layout & ~shown)
        waiting = waiting or ([int(random.choice(closed))] if closed.size else [])
    return faces


def measured(boards: NDArray[np.uint8]) -> Iterator[Row]:
    """Time every way over the same positions, checking that all say the same."""
    mines = EXPERT.mines
    few = boards[:200]
    ours, answers = timed(lambda faces: mine_probability(faces, mines), boards)
    plain, plainly = timed(lambda faces: interpreted_mine_probability(faces, mines), few)
    check(plainly, answers[: len(few)])
    theirs: NDArray[np.float64] | None = None
    if find_spec("ms_toollib") is not None:
        theirs, foreign = peer(boards)
        check(answers, foreign)
    batch = np.full(len(boards), min(batch_seconds(boards) for _ in range(PASSES)) / len(boards))
    stuck = np.array([not (answer == 0.0).any() for answer in answers])
    every = np.ones(len(boards), np.bool_)
    name = "ms_toollib" if theirs is not None else ""
    for what, seconds, chosen, share, goal in (
        ("one position, median", ours, every, 0.5, 40),
        ("one position, 99th percentile", ours, every, 0.99, 40),
        ("one stuck position, median", ours, stuck, 0.5, 40),
        ("`mine_probability_batch`, a position", batch, every, 0.5, 40),
        ("plain engine, median", plain, every[: len(few)], 0.5, None),
    ):
        those = None if theirs is None else theirs[: len(chosen)][chosen]
        yield Row(
            what, float(np.quantile(seconds[chosen], share) * 1e6), "µs", name,
            None if those is None else float(np.quantile(those, share) * 1e6), goal=goal,
        )  # fmt: skip


def timed(
    solve: Callable[[Any], Any], boards: Iterable[Any]
) -> tuple[NDArray[np.float64], list[Any]]:
    """Return the best seconds of each position over all passes, and the answers."""
    passes: list[list[float]] = []
    answers: list[Any] = []
    for _ in range(PASSES):
        seconds, answers = [], []
        for board in boards:
            begin = time.perf_counter()
            answer = solve(board)
            seconds.append(time.perf_counter() - begin)
            answers.append(answer)
        passes.append(seconds)
    return np.min(passes, axis=0), answers


def batch_seconds(boards: NDArray[np.uint8]) -> float:
    begin = time.perf_counter()
    mine_probability_batch(boards, EXPERT.mines)
    return time.perf_counter() - begin


def peer(boards: NDArray[np.uint8]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Let the peer solve the positions in its own process; return seconds and answers."""
    with tempfile.TemporaryDirectory() as folder:
        np.save(Path(folder) / "boards.npy", boards)
        subprocess.run([sys.executable, "-m", "benchmarks.probability", folder], check=True)
        return np.load(Path(folder) / "seconds.npy"), np.load(Path(folder) / "answers.npy")


def peer_process(folder: Path) -> None:
    """Solve the positions in a folder by the peer."""
    import ms_toollib

    # Its own form: lists of ints, covered is 10. Making it is not timed.
    boards = np.load(folder / "boards.npy").astype(int)
    lists = np.where(boards == Face.COVERED, 10, boards).tolist()
    seconds, answers = timed(
        lambda board: ms_toollib.cal_probability_onboard(board, EXPERT.mines)[0], lists
    )
    np.save(folder / "seconds.npy", seconds)
    np.save(folder / "answers.npy", np.array(answers))


def check(answers: Iterable[Any], others: Iterable[Any]) -> None:
    """Hold two ways to each other on covered cells."""
    for answer, other in zip(answers, others, strict=True):
        covered = ~np.isnan(answer)
        worst = float(np.abs(answer - other)[covered].max())
        if worst > NEAR:
            sys.exit(f"two ways differ by {worst}")


if __name__ == "__main__":
    peer_process(Path(sys.argv[1]))
