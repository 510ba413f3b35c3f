"""Counters that a player chooses: formulas over statistics, and how they are saved and shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from demine.logic.sanitize import escape_control_characters
from demine.statistics.definitions import TABLE
from demine.statistics.formula import Formula, FormulaError

if TYPE_CHECKING:
    from collections.abc import Sequence

COUNTERS_SETTING: Final = "watch_counters"
"""The setting's name: a list of pairs, a name and a formula."""
MOST_COUNTERS: Final = 60
NAME_LENGTH: Final = 40


@dataclass(frozen=True, slots=True)
class Counter:
    """One line of the counters; an empty name stands for the statistic's own."""

    name: str
    formula: Formula


DEFAULT_COUNTERS: Final = (
    ("", "time"), ("", "bv_solved"), ("", "bv"), ("", "bv_s"), ("", "etime"),
    ("", "clicks"), ("", "left"), ("", "right"), ("", "double"), ("", "clicks_s"),
    ("", "ioe"), ("", "thrp_strict"), ("", "rqp"), ("", "path"),
)  # fmt: skip
"""The counters that are shown until the player chooses others."""


def counter_title(counter: Counter) -> str:
    """Return the name that a counter is shown with, in the current language."""
    text = counter.formula.text
    return escape_control_characters(counter.name) or (
        TABLE[text].title() if text in TABLE else text
    )


def parse_counters(
    setting: object, default: Sequence[tuple[str, str]] = DEFAULT_COUNTERS
) -> list[Counter]:
    """Return the counters of a setting, or `default` if there is none; leave damaged ones out."""
    rows = setting if isinstance(setting, list | tuple) else default
    found: list[Counter] = []
    for row in rows[:MOST_COUNTERS]:
        if isinstance(row, list | tuple) and len(row) == 2 and all(type(e) is str for e in row):
            try:
                found.append(Counter(row[0][:NAME_LENGTH], Formula(row[1])))
            except FormulaError:
                continue
    return found


def counters_to_setting(counters: list[Counter]) -> list[list[str]]:
    """Return the value to save as the setting: pairs of name and formula."""
    return [[each.name, each.formula.text] for each in counters]


def format_value(value: float | None) -> str:
    """Return a value as counters show it: up to three decimals, a dash for None."""
    if value is None:
        return "–"
    if value == int(value) and abs(value) < 1e9:
        return str(int(value))
    return f"{value:.3f}" if abs(value) < 1e5 else f"{value:.4g}"
