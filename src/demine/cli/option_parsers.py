"""Click callbacks that parse numbers, cells and ranges. Bad values raise `click.BadParameter`."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Final, NamedTuple

import click

from demine.scene.translation import tr

if TYPE_CHECKING:
    from typing import NoReturn

_MAX_SWEEP_STEPS: Final = 10_000
"""The most mine counts in a sweep."""


class NumberRange(NamedTuple):
    """The whole numbers from `low` to `high`, both included."""

    low: int
    high: int


def reject_nan(ctx: click.Context, param: click.Parameter, value: float | None) -> float | None:
    """Return the value unless it is NaN, which passes every range check of Click."""
    if value is not None and math.isnan(value):
        _raise_bad_parameter(ctx, param, tr("{text} is not a number", text=value))
    return value


def parse_cell(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> tuple[int, int] | None:
    """Parse a cell such as `4,7` into (row, col)."""
    if value is None:
        return None
    found = _matched_numbers(r"(N)\s*,\s*(N)", value)
    if not found:
        _raise_bad_parameter(
            ctx, param, tr("{text!r} is not a cell: write ROW,COL, as in 4,7", text=value[:80])
        )
    return found[0], found[1]


def parse_range(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> NumberRange | None:
    """Parse a range such as `100..120`; a single number is both ends."""
    if value is None:
        return None
    found = _matched_numbers(r"(N)(?:\.\.(N))?", value)
    if not found or found[0] > found[-1]:
        sentence = tr("{text!r} is not a range: write LOW..HIGH, as in 100..120", text=value[:80])
        _raise_bad_parameter(ctx, param, sentence)
    return NumberRange(found[0], found[-1])


def parse_mine_sweep(ctx: click.Context, param: click.Parameter, value: str | None) -> range | None:
    """Parse a sweep such as `mines=10..120:10` into its mine counts."""
    if value is None:
        return None
    low, high, *step = _matched_numbers(r"mines=(N)\.\.(N)(?::(N))?", value) or [1, 0]
    steps = range(low, high + 1, max(1, *step, 1))
    if not 0 < len(steps) <= _MAX_SWEEP_STEPS:
        sentence = tr(
            "{text!r} is not a sweep: write mines=LOW..HIGH or mines=LOW..HIGH:STEP, as in "
            "mines=10..120:10",
            text=value[:80],
        )
        _raise_bad_parameter(ctx, param, sentence)
    return steps


def _matched_numbers(pattern: str, value: str) -> list[int]:
    """Return the numbers of a text that matches a pattern, in which `N` is a number; else []."""
    found = re.fullmatch(pattern.replace("N", r"\d{1,9}"), value.strip(), re.ASCII)
    return [int(each) for each in found.groups() if each is not None] if found else []


def _raise_bad_parameter(ctx: click.Context, param: click.Parameter, sentence: str) -> NoReturn:
    raise click.BadParameter(sentence, ctx=ctx, param=param)
