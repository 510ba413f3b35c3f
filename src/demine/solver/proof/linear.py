"""What follows from adding numbers up and taking others away, exactly.

Numbers are equations: the mines of a number's boxes add up to its need. Read with fractions of a
mine allowed, they bound a polytope, and the cells that no point of it leaves open are just those
that adding and subtracting equations proves (duality of linear programmes). So the question has one
answer, whatever the order of steps. It is found by the simplex method with bounded variables
(Dantzig 1955) and Bland's rule, in integers: each row is kept as a multiple without fractions.
"""

from __future__ import annotations

from fractions import Fraction
from math import gcd
from typing import TYPE_CHECKING, Final

from demine.solver.errors import TooComplex

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

WORK: Final = 4_000_000
"""So many numbers in rows may be touched for one question: some seconds of plain Python."""

Row = dict[int, int]
RIGHT: Final = -1
"""The key of a row's right side."""
GOAL: Final = -2
"""The key of the sum that is made small, in the row of costs."""
MADE_UP: Final = -3
"""From here down: the columns that stand for what an equation lacks at the start."""


class Empty(Exception):
    """No point satisfies the equations."""


class Polytope:
    """All ways to give each variable a value from 0 to its size so that the equations hold.

    `rows` are (variables, need): the values of these variables add up to the need. Raises `Empty`
    where there is no way, or `TooComplex` beyond the budget of work.
    """

    def __init__(
        self, sizes: Sequence[int], rows: Iterable[tuple[Iterable[int], int | Fraction]]
    ) -> None:
        self._sizes = list(sizes)
        # A flipped column stands for what its variable lacks of its size.
        self._flipped = [False] * len(self._sizes)
        self._work = WORK
        self._rows: list[Row] = []
        self._basis: list[int] = []
        for variables, need in rows:
            column = MADE_UP - len(self._rows)
            row = dict.fromkeys(variables, need.denominator)
            row[RIGHT] = need.numerator
            row[column] = 1
            self._rows.append(row)
            self._basis.append(column)
        self._begin()

    def least(self, costs: Mapping[int, int]) -> Fraction:
        """Go to a point where the sum of variables times costs is least, and return the sum."""
        goal: Row = {GOAL: 1, RIGHT: 0, **costs}
        for column, flipped in enumerate(self._flipped):
            if flipped and column in goal:
                self._flip(goal, column)
        for row, column in zip(self._rows, self._basis, strict=True):
            self._clear(goal, row, column)
        self._descend(goal)
        return Fraction(-goal.get(RIGHT, 0), goal[GOAL])

    def point(self) -> list[Fraction]:
        """Return the values of the variables at the present point."""
        values = [Fraction(0)] * len(self._sizes)
        for row, column in zip(self._rows, self._basis, strict=True):
            values[column] = Fraction(row.get(RIGHT, 0), row[column])
        return [
            size - value if flipped else value
            for size, value, flipped in zip(self._sizes, values, self._flipped, strict=True)
        ]

    def forced(self, wanted: Mapping[int, bool]) -> set[int]:
        """Return which of these variables are 0 (False) or their size (True) at every point."""
        left = dict(wanted)
        while left:
            full = sum(self._sizes[column] for column, is_full in left.items() if is_full)
            off = self.least({column: 1 if is_full else -1 for column, is_full in left.items()})
            if off == full:
                break
            point = self.point()
            left = {
                column: is_full
                for column, is_full in left.items()
                if point[column] == (self._sizes[column] if is_full else 0)
            }
        return set(left)

    def _begin(self) -> None:
        """Find a first point."""
        goal: Row = {GOAL: 1, RIGHT: 0, **dict.fromkeys(self._basis, 1)}
        for row, column in zip(self._rows, self._basis, strict=True):
            if row[RIGHT] < 0:
                raise Empty
            self._clear(goal, row, column)
        self._descend(goal)
        if goal.get(RIGHT, 0):
            raise Empty
        for place, column in enumerate(self._basis):
            if column <= MADE_UP:
                real = [key for key in self._rows[place] if key >= 0]
                if real:
                    self._pivot(place, min(real), goal)
        kept = [place for place, column in enumerate(self._basis) if column >= 0]
        self._rows = [self._rows[place] for place in kept]
        self._basis = [self._basis[place] for place in kept]

    def _descend(self, goal: Row) -> None:
        """Walk from corner to corner until no step makes the goal smaller."""
        while True:
            self._spend(len(goal) + len(self._rows))
            # The first column that helps (Bland): so the walk never goes in circles.
            column = min((key for key, value in goal.items() if key >= 0 > value), default=None)
            if column is None:
                return
            place = self._limit(column)
            if place is None:
                for row in (*self._rows, goal):
                    if column in row:
                        self._flip(row, column)
                self._flipped[column] ^= True
            else:
                self._pivot(place, column, goal)

    def _limit(self, column: int) -> int | None:
        """Return the row whose variable meets its end first as the column grows, or None.

        None says that the column reaches its own size first. A variable that would meet its size is
        flipped, so that it meets 0.
        """
        best, best_by, found, leaves = self._sizes[column], 1, None, 0
        for place, row in enumerate(self._rows):
            slope = row.get(column, 0)
            if not slope:
                continue
            base = self._basis[place]
            room = row.get(RIGHT, 0)
            if slope < 0:
                if base <= MADE_UP:
                    continue
                room = self._sizes[base] * row[base] - room
            gain = room * best_by - best * abs(slope)
            if gain < 0 or (gain == 0 and found is not None and base < leaves):
                best, best_by, found, leaves = room, abs(slope), place, base
        if found is not None and self._rows[found][column] < 0:
            self._flip(self._rows[found], leaves)
            self._flipped[leaves] ^= True
        return found

    def _flip(self, row: Row, column: int) -> None:
        row[RIGHT] = row.get(RIGHT, 0) - row[column] * self._sizes[column]
        row[column] = -row[column]

    def _pivot(self, place: int, column: int, goal: Row) -> None:
        """Let a column take the place of the variable of a row."""
        row = self._rows[place]
        if row[column] < 0:
            for key in row:
                row[key] = -row[key]
        if self._basis[place] <= MADE_UP:
            del row[self._basis[place]]
        self._basis[place] = column
        self._spend(len(self._rows))
        for other in (*self._rows, goal):
            if other is not row:
                self._clear(other, row, column)

    def _spend(self, work: int) -> None:
        self._work -= work
        if self._work < 0:
            raise TooComplex("this position takes more than {work} steps", work=WORK)

    def _clear(self, target: Row, row: Row, column: int) -> None:
        """Subtract a multiple of a row, so that a column vanishes from the target."""
        times = target.get(column, 0)
        if not times:
            return
        self._spend(len(row) + len(target))
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
