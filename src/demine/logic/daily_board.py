"""The daily board: one guess-free board a day for each level, the same for everybody.

It depends only on its date (UTC) and its level: they give a seed and a first cell, from which the
guess-free dealer lays the mines, counting its work in steps and not in time. So it needs no
network, and it is the same on every machine. docs/daily.md specifies it for other programs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from demine.logic.errors import DemineError, quoted
from demine.logic.rules import BEGINNER, EXPERT, INTERMEDIATE, First, Goal, Rules

if TYPE_CHECKING:
    from demine.logic.game import BaseGame, Cell
    from demine.logic.journal import Header
    from demine.logic.metadata import Fact

LEVELS: Final[Mapping[str, Rules]] = MappingProxyType(
    {
        name: replace(rules, first=First.ZERO, goal=Goal.OPEN, guess_free=True)
        for name, rules in (
            ("beginner", BEGINNER),
            ("intermediate", INTERMEDIATE),
            ("expert", EXPERT),
        )
    }
)
"""The rules of each level's daily board."""
FACT: Final = "daily"
"""The name of the fact that says which daily board a game is played on."""
_EDITION: Final = 1
"""Part of the text that is hashed: a different rule would need a different number."""


class DailyError(DemineError, ValueError):
    """A text that does not name a daily board.

    >>> import demine
    >>> demine.Daily.parse("2026-13-01 expert")
    Traceback (most recent call last):
    demine.logic.daily_board.DailyError: '2026-13-01' is not a date; write it like 2026-11-21
    """


@dataclass(frozen=True, slots=True)
class Daily:
    """One day's board of one level; its text is `2026-11-21 expert`.

    Raises `DailyError` for a level that has none.

    >>> import demine
    >>> daily = demine.Daily.parse("2026-11-23 expert")
    >>> print(daily, daily.rules)
    2026-11-23 expert 30x16/99 guess-free
    """

    day: date
    level: str

    def __post_init__(self) -> None:
        if not isinstance(self.day, date):
            raise _no_day(self.day)
        check_level(self.level)

    def __str__(self) -> str:
        return f"{self.day.isoformat()} {self.level}"

    @classmethod
    def parse(cls, text: str) -> Daily:
        """Parse a text such as `2026-11-21 expert`; raises `DailyError`."""
        if not isinstance(text, str):
            raise _no_day(text)
        day, _, level = text.partition(" ")
        return cls(parse_day(day), level)

    @property
    def rules(self) -> Rules:
        """The level's rules, guess-free."""
        return LEVELS[self.level]

    @property
    def seed(self) -> int:
        """The seed for the dealer: the first 48 bits of the digest."""
        return int.from_bytes(self._digest[:6])

    @property
    def start(self) -> Cell:
        """The cell to open first, `(row, col)`, from the two 32-bit numbers after the seed."""
        row, col = int.from_bytes(self._digest[6:10]), int.from_bytes(self._digest[10:14])
        return row % self.rules.height, col % self.rules.width

    @property
    def _digest(self) -> bytes:
        from hashlib import sha256  # loads OpenSSL, and few starts are daily boards

        return sha256(f"demine daily {_EDITION} {self}".encode()).digest()

    @property
    def facts(self) -> dict[str, Fact]:
        """The facts of a game on this board, for `Game.from_daily`."""
        return {FACT: str(self)}

    @classmethod
    def of(cls, game: BaseGame) -> Daily | None:
        """Return the daily board that a game is played on, or None.

        None too if its facts name a daily board but its rules, seed or first cell are different.
        """
        return daily_of(game)


def daily_of(beginning: BaseGame | Header) -> Daily | None:
    """Return what `Daily.of` does, of a game or of the header of its journal."""
    said = beginning.facts.get(FACT)
    if not isinstance(said, str):
        return None
    from demine.logic.game import Origin  # loads arrays, and the names of levels need none

    if beginning.origin is not Origin.SEED:
        return None
    try:
        daily = Daily.parse(said)
    except DailyError:
        return None
    same = (beginning.rules, beginning.seed, beginning.start) == (
        daily.rules, daily.seed, daily.start,
    )  # fmt: skip
    return daily if same else None


def check_level(level: object) -> None:
    """Raise `DailyError` unless there are daily boards of this level."""
    if not (isinstance(level, str) and level in LEVELS):
        raise DailyError(
            "there is no daily board {level}: choose {names}",
            level=quoted(level),
            names=", ".join(LEVELS),
        ).with_suggestion(level, LEVELS)


def parse_day(text: str) -> date:
    """Return a date written as 2026-11-21; raises `DailyError`."""
    if not isinstance(text, str):
        raise _no_day(text)
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = None
    if day is None or day.isoformat() != text:
        raise _no_day(text[:40])
    return day


def _no_day(value: object) -> DailyError:
    return DailyError("{text} is not a date; write it like 2026-11-21", text=quoted(value))
