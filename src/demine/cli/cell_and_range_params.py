"""Numbers, cells and runs of whole numbers, as options take them."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Final, NamedTuple

import click

from demine.scene.translation import tr

if TYPE_CHECKING:
    from typing import NoReturn

_MAX_SWEEP_STEPS: Final = 10_000
"""The longest sweep."""


class NumberRange(NamedTuple):
    """Whole numbers from the first to the last, both included."""

    low: int
    high: int


def refuse_nan(ctx: click.Context, param: click.Parameter, value: float | None) -> float | None:
    """Return the number of an option such as `--at 12.5`; NaN, which every range takes, is none."""
    if value is not None and math.isnan(value):
        _raise_bad_parameter(ctx, param, tr("{text} is no number", text=value))
    return value


def parse_cell(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> tuple[int, int] | None:
    """Return (row, col) of an option such as `--first 4,7`."""
    if value is None:
        return None
    found = _matched_numbers(r"(N)\s*,\s*(N)", value)
    if not found:
        _raise_bad_parameter(
            ctx, param, tr("{text!r} is no cell: write ROW,COL, as in 4,7", text=value[:80])
        )
    return found[0], found[1]


def parse_range(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> NumberRange | None:
    """Return the ends of an option such as `--3bv 100..120`; a number alone is both of them."""
    if value is None:
        return None
    found = _matched_numbers(r"(N)(?:\.\.(N))?", value)
    if not found or found[0] > found[-1]:
        sentence = tr("{text!r} is no span: write LOW..HIGH, as in 100..120", text=value[:80])
        _raise_bad_parameter(ctx, param, sentence)
    return NumberRange(found[0], found[-1])


def parse_sweep(ctx: click.Context, param: click.Parameter, value: str | None) -> range | None:
    """Return the numbers of an option such as `--sweep mines=10..120:10`."""
    if value is None:
        return None
    low, high, *step = _matched_numbers(r"mines=(N)\.\.(N)(?::(N))?", value) or [1, 0]
    steps = range(low, high + 1, max(1, *step, 1))
    if not 0 < len(steps) <= _MAX_SWEEP_STEPS:
        sentence = tr(
            "{text!r} is no sweep: write mines=LOW..HIGH or mines=LOW..HIGH:STEP, as in "
            "mines=10..120:10",
            text=value[:80],
        )
        _raise_bad_parameter(ctx, param, sentence)
    return steps


def _matched_numbers(pattern: str, value: str) -> list[int]:
    """Return the whole numbers of a text that fits, `N` standing for one; none if it does not."""
    found = re.fullmatch(pattern.replace("N", r"\d{1,9}"), value.strip(), re.ASCII)
    return [int(each) for each in found.groups() if each is not None] if found else []


def _raise_bad_parameter(ctx: click.Context, param: click.Parameter, sentence: str) -> NoReturn:
    raise click.BadParameter(sentence, ctx=ctx, param=param)
