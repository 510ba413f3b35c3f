"""How good a guess `best_move` advises, by how many layouts are left, and how long it takes.

Games are played with their guesses as the policy `fast` makes them, going on where they would be
lost; every position that needs a guess is one to advise on. Up to 1000 layouts the exact worth of
all cells is searched out beside it. `lost` is how many points of the game the advice gives away, on
the average; `cold` is before the compiled player is ready.

"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.measure import Row, Run
from demine.logic.flood import flood
from demine.logic.layout import deal
from demine.logic.neighbours import count_around
from demine.logic.rules import Rules
from demine.play import load_kernels
from demine.scene.cell_faces import Face
from demine.solver.exact.probability import count_layouts, mine_probability
from demine.solver.player import advise
from demine.solver.player.first_cell import usual_first_cell
from demine.solver.player.kernels import PLAYER_KERNELS
from demine.solver.player.policy_table import ENDGAME_LAYOUTS

BOARDS: Final = (
    "30x16/99", "16x16/40 first=safe", "9x9/10 first=safe", "8x8/15 first=safe",
    "10x10/33 first=safe", "30x4/30 first=safe", "6x6/12 first=safe", "5x5/8 first=safe",
    "12x2/6 first=safe",
)  # fmt: skip
RANGES: Final = ((2, 300), (301, 1000), (1001, None))
GAMES: Final = 3000


class Position(NamedTuple):
    """A scene board without a certain cell, and how many layouts fit it."""

    faces: NDArray[np.uint8]
    mines: int
    layouts: int


def positions(rules: Rules) -> Iterator[Position]:
    """Yield the guesses of games, those of the first seeds first."""
    start = usual_first_cell(rules)
    for seed in range(GAMES):
        mine_map = deal(rules, seed, start)
        numbers = count_around(mine_map).astype(np.uint8)
        opened = bytearray(rules.cells)
        cells = [start[0] * rules.width + start[1]]
        while True:
            for cell in cells:
                if numbers.flat[cell] == 0:
                    flood(bytes(numbers), opened, rules.width, rules.height, cell)
                opened[cell] = 1
            if sum(opened) == rules.safe_cells:
                break
            shown = np.frombuffer(opened, np.bool_).reshape(rules.shape)
            faces = np.where(shown, numbers, np.uint8(Face.COVERED)).astype(np.uint8)
            chance = mine_probability(faces, rules.mines)
            cells = np.flatnonzero(chance.ravel() == 0.0).tolist()
            if not cells:
                yield Position(faces, rules.mines, count_layouts(faces, rules.mines))
                choice = advise.policy_choice(faces, rules.mines, "fast")
                left = np.flatnonzero(~shown.ravel() & ~mine_map.ravel())
                cells = [int(left[0])]
                if choice is not None and not mine_map[choice]:
                    cells = [choice[0] * rules.width + choice[1]]


def between(text: str, low: int, high: int | None, most: int) -> list[Position]:
    """Return up to `most` positions of a board with so many layouts."""
    found: list[Position] = []
    for position in positions(Rules.parse(text)):
        if low <= position.layouts and (high is None or position.layouts <= high):
            found.append(position)
        if len(found) == most:
            break
    return found


def worths(position: Position) -> dict[tuple[int, int], float] | None:
    """Return the share of the layouts that the best play wins with each cell."""
    faces, mines, layouts = position
    if advise.list_layouts_if_few(faces, mines) != layouts:
        return None
    ending, places = advise.endgame_of_listed_layouts(layouts)
    rims = advise.PaddedBoard(*faces.shape)
    return {
        rims.cell_at(place): ending.wins_if_opened_first(at) / layouts
        for at, place in enumerate(places)
    }


def timed(position: Position, policy: str | None = None) -> tuple[tuple[int, int] | None, float]:
    """Return the advised cell, and the milliseconds that took."""
    begun = time.perf_counter()
    if policy is None:
        cell = advise.best_guess(position.faces, position.mines)
    else:
        cell = advise.policy_choice(position.faces, position.mines, policy)
    return cell, 1000 * (time.perf_counter() - begun)


def cold(position: Position) -> tuple[tuple[int, int] | None, float]:
    """Return the same as long as nothing is compiled."""
    kernels, PLAYER_KERNELS.loaded = PLAYER_KERNELS.loaded, {}
    try:
        return timed(position)
    finally:
        PLAYER_KERNELS.loaded = kernels


def rows(run: Run) -> list[Row]:
    """Return how long advised guesses take, by board and by how many layouts are left."""
    load_kernels.load_common_kernels()
    advise.load_kernels()
    timed(next(positions(Rules.parse("beginner"))))
    return [
        row
        for text in (BOARDS[:2] if run.quick else BOARDS)
        for low, high in RANGES
        for row in of_range(text, low, high, run.often(12))
    ]


def of_range(text: str, low: int, high: int | None, most: int) -> Iterator[Row]:
    """Yield the rows of some positions; the answers must be those before anything is compiled."""
    found = between(text, low, high, most)
    if not found:
        return
    compiled = [timed(position) for position in found]
    plain = [cold(position) for position in found]
    if [cell for cell, _ in compiled] != [cell for cell, _ in plain]:
        raise SystemExit(f"{text}: compiled and plain advice differ")
    spent = [ms for _, ms in compiled]
    what = f"{text}, {low} to {high or 'any number of'} layouts, {len(found)} positions"
    peers = "not compiled", float(np.median([ms for _, ms in plain]))
    yield Row(f"{what}, median", float(np.median(spent)), "ms", *peers)
    yield Row(f"{what}, at most", max(spent), "ms")
    if high is not None and high <= ENDGAME_LAYOUTS:
        for name, policy in (("advised", None), ("`strong`", "strong")):
            share, lost = quality(found, policy)
            yield Row(f"{what}, {name}: the best cell", 100 * share, "%")
            yield Row(f"{what}, {name}: points of the game lost", lost, "")


def quality(found: list[Position], policy: str | None) -> tuple[float, float]:
    """Return how often the best cell is chosen, and how many points are lost on the average."""
    shorts = []
    for position in found:
        values = worths(position)
        if values is not None:
            chosen = timed(position, policy)[0]
            shorts.append(max(values.values()) - (values[chosen] if chosen else 0.0))
    best = sum(short == 0.0 for short in shorts) / max(1, len(shorts))
    return best, 100 * sum(shorts) / max(1, len(shorts))
