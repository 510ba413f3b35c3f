"""The dynamic programme of a component: its boxes are decided one after the other.

A state is what the waiting numbers still need, four bits each in one integer. The states of a
component and the moves between them are found once (`StateGraph`); rings then carry different
things along the moves: exact integers, scaled floats, or only whether something is possible.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from math import comb
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, TypeVar

from demine.solver.errors import TooComplex

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from demine.solver.exact.ordered_components import Component
    from demine.solver.exact.parse_board import Box

DEFAULT_STATES: Final = 200_000
"""How many states a position may have unless told otherwise: some seconds of plain Python."""
NUMBERS_PER_STATE: Final = 64
"""How many counts of mines the states of a budget may have on the average."""

V = TypeVar("V")
M = TypeVar("M")


class Semiring(Protocol[V, M]):
    """A semiring of the values carried along the moves: polynomials whose powers count mines."""

    one: V

    def add(self, left: V, right: V) -> V:
        """Return the value of either way."""

    def extend(self, value: V, ways: int, mines: int) -> V:
        """Return the value after a move that is made in so many ways and has so many mines more."""

    def extend_backwards(self, value: V, ways: int, mines: int) -> V:
        """Do the same for a value that comes from the end and counts the mines before it."""

    def multiply_ends(self, value: V, rest: V) -> M:
        """Return what a value from the start and one from the end weigh together."""

    def sum_masses(self, masses: Sequence[M]) -> M:
        """Return the sum of such weights."""


class StateBudget:
    """The states that a position may still have. Raises `TooComplex` when they are used up."""

    def __init__(self, states: int) -> None:
        self.states = states
        self._left = states
        self._numbers = states * NUMBERS_PER_STATE

    def spend(self, states: int, numbers: int) -> None:
        """Take states, and the numbers they hold, off the budget."""
        self._left -= states
        self._numbers -= numbers
        if self._left < 0 or self._numbers < 0:
            raise TooComplex("this position has more than {states} states", states=self.states)


class BoxStep(NamedTuple):
    """The moves of one decided box: each leads from a state before it to one after it.

    Moves are (source, target, mines, shift). Values count mines above the fewest that their state
    can have, and the shift is the difference: so a long frontier carries no long row of zeros.
    """

    size: int
    moves: list[tuple[int, int, int, int]]
    states: int


class Contradiction(Exception):
    """A component that no layout explains; at `number` its last states ended."""

    def __init__(self, component: Component, number: int) -> None:
        super().__init__(number)
        self.component = component
        self.number = number


@dataclass(slots=True)
class StateGraph:
    """The states of a component: one first state, the steps, one last state."""

    component: Component
    steps: list[BoxStep] = field(default_factory=list)
    fewest_mines: int = 0
    """The fewest mines of a layout; the last state's values count mines above it."""
    most_mines: int = 0
    polynomial_terms: int = 0
    """How many counts of mines all states have together."""

    @classmethod
    def build(cls, component: Component, budget: StateBudget) -> StateGraph:
        """Find the states. Raises `Contradiction` where there are none, or `TooComplex`."""
        graph = cls(component)
        places = _StateBits(component)
        states, spans = [0], [(0, 0)]
        for box in component.boxes:
            step, states, spans = _extend_states_by_box(box, places, states, spans)
            if not states:
                raise Contradiction(component, box.numbers[0])
            numbers = sum(high - low + 1 for low, high in spans)
            budget.spend(len(states), numbers)
            graph.polynomial_terms += numbers
            graph.steps.append(step)
        graph.fewest_mines, graph.most_mines = spans[0]
        return graph

    def for_component(self, component: Component) -> StateGraph:
        """Return the same states for another component of the same shape."""
        return StateGraph(
            component, self.steps, self.fewest_mines, self.most_mines, self.polynomial_terms
        )


def build_graphs(components: Iterable[Component], budget: StateBudget) -> list[StateGraph]:
    """Find the states of components; those of the same shape share them, at no cost.

    Raises what `Graph.build` does.
    """
    known: dict[tuple[object, ...], StateGraph] = {}
    found = []
    for component in components:
        shape = _shape_key(component)
        if shape not in known:
            known[shape] = StateGraph.build(component, budget)
        found.append(known[shape].for_component(component))
    return found


