"""What a player chooses before a game: size, mines, first click, goal."""

from __future__ import annotations

import operator
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final, SupportsIndex, TypeAlias, cast

from demine.logic.errors import RulesError, mark, quoted

MAX_CELLS = 1 << 26
"""The most cells of a board: 67 million, about 8192 x 8192; a larger one would exhaust memory."""


class First(StrEnum):
    """What is promised about the first opened cell.

    >>> import demine
    >>> demine.Rules(9, 9, 10, first="any").first
    <First.ANY: 'any'>
    """

    SAFE = "safe"
    """It is no mine."""
    ZERO = "zero"
    """It has no adjacent mine either, so it opens an opening."""
    ANY = "any"
    """Nothing: it may be a mine."""


class Goal(StrEnum):
    """What wins the game.

    >>> import demine
    >>> print(demine.Rules(9, 9, 10, goal=demine.Goal.FLAG))
    9x9/10 goal=flag
    """

    OPEN = "open"
    """Every safe cell is open."""
    FLAG = "flag"
    """The flags are exactly on the mines."""


class Flags(StrEnum):
    """What an opening does with the flags it reaches.

    >>> import demine
    >>> demine.Rules(9, 9, 10, flags=demine.Flags.HOLD)
    Rules.parse('9x9/10 flags=hold')
    """

    YIELD = "yield"
    """They were wrong and are removed; their cells open too."""
    HOLD = "hold"
    """They stay and keep their cells closed, as in Winmine and every competitive client."""


Value: TypeAlias = First | Goal | Flags | bool | int
"""A value of an option."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One possible value of an option."""

    value: Value
    share: str
    """Its letters in a share code; the choices of one option must have different ones."""
    words: str = ""
    """Its label in forms, to be translated."""
    told: str = ""
    """What titles say if it is not the default, to be translated; `{n}` is the value."""


@dataclass(frozen=True, slots=True)
class Option:
    """An option of the rules, with all that texts, share codes, commands, forms and lists need.

    An option whose values are True and False is a switch.
    """

    name: str
    """The field of `Rules`; in texts with `-` for `_`."""
    choices: tuple[Choice, ...]
    """Its possible values, in the order of forms."""
    default: Value | None
    """Its default value; None if that depends on the board, see `Rules.default_of`."""
    label: str = ""
    """Its label in forms, to be translated; empty if no form offers it."""
    key_label: str = ""
    """The label with its access key."""
    help: str = ""
    """Its help on the command line, to be translated; empty if it has no option there."""

    @property
    def word(self) -> str:
        """Its name in texts and on the command line."""
        return self.name.replace("_", "-")

    @property
    def is_switch(self) -> bool:
        """Whether its values are True and False."""
        return isinstance(self.choices[0].value, bool)

    @property
    def syntax(self) -> str:
        """How it is written in a text: `first=...` or `guess-free`."""
        return self.word if self.is_switch else f"{self.word}=..."

    @property
    def value_texts(self) -> tuple[str, ...]:
        """The values as texts, in the order in which their type defines them."""
        kind = type(self.choices[0].value)
        known = list(kind) if issubclass(kind, StrEnum) else [each.value for each in self.choices]
        return tuple(map(str, known))

    @property
    def choice_labels(self) -> Mapping[str, str]:
        """The labels of the values in forms, by the values as texts, in the order of forms."""
        return {str(choice.value): choice.words for choice in self.choices}

    def format_setting(self, value: Value) -> str:
        """Return how a text sets the option to this value: `first=safe` or `guess-free`."""
        return self.word if value is True else f"{self.word}={value}"

    def parse_value(self, value: object) -> Value:
        """Return the value that is given as itself or as its text; raises `RulesError`."""
        if self.is_switch:
            return _truth(self.name, value)
        if not isinstance(value, str) and isinstance(self.choices[0].value, int):
            value = str(_integer(self.name, value))
        if not isinstance(value, str) or value not in self.value_texts:
            raise _no_choice(self.name, value, self.value_texts)
        return next(choice.value for choice in self.choices if str(choice.value) == value)

    def choice_of(self, value: object) -> Choice:
        """Return the choice of a value."""
        return next(choice for choice in self.choices if choice.value == value)


