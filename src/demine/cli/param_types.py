"""The kinds of values on the command line: what each is called, what a shell can complete of it.

What people read in the help and in errors is words, `N`, `from 4 to 128`, and no Click.
"""

from __future__ import annotations

import math
import os
import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from demine.logic.rules import PRESETS
from demine.scene.board_geometry import MAX_CELL, MIN_CELL
from demine.scene.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Callable

    _AnyType = click.ParamType[Any]
else:
    _AnyType = click.ParamType  # older versions of Click have no type parameter

MAX_SWEEP_STEPS: Final = 10_000
"""The most mine counts in a sweep."""


class Completions(NamedTuple):
    """What a value may be, as far as a shell can complete it."""

    words: tuple[str, ...] = ()
    endings: tuple[str, ...] | None = None
    """The ends of the names of files, in lower case; empty for any file, None for no file."""
    only_folders: bool = False
    in_list: bool = False
    """Whether several words may be joined by commas."""


class _Parsed(_AnyType):
    """A kind of values of which its `parse` makes one; Click names the option in its errors."""

    def parse(self, value: Any) -> Any:  # noqa: ANN401 - a value of this kind
        """Return the value of a text or of a default; raise `click.BadParameter` if it is none."""
        raise NotImplementedError

    def convert(
        self,
        value: Any,  # noqa: ANN401 - as in Click
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Any:  # noqa: ANN401 - as in Click
        """Return what `parse` makes of the value."""
        del param, ctx
        return self.parse(value)


class CompletedText(_Parsed):
    """A text of which a shell knows what it may be; what it is, its verb checks."""

    name = "text"

    def __init__(self, metavar: str, completions: Callable[[], Completions]) -> None:
        self.metavar = metavar
        """What the help calls it, untranslated."""
        self.completions = completions
        """Returns what it may be; called only when completion is set up, as it may take long."""

    def parse(self, value: str) -> str:
        """Return the text."""
        return value


class FileName(CompletedText):
    """A non-empty name: to the system an empty one is the current folder."""

    def __init__(self, *endings: str, metavar: str = mark("FILE")) -> None:
        super().__init__(metavar, lambda: Completions(endings=endings))

    def parse(self, value: str) -> str:
        """Return the name; raise `click.BadParameter` if it is empty."""
        if not value:
            raise click.BadParameter(tr("the name is empty"))
        return value


class _InputFileName(FileName):
    """The name of a file of games or boards, which is read."""

    def __init__(self, *more_endings: str) -> None:
        super().__init__()
        self.completions = lambda: Completions(endings=(*_endings_of_games(), *more_endings))


def _endings_of_games() -> tuple[str, ...]:
    """Return the endings of replays, journals and boards."""
    from demine.replay.registry import JOURNAL_EXTENSIONS, all_formats

    known = (ending for each in all_formats() for ending in each.extensions)
    return tuple(dict.fromkeys((*known, *filter(None, JOURNAL_EXTENSIONS))))


FILE_NAME: Final = FileName()
GAME_FILE: Final = _InputFileName()
POSITION_FILE: Final = _InputFileName(".txt")
"""A diagram, or a game at a moment."""
FOLDER_NAME: Final = FileName(metavar=mark("FOLDER"))
FOLDER_NAME.completions = lambda: Completions(only_folders=True)
RULES: Final = CompletedText(mark("RULES"), lambda: Completions(words=tuple(PRESETS)))
"""Rules, by their name or as a size."""
RULES_OR_FILE: Final = CompletedText(
    mark("RULES"), lambda: Completions(words=tuple(PRESETS), endings=_endings_of_games())
)


class Number(_Parsed):
    """A number within limits, whole unless `whole` is False; NaN is none."""

    def __init__(
        self,
        low: float | None = None,
        high: float | None = None,
        *,
        whole: bool = True,
        above_low: bool = False,
        metavar: str = "N",
    ) -> None:
        self.name = self.metavar = metavar
        self._low, self._high, self._whole = low, high, whole
        self._above_low = above_low
        """Whether `low` itself is too little."""

    def parse(self, value: str | float) -> float:
        """Return the number; raise `click.BadParameter` for anything else."""
        try:
            number: float = _whole_number(value) if self._whole else float(value)
        except ValueError:
            number = math.nan
        if math.isnan(number):
            is_none = mark("{text!r} is not a whole number") if self._whole else _NOT_A_NUMBER
            raise click.BadParameter(tr(is_none, text=str(value)[:80]))
        if self._is_outside(number):
            wanted = self.limits() or tr("at least {low}", low=self._low)
            raise click.BadParameter(
                tr("{text} is out of range: {wanted}", text=value, wanted=wanted)
            )
        return number

    def _is_outside(self, number: float) -> bool:
        low, high = self._low, self._high
        too_small = low is not None and (number <= low if self._above_low else number < low)
        return too_small or (high is not None and number > high)

    def limits(self) -> str:
        """Return the limits as text in the current language; empty where they go without saying."""
        low, high = self._low, self._high
        if high is not None and high >= _BEYOND_USE:
            high = None
        if self._above_low:
            above = tr("more than {low}", low=low)
            return (
                above
                if high is None
                else tr("{above}, at most {high}", above=above, high=f"{high:,}")
            )
        if high is not None:
            return tr("from {low} to {high}", low=f"{low or 0:g}", high=f"{high:,.10g}")
        return "" if low in {None, 0, 1} else tr("at least {low}", low=low)


def _whole_number(value: str | float) -> int:
    """Return a whole number, which may be written as `1e6`; raises ValueError for anything else."""
    try:
        return int(value)
    except ValueError:
        number = float(value)
        if abs(number) < _EXACT and number.is_integer() and "e" in str(value).lower():
            return int(number)
        raise


_EXACT: Final = 2.0**53
"""Below this, a float is the whole number that was written."""
_BEYOND_USE: Final = 1e12
"""A limit that nobody reaches is not told."""
_NOT_A_NUMBER: Final = mark("{text!r} is not a number")


class NumberRange(NamedTuple):
    """The whole numbers from `low` to `high`, both included."""

    low: int
    high: int


class _Pattern(_Parsed):
    """A value that is written in one word, such as a cell."""

    def __init__(self, metavar: str, parse: Callable[[str], object], refusal: str) -> None:
        self.name = self.metavar = metavar
        self._parse_text = parse
        """Returns the value, or None for a text that is none."""
        self._refusal = refusal

    def parse(self, value: str) -> object:
        """Return the value; raise `click.BadParameter` for a text that is none."""
        found = self._parse_text(value.strip())
        if found is None:
            raise click.BadParameter(tr(self._refusal, text=value[:80]))
        return found


def _parse_cell(text: str) -> tuple[int, int] | None:
    found = _numbers_in(r"(N)\s*,\s*(N)", text)
    return (found[0], found[1]) if found else None


def _parse_range(text: str) -> NumberRange | None:
    found = _numbers_in(r"(N)(?:\.\.(N))?", text)
    return NumberRange(found[0], found[-1]) if found and found[0] <= found[-1] else None


def _parse_mine_sweep(text: str) -> range | None:
    low, high, *step = _numbers_in(r"mines=(N)\.\.(N)(?::(N))?", text) or [1, 0]
    steps = range(low, high + 1, max(1, *step, 1))
    return steps if 0 < len(steps) <= MAX_SWEEP_STEPS else None


def _numbers_in(pattern: str, text: str) -> list[int]:
    """Return the numbers of a text that matches a pattern, in which `N` is a number; else []."""
    found = re.fullmatch(pattern.replace("N", r"\d{1,9}"), text, re.ASCII)
    return [int(each) for each in found.groups() if each is not None] if found else []


CELL: Final = _Pattern(
    mark("ROW,COL"), _parse_cell, mark("{text!r} is not a cell: write ROW,COL, as in 4,7")
)
"""A cell such as `4,7`: (row, col)."""
NUMBER_RANGE: Final = _Pattern(
    mark("LOW..HIGH"),
    _parse_range,
    mark("{text!r} is not a range: write LOW..HIGH, as in 100..120"),
)
"""A range such as `100..120`, or a single number, which is both ends: `NumberRange`."""
MINE_SWEEP: Final = _Pattern(
    "mines=LOW..HIGH[:STEP]",
    _parse_mine_sweep,
    mark(
        "{text!r} is not a sweep: write mines=LOW..HIGH or mines=LOW..HIGH:STEP, as in "
        "mines=10..120:10"
    ),
)
"""A sweep such as `mines=10..120:10`: its mine counts, a range."""
DATE: Final = CompletedText(mark("DATE"), Completions)
SEED: Final = Number(0)
COUNT: Final = Number(1)
CELL_SIZE: Final = Number(MIN_CELL, MAX_CELL)
SECONDS: Final = mark("SECONDS")
"""What times are called in the help."""


def completions_of(kind: click.ParamType[Any]) -> Completions:
    """Return what a value of this type may be."""
    if isinstance(kind, CompletedText):
        return kind.completions()
    if isinstance(kind, click.Choice):
        return Completions(words=tuple(map(str, kind.choices)))
    return Completions()


def is_like_file(word: str) -> bool:
    """Whether something lies at this path, or the word ends as files do: `gone.avf`.

    A word that ends in digits after its point does not: `30x16/20.5` is meant as a board.
    """
    return os.path.exists(word) or os.path.splitext(word)[1][1:].isalpha()  # noqa: PTH110, PTH122
