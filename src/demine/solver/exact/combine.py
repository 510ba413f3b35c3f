"""How components and the sea meet: nothing but the number of mines couples them.

The polynomials of the components are multiplied in a balanced tree, whose root meets the sea; then
the weights of the rest of the board go down the same tree to each component.
"""

from __future__ import annotations

from collections import Counter
from math import ldexp, log2, nextafter
from operator import mul
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, TypeVar

import numpy as np

from demine.solver.errors import TooComplex
from demine.solver.exact.dynamic_program import forward, last, layers_of, masses
from demine.solver.exact.semirings import (
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

    from demine.solver.exact.dynamic_program import Graph
    from demine.solver.exact.semirings import Floats, Mass

P = TypeVar("P")

ABOVE_ZERO: Final = nextafter(0.0, 1.0)
BELOW_ONE: Final = nextafter(1.0, 0.0)

BITS: Final = 1 << 31
"""So many bits the integers on the way may have in all: a quarter of a gigabyte, some seconds."""
PRODUCT_BITS: Final = 28 << 20
"""So many the product of all components may have: it takes some seconds to multiply."""


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


class Shapes(NamedTuple):
    """The components of a position, each shape once: how many have it, and which each has.

    Components of the same shape have the same shares, and large boards have many.
    """

    graphs: list[Graph]
    times: list[int]
    of_each: list[int]

    @classmethod
    def of(cls, graphs: Sequence[Graph]) -> Shapes:
        """Find those that share their states."""
        places: dict[int, int] = {}
        of_each = [places.setdefault(id(graph.steps), len(places)) for graph in graphs]
        first = dict(zip(of_each, graphs, strict=True))
        times = Counter(of_each)
        return cls(
            [first[at] for at in range(len(places))],
            [times[at] for at in range(len(places))],
            of_each,
        )

    @property
    def least(self) -> int:
        """The fewest mines that all components can have."""
        return sum(
            graph.least * times for graph, times in zip(self.graphs, self.times, strict=True)
        )

    def crowds(self, leaves: Sequence[P], meeting: Meeting[P]) -> list[P]:
        """Return the polynomial of all components of each shape, from that of one."""
        return [power(leaf, times, meeting) for leaf, times in zip(leaves, self.times, strict=True)]

    def rests(
        self, levels: Sequence[Sequence[P]], leaves: Sequence[P], weights: P, meeting: Meeting[P]
    ) -> Iterator[P]:
        """Yield how the rest of the board weighs the counts of one component of each shape."""
        for leaf, times, rest in zip(
            leaves, self.times, outside(levels, weights, meeting), strict=False
        ):
            yield rest if times == 1 else meeting.correlate(rest, power(leaf, times - 1, meeting))


def power(base: P, times: int, meeting: Meeting[P]) -> P:
    """Multiply a polynomial by itself until there are so many, at least one."""
    result, bit = base, 1 << times.bit_length() - 1
    while bit := bit >> 1:
        result = meeting.convolve(result, result)
        if times & bit:
            result = meeting.convolve(result, base)
    return result


def counts(whole: Whole) -> tuple[int, list[int]]:
    """Return the fewest mines of all boxes, and the ways for each count from there."""
    shapes = Shapes.of(whole.graphs)
    leaves = [ring.fields(last(graph, ring)) for graph, ring in _rings(shapes.graphs)]
    _check_digits(leaves, shapes.times)
    return shapes.least, tree(shapes.crowds(leaves, Exact(0)) or [[1]], Exact(0))[-1][0]


def layouts(whole: Whole) -> int:
    """Return the exact number of layouts. Raises `TooComplex`."""
    least, ways = counts(whole)
    return sum(map(mul, ways, sea_weights(whole.sea, whole.left - least, len(ways))))


def _rings(graphs: Sequence[Graph]) -> Iterator[tuple[Graph, Exact]]:
    """Yield a ring of integers for each component. Raises `TooComplex` where they are too long."""
    left = BITS
    for graph in graphs:
        width = _width(graph)
        left -= width * graph.numbers
        if left < 0:
            raise TooComplex("counting the layouts of this position takes too many digits")
        yield graph, Exact(width)


def _check_digits(leaves: Sequence[Sequence[int]], times: Sequence[int]) -> None:
    """Raise `TooComplex` for a product that would take too long."""
    terms = sum((len(leaf) - 1) * count for leaf, count in zip(leaves, times, strict=True)) + 1
    width = sum(max(leaf).bit_length() * count for leaf, count in zip(leaves, times, strict=True))
    if terms * width > PRODUCT_BITS:
        raise TooComplex("counting the layouts of this position takes too many digits")


def _width(graph: Graph) -> int:
    """Return how many bits a coefficient of this component may take."""
    cells = graph.component.cells
    if cells <= 60:
        return cells + 4
    # Counting without mines first is cheap, and most components have far fewer layouts.
    most = end = 1
    for layer in layers_of(graph, Exact(0)):
        most = max(most, *layer)
        end = layer[0]
    return max(8 * end, most).bit_length()


def exact_shares(whole: Whole) -> Shares:
    """Weigh the whole position in integers: every share is rounded once, and correctly.

    Raises `TooComplex` where these would be too long.
    """
    shapes = Shapes.of(whole.graphs)
    passes = [(graph, ring, forward(graph, ring)) for graph, ring in _rings(shapes.graphs)]
    leaves = [ring.fields(layers[-1][0]) for _, ring, layers in passes]
    _check_digits(leaves, shapes.times)
    levels = tree(shapes.crowds(leaves, Exact(0)) or [[1]], Exact(0))
    ways = levels[-1][0]
    left = whole.left - shapes.least
    weights = sea_weights(whole.sea, left, len(ways))
    boxes = []
    for (graph, ring, layers), leaf, rest in zip(
        passes, leaves, shapes.rests(levels, leaves, weights, Exact(0)), strict=True
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
    in_sea = sum(term * (left - used) for used, term in enumerate(terms))
    return Shares(
        [boxes[at] for at in shapes.of_each],
        ratio(in_sea, whole.sea * sum(terms)) if whole.sea else 0.0,
    )


def ratio(part: int, whole: int) -> float:
    """Divide, rounding once; 0.0 and 1.0 are kept for what is proven."""
    if part in {0, whole}:
        return float(part > 0)
    return min(max(part / whole, ABOVE_ZERO), BELOW_ONE)


def fates(whole: Whole) -> Fates | None:
    """Return what may be a mine and what may be safe, or None if no count of mines fits."""
    ring = Possible()
    shapes = Shapes.of(whole.graphs)
    passes = [forward(graph, ring) for graph in shapes.graphs]
    leaves = [layers[-1][0] for layers in passes]
    levels = tree(shapes.crowds(leaves, ring) or [ring.one], ring)
    left = whole.left - shapes.least
    fewest = max(left - whole.sea, 0)
    weights = (1 << left + 1) - (1 << fewest) if left >= 0 else 0
    together = levels[-1][0] & weights
    if not together:
        return None
    boxes = []
    for graph, layers, rest in zip(
        shapes.graphs, passes, shapes.rests(levels, leaves, weights, ring), strict=True
    ):
        found = [Fate(mine, safe) for mine, safe in masses(graph, ring, layers, rest)]
        boxes.append(found[::-1])
    sea_mine = together & ~(1 << left) != 0
    sea_safe = together & ~(1 << fewest) != 0 or left < whole.sea
    return Fates(
        [boxes[at] for at in shapes.of_each],
        Fate(bool(whole.sea) and sea_mine, bool(whole.sea) and sea_safe),
    )


def allowed(whole: Whole) -> list[tuple[int, int]]:
    """Return the runs of numbers of mines, in boxes and sea, that the numbers allow."""
    ring = Possible()
    shapes = Shapes.of(whole.graphs)
    crowds = shapes.crowds([last(graph, ring) for graph in shapes.graphs], ring)
    runs: list[tuple[int, int]] = []
    for above in bits(tree(crowds or [1], ring)[-1][0]):
        least = shapes.least + above
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
    shapes = Shapes.of(whole.graphs)
    ring = Scaled(round(log2((whole.left + 0.5) / (unsettled - whole.left + 0.5))))
    passes = [forward(graph, ring) for graph in shapes.graphs]
    leaves = [_from_zero(layers[-1][0]) for layers in passes]
    above = whole._replace(left=whole.left - shapes.least)
    lean = balance(leaves, shapes.times, above, ring.tilt)
    leaves = [leant(leaf, lean) for leaf in leaves]
    levels = tree(shapes.crowds(leaves, ring) or [np.ones(1)], ring)
    ways = levels[-1][0]
    weights = sea_floats(sea_weights(above.sea, above.left, ways.size), ring.tilt, lean)
    fates_of = dict(zip(reversed(shapes.of_each), reversed(known.boxes), strict=True))
    boxes = []
    for at, (layers, rest) in enumerate(
        zip(passes, shapes.rests(levels, leaves, weights, ring), strict=True)
    ):
        graph = shapes.graphs[at]
        end = levelled(0, 0, leant(rest, lean))
        total = ring.number(ring.pair(layers[-1][0], end))
        found = [
            _share(mines, safe, step.size, total, may)
            for step, may, (mines, safe) in zip(
                reversed(graph.steps),
                reversed(fates_of[at]),
                masses(graph, ring, layers, end),
                strict=True,
            )
        ]
        boxes.append(found[::-1])
    return Shares(
        [boxes[at] for at in shapes.of_each], _sea_share(ways * weights, above, known.sea)
    )


def balance(leaves: Sequence[Floats], times: Sequence[int], whole: Whole, tilt: int) -> float:
    """Return what to weigh each mine of the frontier besides, so that sums are of large terms.

    It is the saddle point: so weighed, frontier and sea hold `left` mines on the average. Twelve
    halvings are enough, since it only decides how far from underflow the sums are.
    """
    leaves, times = leaves or [np.ones(1)], times or [1]
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
        low, high = (lean, high) if means @ times + in_sea < whole.left else (low, lean)
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
