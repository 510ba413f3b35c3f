"""Combining components with each other and with the sea: only the number of mines couples them.

The polynomials of the components are multiplied in a balanced tree, and the sea is combined with
its root. Then the weights of the rest of the board are carried down the same tree to each
component.
"""

from __future__ import annotations

from collections import Counter
from math import ldexp, log2, nextafter
from operator import mul
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, TypeVar

import numpy as np

from demine.solver.errors import TooComplex
from demine.solver.exact.dynamic_program import all_layers, box_masses, iterate_layers, last_value
from demine.solver.exact.semirings import (
    FloatPolynomials,
    IntegerPolynomials,
    PossibleCounts,
    ScaledPolynomial,
    bit_positions,
    normalised,
    sea_weights,
    sea_weights_as_floats,
    weighed_by_mines,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from demine.solver.exact.dynamic_program import StateGraph
    from demine.solver.exact.semirings import Floats, ScaledNumber

P = TypeVar("P")
T = TypeVar("T")

ABOVE_ZERO: Final = nextafter(0.0, 1.0)
BELOW_ONE: Final = nextafter(1.0, 0.0)

MAX_INTEGER_BITS: Final = 1 << 31
"""How many bits all integers of a forward pass may have: a quarter of a gigabyte, some seconds."""
MAX_PRODUCT_BITS: Final = 28 << 20
"""How many bits the product of all components may have: some seconds of multiplying."""

_INTEGER_PRODUCTS: Final = IntegerPolynomials(0)
"""The ring for products of lists of coefficients, which no width limits."""


class PolynomialProducts(Protocol[P]):
    """Operations on whole polynomials, which each semiring provides for its kind of them."""

    def convolve(self, left: P, right: P) -> P:
        """Multiply two polynomials."""

    def carry_weights_back(self, weights: P, polynomial: P) -> P:
        """Return `out[j] = sum of weights[j + i] * polynomial[i]`, the transpose of `convolve`."""


class CountingProblem(NamedTuple):
    """What is needed to count layouts; `mines_left` lie in the boxes and the sea together."""

    graphs: Sequence[StateGraph]
    mines_left: int
    sea_cells: int


class MineProbabilities(NamedTuple):
    """The probability of a mine in a cell of each box, `[component][box]`, and in a sea cell."""

    boxes: list[list[float]]
    sea: float


class PossibleContent(NamedTuple):
    """Whether there is a layout in which a cell is a mine, and one in which it is safe."""

    may_be_mine: bool
    may_be_safe: bool


class PossibleContents(NamedTuple):
    """The possible content of the cells of each box, `[component][box]`, and of the sea."""

    boxes: list[list[PossibleContent]]
    sea: PossibleContent


def product_tree(leaves: Sequence[P], products: PolynomialProducts[P]) -> list[list[P]]:
    """Multiply polynomials in pairs, level by level; the last level holds the product of all."""
    levels = [list(leaves)]
    while len(levels[-1]) > 1:
        row = levels[-1]
        levels.append(
            [
                products.convolve(row[at], row[at + 1]) if at + 1 < len(row) else row[at]
                for at in range(0, len(row), 2)
            ]
        )
    return levels


def weights_of_the_rest(
    levels: Sequence[Sequence[P]], root_weights: P, products: PolynomialProducts[P]
) -> list[P]:
    """Return for each leaf of a `product_tree` the weight of the rest for each count of its mines.

    `root_weights` are the weights for each count of mines of all leaves together.
    """
    row = [root_weights]
    for level in reversed(levels[:-1]):
        row = [
            products.carry_weights_back(row[at // 2], level[at ^ 1])
            if at ^ 1 < len(level)
            else row[at // 2]
            for at in range(len(level))
        ]
    return row


class DistinctGraphs(NamedTuple):
    """The distinct graphs of a position, how often each occurs, and which one each component has.

    Components of the same shape have the same probabilities, and large boards have many of these.
    """

    graphs: list[StateGraph]
    repetitions: list[int]
    index_of_each: list[int]

    @classmethod
    def from_graphs(cls, graphs: Sequence[StateGraph]) -> DistinctGraphs:
        """Group graphs that share their `steps`."""
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
    def fewest_mines(self) -> int:
        """The fewest mines that all components together can have."""
        return sum(
            graph.fewest_mines * times
            for graph, times in zip(self.graphs, self.repetitions, strict=True)
        )

    def product_tree(
        self, leaves: Sequence[P], one: P, products: PolynomialProducts[P]
    ) -> list[list[P]]:
        """Return the `product_tree` of all components, those that share a graph as one leaf.

        `leaves` are the polynomials of one component of each distinct graph; `one` is the product
        if there are none.
        """
        repeated = [
            power(leaf, times, products)
            for leaf, times in zip(leaves, self.repetitions, strict=True)
        ]
        return product_tree(repeated or [one], products)

    def for_each_component(self, values: Sequence[T]) -> list[T]:
        """Return for each component the value of its graph."""
        return [values[index] for index in self.index_of_each]

    def weights_of_the_rest(
        self,
        levels: Sequence[Sequence[P]],
        leaves: Sequence[P],
        root_weights: P,
        products: PolynomialProducts[P],
    ) -> Iterator[P]:
        """Yield for each distinct graph the weights of the rest for one component that has it.

        This rest includes the other components that have the same graph.
        """
        for leaf, times, rest in zip(
            leaves,
            self.repetitions,
            weights_of_the_rest(levels, root_weights, products),
            strict=False,
        ):
            yield (
                rest
                if times == 1
                else products.carry_weights_back(rest, power(leaf, times - 1, products))
            )


def power(base: P, exponent: int, products: PolynomialProducts[P]) -> P:
    """Return a polynomial raised to the power `exponent`, which is at least 1."""
    result, bit = base, 1 << exponent.bit_length() - 1
    while bit := bit >> 1:
        result = products.convolve(result, result)
        if exponent & bit:
            result = products.convolve(result, base)
    return result


class LayoutsByMineCount(NamedTuple):
    """The fewest mines of the boxes, and in how many ways they can have that many, one more, ..."""

    fewest_mines: int
    ways: list[int]


def layouts_by_frontier_mines(problem: CountingProblem) -> LayoutsByMineCount:
    """Return how many layouts of the boxes, without the sea, have each number of mines."""
    distinct = DistinctGraphs.from_graphs(problem.graphs)
    leaves = [
        ring.coefficients(last_value(graph, ring))
        for graph, ring in _integer_rings(distinct.graphs)
    ]
    _check_digits(leaves, distinct.repetitions)
    levels = distinct.product_tree(leaves, [1], _INTEGER_PRODUCTS)
    return LayoutsByMineCount(distinct.fewest_mines, levels[-1][0])


def total_layouts(problem: CountingProblem) -> int:
    """Return the exact number of layouts; raises `TooComplex` where it has too many digits."""
    least, ways = layouts_by_frontier_mines(problem)
    return sum(
        map(mul, ways, sea_weights(problem.sea_cells, problem.mines_left - least, len(ways)))
    )


def _integer_rings(graphs: Sequence[StateGraph]) -> Iterator[tuple[StateGraph, IntegerPolynomials]]:
    """Yield each graph with a ring of integers wide enough for it, or raise `TooComplex`."""
    left = MAX_INTEGER_BITS
    for graph in graphs:
        width = _coefficient_bits(graph)
        left -= width * graph.polynomial_terms
        if left < 0:
            raise TooComplex("counting the layouts of this position takes too many digits")
        yield graph, IntegerPolynomials(width)


def _check_digits(leaves: Sequence[Sequence[int]], times: Sequence[int]) -> None:
    """Raise `TooComplex` if the product of all leaves would take too long."""
    terms = sum((len(leaf) - 1) * count for leaf, count in zip(leaves, times, strict=True)) + 1
    width = sum(max(leaf).bit_length() * count for leaf, count in zip(leaves, times, strict=True))
    if terms * width > MAX_PRODUCT_BITS:
        raise TooComplex("counting the layouts of this position takes too many digits")


def _coefficient_bits(graph: StateGraph) -> int:
    """Return how many bits are enough for every coefficient of this component."""
    cells = graph.component.cell_count
    if cells <= 60:
        return cells + 4
    # A first pass that ignores mines is cheap, and most components have far fewer layouts.
    most = end = 1
    for layer in iterate_layers(graph, IntegerPolynomials(0)):
        most = max(most, *layer)
        end = layer[0]
    return max(8 * end, most).bit_length()


def correctly_rounded_probabilities(problem: CountingProblem) -> MineProbabilities:
    """Return the mine probabilities, computed in integers and rounded once, to nearest.

    Raises `TooComplex` if the integers would be too long.
    """
    distinct = DistinctGraphs.from_graphs(problem.graphs)
    passes = [
        (graph, ring, all_layers(graph, ring)) for graph, ring in _integer_rings(distinct.graphs)
    ]
    leaves = [ring.coefficients(layers[-1][0]) for _, ring, layers in passes]
    _check_digits(leaves, distinct.repetitions)
    levels = distinct.product_tree(leaves, [1], _INTEGER_PRODUCTS)
    ways = levels[-1][0]
    left = problem.mines_left - distinct.fewest_mines
    weights = sea_weights(problem.sea_cells, left, len(ways))
    boxes = []
    for (graph, ring, layers), leaf, rest in zip(
        passes,
        leaves,
        distinct.weights_of_the_rest(levels, leaves, weights, _INTEGER_PRODUCTS),
        strict=True,
    ):
        total = sum(map(mul, leaf, rest))
        found = [
            rounded_ratio(sum(map(mul, ring.coefficients(mines), rest)), step.size * total)
            for step, (mines, _) in zip(
                reversed(graph.steps), box_masses(graph, ring, layers, ring.one), strict=True
            )
        ]
        boxes.append(found[::-1])
    terms = list(map(mul, ways, weights))
    in_sea = sum(term * (left - used) for used, term in enumerate(terms))
    return MineProbabilities(
        distinct.for_each_component(boxes),
        rounded_ratio(in_sea, problem.sea_cells * sum(terms)) if problem.sea_cells else 0.0,
    )


def rounded_ratio(part: int, whole: int) -> float:
    """Return `part / whole`, rounded once; only 0 and `whole` give 0.0 and 1.0."""
    if part in {0, whole}:
        return float(part > 0)
    return min(max(part / whole, ABOVE_ZERO), BELOW_ONE)


def possible_contents(problem: CountingProblem) -> PossibleContents | None:
    """Return what may be a mine and what may be safe, or None if `mines_left` fits no layout."""
    ring = PossibleCounts()
    distinct = DistinctGraphs.from_graphs(problem.graphs)
    passes = [all_layers(graph, ring) for graph in distinct.graphs]
    leaves = [layers[-1][0] for layers in passes]
    levels = distinct.product_tree(leaves, ring.one, ring)
    left = problem.mines_left - distinct.fewest_mines
    fewest = max(left - problem.sea_cells, 0)
    weights = (1 << left + 1) - (1 << fewest) if left >= 0 else 0
    together = levels[-1][0] & weights
    if not together:
        return None
    boxes = []
    for graph, layers, rest in zip(
        distinct.graphs,
        passes,
        distinct.weights_of_the_rest(levels, leaves, weights, ring),
        strict=True,
    ):
        found = [
            PossibleContent(mine, safe) for mine, safe in box_masses(graph, ring, layers, rest)
        ]
        boxes.append(found[::-1])
    sea_mine = together & ~(1 << left) != 0
    sea_safe = together & ~(1 << fewest) != 0 or left < problem.sea_cells
    return PossibleContents(
        distinct.for_each_component(boxes),
        PossibleContent(bool(problem.sea_cells) and sea_mine, bool(problem.sea_cells) and sea_safe),
    )


def possible_mine_count_ranges(problem: CountingProblem) -> list[tuple[int, int]]:
    """Return the ranges (lowest, highest) in which `mines_left` could be for a layout to fit."""
    ring = PossibleCounts()
    distinct = DistinctGraphs.from_graphs(problem.graphs)
    leaves = [last_value(graph, ring) for graph in distinct.graphs]
    runs: list[tuple[int, int]] = []
    for above in bit_positions(distinct.product_tree(leaves, ring.one, ring)[-1][0]):
        least = distinct.fewest_mines + above
        if runs and least <= runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], least + problem.sea_cells)
        else:
            runs.append((least, least + problem.sea_cells))
    return runs


def float_probabilities(problem: CountingProblem, known: PossibleContents) -> MineProbabilities:
    """Return the mine probabilities, computed in floats; certain cells are taken from `known`.

    Raises `Underflow` for a position so uneven that digits would be lost.
    """
    unsettled = problem.sea_cells + sum(graph.component.cell_count for graph in problem.graphs)
    distinct = DistinctGraphs.from_graphs(problem.graphs)
    ring = FloatPolynomials(
        round(log2((problem.mines_left + 0.5) / (unsettled - problem.mines_left + 0.5)))
    )
    passes = [all_layers(graph, ring) for graph in distinct.graphs]
    leaves = [_coefficients_from_zero(layers[-1][0]) for layers in passes]
    above = problem._replace(mines_left=problem.mines_left - distinct.fewest_mines)
    mine_weight = mine_weight_at_saddle_point(leaves, distinct.repetitions, above, ring.tilt)
    leaves = [weighed_by_mines(leaf, mine_weight) for leaf in leaves]
    levels = distinct.product_tree(leaves, np.ones(1), ring)
    ways = levels[-1][0]
    weights = sea_weights_as_floats(
        sea_weights(above.sea_cells, above.mines_left, ways.size), ring.tilt, mine_weight
    )
    contents_of = dict(zip(reversed(distinct.index_of_each), reversed(known.boxes), strict=True))
    boxes = []
    for at, (layers, rest) in enumerate(
        zip(passes, distinct.weights_of_the_rest(levels, leaves, weights, ring), strict=True)
    ):
        graph = distinct.graphs[at]
        end = normalised(0, 0, weighed_by_mines(rest, mine_weight))
        total = ring.checked_mass(ring.multiply_ends(layers[-1][0], end))
        found = [
            _box_probability(mines, safe, step.size, total, may)
            for step, may, (mines, safe) in zip(
                reversed(graph.steps),
                reversed(contents_of[at]),
                box_masses(graph, ring, layers, end),
                strict=True,
            )
        ]
        boxes.append(found[::-1])
    return MineProbabilities(
        distinct.for_each_component(boxes),
        _sea_probability(ways * weights, above, known.sea),
    )


def mine_weight_at_saddle_point(
    leaves: Sequence[Floats], repetitions: Sequence[int], problem: CountingProblem, tilt: int
) -> float:
    """Return the weight of each mine of the frontier that keeps the largest terms of similar size.

    At the saddle point frontier and sea hold `mines_left` mines on average. Twelve bisections are
    enough, since the weight only decides how far from underflow the sums are.
    """
    leaves, repetitions = leaves or [np.ones(1)], repetitions or [1]
    sizes = [leaf.size for leaf in leaves]
    begins = np.cumsum([0, *sizes[:-1]])
    terms = np.concatenate(leaves)
    mines = np.concatenate([np.arange(size) for size in sizes])
    logs = np.log2(terms, where=terms > 0, out=np.full(terms.size, -np.inf))
    low, high = -40.0, 40.0
    for _ in range(12):
        log_weight = (low + high) / 2
        weighed = logs + log_weight * mines
        weighed = np.exp2(weighed - np.repeat(np.maximum.reduceat(weighed, begins), sizes))
        means = np.add.reduceat(weighed * mines, begins) / np.add.reduceat(weighed, begins)
        # A mine in the sea has the same weight as one in the frontier.
        in_sea = problem.sea_cells / (1 + 2.0 ** -(log_weight + tilt))
        too_few = means @ repetitions + in_sea < problem.mines_left
        low, high = (log_weight, high) if too_few else (low, log_weight)
    return float(2.0 ** ((low + high) / 2))


def _coefficients_from_zero(poly: ScaledPolynomial) -> Floats:
    """Return the coefficients from power 0 on, all scaled by the same power of two."""
    return np.concatenate([np.zeros(poly.low), poly.terms])


def _box_probability(
    mines: ScaledNumber, safe: ScaledNumber, size: int, total: ScaledNumber, may: PossibleContent
) -> float:
    if not (may.may_be_mine and may.may_be_safe):
        return float(may.may_be_mine)
    FloatPolynomials.checked_mass(safe)
    mass = FloatPolynomials.checked_mass(mines)
    # Exactly 1.0 is kept for what is proven.
    return min(ldexp(mass.value / (size * total.value), mass.scale - total.scale), BELOW_ONE)


def _sea_probability(terms: Floats, problem: CountingProblem, may: PossibleContent) -> float:
    if not (may.may_be_mine and may.may_be_safe):
        return float(may.may_be_mine)
    total = FloatPolynomials.checked_mass(_sum_of_terms(terms))
    mines = FloatPolynomials.checked_mass(
        _sum_of_terms(terms * (problem.mines_left - np.arange(terms.size)) / problem.sea_cells)
    )
    return min(mines.value / total.value, BELOW_ONE)


def _sum_of_terms(terms: Floats) -> ScaledNumber:
    ring = FloatPolynomials(0)
    return ring.multiply_ends(
        ScaledPolynomial(0, 0, terms), ScaledPolynomial(0, 0, np.ones(terms.size))
    )
