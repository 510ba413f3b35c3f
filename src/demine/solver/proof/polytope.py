"""The polytope of a component: what exactly follows from adding and subtracting its numbers.

Numbers are equations: the mines in a number's boxes add up to what it needs. If fractions of a mine
are allowed, they define a polytope, and the cells whose value is the same at all its points are
exactly those that adding and subtracting equations proves (duality of linear programmes). So the
answer does not depend on the order of steps. It is found by the simplex method with bounded
variables (Dantzig 1955) and Bland's rule, in integers: each row is scaled so that it has no
fractions.
"""

from __future__ import annotations

from fractions import Fraction
from math import gcd
from typing import TYPE_CHECKING, Final

from demine.solver.errors import TooComplex

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

MAX_WORK: Final = 4_000_000
"""How many entries of rows one polytope may touch: some seconds of plain Python."""

Row = dict[int, int]
RIGHT_SIDE: Final = -1
"""The key of a row's right side."""
GOAL: Final = -2
"""The key of the sum to be minimised, in the row of costs."""
FIRST_ARTIFICIAL: Final = -3
"""From here down: the columns for what each equation lacks at the start."""


class EmptyPolytope(Exception):
    """No point satisfies the equations."""


class Polytope:
    """All ways to give each variable a value from 0 to its size so that the equations hold.

    `rows` are pairs (variables, need): the values of these variables add up to the need. Raises
    `EmptyPolytope` if there is no way, and `TooComplex` over the budget of work.
    """

    def __init__(
        self, sizes: Sequence[int], rows: Iterable[tuple[Iterable[int], int | Fraction]]
    ) -> None:
        self._sizes = list(sizes)
        # A flipped column stands for the size of its variable minus its value.
        self._flipped = [False] * len(self._sizes)
        self._work = MAX_WORK
        self._rows: list[Row] = []
        self._basis: list[int] = []
        for variables, need in rows:
            column = FIRST_ARTIFICIAL - len(self._rows)
            row = dict.fromkeys(variables, need.denominator)
            row[RIGHT_SIDE] = need.numerator
            row[column] = 1
            self._rows.append(row)
            self._basis.append(column)
        self._find_first_point()

    def minimise(self, costs: Mapping[int, int]) -> Fraction:
        """Move to a point where the sum of costs times variables is lowest, and return that sum."""
        goal: Row = {GOAL: 1, RIGHT_SIDE: 0, **costs}
        for column, flipped in enumerate(self._flipped):
            if flipped and column in goal:
                self._flip_column(goal, column)
        for row, column in zip(self._rows, self._basis, strict=True):
            self._eliminate_column(goal, row, column)
        self._descend_to_minimum(goal)
        return Fraction(-goal.get(RIGHT_SIDE, 0), goal[GOAL])

    def current_point(self) -> list[Fraction]:
        """Return the values of all variables at the current point."""
        values = [Fraction(0)] * len(self._sizes)
        for row, column in zip(self._rows, self._basis, strict=True):
            values[column] = Fraction(row.get(RIGHT_SIDE, 0), row[column])
        return [
            size - value if flipped else value
            for size, value, flipped in zip(self._sizes, values, self._flipped, strict=True)
        ]

    def forced_variables(self, wanted: Mapping[int, bool]) -> set[int]:
        """Return the variables that have their wanted value at every point.

        That is 0 for False, the size of the variable for True.
        """
        left = dict(wanted)
        while left:
            full = sum(self._sizes[column] for column, is_full in left.items() if is_full)
            off = self.minimise({column: 1 if is_full else -1 for column, is_full in left.items()})
            if off == full:
                break
            point = self.current_point()
            left = {
                column: is_full
                for column, is_full in left.items()
                if point[column] == (self._sizes[column] if is_full else 0)
            }
        return set(left)

    def _find_first_point(self) -> None:
        """Find a first point, or raise `EmptyPolytope`."""
        goal: Row = {GOAL: 1, RIGHT_SIDE: 0, **dict.fromkeys(self._basis, 1)}
        for row, column in zip(self._rows, self._basis, strict=True):
            if row[RIGHT_SIDE] < 0:
                raise EmptyPolytope
            self._eliminate_column(goal, row, column)
        self._descend_to_minimum(goal)
        if goal.get(RIGHT_SIDE, 0):
            raise EmptyPolytope
        for place, column in enumerate(self._basis):
            if column <= FIRST_ARTIFICIAL:
                real = [key for key in self._rows[place] if key >= 0]
                if real:
                    self._pivot(place, min(real), goal)
        kept = [place for place, column in enumerate(self._basis) if column >= 0]
        self._rows = [self._rows[place] for place in kept]
        self._basis = [self._basis[place] for place in kept]

    def _descend_to_minimum(self, goal: Row) -> None:
        """Move from corner to corner until no move lowers the goal."""
        while True:
            self._spend_work(len(goal) + len(self._rows))
            # The first column that helps (Bland's rule), so that the walk never cycles.
            column = min((key for key, value in goal.items() if key >= 0 > value), default=None)
            if column is None:
                return
            place = self._leaving_row(column)
            if place is None:
                for row in (*self._rows, goal):
                    if column in row:
                        self._flip_column(row, column)
                self._flipped[column] ^= True
            else:
                self._pivot(place, column, goal)

    def _leaving_row(self, column: int) -> int | None:
        """Return the row whose variable is the first to reach a bound as a column grows, or None.

        None means that the column reaches its own size first. A variable that would reach its size
        is flipped, so that it reaches 0.
        """
        best, best_by, found, leaves = self._sizes[column], 1, None, 0
        for place, row in enumerate(self._rows):
            slope = row.get(column, 0)
            if not slope:
                continue
            base = self._basis[place]
            room = row.get(RIGHT_SIDE, 0)
            if slope < 0:
                if base <= FIRST_ARTIFICIAL:
                    continue
                room = self._sizes[base] * row[base] - room
            gain = room * best_by - best * abs(slope)
            if gain < 0 or (gain == 0 and found is not None and base < leaves):
                best, best_by, found, leaves = room, abs(slope), place, base
        if found is not None and self._rows[found][column] < 0:
            self._flip_column(self._rows[found], leaves)
            self._flipped[leaves] ^= True
        return found

    def _flip_column(self, row: Row, column: int) -> None:
        row[RIGHT_SIDE] = row.get(RIGHT_SIDE, 0) - row[column] * self._sizes[column]
        row[column] = -row[column]

    def _pivot(self, place: int, column: int, goal: Row) -> None:
        """Make a column the basic variable of a row."""
        row = self._rows[place]
        if row[column] < 0:
            for key in row:
                row[key] = -row[key]
        if self._basis[place] <= FIRST_ARTIFICIAL:
            del row[self._basis[place]]
        self._basis[place] = column
        self._spend_work(len(self._rows))
        for other in (*self._rows, goal):
            if other is not row:
                self._eliminate_column(other, row, column)

    def _spend_work(self, work: int) -> None:
        self._work -= work
        if self._work < 0:
            raise TooComplex(
                "this position is too complex: it takes more than {work} steps",
                work=MAX_WORK,
            )

    def _eliminate_column(self, target: Row, row: Row, column: int) -> None:
        """Subtract a multiple of a row, so that a column vanishes from the target."""
        times = target.get(column, 0)
        if not times:
            return
        self._spend_work(len(row) + len(target))
        scale = row[column]
        if scale != 1:
            for key in target:
                target[key] *= scale
        for key, value in row.items():
            rest = target.get(key, 0) - times * value
            if rest:
                target[key] = rest
            else:
                target.pop(key, None)
        shared = gcd(*target.values()) if scale != 1 else 1
        if shared > 1:
            for key in target:
                target[key] //= shared
