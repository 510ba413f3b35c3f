"""The dynamic programme of a component, whose boxes are decided one after the other.

A state is what each waiting number still needs, as four bits of one integer. The states of a
component and the moves between them are found once (`StateGraph`). Semirings then carry different
values along the moves: exact integers, scaled floats, or only whether something is possible.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from math import comb
from typing import TYPE_CHECKING, Final, Generic, NamedTuple, Protocol, TypeVar

from demine.solver.errors import TOO_MANY_STATES, TooComplex

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from demine.solver.exact.ordered_components import Component
    from demine.solver.exact.parse_board import Box

DEFAULT_STATES: Final = 200_000
"""How many states a position may have by default: some seconds of plain Python."""
COEFFICIENTS_PER_STATE: Final = 64
"""How many coefficients, one for each count of mines, a budget has for each of its states."""

V = TypeVar("V")
M = TypeVar("M")


class Semiring(Protocol[V, M]):
    """A semiring of values carried along the moves: polynomials in which powers count mines."""

    one: V

    def add(self, left: V, right: V) -> V:
        """Return the sum of two values: the layouts counted by either."""

    def extend(self, value: V, ways: int, mines: int) -> V:
        """Return `value * ways * x**mines`, the value after a move."""

    def extend_backwards(self, value: V, ways: int, mines: int) -> V:
        """Return the value before a move, given the value after it, as seen from the end."""

    def multiply_ends(self, value: V, rest: V) -> M:
        """Return the mass of a state, given its values from the start and from the end."""

    def sum_masses(self, masses: Sequence[M]) -> M:
        """Return the sum of such masses."""


class StateBudget:
    """How many states and coefficients a position may still have."""

    def __init__(self, states: int) -> None:
        self.states = states
        self._left = states
        self._coefficients_left = states * COEFFICIENTS_PER_STATE

    def spend(self, states: int, coefficients: int) -> None:
        """Subtract from the budget; raises `TooComplex` when it is used up."""
        self._left -= states
        self._coefficients_left -= coefficients
        if self._left < 0 or self._coefficients_left < 0:
            raise TooComplex(TOO_MANY_STATES, states=self.states)


class BoxMasses(NamedTuple, Generic[M]):
    """The mass of all layouts, counted once for each mine and for each safe cell of a box."""

    mines: M
    safe: M


class BoxStep(NamedTuple):
    """The moves that decide a box of `size` cells; each leads from a state before to one after.

    Moves are (source, target, mines, shift). A value counts mines above the fewest that its state
    can have, so that it has no leading zeros; a move raises this count by `shift`.
    """

    size: int
    moves: list[tuple[int, int, int, int]]
    states: int


class Contradiction(Exception):
    """A component that has no layout; the box at which no state was left touches `number`."""

    def __init__(self, component: Component, number: int) -> None:
        super().__init__(number)
        self.component = component
        self.number = number


@dataclass(slots=True)
class StateGraph:
    """The states of a component and the moves between them, from one first to one last state."""

    component: Component
    steps: list[BoxStep] = field(default_factory=list)
    fewest_mines: int = 0
    """The fewest mines of a layout; values of the last state count the mines above it."""
    most_mines: int = 0
    polynomial_terms: int = 0
    """How many coefficients, one for each count of mines, all states have together."""

    @classmethod
    def build(cls, component: Component, budget: StateBudget) -> StateGraph:
        """Find the states; raises `Contradiction` for a component without layouts, or `TooComplex`.

        The states are spent from `budget`.
        """
        graph = cls(component)
        bits = _StateBits(component)
        states, spans = [0], [(0, 0)]
        for box in component.boxes:
            step, states, spans = _extend_states_by_box(box, bits, states, spans)
            if not states:
                raise Contradiction(component, box.numbers[0])
            coefficients = sum(high - low + 1 for low, high in spans)
            budget.spend(len(states), coefficients)
            graph.polynomial_terms += coefficients
            graph.steps.append(step)
        graph.fewest_mines, graph.most_mines = spans[0]
        return graph


def build_graphs(components: Iterable[Component], budget: StateBudget) -> list[StateGraph]:
    """Return the graph of each component; components of the same shape share their steps.

    Shared steps are spent once. Errors are those of `StateGraph.build`.
    """
    known: dict[tuple[object, ...], StateGraph] = {}
    found = []
    for component in components:
        shape = _shape_key(component)
        if shape not in known:
            known[shape] = StateGraph.build(component, budget)
        found.append(replace(known[shape], component=component))
    return found


def _shape_key(component: Component) -> tuple[object, ...]:
    """Return all that the states depend on: box sizes, needs, and which boxes share numbers."""
    names: dict[int, int] = {}
    boxes = tuple(
        (len(box.cells), *(names.setdefault(number, len(names)) for number in box.numbers))
        for box in component.boxes
    )
    return boxes, tuple(component.needs[number] for number in names)


class _BoxNumbers(NamedTuple):
    """The numbers of a box, as bits of a state.

    `added` is what the numbers that no earlier box touches add to each state. `places` are the
    (shift, room) of all of them: the lowest of its four bits, and how many of its cells are in
    later boxes.
    """

    added: int
    places: list[tuple[int, int]]


class _StateBits:
    """The four bits of each waiting number in a state, and how many of its cells are undecided."""

    def __init__(self, component: Component) -> None:
        self.needs = component.needs
        self.room: dict[int, int] = {}
        for box in component.boxes:
            for number in box.numbers:
                self.room[number] = self.room.get(number, 0) + len(box.cells)
        self._shift: dict[int, int] = {}
        self._free: list[int] = []

    def assign_bits(self, box: Box) -> _BoxNumbers:
        """Assign bits to the numbers that no earlier box touched; return all numbers of the box."""
        added = 0
        places = []
        for number in box.numbers:
            if number not in self._shift:
                self._shift[number] = self._free.pop() if self._free else 4 * len(self._shift)
                added += self.needs[number] << self._shift[number]
            self.room[number] -= len(box.cells)
            places.append((self._shift[number], self.room[number]))
        return _BoxNumbers(added, places)

    def free_bits(self, box: Box) -> None:
        """Free the bits of the numbers that no later box touches."""
        for number in box.numbers:
            if not self.room[number]:
                self._free.append(self._shift.pop(number))


class _DecidedBox(NamedTuple):
    """The step that decides a box, the states after it, and the (fewest, most) mines of each."""

    step: BoxStep
    states: list[int]
    spans: list[tuple[int, int]]


def _extend_states_by_box(
    box: Box, bits: _StateBits, states: Sequence[int], spans: Sequence[tuple[int, int]]
) -> _DecidedBox:
    """Decide a box: from every state, with every number of mines that its numbers allow.

    `spans` are the (fewest, most) mines of each state.
    """
    size = len(box.cells)
    added, places = bits.assign_bits(box)
    one_mine = sum(1 << shift for shift, _ in places)
    index: dict[int, int] = {}
    moves: list[tuple[int, int, int]] = []
    reached: list[tuple[int, int]] = []
    for source, state in enumerate(states):
        now = state + added
        least, most = 0, size
        for shift, room in places:
            need = now >> shift & 15
            most = min(most, need)
            least = max(least, need - room)
        low, high = spans[source]
        for mines in range(least, most + 1):
            target = index.setdefault(now - mines * one_mine, len(reached))
            if target == len(reached):
                reached.append((low + mines, high + mines))
            else:
                old_low, old_high = reached[target]
                reached[target] = (min(old_low, low + mines), max(old_high, high + mines))
            moves.append((source, target, mines))
    bits.free_bits(box)
    shifted = [
        (source, target, mines, spans[source][0] + mines - reached[target][0])
        for source, target, mines in moves
    ]
    return _DecidedBox(BoxStep(size, shifted, len(reached)), list(index), reached)


def all_layers(graph: StateGraph, ring: Semiring[V, M]) -> list[list[V]]:
    """Return the values of the states before each step, and of the last state: `[step][state]`."""
    return list(iterate_layers(graph, ring))


def last_value(graph: StateGraph, ring: Semiring[V, M]) -> V:
    """Return the value of the last state without keeping the others in memory."""
    return deque(iterate_layers(graph, ring), maxlen=1)[0][0]


def iterate_layers(graph: StateGraph, ring: Semiring[V, M]) -> Iterator[list[V]]:
    """Yield what `all_layers` returns, one list at a time."""
    before = [ring.one]
    yield before
    for step in graph.steps:
        after: dict[int, V] = {}
        for source, target, mines, shift in step.moves:
            value = ring.extend(before[source], comb(step.size, mines), shift)
            after[target] = ring.add(after[target], value) if target in after else value
        before = [after[state] for state in range(step.states)]
        yield before


def box_masses(
    graph: StateGraph, ring: Semiring[V, M], layers: Sequence[Sequence[V]], end: V
) -> Iterator[BoxMasses[M]]:
    """Yield the masses of each box, from the last to the first.

    `layers` are those of `all_layers`; `end` is the value of the last state as seen from the end.
    """
    after: dict[int, V] = {0: end}
    for step, before in zip(reversed(graph.steps), reversed(layers[:-1]), strict=True):
        size, moves = step.size, step.moves
        yield BoxMasses(
            _weigh_moves(ring, before, moves, after, [n * comb(size, n) for n in range(size + 1)]),
            _weigh_moves(
                ring, before, moves, after, [(size - n) * comb(size, n) for n in range(size + 1)]
            ),
        )
        earlier: dict[int, V] = {}
        for source, target, mines, shift in moves:
            if target in after:
                value = ring.extend_backwards(after[target], comb(size, mines), shift)
                earlier[source] = ring.add(earlier[source], value) if source in earlier else value
        after = earlier


def _weigh_moves(
    ring: Semiring[V, M],
    before: Sequence[V],
    moves: Sequence[tuple[int, int, int, int]],
    after: dict[int, V],
    ways: Sequence[int],
) -> M:
    """Return the mass of the moves of a step; a move with `n` mines is made in `ways[n]` ways."""
    arrived: dict[int, V] = {}
    for source, target, mines, shift in moves:
        if ways[mines] and target in after:
            value = ring.extend(before[source], ways[mines], shift)
            arrived[target] = ring.add(arrived[target], value) if target in arrived else value
    return ring.sum_masses(
        [ring.multiply_ends(value, after[target]) for target, value in arrived.items()]
    )