def _shape_key(component: Component) -> tuple[object, ...]:
    """Return what the states depend on: sizes, needs, and which numbers are the same."""
    names: dict[int, int] = {}
    boxes = tuple(
        (len(box.cells), *(names.setdefault(number, len(names)) for number in box.numbers))
        for box in component.boxes
    )
    return boxes, tuple(component.needs[number] for number in names)


class _BoxNumbers(NamedTuple):
    """Numbers of a box: what those that begin there add to a state, and (shift, room) of each.

    `room` is how many of the undecided cells of the number come after the box.
    """

    begun: int
    shifts: list[tuple[int, int]]


class _StateBits:
    """The place of each waiting number in a state, four bits, and its cells that are undecided."""

    def __init__(self, component: Component) -> None:
        self.needs = component.needs
        self.room: dict[int, int] = {}
        for box in component.boxes:
            for number in box.numbers:
                self.room[number] = self.room.get(number, 0) + len(box.cells)
        self._shift: dict[int, int] = {}
        self._free: list[int] = []

    def add_numbers_of(self, box: Box) -> _BoxNumbers:
        """Give the numbers that begin at a box their bits, and return the numbers of the box."""
        begun = 0
        shifts = []
        for number in box.numbers:
            if number not in self._shift:
                self._shift[number] = self._free.pop() if self._free else 4 * len(self._shift)
                begun += self.needs[number] << self._shift[number]
            self.room[number] -= len(box.cells)
            shifts.append((self._shift[number], self.room[number]))
        return _BoxNumbers(begun, shifts)

    def free_finished_numbers_of(self, box: Box) -> None:
        """Free the bits of the numbers whose last box is decided: they need nothing more."""
        for number in box.numbers:
            if not self.room[number]:
                self._free.append(self._shift.pop(number))


class _DecidedBox(NamedTuple):
    """The step that decides a box, the states after it, and the fewest and most mines of each."""

    step: BoxStep
    states: list[int]
    spans: list[tuple[int, int]]


def _extend_states_by_box(
    box: Box, places: _StateBits, states: Sequence[int], spans: Sequence[tuple[int, int]]
) -> _DecidedBox:
    """Give a box every number of mines that its numbers allow, from every state.

    `spans` are the fewest and the most mines of each of the states.
    """
    size = len(box.cells)
    begun, shifts = places.add_numbers_of(box)
    one_mine = sum(1 << shift for shift, _ in shifts)
    index: dict[int, int] = {}
    moves: list[tuple[int, int, int]] = []
    reached: list[tuple[int, int]] = []
    for source, state in enumerate(states):
        now = state + begun
        least, most = 0, size
        for shift, room in shifts:
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
    places.free_finished_numbers_of(box)
    shifted = [
        (source, target, mines, spans[source][0] + mines - reached[target][0])
        for source, target, mines in moves
    ]
    return _DecidedBox(BoxStep(size, shifted, len(reached)), list(index), reached)


def all_layers(graph: StateGraph, ring: Semiring[V, M]) -> list[list[V]]:
    """Return the values of the states before each step and of the last state."""
    return list(iterate_layers(graph, ring))


def last_value(graph: StateGraph, ring: Semiring[V, M]) -> V:
    """Return the value of the last state, and keep no other."""
    return deque(iterate_layers(graph, ring), maxlen=1)[0][0]


def iterate_layers(graph: StateGraph, ring: Semiring[V, M]) -> Iterator[list[V]]:
    """Yield the values of the states before each step, and of the last state."""
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
) -> Iterator[tuple[M, M]]:
    """Yield for each box, from the last to the first, what its mines and its safe cells weigh.

    A layout counts once for each mine of the box in the first mass, and once for each safe cell in
    the second. `end` is the value of the last state as seen from the end.
    """
    after: dict[int, V] = {0: end}
    for step, before in zip(reversed(graph.steps), reversed(layers[:-1]), strict=True):
        size, moves = step.size, step.moves
        yield (
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
    """Weigh the moves of a step, each taken in so many ways for so many mines."""
    arrived: dict[int, V] = {}
    for source, target, mines, shift in moves:
        if ways[mines] and target in after:
            value = ring.extend(before[source], ways[mines], shift)
            arrived[target] = ring.add(arrived[target], value) if target in arrived else value
    return ring.sum_masses(
        [ring.multiply_ends(value, after[target]) for target, value in arrived.items()]
    )
