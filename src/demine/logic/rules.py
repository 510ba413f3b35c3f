"""What a player chooses before a game: size, mines, first click, goal."""

from __future__ import annotations

import operator
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import SupportsIndex, TypedDict, TypeVar

from demine.logic.errors import RulesError, quoted

_Choice = TypeVar("_Choice", bound=StrEnum)

MAX_CELLS = 1 << 26
"""Largest board: 67 million cells, about 8192 x 8192; beyond it a board is a denial of service."""


class _Options(TypedDict, total=False):
    first: str
    goal: str
    flags: str
    guess_free: bool


class First(StrEnum):
    """What the first opened cell promises."""

    SAFE = "safe"
    """It is no mine."""
    ZERO = "zero"
    """It has no mine around either, so it opens an opening."""
    ANY = "any"
    """Nothing: it may be a mine."""


class Goal(StrEnum):
    """What wins the game."""

    OPEN = "open"
    """Every safe cell is open."""
    FLAG = "flag"
    """The flags stand exactly on the mines."""


class Flags(StrEnum):
    """What an opening does with the flags it reaches."""

    YIELD = "yield"
    """They were wrong and go; their cells open too."""
    HOLD = "hold"
    """They stand and keep their cells closed, as in Winmine and every competitive client."""


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Rules:
    """The rules of one game. Frozen, hashable, and equal to what its own text parses to.

    `width` and `height` are in cells, `mines` is a count. `first` defaults to `zero` where every
    first cell can open an opening at this density, else to `safe`.
    Raises `RulesError` with a sentence that says why when nobody could play them.
    """

    width: int
    height: int
    mines: int
    first: First
    goal: Goal
    flags: Flags
    guess_free: bool

    def __init__(
        self,
        width: SupportsIndex,
        height: SupportsIndex,
        mines: SupportsIndex,
        first: First | str | None = None,
        goal: Goal | str = Goal.OPEN,
        guess_free: bool = False,
        flags: Flags | str = Flags.YIELD,
    ) -> None:
        put = object.__setattr__
        put(self, "width", _whole("width", width))
        put(self, "height", _whole("height", height))
        put(self, "mines", _whole("mines", mines))
        _check_size(self.width, self.height, self.mines)
        put(self, "first", self._default_first() if first is None else _member(First, first))
        put(self, "goal", _member(Goal, goal))
        put(self, "flags", _member(Flags, flags))
        put(self, "guess_free", _is_wanted("guess_free", guess_free))
        _check_choices(self)

    @property
    def cells(self) -> int:
        """Number of cells."""
        return self.width * self.height

    @property
    def safe_cells(self) -> int:
        """Number of cells without a mine."""
        return self.cells - self.mines

    @property
    def shape(self) -> tuple[int, int]:
        """Array shape, `(height, width)`."""
        return self.height, self.width

    def _default_first(self) -> First:
        if self.mines <= most_mines(self.width, self.height, First.ZERO):
            return First.ZERO
        return First.SAFE

    def __str__(self) -> str:
        words = [f"{self.width}x{self.height}/{self.mines}"]
        if self.first is not self._default_first():
            words.append(f"first={self.first}")
        if self.goal is not Goal.OPEN:
            words.append(f"goal={self.goal}")
        if self.flags is not Flags.YIELD:
            words.append(f"flags={self.flags}")
        if self.guess_free:
            words.append("guess-free")
        return " ".join(words)

    def __repr__(self) -> str:
        return f"Rules.parse({str(self)!r})"

    @classmethod
    def parse(cls, text: str) -> Rules:
        """Read `30x16/99`, a preset's name, and options after it.

        Options are `first=safe|zero|any`, `goal=open|flag`, `flags=yield|hold` and `guess-free`,
        separated by spaces or commas. Raises `RulesError` naming the word that could not be read.
        """
        if not isinstance(text, str):
            raise _no_rules(text)
        words = text.replace(",", " ").lower().split()
        if not words:
            raise RulesError("no rules given: write WIDTHxHEIGHT/MINES, as in 30x16/99")
        width, height, mines = _parse_size(words[0])
        return cls(width, height, mines, **_parse_options(words[1:]))

    @classmethod
    def of(cls, rules: Rules | str) -> Rules:
        """Return rules that are given as themselves or as their text; raises `RulesError`."""
        if isinstance(rules, str):
            return cls.parse(rules)
        if not isinstance(rules, cls):
            raise _no_rules(rules)
        return rules


def _no_rules(value: object) -> RulesError:
    return RulesError(
        "{value} is neither rules nor their text, as 30x16/99 is", value=quoted(value)
    )


