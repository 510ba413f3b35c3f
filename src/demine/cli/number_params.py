"""Numbers, cells and runs of whole numbers, as options take them."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Final, NamedTuple

import click

from demine.scene.translation import tr

if TYPE_CHECKING:
    from typing import NoReturn

_MOST_STEPS: Final = 10_000
"""The longest sweep."""


class Span(NamedTuple):
    """Whole numbers from the first to the last, both included."""

    low: int
    high: int


def real(ctx: click.Context, param: click.Parameter, value: float | None) -> float | None:
    """Return the number of an option such as `--at 12.5`; NaN, which every range takes, is none."""
    if value is not None and math.isnan(value):
        _refuse(ctx, param, tr("{text} is no number", text=value))
    return value


def cell(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[int, int] | None:
    """Return (row, col) of an option such as `--first 4,7`."""
    if value is None:
        return None
    found = _numbers(r"(N)\s*,\s*(N)", value)
    if not found:
        _refuse(ctx, param, tr("{text!r} is no cell: write ROW,COL, as in 4,7", text=value[:80]))
    return found[0], found[1]


def span(ctx: click.Context, param: click.Parameter, value: str | None) -> Span | None:
    """Return the ends of an option such as `--3bv 100..120`; a number alone is both of them."""
    if value is None:
        return None
    found = _numbers(r"(N)(?:\.\.(N))?", value)
    if not found or found[0] > found[-1]:
        sentence = tr("{text!r} is no span: write LOW..HIGH, as in 100..120", text=value[:80])
        _refuse(ctx, param, sentence)
    return Span(found[0], found[-1])


def sweep(ctx: click.Context, param: click.Parameter, value: str | None) -> range | None:
    """Return the numbers of an option such as `--sweep mines=10..120:10`."""
    if value is None:
        return None
    low, high, *step = _numbers(r"mines=(N)\.\.(N)(?::(N))?", value) or [1, 0]
    steps = range(low, high + 1, max(1, *step, 1))
    if not 0 < len(steps) <= _MOST_STEPS:
        sentence = tr(
            "{text!r} is no sweep: write mines=LOW..HIGH or mines=LOW..HIGH:STEP, as in "
            "mines=10..120:10",
            text=value[:80],
        )
        _refuse(ctx, param, sentence)
    return steps


def _numbers(pattern: str, value: str) -> list[int]:
    """Return the whole numbers of a text that fits, `N` standing for one; none if it does not."""
    found = re.fullmatch(pattern.replace("N", r"\d{1,9}"), value.strip(), re.ASCII)
    return [int(each) for each in found.groups() if each is not None] if found else []


def _refuse(ctx: click.Context, param: click.Parameter, sentence: str) -> NoReturn:
    raise click.BadParameter(sentence, ctx=ctx, param=param)
