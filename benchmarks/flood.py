"""Cells opened per second: the largest opening of growing boards, beside SciPy and Numba.

Every way opens the same opening of the same board and is checked to open the same cells:

    scan line   `demine.logic.flood.flood` in plain Python, on bytes
    row bits    `demine.logic.flood_by_rows.opening_map`, for openings of more than 4,096 cells
    compiled    the very same `flood` compiled by Numba (where it is installed)
    SciPy       `scipy.ndimage.label` over the zeros, then `binary_dilation` of the opening's label

Laying (`deal`) and hinting (`count_around`) are timed on the same boards, and the peak of the
traced memory of a whole game from its first act is given in bytes a cell.

    python benchmarks/flood.py [--json] [--most SIDE]
"""

from __future__ import annotations

import argparse
import json
import time
import tracemalloc
from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from demine.game import Game
from demine.logic import flood_by_rows
from demine.logic.event import Act, Verb
from demine.logic.flood import flood
from demine.logic.layout import deal
from demine.logic.neighbours import count_around
from demine.logic.rules import Rules

Hints: TypeAlias = NDArray[np.uint8]
Opened: TypeAlias = NDArray[np.bool_]
Way: TypeAlias = Callable[[Hints, int, int], Opened]

SIDES = (100, 200, 500, 1000, 2000, 4000)
PERCENTS = (5, 10)
AROUND = np.ones((3, 3), dtype=np.bool_)
SECONDS = 0.5
SEED = 1


def main() -> None:
    """Print cells per second, a row for each board."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--most", type=int, default=SIDES[-1], metavar="SIDE")
    asked = parser.parse_args()
    sides = [side for side in SIDES if side <= asked.most]
    ways = {"scan line": scan_line, "row bits": row_bits, **compiled(), "SciPy": scipy}
    rows = [measured(side, percent, ways) for percent in PERCENTS for side in sides]
    if asked.json:
        print(json.dumps(rows))
        return
    print("million cells per second; in brackets: times SciPy; bytes a cell at the peak")
    names = ["lay", "hint", *ways]
    print(
        f"{'board':>10} {'mines':>5} {'opens':>10} " + " ".join(f"{n:>15}" for n in names), "bytes"
    )
    for row in rows:
        figures = " ".join(figure(row, name) for name in names)
        size = f"{row['side']}x{row['side']}"
        print(f"{size:>10} {row['percent']:>4}% {row['opens']:>10,} {figures} {row['bytes']:5.1f}")


def figure(row: dict[str, Any], name: str) -> str:
    """One figure of a row, with its ratio to SciPy's where it is an opening's."""
    million = row[name] / 1e6
    if name in ("lay", "hint"):
        return f"{million:15,.1f}"
    ratio = f"({row[name] / row['SciPy']:.3g}x)"
    return f"{million:7,.1f} {ratio:>7}"


def measured(side: int, percent: int, ways: dict[str, Way]) -> dict[str, Any]:
    """Cells per second of every way on one board."""
    rules = Rules(side, side, side * side * percent // 100)
    hints = count_around(deal(rules, SEED))
    row, col = in_the_largest_opening(hints)
    mines = deal(rules, SEED, (row, col))
    hints = count_around(mines)
    expected = scipy(hints, row, col)
    opens = int(np.count_nonzero(expected))
    for name, way in ways.items():
        if not np.array_equal(way(hints, row, col), expected):
            raise SystemExit(f"{name} opens other cells on {rules}, or gives up")
    rates = {name: opens / best(partial(way, hints, row, col)) for name, way in ways.items()}
    return {
        "side": side, "percent": percent, "opens": opens,
        "bytes": peak(rules, row, col) / rules.cells,
        "lay": rules.cells / best(lambda: deal(rules, SEED, (row, col))),
        "hint": rules.cells / best(lambda: count_around(mines)),
        **rates,
    }  # fmt: skip


def in_the_largest_opening(hints: Hints) -> tuple[int, int]:
    """A cell amid the zeros of the largest opening."""
    labels, _ = ndimage.label(hints == 0, structure=AROUND)
    sizes = np.bincount(labels.ravel())
    sizes[0] = 0
    cells = np.argwhere(labels == sizes.argmax())
    row, col = cells[len(cells) // 2].tolist()
    return row, col


def best(work: Callable[[], object]) -> float:
    """Seconds of the fastest of several runs."""
    times: list[float] = []
    begin = time.perf_counter()
    while not times or time.perf_counter() - begin < SECONDS:
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def peak(rules: Rules, row: int, col: int) -> int:
    """Most bytes that a game takes from its making to its first opening."""
    tracemalloc.start()
    Game(rules, SEED).play(Act(0, Verb.OPEN, row, col))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


def scan_line(hints: Hints, row: int, col: int) -> Opened:
    """The one flood fill, interpreted."""
    height, width = hints.shape
    opened = bytearray(hints.size)
    flood(bytearray(hints.tobytes()), opened, width, height, row * width + col)
    return np.frombuffer(opened, dtype=np.bool_).reshape(hints.shape)


def row_bits(hints: Hints, row: int, col: int) -> Opened:
    """Whole rows of bits at a time."""
    opened = flood_by_rows.opening_map(hints, row, col)
    return np.zeros(hints.shape, np.bool_) if opened is None else opened


def scipy(hints: Hints, row: int, col: int) -> Opened:
    """All openings labelled, then the border of one of them."""
    labels, _ = ndimage.label(hints == 0, structure=AROUND)
    opened: Opened = ndimage.binary_dilation(labels == labels[row, col], structure=AROUND)
    return opened


def compiled() -> dict[str, Way]:
    """The one flood fill compiled, where Numba is installed."""
    try:
        import numba
    except ImportError:
        return {}
    fast: Any = numba.njit(flood)

    def compiled_flood(hints: Hints, row: int, col: int) -> Opened:
        height, width = hints.shape
        opened = np.zeros(hints.size, np.uint8)
        fast(hints.ravel(), opened, width, height, row * width + col)
        return opened.view(np.bool_).reshape(hints.shape)

    return {"compiled": compiled_flood}


if __name__ == "__main__":
    main()