def most_mines(width: int, height: int, first: First) -> int:
    """Return the most mines that leave `first` possible wherever the first click falls."""
    kept_free = {
        First.ANY: 1,  # a board of nothing but mines has no game in it
        First.SAFE: 1,
        First.ZERO: min(3, width) * min(3, height),
    }[first]
    return width * height - kept_free


def _whole(name: str, value: SupportsIndex) -> int:
    try:
        number = int(operator.index(value))  # True is an index too
    except TypeError:
        raise RulesError(
            "{name} must be a whole number, not {value}", name=name, value=quoted(value)
        ) from None
    if number.bit_length() > 64:
        # Python refuses to write very long numbers, so the other sentences could not be said.
        raise RulesError("{name} is a number beyond any board", name=name)
    return number


def _member(kind: type[_Choice], value: object) -> _Choice:
    if isinstance(value, str) and value in list(kind):
        return kind(value)
    raise _no_choice(kind.__name__.lower(), value, list(kind))


def _is_wanted(name: str, value: object) -> bool:
    # 0 and 1, and NumPy's own truths, are fine; a text such as "no" would mean yes.
    if isinstance(value, str):
        raise _no_choice(name, value, ("True", "False"))
    try:
        return bool(value)
    except (RuntimeError, TypeError, ValueError):  # arrays are neither
        raise _no_choice(name, value, ("True", "False")) from None


def _no_choice(name: str, value: object, choices: Sequence[str]) -> RulesError:
    return RulesError(
        "{value} is no choice for {name}: use {choices}",
        value=quoted(value),
        name=name,
        choices=", ".join(choices),
    )


def _check_size(width: int, height: int, mines: int) -> None:
    if width < 1 or height < 1:
        raise RulesError("a board of {width}x{height} has no cells", width=width, height=height)
    if width * height > MAX_CELLS:
        raise RulesError(
            "a board of {width}x{height} is too big: {most} cells at most",
            width=width,
            height=height,
            most=MAX_CELLS,
        )
    if mines < 0:
        raise RulesError("a board cannot have {mines} mines", mines=mines)
    most = most_mines(width, height, First.SAFE)
    if mines > most:
        raise RulesError(
            "{mines} mines do not fit on {width}x{height}: one cell stays free, so {most} at most",
            mines=mines,
            width=width,
            height=height,
            most=most,
        )


def _check_choices(rules: Rules) -> None:
    most = most_mines(rules.width, rules.height, rules.first)
    if rules.mines > most:
        raise RulesError(
            "with {mines} mines on {width}x{height} the first cell cannot always open an opening: "
            "{most} at most, or let it be merely safe (first=safe)",
            mines=rules.mines,
            width=rules.width,
            height=rules.height,
            most=most,
        )
    if rules.goal is Goal.FLAG and rules.mines == 0:
        raise RulesError("goal=flag needs at least one mine to flag")
    if rules.guess_free and rules.first is First.ANY:
        raise RulesError("a guess-free board needs a safe first cell: first=any is a guess")


def _parse_size(word: str) -> tuple[int, int, int]:
    preset = PRESETS.get(word)
    if preset is not None:
        return preset.width, preset.height, preset.mines
    match = re.fullmatch(r"(\d{1,9})[x×*](\d{1,9})/(\d{1,9})", word, re.ASCII)
    if match is None:
        raise RulesError(
            "{text!r} is neither WIDTHxHEIGHT/MINES (as in 30x16/99) nor one of {names}",
            text=word[:80],
            names=", ".join(PRESETS),
        )
    width, height, mines = map(int, match.groups())
    return width, height, mines


def _parse_options(words: list[str]) -> _Options:
    options: _Options = {}
    for word in words:
        name, equals, value = word.partition("=")
        key = name.replace("-", "_")
        if key in options:
            raise RulesError("{text!r} is said twice", text=word[:80])
        if key == "guess_free" and not equals:
            options["guess_free"] = True
        elif key == "first" and value:
            options["first"] = value
        elif key == "goal" and value:
            options["goal"] = value
        elif key == "flags" and value:
            options["flags"] = value
        else:
            raise RulesError(
                "{text!r} is no rule: use first=..., goal=..., flags=... or guess-free",
                text=word[:80],
            )
    return options


PRESETS: Mapping[str, Rules] = MappingProxyType({})
BEGINNER = Rules(9, 9, 10)
INTERMEDIATE = Rules(16, 16, 40)
EXPERT = Rules(30, 16, 99)
CLASSIC_BEGINNER = Rules(8, 8, 10)
TEN = Rules(10, 10, 33)
PRESETS = MappingProxyType(
    {
        "beginner": BEGINNER,
        "intermediate": INTERMEDIATE,
        "expert": EXPERT,
        "classic-beginner": CLASSIC_BEGINNER,
        "ten": TEN,
    }
)
"""The named rules, easiest names first; `Rules.parse` knows them."""
