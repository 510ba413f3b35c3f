"""How components and the sea meet: nothing but the number of mines couples them.

The polynomials of the components are multiplied in a balanced tree, whose root meets the sea; then
the weights of the rest of the board go down the same tree to each component.
"""

from __future__ import annotations

from math import ldexp, log2, nextafter
from operator import mul
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, TypeVar

import numpy as np

from demine.solver.count import forward, masses
from demine.solver.rings import (
    Exact,
    Poly,
    Possible,
    Scaled,
    bits,
    leant,
    levelled,
    sea_floats,
    sea_weights,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from demine.solver.count import Graph
    from demine.solver.rings import Floats, Mass

P = TypeVar("P")

ABOVE_ZERO: Final = nextafter(0.0, 1.0)
BELOW_ONE: Final = nextafter(1.0, 0.0)


class Meeting(Protocol[P]):
    """What a ring does with whole polynomials."""

    def convolve(self, left: P, right: P) -> P:
        """Multiply two polynomials."""

    def correlate(self, weights: P, polynomial: P) -> P:
        """Carry weights backwards through a polynomial."""


class Whole(NamedTuple):
    """A position ready to be weighed: its components, the mines left and the cells of the sea."""

    graphs: Sequence[Graph]
    left: int
    sea: int


class Shares(NamedTuple):
    """How likely a mine is: for each box of each component in its order, and for a sea cell."""

    boxes: list[list[float]]
    sea: float


class Fate(NamedTuple):
    """Whether cells may be mines, and whether they may be safe."""

    mine: bool
    safe: bool


class Fates(NamedTuple):
    """What may be, for each box of each component in its order, and for the sea."""

    boxes: list[list[Fate]]
    sea: Fate


def tree(leaves: Sequence[P], meeting: Meeting[P]) -> list[list[P]]:
    """Multiply polynomials by pairs; the last level holds the product of all."""
    levels = [list(leaves)]
    while len(levels[-1]) > 1:
        row = levels[-1]
        levels.append(
            [
                meeting.convolve(row[at], row[at + 1]) if at + 1 < len(row) else row[at]
                for at in range(0, len(row), 2)
            ]
        )
    return levels


def outside(levels: Sequence[Sequence[P]], weights: P, meeting: Meeting[P]) -> list[P]:
    """Return, for each leaf, how the rest of the board weighs its counts of mines."""
    row = [weights]
    for level in reversed(levels[:-1]):
        row = [
            meeting.correlate(row[at // 2], level[at ^ 1]) if at ^ 1 < len(level) else row[at // 2]
            for at in range(len(level))
        ]
    return row


def counts(whole: Whole) -> list[int]:
    """Return in how many ways the boxes of all components hold 0, 1, 2 ... mines together."""
    polynomials = [
        _padded(ring.fields(layers[-1][0]), graph)
        for graph, ring, layers in _exact_passes(whole.graphs)
    ]
    return tree(polynomials or [[1]], Exact(0))[-1][0]


def layouts(whole: Whole) -> int:
    """Return the exact number of layouts."""
    ways = counts(whole)
    return sum(map(mul, ways, sea_weights(whole.sea, whole.left, len(ways))))


def _exact_passes(graphs: Sequence[Graph]) -> Iterator[tuple[Graph, Exact, list[list[int]]]]:
    for graph in graphs:
        ring = Exact(_width(graph))
        yield graph, ring, forward(graph, ring)


def _width(graph: Graph) -> int:
    """Return how many bits a coefficient of this component may take."""
    cells = graph.component.cells
    if cells <= 60:
        return cells + 4
    # Counting without mines first is cheap, and most components have far fewer layouts.
    layers = forward(graph, Exact(0))
    return max(8 * layers[-1][0], *map(max, layers)).bit_length()


def _padded(coefficients: list[int], graph: Graph) -> list[int]:
    return coefficients + [0] * (graph.most + 1 - len(coefficients))


def exact_shares(whole: Whole) -> Shares:
    """Weigh the whole position in integers: every share is rounded once, and correctly."""
    passes = list(_exact_passes(whole.graphs))
    leaves = [_padded(ring.fields(layers[-1][0]), graph) for graph, ring, layers in passes]
    levels = tree(leaves or [[1]], Exact(0))
    ways = levels[-1][0]
    weights = sea_weights(whole.sea, whole.left, len(ways))
    boxes = []
    for (graph, ring, layers), leaf, rest in zip(
        passes, leaves, outside(levels, weights, Exact(0)), strict=False
    ):
        total = sum(map(mul, leaf, rest))
        found = [
            ratio(sum(map(mul, ring.fields(mines), rest)), step.size * total)
            for step, (mines, _) in zip(
                reversed(graph.steps), masses(graph, ring, layers, ring.one), strict=True
            )
        ]
        boxes.append(found[::-1])
    terms = list(map(mul, ways, weights))
    in_sea = sum(term * (whole.left - used) for used, term in enumerate(terms))
    return Shares(boxes, ratio(in_sea, whole.sea * sum(terms)) if whole.sea else 0.0)


def ratio(part: int, whole: int) -> float:
    """Divide, rounding once; 0.0 and 1.0 are kept for what is proven."""
    if part in {0, whole}:
        return float(part > 0)
    return min(max(part / whole, ABOVE_ZERO), BELOW_ONE)


def fates(whole: Whole) -> Fates | None:
    """Return what may be a mine and what may be safe, or None if no count of mines fits."""
    ring = Possible()
    passes = [forward(graph, ring) for graph in whole.graphs]
    levels = tree([layers[-1][0] for layers in passes] or [ring.one], ring)
    fewest = max(whole.left - whole.sea, 0)
    weights = (1 << whole.left + 1) - (1 << fewest) if whole.left >= 0 else 0
    together = levels[-1][0] & weights
    if not together:
        return None
    boxes = []
    for graph, layers, rest in zip(
        whole.graphs, passes, outside(levels, weights, ring), strict=False
    ):
        found = [Fate(mine, safe) for mine, safe in masses(graph, ring, layers, rest)]
        boxes.append(found[::-1])
    sea_mine = together & ~(1 << whole.left) != 0
    sea_safe = together & ~(1 << fewest) != 0 or whole.left < whole.sea
    return Fates(boxes, Fate(bool(whole.sea) and sea_mine, bool(whole.sea) and sea_safe))


def allowed(whole: Whole) -> list[tuple[int, int]]:
    """Return the runs of numbers of mines, in boxes and sea, that the numbers allow."""
    ring = Possible()
    in_boxes = tree([forward(graph, ring)[-1][0] for graph in whole.graphs] or [1], ring)[-1][0]
    runs: list[tuple[int, int]] = []
    for least in bits(in_boxes):
        if runs and least <= runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], least + whole.sea)
        else:
            runs.append((least, least + whole.sea))
    return runs


def scaled_shares(whole: Whole, known: Fates) -> Shares:
    """Weigh the whole position in floats; what is certain comes from `known`.

    Raises `Underflow` for a position so uneven that floats would lose digits.
    """
    unsettled = whole.sea + sum(graph.component.cells for graph in whole.graphs)
    ring = Scaled(round(log2((whole.left + 0.5) / (unsettled - whole.left + 0.5))))
    passes = [forward(graph, ring) for graph in whole.graphs]
    leaves = [_from_zero(layers[-1][0]) for layers in passes] or [np.ones(1)]
    lean = balance(leaves, whole, ring.tilt)
    levels = tree([leant(leaf, lean) for leaf in leaves], ring)
    ways = levels[-1][0]
    weights = sea_floats(sea_weights(whole.sea, whole.left, ways.size), ring.tilt, lean)
    boxes = []
    for graph, layers, rest, fate in zip(
        whole.graphs, passes, outside(levels, weights, ring), known.boxes, strict=False
    ):
        last = levelled(0, 0, leant(rest, lean))
        total = ring.number(ring.pair(layers[-1][0], last))
        found = [
            _share(mines, safe, step.size, total, may)
            for step, may, (mines, safe) in zip(
                reversed(graph.steps),
                reversed(fate),
                masses(graph, ring, layers, last),
                strict=True,
            )
        ]
        boxes.append(found[::-1])
    return Shares(boxes, _sea_share(ways * weights, whole, known.sea))


def balance(leaves: Sequence[Floats], whole: Whole, tilt: int) -> float:
    """Return what to weigh each mine of the frontier besides, so that sums are of large terms.

    It is the saddle point: so weighed, frontier and sea hold `left` mines on the average. Twelve
    halvings are enough, since it only decides how far from underflow the sums are.
    """
    sizes = [leaf.size for leaf in leaves]
    begins = np.cumsum([0, *sizes[:-1]])
    terms = np.concatenate(leaves)
    mines = np.concatenate([np.arange(size) for size in sizes])
    logs = np.log2(terms, where=terms > 0, out=np.full(terms.size, -np.inf))
    low, high = -40.0, 40.0
    for _ in range(12):
        lean = (low + high) / 2
        weighed = logs + lean * mines
        weighed = np.exp2(weighed - np.repeat(np.maximum.reduceat(weighed, begins), sizes))
        means = np.add.reduceat(weighed * mines, begins) / np.add.reduceat(weighed, begins)
        # A mine of the sea weighs what one of the frontier does.
        in_sea = whole.sea / (1 + 2.0 ** -(lean + tilt))
        low, high = (lean, high) if means.sum() + in_sea < whole.left else (low, lean)
    return float(2.0 ** ((low + high) / 2))


def _from_zero(poly: Poly) -> Floats:
    """Return the coefficients from the power 0 on, up to a power of two."""
    return np.concatenate([np.zeros(poly.low), poly.terms])


def _share(mines: Mass, safe: Mass, size: int, total: Mass, may: Fate) -> float:
    if not (may.mine and may.safe):
        return float(may.mine)
    Scaled.number(safe)
    mass = Scaled.number(mines)
    # Exactly 1.0 is for what is proven.
    return min(ldexp(mass.value / (size * total.value), mass.scale - total.scale), BELOW_ONE)


def _sea_share(terms: Floats, whole: Whole, may: Fate) -> float:
    if not (may.mine and may.safe):
        return float(may.mine)
    total = Scaled.number(_mass(terms))
    mines = Scaled.number(_mass(terms * (whole.left - np.arange(terms.size)) / whole.sea))
    return min(mines.value / total.value, BELOW_ONE)


def _mass(terms: Floats) -> Mass:
    ring = Scaled(0)
    return ring.pair(Poly(0, 0, terms), Poly(0, 0, np.ones(terms.size)))
