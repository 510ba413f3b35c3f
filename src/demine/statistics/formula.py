"""Formulas over statistics: plain arithmetic, parsed with `ast` and evaluated without `eval`.

They consist of numbers, names of statistics, + - * / ** and parentheses.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from demine.logic.errors import DemineError
from demine.statistics.definitions import TABLE

if TYPE_CHECKING:
    from demine.statistics.definitions import Value

MAX_LENGTH: Final = 200
_LIMIT: Final = 1e300
_OPERATORS: Final = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow)


class FormulaError(DemineError, ValueError):
    """A text that is not a formula; the message says what is wrong and where.

    >>> import demine
    >>> demine.Formula("bv /")
    Traceback (most recent call last):
    demine.statistics.formula.FormulaError: 'bv /' cannot be read from character 1 on
    """


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula, made from its text.

    Raises FormulaError for a text that is not a formula, and for statistics that do not exist.

    >>> import demine
    >>> formula = demine.Formula("bv / clicks")
    >>> str(formula)
    'bv / clicks'
    """

    text: str

    def __post_init__(self) -> None:
        _check_node(_parse(self.text), self.text)

    def __str__(self) -> str:
        return self.text

    @property
    def names(self) -> frozenset[str]:
        """The names of the statistics that it uses."""
        tree = _parse(self.text)
        return frozenset(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))

    def value(self, statistics: Mapping[str, Value]) -> float | None:
        """Return its value; None if a statistic has none or the result is not finite.

        Raises KeyError for a statistic that is missing from `statistics`.
        """
        return _evaluate(_parse(self.text), statistics)


def _parse(text: str) -> ast.expr:
    if len(text) > MAX_LENGTH:
        raise FormulaError(
            "a formula has {most} characters at most, not {count}",
            most=MAX_LENGTH,
            count=len(text),
        )
    if not text.strip():
        raise FormulaError("an empty formula")
    try:
        return ast.parse(_as_one_line(text), mode="eval").body
    except SyntaxError as error:
        place = min(max(1, error.offset or 1) + _leading_spaces(text), len(text))
        raise FormulaError(
            "{text!r} cannot be read from character {place} on", text=text, place=place
        ) from None
    except (ValueError, RecursionError, MemoryError):
        raise FormulaError("{text!r} is not a formula", text=text) from None


def _as_one_line(text: str) -> str:
    """Return a text on one line, without leading or trailing spaces."""
    return re.sub(r"\s", " ", text).strip()


def _leading_spaces(text: str) -> int:
    return len(text) - len(text.lstrip())


def _check_node(node: ast.expr, text: str) -> None:
    if isinstance(node, ast.BinOp) and isinstance(node.op, _OPERATORS):
        _check_node(node.left, text)
        _check_node(node.right, text)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.UAdd | ast.USub):
        _check_node(node.operand, text)
    elif isinstance(node, ast.Name):
        if node.id not in TABLE:
            raise FormulaError(
                "there is no statistic {name!r} (character {place})",
                name=node.id,
                place=node.col_offset + 1 + _leading_spaces(text),
            ).with_suggestion(node.id, TABLE)
    elif not (isinstance(node, ast.Constant) and type(node.value) in {int, float}):
        raise FormulaError(
            "a formula has numbers, statistics, + - * / ** and parentheses, not {what!r}"
            " (character {place})",
            what=(ast.get_source_segment(_as_one_line(text), node) or "")[:40],
            place=node.col_offset + 1 + _leading_spaces(text),
        )


def _evaluate(node: ast.expr, statistics: Mapping[str, Value]) -> float | None:
    if isinstance(node, ast.Constant):
        return _finite(node.value)
    if isinstance(node, ast.Name):
        return _finite(statistics[node.id])
    if isinstance(node, ast.UnaryOp):
        value = _evaluate(node.operand, statistics)
        return -value if value is not None and isinstance(node.op, ast.USub) else value
    if not isinstance(node, ast.BinOp):
        return None
    left, right = _evaluate(node.left, statistics), _evaluate(node.right, statistics)
    if left is None or right is None:
        return None
    try:
        return _finite(_apply_operator(node.op, left, right))
    except (ZeroDivisionError, OverflowError):
        return None


def _apply_operator(operator: ast.operator, left: float, right: float) -> object:
    match operator:
        case ast.Add():
            return left + right
        case ast.Sub():
            return left - right
        case ast.Mult():
            return left * right
        case ast.Div():
            return left / right
        case _:
            return left**right


def _finite(value: object) -> float | None:
    """Return a number as a float; None for None, complex numbers and those beyond `_LIMIT`."""
    if not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if -_LIMIT <= number <= _LIMIT else None
