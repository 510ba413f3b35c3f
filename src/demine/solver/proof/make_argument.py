"""Make the argument of a proof: its last step, and the numbers to look at before it."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import TYPE_CHECKING, Final, NamedTuple

from demine.logic.neighbours import flat_neighbours
from demine.scene.cell_faces import Face
from demine.solver.proof.difficulty_levels import Pattern
from demine.solver.proof.sentences import Argument, Clue

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from demine.solver.proof.prove_from_numbers import NumberConstraints
    from demine.solver.proof.simple_steps import SimpleStep
    from demine.solver.proof.smallest_proof import Proof

MAX_NUMBERS_TRIED: Final = 10
"""Up to this many numbers, all ways to add some and subtract the others are tried."""


def make_argument(
    constraints: NumberConstraints, proof: Proof, cell: int, *, is_mine: bool
) -> Argument:
    """Return the last step of a proof, with the numbers that must be looked at first."""
    faces = constraints.faces
    width = faces.shape[1]
    row, col = divmod(cell, width)
    kind, first, second, n, places = _sentence_parts(constraints, proof, cell, is_mine=is_mine)
    used = {*first, *second}
    # "All mines are beside these numbers" does not count those that blew, which no number needs.
    said_mines = constraints.mines_left if kind == "outside" else constraints.mines

    def clues(numbers: Iterable[int]) -> tuple[Clue, ...]:
        return tuple(Clue(int(faces.flat[place]), *divmod(place, width)) for place in numbers)

    return Argument(
        kind=kind,
        cell=(row, col),
        safe=not is_mine,
        first=clues(first),
        second=clues(second),
        before=clues(place for place in proof.numbers if place not in used),
        n=n,
        places=tuple(divmod(place, width) for place in places),
        mines=said_mines if proof.uses_mine_count else None,
    )


class _SentenceParts(NamedTuple):
    kind: str
    first: tuple[int, ...] = ()
    second: tuple[int, ...] = ()
    n: int = 0
    places: tuple[int, ...] = ()


def _sentence_parts(
    constraints: NumberConstraints, proof: Proof, cell: int, *, is_mine: bool
) -> _SentenceParts:
    if proof.pattern is Pattern.CASES:
        return _SentenceParts("cases", proof.numbers)
    if proof.pattern is Pattern.COUNT:
        return _parts_with_mine_count(constraints, proof, cell, is_mine=is_mine)
    if proof.pattern is Pattern.CHAIN:
        return _parts_of_chain(constraints, proof, cell, is_mine=is_mine)
    steps = constraints.simple_steps(proof.numbers)
    steps.apply_single_number_steps()
    if cell not in steps.known:
        steps.apply_number_pair_steps()
    step = next(step for step in steps.made if cell in step.mines or cell in step.safe)
    if not step.plus and step.minus:
        return _parts_of_satisfied(step.minus[0], steps.known, constraints)
    return _parts_of_step(step, alone=len(proof.numbers) == 1)


def _parts_of_satisfied(
    number: int, known: Mapping[int, bool], constraints: NumberConstraints
) -> _SentenceParts:
    """Return the sentence for a number that has all its mines, with the cells they are in."""
    faces = constraints.faces
    if faces.flat[number] == Face.ZERO:
        return _SentenceParts("blank", (number,))
    around = flat_neighbours(number, *faces.shape)
    mines = [cell for cell in around if known.get(cell) or faces.flat[cell] == Face.BLOWN]
    return _SentenceParts("satisfied", (number,), places=tuple(sorted(mines)))


def _parts_of_step(step: SimpleStep, *, alone: bool) -> _SentenceParts:
    """Return the sentence for a number that needs all its cells, or for one minus another."""
    if not step.minus:
        return _SentenceParts("full" if alone else "last", step.plus, n=len(step.mines))
    if step.mines:
        mines = tuple(sorted(step.mines))
        return _SentenceParts("differ", step.plus, step.minus, len(mines), mines)
    return _SentenceParts("inside", step.plus, step.minus, step.need, tuple(sorted(step.shared)))


def _parts_with_mine_count(
    constraints: NumberConstraints, proof: Proof, cell: int, *, is_mine: bool
) -> _SentenceParts:
    """Return the sentence for the mine count: "outside" if it fixes all cells elsewhere."""
    beside = [near for number in proof.numbers for near in constraints.covered_beside[number]]
    rest = constraints.mines_left - sum(constraints.needs[number] for number in proof.numbers)
    cells = constraints.covered_count - len(beside)
    disjoint = len(set(beside)) == len(beside) and cell not in beside
    if disjoint and rest == (cells if is_mine else 0):
        return _SentenceParts("outside", proof.numbers, n=rest)
    return _SentenceParts("sum", proof.numbers)


def _parts_of_chain(
    constraints: NumberConstraints, proof: Proof, cell: int, *, is_mine: bool
) -> _SentenceParts:
    """Return which numbers to add and which to subtract, if using each once is enough."""
    if len(proof.numbers) <= MAX_NUMBERS_TRIED:
        for signs in product((1, -1), repeat=len(proof.numbers)):
            weights: Counter[int] = Counter()
            need = 0
            for sign, number in zip(signs, proof.numbers, strict=True):
                need += sign * constraints.needs[number]
                for near in constraints.covered_beside[number]:
                    weights[near] += sign
            plain = all(abs(weight) <= 1 for weight in weights.values())
            full = sum(weight > 0 for weight in weights.values())
            if plain and need == full and weights[cell] == (1 if is_mine else -1):
                signed = list(zip(signs, proof.numbers, strict=True))
                return _SentenceParts(
                    "chain",
                    tuple(number for sign, number in signed if sign > 0),
                    tuple(number for sign, number in signed if sign < 0),
                    need,
                )
    return _SentenceParts("sum", proof.numbers)