MOST_LIVES: Final = 9
"""The most lives; a game with more would hardly ever be lost."""

OPTIONS: Final = (
    Option(
        "first",
        (
            Choice(First.ZERO, "z", mark("Starts with an opening"), mark("starts with an opening")),
            Choice(First.SAFE, "s", mark("Is never a mine"), mark("safe first click")),
            Choice(First.ANY, "a", mark("May be a mine"), mark("first click may be a mine")),
        ),
        default=None,
        label=mark("First click"),
        key_label=mark("&First click:"),
        help=mark("What the first click guarantees: no mine, an opening, or nothing."),
    ),
    Option(
        "goal",
        (
            Choice(Goal.OPEN, "o", mark("Open every safe cell")),
            Choice(Goal.FLAG, "f", mark("Flag every mine and nothing else"), mark("won by flags")),
        ),
        default=Goal.OPEN,
        label=mark("Goal"),
        key_label=mark("&Goal:"),
        help=mark("What wins: opening every safe cell, or flagging exactly the mines."),
    ),
    Option(
        "flags",
        (Choice(Flags.YIELD, ""), Choice(Flags.HOLD, "h", told=mark("openings leave flags"))),
        default=Flags.YIELD,
    ),
    Option(
        "guess_free",
        (Choice(False, ""), Choice(True, "g", told=mark("guess-free"))),
        default=False,
        label=mark("Guess-free boards"),
        key_label=mark("G&uess-free board"),
        help=mark("Make boards that never need a guess after the first cell."),
    ),
    Option(
        "lives",
        tuple(
            Choice(lives, str(lives) if lives > 1 else "", str(lives), mark("{n} lives"))
            for lives in range(1, MOST_LIVES + 1)
        ),
        default=1,
        label=mark("Lives"),
        key_label=mark("&Lives:"),
        help=mark("How many mines it takes to end the game; earlier ones are shown and forgiven."),
    ),
)
"""Every option of the rules, in the order of texts and share codes.

A new one needs an entry here, a field and an argument of `Rules`, and its effect on the board.
"""


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Rules:
    """The rules of one game. Frozen, hashable, and equal to what its own text parses to.

    `width` and `height` are in cells, `mines` is a count. `first` defaults to `zero` if every first
    cell can open an opening with so many mines, else to `safe`. Raises `RulesError` with the reason
    if nobody could play them.

    >>> import demine
    >>> rules = demine.Rules.parse("30x16/99")
    >>> rules == demine.EXPERT, rules.shape, rules.safe_cells
    (True, (16, 30), 381)
    >>> print(demine.Rules(9, 9, 10, first="any"))
    9x9/10 first=any
    """

    width: int
    height: int
    mines: int
    first: First
    goal: Goal
    flags: Flags
    guess_free: bool
    lives: int

    def __init__(
        self,
        width: SupportsIndex,
        height: SupportsIndex,
        mines: SupportsIndex,
        first: First | str | None = None,
        goal: Goal | str = Goal.OPEN,
        guess_free: bool = False,
        flags: Flags | str = Flags.YIELD,
        lives: SupportsIndex = 1,
    ) -> None:
        put = object.__setattr__
        put(self, "width", _integer("width", width))
        put(self, "height", _integer("height", height))
        put(self, "mines", _integer("mines", mines))
        _check_size(self.width, self.height, self.mines)
        given = {
            "first": self._usual_first() if first is None else first,
            "goal": goal,
            "flags": flags,
            "guess_free": guess_free,
            "lives": lives,
        }
        for option in OPTIONS:
            put(self, option.name, option.parse_value(given[option.name]))
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

    def default_of(self, option: Option) -> Value:
        """Return the default value of an option for this size and number of mines."""
        return self._usual_first() if option.default is None else option.default

    def non_default_options(self) -> tuple[tuple[Option, Value], ...]:
        """Return the options that do not have their default values, with their values."""
        values = ((option, getattr(self, option.name)) for option in OPTIONS)
        return tuple(
            (option, value) for option, value in values if value != self.default_of(option)
        )

    def _usual_first(self) -> First:
        if self.mines <= most_mines(self.width, self.height, First.ZERO):
            return First.ZERO
        return First.SAFE

    def __str__(self) -> str:
        size = f"{self.width}x{self.height}/{self.mines}"
        return " ".join(
            [size, *(option.format_setting(value) for option, value in self.non_default_options())]
        )

    def __repr__(self) -> str:
        return f"Rules.parse({str(self)!r})"

    @classmethod
    def parse(cls, text: str) -> Rules:
        """Parse `30x16/99` or a preset's name, with options after it.

        Options are those of `OPTIONS`, such as `first=safe`, `guess-free` or `lives=3`, separated
        by spaces or commas. Raises `RulesError` quoting the word that could not be read.
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
        """Return rules that are given as `Rules` or as their text; raises `RulesError`."""
        if isinstance(rules, str):
            return cls.parse(rules)
        if not isinstance(rules, cls):
            raise _no_rules(rules)
        return rules


def _no_rules(value: object) -> RulesError:
    return RulesError(
        "{value} is neither rules nor their text, such as 30x16/99", value=quoted(value)
    )


def most_mines(width: int, height: int, first: First) -> int:
    """Return the most mines with which `first` can be kept wherever the first click is."""
    kept_free = {
        First.ANY: 1,  # a board full of mines cannot be played
        First.SAFE: 1,
        First.ZERO: min(3, width) * min(3, height),
    }[first]
    return width * height - kept_free


def _integer(name: str, value: object) -> int:
    try:
        number = int(operator.index(cast("SupportsIndex", value)))  # True is an index too
    except TypeError:
        raise RulesError(
            "{name} must be a whole number, not {value}", name=name, value=quoted(value)
        ) from None
    if number.bit_length() > 64:
        # Python refuses to format very long numbers, so other messages could not quote it.
        raise RulesError("{name} is too large for a board", name=name)
    return number


def _truth(name: str, value: object) -> bool:
    # 0, 1 and NumPy's booleans are fine; a text such as "no" would count as True.
    if isinstance(value, str):
        raise _no_choice(name, value, ("True", "False"))
    try:
        return bool(value)
    except (RuntimeError, TypeError, ValueError):  # arrays have no truth value
        raise _no_choice(name, value, ("True", "False")) from None


def _no_choice(name: str, value: object, choices: Sequence[str]) -> RulesError:
    return RulesError(
        "{value} is not valid for {name}: use {choices}",
        value=quoted(value),
        name=name,
        choices=", ".join(choices),
    ).with_suggestion(value, choices)


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
        ).with_suggestion(word, PRESETS)
    width, height, mines = map(int, match.groups())
    return width, height, mines


def _parse_options(words: list[str]) -> dict[str, Any]:
    known = {option.name: option for option in OPTIONS}
    said: dict[str, Any] = {}
    for word in words:
        name, equals, value = word.partition("=")
        option = known.get(name.replace("-", "_"))
        if option is not None and option.name in said:
            raise RulesError("{text!r} appears twice", text=word[:80])
        if option is None or (bool(equals) if option.is_switch else not value):
            *forms, last = (option.syntax for option in OPTIONS)
            raise RulesError(
                "{text!r} is not a rule: use {forms} or {last}",
                text=word[:80],
                forms=", ".join(forms),
                last=last,
            ).with_suggestion(name, [each.word for each in OPTIONS])
        said[option.name] = option.is_switch or value
    return said


def option_by_name(name: str) -> Option:
    """Return the option with the name of a field of `Rules`."""
    return next(option for option in OPTIONS if option.name == name)


def _check_table() -> None:
    """Raise `TypeError` unless every option is a field of `Rules`, in the same order."""
    options = [option.name for option in OPTIONS]
    if options != [field.name for field in fields(Rules)][3:]:
        raise TypeError(f"the options {options} are not the fields of Rules")


_check_table()
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
"""The rules that `Rules.parse` knows by name."""
