"""Sentences that explain the last step of a proof to a player."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from demine.scene.cell_names import cell_name
from demine.scene.translation import ntr, tr

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

MAX_NAMED: Final = 4
"""Up to this many numbers are listed one by one."""
MAX_CHARACTERS_WITH_MINES: Final = 130
"""Longer sentences leave out where the mines are: more text would not fit below a small board."""


class Clue(NamedTuple):
    """An opened number and its cell."""

    number: int
    row: int
    col: int


@dataclass(frozen=True, slots=True)
class Argument:
    """The last step of a proof, independent of language.

    `kind` says which sentence it is. `first` and `second` are the numbers that the step compares,
    `before` those to look at first, `n` the count in the sentence, `mines` the mine count if it is
    needed. `places` are the cells of the mines that `first` counts, or among which they are.
    """

    kind: str
    cell: tuple[int, int]
    safe: bool
    first: tuple[Clue, ...] = ()
    second: tuple[Clue, ...] = ()
    before: tuple[Clue, ...] = ()
    n: int = 0
    places: tuple[tuple[int, int], ...] = ()
    mines: int | None = None

    def __str__(self) -> str:
        """Return the sentence in the current language."""
        said = self._sentence()
        if self.places and len(said) > MAX_CHARACTERS_WITH_MINES:
            return str(replace(self, places=()))
        return said

    def _sentence(self) -> str:
        said = _SENTENCES[self.kind](self)
        if not self.before:
            return said
        if len(self.before) > MAX_NAMED:
            n = len(self.before)
            return tr("First look at {n} other numbers. {then}", n=n, then=said)
        return tr("First look at {numbers}. {then}", numbers=_clue_phrases(self.before), then=said)


def _clue_phrase(clue: Clue) -> str:
    return tr(
        "the {number} at row {row}, column {col}", number=clue.number, row=clue.row, col=clue.col
    )


def _clue_phrases(clues: Sequence[Clue]) -> str:
    return join_phrases([_clue_phrase(clue) for clue in clues])


def join_phrases(names: Sequence[str]) -> str:
    """Return phrases as one, with "and" before the last."""
    if len(names) == 1:
        return names[0]
    return tr("{names} and {last}", names=tr(", ").join(names[:-1]), last=names[-1])


def _cells_or(cells: Sequence[tuple[int, int]]) -> str:
    """Return cells of which not all are meant: "row 1, column 2 or 3" if they are in one row."""
    rows = {row for row, _ in cells}
    if len(rows) > 1:
        *names, last = [cell_name(*cell) for cell in cells]
        return tr("{names} or {last}", names=tr(", ").join(names), last=last)
    *cols, end = [str(col + 1) for _, col in cells]
    return tr(
        "row {row}, column {cols} or {last}", row=rows.pop(), cols=tr(", ").join(cols), last=end
    )


def clue_phrases_or_count(clues: Sequence[Clue], *more: str) -> str:
    """Return the numbers one by one, or only how many they are, and after them `more`."""
    few = len(clues) <= MAX_NAMED
    names = (
        [_clue_phrase(clue) for clue in clues] if few else [tr("these {n} numbers", n=len(clues))]
    )
    return join_phrases([*names, *more])


def _cell_phrase(argument: Argument) -> str:
    return cell_name(*argument.cell)


def _clue_fields(clue: Clue) -> dict[str, int]:
    return {"number": clue.number, "row": clue.row, "col": clue.col}


def _blank_sentence(argument: Argument) -> str:
    return tr(
        "There is no mine around row {row}, column {col}: it shows no number.",
        row=argument.first[0].row,
        col=argument.first[0].col,
    )


def _full_sentence(argument: Argument) -> str:
    return ntr(
        "The {number} at row {row}, column {col} has just one covered cell: it is the mine.",
        "The {number} at row {row}, column {col} has just {n} covered cells: all are mines.",
        argument.n,
        **_clue_fields(argument.first[0]),
    )


def _satisfied_sentence(argument: Argument) -> str:
    clue = argument.first[0]
    if len(argument.places) != clue.number:
        return ntr(
            "The {number} at row {row}, column {col} has its mine, so its other covered cells are "
            "safe.",
            "The {number} at row {row}, column {col} has its {n} mines, so its other covered cells "
            "are safe.",
            clue.number,
            **_clue_fields(clue),
        )
    return ntr(
        "The {number} at row {row}, column {col} has its mine at {cells}, so its other cells "
        "are safe.",
        "The {number} at row {row}, column {col} has its {n} mines at {cells}, so its other cells "
        "are safe.",
        clue.number,
        **_clue_fields(clue),
        cells=join_phrases([cell_name(*cell) for cell in argument.places]),
    )


def _last_sentence(argument: Argument) -> str:
    return ntr(
        "The {number} at row {row}, column {col} needs one mine more, and one cell is left for it.",
        "The {number} at row {row}, column {col} needs {n} mines more, and just {n} cells are left "
        "for them.",
        argument.n,
        **_clue_fields(argument.first[0]),
    )


def _inside_sentence(argument: Argument) -> str:
    if argument.places:
        return ntr(
            "The {number} at row {row}, column {col} needs a mine at {cells}, beside {other} too, "
            "whose other cells are safe.",
            "The {number} at row {row}, column {col} needs {n} mines at {cells}, all beside "
            "{other} too, whose other cells are safe.",
            argument.n,
            **_clue_fields(argument.first[0]),
            cells=_cells_or(argument.places),
            other=_clue_phrases(argument.second),
        )
    return ntr(
        "The mine that the {number} at row {row}, column {col} still needs is beside {other} too, "
        "which needs no more: its other covered cells are safe.",
        "The {n} mines that the {number} at row {row}, column {col} still needs are beside {other} "
        "too, which needs no more: its other covered cells are safe.",
        argument.n,
        **_clue_fields(argument.first[0]),
        other=_clue_phrases(argument.second),
    )


def _differ_sentence(argument: Argument) -> str:
    other = _clue_phrases(argument.second)
    if argument.safe and argument.places:
        return tr(
            "Besides {cells}, the {number} at row {row}, column {col} shares its mines with "
            "{other}, whose other cells are safe.",
            **_clue_fields(argument.first[0]),
            cells=join_phrases([cell_name(*cell) for cell in argument.places]),
            other=other,
        )
    if argument.safe:
        return ntr(
            "The {number} at row {row}, column {col} still needs one mine more than {other}, and "
            "has just one cell left that the other does not touch. So they share the rest, and "
            "what only the other touches is safe.",
            "The {number} at row {row}, column {col} still needs {n} mines more than {other}, and "
            "has just {n} cells left that the other does not touch. So they share the rest, and "
            "what only the other touches is safe.",
            argument.n,
            **_clue_fields(argument.first[0]),
            other=other,
        )
    return ntr(
        "The {number} at row {row}, column {col} still needs one mine more than {other}, and has "
        "just one cell left that the other does not touch: it is a mine.",
        "The {number} at row {row}, column {col} still needs {n} mines more than {other}, and has "
        "just {n} cells left that the other does not touch: all are mines.",
        argument.n,
        **_clue_fields(argument.first[0]),
        other=other,
    )


def _chain_sentence(argument: Argument) -> str:
    first, second, cell = (
        clue_phrases_or_count(argument.first),
        clue_phrases_or_count(argument.second),
        _cell_phrase(argument),
    )
    if not argument.safe:
        return ntr(
            "Add up {first}, and take away {second}: one mine remains, and just one cell for it.",
            "Add up {first}, and take away {second}: {n} mines remain, and just {n} cells for "
            "them.",
            argument.n,
            first=first,
            second=second,
        )
    if not argument.n:
        return tr(
            "All the mines around {second} are around {first} too, so none is left for {cell}.",
            first=first,
            second=second,
            cell=cell,
        )
    return ntr(
        "Add up {first}, and take away {second}: one mine remains, and just one cell for it. So "
        "none is left for {cell}.",
        "Add up {first}, and take away {second}: {n} mines remain, and just {n} cells for them. So "
        "none is left for {cell}.",
        argument.n,
        first=first,
        second=second,
        cell=cell,
    )


def _sum_sentence(argument: Argument) -> str:
    numbers, cell = clue_phrases_or_count(argument.first), _cell_phrase(argument)
    if argument.mines is None:
        if argument.safe:
            return tr("Together, {numbers} leave no mine for {cell}.", numbers=numbers, cell=cell)
        return tr("Together, {numbers} need a mine at {cell}.", numbers=numbers, cell=cell)
    if argument.safe:
        return tr(
            "There are {mines} mines in all: with {numbers}, none is left for {cell}.",
            mines=argument.mines,
            numbers=numbers,
            cell=cell,
        )
    return tr(
        "There are {mines} mines in all: with {numbers}, {cell} must be one of them.",
        mines=argument.mines,
        numbers=numbers,
        cell=cell,
    )


def _outside_sentence(argument: Argument) -> str:
    if not argument.first:
        return (
            tr("There are no mines: every covered cell is safe.")
            if argument.safe
            else tr("There are as many mines as covered cells: all of them are mines.")
        )
    numbers = clue_phrases_or_count(argument.first)
    if argument.safe:
        return ntr(
            "The only mine is beside {numbers}, so all cells elsewhere are safe.",
            "All {n} mines are beside {numbers}, so all cells elsewhere are safe.",
            argument.mines or 0,
            numbers=numbers,
        )
    return ntr(
        "One mine is not beside {numbers}, and there is just one cell elsewhere.",
        "{n} mines are not beside {numbers}, and there are just {n} cells elsewhere.",
        argument.n,
        numbers=numbers,
    )


def _cases_sentence(argument: Argument) -> str:
    cell = _cell_phrase(argument)
    count = (
        [] if argument.mines is None else [tr("the mine count of {mines}", mines=argument.mines)]
    )
    numbers = clue_phrases_or_count(argument.first, *count)
    if argument.safe:
        return tr(
            "Suppose {cell} were a mine: {numbers} could not all be right. So it is safe.",
            cell=cell,
            numbers=numbers,
        )
    return tr(
        "Suppose {cell} were safe: {numbers} could not all be right. So it is a mine.",
        cell=cell,
        numbers=numbers,
    )


_SENTENCES: Final[Mapping[str, Callable[[Argument], str]]] = {
    "blank": _blank_sentence,
    "full": _full_sentence,
    "satisfied": _satisfied_sentence,
    "last": _last_sentence,
    "inside": _inside_sentence,
    "differ": _differ_sentence,
    "chain": _chain_sentence,
    "sum": _sum_sentence,
    "outside": _outside_sentence,
    "cases": _cases_sentence,
}
